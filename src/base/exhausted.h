/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No memory.  What asks for memory through this room never gets NULL: the call ends here, in one of three ways.
 *
 *	ttprof		one line on stderr and EXHAUSTED_STATUS, whatever it was doing (main() asks for it)
 *	libttpdev	back to the call of the API that the thread is in, which fails (exhausted_catch)
 *	other programs	one line on stderr and abort(): a status of ours would be taken for theirs
 *
 * Nothing here allocates.
 */
#ifndef TTP_BASE_EXHAUSTED_H
#define TTP_BASE_EXHAUSTED_H

#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

/* As env, nice and timeout: the tool failed, not what it runs. */
enum { EXHAUSTED_STATUS = 125 };

/* `bytes` were asked for; 0: not known. */
_Noreturn void exhausted(size_t bytes);
/* From now on exhaustion is a line "<prog>: error: ..." and an exit status.  `prog` is borrowed. */
void exhausted_exits(const char *prog);
/* And before it exits, fn(ctx), in whichever thread it is, but in no child; NULL: nothing more. */
void exhausted_exits_after(void (*fn)(void *ctx), void *ctx);

/*
 * A point that the calling thread comes back to.  What the call had allocated is lost, what it was changing is as far as it
 * came: a growing array is never half grown, so only what takes two allocations needs care (vec_reserve first).
 *
 *	struct exhausted_point point;
 *
 *	if (exhausted_catch(&point))
 *		return failed();	the point is gone
 *	rc = work();
 *	exhausted_end(&point);
 */
struct exhausted_point {
	jmp_buf at;
	struct exhausted_point *outer;
	size_t undos;
};
#define exhausted_catch(p) (exhausted_begin(p), setjmp((p)->at))
void exhausted_begin(struct exhausted_point *p); /* use exhausted_catch */
void exhausted_end(struct exhausted_point *p);

/* What is undone then, last first: fn(arg), unless exhausted_done() came before. */
void exhausted_undo(void (*fn)(void *arg), void *arg);
void exhausted_done(void (*fn)(void *arg), const void *arg);
/* A lock under which memory is asked for. */
void held_lock(pthread_mutex_t *m);
void held_unlock(pthread_mutex_t *m);
/* A descriptor that is open while memory is asked for; held_close() is close(). */
void held_fd(int fd);
int held_close(int fd);

#endif /* TTP_BASE_EXHAUSTED_H */
