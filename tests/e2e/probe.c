// SPDX-License-Identifier: Apache-2.0
/*
 * Programs that are hard on the client, one per first argument; run_client starts them.  What they find out
 * goes to stdout; everything is bounded in count and time.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ttp/client.h>
#include <unistd.h>

static const struct ttp_location place_a = { "a", "probe", "probe.c", 1, 0 };
static const struct ttp_location place_b = { "b", "probe", "probe.c", 2, 0 };
static const struct ttp_location place_c = { "c", "probe", "probe.c", 3, 0 };

static void sleep_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}

static void wait_connected(int ms)
{
	while (!ttp_connected() && ms-- > 0)
		sleep_ms(1);
}

static void say_stats(unsigned long long emitted)
{
	struct ttp_stats s;

	ttp_stats(&s, sizeof(s));
	printf("emitted=%llu zones=%llu texts=%llu messages=%llu memory=%llu device=%llu in_signal=%llu "
	       "unmatched=%llu sessions=%llu\n",
	       emitted, (unsigned long long)s.zones_dropped, (unsigned long long)s.texts_dropped,
	       (unsigned long long)s.messages_dropped, (unsigned long long)s.memory_dropped,
	       (unsigned long long)s.device_dropped, (unsigned long long)s.in_signal_dropped,
	       (unsigned long long)s.unmatched_ends, (unsigned long long)s.sessions);
	fflush(stdout);
}

/* flood THREADS ZONES: a tree of zones over and over, with texts and messages in between */
static long flood_zones;

static void *flood_thread(void *unused)
{
	long left = flood_zones;

	(void)unused;
	while (left >= 8) {
		ttp_zone_begin(&place_a);
		for (int i = 0; i < 3; i++) {
			ttp_zone_begin(&place_b);
			ttp_zone_begin(&place_c);
			ttp_zone_end();
			ttp_zone_end();
		}
		ttp_zone_end();
		ttp_zone_begin(&place_c);
		if (left % 1024 == 0)
			ttp_zone_text("now and then", 12);
		ttp_zone_end();
		left -= 8;
	}
	return NULL;
}

static int flood(int threads, long zones)
{
	pthread_t t[16];

	flood_zones = zones / threads / 8 * 8;
	wait_connected(5000);
	for (int i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, flood_thread, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	ttp_stop();
	say_stats((unsigned long long)flood_zones * (unsigned)threads);
	return 0;
}

/* memory N: allocations move between two threads, under little storage */
static void *slots[64];
static pthread_mutex_t slot_lock = PTHREAD_MUTEX_INITIALIZER;

static void *memory_thread(void *count)
{
	unsigned seed = (unsigned)(uintptr_t)pthread_self() | 1;

	for (long i = 0; i < *(long *)count; i++) {
		unsigned n;

		seed = seed * 1664525U + 1013904223U;
		n = seed >> 26;
		pthread_mutex_lock(&slot_lock);
		if (slots[n]) {
			ttp_memory_free(slots[n], n & 1 ? "pool" : NULL);
			free(slots[n]);
			slots[n] = NULL;
		} else {
			slots[n] = malloc(32);
			ttp_memory_alloc(slots[n], 32, n & 1 ? "pool" : NULL);
		}
		pthread_mutex_unlock(&slot_lock);
	}
	return NULL;
}

static int memory(long count)
{
	pthread_t t[2];

	wait_connected(3000);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, memory_thread, &count);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	ttp_stop();
	say_stats((unsigned long long)count * 2);
	return 0;
}

/* devices N: nested device zones on a few lanes, under little storage */
static int devices(long count)
{
	ttp_device d[4];
	uint64_t t = 1000;

	wait_connected(3000);
	for (uint32_t i = 0; i < 4; i++) {
		d[i] = ttp_device_new(i);
		ttp_device_start(d[i], ttp_now(), 1000, 1.0);
	}
	for (long i = 0; i < count; i++) {
		for (uint32_t k = 0; k < 4; k++)
			ttp_device_zone_begin(d[k], k, &place_a, t++);
		for (uint32_t k = 0; k < 4; k++) {
			ttp_device_zone_begin(d[k], k, &place_b, t++);
			ttp_device_zone_end(d[k], k, t++);
		}
		for (uint32_t k = 0; k < 4; k++)
			ttp_device_zone_end(d[k], k, t++);
	}
	ttp_stop();
	say_stats((unsigned long long)count * 8);
	return 0;
}

/* threads N: that many short threads, a zone each */
static void *short_thread(void *unused)
{
	(void)unused;
	ttp_zone_begin(&place_a);
	ttp_zone_end();
	return NULL;
}

