/* SPDX-License-Identifier: Apache-2.0
 *
 * A Yosys script declares its outputs in comments, "# writes: FILE". yosys_run_for reads them
 * back.
 *
 *   remove outputs, .deps --> yosys --> status, log --> outputs complete?
 *                                                       no tri-state logic, no $check left?
 */
#include "yosys.h"
#include "aiger_file.h"
#include "file.h"
#include "port_arrived.h"
#include "port_names.h"
#include "port_params.h"
#include "process.h"
#include "proof.h"
#include "whole.h"
#include "yosys_command.h"

#include <unistd.h>

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

/* An error line is "FILE:LINE: ERROR: what", and the report drops its "ERROR: ". A full disk and
 * a lack of memory come first: an error line can follow from them. */
answer_t yosys_complain(int status, const char *tool, const char *log, const char *text, trouble_t *trouble) {
  const char *line = text ? strstr(text, "ERROR: ") : NULL, *start = line; /* "FILE:LINE: ERROR: what" */
  char said[PROOF_PATH];
  if (status == PROCESS_STOPPED) return ANSWER_STOPPED;
  if (status == PROCESS_TIMEOUT) return ANSWER_UNKNOWN;
  if (status == PROCESS_NOT_STARTED || !text)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s could not be started, or %s cannot be written: %s", tool, log,
                       strerror(errno)),
           ANSWER_INFRA;
  const bool full = strstr(text, "No space left on device") || (!line && whole_no_room(log)),
             memory = strstr(text, "bad_alloc") || strstr(text, "out of memory");
  if (full || memory)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s; its log is %s", tool,
                       full ? "no space left on the device" : "out of memory", log),
           ANSWER_INFRA;
  if (!line)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s ended with status %d and no answer; its log is %s", tool,
                       status, log),
           ANSWER_INFRA;
  while (start > text && start[-1] != '\n') start--;
  snprintf(said, sizeof said, "%.*s%.*s", (int)(line - start), start, (int)strcspn(line + 7, "\n"), line + 7);
  return trouble_set(trouble, TROUBLE_INPUT, "%s%s (%s)", said, rtl_advice(said, RTL_OTHER), log), ANSWER_BAD;
}

/* ---- what a script writes: a comment in it names each file */

static const char writes[] = "# writes: ", list_end[] = "lockstack: the end of this list";

/* How a file ends by its format; all others are lists. */
static const struct {
  const char *suffix, *end;
} formats[] = {{".il", "\nend\n"}, {".blif", "\n.end\n"}, {".smt2", "\n; end of yosys output\n"}, {".json", "\n}\n"}};

static bool has_suffix(const char *path, const char *suffix) {
  const size_t n = strlen(path), k = strlen(suffix);
  return n > k && strcmp(path + n - k, suffix) == 0;
}

/* How a complete file of this format ends; NULL: the file is a list. */
static const char *format_end(const char *path) {
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
    if (has_suffix(path, formats[i].suffix)) return formats[i].end;
  return NULL;
}

void yosys_writes(FILE *script, const char *work, const char *name) {
  if (!format_end(name) && !aiger_file_is(name)) fprintf(script, "tee -q -a %s/%s log %s\n", work, name, list_end);
  fprintf(script, "%s%s/%s\n", writes, work, name);
}

/* True when the last bytes of the file are `end`. */
static bool ends_with(const char *path, const char *end) {
  char last[64] = "";
  const size_t n = strlen(end);
  FILE *file = fopen(path, "rbe");
  const bool whole =
      file && fseek(file, -(long)n, SEEK_END) == 0 && fread(last, 1, n, file) == n && memcmp(last, end, n) == 0;
  if (file) fclose(file);
  return whole;
}

static bool is_output_whole(const char *path) {
  char list[sizeof list_end + 1];
  if (aiger_file_is(path)) return aiger_file_is_whole(path);
  snprintf(list, sizeof list, "%s\n", list_end);
  return ends_with(path, format_end(path) ? format_end(path) : list);
}

