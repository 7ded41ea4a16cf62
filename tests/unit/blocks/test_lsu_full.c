/* SPDX-License-Identifier: Apache-2.0
 *
 * The load/store unit when a resource runs out or two events meet: request numbers, table entries,
 * the way down. Then random accesses against a memory. This build has three request numbers and two
 * entries.
 */
#include "lsu_rig.h"

/* The bus takes the message on dn_, whatever it is. */
static void take_down(void) {
  rig_look();
  assert_int_equal(out.dn_valid, 1);
  in.dn_take = 1;
  rig_clock();
}

/* A load of one thread, in one transfer. */
static void load_one(uint64_t address, unsigned reg, unsigned tag, unsigned number) {
  place_threads(HERE + address, 0);
  issue_load(2, reg, tag, 1);
  take_read(NBU, address, number);
}

/* Without a free number the unit shows no transfer. A number is free in the cycle after its
 * answer, and the lowest free number is the next one. */
static void test_numbers_exhausted(void **state) {
  (void)state;
  place_threads(HERE, 32);
  issue_load(2, 7, 1, ALL);
  take_read(NBU, 0, 0);
  take_read(NBU, 32, 1);
  take_read(NBU, 64, 2);
  for (unsigned wait = 0; wait < 3; wait++) {
    expect_shown(0, 0);
    assert_int_equal(out.probe_reqs, 3);
    in.dn_take = in.rq_take = 1;
    rig_clock();
  }
  answer_local(2, 0);
  answer_remote(1, 0); /* whoever answers */
  expect_shown(0, 0);
  rig_clock();
  expect_shown(0, DN);
  assert_int_equal(out.probe_reqs, 1);
  answer_local(0, 0); /* what is shown keeps its number */
  rig_clock();
  take_read(NBU, 96, 1);
  take_read(NBU, 128, 0);
  take_read(NBU, 160, 2);
  expect_shown(0, 0);
}

/* The same for a transfer to another core. */
static void test_remote_waits_for_number(void **state) {
  (void)state;
  place_threads(UINT64_C(9) << 28, 32);
  issue_load(2, 7, 1, 15);
  for (unsigned k = 0; k < 3; k++) {
    expect_remote(false, 9, 0, 32 * k, k);
    in.rq_take = 1;
    rig_clock();
  }
  expect_shown(0, 0);
  answer_remote(1, 0);
  rig_clock();
  expect_shown(0, RQ);
  answer_remote(0, 0);
  rig_clock();
  expect_remote(false, 9, 0, 96, 1);
}

/* Two loads fill the table: a third is not accepted until an entry is free. */
static void test_table_full(void **state) {
  (void)state;
  load_one(0x100, 1, 10, 0);
  load_one(0x200, 2, 11, 1);
  for (unsigned wait = 0; wait < 2; wait++) {
    expect_shown(0, 0);
    in.in_valid = 1; /* not accepted */
    in.in_tag = 99;
    rig_clock();
  }
  answer_local(1, 0);
  rig_clock();
  expect_shown(0, DN);
  expect_regw(2, 11, 1, false);
  take_down();
  expect_shown(1, 0); /* free in the cycle after the last dn_take */
  load_one(0x300, 3, 12, 1);
  expect_shown(0, 0);
}

/* Of two done loads the lower entry goes first, but what has been shown stays. */
static void test_regw_order(void **state) {
  (void)state;
  for (unsigned first = 0; first < 2; first++) {
    setup(NULL);
    load_one(0x100, 1, 10, 0);
    load_one(0x200, 2, 11, 1);
    answer_local(first, 0);
    if (first == 0) answer_remote(1, 0);
    rig_clock();
    expect_regw(first + 1, 10 + first, 1, false);
    answer_local(0, 0);
    in.rs_valid = first == 1;
    rig_clock();
    for (unsigned wait = 0; wait < 2; wait++) {
      expect_regw(first + 1, 10 + first, 1, false);
      rig_clock();
    }
    take_down();
    expect_regw(2 - first, 11 - first, 1, false);
    take_down();
    expect_shown(1, 0);
  }
}

/* The second row of a wide load goes before a lower entry that is done. */
static void test_wide_is_not_parted(void **state) {
  (void)state;
  load_one(0x100, 1, 10, 0);
  place_threads(HERE, 0);
  issue_load(3, 20, 11, 1);
  take_read(NBU, 0, 1);
  answer_local(1, 0);
  rig_clock();
  expect_regw(20, 11, 1, true);
  answer_local(0, 0);
  in.dn_take = 1;
  rig_clock();
  expect_regw(21, 11, 1, false);
  rig_clock();
  expect_regw(21, 11, 1, false);
  take_down();
  expect_regw(1, 10, 1, false);
}

