/* SPDX-License-Identifier: Apache-2.0
 *
 * A statement a gate, each with its place (`line). Memories are written with all their ports; what
 * is written with another gate (constants, clock edges, the register in front of an assertion) is
 * marked first (mark_parts).
 */
#include "gates.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512 };

typedef struct {
  gates_t *g;
  const gates_how_t *how;
  const gates_module_t *module;
  FILE *to;
  trouble_t *trouble;
  const char *file; /* the last place that was written */
  unsigned line;
} writer_t;

/* ---- places */

/* The gate's place, or that of the last one: functions of ghdl's libraries have none. */
static void find_place(writer_t *w, const gate_t *gate) {
  const char *file = gate->line ? w->how->file(w->how->context, w->g->files[gate->file]) : NULL;
  if (file) w->file = file, w->line = gate->line;
}

static void place(writer_t *w, const gate_t *gate) {
  find_place(w, gate);
  if (w->file) fprintf(w->to, "`line %u \"%s\" 0\n", w->line, w->file);
}

static bool refuse(writer_t *w, const gate_t *gate, const char *what) {
  find_place(w, gate);
  return trouble_set(w->trouble, TROUBLE_INPUT, "%s:%u: %s", w->file ? w->file : "?", w->line, what);
}

/* ---- values */

/* A constant as a literal, else the net's name; what nothing drives is x. */
static void put(const writer_t *w, unsigned net) {
  const gates_t *g = w->g;
  const unsigned root = net ? g->nets[net].root : 0;
  char *constant = net ? gates_constant(g, net) : NULL;
  if (constant) fprintf(w->to, "%u'b%s", g->nets[net].width, constant);
  else if (root && g->nets[root].name) fputs(g->nets[root].name, w->to);
  else fprintf(w->to, "%u'bx", net ? g->nets[net].width : 1);
  free(constant);
}

static unsigned width(const writer_t *w, unsigned net) {
  return net ? w->g->nets[net].width : 0;
}

static void put_bit(const writer_t *w, unsigned net, unsigned bit) {
  char *constant = net ? gates_constant(w->g, net) : NULL;
  if (constant) fprintf(w->to, "1'b%c", constant[strlen(constant) - 1 - bit]);
  else if (width(w, net) > 1) put(w, net), fprintf(w->to, "[%u]", bit);
  else put(w, net);
  free(constant);
}

/* Bits of a net; of a constant its digits. */
static void put_slice(const writer_t *w, unsigned net, unsigned low, unsigned wide) {
  char *constant = net ? gates_constant(w->g, net) : NULL;
  const unsigned all = width(w, net);
  if (constant && low + wide <= all) fprintf(w->to, "%u'b%.*s", wide, (int)wide, constant + (all - low - wide));
  else if (all == 1 || !net) put(w, net);
  else if (wide == 1) put(w, net), fprintf(w->to, "[%u]", low);
  else put(w, net), fprintf(w->to, "[%u:%u]", low + wide - 1, low);
  free(constant);
}

/* Writes a template: %o the output, %0 to %4 inputs, %S0 an input as signed, %M0 its highest bit,
 * %L0 its lowest bit, %W the output's number of bits, %P the first parameter. */
static void put_template(const writer_t *w, const gate_t *gate, const char *text) {
  const gates_t *g = w->g;
  const unsigned long param = gate->params ? g->values[gate->first_param] : 0;
  for (; *text; text++) {
    if (*text != '%' || !text[1]) {
      putc(*text, w->to);
      continue;
    }
    const char code = *++text;
    const unsigned input = strchr("SML", code) ? (unsigned)(*++text - '0') : (unsigned)(code - '0');
    const unsigned net = code == 'o' ? gates_output(g, gate, 0) : gates_input(g, gate, input);
    if (code == ' ') fputs("% ", w->to);
    else if (code == 'P') fprintf(w->to, "%lu", param);
    else if (code == 'W') fprintf(w->to, "%u", width(w, gates_output(g, gate, 0)));
    else if (code == 'S') fputs("$signed(", w->to), put(w, net), putc(')', w->to);
    else if (code == 'M') put_bit(w, net, width(w, net) - 1);
    else if (code == 'L') put_bit(w, net, 0);
    else put(w, net);
  }
}

