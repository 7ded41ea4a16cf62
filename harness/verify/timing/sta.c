/* SPDX-License-Identifier: Apache-2.0
 *
 * All files go into one folder under plain names. Messages about them are told with the user's
 * names.
 *
 *   ask.tcl           what is asked, then sources synth/sta.tcl and the script
 *   whole.v           the netlist
 *   cells0.lib, ...   Liberty files; packed ones are unpacked: OpenSTA reads no gzip
 *   constraints.sdc   the user's, if any
 *   answer.txt        the script's answer
 *   sta.log           OpenSTA's own output
 */
#include "sta.h"

#include "file.h"
#include "packed.h"
#include "process.h"
#include "rtl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths that are too long fail when they are opened */

enum { PATHS = 4096, SECONDS = 3600, PORT = 1024 }; /* PORT: names of ports */

/* ---- what OpenSTA is told: all in one folder, by plain names */

/* Writes a file of the folder. */
static bool put_sta_file(const sta_ask_t *ask, const char *name, const char *text, trouble_t *trouble) {
  char path[PATHS];
  snprintf(path, sizeof path, "%s/%s", ask->work, name);
  FILE *file = fopen(path, "we");
  bool ok = file && fputs(text, file) >= 0;
  if (file && fclose(file)) ok = false;
  return ok || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
}

/* The Liberty files to use: a corner's, or the cells' own. */
static const char *liberty_files(const sta_ask_t *ask) {
  return ask->libraries ? ask->libraries : ask->cells->files;
}

/* Copies the Liberty files, unpacked, and prints their new names to `names`. */
static bool put_libraries(const sta_ask_t *ask, FILE *names, trouble_t *trouble) {
  char path[RTL_LIST], name[64];
  unsigned i = 0;
  bool ok = true;
  for (const char *at = liberty_files(ask); ok && rtl_next(&at, path, sizeof path); i++) {
    char *text = packed_read(path, path, "Liberty file", trouble);
    snprintf(name, sizeof name, "cells%u.lib", i);
    ok = text && put_sta_file(ask, name, text, trouble);
    fprintf(names, " %s", name);
    free(text);
  }
  return ok;
}

static bool put_sdc(const sta_ask_t *ask, trouble_t *trouble) {
  char *text = ask->sdc ? file_read(ask->sdc) : NULL;
  if (ask->sdc && !text) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", ask->sdc, strerror(errno));
  const bool ok = !text || put_sta_file(ask, "constraints.sdc", text, trouble);
  free(text);
  return ok;
}

/* Writes the netlist without its parameters, which OpenSTA does not read. Only memory macros
 * have any, and these are no cells for OpenSTA. Yosys writes " #(", a line for each parameter,
 * and "  ) ". */
static bool put_netlist(const sta_ask_t *ask, trouble_t *trouble) {
  char *text = strdup(ask->netlist), *to = text;
  const char *from = ask->netlist, *at, *end;
  if (!text) return trouble_memory(trouble);
  for (; (at = strstr(from, " #(\n")) && (end = strstr(at, "\n  ) ")); from = end + 4) {
    memcpy(to, from, (size_t)(at - from));
    to += at - from;
  }
  snprintf(to, strlen(from) + 1, "%s", from);
  const bool ok = put_sta_file(ask, "whole.v", text, trouble);
  free(text);
  return ok;
}

/* Reads the name behind `key` of "clock clk_i\nreset rst_ni\n"; "" when it is not there. */
static void take_port(const char *text, const char *key, char to[PORT]) {
  const char *at = strstr(text, key);
  *to = 0;
  if (at) snprintf(to, PORT, "%.*s", (int)strcspn(at + strlen(key), "\n"), at + strlen(key));
}

/* The clock's period goes to OpenSTA in seconds. */
static bool put_ask(const sta_ask_t *ask, trouble_t *trouble) {
  char clock[PORT], resets[PORT];
  take_port(ask->clocking, "clock ", clock), take_port(ask->clocking, "reset ", resets);
  const liberty_cell_t *driver = liberty_driver(&ask->cells->library);
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return trouble_memory(trouble);
  fprintf(to, "cd {%s}\nset top {%s}\nset netlist whole.v\nset answer answer.txt\nset clock {%s}\nset ideal {%s %s}\n",
          ask->work, ask->top, clock, clock, resets);
  fprintf(to, "set period %.9g\nset sdc {%s}\nset driver {%s}\nset paths %u\n",
          ask->period * ask->cells->path_ps * 1e-12, ask->sdc ? "constraints.sdc" : "", driver ? driver->name : "",
          ask->paths);
  fputs("set libraries {", to);
  bool ok = put_libraries(ask, to, trouble);
  const int folder = (int)(strrchr(ask->script, '/') - ask->script);
  fprintf(to, " }\nsource {%.*s/sta.tcl}\nsource {%s}\n", folder, ask->script, ask->script);
  if (fclose(to)) ok = trouble_memory(trouble);
  ok = ok && put_sta_file(ask, "ask.tcl", text, trouble) && put_netlist(ask, trouble) && put_sdc(ask, trouble);
  free(text);
  return ok;
}

/* ---- what it said */

/* The user's name of the file at the start of text ("cells0.lib", "constraints.sdc"), with the
 * length of that start. NULL: none of our files. path is a buffer for the name. */
