/* SPDX-License-Identifier: Apache-2.0
 *
 * The bench of test_lsu.c and test_lsu_full.c: one load/store unit's golden model, its wires, and
 * functions that drive an input or check an output.
 *
 * The unit is that of core 5, subcore 1, with its registers in near-bank unit 2. A cycle is: drive
 * `in`, check with the expect_ functions, rig_clock(). rig_look() evaluates the outputs of the
 * cycle; rig_clock() makes the clock edge and sets all events of `in` back to 0.
 *
 * Addresses have 35 bits: core from bit 28, unit in bits 27 and 26, byte in the unit below.
 */
#ifndef LSU_RIG_H
#define LSU_RIG_H

#include "unit_test.h"

#include <string.h>

#include "bits.h"
#include "lsu.h"

enum { CORE = 5, SUBCORE = 1, NBU = 2, WARP = 11 };
#define HERE (UINT64_C(5) << 28 | UINT64_C(2) << 26) /* address 0 of the unit that has the registers */
#define ALL UINT32_MAX

static lsu_t unit;
static lsu_in_t in;
static lsu_out_t out;
static uint64_t addr[32];

static inline int setup(void **state) {
  (void)state;
  lsu_reset(&unit);
  memset(&in, 0, sizeof in);
  in.core_id = CORE;
  in.subcore_id = SUBCORE;
  in.nbu_id = NBU;
  return 0;
}

/* Evaluates the outputs. The filler shows up in every output that lsu_eval does not write. */
static inline void rig_look(void) {
  memset(&out, 0x5a, sizeof out);
  lsu_eval(&unit, &in, &out);
}

/* The clock edge. On the way it checks lsu_idle() in both directions: the model is idle exactly
 * if a step without any event changes no bit of its state. */
static inline void rig_clock(void) {
  static lsu_t before;
  lsu_in_t quiet;
  memset(&quiet, 0, sizeof quiet);
  quiet.core_id = CORE;
  quiet.subcore_id = SUBCORE;
  quiet.nbu_id = NBU;
  quiet.no_offload = in.no_offload;
  before = unit;
  lsu_step(&before, &quiet);
  assert_int_equal(lsu_idle(&unit), memcmp(&before, &unit, sizeof unit) == 0);
  lsu_step(&unit, &in);
  in = quiet;
}

/* Gives thread i the address start + i * step, for all 32 threads; the mask says later who takes
 * part. */
static inline void place_threads(uint64_t start, int64_t step) {
  for (unsigned i = 0; i < 32; i++) addr[i] = start + (uint64_t)(step * (int64_t)i);
}

/* Offers an access of all threads in `mask` to addr[] in this cycle. Fails unless in_ready is
 * high. `size` is the logarithm of the bytes a thread accesses (0 to 3). */
static inline void give_access(bool store, unsigned size, unsigned reg, unsigned tag, uint32_t mask) {
  rig_look();
  assert_int_equal(out.in_ready, 1);
  in.in_valid = 1;
  in.in_store = store;
  in.in_warp = WARP;
  in.in_reg = reg;
  in.in_tag = tag;
  in.in_size = size;
  in.in_mask = mask;
  for (unsigned i = 0; i < 32; i++) bits_put(in.in_addr, 35 * i, 35, addr[i]);
}

/* A load that is accepted in this cycle; returns after the clock edge. */
static inline void issue_load(unsigned size, unsigned reg, unsigned tag, uint32_t mask) {
  give_access(false, size, reg, tag, mask);
  rig_clock();
}

/* The valid signals of a cycle as one number, next to in_ready: the unit needs a row (NEED),
 * shows a message on its way down (DN), a request to another core (RQ), a commit (CM). */
enum { NEED = 1, DN = 2, RQ = 4, CM = 8 };
static inline void expect_shown(unsigned ready, unsigned shown) {
  rig_look();
  assert_int_equal(out.in_ready, ready);
  assert_int_equal(out.need_data | out.dn_valid << 1 | out.rq_valid << 2 | out.cm_valid << 3, shown);
}

static inline void expect_zero(const uint32_t *words, unsigned n) {
  for (unsigned i = 0; i < n; i++) assert_int_equal(words[i], 0);
}

/* dn_ carries a transfer in this cycle: its type, unit, address and request number. A read
 * carries no data and no byte mask. */
static inline void expect_local(unsigned type, unsigned nbu, uint64_t address, unsigned number) {
  rig_look();
  assert_int_equal(out.dn_valid, 1);
  assert_true(out.dn_hdr == (type | nbu << 4 | SUBCORE << 22 | address << 30 | (uint64_t)number << 56));
  if (type != LSU_RD) return;
  assert_int_equal(out.dn_mask, 0);
  expect_zero(out.dn_data, 32);
}

/* The read on dn_ is the expected one, and the bus takes it in this cycle. */
static inline void take_read(unsigned nbu, uint64_t address, unsigned number) {
  expect_local(LSU_RD, nbu, address, number);
  in.dn_take = 1;
  rig_clock();
}

/* rq_ carries a request to another core in this cycle; a read carries no data and no byte mask. */
static inline void expect_remote(bool write, unsigned core, unsigned nbu, uint64_t address, unsigned number) {
  rig_look();
  assert_int_equal(out.rq_valid, 1);
  assert_int_equal(out.rq_write, write);
  assert_int_equal(out.rq_core, core);
  assert_int_equal(out.rq_nbu, nbu);
  assert_int_equal(out.rq_addr, address);
  assert_int_equal(out.rq_id, number);
  if (write) return;
  assert_int_equal(out.rq_mask, 0);
  expect_zero(out.rq_data, 8);
}

/* dn_ carries a row for the register file; `more` means that the second row of a wide load
 * follows. */
static inline void expect_regw(unsigned reg, unsigned tag, uint32_t mask, bool more) {
  rig_look();
  assert_int_equal(out.dn_valid, 1);
  uint64_t hdr = LSU_REGW | NBU << 4 | 2 << 6 | WARP << 8 | reg << 14 | (more ? 1 : 0) << 22;
  assert_true(out.dn_hdr == (hdr | (uint64_t)tag << 56));
  assert_int_equal(out.dn_mask, mask);
}

/* An answer of a near-bank unit in this cycle: byte k of the transfer is first + k. */
static inline void answer_local(unsigned number, uint8_t first) {
  in.rs_valid = 1;
  in.rs_id = number;
  for (unsigned k = 0; k < 32; k++) bits_put(in.rs_data, 8 * k, 8, (uint8_t)(first + k));
}

/* The same from another core, on rr_. */
static inline void answer_remote(unsigned number, uint8_t first) {
  in.rr_valid = 1;
  in.rr_id = number;
  for (unsigned k = 0; k < 32; k++) bits_put(in.rr_data, 8 * k, 8, (uint8_t)(first + k));
}

/* A near-bank unit has done the write of this number. */
static inline void acknowledge(unsigned number) {
  in.rs_valid = in.rs_write = 1;
  in.rs_id = number;
}

/* The move engine brings the row that a store waits for: thread i has first + i * 0x01010101, so
 * that every byte tells its thread. */
static inline void bring_row(unsigned reg, uint32_t first) {
  expect_shown(0, NEED);
  assert_int_equal(out.need_warp, WARP);
  assert_int_equal(out.need_reg, reg);
  in.dt_valid = 1;
  for (unsigned i = 0; i < 32; i++) in.dt_data[i] = first + i * 0x01010101;
  rig_clock();
}

#endif
