// SPDX-License-Identifier: Apache-2.0
#include "web/serve.h"
#include "base/input.h"

#ifndef WEB_HAS_HTTP

enum ttp_rc web_serve(const struct serve_request *q, struct ttp_err *e)
{
	(void)q;
	return ttp_fail(
		e, TTP_VERSION,
		"this ttprof was built without libmicrohttpd, so it can't serve: `make setup` "
		"installs it (libmicrohttpd-dev), `rm -rf build && make` builds it in; "
		"`ttprof view RUN -o report.html` writes the same page to a file");
}

enum ttp_rc serve_check_address(const char *listen, struct ttp_err *e)
{
	(void)listen;
	(void)e;
	return TTP_OK; /* web_serve() says what is missing */
}

#else

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/late.h"
#include "base/number.h"
#include "base/paths.h"
#include "base/tar.h"
#include "web/guard.h"
#include "web/manifest.h"
#include "web/page_file.h"
#include "web/page_window.h"
#include "web/visitors.h"

/* Loaded here, not linked: it brings GnuTLS with it. */
#define MHD_LIST(X)                                                 \
	X(MHD_, add_response_header)                                \
	X(MHD_, create_response_from_buffer)                        \
	X(MHD_, create_response_from_buffer_with_free_callback_cls) \
	X(MHD_, create_response_from_fd64)                          \
	X(MHD_, destroy_response)                                   \
	X(MHD_, get_connection_info)                                \
	X(MHD_, lookup_connection_value)                            \
	X(MHD_, queue_response)                                     \
	X(MHD_, start_daemon)                                       \
	X(MHD_, stop_daemon)
LATE_LIBRARY(mhd, MHD_LIST)

enum {
	THREADS = 4,
	CONNECTIONS_MAX = 1000,
	IDLE_S = 60,
	MEMORY_MAX = 32 << 10,
	BACKLOG = 256,
	BATCH_BYTES = 16 << 20
};

/* The run as it was read; answers that are on their way keep it. */
struct snapshot {
	atomic_int holders;
	struct page page;
	struct packed_page packed;
};

struct server {
	const struct serve_request *q;
	struct guard guard;
	struct str before, after; /* the page around its data */
	char cookie[32];          /* "ttprof-8050" */
	pthread_mutex_t lock;     /* of `now` */
	struct snapshot *now;
	pthread_mutex_t reading; /* one refresh at a time; taken before `lock` */
	struct visitors visitors;
};

/* ---- the run ---- */

static void release(void *cls)
{
	struct snapshot *s = cls;

	if (atomic_fetch_sub(&s->holders, 1) != 1)
		return;
	packed_page_release(&s->packed);
	page_release(&s->page);
	free(s);
}

static enum ttp_rc read_run(const struct serve_request *q, struct snapshot **out, struct ttp_err *e)
{
	struct snapshot *s = mem_zero(1, sizeof(*s));
	enum ttp_rc rc;

	atomic_init(&s->holders, 1);
	page_init(&s->page);
	rc = page_build(&s->page, &q->page, e);
	if (rc) {
		release(s);
		return rc;
	}
	page_pack(&s->packed, &s->page, q->tool, (int64_t)time(NULL), true);
	*out = s;
	return TTP_OK;
}

static struct snapshot *hold(struct server *v)
{
	struct snapshot *s;

	pthread_mutex_lock(&v->lock);
	s = v->now;
	atomic_fetch_add(&s->holders, 1);
	pthread_mutex_unlock(&v->lock);
	return s;
}

/* ---- answers ---- */

static void head(struct MHD_Response *r, const char *name, const char *value)
{
	(void)mhd.add_response_header(r, name, value);
}

static enum MHD_Result reply(struct MHD_Connection *c, unsigned status, struct MHD_Response *r,
			     const char *type)
{
	enum MHD_Result rc;

	if (!r)
		return MHD_NO;
	head(r, "Content-Type", type);
	head(r, "Content-Security-Policy",
	     "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: "
	     "blob:; worker-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
	     "frame-ancestors 'none'");
	head(r, "X-Content-Type-Options", "nosniff");
	head(r, "X-Frame-Options", "DENY");
	head(r, "Referrer-Policy", "no-referrer");
	head(r, "Cross-Origin-Resource-Policy", "same-origin");
	head(r, "Cache-Control", "no-store");
	rc = mhd.queue_response(c, status, r);
	mhd.destroy_response(r);
	return rc;
}

static enum MHD_Result send_text(struct MHD_Connection *c, unsigned status, const char *text)
{
	struct MHD_Response *r = mhd.create_response_from_buffer(
		strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);

