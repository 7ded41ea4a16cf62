/* SPDX-License-Identifier: Apache-2.0
 *
 * Each file has a function that writes it. Ports keep the RTL's names, unless all of them end in
 * _i or _o: then the port file drops these endings.
 */
#include "scaffold.h"
#include "scaffold_inside.h"
#include "file.h"
#include "plain.h"
#include "port_names.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

bool scaffold_name(const char *name) {
  return strlen(name) < 64 && port_name_plain(name);
}

/* ---- names of ports */

/* Clock and reset have lines of their own in the port file. */
bool scaffold_is_data(const scaffold_t *s, const module_port_t *p) {
  return !look_is_clock(s->pins, p->name) && !look_is_reset(s->pins, p->name);
}

/* The letters of the interface in the port's name: "s" of s.in and s.out; 0: a plain port. */
static size_t interface_length(const module_t *m, const module_port_t *p) {
  const char *dot = strrchr(p->name, '.');
  return m->flat && dot && !strcmp(dot, p->output ? ".out" : ".in") ? (size_t)(dot - p->name) : 0;
}

static bool ends_as_ours(const module_port_t *p) {
  const size_t n = strlen(p->name);
  return n > 2 && strcmp(p->name + n - 2, p->output ? "_o" : "_i") == 0;
}

/* Do all inputs end in _i and all outputs in _o? */
static bool all_as_ours(const scaffold_t *s) {
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++)
    if (scaffold_is_data(s, p) && !interface_length(s->module, p) && !ends_as_ours(p)) return false;
  return true;
}

/* The port's name in the port file. */
const char *scaffold_field(const scaffold_t *s, const module_port_t *p) {
  return s->fields[p - s->module->ports];
}

static const char *param_name(const scaffold_t *s, const module_param_t *p) {
  return s->params[p - s->module->params];
}

/* Is it a name of another port, or of one of so many parameters? Inputs and outputs are fields of
 * two structs. Benches have clock and reset beside a `name`_i and a `name`_o for each port. `port`:
 * whose name it will be; NULL: a parameter's. */
static bool is_given(const scaffold_t *s, const module_port_t *port, unsigned params, const char *name) {
  const bool data = port && scaffold_is_data(s, port);
  char other[PORT_NAME + 4];
  for (unsigned i = 0; i < s->module->num_ports; i++) {
    const module_port_t *p = &s->module->ports[i];
    if (data && scaffold_is_data(s, p) && p->output != port->output) continue;
    snprintf(other, sizeof other, "%s%s", s->fields[i], p->output ? "_o" : "_i");
    if (strcmp(s->fields[i], name) == 0 || (port && !data && strcmp(other, name) == 0)) return true;
  }
  for (unsigned i = 0; i < params; i++)
    if (strcmp(s->params[i], name) == 0) return true;
  return false;
}

const char *scaffold_expr(const scaffold_t *s, const char *expr, char text[2 * MODULE_EXPR]) {
  const module_t *m = s->module;
  size_t n = 0;
  for (size_t length; *expr && n + 1 < 2 * MODULE_EXPR; expr += length) {
    const char *name = NULL;
    for (length = 0; isalnum((unsigned char)expr[length]) || expr[length] == '_';) length++;
    for (unsigned i = 0; length && i < m->num_params; i++)
      if (strlen(m->params[i].name) == length && strncmp(m->params[i].name, expr, length) == 0) name = s->params[i];
    if (!length) length = 1;
    n += (size_t)snprintf(text + n, 2 * MODULE_EXPR - n, "%.*s", name ? (int)strlen(name) : (int)length,
                          name ? name : expr);
  }
  return text;
}

/* Names that differ in C: `_` is appended until they do. Data ports come first, so that clock and
 * reset make room for them. */
