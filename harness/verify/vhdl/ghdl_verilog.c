/* SPDX-License-Identifier: Apache-2.0
 *
 * A statement a gate, each with its place (`line). Memories are written with all their ports; what
 * is written with another gate (constants, clock edges, the register in front of an assertion) is
 * marked first (mark_parts).
 */
#include "ghdl_write.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 512 };

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
static void put_wire(const ghdl_writer_t *w, const gate_t *gate) {
  const unsigned net = ghdl_output(w->g, gate, 0);
  fputs("  assign ", w->to), ghdl_put(w, net), fputs(" = ", w->to);
}

/* `mod` has the sign of the divisor, Verilog's % that of the dividend. */
static bool put_modulo(ghdl_writer_t *w, const gate_t *gate) {
  const unsigned net = ghdl_output(w->g, gate, 0);
  char text[TEXT];
  fprintf(w->to, "  wire [%u:0] _rest_%u = ", ghdl_width(w, net) - 1, net);
  ghdl_put_template(w, gate, "%S0 % %S1;\n");
  ghdl_place(w, gate);
  put_wire(w, gate);
  snprintf(text, sizeof text, "%%M0 != %%M1 && _rest_%u != 0 ? _rest_%u + %%1 : _rest_%u;\n", net, net, net);
  ghdl_put_template(w, gate, text);
  return true;
}

static bool put_concat(const ghdl_writer_t *w, const gate_t *gate) {
  bool first = true;
  put_wire(w, gate);
  for (unsigned i = 0; i < gate->inputs; i++) {
    const unsigned net = ghdl_input(w->g, gate, i);
    if (net && !ghdl_width(w, net)) continue;
    fputs(first ? "{" : ", ", w->to), ghdl_put(w, net);
    first = false;
  }
  return fputs("};\n", w->to) >= 0;
}

/* The selector has one bit that is 1, bit k for input 2 + k, or none: then the default, input 1. */
static bool put_pmux(const ghdl_writer_t *w, const gate_t *gate) {
  const ghdl_gates_t *g = w->g;
  const unsigned select = ghdl_input(g, gate, 0), bits = ghdl_width(w, select);
  put_wire(w, gate);
  for (unsigned i = bits; i--;) {
    ghdl_put_bit(w, select, i), fputs(" ? ", w->to), ghdl_put(w, ghdl_input(g, gate, 2 + i));
    fputs(" : ", w->to);
  }
  ghdl_put(w, ghdl_input(g, gate, 1));
  return fputs(";\n", w->to) >= 0;
}

static bool put_resize(const ghdl_writer_t *w, const gate_t *gate) {
  const unsigned from = ghdl_input(w->g, gate, 0), to = ghdl_width(w, ghdl_output(w->g, gate, 0)),
                 is = ghdl_width(w, from);
  put_wire(w, gate);
  if (!is) fprintf(w->to, "%u'b0", to);
  else if (to <= is) ghdl_put_slice(w, from, 0, to);
  else {
    fprintf(w->to, "{{%u{", to - is);
    if (ghdl_is(gate, "$sextend")) ghdl_put_bit(w, from, is - 1);
    else fputs("1'b0", w->to);
    fputs("}}, ", w->to), ghdl_put(w, from), putc('}', w->to);
  }
  return fputs(";\n", w->to) >= 0;
}

static bool put_extract(const ghdl_writer_t *w, const gate_t *gate) {
  const unsigned net = ghdl_input(w->g, gate, 0);
  put_wire(w, gate);
  ghdl_put_slice(w, net, (unsigned)w->g->values[gate->first_param], ghdl_width(w, ghdl_output(w->g, gate, 0)));
  return fputs(";\n", w->to) >= 0;
}

/* ---- gates with an index */

/* A vector that can be indexed. */
static void put_vector(const ghdl_writer_t *w, const gate_t *gate) {
  fprintf(w->to, "_vector_%u", ghdl_output(w->g, gate, 0));
}

/* `wire [W-1:0] vector_N = INPUT;` */
static void put_copy(const ghdl_writer_t *w, const gate_t *gate, unsigned net) {
  fprintf(w->to, "  wire [%u:0] ", ghdl_width(w, net) - 1), put_vector(w, gate), fputs(" = ", w->to);
  ghdl_put(w, net), fputs(";\n", w->to);
}

