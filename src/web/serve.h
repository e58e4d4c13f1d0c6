// SPDX-License-Identifier: Apache-2.0
/*
 * The page of a run over HTTP, for one who looks at it: docs/reference/formats/page.md says what is asked and answered.  Only what is in
 * the page and the run's own files can be had.
 */
#ifndef TTP_WEB_SERVE_H
#define TTP_WEB_SERVE_H

#include "base/err.h"
#include "web/build.h"

enum { SERVE_PORT = 8050 };

struct serve_request {
	struct page_request page;
	const char *listen; /* an address; NULL: the loopback */
	int port;           /* 0: any; -1: SERVE_PORT, or any if that is taken */
	bool stay;          /* outlive the process that started us */
	const char *tool;   /* "ttprof 0.2.0" */
	/* Called once when requests are answered. */
	void (*ready)(void *ctx, const char *url);
	void *ctx;
};

/* Until SIGINT, SIGTERM or SIGHUP.  TTP_VERSION when the program was built without the library. */
/* Fails when `listen` is no address that this machine can be reached at. */
enum ttp_rc serve_check_address(const char *listen, struct ttp_err *e) TTP_CHECKED;
enum ttp_rc web_serve(const struct serve_request *q, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_WEB_SERVE_H */