static bool name_fields(scaffold_t *s) {
  const module_t *m = s->module;
  const int cut = all_as_ours(s) ? 2 : 0;
  char rtl[PORT_NAME];
  s->fields = calloc(MODULE_PORTS, sizeof *s->fields), s->params = calloc(MODULE_PARAMS, sizeof *s->params);
  for (int data = 1; s->fields && s->params && data >= 0; data--)
    for (unsigned i = 0; i < m->num_ports; i++) {
      if (scaffold_is_data(s, &m->ports[i]) != data) continue;
      const size_t interface = interface_length(m, &m->ports[i]);
      snprintf(rtl, sizeof rtl, "%.*s", interface ? (int)interface : (int)strlen(m->ports[i].name) - (data ? cut : 0),
               m->ports[i].name);
      char name[PORT_NAME];
      port_name_model(rtl, name);
      while (is_given(s, &m->ports[i], 0, name)) strcat(name, "_");
      memcpy(s->fields[i], name, sizeof name);
    }
  for (unsigned i = 0; s->fields && s->params && i < m->num_params; i++) {
    char name[PORT_NAME];
    port_name_param(m->params[i].name, name);
    while (is_given(s, NULL, i, name)) strcat(name, "_");
    memcpy(s->params[i], name, sizeof name);
  }
  return s->fields && s->params;
}

/* Is the port a struct or an array, which is made of several values? */
static bool has_fields(const scaffold_t *s, const module_port_t *p) {
  const module_t *m = s->module;
  if (p->array.num_dims) return true;
  for (const module_leaf_t *l = m->leaves; l < m->leaves + m->num_leaves; l++)
    if (&m->ports[l->port] == p) return *l->path;
  return false;
}

/* ---- the files */

/* A guess at the least value; a parameter of one bit may be 0. */
static long long guess_least(const module_param_t *p) {
  return p->value < 1 ? p->value : p->largest != 1;
}

/* A guess at the largest value: four times the default, but no more than the type holds. */
static long long guess_most(const module_param_t *p) {
  if (p->value < 1) return p->largest < 1 ? p->largest : 1;
  return p->value > p->largest / 4 ? p->largest : 4 * p->value;
}

/* Clock and reset in the port file. */
static const char *pin_name(const scaffold_t *s, const char *rtl, size_t n) {
  for (unsigned i = 0; i < s->module->num_ports; i++)
    if (strlen(s->module->ports[i].name) == n && strncmp(s->module->ports[i].name, rtl, n) == 0) return s->fields[i];
  return rtl; /* of RTL that is made: one clock, one reset */
}

/* How a block without a reset begins. */
static void write_power_up(const look_pins_t *pins, FILE *out) {
  if (pins->initial) fprintf(out, "RESET(initial)\n");
  else if (!*pins->clock) fprintf(out, "RESET(none, 0)\n");
  else
    fprintf(out,
            "/* Registers begin with any value; after %u cycles of zeros outputs are compared. That number is the\n"
            " * longest way through registers; if some keep what they had at power-up, say when they do not. */\n"
            "RESET(none, %u)\n",
            pins->uncompared, pins->uncompared);
}

static void write_clocks(const scaffold_t *s, FILE *out) {
  const look_pins_t *pins = s->pins;
  if (!*pins->clock) fprintf(out, "CLOCK(none)\n");
  if (strchr(pins->clocks, ',')) fprintf(out, "/* They are one clock here: what crosses is not checked. */\n");
  for (const char *at = pins->clocks; *at; at += strcspn(at, ","), at += *at == ',')
    fprintf(out, "CLOCK(%s)\n", pin_name(s, at, strcspn(at, ",")));
}

/* A queue's data means nothing while it is empty. It is only said: a wrong qualifier would hide
 * what differs. */
static void write_empty(const scaffold_t *s, FILE *out) {
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++) {
    const size_t n = strlen(p->name), suffix = n > 2 && strcmp(p->name + n - 2, "_o") == 0 ? 2 : 0;
    if (!p->output || p->width != 1 || *p->expr || n - suffix < 5 || strncmp(p->name + n - suffix - 5, "empty", 5))
      continue;
    fprintf(out, "/* Outputs that mean nothing while %s is 1 have !%s there. */\n", p->name, scaffold_field(s, p));
  }
}

static void write_resets(const scaffold_t *s, FILE *out) {
  const look_pins_t *pins = s->pins;
  if (pins->num_resets > 1) fprintf(out, "/* They are one reset here: active together. */\n");
  for (const look_reset_t *r = pins->resets; r < pins->resets + pins->num_resets; r++)
    fprintf(out, "RESET(%s, %s, %s)\n", pin_name(s, r->name, strlen(r->name)), r->low ? "low" : "high",
            r->async ? "async" : "sync");
}

