/* SPDX-License-Identifier: Apache-2.0
 *
 * RTLIL is read by the line, as in cut.c. A port is `wire width 3 input 1 \take_i`, an
 * assumption `cell $assume \label`.
 */
#include "environment.h"
#include "file.h"
#include "port_params.h"
#include "proof.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PROOF_PATH fail when they are opened */

/* Of the block's "Name=Value,Name=Value", writes those that the environment declares, with
 * blanks between. */
static bool own_params(const draw_t *d, const char *text, char *params, size_t size, trouble_t *trouble) {
  const block_t *b = d->block;
  char all[PORT_PARAMS_TEXT], name[PROOF_NAME];
  size_t length = 0;
  *params = '\0';
  if (!port_params(d->source, b->ports, b->params, PORT_PARAMS_ALL, all, sizeof all, trouble)) return false;
  for (const char *p = all; *p; p += strcspn(p, ","), p += *p == ',') {
    snprintf(name, sizeof name, "%.*s", (int)strcspn(p, "="), p);
    if (rtl_declares(text, name) && length < size)
      length += (size_t)snprintf(params + length, size - length, "%.*s ", (int)strcspn(p, ","), p);
  }
  return true;
}

typedef struct {
  const draw_t *draw;
  const char *module, *params;
  bool ok;
  trouble_t *trouble;
} values_t;

/* Callback of yosys_each_param: reports the first parameter of the environment with another
 * value. */
static void see_value(void *context, const char *module, const char *name, long long value, unsigned width) {
  values_t *v = context;
  long long wanted;
  if (!name || !v->ok || strcmp(module, v->module) || !yosys_param(v->params, name, &wanted) ||
      yosys_is_value(value, width, wanted))
    return;
  v->ok = trouble_set(
      v->trouble, TROUBLE_INPUT, "%s: %s of %s is %lld there, not %lld: declared as `parameter %s %s` it would be set",
      v->draw->environment, name, module, value, wanted, wanted == (int)wanted ? "int" : "longint", name);
}

/* Did the environment's parameters get their values? */
static answer_t check_values(const draw_t *d, const char *module, const char *params, trouble_t *trouble) {
  values_t v = {.draw = d, .module = module, .params = params, .ok = true, .trouble = trouble};
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/env.values", d->work);
  char *text = file_read(path);
  if (!text)
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s: Yosys should have written it", path, strerror(errno)),
           ANSWER_INFRA;
  yosys_each_param(text, see_value, &v);
  free(text);
  return v.ok ? ANSWER_HOLDS : ANSWER_BAD;
}

answer_t environment_read(const draw_t *d, trouble_t *trouble) {
  const block_t *b = d->block;
  char params[PORT_PARAMS_TEXT], module[PROOF_NAME + 8], plain[PLAIN_PATH], *text = file_read(d->environment);
  if (!text) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", d->environment, strerror(errno)), ANSWER_INFRA;
  const bool known = own_params(d, text, params, sizeof params, trouble);
  free(text);
  if (!known) return ANSWER_BAD;
  FILE *file = yosys_open(d->work, "env", trouble);
  if (!file) return ANSWER_INFRA;
  fprintf(file, "verilog_defaults -add -formal");
  yosys_print_tree(file, d->source, d->gen, *b->folder ? &b->read : NULL);
  fprintf(file, "\nread_verilog -sv %s\n", yosys_path(d->environment, plain));
  snprintf(module, sizeof module, "%s_env", b->name);
  yosys_print_top(file, module, params);
  yosys_print_top_end(file, module);
  fprintf(file, "tee -q -o %s/env.values dump -m i:*\nproc\n", d->work);
  yosys_print_checks(file, d->source, d->work);
  fprintf(file, "flatten\nopt_clean\nwrite_rtlil %s/env.il\n", d->work);
  yosys_writes(file, d->work, "env.values");
  yosys_writes(file, d->work, "env.il");
  answer_t answer = yosys_close(file, d->work, trouble);
  if (answer == ANSWER_HOLDS) answer = yosys_run(d->stop, d->context, d->work, "env", trouble);
  return answer == ANSWER_HOLDS ? check_values(d, module, params, trouble) : answer;
}

static FILE *open_il(const draw_t *d) {
  char path[PROOF_PATH];
  snprintf(path, sizeof path, "%s/env.il", d->work);
  return fopen(path, "r");
}

/* Reads the name of "  wire width 3 input 1 \name". name has 256 characters. */
static bool is_port(const char *line, char *name) {
  const char *input = strncmp(line, "  wire ", 7) == 0 ? strstr(line, " input ") : NULL;
  return input && sscanf(input, " input %*u \\%255s", name) == 1;
}

/* The block has the port when its module has a wire of that name. */
static bool has_port(const char *module, const char *name) {
  char end[264];
  snprintf(end, sizeof end, " \\%s\n", name);
  for (const char *at = module; (at = strstr(at, end)); at++) {
    const char *line = at;
    while (line > module && line[-1] != '\n') line--;
    if (strncmp(line, "  wire ", 7) == 0) return true;
  }
  return false;
}

/* The environment as a cell `lm_env`, each port connected to the wire of the same name. */
static bool print_cell(const draw_t *d, const char *module, FILE *to, trouble_t *trouble) {
  char *line = NULL, name[256];
  size_t room = 0;
  FILE *file = open_il(d);
  bool ok = file;
  fprintf(to, "  cell \\%s_env \\lm_env\n", d->block->name);
  while (ok && getline(&line, &room, file) > 0) {
    if (!is_port(line, name)) continue;
    ok = has_port(module, name);
    if (ok) fprintf(to, "    connect \\%s \\%s\n", name, name);
    else trouble_set(trouble, TROUBLE_INPUT, "%s: port %s is not a port of %s", d->environment, name, d->block->name);
  }
  fprintf(to, "  end\n");
  free(line);
  if (file) fclose(file);
  return ok;
}

bool environment_attach(const draw_t *d, const char *path, trouble_t *trouble) {
  char *text = file_read(path), *end = NULL;
  for (char *at = text; at && (at = strstr(at, "\nend\n")); at++) end = at + 1; /* of the module */
  FILE *file = end ? fopen(path, "w") : NULL;
  bool ok = file;
  trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  if (ok) fwrite(text, 1, (size_t)(end - text), file);
  ok = ok && print_cell(d, text, file, trouble) && fputs(end, file) >= 0;
  if (file && fclose(file)) ok = false;
  free(text);
  return ok;
}

char *environment_labels(const draw_t *d) {
  char *line = NULL, name[256], *labels = NULL;
  size_t room = 0, all = 0;
  FILE *file = open_il(d), *to = file ? open_memstream(&labels, &all) : NULL;
  while (to && getline(&line, &room, file) > 0)
    if (sscanf(line, " cell $assume %255s", name) == 1) fprintf(to, "%s ", name + (*name == '\\'));
  free(line);
  if (file) fclose(file);
  if (to) fclose(to);
  return labels;
}
