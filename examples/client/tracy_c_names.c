// SPDX-License-Identifier: Apache-2.0
/* C code that was written for Tracy; compiled with -DTRACY_ENABLE and linked with -lttp. */
#include <stdlib.h>
#include <tracy/TracyC.h>

static void work(int i)
{
	TracyCZoneN(zone, "work", i != 3); /* the third is not recorded, with all that it says */

	TracyCZoneText(zone, "text", 4);
	TracyCZoneName(zone, "named", 5);
	TracyCZoneColor(zone, 0xFF00FF);
	TracyCZoneValue(zone, (uint64_t)i);
	TracyCZoneEnd(zone);
}

/* As Python's bindings do it. */
static void by_text(void)
{
	uint64_t place = ___tracy_alloc_srcloc(12, "script.py", 9, "function", 8, 0x80);
	TracyCZoneCtx zone = ___tracy_emit_zone_begin_alloc(place, 1);

	TracyCZoneEnd(zone);
}

int main(void)
{
	void *p = malloc(8);

	TracyCSetThreadName("c main");
	for (int i = 0; i < 5; i++)
		work(i);
	by_text();
	TracyCAlloc(p, 8);
	TracyCFree(p);
	TracyCMessageL("literal");
	TracyCMessage("message", 7);
	TracyCMessageC("blue", 4, 0x0000FF);
	TracyCAppInfo("about", 5);
	TracyCPlot("double", 1.5);
	TracyCPlotF("float", 2.5F);
	TracyCPlotI("int", 3);
	TracyCPlotConfig("int", TracyPlotFormatMemory, 1, 0, 0);
	TracyCFrameMark TracyCFrameMarkNamed("frame");
	/* Accepted, and not recorded. */
	TracyCFiberEnter("fiber");
	TracyCFiberLeave;
	___tracy_emit_gpu_zone_end_serial((struct ___tracy_gpu_zone_end_data){ .queryId = 1 });
	free(p);
	return 0;
}
