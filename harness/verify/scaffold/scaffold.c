/* SPDX-License-Identifier: Apache-2.0
 *
 * Each file has a function that writes it. Ports keep the RTL's names, unless all of them end in
 * _i or _o: then the port file drops these endings.
 */
#include "scaffold.h"
#include "file.h"
#include "plain.h"
#include "port_taken.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

static const char *const reserved[] = {
    /* C++, in which ports are fields and the block's name begins functions, beside C's words */
    "and", "catch", "class", "delete", "explicit", "export", "friend", "main", "mutable", "namespace", "new", "not",
    "operator", "or", "private", "protected", "public", "template", "this", "throw", "try", "typename", "using",
    "virtual", "xor",
    /* words of port files */
    "always"};

static bool is_reserved(const char *name) {
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (strcmp(name, reserved[i]) == 0) return true;
  return port_is_word_of_c(name);
}

bool scaffold_name(const char *name) {
  return isalpha((unsigned char)*name) && strlen(name) < 64 && !is_reserved(name) &&
         !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")];
}

/* ---- names of ports */

/* Clock and reset have lines of their own in the port file. */
static bool is_data(const scaffold_t *s, const module_port_t *p) {
  return !look_is_clock(s->pins, p->name) && strcmp(p->name, s->pins->reset);
}

static bool ends_as_ours(const module_port_t *p) {
  const size_t n = strlen(p->name);
  return n > 2 && strcmp(p->name + n - 2, p->output ? "_o" : "_i") == 0;
}

/* Do all inputs end in _i and all outputs in _o? */
static bool all_as_ours(const scaffold_t *s) {
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++)
    if (is_data(s, p) && !ends_as_ours(p)) return false;
  return true;
}

/* The port's name in the port file; a reserved word gets a `_`. Returns name. */
static const char *field_name(const scaffold_t *s, const module_port_t *p, char name[MODULE_NAME + 1]) {
  const int n = (int)strlen(p->name) - 2 * all_as_ours(s);
  snprintf(name, MODULE_NAME + 1, "%.*s", n, p->name);
  if (is_reserved(name)) strcat(name, "_");
  return name;
}

/* ---- the files */

/* A guess at the largest value: four times the default, but no more than the type holds. */
static long long guess_most(const module_param_t *p) {
  if (p->value < 1) return p->largest < 1 ? p->largest : 1;
  return p->value > p->largest / 4 ? p->largest : 4 * p->value;
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

static void write_clocks(const look_pins_t *pins, FILE *out) {
  if (!*pins->clock) fprintf(out, "CLOCK(none)\n");
  for (const char *at = pins->clocks; *at; at += strcspn(at, ","), at += *at == ',')
    fprintf(out, "CLOCK(%.*s)\n", (int)strcspn(at, ","), at);
}

static void write_ports(const scaffold_t *s, FILE *out) {
  const module_t *m = s->module;
  char name[MODULE_NAME + 1];
  fprintf(out, "/* %s: say here in a sentence what it does, and what its outputs depend on. */\n", s->name);
  const look_pins_t *pins = s->pins;
  const bool mealy = m->mealy || !m->seen_inside || !*pins->clock;
  fprintf(out, "KIND(%s)\n", mealy ? "mealy" : "moore");
  write_clocks(pins, out);
  if (*pins->reset)
    fprintf(out, "RESET(%s, %s, %s)\n", pins->reset, pins->reset_low ? "low" : "high",
            pins->reset_async ? "async" : "sync");
  else write_power_up(pins, out);
  for (const module_param_t *p = m->params; p < m->params + m->num_params; p++)
    if (p->derived)
      fprintf(
          out,
          "/* %s is no PARAM here: the RTL makes it of other parameters, and does so with any value of theirs. */\n",
          p->name);
    else
      fprintf(out, "PARAM(%s, %lld, %lld, %lld, \"say what it is; the least and most that it may be are guessed\")\n",
              p->name, p->value, p->value < 1 ? p->value : 1, guess_most(p));
  fprintf(out,
          "/* A port that has a meaning only while another one is 1: that one's name in the place of `always`. */\n");
  for (const module_port_t *p = m->ports; p < m->ports + m->num_ports; p++) {
    if (!is_data(s, p)) continue;
    const char *kind = p->output ? "OUT" : "IN";
    if (p->output && strncmp(p->name, "probe_", 6) == 0) kind = "PROBE";
    fprintf(out, "%s%s(%s, ", kind, p->width > 64 ? "_V" : "", field_name(s, p, name));
    if (*p->expr) fprintf(out, "%s, always)\n", p->expr);
    else fprintf(out, "%u, always)\n", p->width);
  }
}

static void write_header(const scaffold_t *s, FILE *out) {
  const char *x = s->name;
  fprintf(out, "/* %s: golden model. */\n#ifndef %s_MODEL_H\n#define %s_MODEL_H\n\n#include <stdbool.h>\n\n", x, x, x);
  fprintf(out, "#include \"%s_ports.h\" /* made of %s.ports: %s_in_t, %s_out_t */\n\n", x, x, x, x);
  fprintf(out,
          "typedef struct %s {\n  uint64_t cycles; /* what the block remembers, in the place of this */\n} %s_t;\n\n",
          x, x);
  fprintf(out, "/* Reset; the state is all zero before the first. */\nvoid %s_reset(%s_t *state);\n\n", x, x);
  fprintf(out,
          "/* The outputs of this cycle; changes nothing. */\n"
          "void %s_eval(const %s_t *state, const %s_in_t *in, %s_out_t *out);\n\n",
          x, x, x, x);
  fprintf(out, "/* The clock edge. */\nvoid %s_step(%s_t *state, const %s_in_t *in);\n\n#endif\n", x, x, x);
}

static void write_model(const scaffold_t *s, FILE *out) {
  const char *x = s->name;
  char name[MODULE_NAME + 1];
  fprintf(out,
          "#include \"%s.h\"\n\n#include <assert.h>\n#include <string.h>\n\nvoid %s_reset(%s_t *state) {\n"
          "  memset(state, 0, sizeof *state);\n}\n\n"
          "void %s_eval(const %s_t *state, const %s_in_t *in, %s_out_t *out) {\n  (void)state;\n  (void)in;\n",
          x, x, x, x, x, x, x);
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++) {
    if (!p->output || !is_data(s, p)) continue;
    field_name(s, p, name);
    if (p->width > 64) fprintf(out, "  memset(out->%s, 0, sizeof out->%s);\n", name, name);
    else fprintf(out, "  out->%s = 0;\n", name);
  }
  fprintf(out,
          "  assert(!\"%s_eval in %s.c is to be written: say what the outputs are, and take this line out\");\n}\n\n"
          "void %s_step(%s_t *state, const %s_in_t *in) {\n  (void)in;\n  state->cycles++;\n}\n",
          x, x, x, x, x);
}