/* What the protocol of the port's interface says, if it has one. */
static const char *qualifier_of(const scaffold_t *s, const module_port_t *p) {
  const int by = interface_qualifier(s->interfaces, s->module, (unsigned)(p - s->module->ports));
  return by < 0 ? "always" : s->fields[by];
}

static void write_ports(const scaffold_t *s, FILE *out) {
  const module_t *m = s->module;
  char expr[2 * MODULE_EXPR];
  fprintf(out, "/* %s: say here in a sentence what it does, and what its outputs depend on. */\n", s->name);
  const look_pins_t *pins = s->pins;
  const bool mealy = m->mealy || !m->seen_inside || !*pins->clock;
  fprintf(out, "KIND(%s)\n", mealy ? "mealy" : "moore");
  write_clocks(s, out);
  if (pins->num_resets) write_resets(s, out);
  else write_power_up(pins, out);
  for (const module_param_t *p = m->params; p < m->params + m->num_params; p++)
    if (p->derived)
      fprintf(
          out,
          "/* %s is no PARAM here: the RTL makes it of other parameters, and does so with any value of theirs. */\n",
          p->name);
    else
      fprintf(out, "PARAM(%s, %lld, %lld, %lld, \"say what it is; the least and most that it may be are guessed\")\n",
              param_name(s, p), p->value, guess_least(p), guess_most(p));
  for (const module_left_t *l = m->left; l < m->left + m->num_left; l++)
    if (*l->text)
      fprintf(out, "PARAM_TEXT(%s, \"%s\", \"%s\", \"say what it is, and behind the value all that it may have\")\n",
              l->name, l->text, l->text);
    else fprintf(out, "/* %s is no PARAM here: it is %s, and the RTL's own value holds. */\n", l->name, l->why);
  fputs(m->types, out);
  scaffold_arrays(s, out);
  fprintf(out,
          "/* A port that has a meaning only while another one is 1: that one's name in the place of `always`. */\n");
  write_empty(s, out);
  for (const module_port_t *p = m->ports; p < m->ports + m->num_ports; p++) {
    if (!scaffold_is_data(s, p)) continue;
    const char *kind = p->output ? "OUT" : "IN";
    if (p->output && strncmp(p->name, "probe_", 6) == 0) kind = "PROBE";
    const char *shape = p->width > 64 ? "_V" : "";
    fprintf(out, "%s%s(%s, ", kind, *p->type ? "_S" : shape, scaffold_field(s, p));
    if (*p->type) fprintf(out, "%s, ", p->type);
    else if (*p->expr) fprintf(out, "%s, ", scaffold_expr(s, p->expr, expr));
    else fprintf(out, "%u, ", p->width);
    fprintf(out, "%s)", qualifier_of(s, p));
    if (*p->note) fprintf(out, " /* %s */", p->note);
    fputc('\n', out);
  }
}

static void write_header(const scaffold_t *s, FILE *out) {
  const char *x = s->name;
  char c[PORT_NAME];
  port_name_stem(x, c);
  fprintf(out, "/* %s: golden model. */\n#ifndef %s_MODEL_H\n#define %s_MODEL_H\n\n#include <stdbool.h>\n\n", x, x, x);
  fprintf(out, "#include \"%s_ports.h\" /* made of %s.ports: %s_in_t, %s_out_t */\n", x, x, c, c);
  scaffold_write_watch_headers(s, out);
  fprintf(out, "\ntypedef struct %s_state {\n  uint64_t cycles; /* what the block remembers, in the place of this */\n",
          c);
  scaffold_write_watch_state(s, out);
  fprintf(out, "} %s_t;\n\n", c);
  fprintf(out, "/* Reset; the state is all zero before the first. */\nvoid %s_reset(%s_t *state);\n\n", c, c);
  fprintf(out,
          "/* The outputs of this cycle; changes nothing. */\n"
          "void %s_eval(const %s_t *state, const %s_in_t *in, %s_out_t *out);\n\n",
          c, c, c, c);
  fprintf(out, "/* The clock edge. */\nvoid %s_step(%s_t *state, const %s_in_t *in);\n\n#endif\n", c, c, c);
}

