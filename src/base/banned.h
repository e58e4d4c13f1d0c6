// SPDX-License-Identifier: Apache-2.0
/*
 * Functions that are easy to misuse are taken away: the compiler stops at their name.  Force-included
 * into every file of ours by CMake, after the system headers that declare them.
 */
#ifndef TTP_BASE_BANNED_H
#define TTP_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok atoi atol atof \
	gmtime localtime ctime asctime

#endif /* TTP_BASE_BANNED_H */