/* ---- a model in Python ---- */

static void write_python_header(const scaffold_t *s, FILE *out) {
  const char *x = s->name;
  fprintf(out, "/* %s: the golden model is %s.py. */\n#ifndef %s_MODEL_H\n#define %s_MODEL_H\n\n", x, x, x, x);
  fprintf(out, "#include \"%s_ports.h\" /* made of %s.ports: %s_in_t, %s_out_t */\n#include \"python/state.h\"\n\n", x,
          x, x, x);
  fprintf(out, "typedef struct %s {\n  python_state_t python;\n} %s_t;\n\n", x, x);
  fprintf(out, "void %s_reset(%s_t *state);\nvoid %s_eval(const %s_t *state, const %s_in_t *in, %s_out_t *out);\n", x,
          x, x, x, x, x);
  fprintf(out, "void %s_step(%s_t *state, const %s_in_t *in);\n\n#endif\n", x, x, x);
}

static void write_python_bridge(const scaffold_t *s, FILE *out) {
  fprintf(out,
          "/* Asks %s.py. */\n#include \"%s.h\"\n\n#define PYTHON_BLOCK %s\n#define PYTHON_PORTS \"%s.ports\"\n"
          "#include \"python/model.h\"\n",
          s->name, s->name, s->name, s->name);
}

static void write_python(const scaffold_t *s, FILE *out) {
  const char *x = s->name;
  char name[MODULE_NAME + 1];
  fprintf(out, "\"\"\"%s: golden model. Parameters are names here; ports are whole numbers without a sign.\"\"\"\n\n\n",
          x);
  fprintf(out, "class State:\n    def __init__(self):  # after a reset\n"
               "        self.cycles = 0  # what the block remembers, in the place of this\n\n\n");
  fprintf(out, "def outputs(state, inputs, out):  # of this cycle; changes nothing\n");
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++)
    if (p->output && is_data(s, p)) fprintf(out, "    out.%s = 0\n", field_name(s, p, name));
  fprintf(
      out,
      "    assert False, \"outputs in %s.py is to be written: say what the outputs are, and take this line out\"\n\n\n",
      x);
  fprintf(out, "def step(state, inputs):  # the clock edge\n    state.cycles += 1\n");
}