static void write_model(const scaffold_t *s, FILE *out) {
  const char *x = s->name;
  char c[PORT_NAME];
  port_name_stem(x, c);
  fprintf(out,
          "#include \"%s.h\"\n\n#include <assert.h>\n#include <string.h>\n\nvoid %s_reset(%s_t *state) {\n"
          "  memset(state, 0, sizeof *state);\n}\n\n"
          "void %s_eval(const %s_t *state, const %s_in_t *in, %s_out_t *out) {\n  (void)state;\n  (void)in;\n",
          x, c, c, c, c, c, c);
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++) {
    if (!p->output || !scaffold_is_data(s, p)) continue;
    const char *name = scaffold_field(s, p);
    const bool value = *p->type ? !has_fields(s, p) : p->width <= 64;
    if (!value) fprintf(out, "  memset(%sout->%s, 0, sizeof out->%s);\n", *p->type ? "&" : "", name, name);
    else fprintf(out, "  out->%s = 0;\n", name);
  }
  fprintf(out,
          "  assert(!\"%s_eval in %s.c is to be written: say what the outputs are, and take this line out\");\n}\n\n"
          "void %s_step(%s_t *state, const %s_in_t *in) {\n",
          c, x, c, c, c);
  if (!scaffold_write_watches(s, out)) fprintf(out, "  (void)in;\n");
  fprintf(out, "  state->cycles++;\n}\n");
}

/* ---- a model in Python ---- */

static void write_python_header(const scaffold_t *s, FILE *out) {
  const char *x = s->name;
  char c[PORT_NAME];
  port_name_stem(x, c);
  fprintf(out, "/* %s: the golden model is %s.py. */\n#ifndef %s_MODEL_H\n#define %s_MODEL_H\n\n", x, x, x, x);
  fprintf(out, "#include \"%s_ports.h\" /* made of %s.ports: %s_in_t, %s_out_t */\n#include \"python/state.h\"\n\n", x,
          x, c, c);
  fprintf(out, "typedef struct %s_state {\n  python_state_t python;\n} %s_t;\n\n", c, c);
  fprintf(out, "void %s_reset(%s_t *state);\nvoid %s_eval(const %s_t *state, const %s_in_t *in, %s_out_t *out);\n", c,
          c, c, c, c, c);
  fprintf(out, "void %s_step(%s_t *state, const %s_in_t *in);\n\n#endif\n", x, x, x);
}

static void write_python_bridge(const scaffold_t *s, FILE *out) {
  char c[PORT_NAME];
  port_name_stem(s->name, c);
  fprintf(out,
          "/* Asks %s.py. */\n#include \"%s.h\"\n\n#define PYTHON_BLOCK %s\n#define PYTHON_PORTS \"%s.ports\"\n"
          "#include \"python/model.h\"\n",
          s->name, s->name, c, s->name);
}

static void write_python_fields(const scaffold_t *s, FILE *out, const module_port_t *p, const char *name) {
  const module_t *m = s->module;
  if (p->array.num_dims) {
    fprintf(out, "    # out.%s: a list\n", name);
    return;
  }
  for (const module_leaf_t *l = m->leaves; l < m->leaves + m->num_leaves; l++)
    if (&m->ports[l->port] == p) fprintf(out, "    out.%s%s = 0\n", name, l->path);
}

static void write_python(const scaffold_t *s, FILE *out) {
  const char *x = s->name;
  fprintf(out, "\"\"\"%s: golden model. Parameters are names here; ports are whole numbers without a sign.\"\"\"\n\n\n",
          x);
  fprintf(out, "class State:\n    def __init__(self):  # after a reset\n"
               "        self.cycles = 0  # what the block remembers, in the place of this\n\n\n");
  fprintf(out, "def outputs(state, inputs, out):  # of this cycle; changes nothing\n");
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++)
    if (p->output && scaffold_is_data(s, p) && !has_fields(s, p))
      fprintf(out, "    out.%s = 0\n", scaffold_field(s, p));
    else if (p->output && scaffold_is_data(s, p)) write_python_fields(s, out, p, scaffold_field(s, p));
  fprintf(
      out,
      "    assert False, \"outputs in %s.py is to be written: say what the outputs are, and take this line out\"\n\n\n",
      x);
  fprintf(out, "def step(state, inputs):  # the clock edge\n    state.cycles += 1\n");
}

