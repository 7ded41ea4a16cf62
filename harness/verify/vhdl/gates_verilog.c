/* SPDX-License-Identifier: Apache-2.0
 *
 * A statement a gate, each with its place (`line). Memories are written with all their ports; what
 * is written with another gate (constants, clock edges, the register in front of an assertion) is
 * marked first (mark_parts).
 */
#include "gates_write.h"

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
static void put_wire(const gates_writer_t *w, const gate_t *gate) {
  const unsigned net = gates_output(w->g, gate, 0);
  fputs("  assign ", w->to), gates_put(w, net), fputs(" = ", w->to);
}

/* `mod` has the sign of the divisor, Verilog's % that of the dividend. */
static bool put_modulo(gates_writer_t *w, const gate_t *gate) {
  const unsigned net = gates_output(w->g, gate, 0);
  char text[TEXT];
  fprintf(w->to, "  wire [%u:0] _rest_%u = ", gates_width(w, net) - 1, net);
  gates_put_template(w, gate, "%S0 % %S1;\n");
  gates_place(w, gate);
  put_wire(w, gate);
  snprintf(text, sizeof text, "%%M0 != %%M1 && _rest_%u != 0 ? _rest_%u + %%1 : _rest_%u;\n", net, net, net);
  gates_put_template(w, gate, text);
  return true;
}

static bool put_concat(const gates_writer_t *w, const gate_t *gate) {
  bool first = true;
  put_wire(w, gate);
  for (unsigned i = 0; i < gate->inputs; i++) {
    const unsigned net = gates_input(w->g, gate, i);
    if (net && !gates_width(w, net)) continue;
    fputs(first ? "{" : ", ", w->to), gates_put(w, net);
    first = false;
  }
  return fputs("};\n", w->to) >= 0;
}

/* The selector has one bit that is 1, bit k for input 2 + k, or none: then the default, input 1. */
static bool put_pmux(const gates_writer_t *w, const gate_t *gate) {
  const gates_t *g = w->g;
  const unsigned select = gates_input(g, gate, 0), bits = gates_width(w, select);
  put_wire(w, gate);
  for (unsigned i = bits; i--;) {
    gates_put_bit(w, select, i), fputs(" ? ", w->to), gates_put(w, gates_input(g, gate, 2 + i));
    fputs(" : ", w->to);
  }
  gates_put(w, gates_input(g, gate, 1));
  return fputs(";\n", w->to) >= 0;
}

static bool put_resize(const gates_writer_t *w, const gate_t *gate) {
  const unsigned from = gates_input(w->g, gate, 0), to = gates_width(w, gates_output(w->g, gate, 0)),
                 is = gates_width(w, from);
  put_wire(w, gate);
  if (!is) fprintf(w->to, "%u'b0", to);
  else if (to <= is) gates_put_slice(w, from, 0, to);
  else {
    fprintf(w->to, "{{%u{", to - is);
    if (gates_is(gate, "$sextend")) gates_put_bit(w, from, is - 1);
    else fputs("1'b0", w->to);
    fputs("}}, ", w->to), gates_put(w, from), putc('}', w->to);
  }
  return fputs(";\n", w->to) >= 0;
}

static bool put_extract(const gates_writer_t *w, const gate_t *gate) {
  const unsigned net = gates_input(w->g, gate, 0);
  put_wire(w, gate);
  gates_put_slice(w, net, (unsigned)w->g->values[gate->first_param], gates_width(w, gates_output(w->g, gate, 0)));
  return fputs(";\n", w->to) >= 0;
}

/* ---- gates with an index */

/* A vector that can be indexed. */
static void put_vector(const gates_writer_t *w, const gate_t *gate) {
  fprintf(w->to, "_vector_%u", gates_output(w->g, gate, 0));
}

/* `wire [W-1:0] vector_N = INPUT;` */
static void put_copy(const gates_writer_t *w, const gate_t *gate, unsigned net) {
  fprintf(w->to, "  wire [%u:0] ", gates_width(w, net) - 1), put_vector(w, gate), fputs(" = ", w->to);
  gates_put(w, net), fputs(";\n", w->to);
}

static bool put_dyn_extract(gates_writer_t *w, const gate_t *gate) {
  const gates_t *g = w->g;
  const unsigned from = gates_input(g, gate, 0);
  if (gates_width(w, from) < 2) {
    gates_put_template(w, gate, "  assign %o = %0;\n");
    return true;
  }
  put_copy(w, gate, from);
  gates_place(w, gate);
  put_wire(w, gate), put_vector(w, gate);
  gates_put_template(w, gate, "[%1 + 32'd%P +: %W];\n");
  return true;
}

