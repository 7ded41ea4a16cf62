/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the design in Verilog. A gate that drives an output has the port's name, one that drives
 * a signal the signal's; what has several keeps the first. Other registers are n1, n2 ..., other
 * nets _n1, _n2 ...: names that begin with _ are in no waveform and have no coverage.
 */
#include "ghdl_gates.h"

#include "port_names.h"
#include "words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 512, DEEPEST = 100000 };

/* ---- roots */

/* A gate whose output is its input. */
static bool passes(const gate_t *gate) {
  static const char *const kinds[] = {"$signal", "$output", "$ioutput", "$port", "$nop", "$enable"};
  for (size_t i = 0; gate && i < sizeof kinds / sizeof *kinds; i++)
    if (ghdl_is(gate, kinds[i])) return true;
  return ghdl_is(gate, "$isignal");
}

/* What it passes on; a signal that nothing drives has its first value, or none. */
static unsigned passed(const ghdl_gates_t *g, const gate_t *gate) {
  const unsigned first = ghdl_input(g, gate, 0);
  return first ? first : ghdl_input(g, gate, 1);
}

static void find_root(ghdl_gates_t *g, unsigned net) {
  unsigned root = net;
  for (unsigned i = 0; i < DEEPEST; i++) {
    const gate_t *gate = g->nets[root].gate < 0 ? NULL : &g->gates[g->nets[root].gate];
    const unsigned next = passes(gate) ? passed(g, gate) : 0;
    if (!next || next == net) break;
    root = next;
  }
  g->nets[net].root = root;
}

/* ---- names */

/* "\memory.\fifo" becomes memory_fifo, "%12" n12, "\\odd name\" odd_name. */
static void plain_name(const char *from, char to[NAME]) {
  size_t n = 0;
  for (; *from && n + 2 < NAME; from++) {
    if (*from == '\\' || *from == '$') continue;
    if (*from == '%') to[n++] = 'n';
    else to[n++] = isalnum((unsigned char)*from) ? *from : '_';
  }
  if (!n || isdigit((unsigned char)*to)) memmove(to + 1, to, n), *to = '_', n++;
  to[n] = 0;
}

/* The name, with a number behind it if the module has it already. NULL: no memory. */
static char *take_name(words_t *used, const char *from) {
  char plain[NAME], other[NAME + 16], safe[PORT_NAME];
  plain_name(from, plain);
  snprintf(other, sizeof other, "%s", plain);
  for (unsigned i = 2; !words_add_new(used, other); i++) snprintf(other, sizeof other, "%s_%u", plain, i);
  port_name_verilog(other, safe);
  return strdup(safe);
}

/* A net without a name in the source. */
static char *other_name(words_t *used, const gate_t *gate, unsigned net) {
  char number[32];
  snprintf(number, sizeof number, "%sn%u", strstr(gate->kind, "dff") ? "" : "_", net);
  return take_name(used, number);
}

/* Without the sum that ghdl puts behind the name of an entity with generics. */
static void short_module(const char *name, char to[NAME]) {
  const size_t n = strlen(name), sum = strspn(name + (n > 40 ? n - 40 : 0), "0123456789abcdef");
  const bool has = n > 42 && sum == 40 && name[n - 41] == '_';
  snprintf(to, NAME, "%.*s", (int)(has ? n - 41 : n), name);
}

/* No gate is of its kind. */
static bool is_top(const ghdl_gates_t *g, const ghdl_module_t *m) {
  for (unsigned i = 0; i < g->num_gates; i++)
    if (!g->gates[i].self && ghdl_is(&g->gates[i], m->name)) return false;
  return true;
}

static bool name_modules(ghdl_gates_t *g) {
  char name[NAME];
  words_t used = {0};
  bool ok = true;
  for (unsigned i = 0; i < g->num_modules; i++)
    if (is_top(g, &g->modules[i])) g->top = i;
  for (unsigned i = 0; ok && i < g->num_modules; i++) {
    const unsigned k = (g->top + i) % g->num_modules; /* the top's name first: it is kept */
    short_module(g->modules[k].name, name);
    ok = (g->modules[k].safe = take_name(&used, name));
  }
  words_free(&used);
  return ok;
}