/* Calls each(path) for the declared outputs until one call says false, and returns that path.
 * NULL: no call did. *named: how many outputs were seen. */
static const char *each_file(const char *script, bool (*each)(const char *path), char *path, size_t size,
                             unsigned *named) {
  char *text = file_read(script);
  const char *found = NULL;
  *named = 0;
  for (const char *at = text; at && !found && (at = strstr(at, writes)); (*named)++) {
    at += sizeof writes - 1;
    snprintf(path, size, "%.*s", (int)strcspn(at, "\n"), at);
    if (!each(path)) found = path;
  }
  free(text);
  return found;
}

/* Callback: the file is gone afterwards. A file that was never there is no failure. */
static bool remove_output(const char *path) {
  return unlink(path) == 0 || errno == ENOENT;
}

bool yosys_forget(const char *script) {
  char path[PROOF_PATH];
  unsigned named;
  return !each_file(script, remove_output, path, sizeof path, &named) && named;
}

const char *yosys_unwritten(const char *script, char *path, size_t size) {
  unsigned named;
  const char *found = each_file(script, is_output_whole, path, size, &named);
  if (!found && !named) snprintf(path, size, "%s", script);
  return found || !named ? path : NULL;
}

/* Yosys ended with status 0. INFRA: one of its outputs is incomplete all the same. */
static answer_t see_files(const char *script, const char *log, trouble_t *trouble) {
  char path[PROOF_PATH];
  if (!yosys_unwritten(script, path, sizeof path)) return ANSWER_HOLDS;
  return whole_unwritten("yosys", path, log, trouble), ANSWER_INFRA;
}

answer_t yosys_run(bool (*stop)(void *context), void *context, const char *work, const char *stem, trouble_t *trouble) {
  return yosys_run_for(YOSYS_SECONDS, stop, context, work, stem, trouble);
}

/* "Warning: Yosys has only limited support for tri-state logic at the moment. (x.v:4)": Yosys
 * drops drivers. What it then proves, mutates or measures is another circuit, so this warning is
 * an error. */
static bool drops_tristate(const char *text, trouble_t *trouble) {
  const char *says = text ? strstr(text, "tri-state logic") : NULL;
  if (!says) return false;
  const char *place = says + strcspn(says, "(\n");
  const int n = *place == '(' ? (int)strcspn(place + 1, ")\n") : 0;
  trouble_set(trouble, TROUBLE_INPUT, "%.*s%stri-state logic, which Yosys drops: devices rtl and icarus have it", n,
              n ? place + 1 : "", n ? ": " : "");
  return true;
}

/* ---- assertions */

static const char left_checks[] = "checks.txt";

void yosys_print_checks(FILE *file, const char *source, const char *work) {
  fprintf(file,
          "techmap -autoproc -map %s/synth/checks.v t:$check\ntee -q -o %s/%s dump t:$check\n"
          "delete t:$check t:$print\n",
          source, work, left_checks);
}

/* checks.txt lists the assertions that checks.v could not map. It has the place first, "
 * attribute \src \"x.sv:3.5-3.17\"", and then "  cell $check \name". */
static bool has_left_checks(const char *work, trouble_t *trouble) {
  static const char cell[] = "\n  cell $check ", source[] = "\\src \"";
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/%s", work, left_checks);
  char *text = file_read(path);
  const char *found = text ? strstr(text, cell) : NULL, *place = found ? strstr(text, source) : NULL;
  place = place && place < found ? place + sizeof source - 1 : "";
  if (found)
    trouble_set(
        trouble, TROUBLE_INPUT,
        "%.*s: this assertion is in an always block with an asynchronous reset, which this Yosys does not follow; one "
        "of the clock alone would be right",
        (int)strcspn(place, ".|\""), place);
  free(text);
  return found;
}

/* checks.txt of an earlier run would be taken for this one's: not every script writes it. */
static void forget_checks(const char *work) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/%s", work, left_checks);
  unlink(path);
}

