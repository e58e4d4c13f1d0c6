// SPDX-License-Identifier: Apache-2.0
/*
 * script WORD...: what libttpdev can do, step by step, for tests.
 *
 *	new			a program
 *	kernel FILE CORE RECT	into it; CORE is a number of enum ttp_processor, RECT is x0,y0,x1,y1
 *	id N | fallback N	its id
 *	define NAME VALUE	of the last kernel
 *	args W,W,...		of the last kernel, on all its cores
 *	semaphore RECT VALUE	of the program
 *	cb N			two pages of 2,048 bytes, on the cores of the last kernel
 *	enqueue N		so many times
 *	series N		the same, with ids from 1
 *	capture | end		a trace
 *	replay T N		the T-th trace, so many times
 *	subs N RECT...		sub-devices
 *	finish | read | readall | close | open
 *	kill | signal N		ends the program by a signal
 *	close_all		closes every descriptor from 3 on, as daemons do
 *	leave			the program ends here, and closes nothing
 *	fork			a child that ends at once
 *	device N		from now on another one; opened if it is not
 *	time			host time and the device's clock, since the last time
 *	wild FILE SEED		writes an ELF file of random code for BRISC
 *
 * What fails is told, and the script goes on: a device never takes its program down.
 */
#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ttp/device.h>

static struct ttp_dev *dev, *devices[4];
static int current;
static struct ttp_program *program;
static struct ttp_kernel *kernel;
static struct ttp_cores rect;
static struct ttp_trace *traces[16];
static int traces_n;

static void told(const char *step, int rc)
{
	if (rc < 0)
		printf("%s: error: %s\n", step, ttp_device_error());
	fflush(stdout);
}

static struct ttp_cores rect_of(const char *text)
{
	unsigned v[4] = { 0 };

	(void)sscanf(text, "%u,%u,%u,%u", &v[0], &v[1], &v[2], &v[3]);
	return TTP_CORES(v[0], v[1], v[2], v[3]);
}

static void set_args(const char *text)
{
	uint32_t words[256];
	size_t n = 0;
	char *end;

	for (const char *at = text; *at && n < 256; at = *end ? end + 1 : end)
		words[n++] = (uint32_t)strtoul(at, &end, 0);
	for (uint32_t x = rect.x0; x <= rect.x1; x++)
		for (uint32_t y = rect.y0; y <= rect.y1; y++)
			told("args", ttp_kernel_args(kernel, x, y, words, n));
}

/* Words that are no program, where the kernel of BRISC belongs. */
static void write_wild(const char *path, uint32_t seed)
{
	enum { WORDS = 256, AT = 0x9400 };
	struct {
		Elf32_Ehdr head;
		Elf32_Phdr load;
		uint32_t code[WORDS];
	} f = { 0 };
	FILE *out = fopen(path, "wb");

	memcpy(f.head.e_ident, ELFMAG, SELFMAG);
	f.head.e_ident[EI_CLASS] = ELFCLASS32;
	f.head.e_ident[EI_DATA] = ELFDATA2LSB;
	f.head.e_ident[EI_VERSION] = EV_CURRENT;
	f.head.e_type = ET_EXEC;
	f.head.e_machine = EM_RISCV;
	f.head.e_version = EV_CURRENT;
	f.head.e_entry = AT;
	f.head.e_phoff = sizeof(f.head);
	f.head.e_ehsize = sizeof(f.head);
	f.head.e_phentsize = sizeof(f.load);
	f.head.e_phnum = 1;
	f.load = (Elf32_Phdr){ .p_type = PT_LOAD,
			       .p_offset = sizeof(f.head) + sizeof(f.load),
			       .p_vaddr = AT,
			       .p_paddr = AT,
			       .p_filesz = sizeof(f.code),
			       .p_memsz = sizeof(f.code),
			       .p_flags = PF_R | PF_X,
			       .p_align = 4 };
	for (int i = 0; i < WORDS; i++) {
		seed = seed * 1664525u + 1013904223u;
		/* most are instructions of some kind: their lowest bits are 3 */
		f.code[i] = (seed ^ seed >> 15) | (i % 8 ? 3 : 0);
	}
	if (!out || fwrite(&f, sizeof(f), 1, out) != 1 || fclose(out))
		printf("wild: can't write %s\n", path);
}

static void open_device(void)
{
	dev = devices[current] = ttp_dev_open(current, NULL);
	told("open", dev ? 0 : -1);
}

static void switch_device(int to)
{
	current = to & 3;
	dev = devices[current];
	if (!dev)
		open_device();
}

static void tell_time(void)
{
	static int64_t host;
	static uint64_t device;
	struct ttp_dev_info info = { 0 };
	int64_t now = ttp_host_ns();

	told("time", ttp_dev_info(dev, &info, sizeof(info)));
	printf("host %lld device %llu\n", (long long)(now - host),
	       (unsigned long long)(info.cycles - device));
	host = now;
	device = info.cycles;
}

