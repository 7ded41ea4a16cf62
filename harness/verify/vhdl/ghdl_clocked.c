/* SPDX-License-Identifier: Apache-2.0
 *
 * Gates that wait for a clock's edge: registers, memories, assertions.
 */
#include "ghdl_write.h"

#include <stdlib.h>
#include <string.h>

/* ---- registers */

/* "posedge clk". False: the clock is no edge. */
static bool put_edge(ghdl_writer_t *w, const gate_t *gate, unsigned clock) {
  const gate_t *edge = ghdl_driver(w->g, clock);
  if (!ghdl_is(edge, "$posedge") && !ghdl_is(edge, "$negedge"))
    return ghdl_refuse(w, gate, "a register without a clock edge that could be found");
  fprintf(w->to, "%s ", edge->kind + 1), ghdl_put(w, ghdl_input(w->g, edge, 0));
  return true;
}

/* "posedge rst" and its level; "negedge rst_n" where a gate inverts it. */
static void put_reset(const ghdl_writer_t *w, unsigned reset, bool level) {
  const gate_t *driver = ghdl_driver(w->g, reset);
  const bool inverted = ghdl_is(driver, "$not");
  if (level) fputs(inverted ? "!" : "", w->to);
  else fputs(inverted ? "negedge " : "posedge ", w->to);
  ghdl_put(w, inverted ? ghdl_input(w->g, driver, 0) : reset);
}

static void put_initial(ghdl_writer_t *w, const gate_t *gate, unsigned net, unsigned init) {
  char *value = ghdl_constant(w->g, init);
  if (value && strspn(value, "xz") != strlen(value)) {
    ghdl_place(w, gate);
    fputs("  initial ", w->to), ghdl_put(w, net), fprintf(w->to, " = %u'b%s;\n", ghdl_width(w, net), value);
  }
  free(value);
}

bool ghdl_put_register(ghdl_writer_t *w, const gate_t *gate) {
  const ghdl_gates_t *g = w->g;
  const bool reset = strstr(gate->kind, "adff"), init = ghdl_is(gate, "$idff") || ghdl_is(gate, "$iadff");
  const unsigned out = ghdl_output(g, gate, 0);
  fputs("  always @(", w->to);
  if (!put_edge(w, gate, ghdl_input(g, gate, 0))) return false;
  if (reset) fputs(" or ", w->to), put_reset(w, ghdl_input(g, gate, 2), false);
  fputs(") ", w->to);
  if (reset) {
    fputs("if (", w->to), put_reset(w, ghdl_input(g, gate, 2), true), fputs(") ", w->to);
    ghdl_put(w, out), fputs(" <= ", w->to), ghdl_put(w, ghdl_input(g, gate, 3)), fputs("; else ", w->to);
  }
  ghdl_put(w, out), fputs(" <= ", w->to), ghdl_put(w, ghdl_input(g, gate, 1)), fputs(";\n", w->to);
  if (init) put_initial(w, gate, out, ghdl_input(g, gate, reset ? 4 : 2));
  return true;
}

/* An assertion for Verilator alone: other tools read none. It holds at the clock's edge where a
 * register only waits for that. */
bool ghdl_put_assert(ghdl_writer_t *w, const gate_t *gate) {
  const ghdl_gates_t *g = w->g;
  const gate_t *before = ghdl_driver(g, ghdl_input(g, gate, 0));
  const bool clocked = before && before->part && strstr(before->kind, "dff"), reset = clocked && before->inputs > 3;
  fputs("`ifdef VERILATOR\n", w->to);
  ghdl_place(w, gate);
  fputs(clocked ? "  always @(" : "  always @* ", w->to);
  if (clocked && !put_edge(w, gate, ghdl_input(g, before, 0))) return false;
  fputs(clocked ? ") assert (" : "assert (", w->to);
  if (reset) put_reset(w, ghdl_input(g, before, 2), true), fputs(" || ", w->to);
  ghdl_put(w, clocked ? ghdl_input(g, before, 1) : ghdl_input(g, gate, 0));
  return fputs(");\n`endif\n", w->to) >= 0;
}

/* ---- memories */

/* The next port in the memory's chain; NULL: the end. */
static const gate_t *next_port(const ghdl_writer_t *w, unsigned net) {
  const ghdl_gates_t *g = w->g;
  for (unsigned i = 1; i < w->module->gates; i++) {
    const gate_t *gate = &g->gates[w->module->first_gate + i];
    if (strncmp(gate->kind, "$mem_", 5) == 0 && ghdl_input(g, gate, 0) == net) return gate;
  }
  return NULL;
}

static bool is_write(const gate_t *port) {
  return ghdl_is(port, "$mem_wr_sync");
}

/* Width of a word, by the first port. */
static unsigned word_width(const ghdl_writer_t *w, const gate_t *port) {
  return is_write(port) ? ghdl_width(w, ghdl_input(w->g, port, 4)) : ghdl_width(w, ghdl_output(w->g, port, 1));
}

