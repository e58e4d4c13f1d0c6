// SPDX-License-Identifier: Apache-2.0
/* The account beside a report: what was read is written so that it is read again.  That beside logs is read from any bytes, and what was read is the same
 * after it was written. */
#include "base/account.h"
#include "base/input.h"
#include "ops/account_json.h"
#include "work_folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

static void write_and_read(struct account *a)
{
	struct account again = { 0 };
	struct work_folder folder;
	struct ttp_err e;
	struct input in;

	folder_open(&folder, STR(""));
	must(!account_csv_append("a.csv", a, &e) && !input_open_file(&in, "a.csv", &e));
	must(!account_csv_read(in.data, &again));
	for (int i = ACCOUNT_FIRST_CAUSE; i < ACCOUNT_WHATS; i++)
		must(account_count(a, (enum account_what)i) ==
		     account_count(&again, (enum account_what)i));
	input_close(&in);
	account_release(&again);
	folder_close(&folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct account a = { 0 }, again = { 0 };
	struct buf text = { 0 }, other = { 0 };

	if (account_json_read(str_n((const char *)data, size), 7, &a)) {
		account_json_file(&a, 7, &text);
		must(account_json_read(buf_view(&text), 7, &again));
		account_json_file(&again, 7, &other);
		for (int i = ACCOUNT_FIRST_CAUSE; i < ACCOUNT_WHATS; i++)
			must(account_count(&a, (enum account_what)i) ==
			     account_count(&again, (enum account_what)i));
		must(!account_json_read(buf_view(&text), 8, &again));
	}
	account_release(&a);
	(void)account_csv_read(str_n((const char *)data, size), &a);
	for (int i = ACCOUNT_TOTAL_SEEN; i < ACCOUNT_TOTALS; i++)
		must(!account_total(&a, (enum account_total)i)); /* no file can count ops */
	if (a.entries.len)
		write_and_read(&a);
	account_release(&a);
	account_release(&again);
	buf_release(&text);
	buf_release(&other);
	return 0;
}
