/* SPDX-License-Identifier: Apache-2.0
 *
 * Gates against truth tables, faults at a cut of a netlist against what they are said to do, a lane
 * beside hundreds of others against the same fault alone, registers and memory included, and
 * memories beside each other.
 */
#include "lanes.h"
#include "unit_test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A literal's value in one lane. */
static bool lane_value(const lanes_t *l, lit_t lit, unsigned lane) {
  return lanes_value(l, lit, lane);
}

/* --- gates */

enum { INPUTS = 4, GATES = 300, ROWS = 1 << INPUTS };

typedef struct {
  lit_t lits[GATES + INPUTS + 2];
  uint16_t tables[GATES + INPUTS + 2]; /* bit k: the value for inputs k */
  unsigned count;
} truth_t;

/* A literal with the truth table that it has to have. */
static void add_literal(truth_t *t, lit_t lit, unsigned table) {
  t->lits[t->count] = lit;
  t->tables[t->count++] = (uint16_t)table;
}

/* A random gate of literals that exist, some inverted, with its table computed beside it. */
static void add_gate(truth_t *t, gates_t *g, uint64_t *seed) {
  unsigned i[3], v[3];
  lit_t x[3];
  for (int k = 0; k < 3; k++) {
    bool inverted = test_random(seed) & 1;
    i[k] = (unsigned)(test_random(seed) % t->count);
    x[k] = t->lits[i[k]] ^ inverted;
    v[k] = inverted ? (uint16_t)~t->tables[i[k]] : t->tables[i[k]];
  }
  switch (test_random(seed) % 4) {
  case 0: add_literal(t, gates_and(g, x[0], x[1]), v[0] & v[1]); break;
  case 1: add_literal(t, gates_xor(g, x[0], x[1]), v[0] ^ v[1]); break;
  case 2: add_literal(t, gates_or(g, x[0], x[1]), v[0] | v[1]); break;
  default: add_literal(t, gates_mux(g, x[0], x[1], x[2]), (v[1] & v[2]) | (v[0] & ~v[2]));
  }
}

/* Constants folded, gates shared, inversions moved about: the function stays what was asked for. */
static void gates_are_their_truth_tables(void **state) {
  uint64_t seed = 1;
  (void)state;
  for (int round = 0; round < 20; round++) {
    static netlist_bit_t outputs[GATES + INPUTS + 2];
    netlist_t n = {.outputs = outputs};
    truth_t t = {.count = 0};
    lanes_t l;
    assert_true(gates_open(&n.gates));
    add_literal(&t, LIT_0, 0), add_literal(&t, LIT_1, 0xffff);
    for (unsigned k = 0; k < INPUTS; k++)
      add_literal(&t, gates_new(&n.gates, NODE_INPUT, 0), (unsigned[]){0xaaaa, 0xcccc, 0xf0f0, 0xff00}[k]);
    while (t.count < GATES + INPUTS + 2) add_gate(&t, &n.gates, &seed);
    for (unsigned i = 0; i < t.count; i++) outputs[n.num_outputs++] = (netlist_bit_t){"o", i, t.lits[i]};
    assert_false(n.gates.failed);
    assert_true(lanes_open(&l, &n, LANES_FEW, NULL, 0) && lanes_power_up(&l));
    for (unsigned row = 0; row < ROWS; row++) {
      for (unsigned k = 0; k < INPUTS; k++) lanes_set(&l, t.lits[2 + k] / 2, row >> k & 1);
      lanes_settle(&l);
      for (unsigned i = 0; i < t.count; i++) assert_int_equal(lane_value(&l, t.lits[i], 0), t.tables[i] >> row & 1);
    }
    lanes_close(&l);
    gates_close(&n.gates);
  }
}

/* Equal functions share a node: operands in another order,
 * inversions moved to the output, constants folded. */
static void the_same_gate_is_made_once(void **state) {
  gates_t g;
  (void)state;
  assert_true(gates_open(&g));
  lit_t a = gates_new(&g, NODE_INPUT, 0), b = gates_new(&g, NODE_INPUT, 0), c = gates_new(&g, NODE_INPUT, 0);
  assert_int_equal(gates_and(&g, a, b), gates_and(&g, b, a));
  assert_int_equal(gates_xor(&g, a ^ 1, b), gates_xor(&g, a, b) ^ 1);
  assert_int_equal(gates_mux(&g, a, b, c), gates_mux(&g, b, a, c ^ 1));
  assert_int_equal(gates_mux(&g, a, a ^ 1, c), gates_xor(&g, a, c));
  assert_int_equal(gates_and(&g, a, a ^ 1), LIT_0);
  assert_int_equal(gates_xor(&g, a, a ^ 1), LIT_1);
  gates_close(&g);
}

