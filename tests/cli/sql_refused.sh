# SPDX-License-Identifier: Apache-2.0
# a query reads, and nothing else: each of these is refused with 2, and nothing is written
ops=$SRC/examples/data/nano_gpt_ops.csv
for query in "ATTACH 'x.db' AS x" "CREATE TABLE a (b)" "DELETE FROM ops" "INSERT INTO ops VALUES (1)" "UPDATE ops SET id = 1" \
	"DROP TABLE ops" "VACUUM INTO 'x.db'" "PRAGMA journal_mode = WAL" "SELECT load_extension('x')" "SELECT fts3_tokenizer('simple')" "SELECT 1; SELECT 2" \
	"SELECT * FROM pragma_database_list" "SELEC 1" "SELECT * FROM no_such_table" "WITH RECURSIVE" "SELECT ?1, :name"; do
	"$TTPROF" sql "$ops" "$query" 2>&1 | grep -v '^see '
	echo "status ${PIPESTATUS[0]}"
done
"$TTPROF" sql "$ops" "  " 2>&1 | head -1
"$TTPROF" sql no/such/run "SELECT 1" 2>&1 | head -1
"$TTPROF" export --sqlite out.db "$ops" && "$TTPROF" export --sqlite out.db "$ops" 2>&1 | head -1
"$TTPROF" export --sqlite no/such/folder/out.db "$ops" 2>&1
"$TTPROF" export --sqlite x.db --json "$ops" 2>&1 | head -1
ls