static void write_stim(const scaffold_t *s, FILE *out) {
  const char *x = s->name;
  char name[MODULE_NAME + 1];
  fprintf(out,
          "/* Inputs of %s: a pure function of seed and profile. Without this file they are all random. */\n"
          "#include \"%s.h\"\n#include \"rng.h\"\n"
          "#include \"stim.h\"\n\nenum { BUSY, SPARSE };\n\n"
          "static const stim_profile_t profiles[] = {\n  [BUSY] = {\"busy\", \"all inputs random in every cycle\"},\n"
          "  [SPARSE] = {\"sparse\", \"inputs of one bit mostly 0\"},\n};\n\n"
          "typedef struct {\n  rng_t rng;\n  unsigned profile;\n} state_t;\n\n"
          "static void init(void *state, uint64_t seed, unsigned profile) {\n  state_t *s = state;\n"
          "  rng_init(&s->rng, seed);\n  s->profile = profile;\n}\n\n"
          "/* out: the model's outputs of the last cycle, so that inputs can keep to a protocol. */\n"
          "static void next(void *state, uint64_t cycle, const void *out, void *inputs) {\n  state_t *s = state;\n"
          "  %s_in_t *in = inputs;\n"
          "  const unsigned ones = s->profile == BUSY ? 4 : 1; /* of 8 */\n  (void)cycle, (void)out, (void)ones;\n",
          x, x, x);
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++) {
    if (p->output || !is_data(s, p)) continue;
    field_name(s, p, name);
    const char *width = *p->expr ? p->expr : NULL;
    char number[16];
    snprintf(number, sizeof number, "%u", p->width);
    if (p->width > 64) fprintf(out, "  rng_fill(&s->rng, in->%s, %s);\n", name, width ? width : number);
    else if (p->width == 1 && !width) fprintf(out, "  in->%s = rng_chance(&s->rng, ones, 8);\n", name);
    else fprintf(out, "  in->%s = rng_next(&s->rng); /* what is wider than the port is cut */\n", name);
  }
  fprintf(out,
          "}\n\nstatic bool reset(void *state, uint64_t cycle) {\n  (void)state;\n  return cycle %% 1000 == 999;\n}\n\n"
          "const stim_t %s_stim = {\n  .profiles = profiles,\n  .num_profiles = sizeof profiles / sizeof *profiles,\n"
          "  .state_size = sizeof(state_t),\n"
          "  .init = init,\n  .next = next,\n  .reset = reset,\n};\n",
          x);
}

static void write_rtl(const scaffold_t *s, FILE *out) {
  fprintf(out,
          "// %s -- say here in a sentence what it does.\nmodule %s #(\n  parameter int Width = 8\n) (\n"
          "  input  wire logic             clk_i,\n"
          "  input  wire logic             rst_ni,\n  input  wire logic             valid_i,\n"
          "  input  wire logic [Width-1:0] data_i,\n"
          "  output      logic             valid_o,\n  output      logic [Width-1:0] data_o\n);\n"
          "  always_ff @(posedge clk_i or negedge rst_ni) begin\n    if (!rst_ni) begin\n      valid_o <= 1'b0;\n"
          "      data_o  <= '0;\n    end else begin\n"
          "      valid_o <= valid_i;\n      data_o  <= data_i;\n    end\n  end\nendmodule\n",
          s->name, s->name);
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

/* X.yaml: sources by paths from its folder, and ports whose names differ. */
static void write_map(const scaffold_t *s, FILE *out) {
  const bool ours = all_as_ours(s);
  char name[MODULE_NAME + 1], usual[MODULE_NAME + 4];
  bool first = true;
  fprintf(out, "# What the RTL of %s is read from; paths start here.\n", s->name);
  write_list(s, out, "files", s->rtl->files, true);
  write_list(s, out, "libraries", s->rtl->libraries, true);
  write_list(s, out, "includes", s->rtl->includes, true);
  write_list(s, out, "defines", s->rtl->defines, false);
  if (s->rtl->verilog) fprintf(out, "language: verilog      # .v files are Verilog 2005\n");
  if (!ours) fprintf(out, "suffixes: none         # the port file has the RTL's own names\n");
  for (const module_port_t *p = s->module->ports; p < s->module->ports + s->module->num_ports; p++) {
    if (!is_data(s, p)) continue;
    field_name(s, p, name);
    const char *const suffix = p->output ? "_o" : "_i";
    snprintf(usual, sizeof usual, "%s%s", name, ours ? suffix : "");
    if (strcmp(usual, p->name) == 0) continue;
    fprintf(out, "%s  %s: %s%s\n", first ? "ports:\n" : "", p->name, name, p->output ? "_o" : "_i");
    first = false;
  }
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
static const module_t example = {.ports = {{"valid_i", "", 1, false},
                                           {"data_i", "Width", 8, false},
                                           {"valid_o", "", 1, true},
                                           {"data_o", "Width", 8, true}},
                                 .params = {{"Width", 8, 32}},
                                 .num_ports = 4,
                                 .num_params = 1,
                                 .seen_inside = true};
static const look_pins_t example_pins = {
    .clock = "clk_i", .clocks = "clk_i", .reset = "rst_ni", .reset_low = true, .reset_async = true};

bool scaffold_write(const scaffold_t *given, const char *into, trouble_t *trouble) {
  scaffold_t s = *given;
  if (!given->module) s.module = &example, s.pins = &example_pins;
  return write_scaffold_file(&s, into, ".ports", write_ports, trouble) &&
         write_scaffold_file(&s, into, ".h", s.python ? write_python_header : write_header, trouble) &&
         write_scaffold_file(&s, into, ".c", s.python ? write_python_bridge : write_model, trouble) &&
         (!s.python || write_scaffold_file(&s, into, ".py", write_python, trouble)) &&
         write_scaffold_file(&s, into, "_stim.c", write_stim, trouble) &&
         write_scaffold_file(&s, into, given->module ? ".yaml" : ".sv", given->module ? write_map : write_rtl, trouble);
}