/* ---- gates of one expression */

static const struct {
  const char *kind, *text;
} templates[] = {
    {"$and", "%0 & %1"},
    {"$or", "%0 | %1"},
    {"$xor", "%0 ^ %1"},
    {"$nand", "~(%0 & %1)"},
    {"$nor", "~(%0 | %1)"},
    {"$xnor", "~(%0 ^ %1)"},
    {"$add", "%0 + %1"},
    {"$sub", "%0 - %1"},
    {"$umin", "%0 < %1 ? %0 : %1"},
    {"$umax", "%0 > %1 ? %0 : %1"},
    {"$smin", "%S0 < %S1 ? %0 : %1"},
    {"$smax", "%S0 > %S1 ? %0 : %1"},
    {"$umul", "%0 * %1"},
    {"$smul", "%S0 * %S1"},
    {"$udiv", "%0 / %1"},
    {"$sdiv", "%S0 / %S1"},
    {"$umod", "%0 % %1"},
    {"$srem", "%S0 % %S1"},
    /* the sign of the divisor; Verilog's % has that of the dividend */
    {"$smod", "(%M0 != %M1 && (%S0 % %S1) != 0) ? (%S0 % %S1) + %S1 : (%S0 % %S1)"},
    {"$not", "~%0"},
    {"$neg", "-%0"},
    {"$abs", "%M0 ? -%0 : %0"},
    {"$lsl", "%0 << %1"},
    {"$lsr", "%0 >> %1"},
    {"$asr", "%S0 >>> %1"},
    {"$rol", "(%0 << (%1 % 32'd%W)) | (%0 >> (32'd%W - (%1 % 32'd%W)))"},
    {"$ror", "(%0 >> (%1 % 32'd%W)) | (%0 << (32'd%W - (%1 % 32'd%W)))"},
    {"$eq", "%0 == %1"},
    {"$ne", "%0 != %1"},
    {"$ult", "%0 < %1"},
    {"$ule", "%0 <= %1"},
    {"$ugt", "%0 > %1"},
    {"$uge", "%0 >= %1"},
    {"$slt", "%S0 < %S1"},
    {"$sle", "%S0 <= %S1"},
    {"$sgt", "%S0 > %S1"},
    {"$sge", "%S0 >= %S1"},
    {"$red_and", "&%0"},
    {"$red_or", "|%0"},
    {"$red_xor", "^%0"},
    {"$mux2", "%0 ? %2 : %1"},
    {"$mux4", "%M0 ? (%L0 ? %4 : %3) : (%L0 ? %2 : %1)"},
    {"$memidx", "%0 * 32'd%P"},
    {"$addidx", "%0 + %1"},
    {"$tri", "%1 ? %0 : {%W{1'bz}}"},
};

/* `assign NAME = `, and the declaration of the gate's first output. */
static void put_wire(const writer_t *w, const gate_t *gate) {
  const unsigned net = gates_output(w->g, gate, 0);
  fputs("  assign ", w->to), put(w, net), fputs(" = ", w->to);
}

static bool put_concat(const writer_t *w, const gate_t *gate) {
  bool first = true;
  put_wire(w, gate);
  for (unsigned i = 0; i < gate->inputs; i++) {
    const unsigned net = gates_input(w->g, gate, i);
    if (net && !width(w, net)) continue;
    fputs(first ? "{" : ", ", w->to), put(w, net);
    first = false;
  }
  return fputs("};\n", w->to) >= 0;
}