static bool put_dyn_insert(const gates_writer_t *w, const gate_t *gate) {
  const bool enable = gates_is(gate, "$dyn_insert_en");
  gates_put_template(w, gate, "  always @* begin %o = %0; ");
  if (enable) gates_put_template(w, gate, "if (%3) ");
  if (gates_width(w, gates_output(w->g, gate, 0)) < 2) gates_put_template(w, gate, "%o = %1; end\n");
  else {
    gates_put_template(w, gate, "%o[%2 + 32'd%P +: ");
    fprintf(w->to, "%u", gates_width(w, gates_input(w->g, gate, 1)));
    gates_put_template(w, gate, "] = %1; end\n");
  }
  return true;
}

/* ---- instances of entities */

static const gates_module_t *module_of(const gates_t *g, const gate_t *gate) {
  for (unsigned i = 0; i < g->num_modules; i++)
    if (strcmp(g->modules[i].name, gate->kind) == 0) return &g->modules[i];
  return NULL;
}

static bool put_instance(gates_writer_t *w, const gate_t *gate) {
  const gates_t *g = w->g;
  const gates_module_t *m = module_of(g, gate);
  unsigned in = 0, out = 0;
  if (!m || !m->gates) {
    char what[TEXT];
    snprintf(what, sizeof what,
             "no file that is read has an entity %.100s; --file FILE or --library FOLDER would be right",
             gate->kind + 1);
    return gates_refuse(w, gate, what);
  }
  fprintf(w->to, "  %s %s (", m->safe, gate->safe);
  for (unsigned i = 0; i < m->ports; i++) {
    const gates_port_t *p = &g->ports[m->first_port + i];
    const unsigned net = p->output ? gates_output(g, gate, out++) : gates_input(g, gate, in++);
    if (!p->width) continue;
    fprintf(w->to, "%s.%s(", i ? ", " : "", p->safe), gates_put(w, net), putc(')', w->to);
  }
  return fputs(");\n", w->to) >= 0;
}

/* ---- all gates */

static bool is_one_of(const gate_t *gate, const char *const *kinds) {
  for (; *kinds; kinds++)
    if (gates_is(gate, *kinds)) return true;
  return false;
}

