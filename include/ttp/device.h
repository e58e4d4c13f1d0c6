// SPDX-License-Identifier: Apache-2.0
/*
 * libttpdev: run programs on a Tenstorrent device and record what its cores do.
 *
 *	#include <ttp/device.h>
 *
 *	struct ttp_dev *dev = ttp_dev_open(0, NULL);
 *	struct ttp_program *program = ttp_program_new(dev);
 *	struct ttp_cores core = TTP_CORE(0, 0);
 *	struct ttp_kernel *kernel = ttp_program_kernel(program, "copy.c", TTP_BRISC, &core, 1);
 *	uint32_t args[] = { 1, 2, 3 };
 *
 *	ttp_kernel_args(kernel, 0, 0, args, 3);
 *	if (ttp_enqueue(program) || ttp_finish(dev))
 *		fprintf(stderr, "%s\n", ttp_device_error());
 *	ttp_dev_close(dev);
 *
 *	cc -o program program.c $(pkg-config --cflags --libs ttpdev)
 *
 * With TT_METAL_DEVICE_PROFILER=1 the zones of kernels and firmware are in
 * $TT_METAL_PROFILER_DIR/.logs/profile_log_device.csv.  docs/guide/device.md is the guide.
 *
 * RULES
 *
 * Failure.   Functions return 0, or -1 and a text in ttp_device_error(); those that make something
 *            return NULL.  A NULL handle is taken by every function and fails with the error that is
 *            there already, so a chain of calls may be checked once, at its end.  Nothing exits or
 *            aborts because of what a kernel does, or because there is no memory: the call fails then, and
 *            so does ttp_dev_close() of a device that was open, as its log may lack something.
 * Threads.   A device, and what belongs to it, is used by one thread at a time.
 * Lifetime.  What belongs to a device goes with ttp_dev_close(); its handles are then invalid.  Text
 *            and arrays are copied.
 * Time.      On a simulator device time passes only while the host waits for the device.  Host time
 *            (of libttp's zones, too) is then the time that a real device would have let pass.
 */
#ifndef TTP_DEVICE_H
#define TTP_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TTP_API
#if defined(__GNUC__)
#define TTP_API __attribute__((visibility("default")))
#else
#define TTP_API
#endif
#endif

struct ttp_dev;
struct ttp_program;
struct ttp_kernel;
struct ttp_buffer;
struct ttp_trace;

/* Worker cores by their logical coordinates, from (0,0): a rectangle, both corners included. */
struct ttp_cores {
	uint32_t x0, y0, x1, y1;
};
#ifndef __cplusplus
#define TTP_CORE(x, y)            ((struct ttp_cores){ (x), (y), (x), (y) })
#define TTP_CORES(x0, y0, x1, y1) ((struct ttp_cores){ (x0), (y0), (x1), (y1) })
#endif

/* What a kernel runs on. */
enum ttp_processor {
	TTP_BRISC,  /* data movement, NoC 0 unless said otherwise */
	TTP_NCRISC, /* data movement, NoC 1 unless said otherwise */
	TTP_TRISC0, /* one of the three compute cores alone: unpack, ... */
	TTP_TRISC1, /* ... math, ... */
	TTP_TRISC2, /* ... pack */
	TTP_COMPUTE /* the three of them: one source, compiled three times */
};

enum ttp_memory { TTP_DRAM, TTP_L1 };

/* What went wrong last in this thread, one line; never NULL. */
TTP_API const char *ttp_device_error(void);

/* ---- devices ---- */

/*
 * Opens device number `id` (0 .. 1023, as it is called in logs).  `name` is what it is: "sim", the
 * embedded chip; "ttsim:/path/libttsim_wh.so"; NULL: $TTP_DEVICE, or else "sim".  If the profiler is on
 * (TT_METAL_DEVICE_PROFILER=1), the first device of a process begins a new log.
 */
TTP_API struct ttp_dev *ttp_dev_open(int id, const char *name);
/* Waits for what runs, reads the profiler, ends.  -1 if any of these failed; it is closed anyway. */
TTP_API int ttp_dev_close(struct ttp_dev *dev);