static bool put_dyn_extract(ghdl_writer_t *w, const gate_t *gate) {
  const ghdl_gates_t *g = w->g;
  const unsigned from = ghdl_input(g, gate, 0);
  if (ghdl_width(w, from) < 2) {
    ghdl_put_template(w, gate, "  assign %o = %0;\n");
    return true;
  }
  put_copy(w, gate, from);
  ghdl_place(w, gate);
  put_wire(w, gate), put_vector(w, gate);
  ghdl_put_template(w, gate, "[%1 + 32'd%P +: %W];\n");
  return true;
}

static bool put_dyn_insert(const ghdl_writer_t *w, const gate_t *gate) {
  const bool enable = ghdl_is(gate, "$dyn_insert_en");
  ghdl_put_template(w, gate, "  always @* begin %o = %0; ");
  if (enable) ghdl_put_template(w, gate, "if (%3) ");
  if (ghdl_width(w, ghdl_output(w->g, gate, 0)) < 2) ghdl_put_template(w, gate, "%o = %1; end\n");
  else {
    ghdl_put_template(w, gate, "%o[%2 + 32'd%P +: ");
    fprintf(w->to, "%u", ghdl_width(w, ghdl_input(w->g, gate, 1)));
    ghdl_put_template(w, gate, "] = %1; end\n");
  }
  return true;
}

/* ---- instances of entities */

static const ghdl_module_t *module_of(const ghdl_gates_t *g, const gate_t *gate) {
  for (unsigned i = 0; i < g->num_modules; i++)
    if (strcmp(g->modules[i].name, gate->kind) == 0) return &g->modules[i];
  return NULL;
}

static bool put_instance(ghdl_writer_t *w, const gate_t *gate) {
  const ghdl_gates_t *g = w->g;
  const ghdl_module_t *m = module_of(g, gate);
  unsigned in = 0, out = 0;
  if (!m || !m->gates || !g->gates[m->first_gate].self) {
    char what[TEXT];
    snprintf(what, sizeof what,
             "no file that is read has an entity %.100s; --file FILE or --library FOLDER would be right",
             gate->kind + 1);
    return ghdl_refuse(w, gate, what);
  }
  fprintf(w->to, "  %s %s (", m->safe, gate->safe);
  for (unsigned i = 0; i < m->ports; i++) {
    const ghdl_port_t *p = &g->ports[m->first_port + i];
    const unsigned net = p->output ? ghdl_output(g, gate, out++) : ghdl_input(g, gate, in++);
    if (!p->width) continue;
    fprintf(w->to, "%s.%s(", i ? ", " : "", p->safe), ghdl_put(w, net), putc(')', w->to);
  }
  return fputs(");\n", w->to) >= 0;
}

/* ---- all gates */

static bool is_one_of(const gate_t *gate, const char *const *kinds) {
  for (; *kinds; kinds++)
    if (ghdl_is(gate, *kinds)) return true;
  return false;
}

static bool put_gate(ghdl_writer_t *w, const gate_t *gate) {
  static const char *const resizes[] = {"$utrunc", "$strunc", "$uextend", "$sextend", NULL},
                           *const concats[] = {"$concat2", "$concat3", "$concat4", "$concatn", NULL},
                           *const registers[] = {"$dff", "$adff", "$idff", "$iadff", NULL},
                           *const inserts[] = {"$dyn_insert", "$dyn_insert_en", NULL},
                           *const memories[] = {"$memory", "$memory_init", NULL};
  for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
    if (ghdl_is(gate, templates[i].kind)) {
      put_wire(w, gate), ghdl_put_template(w, gate, templates[i].text);
      return fputs(";\n", w->to) >= 0;
    }
  if (is_one_of(gate, resizes)) return put_resize(w, gate);
  if (is_one_of(gate, concats)) return put_concat(w, gate);
  if (is_one_of(gate, registers)) return ghdl_put_register(w, gate);
  if (is_one_of(gate, inserts)) return put_dyn_insert(w, gate);
  if (is_one_of(gate, memories)) return ghdl_put_memory(w, gate);
  if (ghdl_is(gate, "$smod")) return put_modulo(w, gate);
  if (ghdl_is(gate, "$pmux")) return put_pmux(w, gate);
  if (ghdl_is(gate, "$extract")) return put_extract(w, gate);
  if (ghdl_is(gate, "$dyn_extract")) return put_dyn_extract(w, gate);
  if (ghdl_is(gate, "$assert")) return ghdl_put_assert(w, gate);
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
    if (ghdl_is(gate, texts[i][0])) return texts[i][1];
  return NULL;
}