/* --- a cut */

/* A module with a cut of two bits: before the cut lm_i_1 =
 * {a & b, a | b}, behind it y = {lm_o_1[0], !lm_o_1[1]}. */
static const char CUT[] =
    ".model cut\n.inputs clk_i a_i[0] a_i[1] lm_o_1[0] lm_o_1[1]\n.outputs y_o[0] y_o[1] lm_i_1[0] lm_i_1[1]\n"
    ".names $false\n.names $true\n1\n"
    ".subckt $_AND_ A=a_i[0] B=a_i[1] Y=lm_i_1[0]\n.subckt $_OR_ A=a_i[0] B=a_i[1] Y=lm_i_1[1]\n"
    ".names lm_o_1[0] y_o[0]\n1 1\n.subckt $_NOT_ A=lm_o_1[1] Y=y_o[1]\n.end\n";

/* netlist_read() of a text, by way of a file. */
static void read_netlist_text(netlist_t *n, const char *text, fault_t *faults, unsigned num) {
  char path[] = "/tmp/lanes.XXXXXX";
  trouble_t trouble = {0};
  int fd = mkstemp(path);
  assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  bool ok = netlist_read(n, path, faults, num, &trouble);
  unlink(path);
  if (!ok) print_error("%s\n", trouble.text);
  assert_true(ok);
}

/* By the modes' definition: inverted, stuck at
 * 0 or 1, flipped if the other bit is 0 or 1. */
static bool bit_with_fault(const fault_t *f, const bool *before, unsigned bit) {
  if (f->bit != bit) return before[bit];
  switch (f->kind) {
  case FAULT_INV: return !before[bit];
  case FAULT_CONST0: return false;
  case FAULT_CONST1: return true;
  case FAULT_CNOT0: return before[bit] ^ !before[f->other];
  default: return before[bit] ^ before[f->other];
  }
}

/* Lane 0 has no fault, lanes 1 to 10 have one each: five modes of both bits. */
static void a_fault_does_what_its_mode_says(void **state) {
  fault_t faults[10];
  const fault_t *each[11] = {NULL};
  netlist_t n;
  lanes_t l;
  (void)state;
  for (unsigned i = 0; i < 10; i++)
    faults[i] = (fault_t){.kind = (fault_kind_t)(i / 2), .cut = 1, .bit = i % 2, .other = 1 - i % 2};
  read_netlist_text(&n, CUT, faults, 10);
  for (unsigned i = 0; i < 10; i++) each[i + 1] = &faults[i];
  const netlist_bit_t *a, *y;
  assert_int_equal(netlist_port(n.inputs, n.num_inputs, "a_i", &a), 2);
  assert_int_equal(netlist_port(n.outputs, n.num_outputs, "y_o", &y), 2);
  assert_true(lanes_open(&l, &n, LANES_FEW, each, 11) && lanes_power_up(&l));
  for (unsigned row = 0; row < 4; row++) {
    bool before[] = {row == 3, row != 0};
    for (unsigned k = 0; k < 2; k++) lanes_set(&l, a[k].lit / 2, row >> k & 1);
    lanes_settle(&l);
    for (unsigned lane = 0; lane < 11; lane++)
      for (unsigned bit = 0; bit < 2; bit++) {
        bool behind = lane ? bit_with_fault(each[lane], before, bit) : before[bit];
        assert_int_equal(lane_value(&l, y[bit].lit, lane), behind ^ bit);
      }
  }
  lanes_close(&l);
  netlist_free(&n);
}

/* --- a lane alone and among others */

enum { WIDTH = 3, ADDRESS = 2, POINTS = 100, CYCLES = 60, LANES = 300 };

typedef struct {
  netlist_t n;
  netlist_bit_t inputs[8 + WIDTH], outputs[64];
  uint32_t latches[16];
  fault_t faults[LANES];
} random_t;

