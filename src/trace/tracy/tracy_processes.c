// SPDX-License-Identifier: Apache-2.0
#include "trace/tracy/tracy_container.h"

#include "base/number.h"

enum { PROCESSES_MAX = 16384 };

static const char mark[] = "ttprof process: ";

void processes_put(const struct trace *t, struct buf *to)
{
	if (t->processes.len)
		buf_str(to, t->processes.at[0].host);
	if (t->processes.len < 2)
		return;
	if (to->len && to->at[to->len - 1] != '\n')
		buf_char(to, '\n');
	vec_each (p, &t->processes) {
		buf_printf(
			to,
			"%spid=%llu protocol=%s zones=%llu starts_ns=%lld error_ns=%lld ended=%d program=",
			mark, (unsigned long long)p->pid, p->key[0] ? p->key : "?",
			(unsigned long long)p->zones, (long long)p->shift_ns,
			(long long)p->error_ns, p->ended);
		for (size_t i = 0; i < p->program.len; i++)
			buf_char(to, p->program.at[i] == '\n' ? ' ' : p->program.at[i]);
		buf_char(to, '\n');
	}
}

static int64_t value(struct str word)
{
	bool minus = str_starts(word, STR("-"));
	uint64_t v;

	if (!number_u64(str_from(word, minus ? 1 : 0), &v))
		return 0;
	return minus ? -(int64_t)(v & INT64_MAX) : (int64_t)(v & INT64_MAX);
}

static bool get_one(struct str line, struct trace_process *p)
{
	struct str rest = str_from(line, sizeof(mark) - 1), word;

	while (rest.len) {
		if (str_starts(rest, STR("program="))) {
			p->program = str_from(rest, 8);
			return true;
		}
		if (!str_split(&rest, ' ', &word))
			break;
		if (str_starts(word, STR("pid=")))
			p->pid = (uint64_t)value(str_from(word, 4));
		else if (str_starts(word, STR("zones=")))
			p->zones = (uint64_t)value(str_from(word, 6));
		else if (str_starts(word, STR("starts_ns=")))
			p->shift_ns = value(str_from(word, 10));
		else if (str_starts(word, STR("error_ns=")))
			p->error_ns = value(str_from(word, 9));
		else if (str_starts(word, STR("ended=")))
			p->ended = value(str_from(word, 6)) != 0;
		else if (str_starts(word, STR("protocol=")) && word.len - 9 < sizeof(p->key) &&
			 word.at[9] != '?')
			memcpy(p->key, word.at + 9, word.len - 9);
	}
	return false;
}

void processes_get(struct trace *t)
{
	struct trace_process first = t->processes.at[0];
	struct str rest = first.host, line;
	SCOPED(buf) struct buf host = { 0 };
	SCOPED(vec) VEC(struct trace_process) found = { 0 };

	if (!str_has(first.host, str_of(mark)))
		return;
	while (str_split(&rest, '\n', &line)) {
		struct trace_process p = first;

		p.ended = false;
		if (!str_starts(line, str_of(mark))) {
			buf_str(&host, line);
			buf_char(&host, '\n');
		} else if (found.len < PROCESSES_MAX && get_one(line, &p)) {
			*vec_push(&found) = p;
		}
	}
	if (found.len > 1) {
		struct str machine = trace_keep(t, buf_view(&host));

		vec_clear(&t->processes);
		vec_each (p, &found) {
			p->host = machine;
			*vec_push(&t->processes) = *p;
		}
	}
}

uint32_t processes_strip(struct trace *t, uint32_t string, uint32_t *process)
{
	struct str s = trace_str(t, string);
	SCOPED(buf) struct buf prefix = { 0 };
	uint32_t id = string;

	*process = 0;
	for (uint32_t i = 0; string != TRACE_NONE && i < t->processes.len && t->processes.len > 1;
	     i++) {
		buf_clear(&prefix);
		trace_prefix(t, i, &prefix);
		if (!str_starts(s, buf_view(&prefix)))
			continue;
		*process = i;
		id = trace_string(t, str_from(s, prefix.len));
		break;
	}
	return id;
}
