// SPDX-License-Identifier: Apache-2.0
// The kernel of the profiler's documents, as it is there: tiles from DRAM, and back to another buffer.
#include <tools/profiler/kernel_profiler.hpp>
#include "dataflow_api.h"

void kernel_main() {
    DeviceZoneScopedMainN("DATAFLOW-KERNEL");

    uint32_t src_addr = get_arg_val<uint32_t>(0);
    uint32_t dst_addr = get_arg_val<uint32_t>(1);
    uint32_t num_tiles = get_arg_val<uint32_t>(2);

    {
        DeviceZoneScopedN("ReadFromDRAM");
        for (uint32_t i = 0; i < num_tiles; i++) {
            noc_async_read_tile(i, src_addr, cb_id);
            noc_async_read_barrier();
        }
    }

    {
        DeviceZoneScopedN("WriteToDRAM");
        for (uint32_t i = 0; i < num_tiles; i++) {
            noc_async_write_tile(i, dst_addr, cb_id);
            noc_async_write_barrier();
        }
    }
}