/* The selector has one bit that is 1, bit k for input 2 + k, or none: then the default, input 1. */
static bool put_pmux(const writer_t *w, const gate_t *gate) {
  const gates_t *g = w->g;
  const unsigned select = gates_input(g, gate, 0), bits = width(w, select);
  put_wire(w, gate);
  for (unsigned i = bits; i--;) {
    put_bit(w, select, i), fputs(" ? ", w->to), put(w, gates_input(g, gate, 2 + i));
    fputs(" : ", w->to);
  }
  put(w, gates_input(g, gate, 1));
  return fputs(";\n", w->to) >= 0;
}

static bool put_resize(const writer_t *w, const gate_t *gate) {
  const unsigned from = gates_input(w->g, gate, 0), to = width(w, gates_output(w->g, gate, 0)), is = width(w, from);
  put_wire(w, gate);
  if (!is) fprintf(w->to, "%u'b0", to);
  else if (to <= is) put_slice(w, from, 0, to);
  else {
    fprintf(w->to, "{{%u{", to - is);
    if (gates_is(gate, "$sextend")) put_bit(w, from, is - 1);
    else fputs("1'b0", w->to);
    fputs("}}, ", w->to), put(w, from), putc('}', w->to);
  }
  return fputs(";\n", w->to) >= 0;
}

static bool put_extract(const writer_t *w, const gate_t *gate) {
  const unsigned net = gates_input(w->g, gate, 0);
  put_wire(w, gate);
  put_slice(w, net, (unsigned)w->g->values[gate->first_param], width(w, gates_output(w->g, gate, 0)));
  return fputs(";\n", w->to) >= 0;
}

/* ---- gates with an index */

/* A vector that can be indexed. */
static void put_vector(const writer_t *w, const gate_t *gate) {
  fprintf(w->to, "vector_%u", gates_output(w->g, gate, 0));
}

/* `wire [W-1:0] vector_N = INPUT;` */
static void put_copy(const writer_t *w, const gate_t *gate, unsigned net) {
  fprintf(w->to, "  wire [%u:0] ", width(w, net) - 1), put_vector(w, gate), fputs(" = ", w->to);
  put(w, net), fputs(";\n", w->to);
}

static bool put_dyn_extract(writer_t *w, const gate_t *gate) {
  const gates_t *g = w->g;
  const unsigned from = gates_input(g, gate, 0);
  if (width(w, from) < 2) {
    put_template(w, gate, "  assign %o = %0;\n");
    return true;
  }
  put_copy(w, gate, from);
  place(w, gate);
  put_wire(w, gate), put_vector(w, gate);
  put_template(w, gate, "[%1 + 32'd%P +: %W];\n");
  return true;
}

static bool put_dyn_insert(const writer_t *w, const gate_t *gate) {
  const bool enable = gates_is(gate, "$dyn_insert_en");
  put_template(w, gate, "  always @* begin %o = %0; ");
  if (enable) put_template(w, gate, "if (%3) ");
  if (width(w, gates_output(w->g, gate, 0)) < 2) put_template(w, gate, "%o = %1; end\n");
  else {
    put_template(w, gate, "%o[%2 + 32'd%P +: ");
    fprintf(w->to, "%u", width(w, gates_input(w->g, gate, 1)));
    put_template(w, gate, "] = %1; end\n");
  }
  return true;
}

/* ---- registers */

/* "posedge clk". False: the clock is no edge. */
static bool put_edge(writer_t *w, const gate_t *gate, unsigned clock) {
  const gate_t *edge = gates_driver(w->g, clock);
  if (!gates_is(edge, "$posedge") && !gates_is(edge, "$negedge"))
    return refuse(w, gate, "a register without a clock edge that could be found");
  fprintf(w->to, "%s ", edge->kind + 1), put(w, gates_input(w->g, edge, 0));
  return true;
}

/* "posedge rst" and its level; "negedge rst_n" where a gate inverts it. */
static void put_reset(const writer_t *w, unsigned reset, bool level) {
  const gate_t *driver = gates_driver(w->g, reset);
  const bool inverted = gates_is(driver, "$not");
  if (level) fputs(inverted ? "!" : "", w->to);
  else fputs(inverted ? "negedge " : "posedge ", w->to);
  put(w, inverted ? gates_input(w->g, driver, 0) : reset);
}