	if (r && status == MHD_HTTP_METHOD_NOT_ALLOWED)
		head(r, "Allow", "GET, HEAD");
	return reply(c, status, r, "text/plain; charset=utf-8");
}

/* Bytes of a snapshot, as they are; it is held until they are sent. */
static enum MHD_Result send_part(struct MHD_Connection *c, struct snapshot *s, const struct buf *b,
				 const char *type)
{
	struct MHD_Response *r =
		mhd.create_response_from_buffer_with_free_callback_cls(b->len, b->at, release, s);

	if (!r)
		release(s);
	return reply(c, MHD_HTTP_OK, r, type);
}

static void free_text(void *cls)
{
	free(cls);
}

/* Takes the text.  `cookie`: to be set, or NULL. */
static enum MHD_Result send_buf(struct MHD_Connection *c, struct buf *b, const char *type,
				const char *cookie)
{
	struct MHD_Response *r = mhd.create_response_from_buffer_with_free_callback_cls(
		b->len, b->at, free_text, b->at);

	if (!r)
		free(b->at);
	else if (cookie)
		head(r, "Set-Cookie", cookie);
	return reply(c, MHD_HTTP_OK, r, type);
}

static enum MHD_Result send_page(struct server *v, struct MHD_Connection *c)
{
	struct buf b = { 0 };
	char cookie[128];

	buf_str(&b, v->before);
	buf_str(&b, v->after);
	(void)snprintf(cookie, sizeof(cookie), "%s=%s; Path=/; HttpOnly; SameSite=Strict",
		       v->cookie, v->guard.token);
	return send_buf(c, &b, "text/html; charset=utf-8", cookie);
}

/* Chunks [n, last], each after its length: as many as an answer should hold, and one at least. */
static void add_batch(struct buf *to, const struct columns *c, size_t n, size_t last)
{
	for (size_t i = n; i <= last; i++) {
		const struct buf *chunk = &c->chunks.at[i];

		if (i > n && to->len + chunk->len > BATCH_BYTES)
			return;
		for (int k = 0; k < 4; k++)
			buf_char(to, (char)(chunk->len >> 8 * k));
		buf_str(to, buf_view(chunk));
	}
}

/* "7", or "7-90" */
static enum MHD_Result send_chunk(struct server *v, struct MHD_Connection *c, struct str which)
{
	size_t dash = str_find_char(which, '-');
	int64_t n, last;
	bool many = dash != STR_NONE, good = number_digits(str_head(which, dash), 9, &n);
	struct snapshot *s = hold(v);
	struct buf b = { 0 };

	last = n;
	if (many)
		good = good && number_digits(str_from(which, dash + 1), 9, &last);
	if (!good || n > last || (size_t)last >= s->packed.columns.chunks.len) {
		release(s);
		return send_text(c, MHD_HTTP_NOT_FOUND, "no such chunk\n");
	}
	if (!many)
		return send_part(c, s, &s->packed.columns.chunks.at[n], "application/octet-stream");
	add_batch(&b, &s->packed.columns, (size_t)n, (size_t)last);
	release(s);
	return send_buf(c, &b, "application/octet-stream", NULL);
}

static const char *query(struct MHD_Connection *c, const char *name)
{
	return mhd.lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name);
}

static enum MHD_Result send_window(struct server *v, struct MHD_Connection *c)
{
	struct buf b = { 0 };
	struct snapshot *s;
	struct ttp_err e;
	struct page_window w;

	if (page_window_parse(&w, query(c, "lane"), query(c, "t0"), query(c, "t1"), query(c, "px"),
			      &e)) {
		char text[sizeof(e.msg) + 1];

		(void)snprintf(text, sizeof(text), "%s\n", e.msg);
		return send_text(c, MHD_HTTP_BAD_REQUEST, text);
	}
	s = hold(v);
	page_window_json(&s->page, &w, &b);
	release(s);
	return send_buf(c, &b, "application/json", NULL);
}

static enum MHD_Result send_archive(struct server *v, struct MHD_Connection *c)
{
	struct snapshot *s = hold(v);
	size_t n = 0;
	SCOPED(mem) struct tar_file *files = mem_zero(s->page.files.len + 1, sizeof(*files));
	int fd = temporary_file();
	struct MHD_Response *r = NULL;
	struct ttp_err e = { 0 };
	struct stat st;
	struct out to;
	bool good = false;