static int threads(int count)
{
	for (int i = 0; i < count; i += 4) {
		pthread_t t[4];

		for (int k = 0; k < 4; k++)
			if (pthread_create(&t[k], NULL, short_thread, NULL))
				return 1;
		for (int k = 0; k < 4; k++)
			pthread_join(t[k], NULL);
	}
	ttp_stop();
	say_stats((unsigned long long)count);
	return 0;
}

/* crowd N: that many threads, one after the other, hold one lock */
static ttp_lock crowded;

static void *holder(void *unused)
{
	(void)unused;
	ttp_lock_wait(crowded, false);
	ttp_lock_obtain(crowded, false);
	ttp_lock_release(crowded, false);
	return NULL;
}

static int crowd(int count)
{
	pthread_t t;

	crowded = ttp_lock_new(&place_a, false);
	for (int i = 0; i < count; i++)
		if (pthread_create(&t, NULL, holder, NULL) || pthread_join(t, NULL))
			return 1;
	ttp_stop();
	say_stats((unsigned long long)count * 3);
	return 0;
}

/* open: leaves by exit() inside of three zones, and a thread that sleeps in one */
static void *sleeper(void *unused)
{
	(void)unused;
	ttp_zone_begin(&place_b);
	sleep_ms(20000);
	return NULL;
}

static int open_zones(void)
{
	pthread_t t;

	pthread_create(&t, NULL, sleeper, NULL);
	sleep_ms(20);
	ttp_zone_begin(&place_a);
	ttp_zone_begin(&place_b);
	ttp_zone_begin(&place_c);
	exit(0);
}

/* unmatched: more ends than begins, texts without zone */
static int unmatched(void)
{
	ttp_zone_end();
	ttp_zone_begin(&place_a);
	ttp_zone_end();
	ttp_zone_end();
	ttp_zone_text("nowhere", 7);
	ttp_zone_value(1);
	ttp_zone_begin(&place_b);
	ttp_zone_end();
	ttp_stop();
	say_stats(2);
	return 0;
}

/* deep N: zones inside of zones, twice, with others on the way there and back */
static int deep(int n)
{
	unsigned long long emitted = 0;

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < n; i++) {
			ttp_zone_begin(&place_a);
			if (i % 1000 == 999)
				ttp_zone_value((uint64_t)i);
		}
		for (int i = 0; i < n; i++) {
			ttp_zone_end();
			if (i % 100 == 99) {
				ttp_zone_begin(&place_b);
				ttp_zone_end();
				emitted++;
			}
		}
		emitted += (unsigned long long)n;
	}
	ttp_stop();
	say_stats(emitted);
	return 0;
}

