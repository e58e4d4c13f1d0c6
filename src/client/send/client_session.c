// SPDX-License-Identifier: Apache-2.0
#include "client/send/client_session.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "client/life/client_settings.h"
#include "client/record/fiber.h"
#include "client/record/intern.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "client/send/sender.h"
#include "wire/spool.h"
#include "wire/tracy.h"
#include "wire/welcome.h"

/* Servers number source locations with 15 bits, and one of ours is for all that are too many. */
enum { PLACES_MAX = 32000 };
/* Device contexts where they have 8 bits; 255 is what servers and ours may take for none. */
enum { CONTEXTS_MAX = 255 };

struct names_map session_thread_names;

bool session_init(struct session *s)
{
	memset(s, 0, sizeof(*s));
	s->items = own_grow(NULL, 0, WIRE_FRAME_MAX);
	s->packed = own_grow(NULL, 0, SPOOL_HEADER_BYTES + FRAME_PREFIX + FRAME_BLOCK_MAX);
	s->lz4 = own_grow(NULL, 0, FRAME_STATE_BYTES);
	s->fd = -1;
	return s->items && s->packed && s->lz4;
}

void session_begin(struct session *s, enum wire_key key, int fd, bool is_file, uint32_t number,
		   double ns_per_tick)
{
	struct stat st;

	wire_proto_init(&s->proto, key);
	s->out = (struct wire_out){ .proto = &s->proto, .at = s->items };
	s->fd = fd;
	if (!fstat(fd, &st)) {
		s->device = st.st_dev;
		s->inode = st.st_ino;
	}
	s->is_file = is_file;
	s->lost = s->counts = false;
	s->number = number;
	s->ref_thread = s->ref_serial = s->ref_device = 0;
	s->thread = 0;
	s->ns_per_tick = ns_per_tick;
	s->locations.len = 0;
	names_map_clear(&s->texts);
	s->frames = s->bytes_sent = 0;
	s->last_sent_ns = mono_ns();
	s->told_drops = 0;
	s->told_drops_ns = 0;
	memset(s->chip_first, 0, sizeof(s->chip_first));
	s->contexts = 0;
	s->last_first = 0;
}

bool session_choose(uint32_t number, enum wire_key *key)
{
	const char *only = settings.protocol;
	bool tt = !strcmp(only, "tt"), upstream = !strcmp(only, "upstream");
	struct wire_proto p;

	if (*only && !tt && !upstream) {
		if (!wire_key_parse(only, strlen(only), key))
			return false;
		wire_proto_init(&p, *key);
		return p.number == number;
	}
	/* Two layouts of devices have the same number: of 66 nearly all servers are Tenstorrent's, of the others nearly none. */
	return wire_key_of(number, tt || (number == 66 && !upstream), key);
}

const char *session_spoken(uint32_t *number)
{
	enum wire_key key = WIRE_KEY_TT66;
	struct wire_proto p;

	if (!wire_key_parse(settings.protocol, strlen(settings.protocol), &key))
		key = WIRE_KEY_TT66;
	wire_proto_init(&p, key);
	*number = p.number;
	return p.key;
}

bool session_peer_left(const struct session *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLRDHUP };

	return poll(&p, 1, 0) > 0 && p.revents & (POLLRDHUP | POLLHUP | POLLERR);
}

/* The program may have closed it, and opened something of its own under this number. */
static void look_whose_it_is(struct session *s)
{
	struct stat st;

	if (s->lost || (!fstat(s->fd, &st) && st.st_dev == s->device && st.st_ino == s->inode))
		return;
	s->fd = -1;
	s->lost = true;
}

