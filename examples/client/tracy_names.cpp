// SPDX-License-Identifier: Apache-2.0
/*
 * C++ code that was written for Tracy: everything that "Instrumenting your own code" shows for host code.
 * Nothing in it knows of libttp; it is compiled with -DTRACY_ENABLE and linked with -lttp.
 */
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <tracy/Tracy.hpp>
#include <tracy/TracyTTDevice.hpp>

static void my_function()
{
	ZoneScoped;
}

static void complex_function()
{
	{
		ZoneScopedN("Phase1_Setup");
	}
	{
		ZoneScopedNC("Phase2_Compute", tracy::Color::Red4);
		ZoneColor(0x00FF00);
	}
	{
		ZoneScopedN("Phase3_Cleanup");
		ZoneValue(7);
	}
}

static void process_batch(int batch_id)
{
	ZoneScopedN("ProcessBatch");
	std::string info = "batch_id: " + std::to_string(batch_id);
	ZoneText(info.c_str(), info.size());
	ZoneTextF("again %d", batch_id);
}

static void messages(int count)
{
	TracyMessageL("Starting important operation");
	std::string msg = "Processing " + std::to_string(count) + " items";
	TracyMessage(msg.c_str(), msg.size());
	TracyMessageLC("Critical section entered", 0xFF0000);
	TracyLogString(tracy::MessageSeverity::Warning, 0xFFFF00, 0, "Nearly full");
	TracyLogString(tracy::MessageSeverity::Error, 0, 0, msg.size(), msg.c_str());
}

static void main_loop()
{
	for (int i = 0; i < 3; i++) {
		FrameMarkNamed("main");
		TracyPlot("queue", static_cast<int64_t>(i));
		TracyPlot("load", i * 0.5);
	}
	FrameMark;
}

static void transient(const std::string &name)
{
	ZoneTransientN(zone, name.c_str(), true);
	ZoneTextV(zone, "transient", 9);
	ZoneNamedN(never, "never", false);
	if (ZoneIsActiveV(never))
		std::abort();
}

static void device()
{
	TracyTTCtx ctx = TracyTTContext();
	tracy::TTDeviceMarker marker;

	TracyTTContextPopulate(ctx, TracyGetCpuTime(), 1000, 1.2);
	TracyTTContextName(ctx, "Device: 0, core 1,2", 19);
	marker.core_x = 1;
	marker.core_y = 2;
	marker.runtime_host_id = 1024;
	marker.marker_name = "BRISC-KERNEL";
	marker.file = "reader.cpp";
	marker.line = 9;
	marker.timestamp = 2400;
	TracyTTPushStartMarker(ctx, marker);
	marker.timestamp = 3600;
	TracyTTPushEndMarker(ctx, marker);
	TracyTTDestroy(ctx);
}

int main()
{
	tracy::SetThreadName("the main one");
	my_function();
	complex_function();
	for (int i = 0; i < 4; i++)
		process_batch(i);
	messages(5);
	main_loop();
	transient("by name");
	device();
	std::thread([] {
		tracy::SetThreadName("helper");
		ZoneScopedN("in helper");
	}).join();
	void *p = std::malloc(16);
	TracyAllocN(p, 16, "heap");
	TracyFreeN(p, "heap");
	std::free(p);
	TracyFiberEnter("fiber");
	TracyFiberLeave;
	return TracyIsConnected ? 0 : 0;
}