static void put_initial(writer_t *w, const gate_t *gate, unsigned net, unsigned init) {
  char *value = gates_constant(w->g, init);
  if (value && strspn(value, "xz") != strlen(value)) {
    place(w, gate);
    fputs("  initial ", w->to), put(w, net), fprintf(w->to, " = %u'b%s;\n", width(w, net), value);
  }
  free(value);
}

static bool put_register(writer_t *w, const gate_t *gate) {
  const gates_t *g = w->g;
  const bool reset = strstr(gate->kind, "adff"), init = gates_is(gate, "$idff") || gates_is(gate, "$iadff");
  const unsigned out = gates_output(g, gate, 0);
  fputs("  always @(", w->to);
  if (!put_edge(w, gate, gates_input(g, gate, 0))) return false;
  if (reset) fputs(" or ", w->to), put_reset(w, gates_input(g, gate, 2), false);
  fputs(") ", w->to);
  if (reset) {
    fputs("if (", w->to), put_reset(w, gates_input(g, gate, 2), true), fputs(") ", w->to);
    put(w, out), fputs(" <= ", w->to), put(w, gates_input(g, gate, 3)), fputs("; else ", w->to);
  }
  put(w, out), fputs(" <= ", w->to), put(w, gates_input(g, gate, 1)), fputs(";\n", w->to);
  if (init) put_initial(w, gate, out, gates_input(g, gate, reset ? 4 : 2));
  return true;
}

/* An assertion for Verilator alone: other tools read none. It holds at the clock's edge where a
 * register only waits for that. */
static bool put_assert(writer_t *w, const gate_t *gate) {
  const gates_t *g = w->g;
  const gate_t *before = gates_driver(g, gates_input(g, gate, 0));
  const bool clocked = before && before->part && strstr(before->kind, "dff"), reset = clocked && before->inputs > 3;
  fputs("`ifdef VERILATOR\n", w->to);
  place(w, gate);
  fputs(clocked ? "  always @(" : "  always @* ", w->to);
  if (clocked && !put_edge(w, gate, gates_input(g, before, 0))) return false;
  fputs(clocked ? ") assert (" : "assert (", w->to);
  if (reset) put_reset(w, gates_input(g, before, 2), true), fputs(" || ", w->to);
  put(w, clocked ? gates_input(g, before, 1) : gates_input(g, gate, 0));
  return fputs(");\n`endif\n", w->to) >= 0;
}

/* ---- memories */

/* The next port in the memory's chain; NULL: the end. */
static const gate_t *next_port(const writer_t *w, unsigned net) {
  const gates_t *g = w->g;
  for (unsigned i = 1; i < w->module->gates; i++) {
    const gate_t *gate = &g->gates[w->module->first_gate + i];
    if (strncmp(gate->kind, "$mem_", 5) == 0 && gates_input(g, gate, 0) == net) return gate;
  }
  return NULL;
}

static bool is_write(const gate_t *port) {
  return gates_is(port, "$mem_wr_sync");
}

/* Width of a word, by the first port. */
static unsigned word_width(const writer_t *w, const gate_t *port) {
  return is_write(port) ? width(w, gates_input(w->g, port, 4)) : width(w, gates_output(w->g, port, 1));
}

static void put_contents(writer_t *w, const gate_t *memory, const char *name, unsigned wide, unsigned deep) {
  char *value = gates_constant(w->g, gates_input(w->g, memory, 1));
  if (!value || strlen(value) != (size_t)wide * deep || strspn(value, "xz") == strlen(value)) return free(value);
  place(w, memory);
  fputs("  initial begin", w->to);
  for (unsigned i = 0; i < deep; i++) {
    const char *word = value + (size_t)(deep - 1 - i) * wide;
    if (strspn(word, "xz") < wide) fprintf(w->to, " %s[%u] = %u'b%.*s;", name, i, wide, (int)wide, word);
  }
  fputs(" end\n", w->to);
  free(value);
}

