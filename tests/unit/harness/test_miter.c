/* SPDX-License-Identifier: Apache-2.0
 *
 * Miters of a block and its copy with a fault. Writes to a memory are compared where they can be
 * read, in resets, too. Within one cycle, inputs that make an assertion fire count as a reset.
 */
#include "miter.h"
#include "unit_test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Written at address 0 whenever there is no reset, no bit of the data; never read. */
static const char BLOCK[] =
    ".model block\n.inputs clk_i rst_ni mem.rd_data_o lm_o_1 lm_o_2 lm_o_3 lm_o_4\n"
    ".outputs mem.wr_en_i mem.wr_addr_i mem.wr_data_i mem.wr_mask_i mem.rd_en_i mem.rd_addr_i lm_i_1 lm_i_2 lm_i_3 "
    "lm_i_4\n"
    ".names $false\n.names $true\n1\n"
    ".names rst_ni lm_i_1\n1 1\n.names $false lm_i_2\n1 1\n.names $false lm_i_3\n1 1\n.names $false lm_i_4\n1 1\n"
    ".names lm_o_1 mem.wr_en_i\n1 1\n.names lm_o_2 mem.wr_addr_i\n1 1\n.names lm_o_3 mem.wr_data_i\n1 1\n"
    ".names lm_o_4 mem.rd_addr_i\n1 1\n.names $false mem.wr_mask_i\n1 1\n.names $false mem.rd_en_i\n1 1\n.end\n";

/* A bit from input to output, and the assertion that it is high while there is no reset. */
#define WIRE                                                                                             \
  ".model block\n.inputs clk_i rst_ni x_i lm_o_1\n.outputs y_o lm_i_1\n.names $false\n.names $true\n1\n" \
  ".names x_i lm_i_1\n1 1\n.names lm_o_1 y_o\n1 1\n.gate $_DFF_P_ C=clk_i D=x_i Q=was\n"                 \
  ".gate $_DFF_P_ C=clk_i D=rst_ni Q=on\n"
static const char FREE[] = WIRE ".end\n", HIGH[] = WIRE ".gate $assert A=was EN=on\n.end\n";

/* Reads a netlist from BLIF text. */
static void read_block(netlist_t *n, const char *text, fault_t *faults, unsigned num) {
  char path[] = "/tmp/miter.XXXXXX";
  trouble_t trouble = {0};
  int fd = mkstemp(path);
  assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  bool ok = netlist_read(n, path, faults, num, &trouble);
  unlink(path);
  if (!ok) print_error("%s\n", trouble.text);
  assert_true(ok);
}

/* Simulates 100 cycles with random inputs and resets: does the miter's output ever rise? Each of
 * the few inputs takes both values many times in so many cycles. */
static bool ever_differs(const miter_t *m) {
  uint32_t latches[256];
  netlist_bit_t output = {"differs", 0, m->differs[0]};
  netlist_t n = {.gates = m->gates, .outputs = &output, .num_outputs = 1, .latches = latches};
  uint64_t seed = 1, live[LANES_MANY] = {1};
  lanes_t l;
  bool high = false;
  for (uint32_t i = 1; i < n.gates.count; i++)
    if (n.gates.nodes[i].kind == NODE_LATCH) assert_true(n.num_latches < 256), latches[n.num_latches++] = i;
  assert_true(lanes_open(&l, &n, LANES_FEW, NULL, 0) && lanes_power_up(&l));
  for (int c = 0; c < 100; c++) {
    for (uint32_t i = 1; i < n.gates.count; i++)
      if (n.gates.nodes[i].kind == NODE_INPUT) lanes_set(&l, i, test_random(&seed) & 1);
    lanes_settle(&l);
    high |= lanes_value(&l, m->differs[0], 0);
    lanes_clock(&l, live);
  }
  lanes_close(&l);
  return high;
}

/* A write in a reset differs and so does another address; data under the mask and an address of
 * no read do not. */
static void memories_are_compared_where_they_are_used(void **state) {
  fault_t faults[] = {{.kind = FAULT_CONST1, .cut = 1},
                      {.kind = FAULT_INV, .cut = 2},
                      {.kind = FAULT_INV, .cut = 3},
                      {.kind = FAULT_INV, .cut = 4}};
  /* written in a reset; elsewhere; under the mask; where nothing is read */
  static const bool differs[] = {true, true, false, false};
  static const dut_t dut = {.num_ports = 0, .reset_cycles = 2};
  netlist_t n;
  (void)state;
  read_block(&n, BLOCK, faults, 4);
  bed_t bed = {.dut = &dut, .netlist = &n};
  bed_add_reset(&bed, "rst_ni", false);
  assert_int_equal(bed.num_resets, 1);
  for (unsigned i = 0; i < 4; i++) {
    miter_t m;
    assert_int_not_equal(faults[i].point, 0);
    miter_of_t of = {&faults[i], NULL};
    assert_true(miter_open(&m, &bed, MITER_ALL_CYCLES, &of, 1, false));
    assert_true(m.memories);
    assert_int_equal(ever_differs(&m), differs[i]);
    miter_close(&m);
  }
  netlist_free(&n);
}

/* Does this fault in the wire show within one cycle? The wire's input and output are the block's
 * own. */
static bool wire_differs(const char *text, fault_kind_t kind) {
  static const dut_port_t ports[] = {
      {"x", NULL, NULL, 1, 0, 8, DUT_IN, DUT_SCALAR, false, 0, "x_i", 0, 0, NULL, NULL, 0, false},
      {"y", NULL, NULL, 1, 0, 8, DUT_OUT, DUT_SCALAR, false, 0, "y_o", 0, 0, NULL, NULL, 0, false}};
  static const dut_t dut = {.block = "block", .ports = ports, .num_ports = 2, .reset_cycles = 2};
  fault_t fault = {.kind = kind, .cut = 1};
  miter_of_t of = {&fault, NULL};
  trouble_t trouble = {0};
  netlist_t n;
  miter_t m;
  bed_t bed;
  read_block(&n, text, &fault, 1);
  assert_true(bed_open(&bed, &dut, &n, &trouble));
  bed_add_reset(&bed, "rst_ni", false);
  assert_true(miter_open(&m, &bed, MITER_ONE_CYCLE, &of, 1, false));
  bool differs = ever_differs(&m);
  miter_close(&m);
  bed_close(&bed);
  netlist_free(&n);
  return differs;
}

/* A wire stuck at 1 shows where the input may be 0, and one stuck at 0 where it may be 1. In
 * HIGH the input may only be 1. */
static void a_cycle_that_is_not_legal_shows_nothing(void **state) {
  (void)state;
  assert_true(wire_differs(FREE, FAULT_CONST1));
  assert_true(wire_differs(FREE, FAULT_CONST0));
  assert_false(wire_differs(HIGH, FAULT_CONST1)); /* low is not legal */
  assert_true(wire_differs(HIGH, FAULT_CONST0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memories_are_compared_where_they_are_used),
      cmocka_unit_test(a_cycle_that_is_not_legal_shows_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
