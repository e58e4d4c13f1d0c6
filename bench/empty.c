// SPDX-License-Identifier: Apache-2.0
/* The least that a dynamic C program takes to start and end; `ttprof --help` is measured against it (bench/report). */
int main(void)
{
	return 0;
}