static bool same_clock(const writer_t *w, const gate_t *a, const gate_t *b) {
  const gate_t *x = gates_driver(w->g, gates_input(w->g, a, 2)), *y = gates_driver(w->g, gates_input(w->g, b, 2));
  if (!x || !y || strcmp(x->kind, y->kind) != 0) return false;
  return w->g->nets[gates_input(w->g, x, 0)].root == w->g->nets[gates_input(w->g, y, 0)].root;
}

/* "memory[ADDRESS]" of port i; what writes of the chain before it write goes before: that is a
 * variable, which a process reads after it has written it. */
static void put_read(writer_t *w, const gate_t *const *ports, unsigned i, const char *name) {
  const gates_t *g = w->g;
  const unsigned address = gates_input(g, ports[i], 1);
  for (unsigned k = i; k--;) {
    if (!is_write(ports[k])) continue;
    fputs("(", w->to), put(w, gates_input(g, ports[k], 3)), fputs(" && ", w->to);
    put(w, gates_input(g, ports[k], 1)), fputs(" == ", w->to), put(w, address);
    fputs(") ? ", w->to), put(w, gates_input(g, ports[k], 4)), fputs(" : ", w->to);
  }
  fprintf(w->to, "%s[", name), put(w, address), fputs("]", w->to);
}

/* The ports of a clock in one statement, in the chain's order. */
static bool put_clocked(writer_t *w, const gate_t *const *ports, unsigned count, unsigned first, const char *name) {
  const gates_t *g = w->g;
  place(w, ports[first]);
  fputs("  always @(", w->to);
  if (!put_edge(w, ports[first], gates_input(g, ports[first], 2))) return false;
  fputs(") begin", w->to);
  for (unsigned i = first; i < count; i++) {
    const gate_t *p = ports[i];
    if (gates_is(p, "$mem_rd") || !same_clock(w, ports[first], p)) continue;
    fputs(" if (", w->to), put(w, gates_input(g, p, 3)), fputs(") ", w->to);
    if (is_write(p)) {
      fprintf(w->to, "%s[", name), put(w, gates_input(g, p, 1)), fputs("] <= ", w->to);
      put(w, gates_input(g, p, 4)), fputs(";", w->to);
      continue;
    }
    put(w, gates_output(g, p, 1)), fputs(" <= ", w->to);
    put_read(w, ports, i, name), fputs(";", w->to);
  }
  return fputs(" end\n", w->to) >= 0;
}

enum { PORTS = 64 };

static bool put_memory(writer_t *w, const gate_t *memory) {
  const gates_t *g = w->g;
  const gate_t *ports[PORTS], *port;
  unsigned count = 0, net = gates_output(g, memory, 0);
  for (; count < PORTS && (port = next_port(w, net)); net = gates_output(g, port, 0)) ports[count++] = port;
  if (!count || count == PORTS) return refuse(w, memory, "a memory whose ports could not be read");
  const unsigned wide = word_width(w, ports[0]), deep = wide ? width(w, gates_output(g, memory, 0)) / wide : 0;
  const char *name = g->nets[gates_output(g, memory, 0)].name;
  if (!deep) return refuse(w, memory, "a memory without words");
  fprintf(w->to, "  reg [%u:0] %s [0:%u];\n", wide - 1, name, deep - 1);
  if (gates_is(memory, "$memory_init")) put_contents(w, memory, name, wide, deep);
  for (unsigned i = 0; i < count; i++) {
    bool done = false;
    if (gates_is(ports[i], "$mem_rd")) {
      place(w, ports[i]);
      fputs("  assign ", w->to), put(w, gates_output(g, ports[i], 1)), fputs(" = ", w->to);
      put_read(w, ports, i, name), fputs(";\n", w->to);
      continue;
    }
    for (unsigned k = 0; k < i; k++) done |= !gates_is(ports[k], "$mem_rd") && same_clock(w, ports[k], ports[i]);
    if (!done && !put_clocked(w, ports, count, i, name)) return false;
  }
  return true;
}

/* ---- instances of entities */