static bool set_name(ghdl_gates_t *g, words_t *used, unsigned net, const char *from) {
  return (g->nets[net].name = take_name(used, from));
}

/* Ports first: their names are those of the entity. */
static bool name_ports(ghdl_gates_t *g, const ghdl_module_t *m, words_t *used) {
  const gate_t *self = &g->gates[m->first_gate];
  unsigned inputs = 0;
  bool ok = true;
  for (unsigned i = 0; ok && i < m->ports; i++) {
    ghdl_port_t *p = &g->ports[m->first_port + i];
    ok = (p->safe = take_name(used, p->name));
    const unsigned net = p->output ? 0 : ghdl_output(g, self, inputs);
    inputs += !p->output;
    if (ok && net) ok = (g->nets[net].name = strdup(p->safe));
  }
  return ok;
}

/* Is it a gate's own value, which may have any name? */
static bool is_free(const ghdl_gates_t *g, unsigned net) {
  const ghdl_net_t *n = &g->nets[net];
  return n->gate >= 0 && !n->name && strncmp(g->gates[n->gate].kind, "$const_", 7) != 0;
}

/* The gates behind outputs of the module. */
static bool name_outputs(ghdl_gates_t *g, const ghdl_module_t *m) {
  const gate_t *self = &g->gates[m->first_gate];
  unsigned k = 0;
  for (unsigned i = 0; i < m->ports; i++) {
    const ghdl_port_t *p = &g->ports[m->first_port + i];
    if (!p->output) continue;
    const unsigned net = ghdl_input(g, self, k++), root = net ? g->nets[net].root : 0;
    if (root && is_free(g, root) && !(g->nets[root].name = strdup(p->safe))) return false;
  }
  return true;
}

/* Signals, memories and instances, by the names that the source gives them. */
static bool name_given(ghdl_gates_t *g, const ghdl_module_t *m, words_t *used) {
  bool ok = true;
  for (unsigned i = 1; ok && i < m->gates; i++) {
    gate_t *gate = &g->gates[m->first_gate + i];
    const unsigned net = ghdl_output(g, gate, 0), root = net ? g->nets[net].root : 0;
    const bool memory = strncmp(gate->kind, "$memory", 7) == 0;
    if (*gate->kind == '\\') ok = (gate->safe = take_name(used, gate->name));
    else if (root && *gate->name == '\\' && (passes(gate) || memory) && is_free(g, root))
      ok = set_name(g, used, root, gate->name);
  }
  return ok;
}

static bool name_nets(ghdl_gates_t *g, const ghdl_module_t *m, words_t *used) {
  bool ok = true;
  for (unsigned i = 1; ok && i < m->gates; i++) {
    const gate_t *gate = &g->gates[m->first_gate + i];
    for (unsigned k = 0; ok && k < gate->outputs; k++) {
      const unsigned net = ghdl_output(g, gate, k);
      if (net && !g->nets[net].name && !passes(gate)) ok = (g->nets[net].name = other_name(used, gate, net));
    }
  }
  return ok;
}

bool ghdl_names(ghdl_gates_t *g, trouble_t *trouble) {
  for (unsigned i = 1; i < g->num_nets; i++) find_root(g, i);
  bool ok = name_modules(g);
  for (unsigned i = 0; ok && i < g->num_modules; i++) {
    words_t used = {0};
    const ghdl_module_t *m = &g->modules[i];
    if (!m->gates || !g->gates[m->first_gate].self)
      continue; /* a component without an entity: its instance is refused with its line */
    ok = name_ports(g, m, &used) && name_outputs(g, m) && name_given(g, m, &used) && name_nets(g, m, &used);
    words_free(&used);
  }
  return ok || trouble_memory(trouble);
}
