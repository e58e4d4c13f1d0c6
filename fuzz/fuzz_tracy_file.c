// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes are a .tracy file: as they are, or, so that something gets past the compression, as the contents of one.  The
 * first byte picks what reads them, the second which container is put around.
 */
#include "trace/tracy/tracy_container.h"
#include "trace_sinks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file f;
	struct tracy_out o;
	struct out out;

	if (size < 2)
		return 0;
	if (data[1] & 128) {
		memory_file_open(&f, str_n((const char *)data + 2, size - 2));
	} else {
		memory_file_open(&f, STR(""));
		out_init(&out, f.fd, "memory");
		tracy_out_open(&o, &out, data[1] & 3);
		tracy_put(&o, data + 2, size - 2);
		tracy_out_close(&o);
		if (out_finish(&out, NULL))
			abort();
	}
	trace_through(f.path, data[0]);
	memory_file_close(&f);
	return 0;
}
