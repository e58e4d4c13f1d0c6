// SPDX-License-Identifier: Apache-2.0
/*
 * Requests to `ttprof view --serve` over the loopback.  The bytes are sent as they are, but
 *
 *	\1	stands for the server's token,
 *	\2	for its address ("127.0.0.1:8050"),
 *	\3	cuts: what comes before it is sent by itself.
 *
 * The server runs in this process, once, on a small run.  Every answer is HTTP, and nobody who does not know the token
 * gets anything but a refusal.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/number.h"
#include "memory_file.h"
#include "web/serve.h"

enum { TOKEN = 1, ADDRESS = 2, CUT = 3, MORE_MS = 1, ANSWER_MS = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool up, missing;
	char address[64], token[64];
	struct sockaddr_in at;
	struct memory_file run;
} server = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

/* "http://127.0.0.1:8050/?k=TOKEN" */
static void is_up(void *ctx, const char *url)
{
	struct str rest = str_from(str_of(url), 7), address;
	int64_t port;

	(void)ctx;
	must(str_split(&rest, '/', &address) && str_starts(rest, STR("?k=")));
	must(number_digits(str_from(address, str_find_char(address, ':') + 1), 5, &port));
	pthread_mutex_lock(&server.lock);
	(void)snprintf(server.address, sizeof(server.address), "%.*s", STR_ARG(address));
	(void)snprintf(server.token, sizeof(server.token), "%.*s", STR_ARG(str_from(rest, 3)));
	server.at.sin_family = AF_INET;
	server.at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server.at.sin_port = htons((uint16_t)port);
	server.up = true;
	pthread_cond_signal(&server.changed);
	pthread_mutex_unlock(&server.lock);
}

static void *serve(void *unused)
{
	static struct serve_request q = { .port = 0, .stay = true, .tool = "fuzz", .ready = is_up };
	struct ttp_err e;

	q.page.run = server.run.path;
	if (web_serve(&q, &e) != TTP_VERSION) {
		fprintf(stderr, "%s\n", e.msg);
		abort();
	}
	/* built without the library: there is nothing to ask */
	pthread_mutex_lock(&server.lock);
	server.up = server.missing = true;
	pthread_cond_signal(&server.changed);
	pthread_mutex_unlock(&server.lock);
	return unused;
}

static void start(void)
{
	static const char run[] =
		"OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,CORE COUNT,HOST START TS,"
		"DEVICE FW START CYCLE,DEVICE KERNEL DURATION [ns],DEVICE FW DURATION [ns]\n"
		"Matmul,tt_dnn_device,1024,0,64,10,1000,500,600\n"
		"Softmax,tt_dnn_device,2048,0,32,20,3000,900,990\n";
	pthread_t thread;

	memory_file_open(&server.run, str_of(run));
	must(!pthread_create(&thread, NULL, serve, NULL) && !pthread_detach(thread));
	pthread_mutex_lock(&server.lock);
	while (!server.up)
		pthread_cond_wait(&server.changed, &server.lock);
	pthread_mutex_unlock(&server.lock);
}

static bool send_all(int fd, const struct buf *b)
{
	for (size_t at = 0; at < b->len;) {
		ssize_t n = send(fd, b->at + at, b->len - at, MSG_NOSIGNAL);

		if (n <= 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

/* The head, and as much behind it as it says, are there. */
static bool is_whole(struct str answer)
{
	static const struct str field = { "Content-Length: ", 16 };
	size_t head = str_find(answer, STR("\r\n\r\n"));
	size_t at = str_find(str_head(answer, head), field);
	struct str digits;
	int64_t len;

	if (head == STR_NONE || at == STR_NONE)
		return false;
	digits = str_from(answer, at + field.len);
	digits = str_head(digits, str_find_char(digits, '\r'));
	return number_digits(digits, 9, &len) && answer.len - head - 4 >= (size_t)len;
}

/*
 * What is answered until the server hangs up or is silent.  It keeps a connection for more requests, also one that sends no
 * more, so silence behind an answer is short.
 */
static void read_answer(int fd, struct buf *to)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char bytes[16384];

	while (poll(&p, 1, is_whole(buf_view(to)) ? MORE_MS : ANSWER_MS) > 0) {
		ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

		if (n <= 0)
			return;
		if (to->len < 1 << 20)
			buf_add(to, bytes, (size_t)n);
	}
}

static void check_answer(struct str answer, bool knows_token)
{
	if (!answer.len)
		return;
	must(str_starts(answer, STR("HTTP/1.")) && answer.len > 12);
	must(answer.at[9] >= '1' && answer.at[9] <= '5');
	must(knows_token || answer.at[9] == '4' || answer.at[9] == '1' || answer.at[9] == '5');
	/* nothing that a refusal says helps to guess */
	must(knows_token || str_find(answer, str_of(server.token)) == STR_NONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* not kept for a minute after it was closed, as there is one per input */
	static const struct linger at_once = { .l_onoff = 1 };
	struct buf piece = { 0 }, answer = { 0 };
	bool knows_token = false, good = true;
	int fd;

	if (!size || size > 40000)
		return 0;
	if (!server.up)
		start();
	if (server.missing)
		return 0;
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	must(fd >= 0 && !connect(fd, (struct sockaddr *)&server.at, sizeof(server.at)));
	for (size_t i = 0; i < size && good; i++) {
		if (data[i] == TOKEN) {
			knows_token = true;
			buf_text(&piece, server.token);
		} else if (data[i] == ADDRESS) {
			buf_text(&piece, server.address);
		} else if (data[i] == CUT) {
			good = send_all(fd, &piece);
			buf_clear(&piece);
		} else {
			buf_char(&piece, (char)data[i]);
		}
	}
	if (good)
		good = send_all(fd, &piece);
	(void)shutdown(fd, SHUT_WR);
	read_answer(fd, &answer);
	check_answer(buf_view(&answer), knows_token);
	must(!setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)));
	close(fd);
	buf_release(&piece);
	buf_release(&answer);
	return 0;
}