static bool put_gate(gates_writer_t *w, const gate_t *gate) {
  static const char *const resizes[] = {"$utrunc", "$strunc", "$uextend", "$sextend", NULL},
                           *const concats[] = {"$concat2", "$concat3", "$concat4", "$concatn", NULL},
                           *const registers[] = {"$dff", "$adff", "$idff", "$iadff", NULL},
                           *const inserts[] = {"$dyn_insert", "$dyn_insert_en", NULL},
                           *const memories[] = {"$memory", "$memory_init", NULL};
  for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
    if (gates_is(gate, templates[i].kind)) {
      put_wire(w, gate), gates_put_template(w, gate, templates[i].text);
      return fputs(";\n", w->to) >= 0;
    }
  if (is_one_of(gate, resizes)) return put_resize(w, gate);
  if (is_one_of(gate, concats)) return put_concat(w, gate);
  if (is_one_of(gate, registers)) return gates_put_register(w, gate);
  if (is_one_of(gate, inserts)) return put_dyn_insert(w, gate);
  if (is_one_of(gate, memories)) return gates_put_memory(w, gate);
  if (gates_is(gate, "$smod")) return put_modulo(w, gate);
  if (gates_is(gate, "$pmux")) return put_pmux(w, gate);
  if (gates_is(gate, "$extract")) return put_extract(w, gate);
  if (gates_is(gate, "$dyn_extract")) return put_dyn_extract(w, gate);
  if (gates_is(gate, "$assert")) return gates_put_assert(w, gate);
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

static bool write_gate(gates_writer_t *w, const gate_t *gate) {
  char what[TEXT];
  const unsigned net = gates_output(w->g, gate, 0);
  if (gate->part || (gate->outputs && net && !gates_width(w, net))) return true;
  if (!gates_is(gate, "$memory") && !gates_is(gate, "$memory_init")) gates_place(w, gate);
  if (put_gate(w, gate)) return true;
  if (w->trouble->kind) return false;
  const char *why = reason(gate);
  snprintf(what, sizeof what, "ghdl makes %.60s of this, which is not taken%s%s", gate->kind + (*gate->kind == '$'),
           why ? ": " : "", why ? why : "");
  return gates_refuse(w, gate, what);
}

/* ---- parts of others */

/* Every use of an edge as data is one that ghdl could make no register of. */
static bool check_edges(gates_writer_t *w, const gate_t *gate) {
  for (unsigned i = 0; i < gate->inputs; i++) {
    const gate_t *driver = gates_driver(w->g, gates_input(w->g, gate, i));
    if (!gates_is(driver, "$posedge") && !gates_is(driver, "$negedge")) continue;
    const bool first = strstr(gate->kind, "dff") && i == 0, memory = strncmp(gate->kind, "$mem_", 5) == 0 && i == 2;
    if (!first && !memory)
      return gates_refuse(
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
static void mark_assertions(gates_writer_t *w) {
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

static bool mark_parts(gates_writer_t *w) {
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

static void put_range(const gates_writer_t *w, unsigned wide) {
  if (wide > 1) fprintf(w->to, "[%u:0] ", wide - 1);
}

/* Is the port's own gate called by the port's name? */
static bool drives(const gates_writer_t *w, const gates_port_t *p, unsigned net) {
  const char *name = net ? w->g->nets[w->g->nets[net].root].name : NULL;
  return name && strcmp(name, p->safe) == 0 && !gates_constant(w->g, net);
}

static void put_ports(const gates_writer_t *w) {
  const gates_t *g = w->g;
  const gate_t *self = &g->gates[w->module->first_gate];
  bool first = true;
  unsigned k = 0;
  for (unsigned i = 0; i < w->module->ports; i++) {
    const gates_port_t *p = &g->ports[w->module->first_port + i];
    const unsigned net = p->output ? gates_input(g, self, k++) : 0;
    if (!p->width) continue;
    const bool read = net && gates_is(gates_driver(g, net), "$mem_rd_sync");
    const bool reg = p->output && drives(w, p, net) && (is_reg(g, net) || read);
    fprintf(w->to, "%s%s%s", first ? "  " : ",\n  ", p->output ? "output " : "input ", reg ? "reg " : "");
    put_range(w, p->width), fputs(p->safe, w->to);
    first = false;
  }
}

/* Has the net's name been declared as a port? */
static bool is_port(const gates_writer_t *w, const char *name) {
  for (unsigned i = 0; i < w->module->ports; i++)
    if (strcmp(w->g->ports[w->module->first_port + i].safe, name) == 0) return true;
  return false;
}

static void declare(gates_writer_t *w, const gate_t *gate, unsigned net, bool reg) {
  const char *name = net ? w->g->nets[net].name : NULL;
  if (!name || !gates_width(w, net) || is_port(w, name)) return;
  gates_place(w, gate);
  fputs(reg ? "  reg " : "  wire ", w->to), put_range(w, gates_width(w, net)), fprintf(w->to, "%s;\n", name);
}

/* The place of a register is that of its signal's declaration, if it has one. */
static const gate_t *declared(const gates_writer_t *w, const gate_t *gate) {
  for (unsigned i = 1; i < w->module->gates; i++) {
    const gate_t *signal = &w->g->gates[w->module->first_gate + i];
    const bool is = gates_is(signal, "$signal") || gates_is(signal, "$isignal");
    if (is && gates_driver(w->g, gates_output(w->g, signal, 0)) == gate && signal->line) return signal;
  }
  return gate;
}

static void put_declarations(gates_writer_t *w) {
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
static void put_outputs(gates_writer_t *w) {
  const gates_t *g = w->g;
  const gate_t *self = &g->gates[w->module->first_gate];
  unsigned k = 0;
  for (unsigned i = 0; i < w->module->ports; i++) {
    const gates_port_t *p = &g->ports[w->module->first_port + i];
    const unsigned net = p->output ? gates_input(g, self, k++) : 0;
    if (!p->output || !p->width || drives(w, p, net)) continue;
    gates_place(w, self);
    fprintf(w->to, "  assign %s = ", p->safe), gates_put(w, net), fputs(";\n", w->to);
  }
}

static bool put_module(gates_writer_t *w, bool top) {
  const gates_t *g = w->g;
  if (!mark_parts(w)) return false;
  gates_place(w, &g->gates[w->module->first_gate]);
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

bool gates_verilog(gates_t *g, const gates_how_t *how, FILE *to, trouble_t *trouble) {
  gates_writer_t w = {.g = g, .how = how, .to = to, .trouble = trouble};
  for (unsigned i = 0; i < g->num_modules; i++) {
    w.module = &g->modules[i];
    if (w.module->gates && !put_module(&w, i == g->top)) return false;
  }
  return true;
}