/* A REGW goes before the work's messages; an offloaded
 * access or a transfer that has been shown stays. */
static void test_regw_and_work(void **state) {
  (void)state;
  for (unsigned offload = 0; offload < 2; offload++) {
    setup(NULL);
    in.no_offload = !offload;
    load_one(0x100, 1, 10, 0);
    place_threads(HERE + 0x1000, 4);
    answer_local(0, 0);
    issue_load(2, 2, 11, ALL); /* is accepted in the cycle of the answer */
    expect_shown(0, DN);
    assert_int_equal(out.probe_offload, offload);
    expect_regw(1, 10, 1, false);
    take_down();
    rig_look();
    assert_int_equal(out.dn_hdr & 15, offload ? LSU_LDO : LSU_RD);
    take_down();
    setup(NULL);
    in.no_offload = !offload;
    load_one(0x100, 1, 10, 0);
    place_threads(HERE + 0x1000, 4);
    issue_load(2, 2, 11, ALL);
    answer_local(0, 0); /* comes while it is shown */
    for (unsigned wait = 0; wait < 2; wait++) {
      rig_look();
      assert_int_equal(out.dn_hdr & 15, offload ? LSU_LDO : LSU_RD);
      rig_clock();
    }
    take_down();
    expect_regw(1, 10, 1, false);
    take_down();
  }
}

/* A transfer that has not been shown because a REGW is has no number yet. */
static void test_number_when_shown(void **state) {
  (void)state;
  load_one(0x100, 1, 10, 0);
  place_threads(HERE, 32);
  issue_load(2, 2, 11, 7);
  take_read(NBU, 0, 1);
  answer_local(0, 0);
  in.dn_take = 1; /* of number 2 */
  expect_local(LSU_RD, NBU, 32, 2);
  rig_clock();
  expect_regw(1, 10, 1, false);
  answer_local(1, 0);
  rig_clock();
  in.dn_take = 1;
  answer_local(2, 0);
  rig_clock();
  take_read(NBU, 64, 0);
}

/* An instruction without threads commits before stores that are done, of these the lower entry. */
static void test_commit_order(void **state) {
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    place_threads(HERE + 32 * i, 0);
    give_access(true, 2, 1, 20 + i, 1);
    rig_clock();
    bring_row(1, 0);
    expect_local(LSU_WR, NBU, 32 * i, i);
    take_down();
  }
  acknowledge(1);
  in.rr_valid = in.rr_write = 1;
  rig_clock();
  expect_shown(0, CM);
  assert_int_equal(out.cm_tag, 20);
  rig_clock();
  expect_shown(1, CM);
  assert_int_equal(out.cm_tag, 21);
  setup(NULL);
  give_access(true, 2, 1, 20, 1);
  rig_clock();
  bring_row(1, 0);
  take_down();
  place_threads(HERE, 0);
  acknowledge(0);
  issue_load(2, 1, 30, 0);
  expect_shown(0, CM);
  assert_int_equal(out.cm_tag, 30);
  rig_clock();
  expect_shown(1, CM);
  assert_int_equal(out.cm_tag, 20);
  rig_clock();
  expect_shown(1, 0);
}

/* A store and a load that are done in one cycle both end, each on its way. */
static void test_commit_beside_regw(void **state) {
  (void)state;
  load_one(0x100, 1, 10, 0);
  give_access(true, 2, 1, 20, 1);
  rig_clock();
  bring_row(1, 0);
  take_down();
  answer_local(0, 0);
  in.rr_valid = in.rr_write = in.rr_id = 1;
  rig_clock();
  expect_shown(0, DN | CM);
  expect_regw(1, 10, 1, false);
  in.dn_take = 1;
  rig_clock();
  expect_shown(1, 0);
}

/* The error flags last for one cycle. */
static void expect_err(unsigned err) {
  rig_look();
  assert_int_equal(out.err, err);
  rig_clock();
  rig_look();
  assert_int_equal(out.err, 0);
}

/* Error 1: an answer to a number that is not in use, from a unit or from another core. The
 * numbers tried are 0 to 3, 4, 88 and 172. */
