/* SPDX-License-Identifier: Apache-2.0
 *
 * Only what a fault can reach is there twice: gates are made once, and registers that it does not
 * reach are shared.
 */
#include "miter.h"

#include <stdlib.h>
#include <string.h>

/* A memory's port that is read: */
typedef struct {
  const char *name; /* of its data, */
  size_t cell;      /* with the cell's name of so many letters */
  lit_t now;        /* register: the clock edge before this cycle read */
} read_t;

typedef struct {
  miter_t *m;
  const bed_t *bed;
  const netlist_t *n;
  miter_of_t of;                   /* the mutant at hand */
  unsigned char *reached;          /* nodes that may differ */
  lit_t *good, *bad;               /* the block's and the mutant's literal of each node */
  lit_t in_reset, before, illegal; /* before: in an earlier cycle */
  lit_t fires_next;                /* the cycle at hand makes an assertion of the block fire */
  miter_span_t span;
  bool blind;
  read_t *reads;
  unsigned num_reads;
} build_t;

/* --- what the fault reaches */

static bool reached_from(const build_t *b, uint32_t i) {
  const node_t *n = &b->n->gates.nodes[i];
  if (i == b->of.fault->point) return true;
  if (n->kind == NODE_POINT) return b->reached[n->a / 2];
  return n->kind >= NODE_AND &&
         (b->reached[n->a / 2] || b->reached[n->b / 2] || (n->kind == NODE_MUX && b->reached[n->c / 2]));
}

static bool diverges(const build_t *b, unsigned latch) {
  return !b->of.diverges || b->of.diverges[latch];
}

static void reach(build_t *b) {
  const gates_t *g = &b->n->gates;
  memset(b->reached, 0, g->count);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 1; i < g->count; i++)
      if (!b->reached[i]) b->reached[i] = reached_from(b, i);
    for (unsigned k = 0; k < b->n->num_latches; k++) {
      uint32_t i = b->n->latches[k];
      if (diverges(b, k) && !b->reached[i] && b->reached[g->nodes[i].a / 2]) b->reached[i] = more = true;
    }
  }
}

/* --- inputs */

/* A reset is two cycles; the first begins at power-up. */
static void make_reset(build_t *b) {
  gates_t *g = &b->m->gates;
  lit_t begins = gates_new(g, NODE_INPUT, 0), once = gates_new(g, NODE_LATCH, LIT_1),
        twice = gates_new(g, NODE_LATCH, once);
  lit_t second = gates_new(g, NODE_LATCH, 0);
  b->m->reset = begins / 2;
  lit_t next = gates_and(g, begins, second ^ 1);
  g->nodes[second / 2].a = next;
  b->in_reset = gates_or(g, gates_or(g, begins, second), twice ^ 1);
}

static void drive_reset(build_t *b) {
  if (b->bed->reset) b->good[b->bed->reset] = b->in_reset ^ !b->bed->reset_high;
}

/* The value on the port: of the field, or the old one while it is not valid; zero in reset. */
static lit_t on_port(build_t *b, lit_t field, lit_t valid) {
  gates_t *g = &b->m->gates;
  if (valid == LIT_1) return gates_and(g, field, b->in_reset ^ 1);
  lit_t old = gates_new(g, NODE_LATCH, 0);
  lit_t value = gates_and(g, gates_mux(g, old, field, valid), b->in_reset ^ 1);
  g->nodes[old / 2].a = value;
  return value;
}

static void set_input(build_t *b, const netlist_bit_t *bit, lit_t valid) {
  lit_t field = gates_new(&b->m->gates, NODE_INPUT, 0);
  b->m->inputs[bit - b->n->inputs] = field / 2;
  lit_t value = on_port(b, field, valid);
  b->good[bit->lit / 2] = value;
}

/* The port that qualifies this one; NULL: none. */
static const bed_port_t *qualifier(const build_t *b, unsigned i) {
  const dut_t *dut = b->bed->dut;
  const dut_port_t *p = &dut->ports[i];
  return p->valid ? &b->bed->ports[dut_find_port(dut, p->valid, p->dir == DUT_IN)] : NULL;
}

/* Unqualified fields first: they qualify the others. */
static void make_inputs(build_t *b) {
  const dut_t *dut = b->bed->dut;
  for (int pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < dut->num_ports; i++) {
      const bed_port_t *p = &b->bed->ports[i], *q = qualifier(b, i);
      if (dut->ports[i].dir != DUT_IN || (q != NULL) != (pass == 1)) continue;
      for (unsigned k = 0; k < p->num; k++) set_input(b, &p->bits[k], q ? b->good[q->bits[0].lit / 2] : LIT_1);
    }
  drive_reset(b);
}

