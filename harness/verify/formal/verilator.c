/* SPDX-License-Identifier: Apache-2.0
 *
 * Yosys cuts a value to its parameter's type, as Verilator does. But Yosys does not say whether
 * a value has a sign. Verilator does, so Verilator answers for all values.
 */
#include "verilator.h"
#include "file.h"
#include "flat.h"
#include "port_arrived.h"
#include "port_names.h"
#include "port_params.h"
#include "process.h"
#include "whole.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, SECONDS = 300 };

/* Adds each word of `list` with `before` in front. alone: an option that is a word of its own
 * ("-y"). */
static void add_list(words_t *w, const char *alone, const char *before, const char *list) {
  char word[PATH];
  while (rtl_next(&list, word, sizeof word)) {
    if (*alone) words_add(w, "%s", alone);
    words_add(w, "%s%s", before, word);
  }
}

/* "Depth=4,Width=8" becomes -GDepth=4 -GWidth=8, each value as a Verilog literal. */
static void add_params(words_t *w, const char *params) {
  char literal[PORT_LITERAL];
  for (const char *p = params; *p; p += strcspn(p, ","), p += *p == ',') {
    const int name = (int)strcspn(p, "="), whole = (int)strcspn(p, ",");
    char rtl[PORT_NAME], encoded[PORT_NAME];
    snprintf(rtl, sizeof rtl, "%.*s", name, p);
    port_name_encoded(rtl, encoded);
    words_add(w, "-G%s=%s", encoded, port_literal(p + name + 1, whole - name - 1, literal));
  }
}

/* Reports the first "%Error: t.v:3:4: syntax error" without its "%Error: ". No such line: the
 * tool itself failed. */
static bool say_error(const char *text, trouble_t *trouble) {
  const char *at = text ? strstr(text, "%Error") : NULL;
  if (!at) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "verilator: no answer: %.200s", text ? text : "");
  char line[PATH];
  const char *what = strstr(at, ": ");
  snprintf(line, sizeof line, "%.*s", (int)strcspn(what ? what + 2 : at, "\n"), what ? what + 2 : at);
  return trouble_set(trouble, TROUBLE_INPUT, "%.300s%s", line, rtl_advice(line, RTL_VERILATOR));
}

/* The last line of a complete file closes the root element. */
static bool xml_is_whole(const char *path) {
  static const char last[] = "</verilator_xml>\n";
  char *text = file_read(path);
  const size_t n = text ? strlen(text) : 0, k = sizeof last - 1;
  const bool whole = n >= k && strcmp(text + n - k, last) == 0;
  free(text);
  return whole;
}

/* The order of files matters: packages come before the block's files. Warnings do not end the
 * run. named: parameters by the RTL's names. */
static void build_verilator_command(const verilator_xml_t *j, const rtl_t *rtl, const char *named, words_t *w) {
  words_split(w, "verilator --xml-only --no-timing -Wno-fatal -Wno-lint -Wno-style +libext+.sv --top-module", " ");
  words_add(w, "%s", j->module), words_add(w, "--xml-output"), words_add(w, "%s", j->xml), words_add(w, "--Mdir"),
      words_add(w, "%s", j->work);
  if (rtl->verilog) words_add(w, "+1364-2005ext+v");
  add_list(w, "-y", "", rtl->libraries);
  add_list(w, "-y", "", j->library);
  add_list(w, "", "-I", rtl->includes);
  add_list(w, "", "-D", rtl->defines);
  add_list(w, "", "", rtl->flags);
  add_params(w, named);
  add_list(w, "", "", rtl->files);
}

/* Runs the command; all that it says as a text, which the caller frees. PROCESS_TIMEOUT: it takes
 * too long. */
static char *run_verilator(const words_t *w, const char *work, int *status) {
  char log[PATH];
  snprintf(log, sizeof log, "%.4000s/verilator.log", work);
  *status = process_run(w->at, log, process_limit(SECONDS), NULL, NULL);
  return file_read(log);
}

static bool run_job(const verilator_xml_t *j, const rtl_t *rtl, const char *named, char **said, trouble_t *trouble) {
  words_t w = {0};
  int status;
  build_verilator_command(j, rtl, named, &w);
  if (!process_there("verilator"))
    return words_free(&w), trouble_set(trouble, TROUBLE_ENVIRONMENT, "verilator is not installed");
  char *text = run_verilator(&w, j->work, &status);
  if (status == PROCESS_STOPPED) {
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "interrupted");
    return free(text), words_free(&w), false;
  }
  if (status == PROCESS_TIMEOUT) {
    trouble_set(trouble, TROUBLE_INPUT,
                "module %s: verilator is not at its end after %.0f s; smaller parameters would be right, or a larger "
                "LOCKSTACK_TOOL_SECONDS",
                j->module, process_limit(SECONDS));
    return free(text), words_free(&w), false;
  }
  const bool ok =
      status ? say_error(text, trouble) : xml_is_whole(j->xml) || whole_unwritten("verilator", j->xml, NULL, trouble);
  if (said && !ok) *said = text;
  else free(text);
  words_free(&w);
  return ok;
}

/* ---- interfaces as ports */