	/* A link may lead anywhere, also since the page was made. */
	vec_each (f, &s->page.files)
		if (!lstat(f->path, &st) && S_ISREG(st.st_mode))
			files[n++] = (struct tar_file){ f->name, f->path };
	if (fd >= 0) {
		out_init(&to, fd, "the archive");
		good = !tar_write(&to, files, n, &e);
		if (!good)
			out_release(&to);
		else
			good = !out_finish(&to, &e);
		good = good && !fstat(fd, &st);
	}
	release(s);
	if (good)
		r = mhd.create_response_from_fd64((uint64_t)st.st_size, fd);
	if (!r) {
		char text[sizeof(e.msg) + 64];

		fd_release(&fd);
		(void)snprintf(text, sizeof(text), "the archive can't be made: %s\n",
			       e.msg[0] ? e.msg : "no room for it");
		return send_text(c, MHD_HTTP_INTERNAL_SERVER_ERROR, text);
	}
	head(r, "Content-Disposition", "attachment; filename=\"ttprof-run.tar\"");
	return reply(c, MHD_HTTP_OK, r, "application/x-tar");
}

static enum MHD_Result refresh(struct server *v, struct MHD_Connection *c)
{
	struct snapshot *fresh = NULL, *old = NULL;
	struct buf b = { 0 };
	struct json_writer w = { .to = &b };
	struct ttp_err e;
	enum ttp_rc rc;

	/* those who would wait for it would keep the threads that serve the others */
	if (pthread_mutex_trylock(&v->reading)) {
		rc = ttp_fail(&e, TTP_LIMIT, "the run is being read already: try again soon");
		goto tell;
	}
	rc = read_run(v->q, &fresh, &e);
	if (!rc) {
		pthread_mutex_lock(&v->lock);
		old = v->now;
		v->now = fresh;
		pthread_mutex_unlock(&v->lock);
		release(old);
	}
	pthread_mutex_unlock(&v->reading);
tell:
	json_open_object(&w);
	json_put_bool(&w, "ok", !rc);
	if (rc) {
		json_put_text(&w, "error", str_of(e.msg));
	}
	json_close_object(&w);
	return send_buf(c, &b, "application/json", NULL);
}

/* ---- connections ---- */

/* Before a connection's first byte, and before its socket is closed. */
static void notify(void *cls, struct MHD_Connection *c, void **visitor,
		   enum MHD_ConnectionNotificationCode what)
{
	const union MHD_ConnectionInfo *fd;
	struct server *v = cls;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		fd = mhd.get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
		*visitor = fd ? visitor_came(&v->visitors, fd->connect_fd) : NULL;
	} else if (*visitor) {
		visitor_left(&v->visitors, *visitor);
		*visitor = NULL;
	}
}

static void let_stay(struct server *v, struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *of =
		mhd.get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	if (of && of->socket_context)
		visitor_is_known(&v->visitors, of->socket_context);
}

/* ---- requests ---- */

static const char *header(struct MHD_Connection *c, const char *name)
{
	return mhd.lookup_connection_value(c, MHD_HEADER_KIND, name);
}

static bool knows_token(struct server *v, struct MHD_Connection *c)
{
	const char *k = query(c, "k");
	const char *cookie = mhd.lookup_connection_value(c, MHD_COOKIE_KIND, v->cookie);

	return (k && guard_token_ok(&v->guard, str_of(k))) ||
	       (cookie && guard_token_ok(&v->guard, str_of(cookie)));
}

/* 0, or the status of a refusal. */
static unsigned refuse(struct server *v, struct MHD_Connection *c, const char **why)
{
	const char *host = header(c, "Host"), *origin = header(c, "Origin");

	if (!host || !guard_host_ok(&v->guard, str_of(host))) {
		*why = "this server answers to its address only\n";
		return MHD_HTTP_FORBIDDEN;
	}
	if (origin && !guard_origin_ok(str_of(origin), str_of(host))) {
		*why = "not from another page\n";
		return MHD_HTTP_FORBIDDEN;
	}
	if (!knows_token(v, c)) {
		*why = "the address lacks its token: take the one that `ttprof view --serve` printed\n";
		return MHD_HTTP_UNAUTHORIZED;
	}
	return 0;
}

static enum MHD_Result answer(void *cls, struct MHD_Connection *c, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **seen)
{
	static int first;
	struct server *v = cls;
	bool post = !strcmp(method, "POST");
	bool get = !strcmp(method, "GET") || !strcmp(method, "HEAD");
	struct str path = str_of(url);
	const char *why = NULL;
	unsigned status;