answer_t yosys_run_for(double seconds, bool (*stop)(void *context), void *context, const char *work, const char *stem,
                       trouble_t *trouble) {
  char script[PROOF_PATH], log[PROOF_PATH], deps[PROOF_PATH], *text;
  snprintf(script, sizeof script, "%s/%s.ys", work, stem);
  snprintf(log, sizeof log, "%s/%s.yosys.log", work, stem);
  snprintf(deps, sizeof deps, "%s/%s.deps", work, stem);
  unlink(deps), forget_checks(work);
  words_t command = {0};
  yosys_command(&command), words_split(&command, "-e:implicitly declared:-E", ":"), words_add(&command, "%s", deps),
      words_add(&command, "%s", script);
  const int status = yosys_forget(script) ? process_run(command.at, log, seconds, stop, context) : PROCESS_NOT_STARTED;
  words_free(&command);
  text = file_read(log);
  answer_t answer = status == 0 ? see_files(script, log, trouble) : yosys_complain(status, "yosys", log, text, trouble);
  if ((status == 0 || answer == ANSWER_BAD) && drops_tristate(text, trouble)) answer = ANSWER_BAD;
  else if (status == 0 && has_left_checks(work, trouble)) answer = ANSWER_BAD;
  free(text);
  return answer;
}

FILE *yosys_open(const char *work, const char *stem, trouble_t *trouble) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/%s.ys", work, stem);
  FILE *file = fopen(path, "w");
  if (!file) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  return file;
}

/* Removes a file that another function opened, by the path that /proc knows. */
static void remove_open(FILE *file) {
  char link[64], path[PROOF_PATH];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n > 0) path[n] = 0, file_drop(path);
}

answer_t yosys_close(FILE *file, const char *work, trouble_t *trouble) {
  bool written = !ferror(file) && fflush(file) == 0;
  if (!written) remove_open(file);
  if (fclose(file) == 0 && written) return ANSWER_HOLDS;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", work, strerror(errno)), ANSWER_INFRA;
}