static void write_rtl(const scaffold_t *s, FILE *out) {
  char verilog[PORT_NAME];
  port_name_verilog(s->name, verilog);
  fprintf(out,
          "// %s -- say here in a sentence what it does.\nmodule %s #(\n  parameter int Width = 8\n) (\n"
          "  input  wire logic             clk_i,\n"
          "  input  wire logic             rst_ni,\n  input  wire logic             valid_i,\n"
          "  input  wire logic [Width-1:0] data_i,\n"
          "  output      logic             valid_o,\n  output      logic [Width-1:0] data_o\n);\n"
          "  always_ff @(posedge clk_i or negedge rst_ni) begin\n    if (!rst_ni) begin\n      valid_o <= 1'b0;\n"
          "      data_o  <= '0;\n    end else begin\n"
          "      valid_o <= valid_i;\n      data_o  <= data_i;\n    end\n  end\nendmodule\n",
          s->name, verilog);
}

/* ---- X.yaml */

/* A path as YAML has it: in quotes if it is not plain. */
static void write_path(FILE *out, const char *path) {
  if (plain_path(path)) fprintf(out, "%s", path);
  else {
    putc('"', out);
    for (; *path; path++) fprintf(out, "%s%c", *path == '"' || *path == '\\' ? "\\" : "", *path);
    putc('"', out);
  }
}

/* The way from the block's folder to a path. A link of ours with a plain name stands for what it
 * leads to. */
static void write_way(const scaffold_t *s, FILE *out, const char *path) {
  char *real = realpath(path, NULL), *way = file_way(s->folder, real ? real : path);
  write_path(out, way ? way : path);
  free(real);
  free(way);
}

static void write_list(const scaffold_t *s, FILE *out, const char *key, const char *list, bool paths) {
  char word[PATH];
  if (!*list) return;
  fprintf(out, "%s:\n", key);
  while (rtl_next(&list, word, sizeof word)) {
    fputs("  - ", out);
    if (paths) write_way(s, out, word);
    else fputs(word, out);
    fputs("\n", out);
  }
}

/* A name of the RTL as YAML has it. */
static void write_key(FILE *out, const char *rtl) {
  char quoted[PORT_NAME];
  port_name_quoted(rtl, quoted);
  fprintf(out, "  %s: ", port_name_plain(rtl) ? rtl : quoted);
}

/* Names of ports and parameters that differ from the RTL's. */
static void write_names(const scaffold_t *s, FILE *out, bool ours) {
  char usual[PORT_NAME + 4];
  bool first = true;
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++) {
    const bool data = scaffold_is_data(s, p);
    const char *const suffix = p->output ? "_o" : "_i";
    snprintf(usual, sizeof usual, "%s%s", scaffold_field(s, p), ours && data ? suffix : "");
    if (strcmp(usual, p->name) == 0) continue;
    fputs(first ? "ports:\n" : "", out);
    write_key(out, p->name);
    fprintf(out, "%s%s\n", scaffold_field(s, p), data ? suffix : "");
    first = false;
  }
  first = true;
  for (const module_param_t *p = s->module->params; p < s->module->params + s->module->num_params; p++) {
    if (p->derived || strcmp(param_name(s, p), p->name) == 0) continue;
    fputs(first ? "parameters:\n" : "", out);
    write_key(out, p->name);
    fprintf(out, "%s\n", param_name(s, p));
    first = false;
  }
}

