// SPDX-License-Identifier: Apache-2.0
#include "wire/run_names.h"

#include <stdlib.h>
#include <string.h>

const char *run_rank(void)
{
	/* RANK is torchrun's, and also many another program's: it counts where the number of all is there */
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
					     "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "RANK" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *v = secure_getenv(names[i]); // NOLINT(concurrency-mt-unsafe)

		if (!strcmp(names[i], "RANK") &&
		    !secure_getenv("WORLD_SIZE")) // NOLINT(concurrency-mt-unsafe)
			continue;
		if (v && *v && strlen(v) < 10 && strspn(v, "0123456789") == strlen(v))
			return v;
	}
	return NULL;
}