static const gates_module_t *module_of(const gates_t *g, const gate_t *gate) {
  for (unsigned i = 0; i < g->num_modules; i++)
    if (strcmp(g->modules[i].name, gate->kind) == 0) return &g->modules[i];
  return NULL;
}

static bool put_instance(writer_t *w, const gate_t *gate) {
  const gates_t *g = w->g;
  const gates_module_t *m = module_of(g, gate);
  unsigned in = 0, out = 0;
  if (!m || !m->gates) {
    char what[TEXT];
    snprintf(what, sizeof what, "no file that is read has an entity %.100s; --file FILE or --library FOLDER would be right",
             gate->kind + 1);
    return refuse(w, gate, what);
  }
  fprintf(w->to, "  %s %s (", m->safe, gate->safe);
  for (unsigned i = 0; i < m->ports; i++) {
    const gates_port_t *p = &g->ports[m->first_port + i];
    const unsigned net = p->output ? gates_output(g, gate, out++) : gates_input(g, gate, in++);
    if (!p->width) continue;
    fprintf(w->to, "%s.%s(", i ? ", " : "", p->safe), put(w, net), putc(')', w->to);
  }
  return fputs(");\n", w->to) >= 0;
}

/* ---- all gates */

static bool is_one_of(const gate_t *gate, const char *const *kinds) {
  for (; *kinds; kinds++)
    if (gates_is(gate, *kinds)) return true;
  return false;
}

static bool put_gate(writer_t *w, const gate_t *gate) {
  static const char *const resizes[] = {"$utrunc", "$strunc", "$uextend", "$sextend", NULL},
                           *const concats[] = {"$concat2", "$concat3", "$concat4", "$concatn", NULL},
                           *const registers[] = {"$dff", "$adff", "$idff", "$iadff", NULL},
                           *const inserts[] = {"$dyn_insert", "$dyn_insert_en", NULL},
                           *const memories[] = {"$memory", "$memory_init", NULL};
  for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
    if (gates_is(gate, templates[i].kind)) {
      put_wire(w, gate), put_template(w, gate, templates[i].text);
      return fputs(";\n", w->to) >= 0;
    }
  if (is_one_of(gate, resizes)) return put_resize(w, gate);
  if (is_one_of(gate, concats)) return put_concat(w, gate);
  if (is_one_of(gate, registers)) return put_register(w, gate);
  if (is_one_of(gate, inserts)) return put_dyn_insert(w, gate);
  if (is_one_of(gate, memories)) return put_memory(w, gate);
  if (gates_is(gate, "$pmux")) return put_pmux(w, gate);
  if (gates_is(gate, "$extract")) return put_extract(w, gate);
  if (gates_is(gate, "$dyn_extract")) return put_dyn_extract(w, gate);
  if (gates_is(gate, "$assert")) return put_assert(w, gate);
  if (*gate->kind == '\\') return put_instance(w, gate);
  return false;
}

