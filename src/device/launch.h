// SPDX-License-Identifier: Apache-2.0
/*
 * Running programs: firmware on every worker, then one program after the other.
 *
 *	struct device dev;
 *	device_start(&dev, port, 0, e);		reset, firmware, until every tile says that it is up
 *	launch(&dev, work, n, 7, 0, e);		kernels, arguments, buffers; go
 *	launch_wait(&dev, cycles, e);		until all of them are done
 *	device_stop(&dev);			all cores in reset; the port stays the caller's
 *
 * A program is a list of tiles, each with its kernels; several tiles may share the same images and
 * arrays.  A kernel that is on its tile already is not written again.  One thread at a time.
 *
 * A device whose core faulted stands still: launch() and launch_wait() say where and why, in the
 * terms of the source; reading goes on to work.
 */
#ifndef TTP_DEVICE_LAUNCH_H
#define TTP_DEVICE_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include <ttp/kernel/layout.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "device/coord.h"
#include "device/loader.h"
#include "device/port.h"

struct device_tile {
	struct elf_image *loaded[RISCS]; /* whose code is there; NULL: not known */
	uint64_t loaded_hash[RISCS];
	bool running;
};

struct device {
	struct port *port; /* borrowed */
	int id;
	struct coord coord;
	struct elf_image firmware[RISCS];
	struct device_tile (*tiles)[PORT_GRID_MAX]; /* [y][x] */
	VEC(struct tile) running;
	uint64_t programs; /* launched so far */
};

/* Puts all workers into reset, loads the firmware and starts it. */
enum ttp_rc device_start(struct device *d, struct port *port, int id,
			 struct ttp_err *e) TTP_CHECKED;
void device_stop(struct device *d);

struct words {
	const uint32_t *at;
	size_t n;
};

/* One tile's part of a program.  Everything is borrowed until launch() returns; images until they are
 * replaced or the device stops. */
struct launch_tile {
	struct tile tile;
	struct elf_image *kernel[RISCS]; /* NULL: this core has nothing to do */
	struct words args[RISCS], common_args[RISCS];
	const struct ttp_cb_config *cbs; /* TTP_CBS of them, those of cb_mask are used; or NULL */
	uint32_t cb_mask;
	const uint32_t *semaphores; /* first values */
	size_t semaphores_n;
	uint32_t with,
		without; /* flags beside those of the launch, and flags that are not for this tile */
};

/* Flags are TTP_LAUNCH_...; TTP_USAGE if a tile is still running or no worker. */
enum ttp_rc launch(struct device *d, const struct launch_tile *work, size_t n, uint32_t host_id,
		   uint32_t flags, struct ttp_err *e) TTP_CHECKED;
/* The two halves of it: everything is written to the tiles; then they go. */
enum ttp_rc launch_prepare(struct device *d, const struct launch_tile *work, size_t n,
			   uint32_t host_id, uint32_t flags, struct ttp_err *e) TTP_CHECKED;
enum ttp_rc launch_go(struct device *d, const struct launch_tile *work, size_t n,
		      struct ttp_err *e) TTP_CHECKED;
/* As launch_go(), but another tile lets them go: it writes TTP_RUN_GO to their mailboxes. */
enum ttp_rc launch_hold(struct device *d, const struct launch_tile *work, size_t n,
			struct ttp_err *e) TTP_CHECKED;

/*
 * Lets at most `cycles` pass.  TTP_LIMIT: they are used up, and the program goes on when asked again.
 * TTP_GONE: a core faulted, or all wait for each other; the message has tile, core, address,
 * function and line as far as they are known.
 */
enum ttp_rc launch_wait(struct device *d, uint64_t cycles, struct ttp_err *e) TTP_CHECKED;

/* What did not finish, and where it is (stuck_cores.c): for messages. */
void device_describe_stuck(struct device *d, struct buf *to);
/* "NCRISC pc 0x9412 kernel_main+0x12 (copy.c:17)"; `state` may be what the device says, or a fault's. */
void device_describe_core(struct device *d, struct tile t, int risc, const struct core_state *state,
			  struct buf *to);

/* The image whose code a core has at an address: its kernel, its firmware, or NULL. */
struct elf_image *device_image_at(struct device *d, struct tile t, int risc, uint32_t pc);

/* The same bytes to every worker. */
enum ttp_rc device_write_workers(struct device *d, uint64_t addr, const void *bytes, size_t len,
				 struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_DEVICE_LAUNCH_H */
