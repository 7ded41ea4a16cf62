/* SPDX-License-Identifier: Apache-2.0
 *
 * A load/store unit's model, its wires, and words for what a test does and expects; shared by
 * test_lsu.c and test_lsu_full.c.
 *
 * Core 5, subcore 1, near-bank unit 2. rig_look gives the outputs of the cycle, rig_clock ends it
 * and takes all events away.
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

static inline void rig_look(void) {
  memset(&out, 0x5a, sizeof out);
  lsu_eval(&unit, &in, &out);
}

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

/* Thread i at start + i * stride. */
static inline void stride(uint64_t start, int64_t step) {
  for (unsigned i = 0; i < 32; i++) addr[i] = start + (uint64_t)(step * (int64_t)i);
}

/* Gives the instruction on addr[] in this cycle, which must be ready for it. */
static inline void give(bool store, unsigned size, unsigned reg, unsigned tag, uint32_t mask) {
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

static inline void load(unsigned size, unsigned reg, unsigned tag, uint32_t mask) {
  give(false, size, reg, tag, mask);
  rig_clock();
}

/* What the cycle shows: in_ready, and one bit each for need, dn, rq, cm. */
enum { NEED = 1, DN = 2, RQ = 4, CM = 8 };
static inline void expect(unsigned ready, unsigned shown) {
  rig_look();
  assert_int_equal(out.in_ready, ready);
  assert_int_equal(out.need_data | out.dn_valid << 1 | out.rq_valid << 2 | out.cm_valid << 3, shown);
}

static inline void expect_zero(const uint32_t *words, unsigned n) {
  for (unsigned i = 0; i < n; i++) assert_int_equal(words[i], 0);
}

/* A transfer on dn_ in this cycle: type, unit, address, number. */
static inline void expect_local(unsigned type, unsigned nbu, uint64_t address, unsigned number) {
  rig_look();
  assert_int_equal(out.dn_valid, 1);
  assert_true(out.dn_hdr == (type | nbu << 4 | SUBCORE << 22 | address << 30 | (uint64_t)number << 56));
  if (type != LSU_RD) return;
  assert_int_equal(out.dn_mask, 0);
  expect_zero(out.dn_data, 32);
}

static inline void take_read(unsigned nbu, uint64_t address, unsigned number) {
  expect_local(LSU_RD, nbu, address, number);
  in.dn_take = 1;
  rig_clock();
}

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

static inline void expect_regw(unsigned reg, unsigned tag, uint32_t mask, bool more) {
  rig_look();
  assert_int_equal(out.dn_valid, 1);
  uint64_t hdr = LSU_REGW | NBU << 4 | 2 << 6 | WARP << 8 | reg << 14 | (more ? 1 : 0) << 22;
  assert_true(out.dn_hdr == (hdr | (uint64_t)tag << 56));
  assert_int_equal(out.dn_mask, mask);
}

/* An answer in this cycle: byte k of the transfer is first + k. */
static inline void answer(unsigned number, uint8_t first) {
  in.rs_valid = 1;
  in.rs_id = number;
  for (unsigned k = 0; k < 32; k++) bits_put(in.rs_data, 8 * k, 8, (uint8_t)(first + k));
}

static inline void answer_remote(unsigned number, uint8_t first) {
  in.rr_valid = 1;
  in.rr_id = number;
  for (unsigned k = 0; k < 32; k++) bits_put(in.rr_data, 8 * k, 8, (uint8_t)(first + k));
}

static inline void acknowledge(unsigned number) {
  in.rs_valid = in.rs_write = 1;
  in.rs_id = number;
}

/* The row that a store waits for: thread i has first + i * 0x01010101. */
static inline void bring_row(unsigned reg, uint32_t first) {
  expect(0, NEED);
  assert_int_equal(out.need_warp, WARP);
  assert_int_equal(out.need_reg, reg);
  in.dt_valid = 1;
  for (unsigned i = 0; i < 32; i++) in.dt_data[i] = first + i * 0x01010101;
  rig_clock();
}

#endif
