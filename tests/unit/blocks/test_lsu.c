/* SPDX-License-Identifier: Apache-2.0
 *
 * A subcore's load/store unit: which accesses it offloads, into which transfers it splits the
 * others, what a transfer carries, and what its answers give. lsu_rig.h is the bench;
 * rtl/lsu/lsu_msg.def lists the fields of a message's header.
 */
#include "lsu_rig.h"

/* After reset nothing is shown, and takes that nobody waits for do nothing. */
static void test_reset(void **state) {
  (void)state;
  expect_shown(1, 0);
  assert_int_equal(out.err | out.probe_offload | out.probe_reqs, 0);
  in.dn_take = in.rq_take = in.dt_valid = 1; /* nobody waits */
  rig_clock();
  expect_shown(1, 0);
}

/* An access without a thread commits in the next cycle and sends nothing. */
static void test_empty_mask(void **state) {
  (void)state;
  place_threads(HERE, 4);
  issue_load(2, 3, 42, 0);
  expect_shown(0, CM);
  assert_int_equal(out.cm_tag, 42);
  assert_int_equal(out.probe_offload, 0);
  rig_clock();
  expect_shown(1, 0);
}

/* One message for all threads, at any multiple of the size, up to the unit's last byte. */
static void test_offload(void **state) {
  (void)state;
  static const struct {
    unsigned store, size, sign;
    uint64_t start;
  } cases[] = {{0, 2, 0, 0x1000}, {0, 0, 1, 0x1003}, {0, 1, 1, 0x3ffffc0}, {0, 3, 0, 0x3ffff00}, {0, 2, 1, 0x3ffff80},
               {1, 2, 0, 0x104},  {1, 0, 0, 31},     {1, 3, 0, 0x8},       {1, 1, 1, 0}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t start = cases[i].start;
    setup(NULL);
    place_threads(HERE + start, 1 << cases[i].size);
    give_access(cases[i].store, cases[i].size, 200, 99, ALL);
    in.in_sign = cases[i].sign;
    rig_clock();
    unsigned type = cases[i].store ? LSU_STO : LSU_LDO, sign = cases[i].sign && !cases[i].store;
    uint64_t hdr = type | NBU << 4 | cases[i].size << 6 | WARP << 8 | 200 << 14 | sign << 22;
    hdr |= start << 30 | UINT64_C(99) << 56;
    for (unsigned wait = 0; wait < 3; wait++) {
      expect_shown(0, DN);
      assert_int_equal(out.probe_offload, wait == 0);
      assert_true(out.dn_hdr == hdr);
      assert_int_equal(out.dn_mask, 0);
      expect_zero(out.dn_data, 32);
      in.dn_take = wait == 2;
      rig_clock();
    }
    expect_shown(1, 0); /* no entry, no commit from here */
    assert_int_equal(out.probe_reqs, 0);
  }
}

/* An access to addr[] is not offloaded: the unit shows its first transfer, that of the lowest
 * thread. */
static void expect_not_offloaded(uint32_t mask, bool remote) {
  issue_load(2, 7, 1, mask);
  expect_shown(0, remote ? RQ : DN);
  assert_int_equal(out.probe_offload, 0);
  if (!remote) assert_int_equal(out.dn_hdr & 15, LSU_RD);
}

/* Each condition of an offload broken alone: offloads are forbidden, a thread is off, an address
 * lies in another core or unit or out of order, the block leaves its unit, the stride is not the
 * size. */
static void test_not_offloaded(void **state) {
  (void)state;
  place_threads(HERE + 0x1000, 4);
  in.no_offload = 1;
  expect_not_offloaded(ALL, false);
  for (unsigned thread = 0; thread < 32; thread += 31) {
    setup(NULL);
    expect_not_offloaded(ALL & ~(1u << thread), false);
  }
  for (unsigned thread = 0; thread < 32; thread += 31) { /* one address in another core, in another unit, elsewhere */
    setup(NULL);
    place_threads(HERE + 0x1000, 4);
    addr[thread] ^= UINT64_C(1) << 28;
    expect_not_offloaded(ALL, thread == 0);
    setup(NULL);
    place_threads(HERE + 0x1000, 4);
    addr[thread] ^= UINT64_C(1) << 26;
    expect_not_offloaded(ALL, false);
    setup(NULL);
    place_threads(HERE + 0x1000, 4);
    addr[thread] += 4;
    expect_not_offloaded(ALL, false);
  }
  setup(NULL);
  place_threads(HERE + 0x1000, 4);
  addr[15] += 128; /* beyond the others, in no order */
  expect_not_offloaded(ALL, false);
  setup(NULL);
  place_threads(HERE + 0x107c, -4);
  expect_not_offloaded(ALL, false);
  setup(NULL);
  place_threads((HERE ^ 1 << 26) + 0x1000, 4); /* coalesced in another unit */
  expect_not_offloaded(ALL, false);
  setup(NULL);
  place_threads((HERE ^ 1 << 28) + 0x1000, 4); /* coalesced in another core */
  expect_not_offloaded(ALL, true);
  setup(NULL);
  place_threads(HERE + 0x3ffffc0, 4); /* runs into the next unit */
  expect_not_offloaded(ALL, false);
  setup(NULL);
  place_threads(HERE + 0x1000, 8); /* twice the size apart */
  expect_not_offloaded(ALL, false);
}