/* A port whose bits are gates from the pool, from `next` downwards. */
static void add_port(random_t *r, const char *name, unsigned bits, lit_t *pool, unsigned *next) {
  for (unsigned k = 0; k < bits; k++)
    r->outputs[r->n.num_outputs++] = (netlist_bit_t){(char *)name, k, pool[ *next -= 3]};
}

/* Random gates with points between them, registers, and a memory whose
 * ports are gates too. Names in order, as netlist_read sorts. */
static void make_random(random_t *r, uint64_t seed) {
  enum { POOL = 8 + WIDTH + 16 + 4 * POINTS };
  gates_t *g = &r->n.gates;
  lit_t pool[POOL];
  uint32_t points[POINTS];
  unsigned count = 0, num_points = 0, next;
  memset(r, 0, sizeof *r);
  r->n.inputs = r->inputs, r->n.outputs = r->outputs, r->n.latches = r->latches;
  assert_true(gates_open(g));
  for (unsigned k = 0; k < 8; k++)
    r->inputs[r->n.num_inputs++] = (netlist_bit_t){"a_i", k, pool[count++] = gates_new(g, NODE_INPUT, 0)};
  for (unsigned k = 0; k < WIDTH; k++)
    r->inputs[r->n.num_inputs++] = (netlist_bit_t){"mem.rd_data_o", k, pool[count++] = gates_new(g, NODE_INPUT, 0)};
  for (unsigned k = 0; k < 16; k++) r->latches[r->n.num_latches++] = (pool[count++] = gates_new(g, NODE_LATCH, 0)) / 2;
  while (num_points < POINTS) {
    lit_t x[3];
    for (int k = 0; k < 3; k++) x[k] = pool[test_random(&seed) % count] ^ (test_random(&seed) & 1);
    unsigned kind = (unsigned)(test_random(&seed) % 3);
    lit_t gate;
    if (kind == 0) gate = gates_and(g, x[0], x[1]);
    else if (kind == 1) gate = gates_xor(g, x[0], x[1]);
    else gate = gates_mux(g, x[0], x[1], x[2]);
    pool[count++] = gates_new(g, NODE_POINT, gate);
    points[num_points++] = pool[count - 1] / 2;
  }
  for (unsigned k = 0; k < 16; k++) g->nodes[r->latches[k]].a = pool[count - 1 - k];
  next = count;
  add_port(r, "mem.rd_addr_i", ADDRESS, pool, &next), add_port(r, "mem.rd_en_i", 1, pool, &next),
      add_port(r, "mem.wr_addr_i", ADDRESS, pool, &next);
  add_port(r, "mem.wr_data_i", WIDTH, pool, &next), add_port(r, "mem.wr_en_i", 1, pool, &next),
      add_port(r, "mem.wr_mask_i", 1, pool, &next);
  add_port(r, "y_o", 16, pool, &next);
  for (unsigned i = 0; i < LANES; i++) {
    uint32_t point = points[test_random(&seed) % POINTS];
    lit_t control = pool[test_random(&seed) % (8 + WIDTH + 16)]; /* an input or a register: it comes first */
    r->faults[i] = (fault_t){.kind = (fault_kind_t)(test_random(&seed) % 5), .point = point, .control = control};
  }
}

/* Random inputs, the same in all lanes. */
static void drive_inputs(const random_t *r, lanes_t *l, uint64_t *seed) {
  uint64_t bits = test_random(seed);
  for (unsigned k = 0; k < 8; k++) lanes_set(l, r->inputs[k].lit / 2, bits >> k & 1);
  lanes_settle(l);
}

/* 300 faults side by side in 301 lanes, and then each fault in
 * a run of its own: every output is the same in every cycle. */
