// SPDX-License-Identifier: Apache-2.0
/* EACH_ARG(m, c, a, b) is m(c, a) m(c, b): for macros that take a list of one to twelve. */
#ifndef TTP_BASE_EACH_ARG_H
#define TTP_BASE_EACH_ARG_H

#define EACH_ARG_1(m, c, a)       m(c, a)
#define EACH_ARG_2(m, c, a, ...)  m(c, a) EACH_ARG_1(m, c, __VA_ARGS__)
#define EACH_ARG_3(m, c, a, ...)  m(c, a) EACH_ARG_2(m, c, __VA_ARGS__)
#define EACH_ARG_4(m, c, a, ...)  m(c, a) EACH_ARG_3(m, c, __VA_ARGS__)
#define EACH_ARG_5(m, c, a, ...)  m(c, a) EACH_ARG_4(m, c, __VA_ARGS__)
#define EACH_ARG_6(m, c, a, ...)  m(c, a) EACH_ARG_5(m, c, __VA_ARGS__)
#define EACH_ARG_7(m, c, a, ...)  m(c, a) EACH_ARG_6(m, c, __VA_ARGS__)
#define EACH_ARG_8(m, c, a, ...)  m(c, a) EACH_ARG_7(m, c, __VA_ARGS__)
#define EACH_ARG_9(m, c, a, ...)  m(c, a) EACH_ARG_8(m, c, __VA_ARGS__)
#define EACH_ARG_10(m, c, a, ...) m(c, a) EACH_ARG_9(m, c, __VA_ARGS__)
#define EACH_ARG_11(m, c, a, ...) m(c, a) EACH_ARG_10(m, c, __VA_ARGS__)
#define EACH_ARG_12(m, c, a, ...) m(c, a) EACH_ARG_11(m, c, __VA_ARGS__)

#define EACH_ARG_PICK(a, b, c, d, e, f, g, h, i, j, k, l, pick, ...) pick
#define EACH_ARG(m, c, ...)                                                                       \
	EACH_ARG_PICK(__VA_ARGS__, EACH_ARG_12, EACH_ARG_11, EACH_ARG_10, EACH_ARG_9, EACH_ARG_8, \
		      EACH_ARG_7, EACH_ARG_6, EACH_ARG_5, EACH_ARG_4, EACH_ARG_3, EACH_ARG_2,     \
		      EACH_ARG_1, )                                                               \
	(m, c, __VA_ARGS__)

/* For lists of X(a, b, ...): LIST(LIST_2ND) is the second of each, with commas; LIST(LIST_ROW) all, in braces. */
#define LIST_2ND_(a, b, ...)    b,
#define LIST_2ND(...)           LIST_2ND_(__VA_ARGS__, )
#define LIST_3RD_(a, b, c, ...) c,
#define LIST_3RD(...)           LIST_3RD_(__VA_ARGS__, )
#define LIST_ROW(...)           { __VA_ARGS__ },

/* For lists of what a struct owns, X(kind, type, name), given back by kind_release(): its members. */
#define OWNS_MEMBER(kind, type, name) type name;

#endif /* TTP_BASE_EACH_ARG_H */