/* Adjacent accesses of each size make transfers of 32 bytes in ascending order: 2^size of them,
 * and one more if the block starts one element later. */
static void test_coalescing(void **state) {
  (void)state;
  for (unsigned size = 0; size < 4; size++)
    for (unsigned shifted = 0; shifted < 2; shifted++) {
      setup(NULL);
      in.no_offload = 1;
      place_threads(HERE + 0x1000 + (shifted ? 1 << size : 0), 1 << size);
      issue_load(size, 7, 1, ALL);
      for (unsigned k = 0; k < (1u << size) + shifted; k++) {
        rig_look();
        assert_int_equal(out.probe_reqs, k);
        take_read(NBU, 0x1000 + 32 * k, k);
      }
      expect_shown(1, 0);
      assert_int_equal(out.probe_reqs, (1u << size) + shifted);
    }
}

/* The lowest thread not yet served names the next transfer, which serves each thread in its 32
 * bytes: descending addresses, one address for all, a few threads, one thread. */
static void test_order_of_transfers(void **state) {
  (void)state;
  place_threads(HERE + 0x107c, -4);
  issue_load(2, 7, 1, ALL);
  for (unsigned k = 0; k < 4; k++) take_read(NBU, 0x1060 - 32 * k, k);
  expect_shown(1, 0);
  place_threads(HERE + 0x2008, 0);
  issue_load(2, 7, 1, ALL);
  take_read(NBU, 0x2000, 4);
  expect_shown(1, 0);
  place_threads(HERE + 0x3000, 4);
  addr[4] = addr[31];
  issue_load(2, 7, 1, 1u << 31 | 1u << 9 | 1u << 4 | 1u << 3);
  take_read(NBU, 0x3000, 5); /* thread 3 */
  take_read(NBU, 0x3060, 6); /* 4 and 31 */
  take_read(NBU, 0x3020, 7); /* 9 */
  expect_shown(1, 0);
  place_threads(HERE + 0x3ffffe0, 0);
  issue_load(3, 7, 1, 1u << 31);
  take_read(NBU, 0x3ffffe0, 8);
  expect_shown(0, 0); /* four entries wait */
}

/* Thirty-two threads 4096 bytes apart make 32 transfers. They are answered in reverse. A thread
 * reads byte 31 of its transfer, hence the last 31 of the expected value. */
static void test_scattered(void **state) {
  (void)state;
  place_threads(HERE + 0x1f, 4096);
  issue_load(0, 7, 1, ALL);
  for (unsigned k = 0; k < 32; k++) take_read(NBU, 4096 * k, k);
  expect_shown(1, 0);
  for (unsigned k = 0; k < 32; k++) {
    rig_look();
    assert_int_equal(out.probe_reqs, 32 - k);
    answer_local(31 - k, (uint8_t)(100 + k));
    rig_clock();
  }
  expect_regw(7, 1, ALL, false);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(out.dn_data[i], 100 + 31 - i + 31);
}

/* Equal addresses in two cores and two units make four transfers. Those in another core go out
 * on rq_, and each side waits for its own take. */
static void test_remote(void **state) {
  (void)state;
  place_threads(HERE + 0x40, 0);
  addr[1] = UINT64_C(126) << 28 | 3 << 26 | 0x5c;
  addr[2] = UINT64_C(126) << 28 | 2 << 26 | 0x40;
  addr[3] = (HERE ^ 3 << 26) | 0x44;
  addr[4] = addr[1] - 0x1c;
  issue_load(2, 7, 1, 0x1f);
  expect_shown(0, DN);
  in.rq_take = 1;
  rig_clock();
  expect_shown(0, DN);
  take_read(NBU, 0x40, 0);
  for (unsigned wait = 0; wait < 3; wait++) {
    expect_shown(0, RQ);
    expect_remote(false, 126, 3, 0x40, 1);
    in.rq_take = wait == 2;
    in.dn_take = 1;
    rig_clock();
  }
  expect_shown(0, RQ);
  expect_remote(false, 126, 2, 0x40, 2);
  in.rq_take = 1;
  rig_clock();
  expect_shown(0, DN);
  take_read(1, 0x40, 3);
  expect_shown(1, 0);
  answer_remote(2, 0x20);
  answer_local(0, 0x00);
  rig_clock();
  answer_remote(1, 0x40);
  rig_clock();
  expect_shown(1, 0);
  answer_local(3, 0x60);
  rig_clock();
  expect_regw(7, 1, 0x1f, false);
  assert_int_equal(out.dn_data[0], 0x03020100);
  assert_int_equal(out.dn_data[1], 0x5f5e5d5c);
  assert_int_equal(out.dn_data[2], 0x23222120);
  assert_int_equal(out.dn_data[3], 0x67666564);
  assert_int_equal(out.dn_data[4], 0x43424140);
  expect_zero(out.dn_data + 5, 27);
}