static void test_answers_without_request(void **state) {
  (void)state;
  for (unsigned number = 0; number < 256; number += number < 4 ? 1 : 84) {
    answer_local(number, 0);
    rig_clock();
    expect_err(1);
    answer_remote(number, 0);
    rig_clock();
    expect_err(1);
  }
  place_threads(HERE, 0);
  issue_load(2, 1, 10, 1);
  answer_local(0, 0); /* its number is in use from the cycle after its take on */
  in.dn_take = 1;
  expect_shown(0, DN);
  rig_clock();
  assert_true(unit.in_use == 1);
  expect_err(1);
  answer_local(0, 5); /* two at once: rs_ is the answer */
  answer_remote(0, 99);
  rig_clock();
  expect_shown(1, DN);
  assert_int_equal(out.dn_data[0], 0x08070605);
  expect_err(1);
  answer_local(0, 0);
  rig_clock();
  expect_err(1);
}

/* A read answered as a write is answered, with zeros;
 * a write answered as a read is done all the same. */
static void test_wrong_kind(void **state) {
  (void)state;
  load_one(0x100, 1, 10, 0);
  answer_local(0, 77);
  in.rs_write = 1;
  rig_clock();
  expect_regw(1, 10, 1, false);
  expect_zero(out.dn_data, 32);
  expect_err(2);
  take_down();
  give_access(true, 2, 1, 20, 1);
  rig_clock();
  bring_row(1, 0);
  take_down();
  answer_local(0, 77);
  answer_remote(2, 0);
  rig_clock();
  expect_shown(1, CM);
  expect_err(3);
  expect_shown(1, 0);
}

/* --- random accesses: a memory of 512 bytes in each of four places answers in any order */

enum { BYTES = 512, PLACES = 4 };
static uint8_t memory[PLACES][BYTES], expected[PLACES][BYTES];
static uint64_t seed;

static uint64_t random_below(uint64_t n) {
  return test_random(&seed) % n;
}

/* The four places are two units in each of two cores: bit 0 of the place chooses the core. */
static uint64_t base_of(unsigned place) {
  return (UINT64_C(5) << 28 ^ (uint64_t)(place & 1) << 29) | (uint64_t)(1 + place / 2) << 26;
}

/* The place of an address, the inverse of base_of(). */
static unsigned memory_place(uint64_t address) {
  return (address >> 29 & 1 ? 1 : 0) + (address >> 26 & 3 ? 2 * ((address >> 26 & 3) - 1) : 0);
}

typedef struct {
  bool busy, write, remote;
  uint64_t address;
  uint32_t mask, data[8];
} pending_t;
static pending_t pending[Reqs];

/* Writes are done when they are taken: nothing else is under way to their bytes. */
static void take_request(unsigned number, bool remote, bool write, uint64_t address, uint64_t mask,
                         const uint32_t *data) {
  pending_t *p = &pending[number];
  assert_false(p->busy);
  *p = (pending_t){.busy = true, .write = write, .remote = remote, .address = address};
  for (unsigned k = 0; k < 32; k++)
    if (mask >> k & 1) memory[memory_place(address)][address % BYTES + k] = (uint8_t)bits_get(data, 8 * k, 8);
}

/* Takes what the unit shows, on either way, every other time. */
static void take_requests(void) {
  if (out.rq_valid && random_below(2)) {
    in.rq_take = 1;
    uint64_t address = out.rq_core << 28 | out.rq_nbu << 26 | out.rq_addr;
    take_request((unsigned)out.rq_id, true, out.rq_write, address, out.rq_mask, out.rq_data);
  }
  uint64_t type = out.dn_hdr & 15;
  if (!out.dn_valid || (type != LSU_RD && type != LSU_WR) || !random_below(2)) return;
  in.dn_take = 1;
  uint64_t address = UINT64_C(5) << 28 | LSU_GET(out.dn_hdr, nbu) << 26 | LSU_GET(out.dn_hdr, addr);
  take_request((unsigned)LSU_GET(out.dn_hdr, id), false, type == LSU_WR, address, out.dn_mask, out.dn_data);
}

/* Answers one random request of those under way, or none. */
static void answer_requests(void) {
  unsigned number = (unsigned)random_below(Reqs);
  pending_t *p = &pending[number];
  if (!p->busy || !random_below(2)) return;
  p->busy = false;
  uint32_t data[8];
  memcpy(data, &memory[memory_place(p->address)][p->address % BYTES], 32);
  if (p->remote) {
    in.rr_valid = 1;
    in.rr_write = p->write;
    in.rr_id = number;
    memcpy(in.rr_data, data, 32);
  } else {
    in.rs_valid = 1;
    in.rs_write = p->write;
    in.rs_id = number;
    memcpy(in.rs_data, data, 32);
  }
}