static bool write_gate(ghdl_writer_t *w, const gate_t *gate) {
  char what[TEXT];
  const unsigned net = ghdl_output(w->g, gate, 0);
  if (gate->part || (gate->outputs && net && !ghdl_width(w, net))) return true;
  if (!ghdl_is(gate, "$memory") && !ghdl_is(gate, "$memory_init")) ghdl_place(w, gate);
  if (put_gate(w, gate)) return true;
  if (w->trouble->kind) return false;
  const char *why = reason(gate);
  snprintf(what, sizeof what, "ghdl makes %.60s of this, which is not taken%s%s", gate->kind + (*gate->kind == '$'),
           why ? ": " : "", why ? why : "");
  return ghdl_refuse(w, gate, what);
}

/* ---- parts of others */

/* Every use of an edge as data is one that ghdl could make no register of. */
static bool check_edges(ghdl_writer_t *w, const gate_t *gate) {
  for (unsigned i = 0; i < gate->inputs; i++) {
    const gate_t *driver = ghdl_driver(w->g, ghdl_input(w->g, gate, i));
    if (!ghdl_is(driver, "$posedge") && !ghdl_is(driver, "$negedge")) continue;
    const bool first = strstr(gate->kind, "dff") && i == 0, memory = strncmp(gate->kind, "$mem_", 5) == 0 && i == 2;
    if (!first && !memory)
      return ghdl_refuse(
          w, gate,
          "ghdl makes no register of this, but logic of the clock's edge; a signal that is assigned as a "
          "whole at the edge would be right, its next value computed in a variable");
  }
  return true;
}

static bool is_part(const gate_t *gate) {
  static const char *const kinds[] = {
      "$signal",       "$isignal", "$output", "$ioutput",     "$port",        "$nop",    "$enable",
      "$posedge",      "$negedge", "$mem_rd", "$mem_rd_sync", "$mem_wr_sync", "$assume", "$cover",
      "$assert_cover", "$top",     NULL};
  return gate->self || strncmp(gate->kind, "$const_", 7) == 0 || is_one_of(gate, kinds);
}

/* The register in front of an assertion is no register of the design, if nothing else reads it. */
static void mark_assertions(ghdl_writer_t *w) {
  ghdl_gates_t *g = w->g;
  const unsigned begin = w->module->first_gate, end = begin + w->module->gates;
  for (unsigned i = begin; i < end; i++) {
    const unsigned net = ghdl_is(&g->gates[i], "$assert") ? ghdl_input(g, &g->gates[i], 0) : 0;
    const int driver = net ? g->nets[g->nets[net].root].gate : -1;
    unsigned readers = 0;
    if (driver < 0 || !strstr(g->gates[driver].kind, "dff")) continue;
    for (unsigned k = begin; k < end; k++)
      for (unsigned j = 0; j < g->gates[k].inputs; j++)
        readers += ghdl_driver(g, ghdl_input(g, &g->gates[k], j)) == &g->gates[driver];
    g->gates[driver].part = readers == 1;
  }
}

