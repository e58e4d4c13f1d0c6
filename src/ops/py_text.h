// SPDX-License-Identifier: Apache-2.0
/*
 * JSON values as Python prints them.  Reports of ops carry such text ({'eps': '1e-05'}, ['a'; 'b'], True),
 * users and tools parse it, so it is made here to the letter.
 */
#ifndef TTP_OPS_PY_TEXT_H
#define TTP_OPS_PY_TEXT_H

#include "base/json.h"
#include "base/str.h"

/* repr() of a text: '…', or "…" when it holds ' and no ". */
void py_quote(struct buf *b, struct str s);
/*
 * str() of the value whose event was just read; reads to its end.  Texts are plain at the top and quoted
 * inside of others.  False when the JSON is bad on the way.
 */
bool py_value(struct buf *b, struct json_reader *r, enum json_event ev, bool nested);
/* Rounded to `digits` decimals as Python's round() does. */
double py_rounded(double v, int digits);
/* round(x): to the nearest whole number, halves to the even one. */
double py_round0(double v);

#endif /* TTP_OPS_PY_TEXT_H */