/* The thread's value in the memory as its register will have it. */
static uint32_t value_at(uint64_t address, unsigned size, bool sign, unsigned word) {
  unsigned bytes = size < 2 ? 1u << size : 4;
  uint32_t value = 0;
  for (unsigned b = 0; b < bytes; b++)
    value |= (uint32_t)memory[memory_place(address)][address % BYTES + 4 * word + b] << 8 * b;
  if (size == 0 && sign && value & 0x80) value |= 0xffffff00;
  if (size == 1 && sign && value & 0x8000) value |= 0xffff0000;
  return value;
}

typedef struct {
  bool store, sign;
  unsigned size, places;
  uint32_t mask, rows[2][32];
} access_t;

/* A loaded row: each thread of the mask has its value, the others 0. */
static void expect_loaded(const access_t *a, unsigned word) {
  for (unsigned i = 0; i < 32; i++)
    assert_int_equal(out.dn_data[i], a->mask >> i & 1 ? value_at(addr[i], a->size, a->sign, word) : 0);
}

/* The memory as the access must leave it: threads in ascending order, so the highest one wins. */
static void store_expected(const access_t *a) {
  memcpy(expected, memory, sizeof memory);
  if (!a->store) return;
  for (unsigned i = 0; i < 32; i++)
    for (unsigned b = 0; a->mask >> i & 1 && b < 1u << a->size; b++)
      expected[memory_place(addr[i])][addr[i] % BYTES + b] = (uint8_t)(a->rows[b / 4][i] >> b % 4 * 8);
}

/* One access from its beginning to its end. */
static void run_access(const access_t *a) {
  unsigned row = 0, word = 0;
  store_expected(a);
  give_access(a->store, a->size, 100, 7, a->mask);
  in.in_sign = a->sign;
  rig_clock();
  for (unsigned cycle = 0; cycle < 3000; cycle++) {
    rig_look();
    assert_int_equal(out.err, 0);
    assert_int_equal(out.probe_offload, 0);
    answer_requests(); /* before: a number is in use from the cycle after its take on */
    take_requests();
    if (out.need_data && random_below(2)) {
      in.dt_valid = 1;
      memcpy(in.dt_data, a->rows[row++], 128);
    }
    bool ended = out.cm_valid;
    if (out.dn_valid && (out.dn_hdr & 15) == LSU_REGW && random_below(2)) {
      in.dn_take = 1;
      assert_int_equal(LSU_GET(out.dn_hdr, reg), 100 + word);
      expect_loaded(a, word++);
      ended = !(LSU_GET(out.dn_hdr, areg) & 1);
    }
    rig_clock();
    if (!ended) continue;
    assert_memory_equal(memory, expected, sizeof memory);
    assert_int_equal(row, a->store && a->mask ? 1 + (a->size == 3) : 0);
    return;
  }
  fail_msg("the access does not end");
}

/* 600 accesses in one to four places, over 64 bytes (many conflicts) or all 512. */
static void test_random_accesses(void **state) {
  (void)state;
  seed = 1;
  for (unsigned p = 0; p < PLACES; p++)
    for (unsigned k = 0; k < BYTES; k++) memory[p][k] = (uint8_t)random_below(256);
  for (unsigned n = 0; n < 600; n++) {
    access_t a = {.store = random_below(2),
                  .sign = random_below(2),
                  .size = (unsigned)random_below(4),
                  .places = (unsigned)random_below(PLACES) + 1};
    a.mask =
        random_below(8) ? (uint32_t)(test_random(&seed) | (random_below(2) ? test_random(&seed) : 0)) & (ALL - 1) : 0;
    uint64_t range = random_below(3) ? BYTES : 64;
    for (unsigned i = 0; i < 32; i++) {
      a.rows[0][i] = (uint32_t)test_random(&seed);
      a.rows[1][i] = (uint32_t)test_random(&seed);
      addr[i] = base_of((unsigned)random_below(a.places)) + (random_below(range) >> a.size << a.size);
    }
    run_access(&a);
  }
}

int main(void) {
#define T(test) cmocka_unit_test_setup(test, setup)
  const struct CMUnitTest tests[] = {
      T(test_numbers_exhausted),  T(test_remote_waits_for_number), T(test_table_full),        T(test_regw_order),
      T(test_wide_is_not_parted), T(test_regw_and_work),           T(test_number_when_shown), T(test_commit_order),
      T(test_commit_beside_regw), T(test_answers_without_request), T(test_wrong_kind),        T(test_random_accesses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