/* X.yaml: sources by paths from its folder, and ports whose names differ. */
static void write_map(const scaffold_t *s, FILE *out) {
  const bool ours = all_as_ours(s);
  fprintf(out, "# What the RTL of %s is read from; paths start here.\n", s->name);
  write_list(s, out, "files", s->rtl->files, true);
  write_list(s, out, "libraries", s->rtl->libraries, true);
  write_list(s, out, "includes", s->rtl->includes, true);
  write_list(s, out, "defines", s->rtl->defines, false);
  write_list(s, out, "verilator", s->rtl->flags, false);
  if (s->rtl->verilog) fprintf(out, "language: verilog      # .v files are Verilog 2005\n");
  if (!ours) fprintf(out, "suffixes: none         # the port file has the RTL's own names\n");
  write_names(s, out, ours);
}

/* ---- all of them */

static bool write_scaffold_file(const scaffold_t *s, const char *into, const char *ending,
                                void (*write)(const scaffold_t *, FILE *), trouble_t *trouble) {
  char path[PATH];
  snprintf(path, sizeof path, "%.3800s/%s%s", into, s->name, ending);
  FILE *file = fopen(path, "w");
  if (!file) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  write(s, file);
  const bool ok = !ferror(file);
  if (fclose(file) == 0 && ok) return true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
}

/* The ports of write_rtl's module. */
static const module_t example = {.ports = {{.name = "valid_i", .width = 1},
                                           {.name = "data_i", .expr = "Width", .width = 8},
                                           {.name = "valid_o", .width = 1, .output = true},
                                           {.name = "data_o", .expr = "Width", .width = 8, .output = true}},
                                 .params = {{"Width", 8, 32}},
                                 .num_ports = 4,
                                 .num_params = 1,
                                 .seen_inside = true};
static const look_pins_t example_pins = {
    .clock = "clk_i", .clocks = "clk_i", .resets = {{"rst_ni", true, true}}, .num_resets = 1};

static bool write_all(const scaffold_t *s, const char *into, trouble_t *trouble) {
  return write_scaffold_file(s, into, ".ports", write_ports, trouble) &&
         write_scaffold_file(s, into, ".h", s->python ? write_python_header : write_header, trouble) &&
         write_scaffold_file(s, into, ".c", s->python ? write_python_bridge : write_model, trouble) &&
         (!s->python || write_scaffold_file(s, into, ".py", write_python, trouble)) &&
         write_scaffold_file(s, into, "_stim.c", scaffold_write_stim, trouble) &&
         write_scaffold_file(s, into, s->rtl ? ".yaml" : ".sv", s->rtl ? write_map : write_rtl, trouble);
}

bool scaffold_write(scaffold_t *given, const char *into, trouble_t *trouble) {
  scaffold_t s = *given;
  if (!given->module) s.module = &example, s.pins = &example_pins;
  s.interfaces = calloc(1, sizeof *s.interfaces);
  if (s.interfaces) interfaces_find(s.module, s.pins, s.interfaces);
  const bool ok = name_fields(&s) && s.interfaces ? write_all(&s, into, trouble) : trouble_memory(trouble);
  given->fields = s.fields, given->params = s.params, given->interfaces = s.interfaces;
  return ok;
}

void scaffold_free(scaffold_t *s) {
  free(s->fields), free(s->params), free(s->interfaces);
  s->fields = s->params = NULL, s->interfaces = NULL;
}

bool scaffold_renamed(const scaffold_t *s, unsigned i, const char **rtl, const char **here) {
  const module_t *m = s->module;
  const bool param = i >= m->num_ports;
  *rtl = param ? m->params[i - m->num_ports].name : m->ports[i].name;
  *here = param ? s->params[i - m->num_ports] : s->fields[i];
  if (param && m->params[i - m->num_ports].derived) return false;
  const size_t interface = param ? 0 : interface_length(m, &m->ports[i]);
  if (interface) { /* lane.0.in is lane_0 */
    char base[PORT_NAME], name[PORT_NAME];
    snprintf(base, sizeof base, "%.*s", (int)interface, *rtl);
    port_name_model(base, name);
    for (char *c = base; *c; c++)
      if (*c == '.') *c = '_';
    return strcmp(base, *here) || strcmp(name, *here);
  }
  const bool cut = !param && scaffold_is_data(s, &m->ports[i]) && all_as_ours(s);
  const size_t n = strlen(*rtl) - (cut ? 2 : 0);
  return strlen(*here) != n || strncmp(*rtl, *here, n) != 0;
}