bool session_send(struct session *s, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;

	look_whose_it_is(s);
	while (n && !s->lost) {
		ssize_t did = send(s->fd, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (did > 0) {
			at += did;
			n -= (size_t)did;
			s->bytes_sent += (uint64_t)did;
			continue;
		}
		if (did < 0 && errno == EINTR)
			continue;
		if (did < 0 && errno == EAGAIN) {
			struct pollfd p = { .fd = s->fd, .events = POLLOUT };
			int ready;

			/* A reader may be slow for as long as the program runs, then until the wait at
			 * exit is over. */
			sender_rest();
			ready = poll(&p, 1, 20);
			sender_resume();
			sender_look();
			if (ready >= 0 && !(p.revents & (POLLERR | POLLHUP)) && !sender_is_late())
				continue;
		}
		s->lost = true;
	}
	return !s->lost;
}

void session_record(struct session *s, uint8_t type, uint8_t flags, const void *payload, size_t n)
{
	uint8_t header[SPOOL_HEADER_BYTES];
	struct iovec parts[2] = {
		{ header, sizeof(header) },
		{ (void *)(uintptr_t)payload, n },
	};
	off_t start;
	ssize_t did;

	look_whose_it_is(s);
	if (s->lost)
		return;
	spool_header_put(header, type, flags, 0, payload, n);
	start = lseek(s->fd, 0, SEEK_CUR);
	sender_rest();
	do {
		did = writev(s->fd, parts, 2);
	} while (did < 0 && errno == EINTR);
	sender_resume();
	if (did != (ssize_t)(sizeof(header) + n)) {
		/* A full disk: what is whole stays. */
		if (start >= 0 && ftruncate(s->fd, start) == 0)
			lseek(s->fd, start, SEEK_SET);
		s->lost = true;
		return;
	}
	s->bytes_sent += (uint64_t)did;
}

/* Items of a frame that a file could not take: counted as dropped. */
static void count_lost(const struct session *s, size_t len)
{
	struct cursor c = cursor_of(s->items, len);
	uint64_t lost[WIRE_EVENTS] = { 0 };
	struct wire_got got;

	while (wire_next(&s->proto, &c, &got))
		lost[wire_traits[got.item].event]++;
	for (unsigned i = 0; i < WIRE_EVENTS_LOST; i++)
		if (lost[i])
			stream_lost(i, lost[i]);
}

void session_flush(struct session *s)
{
	size_t len = (size_t)(s->out.at - s->items), n;

	s->out.at = s->items;
	if (!len)
		return;
	if (s->counts || (s->lost && s->is_file)) {
		count_lost(s, len);
		return;
	}
	if (s->lost)
		return;
	n = frame_pack(s->lz4, s->items, len, s->packed);
	if (s->is_file)
		session_record(s, SPOOL_FRAME, SPOOL_INDEPENDENT, s->packed + FRAME_PREFIX,
			       n - FRAME_PREFIX);
	else
		session_send(s, s->packed, n);
	if (s->lost && s->is_file)
		count_lost(s, len);
	s->frames++;
	s->last_sent_ns = mono_ns();
}

static void tell(struct session *s, enum wire_item item, uint64_t cookie, const char *text,
		 size_t len)
{
	if (len > WIRE_TEXT_MAX)
		len = WIRE_TEXT_MAX;
	put_transfer(session_out(s, len), item, cookie, text, len);
}

static const enum wire_item role_items[NAMES_ROLES] = {
	[NAMES_STRING] = WIRE_StringData,
	[NAMES_PLOT] = WIRE_PlotName,
	[NAMES_FRAME] = WIRE_FrameName,
};

uint64_t session_string(struct session *s, uint32_t string, enum names_role role)
{
	struct names_string *n;

	if (!s->is_file || !string)
		return string;
	n = names_string_at(string);
	if (n && n->sent_in[role] != s->number) {
		n->sent_in[role] = s->number;
		tell(s, role_items[role], string, n->text, n->len);
	}
	return string;
}

static void put_location(struct session *s, uint32_t location)
{
	const struct names_location *l = names_location_at(location);

	if (!l)
		PUT(session_out(s, 0), WIRE_SourceLocation, source_location, 0);
	else
		PUT(session_out(s, 0), WIRE_SourceLocation, source_location, l->name, l->function,
		    l->file, l->line, l->color);
}

uint64_t session_location(struct session *s, uint32_t location)
{
	struct names_location *l = names_location_at(location);

	if (!l)
		return 0;
	if (l->session == s->number)
		return l->cookie;
	if (s->locations.len >= PLACES_MAX) {
		uint32_t shared = names_location((uint64_t)(uintptr_t)&intern_full);

		if (location != shared)
			return session_location(s, shared);
	}
	if (!own_has_room(&s->locations))
		return 0;
	s->locations.at[s->locations.len++] = location;
	l->session = s->number;
	l->cookie = s->locations.len;
	if (s->is_file) {
		session_string(s, l->name, NAMES_STRING);
		session_string(s, l->function, NAMES_STRING);
		session_string(s, l->file, NAMES_STRING);
		put_location(s, location);
	}
	return l->cookie;
}

bool session_location_text(struct session *s, uint32_t location)
{
	const struct names_location *l = names_location_at(location);
	const struct names_string *name, *file;
	struct names_pair *p;
	struct wire_out *o;
	size_t name_len, file_len;

	if (!l || __builtin_expect(l->session == s->number, 1))
		return false;
	name = names_string_at(l->name ? l->name : l->function);
	file = names_string_at(l->file);
	name_len = name ? name->len : 0;
	file_len = file ? file->len : 0;
	if (name_len + file_len + 10 > WIRE_TEXT_MAX)
		return false;
	/* Servers count these apart, and know equal ones: without the function, which is often a number, they are few. */
	p = names_map_at(&s->texts, (uint64_t)(l->name ? l->name : l->function) << 32 | l->line,
			 l->file);
	if (!p || (!p->value && s->texts.len >= PLACES_MAX))
		return false;
	s->texts.len += !p->value;
	p->value = 1;
	o = session_out(s, name_len + file_len + 10);
	put_item(o, WIRE_SourceLocationPayload);
	put_u64(o, 1);
	put_u16(o, name_len + file_len + 10);
	put_u32(o, l->color);
	put_u32(o, l->line);
	put_u8(o, 0);
	put_raw(o, file ? file->text : "", file_len);
	put_u8(o, 0);
	put_raw(o, name ? name->text : "", name_len);
	return true;
}

void session_zone_named(struct session *s, uint32_t location)
{
	const struct names_location *l = names_location_at(location);
	const struct names_string *n;

	if (!l || __builtin_expect(l->session == s->number, 1))
		return;
	n = names_string_at(l->name ? l->name : l->function);
	if (n)
		put_item(session_text(s, n->text, n->len), WIRE_ZoneName);
}

void session_thread(struct session *s, uint32_t tid)
{
	if (s->thread == tid)
		return;
	s->thread = tid;
	s->ref_thread = 0;
	PUT(session_out(s, 0), WIRE_ThreadContext, thread_context, tid);
}

static size_t thread_text(uint32_t tid, char *room, size_t size, const char **text)
{
	struct names_string *n = names_string_at(names_map_get(&session_thread_names, tid));

	if (n) {
		*text = n->text;
		return n->len;
	}
	*text = room;
	return (size_t)snprintf(room, size, "%u", tid);
}

void session_thread_named(struct session *s, uint32_t tid, uint32_t string)
{
	const struct names_string *n = names_string_at(string);

	if (n && s->is_file)
		tell(s, WIRE_ThreadName, tid, n->text, n->len);
}

void session_fiber_named(struct session *s, uint32_t fiber, uint32_t string)
{
	const struct names_string *n = names_string_at(string);

	if (n && s->is_file)
		tell(s, WIRE_FiberName, fiber, n->text, n->len);
}

/* The device whose calibrations a server has for this one's context. */
struct device *session_device_first(const struct session *s, struct device *d)
{
	return s->proto.context_bytes == 1 ? device_of(d->first) : d;
}

void session_calibrate(struct session *s, const struct device *d, int64_t host_step_ns)
{
	PUT(session_out(s, 0), WIRE_GpuCalibration, gpu_calibration, .gpuTime = d->anchor_ns,
	    .cpuTime = d->anchor_ticks, .cpuDelta = host_step_ns, .context = d->context);
}

uint16_t session_device(struct session *s, uint32_t handle, struct device *d)
{
	const char *name = atomic_load_explicit(&d->name, memory_order_acquire);
	struct wire_out *o;

	if (d->session == s->number)
		return d->context;
	d->session = s->number;
	d->query = 0;
	d->last_ns = INT64_MIN;
	d->context = (uint16_t)(handle - 1);
	d->first = handle;
	if (s->proto.context_bytes == 1) {
		uint32_t *of_chip = &s->chip_first[d->chip & 0xFF];

		/* When they are used up, cores share their chip's first one, or the last, and are distinguished by their lanes. */
		if (s->contexts >= CONTEXTS_MAX) {
			d->first = *of_chip ? *of_chip : s->last_first;
			d->context = device_of(d->first)->context;
			return d->context;
		}
		d->context = s->contexts++;
		s->last_first = handle;
		if (!*of_chip)
			*of_chip = handle;
	}
	o = session_out(s, 256);
	put_device_new(o, d->host_ticks, d->device_ns, d->context, true, d->type);
	if (name) {
		put_single_string(o, name, strnlen(name, 255));
		PUT(o, WIRE_GpuContextName, gpu_context_name, d->context);
	}
	if (d->anchor_ns != d->device_ns) {
		/* What earlier sessions were sent. */
		double step = (double)d->anchor_ns - (double)d->device_ns;

		session_calibrate(s, d, (int64_t)(step * d->host_per_device));
	}
	return d->context;
}

void session_lock_named(struct session *s, uint32_t handle, struct lock *l)
{
	/* Pairs with the release in ttp_lock_name. */
	const char *name = atomic_load_explicit(&l->name, memory_order_acquire);

	if (name)
		PUT(session_text(s, name, strnlen(name, 255)), WIRE_LockName, lock_name, handle);
}

void session_lock(struct session *s, uint32_t handle, struct lock *l)
{
	uint64_t srcloc;

	if (l->session == s->number)
		return;
	l->session = s->number;
	l->held = 0;
	srcloc = session_location(s, l->number);
	PUT(session_out(s, 0), WIRE_LockAnnounce, lock_announce, .id = handle,
	    .time = l->since_ticks, .lckloc = srcloc, .type = l->shared);
	session_lock_named(s, handle, l);
}

/* Strings that a server asks for by a number that we never gave get an answer too: it counts them. */
static void answer_string(struct session *s, enum wire_item item, uint64_t cookie)
{
	const struct names_string *n = names_string_at(cookie);

	tell(s, item, cookie, n ? n->text : "", n ? n->len : 0);
}

bool session_answer(struct session *s, const uint8_t query[WIRE_QUERY_BYTES])
{
	struct cursor c = cursor_of(query, WIRE_QUERY_BYTES);
	uint8_t kind = cursor_u8(&c);
	uint64_t ptr = cursor_u64(&c);
	char room[16];
	const char *text;
	size_t len;

	/* Before 66 three numbers were others. */
	if (s->proto.number < 66 && kind >= WIRE_ASK_EXTERNAL && kind <= WIRE_ASK_CALLSTACK_FRAME)
		kind = kind == WIRE_ASK_CALLSTACK_FRAME ? WIRE_ASK_EXTERNAL : kind + 1;
	switch (kind) {
	case WIRE_ASK_TERMINATE:
	case WIRE_ASK_DISCONNECT:
		return false;
	case WIRE_ASK_STRING:
		answer_string(s, WIRE_StringData, ptr);
		break;
	case WIRE_ASK_PLOT:
		answer_string(s, WIRE_PlotName, ptr);
		break;
	case WIRE_ASK_FRAME:
		answer_string(s, WIRE_FrameName, ptr);
		break;
	case WIRE_ASK_FIBER:
		text = "";
		len = 0;
		if (fiber_of((uint32_t)ptr)) {
			const struct names_string *n =
				names_string_at(fiber_of((uint32_t)ptr)->string);

			text = n ? n->text : "";
			len = n ? n->len : 0;
		}
		tell(s, WIRE_FiberName, ptr, text, len);
		break;
	case WIRE_ASK_THREAD:
		len = thread_text((uint32_t)ptr, room, sizeof(room), &text);
		tell(s, WIRE_ThreadName, ptr, text, len);
		break;
	case WIRE_ASK_LOCATION:
		put_location(s, ptr && ptr <= s->locations.len ? s->locations.at[ptr - 1] : 0);
		break;
	case WIRE_ASK_EXTERNAL:
		len = thread_text((uint32_t)ptr, room, sizeof(room), &text);
		tell(s, WIRE_ExternalThreadName, ptr, text, len);
		tell(s, WIRE_ExternalName, ptr, "", 0);
		break;
	case WIRE_ASK_CALLSTACK_FRAME:
		PUT(session_text(s, "", 0), WIRE_CallstackFrameSize, address, ptr, 0);
		break;
	case WIRE_ASK_SYMBOL:
		PUT(session_text(s, "", 0), WIRE_SymbolInformation, symbol, 0, ptr);
		break;
	case WIRE_ASK_SYMBOL_CODE:
		put_item(session_out(s, 0), WIRE_AckSymbolCodeNotAvailable);
		break;
	case WIRE_ASK_SOURCE_CODE:
		PUT(session_out(s, 0), WIRE_AckSourceCodeNotAvailable, id, (uint32_t)ptr);
		break;
	default:
		put_item(session_out(s, 0), WIRE_AckServerQueryNoop);
		break;
	}
	return true;
}