/* Bytes and halfwords are extended as asked, words of other threads are 0. */
static void test_extension(void **state) {
  (void)state;
  static const struct {
    unsigned size, sign;
    uint32_t low, high; /* threads 30 and 31: bytes 0x7e.., 0x80.. of the answer */
  } cases[] = {{0, 0, 0x7e, 0x80},
               {0, 1, 0x7e, 0xffffff80},
               {1, 0, 0x7f7e, 0x8180},
               {1, 1, 0x7f7e, 0xffff8180},
               {2, 1, 0x81807f7e, 0x85848382}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    setup(NULL);
    bool words = cases[i].size == 2;
    place_threads(HERE, 0);
    addr[30] = HERE + 0x800 + (words ? 0 : 14);
    addr[31] = HERE + 0x800 + (words ? 4 : 16);
    give_access(false, cases[i].size, 255, 8, 3u << 30);
    in.in_sign = cases[i].sign;
    rig_clock();
    take_read(NBU, 0x800, 0);
    answer_local(0, words ? 0x7e : 0x70);
    rig_clock();
    expect_regw(255, 8, 3u << 30, false);
    expect_zero(out.dn_data, 30);
    assert_int_equal(out.dn_data[30], cases[i].low);
    assert_int_equal(out.dn_data[31], cases[i].high);
  }
}

/* A load of eight bytes writes two rows, the second in the cycle after the first, and only the
 * second ends it. Register 255 is followed by register 0. */
static void test_wide_load(void **state) {
  (void)state;
  place_threads(HERE + 0x100, 8);
  issue_load(3, 255, 8, 0xf0000001);
  take_read(NBU, 0x100, 0);
  take_read(NBU, 0x1e0, 1);
  answer_local(1, 0x10);
  rig_clock();
  answer_local(0, 0x80);
  rig_clock();
  for (unsigned wait = 0; wait < 2; wait++) {
    expect_regw(255, 8, 0xf0000001, true);
    assert_int_equal(out.dn_data[0], 0x83828180);
    expect_zero(out.dn_data + 1, 27);
    assert_int_equal(out.dn_data[28], 0x13121110);
    assert_int_equal(out.dn_data[31], 0x2b2a2928);
    in.dn_take = wait == 1;
    rig_clock();
  }
  for (unsigned wait = 0; wait < 2; wait++) {
    expect_regw(0, 8, 0xf0000001, false);
    assert_int_equal(out.dn_data[0], 0x87868584);
    expect_zero(out.dn_data + 1, 27);
    assert_int_equal(out.dn_data[28], 0x17161514);
    assert_int_equal(out.dn_data[31], 0x2f2e2d2c);
    in.dn_take = wait == 1;
    rig_clock();
  }
  expect_shown(1, 0);
}

/* A store asks for its row, then sends it in transfers, and commits after the last
 * acknowledgement. */
static void test_store(void **state) {
  (void)state;
  place_threads(HERE + 0x1010, 4);
  in.no_offload = 1;
  give_access(true, 2, 33, 5, 0x0000ff0f); /* threads 4 to 7, 16 and on are off */
  rig_clock();
  expect_shown(0, NEED);
  rig_clock();
  bring_row(33, 0x10000000);
  for (unsigned wait = 0; wait < 2; wait++) {
    expect_shown(0, DN);
    expect_local(LSU_WR, NBU, 0x1000, 0);
    assert_int_equal(out.dn_mask, 0xffff0000);
    expect_zero(out.dn_data, 4);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(out.dn_data[4 + i], 0x10000000 + i * 0x01010101);
    expect_zero(out.dn_data + 8, 24);
    in.dn_take = wait;
    in.dt_valid = 1;
    rig_clock();
  }
  expect_local(LSU_WR, NBU, 0x1020, 1);
  assert_int_equal(out.dn_mask, 0xffff0000);
  assert_int_equal(out.dn_data[4], 0x10000000 + 8 * 0x01010101);
  in.dn_take = 1;
  acknowledge(0);
  rig_clock();
  expect_local(LSU_WR, NBU, 0x1040, 0);
  assert_int_equal(out.dn_mask, 0x0000ffff);
  assert_int_equal(out.dn_data[3], 0x10000000 + 15 * 0x01010101);
  expect_zero(out.dn_data + 4, 28);
  in.dn_take = 1;
  rig_clock();
  expect_shown(1, 0);
  acknowledge(0);
  rig_clock();
  expect_shown(1, 0);
  acknowledge(1);
  rig_clock();
  expect_shown(1, CM);
  assert_int_equal(out.cm_tag, 5);
  rig_clock();
  expect_shown(1, 0);
}