static bool mark_parts(ghdl_writer_t *w) {
  ghdl_gates_t *g = w->g;
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
static bool is_reg(const ghdl_gates_t *g, unsigned net) {
  const gate_t *gate = ghdl_driver(g, net);
  return gate && !gate->part && (strstr(gate->kind, "dff") || strncmp(gate->kind, "$dyn_insert", 11) == 0);
}

static void put_range(const ghdl_writer_t *w, unsigned wide) {
  if (wide > 1) fprintf(w->to, "[%u:0] ", wide - 1);
}

/* Is the port's own gate called by the port's name? */
static bool drives(const ghdl_writer_t *w, const ghdl_port_t *p, unsigned net) {
  const char *name = net ? w->g->nets[w->g->nets[net].root].name : NULL;
  return name && strcmp(name, p->safe) == 0 && !ghdl_constant(w->g, net);
}

static void put_ports(const ghdl_writer_t *w) {
  const ghdl_gates_t *g = w->g;
  const gate_t *self = &g->gates[w->module->first_gate];
  bool first = true;
  unsigned k = 0;
  for (unsigned i = 0; i < w->module->ports; i++) {
    const ghdl_port_t *p = &g->ports[w->module->first_port + i];
    const unsigned net = p->output ? ghdl_input(g, self, k++) : 0;
    if (!p->width) continue;
    const bool read = net && ghdl_is(ghdl_driver(g, net), "$mem_rd_sync");
    const bool reg = p->output && drives(w, p, net) && (is_reg(g, net) || read);
    fprintf(w->to, "%s%s%s", first ? "  " : ",\n  ", p->output ? "output " : "input ", reg ? "reg " : "");
    put_range(w, p->width), fputs(p->safe, w->to);
    first = false;
  }
}

/* Has the net's name been declared as a port? */
static bool is_port(const ghdl_writer_t *w, const char *name) {
  for (unsigned i = 0; i < w->module->ports; i++)
    if (strcmp(w->g->ports[w->module->first_port + i].safe, name) == 0) return true;
  return false;
}

static void declare(ghdl_writer_t *w, const gate_t *gate, unsigned net, bool reg) {
  const char *name = net ? w->g->nets[net].name : NULL;
  if (!name || !ghdl_width(w, net) || is_port(w, name)) return;
  ghdl_place(w, gate);
  fputs(reg ? "  reg " : "  wire ", w->to), put_range(w, ghdl_width(w, net)), fprintf(w->to, "%s;\n", name);
}

/* The place of a register is that of its signal's declaration, if it has one. */
static const gate_t *declared(const ghdl_writer_t *w, const gate_t *gate) {
  for (unsigned i = 1; i < w->module->gates; i++) {
    const gate_t *signal = &w->g->gates[w->module->first_gate + i];
    const bool is = ghdl_is(signal, "$signal") || ghdl_is(signal, "$isignal");
    if (is && ghdl_driver(w->g, ghdl_output(w->g, signal, 0)) == gate && signal->line) return signal;
  }
  return gate;
}

static void put_declarations(ghdl_writer_t *w) {
  const ghdl_gates_t *g = w->g;
  for (unsigned i = 1; i < w->module->gates; i++) {
    const gate_t *gate = &g->gates[w->module->first_gate + i];
    const bool read = ghdl_is(gate, "$mem_rd") || ghdl_is(gate, "$mem_rd_sync");
    const bool memory = ghdl_is(gate, "$memory") || ghdl_is(gate, "$memory_init");
    if (memory || (gate->part && !read)) continue;
    for (unsigned k = read; k < gate->outputs; k++) {
      const unsigned net = ghdl_output(g, gate, k);
      const bool reg = is_reg(g, net) || ghdl_is(gate, "$mem_rd_sync");
      declare(w, reg ? declared(w, gate) : gate, net, reg);
    }
  }
}

/* Outputs that are not the name of a gate: inputs, constants, a gate with another name. */
static void put_outputs(ghdl_writer_t *w) {
  const ghdl_gates_t *g = w->g;
  const gate_t *self = &g->gates[w->module->first_gate];
  unsigned k = 0;
  for (unsigned i = 0; i < w->module->ports; i++) {
    const ghdl_port_t *p = &g->ports[w->module->first_port + i];
    const unsigned net = p->output ? ghdl_input(g, self, k++) : 0;
    if (!p->output || !p->width || drives(w, p, net)) continue;
    ghdl_place(w, self);
    fprintf(w->to, "  assign %s = ", p->safe), ghdl_put(w, net), fputs(";\n", w->to);
  }
}

static bool put_module(ghdl_writer_t *w, bool top) {
  const ghdl_gates_t *g = w->g;
  if (!mark_parts(w)) return false;
  ghdl_place(w, &g->gates[w->module->first_gate]);
  fprintf(w->to, "module %s ", top ? w->how->top : w->module->safe);
  if (top && *w->how->parameters) fprintf(w->to, "#(%s) ", w->how->parameters);
  fputs("(\n", w->to), put_ports(w), fputs(");\n", w->to);
  put_declarations(w), put_outputs(w);
  for (unsigned i = 1; i < w->module->gates; i++)
    if (!write_gate(w, &g->gates[w->module->first_gate + i])) return false;
  /* Verilator's counters are there where something is counted (verilated_cov.cpp). */
  if (top) fputs("`ifdef VERILATOR\n  initial begin end\n`endif\n", w->to);
  fputs("endmodule\n", w->to);
  return true;
}

bool ghdl_verilog(ghdl_gates_t *g, const ghdl_how_t *how, FILE *to, trouble_t *trouble) {
  ghdl_writer_t w = {.g = g, .how = how, .to = to, .trouble = trouble};
  for (unsigned i = 0; i < g->num_modules; i++) {
    w.module = &g->modules[i];
    if (w.module->gates && !put_module(&w, i == g->top)) return false;
  }
  return true;
}