/* long: texts of all lengths around the limits */
static int long_texts(void)
{
	static const size_t sizes[] = { 0,    1,    7,    8,     255,   256,   4095,
					4096, 4097, 8192, 40000, 65533, 65534, 70000 };
	static char text[70000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)('a' + i % 26);
	for (int round = 0; round < 20; round++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
			ttp_message(text, sizes[i]);
	ttp_stop();
	say_stats(20 * sizeof(sizes) / sizeof(*sizes));
	return 0;
}

/* signals: a handler records while its thread does */
static volatile sig_atomic_t handled;

static void on_alarm(int number)
{
	(void)number;
	handled++;
	ttp_zone_begin(&place_c);
	ttp_message_literal("in the handler");
	ttp_zone_end();
}

static int signals(void)
{
	struct sigaction a = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	struct itimerval every = { { 0, 50 }, { 0, 50 } }, never = { { 0, 0 }, { 0, 0 } };
	unsigned long long n = 0;

	ttp_start();
	ttp_message_literal("first");
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	while (handled < 2000) {
		ttp_zone_begin(&place_a);
		ttp_message("x", 1);
		ttp_zone_end();
		n++;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	ttp_stop();
	say_stats(n);
	printf("handled=%d\n", (int)handled);
	return 0;
}

/* keeps_errno */
static int keeps_errno(void)
{
	errno = 12345;
	ttp_zone_begin(&place_a);
	ttp_zone_text("x", 1);
	for (int i = 0; i < 100000; i++)
		ttp_message("something", 9);
	ttp_zone_end();
	ttp_thread_name("name");
	ttp_plot("p", 1);
	ttp_flush(10);
	ttp_location_intern("a", 1, "b", 1, "c", 1, 1, 1);
	if (errno != 12345)
		return 1;
	ttp_stop();
	return errno != 12345;
}

/* A sanitizer's allocator is not ready for fork while other threads allocate: PROBE_CALM waits for them. */
static bool calm(void)
{
	return getenv("PROBE_CALM") != NULL;
}

/* fork DEPTH: parent and child record, also while other threads do */
static int forks(int depth)
{
	pthread_t t;
	pid_t child;
	int status = 0;

	flood_zones = 80000;
	pthread_create(&t, NULL, flood_thread, NULL);
	if (calm())
		pthread_join(t, NULL);
	ttp_zone_begin(&place_a);
	ttp_zone_begin_text("x", 1, "f", 1, "g", 1, (uint32_t)depth, 0);
	fflush(stdout);
	child = fork();
	if (!child) {
		ttp_zone_end(); /* of the parent's zone: ignored */
		ttp_zone_begin(&place_b);
		ttp_zone_end();
		if (depth > 1)
			return forks(depth - 1);
		return 0;
	}
	ttp_zone_end();
	ttp_zone_end();
	if (!calm())
		pthread_join(t, NULL);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	return !WIFEXITED(status) || WEXITSTATUS(status);
}

/* Loads, calls and unloads a library; where it was, or -1. */
static intptr_t plugin_once(const char *path)
{
	void *lib = dlopen(path, RTLD_NOW);
	void (*call)(void);

	if (!lib) {
		printf("%s\n", dlerror());
		return -1;
	}
	*(void **)&call = dlsym(lib, "plugin_call");
	call();
	dlclose(lib);
	return (intptr_t) * (void **)&call;
}

/* plugin PATH PATH2 N: libraries with zones of their own come and go, each where the other was */
static int plugin(char **paths, int count)
{
	intptr_t before = 0, at;
	long same = 0;

	for (int i = 0; i < count; i++) {
		at = plugin_once(paths[i % 2]);
		if (at < 0)
			return 1;
		same += at == before;
		before = at;
		if (i % 30 == 0)
			sleep_ms(15);
	}
	printf("same=%ld\n", same);
	fflush(stdout); /* exit may wait for a server before it does this */
	return 0;
}

/* load PATH N: libttp itself is loaded, used and closed */
static int load(const char *path, int count)
{
	for (int i = 0; i < count; i++) {
		void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		void (*begin)(const struct ttp_location *);
		void (*end)(void);

		if (!lib)
			return 1;
		*(void **)&begin = dlsym(lib, "ttp_zone_begin");
		*(void **)&end = dlsym(lib, "ttp_zone_end");
		begin(&place_a);
		end();
		dlclose(lib);
	}
	return 0;
}

static long resident_kb(void)
{
	long pages = 0, ignored;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fscanf(f, "%ld %ld", &ignored, &pages) != 2)
		pages = 0;
	if (f)
		fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* burst PATH N: zones that nobody reads; then they are, and the memory goes back to the system */
static int burst(const char *path, long count)
{
	long most, now = 0;

	for (long i = 0; i < count; i++) {
		ttp_zone_begin(&place_a);
		ttp_zone_end();
	}
	most = resident_kb();
	if (!ttp_start_file(path))
		return 1;
	for (int i = 0; i < 2000; i++) {
		now = resident_kb();
		if (now < most / 4)
			break;
		sleep_ms(10);
	}
	for (int i = 0; i < 1000; i++) { /* what was cold is as good as before */
		ttp_zone_begin(&place_b);
		ttp_zone_end();
	}
	printf("most=%ld after=%ld\n", most, now);
	return 0;
}

/* tick: short zones for ever, until somebody ends us */
static int tick(int ms)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		for (int i = 0; i < 50; i++) {
			ttp_zone_begin(&place_a);
			ttp_zone_value((uint64_t)i);
			ttp_zone_end();
		}
		nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
	return 0;
}

/* sessions MS: numbered messages, a steady zone around and one inside */
static int sessions(int ms)
{
	ttp_device d = ttp_device_new(0);

	ttp_app_info("about", 5);
	ttp_plot_config("p", TTP_PLOT_NUMBER, false, false, 1);
	ttp_device_start(d, ttp_now(), 1000, 1.0);
	ttp_zone_begin(&place_a);
	for (int i = 0; i < ms; i++) {
		char text[16];
		int n = snprintf(text, sizeof(text), "%d", i);

		ttp_zone_begin(&place_b);
		ttp_message(text, (size_t)n);
		ttp_device_zone(d, 1, &place_c, 1000 + (uint64_t)i * 10, 1005 + (uint64_t)i * 10);
		ttp_frame(NULL);
		sleep_ms(1);
		ttp_zone_end();
	}
	ttp_zone_end();
	ttp_stop();
	say_stats((unsigned long long)ms);
	return 0;
}

/* stress PATH PATH2 MS: threads come and go, record everything, fork, flush, while servers come and go */
static _Atomic bool stress_over;
static ttp_lock stress_lock;

static void *stress_thread(void *unused)
{
	(void)unused;
	for (int i = 0; i < 300 && !stress_over; i++) {
		TTP_ZONE("stress");
		ttp_zone_text("text", 4);
		ttp_message("message", 7);
		ttp_plot_int("plot", i);
		ttp_zone_begin_text("n", 1, "f", 1, "x", 1, (uint32_t)i % 100, 0);
		ttp_zone_end();
		ttp_memory_alloc(&i, 4, NULL);
		ttp_memory_free(&i, NULL);
		ttp_frame("frames");
		ttp_lock_wait(stress_lock, false);
		ttp_lock_obtain(stress_lock, false);
		ttp_lock_release(stress_lock, false);
		if (i % 64 == 0)
			ttp_thread_name("stressed");
	}
	return NULL;
}

static int stress(char **plugins, int ms)
{
	struct timespec start, now;
	long runs = 0;

	stress_lock = ttp_lock_new(&place_c, false);
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		pthread_t t[4];
		struct ttp_stats s;

		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, stress_thread, NULL);
		if (calm())
			for (int i = 0; i < 4; i++)
				pthread_join(t[i], NULL);
		if (runs % 16 == 0) {
			pid_t child = fork();

			if (!child) {
				ttp_zone_begin(&place_a);
				ttp_zone_end();
				_exit(0);
			}
			waitpid(child, NULL, 0);
		}
		if (plugin_once(plugins[runs % 2]) < 0)
			return 1;
		ttp_flush(1);
		ttp_stats(&s, sizeof(s));
		for (int i = 0; i < 4 && !calm(); i++)
			pthread_join(t[i], NULL);
		runs++;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
	stress_over = true;
	printf("runs=%ld\n", runs);
	return 0;
}