void yosys_print_each(FILE *file, const char *folder, const char *pattern, const char *before) {
  char whole[PROOF_PATH];
  glob_t found;
  snprintf(whole, sizeof whole, "%s/%s", folder, pattern);
  if (glob(whole, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++) fprintf(file, "%s%s", before, found.gl_pathv[i]);
  globfree(&found);
}

void yosys_print_tree(FILE *file, const char *source, const char *gen, const rtl_t *own) {
  if (own) return;
  fprintf(file, " -I%s", gen);
  yosys_print_each(file, source, "rtl/*/", " -I");
  yosys_print_each(file, gen, "*_pkg.sv", "\nread_verilog -sv ");
}

const char *yosys_path(const char *path, char plain[PLAIN_PATH]) {
  trouble_t trouble;
  return *path == '/' && plain_file(path, plain, PLAIN_PATH, &trouble) ? plain : path;
}

/* `before` and the word, for each word of the list. */
static void print_word_list(FILE *file, const char *list, const char *before) {
  char word[PROOF_PATH], plain[PLAIN_PATH];
  while (rtl_next(&list, word, sizeof word)) fprintf(file, "%s%s", before, yosys_path(word, plain));
}

/* The file of the same name in the first folder that has it, else path itself. Where a path is a
 * plain name (harness/base/plain.h), the file's own name counts, too. */
static const char *choose_rtl_file(const char *path, const char *const instead[2], char *other) {
  char real[PATH_MAX];
  const char *const names[] = {strrchr(path, '/'), realpath(path, real) ? strrchr(real, '/') : NULL};
  for (unsigned i = 0; i < 4; i++) {
    if (!instead[i / 2] || !names[i % 2]) continue;
    snprintf(other, PROOF_PATH, "%s%s", instead[i / 2], names[i % 2]);
    if (access(other, R_OK) == 0) return other;
  }
  return path;
}

/* Folders for `include, in the order that Verilator has
 * (harness/lockstep/objects/recipe_verilator.c), and defines. */
static void print_options(FILE *file, const rtl_t *rtl, const char *const instead[2]) {
  for (unsigned i = 0; i < 2; i++)
    if (instead[i]) fprintf(file, " -I%s", instead[i]);
  print_word_list(file, rtl->libraries, " -I");
  print_word_list(file, rtl->includes, " -I");
  print_word_list(file, rtl->defines, " -D");
}

void yosys_print_rtl(FILE *file, const rtl_t *rtl, const char *const instead[2]) {
  char path[PROOF_PATH], other[PROOF_PATH], name[PLAIN_PATH];
  const char *at = rtl->files, *before = "";
  for (; rtl_next(&at, path, sizeof path); before = "\nread_verilog ") {
    const size_t n = strlen(path);
    const bool plain = rtl->verilog && n > 2 && strcmp(path + n - 2, ".v") == 0;
    fprintf(file, "%s-defer%s", before, plain ? "" : " -sv");
    print_options(file, rtl, instead);
    fprintf(file, " %s", yosys_path(choose_rtl_file(path, instead, other), name));
  }
  fprintf(file, "\nverilog_defaults -add");
  print_options(file, rtl, instead);
}

void yosys_print_libraries(FILE *file, const rtl_t *rtl) {
  print_word_list(file, rtl->libraries, " -libdir ");
}

/* ---- parameters */

/* "Name=Value" at *p: the lengths of both, and *p behind it; false: the end. */
typedef struct {
  const char *name, *value;
  int name_length, value_length;
} setting_t;

static bool next_setting(const char **p, setting_t *s) {
  *p += strspn(*p, ", ");
  const int whole = (int)strcspn(*p, ", ");
  s->name = *p, s->name_length = (int)strcspn(*p, "=");
  s->value = *p + s->name_length + 1, s->value_length = whole - s->name_length - 1;
  *p += whole;
  return whole > s->name_length;
}

void yosys_print_settings(FILE *file, const char *params) {
  setting_t s;
  char literal[PORT_LITERAL], name[PORT_NAME], verilog[PORT_NAME];
  const char *between = " #(";
  for (const char *p = params; next_setting(&p, &s); between = ", ") {
    snprintf(name, sizeof name, "%.*s", s.name_length, s.name);
    port_name_verilog(name, verilog);
    fprintf(file, "%s.%s(%s)", between, verilog, port_literal(s.value, s.value_length, literal));
  }
  if (*between == ',') fputc(')', file);
}

void yosys_print_top(FILE *file, const char *module, const char *params) {
  char verilog[PORT_NAME];
  port_name_verilog(module, verilog);
  fprintf(file, "read_verilog -sv <<EOT\nmodule lockstack_top; %s", verilog);
  yosys_print_settings(file, params);
  fprintf(file, " block (); endmodule\nEOT\nhierarchy -check -top lockstack_top");
}

void yosys_print_top_end(FILE *file, const char *module) {
  fprintf(file,
          "\nselect -set block lockstack_top/block %%M\nsetattr -mod -set top 1 @block\ndelete lockstack_top\n"
          "rename -top %s\n",
          module);
}

void yosys_print_params(FILE *file, const char *params, const char *module) {
  setting_t s;
  if (!*params) return;
  fprintf(file, "chparam");
  for (const char *p = params; next_setting(&p, &s);)
    fprintf(file, " -set %.*s %.*s", s.name_length, s.name, s.value_length, s.value);
  fprintf(file, " %s\n", module);
}

bool yosys_param(const char *params, const char *name, long long *value) {
  setting_t s;
  const size_t length = strlen(name);
  while (next_setting(&params, &s))
    if ((size_t)s.name_length == length && strncmp(s.name, name, length) == 0)
      return *value = strtoll(s.value, NULL, 0), true;
  return false;
}

/* Reads "5" or "32'1011". False: the text is no number (a string, or bits that are x). */
static bool read_param_number(const char *text, long long *value, unsigned *width) {
  char *end;
  const char *bits = strchr(text, '\'');
  const long number = strtol(text, &end, 10);
  *width = 32;
  if (bits) *width = number < 64 ? (unsigned)number : 64;
  *value = bits ? (long long)strtoull(bits + 1, &end, 2) : number;
  if (bits && number == 32) *value = (int32_t)*value; /* negative ones are printed so */
  return !*end;
}

/* Names of modules: "module \fifo", "module $paramod$0123abcd\fifo", "module
 * $paramod\fifo\Depth=s32'0011". */
void yosys_each_param(char *dump, yosys_see_param_t *see, void *context) {
  char module[1024] = "", name[256], value[256], *rest;
  long long number;
  unsigned width;
  for (char *line = strtok_r(dump, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    const char *base = strncmp(line, "module ", 7) ? NULL : strchr(line, '\\');
    if (base) {
      snprintf(module, sizeof module, "%.*s", (int)strcspn(base + 1, "\\"), base + 1);
      see(context, module, NULL, 0, 0);
    }
    if (sscanf(line, "  parameter signed \\%255s %255s", name, value) != 2 &&
        sscanf(line, "  parameter \\%255s %255s", name, value) != 2)
      continue;
    if (*module && read_param_number(value, &number, &width)) see(context, module, name, number, width);
  }
}

/* Compares `width` bits with a number twice: read as unsigned, and as signed. */
bool yosys_is_value(long long bits, unsigned width, long long wanted) {
  const unsigned above = 64 - width;
  const unsigned long long plain = (unsigned long long)bits << above;
  return wanted == (long long)(plain >> above) || wanted == (long long)plain >> above;
}

typedef struct {
  const char *module;
  char own[PORT_PARAMS_TEXT]; /* values that the module has by itself */
} own_t;

/* Callback: adds " Name=Value" for each parameter of the module itself. */
static void see_own(void *context, const char *module, const char *name, long long value, unsigned width) {
  own_t *own = context;
  (void)width;
  const size_t length = strlen(own->own);
  if (name && strcmp(module, own->module) == 0)
    snprintf(own->own + length, sizeof own->own - length, " %s=%lld", name, value);
}

/* Writes own.txt: the module's parameters as the RTL declares them. */
static answer_t ask_own(const yosys_module_t *m, trouble_t *trouble) {
  FILE *file = yosys_open(m->work, "own", trouble);
  if (!file) return ANSWER_INFRA;
  fprintf(file, "verilog_defaults -add %s -I%s", m->options, m->gen);
  yosys_print_each(file, m->source, "rtl/*/", " -I");
  yosys_print_each(file, m->gen, "*_pkg.sv", "\nread_verilog -sv ");
  fprintf(file, "\nread_verilog -sv %s\ntee -q -o %s/own.txt dump -m %s/i:*\n", m->rtl, m->work, m->module);
  yosys_writes(file, m->work, "own.txt");
  const answer_t written = yosys_close(file, m->work, trouble);
  return written == ANSWER_HOLDS ? yosys_run(m->stop, m->context, m->work, "own", trouble) : written;
}

answer_t yosys_other_params(const yosys_module_t *m, const char *params, char *other, size_t other_size,
                            trouble_t *trouble) {
  char path[PROOF_PATH], name[PROOF_NAME];
  own_t own = {.module = m->module};
  setting_t s;
  long long value;
  *other = 0;
  if (!*params) return ANSWER_HOLDS;
  const answer_t answer = ask_own(m, trouble);
  if (answer != ANSWER_HOLDS) return answer;
  snprintf(path, sizeof path, "%s/own.txt", m->work);
  char *text = file_read(path);
  if (!text) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: Yosys should have written it", path), ANSWER_INFRA;
  yosys_each_param(text, see_own, &own);
  free(text);
  while (next_setting(&params, &s)) {
    const size_t length = strlen(other);
    snprintf(name, sizeof name, "%.*s", s.name_length, s.name);
    if (yosys_param(own.own, name, &value) && value == strtoll(s.value, NULL, 0)) continue;
    snprintf(other + length, other_size - length, "%s%.*s", length ? "," : "", s.name_length + 1 + s.value_length,
             s.name);
  }
  return ANSWER_HOLDS;
}
