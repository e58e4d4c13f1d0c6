// SPDX-License-Identifier: Apache-2.0
/* Spools that the client writes itself. */
#ifndef TTP_CLIENT_SEND_CLIENT_FILE_H
#define TTP_CLIENT_SEND_CLIENT_FILE_H

#include "client/send/client_session.h"
#include "wire/welcome.h"

/*
 * Creates the file, or empties it.  %p in the path is the process's number; a file that another process is
 * writing, or that this one wrote before it executed another program, is left alone, and ours gets our number behind the
 * name.  -1 if it cannot be, or is neither a regular file nor a device such as /dev/null.
 */
int file_create(const char *path);
/* SESSION, after session_begin; false if nothing can be written. */
bool file_begin(struct session *s, const struct wire_welcome *w);
/* The same once more, at the same offset, with what is known better now. */
void file_begin_again(const struct session *s, const struct wire_welcome *w);
/* What was dropped so far, if that changed, and the clocks. */
void file_note(struct session *s);
void file_note_jump(struct session *s, int64_t ticks, int64_t ns);
void file_end(struct session *s);

#endif /* TTP_CLIENT_SEND_CLIENT_FILE_H */