/* What memories give: anything after a read, until the next one. */
static void make_reads(build_t *b) {
  gates_t *g = &b->m->gates;
  for (unsigned i = 0; i < b->n->num_inputs; i++) {
    const netlist_bit_t *bit = &b->n->inputs[i];
    size_t length = strlen(bit->name);
    if (length < 10 || strcmp(bit->name + length - 10, ".rd_data_o")) continue;
    if (bit->bit == 0) b->reads[b->num_reads++] = (read_t){bit->name, length - 10, gates_new(g, NODE_LATCH, 0)};
    lit_t old = gates_new(g, NODE_LATCH, 0);
    lit_t value = gates_mux(g, old, gates_new(g, NODE_INPUT, 0), b->reads[b->num_reads - 1].now);
    g->nodes[old / 2].a = value;
    b->good[bit->lit / 2] = value;
    b->m->memories = true;
  }
}

/* --- gates */

static lit_t at(const lit_t *map, lit_t lit) {
  return map[lit / 2] ^ (lit & 1);
}

static lit_t copy(build_t *b, const lit_t *map, uint32_t i) {
  const node_t *n = &b->n->gates.nodes[i];
  gates_t *g = &b->m->gates;
  switch (n->kind) {
  case NODE_AND: return gates_and(g, at(map, n->a), at(map, n->b));
  case NODE_XOR: return gates_xor(g, at(map, n->a), at(map, n->b));
  case NODE_MUX: return gates_mux(g, at(map, n->a), at(map, n->b), at(map, n->c));
  default: return at(map, n->a);
  }
}

static lit_t faulty(build_t *b, lit_t before) {
  lit_t control = at(b->bad, b->of.fault->control);
  switch (b->of.fault->kind) {
  case FAULT_INV: return before ^ 1;
  case FAULT_CONST0: return LIT_0;
  case FAULT_CONST1: return LIT_1;
  case FAULT_CNOT0: return gates_xor(&b->m->gates, before, control ^ 1);
  default: return gates_xor(&b->m->gates, before, control);
  }
}

static void make_registers(build_t *b) {
  for (unsigned k = 0; k < b->n->num_latches; k++) b->good[b->n->latches[k]] = gates_new(&b->m->gates, NODE_LATCH, 0);
}

static void make_block(build_t *b) {
  const gates_t *g = &b->n->gates;
  for (uint32_t i = 1; i < g->count; i++)
    if (g->nodes[i].kind >= NODE_POINT) b->good[i] = copy(b, b->good, i);
  for (unsigned k = 0; k < b->n->num_latches; k++) {
    uint32_t i = b->n->latches[k];
    b->m->gates.nodes[b->good[i] / 2].a = at(b->good, g->nodes[i].a);
  }
}

static void make_mutant(build_t *b) {
  const gates_t *g = &b->n->gates;
  memcpy(b->bad, b->good, g->count * sizeof *b->bad);
  for (unsigned k = 0; k < b->n->num_latches; k++)
    if (b->reached[b->n->latches[k]]) b->bad[b->n->latches[k]] = gates_new(&b->m->gates, NODE_LATCH, 0);
  for (uint32_t i = 1; i < g->count; i++) {
    if (g->nodes[i].kind < NODE_POINT || !b->reached[i]) continue;
    b->bad[i] = copy(b, b->bad, i);
    if (i == b->of.fault->point) b->bad[i] = faulty(b, b->bad[i]);
  }
  for (unsigned k = 0; k < b->n->num_latches; k++) {
    uint32_t i = b->n->latches[k];
    if (b->reached[i]) b->m->gates.nodes[b->bad[i] / 2].a = at(b->bad, g->nodes[i].a);
  }
}

/* --- what is compared */

static lit_t differ(build_t *b, lit_t lit) {
  return gates_xor(&b->m->gates, at(b->good, lit), at(b->bad, lit));
}

