// SPDX-License-Identifier: Apache-2.0
#include "client/send/client_session.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "client/life/client_settings.h"
#include "client/life/lifecycle.h"
#include "wire/run_names.h"

static size_t read_small(const char *path, char *out, size_t room)
{
	int fd = fd_apart(open(path, O_RDONLY | O_CLOEXEC), S_IFREG);
	ssize_t n = fd >= 0 ? pread(fd, out, room - 1, 0) : -1; /* moves nobody's offset */

	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = 0;
	return n > 0 ? (size_t)n : 0;
}

uint32_t host_pid(void)
{
	return settings.scripted ? 1 : (uint32_t)getpid(); /* known before a clock is */
}

void host_boot_id(char out[37])
{
	memset(out, 0, 37);
	if (!settings.scripted)
		read_small("/proc/sys/kernel/random/boot_id", out, 37);
}

static void describe_cpu(struct wire_welcome *w, char *brand, size_t room)
{
	brand[0] = 0;
#ifdef __x86_64__
	unsigned a, b, c, d, text[12];

	w->cpu_arch = 2;
	if (__get_cpuid(0, &a, &b, &c, &d)) {
		memcpy(w->cpu_maker, &b, 4);
		memcpy(w->cpu_maker + 4, &d, 4);
		memcpy(w->cpu_maker + 8, &c, 4);
	}
	if (__get_cpuid(1, &a, &b, &c, &d))
		w->cpu_id = (a & 0xFFF) | (a & 0xFFF0000) >> 4;
	for (size_t i = 0; i < 3; i++)
		if (!__get_cpuid(0x80000002 + (unsigned)i, &text[4 * i], &text[4 * i + 1],
				 &text[4 * i + 2], &text[4 * i + 3]))
			return;
	snprintf(brand, room, "%.48s", (const char *)text);
#elif defined(__aarch64__)
	(void)room;
	w->cpu_arch = 4;
#else
	(void)room;
#endif
}

void host_describe(struct wire_welcome *w)
{
	struct utsname name = { 0 };
	char path[512], user[33] = "?", brand[64];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *program = path;
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	path[n > 0 ? n : 0] = 0;
	if (strrchr(path, '/'))
		program = strrchr(path, '/') + 1;
	/* Processes of one program are distinguished by their ranks, where a launcher gives them some. */
	if (!settings.scripted && run_rank())
		snprintf(w->program, sizeof(w->program), "%.45s rank %s", *program ? program : "?",
			 run_rank());
	else
		snprintf(w->program, sizeof(w->program), "%.63s", *program ? program : "?");
	w->pid = host_pid();
	uname(&name);
	snprintf(user, sizeof(user), "%u", (unsigned)geteuid());
	describe_cpu(w, brand, sizeof(brand));
	snprintf(
		w->host, sizeof(w->host),
		"OS: %s %s\nCompiler: %s\nUser: %s@%s\nArch: %s\nCPU: %s\nCPU cores: %ld\nRAM: %lld MB\n",
		name.sysname, name.release,
#ifdef __clang__
		"clang " __clang_version__,
#else
		"gcc " __VERSION__,
#endif
		user, name.nodename, name.machine, brand, sysconf(_SC_NPROCESSORS_ONLN),
		(long long)pages * page / 1000000);
}
