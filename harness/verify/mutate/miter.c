/* SPDX-License-Identifier: Apache-2.0
 *
 * Each side maps the netlist's nodes to literals of the miter (good, bad). Gates are made once.
 * A net that the fault does not reach is therefore the same literal on both sides, and compares
 * to 0 at once.
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
  lit_t goes_on;                   /* a reset that began in an earlier cycle */
  bool *in_reset_too;              /* by input of the netlist: it counts in resets, too */
  miter_span_t span;
  bool blind;
  read_t *reads;
  unsigned num_reads;
} build_t;

/* --- what the fault reaches */

/* Does the fault reach the node within the cycle? */
static bool reached_from(const build_t *b, uint32_t i) {
  const node_t *n = &b->n->gates.nodes[i];
  if (i == b->of.fault->point) return true;
  if (n->kind == NODE_POINT) return b->reached[n->a / 2];
  return n->kind >= NODE_AND &&
         (b->reached[n->a / 2] || b->reached[n->b / 2] || (n->kind == NODE_MUX && b->reached[n->c / 2]));
}

/* Has the mutant this register for itself? */
static bool diverges(const build_t *b, unsigned latch) {
  return !b->of.diverges || b->of.diverges[latch];
}

/* Repeats until no further register is reached. */
static void find_reached(build_t *b) {
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

/* Our literal as one side sees it. */
static lit_t lit_in(const lit_t *map, lit_t lit) {
  return map[lit / 2] ^ (lit & 1);
}

/* True if an input counts in resets. */
static bool any_in_reset(const dut_t *dut) {
  bool any = false;
  for (unsigned i = 0; i < dut->num_ports; i++) any |= dut->ports[i].dir == DUT_IN && dut->ports[i].in_reset;
  return any;
}

/* A reset takes two cycles. `begins` is a free input, and power-up begins one: `past` is 0 for its
 * cycles. A block without a reset has those of power-up alone. */
static void make_reset(build_t *b) {
  gates_t *g = &b->m->gates;
  lit_t begins = gates_new(g, NODE_INPUT, 0), past = LIT_1, first = LIT_0;
  for (uint32_t i = 0; i < b->bed->dut->reset_cycles; i++) {
    past = gates_new(g, NODE_LATCH, past);
    if (!i) first = past;
  }
  b->m->reset = begins / 2;
  b->in_reset = past ^ 1;
  if (b->bed->dut->powers_up) return;
  lit_t second = gates_new(g, NODE_LATCH, 0);
  lit_t next = gates_and(g, begins, second ^ 1);
  g->nodes[second / 2].a = next;
  b->in_reset = gates_or(g, gates_or(g, begins, second), past ^ 1);
  if (any_in_reset(b->bed->dut)) b->goes_on = gates_or(g, second, gates_and(g, first, past ^ 1));
}

static void drive_reset(build_t *b) {
  for (const bed_reset_t *r = b->bed->resets; r < b->bed->resets + b->bed->num_resets; r++)
    b->good[r->node] = b->in_reset ^ !r->high;
}

/* The port's value: the field, or the old value while the field is not valid; 0 in reset. */
static lit_t on_port(build_t *b, lit_t field, lit_t valid) {
  gates_t *g = &b->m->gates;
  if (valid == LIT_1) return gates_and(g, field, b->in_reset ^ 1);
  lit_t old = gates_new(g, NODE_LATCH, 0);
  lit_t value = gates_and(g, gates_mux(g, old, field, valid), b->in_reset ^ 1);
  g->nodes[old / 2].a = value;
  return value;
}

/* A free input of the miter for one bit of a field. */
static lit_t field_of(build_t *b, const netlist_bit_t *bit) {
  uint32_t *input = &b->m->inputs[bit - b->n->inputs];
  if (!*input) *input = gates_new(&b->m->gates, NODE_INPUT, 0) / 2;
  return *input * 2;
}

static void set_input(build_t *b, const netlist_bit_t *bit, lit_t valid) {
  lit_t value = on_port(b, field_of(b, bit), valid);
  b->good[bit->lit / 2] = value;
}

/* An input that counts in resets has any value there, too, and keeps it while the reset goes on. */
static void set_reset_input(build_t *b, const netlist_bit_t *bit) {
  gates_t *g = &b->m->gates;
  lit_t old = gates_new(g, NODE_LATCH, 0), value = gates_mux(g, old, field_of(b, bit), b->goes_on ^ 1);
  g->nodes[old / 2].a = value;
  b->good[bit->lit / 2] = value;
  b->in_reset_too[bit - b->n->inputs] = true;
}

/* What a port that qualifies another says of element k. An input counts as the field has it, also
 * where the field is not valid itself. */
static lit_t term_says(build_t *b, const dut_term_t *term, unsigned k) {
  const bed_port_t *q = &b->bed->ports[term->port];
  const bool in = b->bed->dut->ports[term->port].dir == DUT_IN;
  const lit_t value = in && q->num_terms ? field_of(b, &q->bits[k]) : lit_in(b->good, q->bits[k].lit);
  return value ^ term->inverted;
}

/* 1 while element k of port i is valid, or all of a port without elements. */
static lit_t valid_when(build_t *b, unsigned i, unsigned k) {
  const bed_port_t *p = &b->bed->ports[i];
  lit_t all = p->num_terms ? term_says(b, &p->terms[0], k) : LIT_1;
  for (unsigned t = 1; t < p->num_terms; t++) all = gates_and(&b->m->gates, all, term_says(b, &p->terms[t], k));
  return all;
}

/* Fields that are always valid come first: they qualify the others. */
static void make_inputs(build_t *b) {
  const dut_t *dut = b->bed->dut;
  for (int pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < dut->num_ports; i++) {
      const bed_port_t *p = &b->bed->ports[i];
      if (dut->ports[i].dir != DUT_IN || (p->num_terms != 0) != (pass == 1)) continue;
      const lit_t valid = valid_when(b, i, 0);
      for (unsigned k = 0; k < p->num; k++) {
        if (dut->ports[i].in_reset) set_reset_input(b, &p->bits[k]);
        else set_input(b, &p->bits[k], valid);
      }
    }
  drive_reset(b);
}

/* Read data of a memory: any value after a read, which holds until the next read. */
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

/* Node i on the side of `map`. */
static lit_t copy_gate(build_t *b, const lit_t *map, uint32_t i) {
  const node_t *n = &b->n->gates.nodes[i];
  gates_t *g = &b->m->gates;
  switch (n->kind) {
  case NODE_AND: return gates_and(g, lit_in(map, n->a), lit_in(map, n->b));
  case NODE_XOR: return gates_xor(g, lit_in(map, n->a), lit_in(map, n->b));
  case NODE_MUX: return gates_mux(g, lit_in(map, n->a), lit_in(map, n->b), lit_in(map, n->c));
  default: return lit_in(map, n->a);
  }
}

/* What the fault makes of its bit. */
static lit_t apply_fault(build_t *b, lit_t before) {
  lit_t control = lit_in(b->bad, b->of.fault->control);
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

/* The block's gates, then next states of its registers. */
static void make_block(build_t *b) {
  const gates_t *g = &b->n->gates;
  for (uint32_t i = 1; i < g->count; i++)
    if (g->nodes[i].kind >= NODE_POINT) b->good[i] = copy_gate(b, b->good, i);
  for (unsigned k = 0; k < b->n->num_latches; k++) {
    uint32_t i = b->n->latches[k];
    b->m->gates.nodes[b->good[i] / 2].a = lit_in(b->good, g->nodes[i].a);
  }
}

/* Copies those nodes that the fault reaches; all others stay the block's. */
static void make_mutant(build_t *b) {
  const gates_t *g = &b->n->gates;
  memcpy(b->bad, b->good, g->count * sizeof *b->bad);
  for (unsigned k = 0; k < b->n->num_latches; k++)
    if (b->reached[b->n->latches[k]]) b->bad[b->n->latches[k]] = gates_new(&b->m->gates, NODE_LATCH, 0);
  for (uint32_t i = 1; i < g->count; i++) {
    if (g->nodes[i].kind < NODE_POINT || !b->reached[i]) continue;
    b->bad[i] = copy_gate(b, b->bad, i);
    if (i == b->of.fault->point) b->bad[i] = apply_fault(b, b->bad[i]);
  }
  for (unsigned k = 0; k < b->n->num_latches; k++) {
    uint32_t i = b->n->latches[k];
    if (b->reached[i]) b->m->gates.nodes[b->bad[i] / 2].a = lit_in(b->bad, g->nodes[i].a);
  }
}

/* --- what is compared */

static lit_t bits_differ(build_t *b, lit_t lit) {
  return gates_xor(&b->m->gates, lit_in(b->good, lit), lit_in(b->bad, lit));
}

/* Outputs and probes, where they are valid in the block. */
static lit_t ports_differ(build_t *b) {
  const dut_t *dut = b->bed->dut;
  gates_t *g = &b->m->gates;
  lit_t any = LIT_0;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const bed_port_t *p = &b->bed->ports[i];
    lit_t here = LIT_0;
    if (dut->ports[i].dir == DUT_IN) continue;
    for (unsigned k = 0; k < p->num; k++) {
      lit_t bit = bits_differ(b, p->bits[k].lit);
      if (p->element) bit = gates_and(g, bit, valid_when(b, i, k / p->element));
      here = gates_or(g, here, bit);
    }
    any = gates_or(g, any, p->num_terms && !p->element ? gates_and(g, here, valid_when(b, i, 0)) : here);
  }
  return any;
}

/* Bits of the memory's port, such as "i_mem" and ".wr_en_i". Returns how many; 0: none. */
static unsigned memory_port(const build_t *b, const char *name, size_t cell, const char *port,
                            const netlist_bit_t **bits) {
  char whole[4096];
  if (cell + strlen(port) + 2 > sizeof whole) return 0;
  memcpy(whole, name, cell);
  strcpy(whole + cell, port);
  return netlist_port(b->n->outputs, b->n->num_outputs, whole, bits);
}

/* A memory's port of one bit in the block; LIT_1 when the memory has no such port. */
static lit_t memory_enable(const build_t *b, const char *name, size_t cell, const char *port) {
  const netlist_bit_t *bit;
  return memory_port(b, name, cell, port, &bit) ? lit_in(b->good, bit->lit) : LIT_1;
}

/* 1 when this bit of the write data goes into the memory: enabled, and its mask bit is set. */
static lit_t bit_is_written(const build_t *b, const netlist_bit_t *data, size_t cell) {
  const netlist_bit_t *mask, *first;
  unsigned masks = memory_port(b, data->name, cell, ".wr_mask_i", &mask),
           width = memory_port(b, data->name, cell, ".wr_data_i", &first);
  lit_t all = memory_enable(b, data->name, cell, ".wr_en_i");
  return masks && width % masks == 0
             ? gates_and(&b->m->gates, all, lit_in(b->good, mask[data->bit / (width / masks)].lit))
             : all;
}

/* 1 when this bit of a memory's port has an effect. Elsewhere the two sides may differ. Enables
 * always have. */
static lit_t bit_is_used(const build_t *b, const netlist_bit_t *bit, size_t cell) {
  const char *port = bit->name + cell;
  if (strcmp(port, ".wr_en_i") == 0 || strcmp(port, ".rd_en_i") == 0) return LIT_1;
  if (strcmp(port, ".wr_data_i") == 0) return bit_is_written(b, bit, cell);
  return memory_enable(b, bit->name, cell, strncmp(port, ".wr_", 4) ? ".rd_en_i" : ".wr_en_i");
}

/* What goes into memories, where it is used. Clock and reset are no data. */
static lit_t memories_differ(build_t *b) {
  gates_t *g = &b->m->gates;
  lit_t any = LIT_0;
  for (unsigned i = 0; i < b->n->num_outputs; i++) {
    const netlist_bit_t *bit = &b->n->outputs[i];
    const char *dot = strrchr(bit->name, '.');
    if (!dot || strcmp(dot, ".clk_i") == 0 || strcmp(dot, ".rst_ni") == 0) continue;
    any = gates_or(g, any, gates_and(g, bits_differ(b, bit->lit), bit_is_used(b, bit, (size_t)(dot - bit->name))));
  }
  return any;
}

/* Next states of registers from..end-1 that the mutant shares with the block. */
static lit_t states_differ(build_t *b, unsigned from, unsigned end) {
  if (end - from > 1) { /* a tree: thousands of them in a row are hard on a solver */
    unsigned middle = from + (end - from) / 2;
    lit_t low = states_differ(b, from, middle), high = states_differ(b, middle, end);
    return gates_or(&b->m->gates, low, high);
  }
  uint32_t i = from < end ? b->n->latches[from] : 0;
  return i && !b->reached[i] ? bits_differ(b, b->n->gates.nodes[i].a) : LIT_0;
}

/* An assertion as it will be after this cycle's clock edge: registers are replaced by their next
 * states. LIT_0: the assertion depends on more than registers and ANDs of them. */
static lit_t after_edge(build_t *b, lit_t lit) {
  const node_t *n = &b->n->gates.nodes[lit / 2];
  lit_t inverted = lit & 1;
  if (n->kind == NODE_LATCH) return lit_in(b->good, n->a) ^ inverted;
  if (n->kind != NODE_AND || inverted) return LIT_0;
  lit_t x = after_edge(b, n->a), y = after_edge(b, n->b);
  return gates_and(&b->m->gates, x, y);
}

/* b->illegal is 1 from the first illegal cycle on. b->fires_next is 1 when this cycle leads to
 * one. */
static void make_illegal(build_t *b) {
  gates_t *g = &b->m->gates;
  for (unsigned i = 0; i < b->n->num_asserts; i++)
    b->illegal = gates_or(g, b->illegal, lit_in(b->good, b->n->asserts[i]));
  for (unsigned i = 0; i < b->n->num_assumes; i++)
    b->illegal = gates_or(g, b->illegal, lit_in(b->good, b->n->assumes[i]));
  for (unsigned i = 0; i < b->n->num_asserts; i++)
    b->fires_next = gates_or(g, b->fires_next, after_edge(b, b->n->asserts[i]));
  for (unsigned i = 0; i < b->n->num_assumes; i++)
    b->fires_next = gates_or(g, b->fires_next, after_edge(b, b->n->assumes[i]));
  b->fires_next = gates_or(g, b->fires_next, b->illegal);
  b->before = gates_new(g, NODE_LATCH, 0);
  b->illegal = gates_or(g, b->before, b->illegal);
  g->nodes[b->before / 2].a = b->illegal;
}

/* A difference becomes an output one cycle late, and only if the inputs were legal that long. */
static void compare_with_mutant(build_t *b, unsigned mutant) {
  gates_t *g = &b->m->gates;
  lit_t fires = LIT_0, late = gates_new(g, NODE_LATCH, 0);
  for (unsigned i = 0; i < b->n->num_asserts; i++)
    if (b->reached[b->n->asserts[i] / 2]) fires = gates_or(g, fires, lit_in(b->bad, b->n->asserts[i]));
  lit_t seen = gates_and(g, ports_differ(b), b->in_reset ^ 1);
  /* a reset does not keep a memory from being written */
  seen = gates_or(g, gates_or(g, seen, memories_differ(b)), fires);
  seen = gates_or(g, seen, states_differ(b, 0, b->n->num_latches));
  g->nodes[late / 2].a = b->blind ? LIT_0 : seen;
  if (b->span == MITER_ONE_CYCLE) b->m->differs[mutant] = b->blind ? LIT_0 : seen;
  else b->m->differs[mutant] = seen == LIT_0 ? LIT_0 : gates_and(g, late, b->illegal ^ 1);
}

/* For one cycle from any state: a cycle that leads to a firing assertion becomes a reset, where
 * none fires. Block and mutant are then the same function wherever they agree in legal cycles,
 * so a solver can merge equal nodes. "Equal unless illegal", asked of the whole at once, is too
 * hard for it. */
static void reset_illegal(build_t *b) {
  gates_t *g = &b->m->gates;
  b->in_reset = gates_or(g, b->in_reset, b->fires_next);
  for (unsigned i = 0; i < b->n->num_inputs; i++) {
    const netlist_bit_t *bit = &b->n->inputs[i];
    if (b->m->inputs[i] && !b->in_reset_too[i])
      b->good[bit->lit / 2] = gates_and(g, b->good[bit->lit / 2], b->in_reset ^ 1);
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
    g->nodes[b->reads[i].now / 2].a = memory_enable(b, b->reads[i].name, b->reads[i].cell, ".rd_en_i");
  make_illegal(b);
  if (b->span == MITER_ONE_CYCLE) reset_illegal(b);
  for (unsigned i = 0; i < num; i++) {
    b->of = of[i];
    find_reached(b);
    make_mutant(b);
    compare_with_mutant(b, i);
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
               .in_reset_too = calloc(n->num_inputs + 1, sizeof(bool)),
               .reads = calloc(n->num_inputs + 1, sizeof(read_t))};
  m->inputs = calloc(n->num_inputs + 1, sizeof *m->inputs);
  m->differs = calloc(num + 1, sizeof *m->differs);
  bool ok =
      b.reached && b.good && b.bad && b.reads && b.in_reset_too && m->inputs && m->differs && gates_open(&m->gates);
  if (ok) make_all(&b, of, num);
  free(b.reached);
  free(b.good);
  free(b.bad);
  free(b.reads);
  free(b.in_reset_too);
  return ok && !m->gates.failed;
}

void miter_close(miter_t *m) {
  gates_close(&m->gates);
  free(m->inputs);
  free(m->differs);
  m->inputs = NULL;
  m->differs = NULL;
}