static const char *file_named(const sta_ask_t *ask, const char *text, size_t *length, char path[RTL_LIST]) {
  static const char sdc[] = "constraints.sdc";
  unsigned number;
  int end = 0;
  if (ask->sdc && strncmp(text, sdc, sizeof sdc - 1) == 0) return *length = sizeof sdc - 1, ask->sdc;
  if (strncmp(text, "cells", 5) || sscanf(text + 5, "%u.lib%n", &number, &end) != 1 || !end) return NULL;
  const char *at = liberty_files(ask);
  *length = 5 + (size_t)end;
  for (bool more = true; more && (more = rtl_next(&at, path, RTL_LIST));)
    if (!number--) return path;
  return NULL;
}

/* OpenSTA's forms are "constraints.sdc, 4 port 'x' not found." and "cells0.lib, line 3 TEXT". */
bool sta_placed(const sta_ask_t *ask, const char *text, trouble_t *trouble) {
  char path[RTL_LIST];
  size_t n;
  const char *file = file_named(ask, text, &n, path), *line = text;
  if (!file || strncmp(text + n, ", ", 2)) return false;
  line = text + n + 2;
  line += strncmp(line, "line ", 5) ? 0 : 5;
  const char *what = line + strspn(line, "0123456789");
  what += strspn(what, " ");
  trouble_set(trouble, TROUBLE_INPUT, "%s:%.*s: %.*s", file, (int)strspn(line, "0123456789"), line,
              (int)strcspn(what, "\n"), what);
  return true;
}

/* A warning about the sdc is an error: a constraint that OpenSTA leaves out would change the
 * verdict silently. Liberty files have much that OpenSTA does not use, so there only errors
 * count. */
static bool check_log(const sta_ask_t *ask, const char *log, trouble_t *trouble) {
  static const char warning[] = "Warning: ", error[] = "Error: ";
  const char *other = NULL;
  for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const bool warns = strncmp(line, warning, sizeof warning - 1) == 0,
               fails = strncmp(line, error, sizeof error - 1) == 0;
    const char *text = line + (warns ? sizeof warning - 1 : sizeof error - 1);
    if (!warns && !fails) continue;
    if ((fails || strncmp(text, "constraints", 11) == 0) && sta_placed(ask, text, trouble)) return false;
    if (fails && !other) other = text;
  }
  return !other || trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA says: %.*s", (int)strcspn(other, "\n"), other);
}

/* Always false. */
static bool take_error(const sta_ask_t *ask, const char *text, trouble_t *trouble) {
  if (strncmp(text, "Error: ", 7) == 0) text += 7;
  return !sta_placed(ask, text, trouble) &&
         trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA says: %s", *text ? text : "an error without a word");
}

/* The answer, unless the log has an error. */
static char *read_answer(const sta_ask_t *ask, const char *log, trouble_t *trouble) {
  char path[PATHS];
  snprintf(path, sizeof path, "%s/answer.txt", ask->work);
  char *text = file_read(path);
  if (!text)
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA ended without an answer; what it said is in %s/sta.log",
                ask->work);
  if (!text || check_log(ask, log, trouble)) return text;
  return free(text), NULL;
}

char *sta_run(const sta_ask_t *ask, char **log, trouble_t *trouble) {
  char script[PATHS], path[PATHS], answer[PATHS], *argv[] = {"sta", "-no_init", "-no_splash", "-exit", script, NULL};
  *log = NULL;
  if (!process_there("sta"))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA (sta) is not installed: package opensta has it"), NULL;
  if (!put_ask(ask, trouble)) return NULL;
  snprintf(script, sizeof script, "%s/ask.tcl", ask->work), snprintf(path, sizeof path, "%s/sta.log", ask->work);
  snprintf(answer, sizeof answer, "%s/answer.txt", ask->work), remove(answer);
  const int status = process_run(argv, path, SECONDS, ask->stop, ask->context);
  if (status == PROCESS_STOPPED) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "interrupted"), NULL;
  if (status == PROCESS_TIMEOUT)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA took more than %d s", SECONDS), NULL;
  if (status)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA ended with %d; what it said is in %s", status, path),
           NULL;
  *log = file_read(path);
  return *log ? read_answer(ask, *log, trouble)
              : (trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno)), NULL);
}

/* Splits at tabs, in place; words that are missing are "". */
static void split_answer_line(char *line, char *field[STA_FIELDS]) {
  static char none[] = "";
  for (unsigned i = 0; i < STA_FIELDS; i++) {
    field[i] = line ? line : none;
    if (line && (line = strchr(line, '\t'))) *line++ = 0;
  }
}

bool sta_lines(const sta_ask_t *ask, char *answer,
               bool (*take)(void *context, char *const field[STA_FIELDS], trouble_t *trouble), void *context,
               trouble_t *trouble) {
  char *field[STA_FIELDS];
  for (char *line = answer, *next; line && *line; line = next) {
    if ((next = strchr(line, '\n'))) *next++ = 0;
    split_answer_line(line, field);
    if (strcmp(line, "end") == 0) return true;
    if (strcmp(line, "error") == 0) return take_error(ask, field[1], trouble);
    if (!take(context, field, trouble)) return false;
  }
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA's answer ends in the middle");
}

unsigned sta_left_out(const sta_ask_t *ask, const char *log, char **first) {
  static const char warning[] = "Warning: ";
  trouble_t place;
  unsigned count = 0;
  *first = NULL;
  for (; (log = strstr(log, warning)); log++)
    if (strncmp(log + sizeof warning - 1, "constraints", 11) && sta_placed(ask, log + sizeof warning - 1, &place) &&
        !count++)
      *first = strdup(place.text);
  return count;
}