int main(int argc, char **argv)
{
	struct ttp_dev_markers counts = { 0 };
	int at = 1;

	open_device();
#define NEXT  (at < argc ? argv[at++] : "")
#define IS(w) (!strcmp(word, w))
	while (at < argc) {
		const char *word = NEXT;

		if (IS("new")) {
			program = ttp_program_new(dev);
		} else if (IS("kernel")) {
			const char *file = NEXT;
			int on = (int)strtol(NEXT, NULL, 0);

			rect = rect_of(NEXT);
			kernel =
				ttp_program_kernel(program, file, (enum ttp_processor)on, &rect, 1);
			told(word, kernel ? 0 : -1);
		} else if (IS("id") || IS("fallback")) {
			bool fallback = IS("fallback");

			told(word, ttp_program_set_id(program, (uint32_t)strtoul(NEXT, NULL, 0),
						      fallback));
		} else if (IS("define")) {
			const char *name = NEXT;

			told(word, ttp_kernel_define(kernel, name, NEXT));
		} else if (IS("args")) {
			set_args(NEXT);
		} else if (IS("semaphore")) {
			struct ttp_cores on = rect_of(NEXT);

			told(word, ttp_program_semaphore(program, (uint32_t)strtoul(NEXT, NULL, 0),
							 &on, 1));
		} else if (IS("cb")) {
			told(word, ttp_program_cb(program, (uint32_t)strtoul(NEXT, NULL, 0), 2,
						  2048, NULL, &rect, 1));
		} else if (IS("enqueue")) {
			for (long n = strtol(NEXT, NULL, 0); n > 0; n--)
				told(word, ttp_enqueue(program));
		} else if (IS("series")) {
			for (uint32_t n = (uint32_t)strtoul(NEXT, NULL, 0), i = 1; i <= n; i++) {
				told(word, ttp_program_set_id(program, i, false));
				told(word, ttp_enqueue(program));
			}
		} else if (IS("capture")) {
			traces[traces_n++ % 16] = ttp_trace_begin(dev);
			told(word, traces[(traces_n - 1) % 16] ? 0 : -1);
		} else if (IS("end")) {
			told(word, ttp_trace_end(traces[(traces_n - 1) % 16]));
		} else if (IS("replay")) {
			int t = (int)strtol(NEXT, NULL, 0) % 16;

			for (long n = strtol(NEXT, NULL, 0); n > 0; n--)
				told(word, ttp_trace_replay(traces[t]));
		} else if (IS("subs")) {
			struct ttp_cores cores[8];
			int n = (int)strtol(NEXT, NULL, 0) % 9;

			for (int i = 0; i < n; i++)
				cores[i] = rect_of(NEXT);
			told(word, ttp_dev_sub_devices(dev, cores, (size_t)n));
		} else if (IS("finish")) {
			told(word, ttp_finish(dev));
		} else if (IS("read")) {
			told(word, ttp_dev_read_profiler(dev));
		} else if (IS("readall")) {
			told(word, ttp_read_profiler());
		} else if (IS("close")) {
			told(word, ttp_dev_close(dev));
			dev = devices[current] = NULL;
		} else if (IS("open")) {
			open_device();
		} else if (IS("device")) {
			switch_device((int)strtol(NEXT, NULL, 0));
		} else if (IS("leave")) {
			exit(0); /* and closes nothing */
		} else if (IS("kill")) {
			(void)raise(SIGKILL);
		} else if (IS("close_all")) {
			for (int fd = 3; fd < 1024; fd++)
				(void)close(fd);
		} else if (IS("signal")) {
			(void)raise((int)strtol(NEXT, NULL, 0));
			for (;;) /* others wait for something, too */
				(void)pause();
		} else if (IS("fork")) {
			pid_t child = fork();

			if (!child)
				exit(0);
			(void)waitpid(child, NULL, 0);
		} else if (IS("time")) {
			tell_time();
		} else if (IS("wild")) {
			const char *path = NEXT;

			write_wild(path, (uint32_t)strtoul(NEXT, NULL, 0));
		} else {
			printf("no such step: %s\n", word);
			return 2;
		}
	}
	for (int i = 3; i >= 0; i--) {
		dev = devices[i];
		if (!dev)
			continue;
		told("read", ttp_dev_read_profiler(dev));
		(void)ttp_dev_marker_counts(dev, &counts, sizeof(counts));
		told("close", ttp_dev_close(dev));
		printf("markers %llu lost %llu full %llu damaged %llu saturated %llu unnamed %llu\n",
		       (unsigned long long)counts.markers, (unsigned long long)counts.l1_lost,
		       (unsigned long long)counts.dram_full, (unsigned long long)counts.damaged,
		       (unsigned long long)counts.sums_saturated,
		       (unsigned long long)counts.unnamed);
	}
	return 0;
}
