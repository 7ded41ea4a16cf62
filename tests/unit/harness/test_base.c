/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer below all others: processes, files, clocks, hashes, troubles, short lines, CSV. The
 * tests work in a folder of their own, with real processes and real time.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csv.h"
#include "entities.h"
#include "clock.h"
#include "file.h"
#include "hash.h"
#include "one_line.h"
#include "plain.h"
#include "process.h"
#include "rtl.h"
#include "trouble.h"
#include "unit_test.h"
#include "whole.h"

static char folder[] = "/tmp/lockstack-base-XXXXXX", path[4096];

/* A path in the test's folder, valid until the next call. */
static const char *in_folder(const char *name) {
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* Writes a file of this text into the test's folder. */
static void write_in_folder(const char *name, const char *text) {
  FILE *file = fopen(in_folder(name), "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* Runs a shell command with its output in the file `log`; 0 seconds: no limit. */
static int run_shell(const char *command, double seconds, bool (*stop)(void *context)) {
  char *argv[] = {"sh", "-c", (char *)command, NULL}, log[4096];
  snprintf(log, sizeof log, "%s/log", folder);
  return process_run(argv, log, seconds, stop, NULL);
}

/* The last command wrote exactly this. */
static void assert_log(const char *text) {
  char *log = file_read(in_folder("log"));
  assert_non_null(log);
  assert_string_equal(log, text);
  free(log);
}

/* A process_run() that asks this ends its program at the first chance. */
static bool stop_at_once(void *context) {
  (void)context;
  return true;
}

/* Exit codes, signals as 128 + number, and programs that cannot be started. Output and errors
 * are one log, and there is nothing to read. */
static void test_run(void **state) {
  (void)state;
  assert_int_equal(run_shell("echo said; echo wrong >&2; exit 5", 60, NULL), 5);
  assert_log("said\nwrong\n");
  assert_int_equal(run_shell("kill -9 $$", 60, NULL), 128 + SIGKILL);
  assert_int_equal(run_shell("cat", 0, NULL), 0); /* there is nothing to read */
  char *nobody[] = {"no-such-program-of-ours", NULL};
  assert_int_equal(process_run(nobody, in_folder("log"), 60, NULL, NULL), PROCESS_NOT_STARTED);
  assert_log("lockstack: no-such-program-of-ours: No such file or directory\n");
  assert_int_equal(process_run(nobody, "/no/such/folder/log", 60, NULL, NULL), PROCESS_NOT_STARTED);
}

/* A process whose time is over ends together with its children: none of them writes afterwards.
 * The child would write after 1 s, so 1.2 s later the log must still be empty; 50 s is half of
 * the sleep, so neither call waited for it. */
static void test_limits(void **state) {
  (void)state;
  const double start = clock_seconds();
  assert_int_equal(run_shell("(sleep 1; echo late) & sleep 100", 0.2, NULL), PROCESS_TIMEOUT);
  assert_int_equal(run_shell("sleep 100", 0, stop_at_once), PROCESS_STOPPED);
  assert_true(clock_seconds() - start < 50);
  clock_pause(1200);
  assert_log("");
}

static bool stops;

static bool is_stopped(void) {
  return stops;
}

/* Says at the first chance that the work is over. */
static char waited_for[256];

static void waits(const char *work, const char *program, double seconds) {
  snprintf(waited_for, sizeof waited_for, "%s %s", work ? work : "-", program ? program : "-");
  stops = seconds >= 0;
}

/* A watched tool ends with what watches it, or by its seconds of a processor; one that starts after
 * the end of the work runs on. */
static void test_watched(void **state) {
  (void)state;
  char *long_one[] = {"sleep", "100", NULL}, *busy[] = {"sh", "-c", "echo on; while :; do :; done", NULL},
       *quick[] = {"sh", "-c", "sleep 0.3; echo late", NULL}, *text;
  assert_int_equal(process_tool(&(process_t){.argv = busy, .cpu = 1}, &text, 0), 128 + SIGXCPU);
  assert_string_equal(text, "on\n");
  free(text);
  stops = false;
  process_supervise(is_stopped, waits);
  process_work("building");
  assert_int_equal(process_tool(&(process_t){.argv = long_one}, &text, 0), PROCESS_STOPPED);
  assert_string_equal(waited_for, "building sleep");
  free(text);
  assert_true(process_stopped());
  assert_int_equal(process_tool(&(process_t){.argv = quick}, &text, 0), 0);
  assert_string_equal(text, "late\n");
  free(text);
  process_work(NULL);
  assert_string_equal(waited_for, "- -");
  process_supervise(NULL, NULL);
}

/* A child has the folder, the variable and the output it was given, and no signal blocked.
 * SIGPIPE kills it. */
static void test_start(void **state) {
  (void)state;
  char *argv[] = {"sh", "-c", "pwd; echo $OF_OURS; kill -PIPE $$", NULL};
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGPIPE);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  const int out = open(in_folder("log"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  pid_t child = process_start(&(process_t){
      .argv = argv, .folder = folder, .variable = "OF_OURS", .value = "seven", .out = out, .session = true});
  sigprocmask(SIG_UNBLOCK, &blocked, NULL);
  close(out);
  assert_int_equal(process_wait(child), 128 + SIGPIPE);
  char *real = realpath(folder, NULL), *want = NULL;
  assert_true(asprintf(&want, "%s\nseven\n", real) > 0);
  assert_log(want);
  free(real);
  free(want);
  assert_int_equal(process_wait(child), -1);
}

/* With dies_with_us a child ends when its parent does: the pipe that it holds open closes. */
static void test_dies_with_us(void **state) {
  (void)state;
  int ends[2];
  char byte;
  assert_int_equal(pipe(ends), 0);
  pid_t parent = process_fork(0);
  if (!parent) {
    char *argv[] = {"sleep", "100", NULL};
    _exit(process_start(&(process_t){.argv = argv, .dies_with_us = SIGKILL}) > 0 ? 0 : 1);
  }
  close(ends[1]);
  assert_int_equal(process_wait(parent), 0);
  assert_int_equal(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

/* Output and exit status of a program; whether a program exists; our own path, which is
 * absolute. */
static void test_text(void **state) {
  (void)state;
  int status;
  char *argv[] = {"sh", "-c", "echo said; exit 3", NULL}, *nobody[] = {"no-such-program-of-ours", NULL};
  char *text = process_text(argv, &status);
  assert_string_equal(text, "said\n");
  assert_int_equal(status, 3);
  free(text);
  free(process_text(nobody, &status));
  assert_int_equal(status, PROCESS_NOT_STARTED);
  assert_true(process_there("sh"));
  assert_false(process_there("no-such-program-of-ours"));
  assert_int_equal(*process_self(), '/');
}

/* Whole files of any length, and limits that are kept to the byte: 30000 bytes do not fit into
 * 29999. */
static void test_files(void **state) {
  (void)state;
  char *text;
  assert_null(file_read(in_folder("nothing")));
  assert_int_equal(errno, ENOENT);
  assert_null(file_read(folder));
  assert_int_equal(errno, EISDIR);
  write_in_folder("empty", "");
  text = file_read(in_folder("empty"));
  assert_string_equal(text, "");
  free(text);
  FILE *file = fopen(in_folder("long"), "w");
  for (unsigned i = 0; i < 30000; i++) fputc('a' + (int)(i % 26), file);
  fclose(file);
  text = file_read(in_folder("long"));
  assert_int_equal(strlen(text), 30000);
  assert_int_equal(text[29999], 'a' + 29999 % 26);
  free(text);
  size_t size = 0;
  file = fopen(in_folder("long"), "r");
  assert_null(file_rest(file, 29999, &size));
  assert_int_equal(errno, EFBIG);
  rewind(file);
  text = file_rest(file, 30000, &size);
  assert_non_null(text);
  assert_int_equal(size, 30000);
  free(text);
  fclose(file);
}

/* 300000 bytes, more than a pipe holds at once; then the end of the pipe is no byte. */
static void test_pipe(void **state) {
  (void)state;
  enum { MUCH = 300000 };
  static char data[MUCH];
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = process_fork(0);
  if (!child) {
    memset(data, 7, sizeof data);
    _exit(file_put(ends[1], data, sizeof data) ? 0 : 1);
  }
  close(ends[1]);
  assert_true(file_get(ends[0], data, sizeof data));
  for (unsigned i = 0; i < MUCH; i++) assert_int_equal(data[i], 7);
  assert_false(file_get(ends[0], data, 1));
  assert_int_equal(process_wait(child), 0);
  close(ends[0]);
}

/* Folders are made with those above them; file_drop() keeps errno; a whole path has no .. in it. */
static void test_folders(void **state) {
  (void)state;
  assert_true(file_folder(in_folder("a/b/c")));
  assert_true(file_folder(in_folder("a/b/c/")));
  assert_true(file_folder("/"));
  write_in_folder("a/file", "x");
  char *there = file_whole_path(in_folder("a/b/../file")), *new = file_whole_path(in_folder("a/b/../new"));
  assert_string_equal(there, in_folder("a/file"));
  assert_string_equal(new, in_folder("a/new"));
  assert_null(file_whole_path(in_folder("a/none/new")));
  free(there);
  free(new);
  assert_false(file_folder(in_folder("a/file")));
  assert_int_equal(errno, ENOTDIR);
  assert_false(file_folder(in_folder("a/file/below")));
  errno = EIO;
  file_drop(in_folder("a/file"));
  assert_int_equal(errno, EIO);
  assert_int_equal(access(path, F_OK), -1);
  assert_true(file_remove_all(in_folder("a")));
  assert_int_equal(access(path, F_OK), -1);
  assert_true(file_remove_all(path)); /* it is gone */
}

/* CRC-32 of "123456789" (its published check value) and FNV-1a as they are published. Texts that
 * differ in their borders differ: a|bc is not ab|c. */
static void test_sums(void **state) {
  (void)state;
  uint32_t crc;
  write_in_folder("nine", "123456789");
  assert_true(file_crc32(in_folder("nine"), &crc));
  assert_int_equal(crc, 0xcbf43926);
  assert_false(file_crc32(in_folder("nothing"), &crc));
  assert_int_equal(crc, 0);
  assert_true(hash_text(HASH_EMPTY, "") == HASH_EMPTY);
  assert_true(hash_text(HASH_EMPTY, "a") == 0xaf63dc4c8601ec8cull); /* as FNV-1a is published */
  assert_true(hash_text(HASH_EMPTY, "foobar") == 0x85944171f73967e8ull);
  assert_true(hash_text(hash_byte(hash_text(HASH_EMPTY, "a"), 0), "bc") !=
              hash_text(hash_byte(hash_text(HASH_EMPTY, "ab"), 0), "c"));
}

/* Waiting takes time but none of the processor's: 30 ms, of which 1 ms may be missing. UTC is
 * written as 2026-01-31T12:00:00.000Z, 24 characters. */
static void test_clocks(void **state) {
  (void)state;
  char text[CLOCK_TEXT];
  const double start = clock_seconds(), own = clock_own();
  clock_pause(30);
  assert_true(clock_seconds() - start >= 0.029);
  assert_true(clock_own() - own < 0.029 && clock_own() >= own);
  assert_true(clock_cpu() >= clock_children());
  clock_utc(text);
  unsigned digits[7];
  assert_int_equal(sscanf(text, "%4u-%2u-%2uT%2u:%2u:%2u.%3uZ", digits, digits + 1, digits + 2, digits + 3, digits + 4,
                          digits + 5, digits + 6),
                   7);
  assert_int_equal(strlen(text), 24);
  assert_int_equal(text[23], 'Z');
}

/* A trouble is one line: newlines and tabs become blanks, other control characters question
 * marks. Kinds are the program's exit codes, 2 for input and 3 for the environment. */
static void test_troubles(void **state) {
  (void)state;
  trouble_t trouble = {0};
  assert_false(trouble_set(&trouble, TROUBLE_INPUT, "%s:%d: two\nlines", "x.c", 7));
  assert_int_equal(trouble.kind, 2);
  assert_string_equal(trouble.text, "x.c:7: two lines");
  assert_false(trouble_memory(&trouble));
  assert_int_equal(trouble.kind, 3);
  assert_false(trouble_set(&trouble, TROUBLE_INPUT, "a\tb\033[1Ac\a"));
  assert_string_equal(trouble.text, "a b?[1Ac?");
}

/* A file appears whole, or the old one stays, as after the first turn's EIO. A part that a
 * killed process left behind is removed. */
static void test_whole(void **state) {
  (void)state;
  whole_t whole;
  write_in_folder("kept", "old");
  char *name = strdup(in_folder("kept"));
  for (int error = EIO;; error = 0) {
    FILE *file = fopen(whole_begin(&whole, name), "w");
    fputs("new", file);
    assert_int_equal(whole_end(&whole, whole_close(file, error)), error);
    char *text = file_read(name);
    assert_string_equal(text, error ? "old" : "new");
    free(text);
    assert_int_equal(access(whole.part, F_OK), -1);
    if (!error) break;
  }
  FILE *file = fopen(whole_begin(&whole, name), "w"); /* and its process is killed */
  fputs("of another run", file);
  fclose(file);
  assert_int_equal(access(whole_begin(&whole, name), F_OK), -1);
  free(name);
}

/* A folder with odd characters in its path is reached by a link without them. */
static void test_plain(void **state) {
  (void)state;
  trouble_t trouble;
  char link[PLAIN_PATH], first[PLAIN_PATH], odd[PLAIN_PATH], buf[PLAIN_WORD];
  snprintf(first, sizeof first, "%.4000s/cache", folder);
  snprintf(odd, sizeof odd, "%.4000s/a b", folder);
  assert_true(file_folder(odd));
  assert_false(plain_path(odd));
  assert_true(plain_folder(odd, first, link, sizeof link, &trouble));
  assert_true(plain_path(link));
  struct stat a, b;
  assert_int_equal(stat(odd, &a), 0);
  assert_int_equal(stat(link, &b), 0);
  assert_int_equal(a.st_ino, b.st_ino);
  assert_string_equal(plain_word("it's", buf), "'it'\\''s'");
}

/* The program's build id, compared with readelf's. */
static void test_build_id(void **state) {
  (void)state;
  size_t size;
  int status;
  const unsigned char *id = process_build_id(&size);
  char *argv[] = {"readelf", "-n", (char *)process_self(), NULL}, hex[2 * 20 + 1], *text = process_text(argv, &status);
  assert_non_null(id);
  assert_int_equal(size, 20);
  for (size_t i = 0; i < size; i++) snprintf(hex + 2 * i, 3, "%02x", id[i]);
  assert_int_equal(status, 0);
  assert_non_null(strstr(text, hex));
  free(text);
}

/* The last line that says something, without blanks at its end; a carriage return begins a line,
 * too. */
static void test_last_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *line;
  } cases[] = {{"one\ntwo \t\n\n", "two"}, {"one", "one"}, {"9 %\r10 %\rwrong", "wrong"}, {" \n", ""}, {"", ""}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t length;
    const char *line = last_line(cases[i].text, &length);
    assert_int_equal(length, strlen(cases[i].line));
    assert_memory_equal(line, cases[i].line, length);
  }
}

/* What is written comes back, with quotes where a comma or a quote needs them. What is not one
 * field is told. */
static void test_csv(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"a b'c", "a b'c"}, {"a,b", "\"a,b\""}, {"a\"b", "\"a\"\"b\""}, {"\"", "\"\"\"\""}, {"", ""}};
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    csv_text(out, pairs[i][0]);
    fclose(out);
    assert_string_equal(text, pairs[i][1]);
    assert_string_equal(csv_last(text), pairs[i][0]);
    free(text);
  }
  char open[] = "\"a,b", behind[] = "\"a\"b";
  assert_null(csv_last(open));
  assert_null(csv_last(behind));
}

/* A line that is too long loses the middle of its longest words, and no more than necessary.
 * Without long words it loses its own middle. The buffer holds 40 characters and the end. */
static void test_lines(void **state) {
  (void)state;
  char line[41], word[13], name[61], longer[16];
  memset(name, 'x', 60);
  name[0] = '_', name[59] = 'T', name[60] = 0;
  assert_int_equal(line_printf(line, sizeof line, "%s %d", "what fits stays as it is", 12), 27);
  assert_string_equal(line, "what fits stays as it is 12");
  assert_int_equal(line_printf(line, sizeof line, "kernel %s: is wrong", name), 40);
  assert_string_equal(line, "kernel _xxxxxxxxxx...xxxxxxxxT: is wrong");
  assert_int_equal(line_printf(line, sizeof line, "%.39s%s", name, name + 59), 40); /* as long as there is room */
  assert_int_equal(strlen(line), 40);
  assert_null(strstr(line, "..."));
  assert_int_equal(line_printf(line, sizeof line, "%s as of %s", name, name), 39); /* both alike */
  assert_string_equal(line, "_xxxxxx...xxxxxT as of _xxxxxx...xxxxxT");
  /* words, but too many */
  assert_int_equal(line_printf(line, sizeof line, "a b c d e f g h i j k l m n o p q r s t u v w x y z"), 40);
  assert_string_equal(line, "a b c d e f g h i j... r s t u v w x y z");
  assert_int_equal(word_shorten(word, 12, "exactly12345", 12), 12);
  assert_string_equal(word, "exactly12345");
  assert_int_equal(word_shorten(word, 12, "thirteen12345", 13), 12);
  assert_string_equal(word, "thirt...2345");
  assert_int_equal(word_shorten(word, 5, name, 60), 5);
  assert_string_equal(word, "_...T");
  assert_int_equal(line_printf(longer, 1, "%s", name), 0);
  assert_string_equal(longer, "");
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  return file_remove_all(folder) ? 0 : -1;
}

/* Parameters of a module, but no comments, local parameters, nets or instances. */
static void test_declares(void **state) {
  (void)state;
  static const char text[] = "// parameter int Said = 1\n/* parameter Old = 2, */ module m #(parameter int Depth = 3,\n"
                             "  parameter [3:0] Wide=4, Next = 5,\n"
                             "  localparam int Sum = Depth + 1, parameter bit Last = 1'b1) (input wire clk);\n"
                             "  localparam Inner = 2; wire Net = clk;\n"
                             "  parameter Body = (Depth == 3);\n  assign x = Depth == 3;\nendmodule\n";
  static const char *const declared[] = {"Depth", "Wide", "Next", "Last", "Body"}, *const others[] = {
                                                                                       "Said",  "Old", "Sum",
                                                                                       "Inner", "Net", "Dept",
                                                                                       "x",     "m",   "clk"};
  for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
    if (!rtl_declares(text, declared[i])) fail_msg("%s is declared", declared[i]);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (rtl_declares(text, others[i])) fail_msg("%s is no parameter", others[i]);
}

/* Entities of Verilator's XML; what is none stays, and what comes out is not decoded again. */
static void test_entities(void **state) {
  (void)state;
  char text[] = "32&apos;sh4 &quot;a&#10;b&quot; &lt;&gt; &amp;quot; & &x; &#; &#65";
  entities_decode(text);
  assert_string_equal(text, "32'sh4 \"a\nb\" <> &quot; & &x; &#; &#65");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_run),      cmocka_unit_test(test_limits),       cmocka_unit_test(test_start),
      cmocka_unit_test(test_watched),  cmocka_unit_test(test_dies_with_us), cmocka_unit_test(test_text),
      cmocka_unit_test(test_files),    cmocka_unit_test(test_pipe),         cmocka_unit_test(test_folders),
      cmocka_unit_test(test_sums),     cmocka_unit_test(test_clocks),       cmocka_unit_test(test_troubles),
      cmocka_unit_test(test_whole),    cmocka_unit_test(test_plain),        cmocka_unit_test(test_build_id),
      cmocka_unit_test(test_lines),    cmocka_unit_test(test_last_line),    cmocka_unit_test(test_csv),
      cmocka_unit_test(test_declares), cmocka_unit_test(test_entities),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
