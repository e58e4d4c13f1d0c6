// SPDX-License-Identifier: Apache-2.0
/* The page itself, as web/ builds it: compiled into the program. */
#ifndef TTP_WEB_TEMPLATE_H
#define TTP_WEB_TEMPLATE_H

#include "base/err.h"
#include "base/str.h"

#define PAGE_DATA_LINE "<!--TTPROF_DATA-->"

/*
 * The page, or the file that $TTP_PAGE names, for those who work on it.  An error says what to install when the program was
 * built without one.  The text lives as long as the process.
 */
enum ttp_rc web_template(struct str *page, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_WEB_TEMPLATE_H */