static void a_lane_is_the_fault_alone(void **state) {
  static random_t r;
  unsigned differing = 0;
  (void)state;
  for (uint64_t seed = 1; seed < 4; seed++) {
    lanes_t many, alone;
    const fault_t *faults[LANES + 1] = {NULL};
    uint64_t live[LANES_MANY];
    memset(live, 0xff, sizeof live);
    make_random(&r, seed);
    for (unsigned i = 0; i < LANES; i++) faults[i + 1] = &r.faults[i];
    static uint64_t seen[CYCLES][64][LANES_MANY];
    memset(seen, 0, sizeof seen);
    assert_true(lanes_open(&many, &r.n, LANES_MANY, faults, LANES + 1) && lanes_power_up(&many));
    /* the ports that begin with `mem.` are taken for a memory */
    assert_int_equal(many.num_srams, 1);
    uint64_t inputs = seed;
    for (unsigned c = 0; c < CYCLES; c++, lanes_clock(&many, live)) {
      drive_inputs(&r, &many, &inputs);
      for (unsigned o = 0; o < r.n.num_outputs; o++) lanes_differ(&many, r.outputs[o].lit, false, seen[c][o]);
    }
    lanes_close(&many);
    for (unsigned lane = 0; lane <= LANES; lane++) {
      assert_true(lanes_open(&alone, &r.n, LANES_FEW, &faults[lane], 1) && lanes_power_up(&alone));
      inputs = seed;
      bool differs = false;
      for (unsigned c = 0; c < CYCLES; c++, lanes_clock(&alone, live)) {
        drive_inputs(&r, &alone, &inputs);
        for (unsigned o = 0; o < r.n.num_outputs; o++) {
          assert_int_equal(seen[c][o][lane / 64] >> lane % 64 & 1, lane_value(&alone, r.outputs[o].lit, 0));
          differs |= ((seen[c][o][lane / 64] >> lane % 64) ^ seen[c][o][0]) & 1;
        }
      }
      differing += differs;
      lanes_close(&alone);
    }
    gates_close(&r.n.gates);
  }
  assert_true(differing > LANES); /* of three times as many: the faults do something */
}

/* A line of two memories, each read and written at every edge: a bit
 * takes two edges in each, whichever of them is looked at first. */
static void a_memory_hands_on_what_it_had(void **state) {
  static const char *const ports[] = {"rd_addr_i", "rd_en_i", "wr_addr_i", "wr_data_i", "wr_en_i", "wr_mask_i"};
  static netlist_bit_t inputs[3], outputs[12];
  static char names[12][16];
  (void)state;
  for (unsigned turned = 0; turned < 2; turned++) {
    netlist_t n = {.inputs = inputs, .outputs = outputs, .num_inputs = 3, .num_outputs = 12};
    lanes_t l;
    uint64_t live[LANES_MANY], seed = 1;
    bool came[40];
    memset(live, 0xff, sizeof live);
    assert_true(gates_open(&n.gates));
    const lit_t a = gates_new(&n.gates, NODE_INPUT, 0), m = gates_new(&n.gates, NODE_INPUT, 0),
                k = gates_new(&n.gates, NODE_INPUT, 0);
    inputs[0] = (netlist_bit_t){"a_i", 0, a}, inputs[1] = (netlist_bit_t){"m.rd_data_o", 0, m},
    inputs[2] = (netlist_bit_t){"n.rd_data_o", 0, k};
    for (unsigned i = 0; i < 12; i++) {
      const bool data = i % 6 == 3, address = i % 6 % 2 == 0 && i % 6 < 4;
      const bool first = (i < 6) != turned;
      snprintf(names[i], sizeof names[i], "%c.%s", "mn"[i / 6], ports[i % 6]);
      lit_t lit = LIT_1;
      if (address) lit = LIT_0;
      else if (data && first) lit = a;
      else if (data) lit = turned ? k : m;
      outputs[i] = (netlist_bit_t){names[i], 0, lit};
    }
    assert_true(lanes_open(&l, &n, LANES_FEW, NULL, 0) && lanes_power_up(&l));
    assert_int_equal(l.num_srams, 2);
    for (unsigned c = 0; c < 40; c++, lanes_clock(&l, live)) {
      came[c] = test_random(&seed) >> 7 & 1;
      lanes_set(&l, a / 2, came[c]);
      lanes_settle(&l);
      assert_int_equal(lane_value(&l, turned ? m : k, 0), c < 4 ? 0 : came[c - 4]);
    }
    lanes_close(&l);
    gates_close(&n.gates);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gates_are_their_truth_tables),    cmocka_unit_test(the_same_gate_is_made_once),
      cmocka_unit_test(a_fault_does_what_its_mode_says), cmocka_unit_test(a_lane_is_the_fault_alone),
      cmocka_unit_test(a_memory_hands_on_what_it_had),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