/* Facts; fills `size` bytes, so that old programs work with later versions. */
struct ttp_dev_info {
	const char *arch, *driver; /* "wormhole_b0"; "sim" */
	uint32_t grid_x, grid_y;   /* logical worker cores */
	uint32_t dram_banks, l1_bytes;
	uint64_t dram_bank_bytes;
	double clock_mhz;
	uint32_t time_kind; /* 0 real, 1 modelled, 2 instructions counted */
	bool profiled;
	uint64_t cycles; /* of the device's clock, now */
};
TTP_API int ttp_dev_info(struct ttp_dev *dev, struct ttp_dev_info *info, size_t size);

/*
 * The device's clock on the host's (ttp_host_ns), found by sync: TT_METAL_PROFILER_SYNC=1 at open, better at close.
 * Cycles are those of markers and logs.
 */
struct ttp_dev_clock {
	bool synced;
	uint64_t cycles; /* these ... */
	int64_t host_ns; /* ... were then, +- error_ns */
	double ghz;
	double error_ns, error_ppm; /* ppm: of ghz, for times far from that */
	uint32_t samples, kept;
};
TTP_API int ttp_dev_clock(struct ttp_dev *dev, struct ttp_dev_clock *clock, size_t size);
/* Host time of a time of the device, and by how much it may be wrong; either may be NULL.  -1: not synced. */
TTP_API int ttp_dev_host_time(struct ttp_dev *dev, uint64_t cycles, int64_t *host_ns,
			      double *error_ns);

/* The coordinates that kernels send to (the NoC's, translated) of a logical core. */
TTP_API int ttp_dev_noc_core(struct ttp_dev *dev, uint32_t x, uint32_t y, uint32_t *noc_x,
			     uint32_t *noc_y);
/* L1 of one core, as it is. */
TTP_API int ttp_dev_l1_read(struct ttp_dev *dev, uint32_t x, uint32_t y, uint32_t addr, void *to,
			    size_t len);
TTP_API int ttp_dev_l1_write(struct ttp_dev *dev, uint32_t x, uint32_t y, uint32_t addr,
			     const void *from, size_t len);

/* ---- programs ---- */

TTP_API struct ttp_program *ttp_program_new(struct ttp_dev *dev);
/* Fine on NULL, and while it runs. */
TTP_API void ttp_program_free(struct ttp_program *program);
/*
 * The id in markers and logs, 0 .. 2097151; without a call it is a number of its own, from 1.  `fallback`
 * marks what stands for an op of the host, as tt-metal does.  Logs say id << 10 | device | fallback << 31.
 */
TTP_API int ttp_program_set_id(struct ttp_program *program, uint32_t id, bool fallback);
TTP_API uint32_t ttp_program_id(struct ttp_program *program);
TTP_API uint32_t ttp_encode_program_id(uint32_t id, uint32_t device, bool fallback);

/*
 * A kernel on some cores.  `path` is a source (.c is C11, others C++17), compiled at the first enqueue and
 * kept in a cache, or an ELF file (.elf).  A core has one kernel per processor.
 */
TTP_API struct ttp_kernel *ttp_program_kernel(struct ttp_program *program, const char *path,
					      enum ttp_processor processor,
					      const struct ttp_cores *cores, size_t n);
/* The source itself; `name` stands for its path. */
TTP_API struct ttp_kernel *ttp_program_kernel_text(struct ttp_program *program, const char *name,
						   const char *text, enum ttp_processor processor,
						   const struct ttp_cores *cores, size_t n);
/* Before the first enqueue: -Dname=value (value may be NULL), words for get_compile_time_arg_val(), the NoC
 * (0, 1), math fidelity (1 .. 4), a folder for #include. */
TTP_API int ttp_kernel_define(struct ttp_kernel *kernel, const char *name, const char *value);
TTP_API int ttp_kernel_compile_args(struct ttp_kernel *kernel, const uint32_t *words, size_t n);
TTP_API int ttp_kernel_noc(struct ttp_kernel *kernel, int noc);
TTP_API int ttp_kernel_fidelity(struct ttp_kernel *kernel, int fidelity);
TTP_API int ttp_kernel_include(struct ttp_kernel *kernel, const char *folder);
/* Arguments for the next enqueues: of one core, or common to all of the kernel. */
TTP_API int ttp_kernel_args(struct ttp_kernel *kernel, uint32_t x, uint32_t y,
			    const uint32_t *words, size_t n);
TTP_API int ttp_kernel_common_args(struct ttp_kernel *kernel, const uint32_t *words, size_t n);

