/* SPDX-License-Identifier: Apache-2.0
 *
 * sql_get FILE SQL: prints a question's rows, values joined by |, or does what the SQL says. For
 * the test scripts. Exit status 1: the database or the question is wrong.
 */
#include <sqlite3.h>
#include <stdio.h>

static int print_result_row(void *context, int count, char **values, char **names) {
  (void)context;
  (void)names;
  for (int i = 0; i < count; i++) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "");
  putchar('\n');
  return 0;
}

int main(int argc, char **argv) {
  sqlite3 *db;
  char *error = NULL;
  if (argc != 3) return fprintf(stderr, "usage: sql_get FILE SQL\n"), 2;
  int code = sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL);
  sqlite3_busy_timeout(db, 10000);
  if (code == SQLITE_OK) code = sqlite3_exec(db, argv[2], print_result_row, NULL, &error);
  if (code != SQLITE_OK) fprintf(stderr, "%s: %s\n", argv[1], error ? error : sqlite3_errmsg(db));
  sqlite3_free(error);
  sqlite3_close(db);
  return code != SQLITE_OK;
}