static void put_contents(ghdl_writer_t *w, const gate_t *memory, const char *name, unsigned wide, unsigned deep) {
  char *value = ghdl_constant(w->g, ghdl_input(w->g, memory, 1));
  if (!value || strlen(value) != (size_t)wide * deep || strspn(value, "xz") == strlen(value)) return free(value);
  ghdl_place(w, memory);
  fputs("  initial begin", w->to);
  for (unsigned i = 0; i < deep; i++) {
    const char *word = value + (size_t)(deep - 1 - i) * wide;
    if (strspn(word, "xz") < wide) fprintf(w->to, " %s[%u] = %u'b%.*s;", name, i, wide, (int)wide, word);
  }
  fputs(" end\n", w->to);
  free(value);
}

static bool same_clock(const ghdl_writer_t *w, const gate_t *a, const gate_t *b) {
  const gate_t *x = ghdl_driver(w->g, ghdl_input(w->g, a, 2)), *y = ghdl_driver(w->g, ghdl_input(w->g, b, 2));
  if (!x || !y || strcmp(x->kind, y->kind) != 0) return false;
  return w->g->nets[ghdl_input(w->g, x, 0)].root == w->g->nets[ghdl_input(w->g, y, 0)].root;
}

/* "memory[ADDRESS]" of port i; what writes of the chain before it write goes before: that is a
 * variable, which a process reads after it has written it. */
static void put_read(ghdl_writer_t *w, const gate_t *const *ports, unsigned i, const char *name) {
  const ghdl_gates_t *g = w->g;
  const unsigned address = ghdl_input(g, ports[i], 1);
  for (unsigned k = i; k--;) {
    if (!is_write(ports[k])) continue;
    fputs("(", w->to), ghdl_put(w, ghdl_input(g, ports[k], 3)), fputs(" && ", w->to);
    ghdl_put(w, ghdl_input(g, ports[k], 1)), fputs(" == ", w->to), ghdl_put(w, address);
    fputs(") ? ", w->to), ghdl_put(w, ghdl_input(g, ports[k], 4)), fputs(" : ", w->to);
  }
  fprintf(w->to, "%s[", name), ghdl_put(w, address), fputs("]", w->to);
}

/* The ports of a clock in one statement, in the chain's order. */
static bool put_clocked(ghdl_writer_t *w, const gate_t *const *ports, unsigned count, unsigned first,
                        const char *name) {
  const ghdl_gates_t *g = w->g;
  ghdl_place(w, ports[first]);
  fputs("  always @(", w->to);
  if (!put_edge(w, ports[first], ghdl_input(g, ports[first], 2))) return false;
  fputs(") begin", w->to);
  for (unsigned i = first; i < count; i++) {
    const gate_t *p = ports[i];
    if (ghdl_is(p, "$mem_rd") || !same_clock(w, ports[first], p)) continue;
    fputs(" if (", w->to), ghdl_put(w, ghdl_input(g, p, 3)), fputs(") ", w->to);
    if (is_write(p)) {
      fprintf(w->to, "%s[", name), ghdl_put(w, ghdl_input(g, p, 1)), fputs("] <= ", w->to);
      ghdl_put(w, ghdl_input(g, p, 4)), fputs(";", w->to);
      continue;
    }
    ghdl_put(w, ghdl_output(g, p, 1)), fputs(" <= ", w->to);
    put_read(w, ports, i, name), fputs(";", w->to);
  }
  return fputs(" end\n", w->to) >= 0;
}

enum { PORTS = 64 };

bool ghdl_put_memory(ghdl_writer_t *w, const gate_t *memory) {
  const ghdl_gates_t *g = w->g;
  const gate_t *ports[PORTS], *port;
  unsigned count = 0, net = ghdl_output(g, memory, 0);
  for (; count < PORTS && (port = next_port(w, net)); net = ghdl_output(g, port, 0)) ports[count++] = port;
  if (!count || count == PORTS) return ghdl_refuse(w, memory, "a memory whose ports could not be read");
  const unsigned wide = word_width(w, ports[0]), deep = wide ? ghdl_width(w, ghdl_output(g, memory, 0)) / wide : 0;
  const char *name = g->nets[ghdl_output(g, memory, 0)].name;
  if (!deep) return ghdl_refuse(w, memory, "a memory without words");
  fprintf(w->to, "  reg [%u:0] %s [0:%u];\n", wide - 1, name, deep - 1);
  if (ghdl_is(memory, "$memory_init")) put_contents(w, memory, name, wide, deep);
  for (unsigned i = 0; i < count; i++) {
    bool done = false;
    if (ghdl_is(ports[i], "$mem_rd")) {
      ghdl_place(w, ports[i]);
      fputs("  assign ", w->to), ghdl_put(w, ghdl_output(g, ports[i], 1)), fputs(" = ", w->to);
      put_read(w, ports, i, name), fputs(";\n", w->to);
      continue;
    }
    for (unsigned k = 0; k < i; k++) done |= !ghdl_is(ports[k], "$mem_rd") && same_clock(w, ports[k], ports[i]);
    if (!done && !put_clocked(w, ports, count, i, name)) return false;
  }
  return true;
}