/* Circular buffer `index` (0 .. 31) in L1 of the cores; `at` NULL: the program finds room for it. */
TTP_API int ttp_program_cb(struct ttp_program *program, uint32_t index, uint32_t pages,
			   uint32_t page_bytes, const struct ttp_buffer *at,
			   const struct ttp_cores *cores, size_t n);
/* The number of a semaphore that no core of these has yet, or -1. */
TTP_API int ttp_program_semaphore(struct ttp_program *program, uint32_t first_value,
				  const struct ttp_cores *cores, size_t n);

/* ---- buffers ---- */

/* Pages go round over all banks: DRAM's, or the L1 of all workers. */
TTP_API struct ttp_buffer *ttp_buffer_new(struct ttp_dev *dev, enum ttp_memory where,
					  uint64_t bytes, uint32_t page_bytes);
/* In one bank, in one piece. */
TTP_API struct ttp_buffer *ttp_buffer_new_bank(struct ttp_dev *dev, enum ttp_memory where,
					       uint32_t bank, uint64_t bytes);
/* One shard of `shard_bytes` after the other, each in the L1 of one of the cores, row by row. */
TTP_API struct ttp_buffer *ttp_buffer_new_sharded(struct ttp_dev *dev, uint64_t bytes,
						  uint32_t shard_bytes,
						  const struct ttp_cores *cores);
TTP_API void ttp_buffer_free(struct ttp_buffer *buffer);
/* What kernels get: the same in each bank.  0 for NULL. */
TTP_API uint32_t ttp_buffer_address(const struct ttp_buffer *buffer);
TTP_API uint64_t ttp_buffer_bytes(const struct ttp_buffer *buffer);
/* The distance of two pages in a bank: page_bytes, rounded up to what the NoC can move. */
TTP_API uint32_t ttp_buffer_page_stride(const struct ttp_buffer *buffer);
/* After what was enqueued before.  Reading waits. */
TTP_API int ttp_buffer_write(struct ttp_buffer *buffer, uint64_t offset, const void *from,
			     size_t len);
TTP_API int ttp_buffer_read(struct ttp_buffer *buffer, uint64_t offset, void *to, size_t len);

/* ---- running ---- */

/* Returns once the device has it; the program may be changed and enqueued again. */
TTP_API int ttp_enqueue(struct ttp_program *program);
/* Waits until all is done.  -1 if a kernel faulted, or all wait for each other, or the limit of
 * $TTP_DEVICE_TIMEOUT cycles is reached. */
TTP_API int ttp_finish(struct ttp_dev *dev);

/* What is enqueued between begin and end is kept, not run; a replay runs it. */
TTP_API struct ttp_trace *ttp_trace_begin(struct ttp_dev *dev);
TTP_API int ttp_trace_end(struct ttp_trace *trace);
TTP_API int ttp_trace_replay(struct ttp_trace *trace);
TTP_API void ttp_trace_release(struct ttp_trace *trace);
TTP_API uint32_t ttp_trace_id(const struct ttp_trace *trace);

/*
 * Divides the workers: sub-device i has cores[i].  Programs of different sub-devices run beside each other; a
 * program has all its cores in one.  n 0: one device again.  Returns the manager's id, or -1.
 */
TTP_API int ttp_dev_sub_devices(struct ttp_dev *dev, const struct ttp_cores *cores, size_t n);

/* ---- profiler ---- */

/*
 * Waits, reads all markers, adds them to the log.  At any time; it also happens by itself before markers
 * would be lost (unless TTP_AUTO_READ=0), and at close.
 */
TTP_API int ttp_dev_read_profiler(struct ttp_dev *dev);
/* The same for every device that is open; no other thread uses one of them meanwhile. */
TTP_API int ttp_read_profiler(void);
/* Markers read so far, and what was lost; fills `size` bytes. */
struct ttp_dev_markers {
	uint64_t markers;   /* in the log */
	uint64_t l1_lost;   /* a core's buffer was full */
	uint64_t dram_full; /* cores whose part of DRAM was full, over all reads */
	uint64_t damaged;   /* words that were no marker */
	uint64_t sums_saturated, sums_lost;
	uint64_t unnamed;   /* ids that no kernel knows */
	uint64_t dram_lost; /* markers that found it full */
};
TTP_API int ttp_dev_marker_counts(struct ttp_dev *dev, struct ttp_dev_markers *counts, size_t size);
/* The same of one core: its logical coordinates, and TTP_BRISC ... TTP_TRISC2. */
TTP_API int ttp_dev_core_marker_counts(struct ttp_dev *dev, uint32_t x, uint32_t y,
				       enum ttp_processor processor, struct ttp_dev_markers *counts,
				       size_t size);