/* early: events in constructors and destructors */
__attribute__((constructor)) static void before_main(void)
{
	if (getenv("PROBE_EARLY")) {
		ttp_zone_begin(&place_b);
		ttp_zone_end();
	}
}

__attribute__((destructor)) static void after_main(void)
{
	if (getenv("PROBE_EARLY")) {
		ttp_zone_begin(&place_c);
		ttp_zone_end();
	}
}

static int early(void)
{
	ttp_zone_begin(&place_a);
	ttp_zone_end();
	return 0;
}

/* time: says how long a start and an end take */
static int first_event(void)
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	ttp_zone_begin(&place_a);
	ttp_zone_end();
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("first_us=%ld\n", (b.tv_sec - a.tv_sec) * 1000000 + (b.tv_nsec - a.tv_nsec) / 1000);
	return 0;
}

static _Atomic int64_t virtual_ns;
static int64_t virtual_clock(void)
{
	return virtual_ns;
}

/* clock: times come from a hook */
static int hooked(void)
{
	if (!ttp_clock(virtual_clock))
		return 1;
	virtual_ns = 1000;
	ttp_zone_begin(&place_a);
	virtual_ns = 51000;
	ttp_zone_end();
	return ttp_clock(virtual_clock);
}

static int file_by_call(const char *path)
{
	ttp_zone_begin(&place_a);
	if (!ttp_start_file(path))
		return 1;
	ttp_zone_end();
	return !ttp_flush(2000);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? strtol(argv[argc - 1], NULL, 10) : 0;

	if (!strcmp(what, "flood"))
		return flood((int)strtol(argv[2], NULL, 10), n);
	if (!strcmp(what, "memory"))
		return memory(n);
	if (!strcmp(what, "devices"))
		return devices(n);
	if (!strcmp(what, "threads"))
		return threads((int)n);
	if (!strcmp(what, "crowd"))
		return crowd((int)n);
	if (!strcmp(what, "open"))
		return open_zones();
	if (!strcmp(what, "unmatched"))
		return unmatched();
	if (!strcmp(what, "deep"))
		return deep((int)n);
	if (!strcmp(what, "long"))
		return long_texts();
	if (!strcmp(what, "signals"))
		return signals();
	if (!strcmp(what, "errno"))
		return keeps_errno();
	if (!strcmp(what, "fork"))
		return forks((int)n);
	if (!strcmp(what, "plugin"))
		return plugin(argv + 2, (int)n);
	if (!strcmp(what, "load"))
		return load(argv[2], (int)n);
	if (!strcmp(what, "burst"))
		return burst(argv[2], n);
	if (!strcmp(what, "tick"))
		return tick((int)n);
	if (!strcmp(what, "sessions"))
		return sessions((int)n);
	if (!strcmp(what, "stress"))
		return stress(argv + 2, (int)n);
	if (!strcmp(what, "early"))
		return early();
	if (!strcmp(what, "first"))
		return first_event();
	if (!strcmp(what, "clock"))
		return hooked();
	if (!strcmp(what, "file"))
		return file_by_call(argv[2]);
	if (!strcmp(what, "idle"))
		sleep_ms((int)n);
	return 0;
}