typedef struct {
  const verilator_xml_t *job;
  rtl_t *rtl; /* with the text that has no interfaces as ports */
  char **said;
} flat_run_t;

static bool elaborate_flat(void *context, const char *params, trouble_t *trouble) {
  const flat_run_t *run = context;
  return run_job(run->job, run->rtl, params, run->said, trouble);
}

/* The file that declares the module of the job. False: none of the list. */
static bool find_file(const verilator_xml_t *j, char path[PATH]) {
  for (const char *at = j->rtl->files; rtl_next(&at, path, PATH);)
    if (rtl_file_has(path, "module", j->module)) return true;
  return false;
}

/* The same list of files with `to` in the place of `from`. */
static void replace_file(const rtl_t *rtl, const char *from, const char *to, rtl_t *changed) {
  char path[PATH];
  *changed = *rtl;
  *changed->files = 0;
  for (const char *at = rtl->files; rtl_next(&at, path, sizeof path);)
    rtl_add(changed->files, strcmp(path, from) ? path : to);
}

static bool run_flat(const verilator_xml_t *j, const char *file, const char *named, char **said, trouble_t *trouble) {
  char to[PATH];
  snprintf(to, sizeof to, "%.4000s/flat.sv", j->work);
  rtl_t *rtl = malloc(sizeof *rtl);
  if (!rtl) return trouble_memory(trouble);
  replace_file(j->rtl, file, to, rtl);
  flat_run_t run = {.job = j, .rtl = rtl, .said = said};
  const flat_job_t flat = {.file = file,
                           .shown = file,
                           .module = j->module,
                           .params = named,
                           .to = to,
                           .xml = j->xml,
                           .elaborate = elaborate_flat,
                           .context = &run};
  const bool ok = flat_make(&flat, trouble) == FLAT_MADE && run_job(j, rtl, named, said, trouble);
  free(rtl);
  return ok;
}

bool verilator_xml(const verilator_xml_t *j, char **said, trouble_t *trouble) {
  char named[PORT_PARAMS_TEXT] = "", file[PATH];
  if (!rtl_named_params(j->rtl, j->params, named, sizeof named)) *named = 0;
  if (find_file(j, file) && flat_wanted(file, j->module)) return run_flat(j, file, named, said, trouble);
  return run_job(j, j->rtl, named, said, trouble);
}

/* ---- parameters */

/* Reads the port file with the job's parameters set. The caller frees tree and file, also after
 * a failure. */
static bool read_ports(const verilator_xml_t *j, const char *ports, port_tree_t *tree, port_file_t *file,
                       trouble_t *trouble) {
  const char *settings[PORT_PARAMS_TEXT / 2];
  unsigned count = 0;
  char text[PORT_PARAMS_TEXT], list[RTL_LIST], *rest;
  snprintf(text, sizeof text, "%s", j->params);
  for (char *s = strtok_r(text, ",", &rest); s; s = strtok_r(NULL, ",", &rest)) settings[count++] = s;
  const char *names[PORT_PARAMS_TEXT / 2];
  unsigned num_names = 0;
  snprintf(list, sizeof list, "%s", j->rtl->params);
  for (char *n = strtok_r(list, "\n", &rest); n; n = strtok_r(NULL, "\n", &rest)) names[num_names++] = n;
  return port_tree_read(tree, j->source, trouble) && port_file_read(file, tree, ports, settings, count, trouble) &&
         port_file_params(file, names, num_names, trouble);
}

/* Verilator failed. If it fails without parameters, too, the values are not the cause: HOLDS. A
 * parameter that the RTL does not have is BAD, with a line about that parameter. */
static answer_t explain_refusal(const verilator_xml_t *j, const port_file_t *file, const char *said,
                                const trouble_t *why, trouble_t *trouble) {
  verilator_xml_t without = *j;
  trouble_t other;
  without.params = "";
  if (why->kind == TROUBLE_INPUT && !port_known(file, j->module, said, trouble)) return ANSWER_BAD;
  if (why->kind == TROUBLE_INPUT && !verilator_xml(&without, NULL, &other)) return ANSWER_HOLDS;
  *trouble = *why;
  return why->kind == TROUBLE_INPUT ? ANSWER_BAD : ANSWER_INFRA;
}

answer_t verilator_arrived(const verilator_xml_t *job, const char *ports, const char *params, trouble_t *trouble) {
  char all[PORT_PARAMS_TEXT], *said = NULL;
  verilator_xml_t j = *job;
  trouble_t why;
  port_tree_t tree = {0};
  port_file_t file = {0};
  if (!port_params(j.source, ports, params, PORT_PARAMS_ALL, all, sizeof all, trouble)) return ANSWER_BAD;
  j.params = all;
  if (!*all) return ANSWER_HOLDS;
  answer_t answer = read_ports(&j, ports, &tree, &file, trouble) ? ANSWER_HOLDS : ANSWER_BAD;
  if (answer == ANSWER_HOLDS && !verilator_xml(&j, &said, &why))
    answer = explain_refusal(&j, &file, said ? said : "", &why, trouble);
  else if (answer == ANSWER_HOLDS && !port_arrived(&file, j.xml, NULL, trouble)) answer = ANSWER_BAD;
  port_file_free(&file), port_tree_free(&tree);
  free(said);
  return answer;
}