/*
 * How long programs took, as cpp_device_perf_report.csv has it (TT_METAL_PROFILER_CPP_POST_PROCESS=1):
 * X(name, its column there, columns of its cycles or NULL).
 */
#define TTP_PERF_TIME_LIST(X)                                                                      \
	X(TRACE_FW, "DEVICE TRACE FIRMWARE DURATION [ns]", NULL)                                   \
	X(TRACE_KERNEL, "DEVICE TRACE KERNEL DURATION [ns]", NULL)                                 \
	X(FIRST_TO_LAST_START, "DEVICE KERNEL FIRST TO LAST START [ns]", NULL)                     \
	X(FW, "DEVICE FW DURATION [ns]", "DEVICE FW")                                              \
	X(KERNEL, "DEVICE KERNEL DURATION [ns]", "DEVICE KERNEL")                                  \
	X(KERNEL_DM, "DEVICE KERNEL DURATION DM START [ns]", "DEVICE KERNEL DM")                   \
	X(BRISC, "DEVICE BRISC KERNEL DURATION [ns]", NULL)                                        \
	X(NCRISC, "DEVICE NCRISC KERNEL DURATION [ns]", NULL)                                      \
	X(TRISC0, "DEVICE TRISC0 KERNEL DURATION [ns]", NULL)                                      \
	X(TRISC1, "DEVICE TRISC1 KERNEL DURATION [ns]", NULL)                                      \
	X(TRISC2, "DEVICE TRISC2 KERNEL DURATION [ns]", NULL)                                      \
	X(ERISC, "DEVICE ERISC KERNEL DURATION [ns]", NULL)                                        \
	X(QUASAR_DM, "DEVICE QUASAR_DM KERNEL DURATION [ns]", "DEVICE QUASAR_DM KERNEL")           \
	X(TRISC, "DEVICE QUASAR_NEO_TRISC KERNEL DURATION [ns]", "DEVICE QUASAR_NEO_TRISC KERNEL") \
	X(DM_FW, "DEVICE DM FW DURATION [ns]", NULL)                                               \
	X(TRISC_FW, "DEVICE TRISC FW DURATION [ns]", NULL)
enum ttp_perf_time_id {
#define TTP_X(name, column, cycles) TTP_PERF_##name,
	TTP_PERF_TIME_LIST(TTP_X)
#undef TTP_X
		TTP_PERF_TIMES
};
struct ttp_perf_time {
	bool there;
	uint64_t start_cycles, end_cycles, ns;
};
struct ttp_program_perf {
	uint32_t run_id;        /* id << 10 | device */
	uint32_t trace, replay; /* UINT32_MAX: not of a trace */
	uint32_t cores, available_cores;
	struct ttp_perf_time times[TTP_PERF_TIMES];
};
/*
 * Programs of the last read that was asked for (`latest`), or of all, by the time they began: fills at most `n` of
 * `size` bytes each and returns how many there are, or -1.
 */
TTP_API long ttp_dev_perf_data(struct ttp_dev *dev, bool latest, struct ttp_program_perf *programs,
			       size_t n, size_t size);
/* The name of the op that programs of this id are, for reports. */
TTP_API int ttp_dev_name_program(struct ttp_dev *dev, uint32_t id, const char *name);
/* An open device by its number, or NULL. */
TTP_API struct ttp_dev *ttp_dev_find(int id);

/* ---- for tests ---- */

/* Equal for equal memory.  `all`: everything, on the embedded chip only; else what programs can have
 * changed: L1 behind the kernels, and DRAM that buffers were made in. */
TTP_API int ttp_dev_hash(struct ttp_dev *dev, bool all, uint64_t *hash);
/* Host time in ns, as libttp's zones have it. */
TTP_API int64_t ttp_host_ns(void);
/* The same; with TTP_CLOCK=scripted, where every call is 1,000 ns later, it does not go on by this one. */
TTP_API int64_t ttp_host_peek_ns(void);

#ifdef __cplusplus
}
#endif

#endif /* TTP_DEVICE_H */