/* A store of eight bytes asks for two rows. Its transfer starts at 0x2000 and its two threads at
 * 0x2008, hence the mask of bytes 8 to 23. */
static void test_wide_store(void **state) {
  (void)state;
  place_threads((HERE ^ 1 << 28) + 0x2008, 8);
  give_access(true, 3, 255, 5, 3);
  rig_clock();
  bring_row(255, 0x20000000);
  expect_shown(0, NEED);
  rig_clock();
  bring_row(0, 0x30000000);
  expect_shown(0, RQ);
  expect_remote(true, 4, NBU, 0x2000, 0);
  assert_int_equal(out.rq_mask, 0x00ffff00);
  expect_zero(out.rq_data, 2);
  assert_int_equal(out.rq_data[2], 0x20000000);
  assert_int_equal(out.rq_data[3], 0x30000000);
  assert_int_equal(out.rq_data[4], 0x21010101);
  assert_int_equal(out.rq_data[5], 0x31010101);
  expect_zero(out.rq_data + 6, 2);
  in.rq_take = 1;
  rig_clock();
  in.rr_valid = in.rr_write = 1;
  rig_clock();
  expect_shown(1, CM);
}

/* Of two threads that write one byte the higher one wins, whatever their order; neighbours keep
 * theirs. */
static void test_conflicts(void **state) {
  (void)state;
  for (unsigned size = 0; size < 4; size++) {
    unsigned bytes = 1u << size;
    setup(NULL);
    place_threads(HERE + 0x3000, 0);
    addr[0] = addr[9] = HERE + 0x3000 + bytes;
    addr[2] = HERE + 0x3000;
    addr[30] = HERE + 0x3000 + 2 * bytes;
    give_access(true, size, 1, 5, 1u << 30 | 1u << 9 | 1u << 2 | 1);
    rig_clock();
    bring_row(1, 0x40506070);
    if (size == 3) bring_row(2, 0x80706050);
    expect_local(LSU_WR, NBU, 0x3000, 0);
    assert_int_equal(out.dn_mask, (UINT64_C(1) << 3 * bytes) - 1);
    static const uint32_t wins[] = {2, 9, 30};
    for (unsigned place = 0; place < 3; place++) {
      uint64_t low = 0x40506070 + wins[place] * 0x01010101, high = 0x80706050 + wins[place] * 0x01010101;
      assert_int_equal(bits_get(out.dn_data, 8 * bytes * place, 8 * bytes), (high << 32 | low) & bits_ones(8 * bytes));
    }
    in.dn_take = 1;
    rig_clock();
    expect_shown(1, 0);
  }
}

/* Bytes of one word from several threads, and two halfwords: nothing spills. */
static void test_small_stores(void **state) {
  (void)state;
  place_threads(HERE + 0x1f, -1);
  give_access(true, 0, 1, 5, ALL);
  rig_clock();
  bring_row(1, 0xffffff00);
  expect_local(LSU_WR, NBU, 0, 0);
  assert_int_equal(out.dn_mask, ALL);
  for (unsigned k = 0; k < 32; k++) assert_int_equal(bits_get(out.dn_data, 8 * k, 8), 31 - k);
  in.dn_take = 1;
  rig_clock();
  place_threads(HERE + 0x1e, 0);
  addr[1] = HERE + 0x1a;
  give_access(true, 1, 1, 6, 3);
  rig_clock();
  bring_row(1, 0xabcd1234);
  expect_local(LSU_WR, NBU, 0, 1);
  assert_int_equal(out.dn_mask, 0xcc000000);
  expect_zero(out.dn_data, 6);
  assert_int_equal(out.dn_data[6], 0x13350000);
  assert_int_equal(out.dn_data[7], 0x12340000);
}

int main(void) {
#define T(test) cmocka_unit_test_setup(test, setup)
  const struct CMUnitTest tests[] = {
      T(test_reset),      T(test_empty_mask),         T(test_offload),   T(test_not_offloaded),
      T(test_coalescing), T(test_order_of_transfers), T(test_scattered), T(test_remote),
      T(test_extension),  T(test_wide_load),          T(test_store),     T(test_wide_store),
      T(test_conflicts),  T(test_small_stores),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