static lit_t ports_differ(build_t *b) {
  const dut_t *dut = b->bed->dut;
  gates_t *g = &b->m->gates;
  lit_t any = LIT_0;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const bed_port_t *p = &b->bed->ports[i], *q = qualifier(b, i);
    lit_t here = LIT_0;
    if (dut->ports[i].dir == DUT_IN) continue;
    for (unsigned k = 0; k < p->num; k++) here = gates_or(g, here, differ(b, p->bits[k].lit));
    any = gates_or(g, any, q ? gates_and(g, here, at(b->good, q->bits[0].lit)) : here);
  }
  return any;
}

/* A memory's port: "i_mem" and ".wr_en_i". */
static unsigned memory_port(const build_t *b, const char *name, size_t cell, const char *port,
                            const netlist_bit_t **bits) {
  char whole[4096];
  if (cell + strlen(port) + 2 > sizeof whole) return 0;
  memcpy(whole, name, cell);
  strcpy(whole + cell, port);
  return netlist_port(b->n->outputs, b->n->num_outputs, whole, bits);
}

/* The literal of a port of one bit, of the block. */
static lit_t enable(const build_t *b, const char *name, size_t cell, const char *port) {
  const netlist_bit_t *bit;
  return memory_port(b, name, cell, port, &bit) ? at(b->good, bit->lit) : LIT_1;
}

/* Whether a bit of a memory's data is written. */
static lit_t writes(const build_t *b, const netlist_bit_t *data, size_t cell) {
  const netlist_bit_t *mask, *first;
  unsigned masks = memory_port(b, data->name, cell, ".wr_mask_i", &mask),
           width = memory_port(b, data->name, cell, ".wr_data_i", &first);
  lit_t all = enable(b, data->name, cell, ".wr_en_i");
  return masks && width % masks == 0 ? gates_and(&b->m->gates, all, at(b->good, mask[data->bit / (width / masks)].lit))
                                     : all;
}

/* Where this bit of a memory's port is of no use, it may differ. An enable is always of use. */
static lit_t used(const build_t *b, const netlist_bit_t *bit, size_t cell) {
  const char *port = bit->name + cell;
  if (strcmp(port, ".wr_en_i") == 0 || strcmp(port, ".rd_en_i") == 0) return LIT_1;
  if (strcmp(port, ".wr_data_i") == 0) return writes(b, bit, cell);
  return enable(b, bit->name, cell, strncmp(port, ".wr_", 4) ? ".rd_en_i" : ".wr_en_i");
}

/* What goes into memories: an address or data only where it is used. */
static lit_t memories_differ(build_t *b) {
  gates_t *g = &b->m->gates;
  lit_t any = LIT_0;
  for (unsigned i = 0; i < b->n->num_outputs; i++) {
    const netlist_bit_t *bit = &b->n->outputs[i];
    const char *dot = strrchr(bit->name, '.');
    if (!dot || strcmp(dot, ".clk_i") == 0 || strcmp(dot, ".rst_ni") == 0) continue;
    any = gates_or(g, any, gates_and(g, differ(b, bit->lit), used(b, bit, (size_t)(dot - bit->name))));
  }
  return any;
}

/* What goes into registers that the mutant does not have for itself. */
static lit_t states_differ(build_t *b, unsigned from, unsigned end) {
  if (end - from > 1) { /* a tree: thousands of them in a row are hard on a solver */
    unsigned middle = from + (end - from) / 2;
    lit_t low = states_differ(b, from, middle), high = states_differ(b, middle, end);
    return gates_or(&b->m->gates, low, high);
  }
  uint32_t i = from < end ? b->n->latches[from] : 0;
  return i && !b->reached[i] ? differ(b, b->n->gates.nodes[i].a) : LIT_0;
}

/* An assertion as the clock edge of this cycle makes it: of what it
 * samples, what goes in. LIT_0: it is not of registers alone. */
static lit_t after_edge(build_t *b, lit_t lit) {
  const node_t *n = &b->n->gates.nodes[lit / 2];
  lit_t inverted = lit & 1;
  if (n->kind == NODE_LATCH) return at(b->good, n->a) ^ inverted;
  if (n->kind != NODE_AND || inverted) return LIT_0;
  lit_t x = after_edge(b, n->a), y = after_edge(b, n->b);
  return gates_and(&b->m->gates, x, y);
}

