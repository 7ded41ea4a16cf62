/* SPDX-License-Identifier: Apache-2.0
 *
 * What a process judges, as the member `content` of its result, and whether all of it still is what
 * is there now. The tests build on each other: they run in the order of main().
 */
#include "content_json.h"
#include "file.h"
#include "judged.h"
#include "process.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/judged-XXXXXX";

/* Writes the file and returns its path, valid until the next call. */
static const char *write_in_folder(const char *name, const char *text) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
  return path;
}

/* The sum of this file in the document, "-" if it was not there, NULL if the document does not
 * name it. */
static const char *sum_in(const json_t *document, const char *name) {
  size_t i;
  const json_t *file;
  json_array_foreach(json_object_get(json_object_get(document, "content"), "files"), i, file) {
    const char *path = json_string_value(json_object_get(file, "path"));
    const json_t *sum = json_object_get(file, "sha256");
    if (strcmp(strrchr(path, '/') + 1, name) == 0) return json_is_null(sum) ? "-" : json_string_value(sum);
  }
  return NULL;
}

/* A result whose content is the files that were judged so far. */
static json_t *make_document(void) {
  return json_pack("{s:o}", "content", content_json());
}

/* Nobody asked for it: nothing is known. */
static void not_begun(void **state) {
  (void)state;
  content_t content = {0};
  judged_file(write_in_folder("a.sv", "1"));
  assert_false(judged_wanted());
  assert_false(judged_all(&content));
  assert_null(content_json());
}

/* The sum is that from before the file was read. Files that a forked copy of this process reads
 * count as well. */
static void files_and_copies(void **state) {
  (void)state;
  char sum[CONTENT_SUM];
  assert_true(judged_begin());
  judged_file(write_in_folder("a.sv", "1"));
  write_in_folder("a.sv", "2");
  judged_file(write_in_folder("a.sv", "2"));
  content_sum_bytes("1", 1, sum);
  const pid_t child = process_fork(0);
  if (child == 0) {
    judged_file(write_in_folder("b.sv", "b"));
    judged_tool("yosys");
    _exit(0);
  }
  assert_int_equal(process_wait(child), 0);
  judged_none("none.sv"); /* from where we are */
  json_t *d = make_document();
  assert_string_equal(sum_in(d, "a.sv"), sum);
  assert_non_null(sum_in(d, "b.sv"));
  assert_non_null(json_object_get(json_object_get(json_object_get(d, "content"), "tools"), "yosys"));
  assert_string_equal(sum_in(d, "none.sv"), "-");
  json_decref(d);
}

/* Each kind of change is told with the file's name. A change back is none, whatever the times
 * say. Another build of the program changes the whole, but not the files. */
static void is_it_so_now(void **state) {
  (void)state;
  trouble_t trouble;
  json_t *d = make_document();
  content_now_t now = {0};
  const struct {
    const char *name, *text, *why;
  } steps[] = {{"a.sv", "2", "a.sv has changed"},        {"a.sv", "1", NULL},
               {"b.sv", NULL, "b.sv is gone"},           {"b.sv", "b", NULL},
               {"none.sv", "x", "none.sv is there now"}, {"none.sv", NULL, NULL}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    if (steps[i].text) write_in_folder(steps[i].name, steps[i].text);
    else unlink(write_in_folder(steps[i].name, ""));
    const bool same = content_is_now(&now, d, &trouble);
    content_now_free(&now);
    assert_int_equal(same, steps[i].why == NULL);
    if (steps[i].why) assert_non_null(strstr(trouble.text, steps[i].why));
  }
  json_object_set_new(json_object_get(d, "content"), "program", json_string("0"));
  assert_false(content_is_now(&now, d, &trouble));
  assert_non_null(strstr(trouble.text, "another build"));
  assert_true(content_files_are_now(&now, d, &trouble));
  json_object_del(d, "content");
  assert_false(content_is_now(&now, d, &trouble));
  assert_non_null(strstr(trouble.text, "does not say of what it is"));
  content_now_free(&now);
  json_decref(d);
}

/* The same content has the same digest, in whatever order it was read; tools are not part of it. */
static void digests(void **state) {
  (void)state;
  json_t *first = make_document(), *now;
  judged_tool("gcc");
  now = make_document();
  assert_true(json_equal(json_object_get(json_object_get(first, "content"), "digest"),
                         json_object_get(json_object_get(now, "content"), "digest")));
  assert_non_null(json_object_get(json_object_get(json_object_get(now, "content"), "tools"), "gcc"));
  json_decref(now);
  judged_file(write_in_folder("c.sv", "c"));
  now = make_document();
  assert_false(json_equal(json_object_get(json_object_get(first, "content"), "digest"),
                          json_object_get(json_object_get(now, "content"), "digest")));
  json_decref(now);
  json_decref(first);
}

/* What came through a pipe cannot be checked again, and the pipe is not opened for that. */
static void pipes(void **state) {
  (void)state;
  char path[128];
  trouble_t trouble;
  content_now_t now = {0};
  snprintf(path, sizeof path, "%s/pipe", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  judged_file(path);
  json_t *d = make_document();
  assert_false(content_is_now(&now, d, &trouble));
  assert_non_null(strstr(trouble.text, "pipe"));
  content_now_free(&now);
  json_decref(d);
}

/* A tool is asked for its version once; then its size, inode and times tell whether it is the
 * same. The fake tool notes each time that it is asked. */
static void versions(void **state) {
  (void)state;
  char version[JUDGED_VERSION], path[256], script[256];
  snprintf(script, sizeof script, "#!/bin/sh\necho x >>%s/asked; echo 'Verilator 7.001 2030-01-01'\n", folder);
  snprintf(path, sizeof path, "%s", write_in_folder("verilator", script));
  chmod(path, 0700);
  setenv("XDG_CACHE_HOME", folder, 1);
  snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
  setenv("PATH", path, 1);
  for (int i = 0; i < 3; i++) assert_string_equal(judged_version("verilator", version), "7.001");
  snprintf(path, sizeof path, "%s/asked", folder);
  char *asked = file_read(path);
  assert_string_equal(asked, "x\n");
  free(asked);
  assert_string_equal(judged_version("no_such_tool", version), "");
}

/* A process that judged something unknown has no content to tell. */
static void unknown(void **state) {
  (void)state;
  const pid_t child = process_fork(0);
  if (child == 0) {
    judged_unknown();
    _exit(0);
  }
  assert_int_equal(process_wait(child), 0);
  assert_null(content_json());
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  return chdir("/") || !file_remove_all(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(not_begun),    cmocka_unit_test(files_and_copies),
                                     cmocka_unit_test(is_it_so_now), cmocka_unit_test(digests),
                                     cmocka_unit_test(pipes),        cmocka_unit_test(versions),
                                     cmocka_unit_test(unknown)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
