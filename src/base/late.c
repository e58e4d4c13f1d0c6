// SPDX-License-Identifier: Apache-2.0
#include "base/late.h"

#include <dlfcn.h>
#include <pthread.h>

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static enum ttp_rc load(const char *library, const char *package, const char *const *names,
			void **to, size_t n, struct ttp_err *e)
{
	void *handle;

	if (to[n - 1]) /* the last one to be filled */
		return TTP_OK;
	handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return ttp_fail(e, TTP_SYS, "%s can't be loaded (%s); install %s", library,
				dlerror(), package);
	for (size_t i = 0; i < n; i++) {
		to[i] = dlsym(handle, names[i]);
		if (!to[i])
			return ttp_fail(e, TTP_VERSION,
					"%s has no %s: it is too old; install a newer %s", library,
					names[i], package);
	}
	return TTP_OK;
}

enum ttp_rc late_load(const char *library, const char *package, const char *const *names, void **to,
		      size_t n, struct ttp_err *e)
{
	enum ttp_rc rc;

	pthread_mutex_lock(&loading);
	rc = load(library, package, names, to, n, e);
	pthread_mutex_unlock(&loading);
	return rc;
}
