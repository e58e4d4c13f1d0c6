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

/* A device that says later when things were: two zones, one inside of the other, twice. */
static void device(void)
{
	static const struct ___tracy_source_location_data outer = { "draw", "device", "c.c", 1, 0 };
	const int64_t times[] = { 1100, 1200, 1300, 1400 };
	uint64_t inner = ___tracy_alloc_srcloc_name(2, "c.c", 3, "device", 6, "blit", 4);

	___tracy_emit_gpu_new_context((struct ___tracy_gpu_new_context_data){
		.gpuTime = 1000, .period = 2, .context = 3, .type = 5 });
	___tracy_emit_gpu_context_name(
		(struct ___tracy_gpu_context_name_data){ .context = 3, .name = "card", .len = 4 });
	for (uint16_t i = 0; i < 8; i += 4) {
		___tracy_emit_gpu_zone_begin((struct ___tracy_gpu_zone_begin_data){
			.srcloc = (uint64_t)(uintptr_t)&outer, .queryId = i, .context = 3 });
		___tracy_emit_gpu_zone_begin_alloc((struct ___tracy_gpu_zone_begin_data){
			.srcloc = inner, .queryId = (uint16_t)(i + 1), .context = 3 });
		___tracy_emit_gpu_zone_end((struct ___tracy_gpu_zone_end_data){
			.queryId = (uint16_t)(i + 2), .context = 3 });
		___tracy_emit_gpu_zone_end_serial((struct ___tracy_gpu_zone_end_data){
			.queryId = (uint16_t)(i + 3), .context = 3 });
	}
	/* The second ones first: they wait for the others. */
	for (uint16_t i = 0; i < 8; i++) {
		uint16_t query = i ^ 4;

		___tracy_emit_gpu_time((struct ___tracy_gpu_time_data){
			.gpuTime = times[query % 4] + query / 4 * 1000,
			.queryId = query,
			.context = 3 });
	}
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
	/* Of a context that nobody made: ignored. */
	___tracy_emit_gpu_zone_end_serial((struct ___tracy_gpu_zone_end_data){ .queryId = 1 });
	device();
	free(p);
	return 0;
}