static void make_illegal(build_t *b) {
  gates_t *g = &b->m->gates;
  for (unsigned i = 0; i < b->n->num_asserts; i++) b->illegal = gates_or(g, b->illegal, at(b->good, b->n->asserts[i]));
  for (unsigned i = 0; i < b->n->num_assumes; i++) b->illegal = gates_or(g, b->illegal, at(b->good, b->n->assumes[i]));
  for (unsigned i = 0; i < b->n->num_asserts; i++)
    b->fires_next = gates_or(g, b->fires_next, after_edge(b, b->n->asserts[i]));
  for (unsigned i = 0; i < b->n->num_assumes; i++)
    b->fires_next = gates_or(g, b->fires_next, after_edge(b, b->n->assumes[i]));
  b->fires_next = gates_or(g, b->fires_next, b->illegal);
  b->before = gates_new(g, NODE_LATCH, 0);
  b->illegal = gates_or(g, b->before, b->illegal);
  g->nodes[b->before / 2].a = b->illegal;
}

static void compare(build_t *b, unsigned mutant) {
  gates_t *g = &b->m->gates;
  lit_t fires = LIT_0, late = gates_new(g, NODE_LATCH, 0);
  for (unsigned i = 0; i < b->n->num_asserts; i++)
    if (b->reached[b->n->asserts[i] / 2]) fires = gates_or(g, fires, at(b->bad, b->n->asserts[i]));
  lit_t seen = gates_and(g, ports_differ(b), b->in_reset ^ 1);
  /* a reset does not keep a memory from being written */
  seen = gates_or(g, gates_or(g, seen, memories_differ(b)), fires);
  seen = gates_or(g, seen, states_differ(b, 0, b->n->num_latches));
  g->nodes[late / 2].a = b->blind ? LIT_0 : seen;
  if (b->span == MITER_ONE_CYCLE) b->m->differs[mutant] = b->blind ? LIT_0 : seen;
  else b->m->differs[mutant] = seen == LIT_0 ? LIT_0 : gates_and(g, late, b->illegal ^ 1);
}

/* A cycle in which an assertion fires becomes one of a reset, where none does, and which is asked
 * of any state as it is. So block and mutant are the same function of state and inputs wherever
 * they are the same in legal cycles: a solver that merges what is equal gets on, where "equal
 * unless it is illegal" said of the whole alone is too hard. */
static void reset_illegal(build_t *b) {
  gates_t *g = &b->m->gates;
  b->in_reset = gates_or(g, b->in_reset, b->fires_next);
  for (unsigned i = 0; i < b->n->num_inputs; i++) {
    const netlist_bit_t *bit = &b->n->inputs[i];
    if (b->m->inputs[i]) b->good[bit->lit / 2] = gates_and(g, b->good[bit->lit / 2], b->in_reset ^ 1);
  }
  drive_reset(b);
  make_block(b);
}

static void make_all(build_t *b, const miter_of_t *of, unsigned num) {
  gates_t *g = &b->m->gates;
  make_reset(b);
  make_inputs(b);
  make_reads(b);
  make_registers(b);
  make_block(b);
  for (unsigned i = 0; i < b->num_reads; i++)
    g->nodes[b->reads[i].now / 2].a = enable(b, b->reads[i].name, b->reads[i].cell, ".rd_en_i");
  make_illegal(b);
  if (b->span == MITER_ONE_CYCLE) reset_illegal(b);
  for (unsigned i = 0; i < num; i++) {
    b->of = of[i];
    reach(b);
    make_mutant(b);
    compare(b, i);
  }
}

bool miter_open(miter_t *m, const bed_t *bed, miter_span_t span, const miter_of_t *of, unsigned num, bool blind) {
  const netlist_t *n = bed->netlist;
  unsigned count = n->gates.count;
  memset(m, 0, sizeof *m);
  build_t b = {.m = m,
               .bed = bed,
               .n = n,
               .span = span,
               .blind = blind,
               .reached = calloc(count, 1),
               .good = calloc(count, sizeof(lit_t)),
               .bad = calloc(count, sizeof(lit_t)),
               .reads = calloc(n->num_inputs + 1, sizeof(read_t))};
  m->inputs = calloc(n->num_inputs + 1, sizeof *m->inputs);
  m->differs = calloc(num + 1, sizeof *m->differs);
  bool ok = b.reached && b.good && b.bad && b.reads && m->inputs && m->differs && gates_open(&m->gates);
  if (ok) make_all(&b, of, num);
  free(b.reached);
  free(b.good);
  free(b.bad);
  free(b.reads);
  return ok && !m->gates.failed;
}

void miter_close(miter_t *m) {
  gates_close(&m->gates);
  free(m->inputs);
  free(m->differs);
  m->inputs = NULL;
  m->differs = NULL;
}