/* What a gate that has no Verilog is, for people. */
static const char *reason(const gate_t *gate) {
  static const char *const texts[][2] = {
      {"$inout", "an inout port, which a block cannot have"},
      {"$iinout", "an inout port, which a block cannot have"},
      {"$resolver", "a signal with several drivers, as of a tri-state bus"},
      {"$mdff", "a register of several clocks"},
      {"$midff", "a register of several clocks"},
      {"$mem_multiport", "a memory that several processes write"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (gates_is(gate, texts[i][0])) return texts[i][1];
  return NULL;
}

static bool write_gate(writer_t *w, const gate_t *gate) {
  char what[TEXT];
  const unsigned net = gates_output(w->g, gate, 0);
  if (gate->part || (gate->outputs && net && !width(w, net))) return true;
  if (!gates_is(gate, "$memory") && !gates_is(gate, "$memory_init")) place(w, gate);
  if (put_gate(w, gate)) return true;
  if (w->trouble->kind) return false;
  const char *why = reason(gate);
  snprintf(what, sizeof what, "ghdl makes %.60s of this, which is not taken%s%s", gate->kind + (*gate->kind == '$'),
           why ? ": " : "", why ? why : "");
  return refuse(w, gate, what);
}

/* ---- parts of others */

/* Every use of an edge as data is one that ghdl could make no register of. */
static bool check_edges(writer_t *w, const gate_t *gate) {
  for (unsigned i = 0; i < gate->inputs; i++) {
    const gate_t *driver = gates_driver(w->g, gates_input(w->g, gate, i));
    if (!gates_is(driver, "$posedge") && !gates_is(driver, "$negedge")) continue;
    const bool first = strstr(gate->kind, "dff") && i == 0, memory = strncmp(gate->kind, "$mem_", 5) == 0 && i == 2;
    if (!first && !memory)
      return refuse(w, gate,
                    "ghdl makes no register of this, but logic of the clock's edge; a signal that is assigned as a whole "
                    "at the edge would be right, its next value computed in a variable");
  }
  return true;
}

static bool is_part(const gate_t *gate) {
  static const char *const kinds[] = {"$signal", "$isignal", "$output",  "$ioutput", "$port",        "$nop",
                                      "$enable", "$posedge", "$negedge", "$mem_rd",  "$mem_rd_sync", "$mem_wr_sync",
                                      "$assume", "$cover",   "$assert_cover", "$top", NULL};
  return gate->self || strncmp(gate->kind, "$const_", 7) == 0 || is_one_of(gate, kinds);
}

/* The register in front of an assertion is no register of the design, if nothing else reads it. */
static void mark_assertions(writer_t *w) {
  gates_t *g = w->g;
  const unsigned begin = w->module->first_gate, end = begin + w->module->gates;
  for (unsigned i = begin; i < end; i++) {
    const unsigned net = gates_is(&g->gates[i], "$assert") ? gates_input(g, &g->gates[i], 0) : 0;
    const int driver = net ? g->nets[g->nets[net].root].gate : -1;
    unsigned readers = 0;
    if (driver < 0 || !strstr(g->gates[driver].kind, "dff")) continue;
    for (unsigned k = begin; k < end; k++)
      for (unsigned j = 0; j < g->gates[k].inputs; j++)
        readers += gates_driver(g, gates_input(g, &g->gates[k], j)) == &g->gates[driver];
    g->gates[driver].part = readers == 1;
  }
}

static bool mark_parts(writer_t *w) {
  gates_t *g = w->g;
  for (unsigned i = 0; i < w->module->gates; i++) {
    gate_t *gate = &g->gates[w->module->first_gate + i];
    gate->part = is_part(gate);
    if (!check_edges(w, gate)) return false;
  }
  mark_assertions(w);
  return true;
}

/* ---- a module */

/* What is assigned in an `always`. */
static bool is_reg(const gates_t *g, unsigned net) {
  const gate_t *gate = gates_driver(g, net);
  return gate && !gate->part && (strstr(gate->kind, "dff") || strncmp(gate->kind, "$dyn_insert", 11) == 0);
}

static void put_range(const writer_t *w, unsigned wide) {
  if (wide > 1) fprintf(w->to, "[%u:0] ", wide - 1);
}

/* Is the port's own gate called by the port's name? */
static bool drives(const writer_t *w, const gates_port_t *p, unsigned net) {
  const char *name = net ? w->g->nets[w->g->nets[net].root].name : NULL;
  return name && strcmp(name, p->safe) == 0 && !gates_constant(w->g, net);
}

static void put_ports(const writer_t *w) {
  const gates_t *g = w->g;
  const gate_t *self = &g->gates[w->module->first_gate];
  bool first = true;
  unsigned k = 0;
  for (unsigned i = 0; i < w->module->ports; i++) {
    const gates_port_t *p = &g->ports[w->module->first_port + i];
    const unsigned net = p->output ? gates_input(g, self, k++) : 0;
    if (!p->width) continue;
    const bool reg = p->output && drives(w, p, net) && (is_reg(g, net) || gates_is(gates_driver(g, net), "$mem_rd_sync"));
    fprintf(w->to, "%s%s%s", first ? "  " : ",\n  ", p->output ? "output " : "input ", reg ? "reg " : "");
    put_range(w, p->width), fputs(p->safe, w->to);
    first = false;
  }
}

/* Has the net's name been declared as a port? */
static bool is_port(const writer_t *w, const char *name) {
  for (unsigned i = 0; i < w->module->ports; i++)
    if (strcmp(w->g->ports[w->module->first_port + i].safe, name) == 0) return true;
  return false;
}

static void declare(writer_t *w, const gate_t *gate, unsigned net, bool reg) {
  const char *name = net ? w->g->nets[net].name : NULL;
  if (!name || !width(w, net) || is_port(w, name)) return;
  place(w, gate);
  fputs(reg ? "  reg " : "  wire ", w->to), put_range(w, width(w, net)), fprintf(w->to, "%s;\n", name);
}

/* The place of a register is that of its signal's declaration, if it has one. */
static const gate_t *declared(const writer_t *w, const gate_t *gate) {
  for (unsigned i = 1; i < w->module->gates; i++) {
    const gate_t *signal = &w->g->gates[w->module->first_gate + i];
    const bool is = gates_is(signal, "$signal") || gates_is(signal, "$isignal");
    if (is && gates_driver(w->g, gates_output(w->g, signal, 0)) == gate && signal->line) return signal;
  }
  return gate;
}

static void put_declarations(writer_t *w) {
  const gates_t *g = w->g;
  for (unsigned i = 1; i < w->module->gates; i++) {
    const gate_t *gate = &g->gates[w->module->first_gate + i];
    const bool read = gates_is(gate, "$mem_rd") || gates_is(gate, "$mem_rd_sync");
    const bool memory = gates_is(gate, "$memory") || gates_is(gate, "$memory_init");
    if (memory || (gate->part && !read)) continue;
    for (unsigned k = read; k < gate->outputs; k++) {
      const unsigned net = gates_output(g, gate, k);
      const bool reg = is_reg(g, net) || gates_is(gate, "$mem_rd_sync");
      declare(w, reg ? declared(w, gate) : gate, net, reg);
    }
  }
}

/* Outputs that are not the name of a gate: inputs, constants, a gate with another name. */
static void put_outputs(writer_t *w) {
  const gates_t *g = w->g;
  const gate_t *self = &g->gates[w->module->first_gate];
  unsigned k = 0;
  for (unsigned i = 0; i < w->module->ports; i++) {
    const gates_port_t *p = &g->ports[w->module->first_port + i];
    const unsigned net = p->output ? gates_input(g, self, k++) : 0;
    if (!p->output || !p->width || drives(w, p, net)) continue;
    place(w, self);
    fprintf(w->to, "  assign %s = ", p->safe), put(w, net), fputs(";\n", w->to);
  }
}

static bool put_module(writer_t *w, bool top) {
  const gates_t *g = w->g;
  if (!mark_parts(w)) return false;
  place(w, &g->gates[w->module->first_gate]);
  fprintf(w->to, "module %s ", top ? w->how->top : w->module->safe);
  if (top && *w->how->parameters) fprintf(w->to, "#(%s) ", w->how->parameters);
  fputs("(\n", w->to), put_ports(w), fputs(");\n", w->to);
  put_declarations(w), put_outputs(w);
  for (unsigned i = 1; i < w->module->gates; i++)
    if (!write_gate(w, &g->gates[w->module->first_gate + i])) return false;
  fputs("endmodule\n", w->to);
  return true;
}

bool gates_verilog(gates_t *g, const gates_how_t *how, FILE *to, trouble_t *trouble) {
  writer_t w = {.g = g, .how = how, .to = to, .trouble = trouble};
  for (unsigned i = 0; i < g->num_modules; i++) {
    w.module = &g->modules[i];
    if (w.module->gates && !put_module(&w, i == g->top)) return false;
  }
  return true;
}