	(void)version;
	(void)upload;
	/* headers first; then whatever a client sends along, which nobody wants */
	if (!*seen) {
		*seen = &first;
		return MHD_YES;
	}
	if (*upload_size) {
		*upload_size = 0;
		return MHD_YES;
	}
	status = refuse(v, c, &why);
	if (status)
		return send_text(c, status, why);
	let_stay(v, c);
	if (post && str_eq(path, STR("/refresh")))
		return refresh(v, c);
	if (!get)
		return send_text(c, MHD_HTTP_METHOD_NOT_ALLOWED, "GET, and POST of /refresh\n");
	if (str_eq(path, STR("/")))
		return send_page(v, c);
	if (str_eq(path, STR("/m"))) {
		struct snapshot *s = hold(v);

		return send_part(c, s, &s->packed.manifest, "application/json");
	}
	if (str_starts(path, STR("/c/")))
		return send_chunk(v, c, str_from(path, 3));
	if (str_eq(path, STR("/w")))
		return send_window(v, c);
	if (str_eq(path, STR("/download")))
		return send_archive(v, c);
	return send_text(c, MHD_HTTP_NOT_FOUND, "there is no such thing here\n");
}

static size_t unescape(void *cls, struct MHD_Connection *c, char *s)
{
	(void)cls;
	(void)c;
	return guard_unescape(s);
}

/* ---- listening ---- */

static int listen_at(const struct addrinfo *a, int port, struct ttp_err *e)
{
	struct sockaddr_storage at;
	int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1;

	if (fd < 0) {
		(void)ttp_fail_errno(e, "no socket");
		return -1;
	}
	memcpy(&at, a->ai_addr, a->ai_addrlen);
	if (a->ai_family == AF_INET6)
		((struct sockaddr_in6 *)&at)->sin6_port = htons((uint16_t)port);
	else
		((struct sockaddr_in *)&at)->sin_port = htons((uint16_t)port);
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&at, a->ai_addrlen) || listen(fd, BACKLOG)) {
		(void)ttp_fail_errno(e, "port %d", port);
		(void)close(fd);
		return -1;
	}
	return fd;
}

/* "127.0.0.1", or "[::1]", and the port that it became. */
static bool address_of(int fd, struct buf *host, unsigned *port, bool *loopback)
{
	struct sockaddr_storage at = { 0 };
	socklen_t len = sizeof(at);
	char text[NI_MAXHOST];

	if (getsockname(fd, (struct sockaddr *)&at, &len) ||
	    getnameinfo((struct sockaddr *)&at, len, text, sizeof(text), NULL, 0, NI_NUMERICHOST))
		return false;
	if (at.ss_family == AF_INET6) {
		const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&at;

		*port = ntohs(six->sin6_port);
		*loopback = IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
		buf_printf(host, "[%s]", IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr) ? "::1" : text);
	} else {
		const struct sockaddr_in *four = (const struct sockaddr_in *)&at;

		*port = ntohs(four->sin_port);
		*loopback = (ntohl(four->sin_addr.s_addr) >> 24) == 127;
		buf_text(host, four->sin_addr.s_addr == htonl(INADDR_ANY) ? "127.0.0.1" : text);
	}
	return true;
}

/* The address that `listen` names, to be freed; NULL: none. */
static struct addrinfo *find_address(const char *listen, struct ttp_err *e)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_NUMERICHOST | AI_PASSIVE };
	const char *name = !strcmp(listen, "localhost") ? "127.0.0.1" : listen;
	struct addrinfo *found = NULL;
	struct in_addr four;

	/* getaddrinfo() also takes "1" and "127.1" */
	if ((strchr(name, ':') || inet_pton(AF_INET, name, &four) == 1) &&
	    !getaddrinfo(name, NULL, &hints, &found))
		return found;
	(void)ttp_fail(e, TTP_USAGE,
		       "--listen: \"%.100s\" is no address; such as 127.0.0.1, ::1, or 0.0.0.0 for "
		       "all of this machine's%s",
		       listen,
		       strchr(name, ':') || strchr(name, '[') ? "; --port has the port" : "");
	return NULL;
}

static bool is_for_many(const struct addrinfo *a)
{
	if (a->ai_family == AF_INET6)
		return IN6_IS_ADDR_MULTICAST(
			&((const struct sockaddr_in6 *)(const void *)a->ai_addr)->sin6_addr);
	/* 224.0.0.0 and above, up to the broadcast address */
	return ntohl(((const struct sockaddr_in *)(const void *)a->ai_addr)->sin_addr.s_addr) >>
	       28 >= 14;
}

enum ttp_rc serve_check_address(const char *listen, struct ttp_err *e)
{
	struct addrinfo *found = find_address(listen, e);
	int fd = -1;

	if (!found)
		return e->rc;
	e->rc = TTP_OK;
	if (is_for_many(found))
		(void)ttp_fail(e, TTP_USAGE,
			       "--listen: %.100s is for many at once: nobody can connect to it",
			       listen);
	else
		fd = listen_at(found, 0, e);
	if (fd >= 0)
		(void)close(fd);
	else if (e->rc != TTP_USAGE)
		(void)ttp_fail(e, TTP_USAGE, "--listen: %.100s is no address of this machine (%s)",
			       listen, strerrordesc_np(e->sys_errno));
	freeaddrinfo(found);
	return fd >= 0 ? TTP_OK : TTP_USAGE;
}

static int open_listener(const struct serve_request *q, struct ttp_err *e)
{
	const char *name = q->listen ? q->listen : "127.0.0.1";
	struct addrinfo *found = find_address(name, e);
	int fd;

	if (!found)
		return -1;
	fd = listen_at(found, q->port < 0 ? SERVE_PORT : q->port, e);
	if (fd < 0 && q->port < 0 && e->sys_errno == EADDRINUSE)
		fd = listen_at(found, 0, e);
	if (fd < 0)
		(void)ttp_wrap(e, e->rc, "%s", name);
	freeaddrinfo(found);
	return fd;
}

static struct MHD_Daemon *start(struct server *v, int fd)
{
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC;
	/* 0.0.0.0 is not to be taken for IPv6, and the other way round: the socket is there already */
	return mhd.start_daemon(flags, 0, NULL, NULL, answer, v, MHD_OPTION_LISTEN_SOCKET, fd,
				MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS,
				MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
				MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
				MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_MAX,
				MHD_OPTION_NOTIFY_CONNECTION, notify, v,
				MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_END);
}

static enum ttp_rc serve(struct server *v, int fd, const sigset_t *stop, struct ttp_err *e)
{
	SCOPED(buf) struct buf host = { 0 }, url = { 0 };
	struct MHD_Daemon *daemon = NULL;
	enum ttp_rc rc = TTP_OK;
	int sig;

	if (!address_of(fd, &host, &v->guard.port, &v->guard.loopback) ||
	    !guard_make_token(&v->guard))
		rc = ttp_fail_errno(e, "no address, or no random number");
	if (!rc) {
		(void)snprintf(v->cookie, sizeof(v->cookie), "ttprof-%u", v->guard.port);
		(void)gethostname(v->guard.hostname, sizeof(v->guard.hostname) - 1);
		daemon = visitors_begin(&v->visitors) ? start(v, fd) : NULL;
		if (!daemon)
			rc = ttp_fail(e, TTP_SYS, "the server does not start");
	}
	if (!rc) {
		buf_printf(&url, "http://%s:%u/?k=%s", host.at, v->guard.port, v->guard.token);
		v->q->ready(v->q->ctx, url.at);
		while (sigwait(stop, &sig) == EINTR)
			;
		mhd.stop_daemon(daemon); /* closes the socket */
	} else {
		(void)close(fd);
	}
	visitors_end(&v->visitors);
	return rc;
}

enum ttp_rc web_serve(const struct serve_request *q, struct ttp_err *e)
{
	struct server v = { .q = q,
			    .lock = PTHREAD_MUTEX_INITIALIZER,
			    .reading = PTHREAD_MUTEX_INITIALIZER };
	pid_t parent = getppid();
	sigset_t stop, before;
	enum ttp_rc rc;
	struct str page;
	size_t at;
	int fd;

	rc = LATE_LOAD(mhd, "libmicrohttpd.so.12", "libmicrohttpd12", e);
	if (!rc)
		rc = web_template(&page, e);
	if (rc)
		return rc;
	at = str_find(page, STR(PAGE_DATA_LINE));
	v.before = str_head(page, at);
	v.after = str_from(page, at + sizeof(PAGE_DATA_LINE) - 1);
	/* threads inherit it: signals are for sigwait() alone */
	sigemptyset(&stop);
	sigaddset(&stop, SIGINT);
	sigaddset(&stop, SIGTERM);
	sigaddset(&stop, SIGHUP);
	/* a server that outlives who asked for it is found weeks later */
	if (!q->stay && prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() != parent)
		return ttp_fail(e, TTP_GONE, "who started this server is gone (--stay: serve on)");
	fd = open_listener(q, e);
	if (fd < 0)
		return e->rc;
	rc = read_run(q, &v.now, e);
	if (rc) {
		(void)close(fd);
		return rc;
	}
	pthread_sigmask(SIG_BLOCK, &stop, &before);
	rc = serve(&v, fd, &stop, e);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	release(v.now);
	return rc;
}

#endif
