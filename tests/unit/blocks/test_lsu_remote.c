/* SPDX-License-Identifier: Apache-2.0
 *
 * The server for other cores' accesses: messages, entries, both FIFOs, errors; and under random
 * traffic each request gets one answer, sent to its requester. The tests by hand need two places in
 * each FIFO and two entries; the random one runs with other sizes, too.
 */
#include "unit_test.h"

#include <string.h>

#include "lsu_remote.h"

static lsu_remote_t server;
static lsu_remote_in_t in;
static lsu_remote_out_t out;
static uint64_t seed;

static int setup(void **state) {
  (void)state;
  lsu_remote_reset(&server);
  memset(&in, 0, sizeof in);
  return 0;
}

static void eval_server(void) {
  memset(&out, 0x5a, sizeof out);
  lsu_remote_eval(&server, &in, &out);
}

/* The clock edge. The model is idle exactly if a step without any event changes no bit of its
 * state. */
static void clock_edge(void) {
  static lsu_remote_t before;
  static const lsu_remote_in_t quiet;
  before = server;
  lsu_remote_step(&before, &quiet);
  assert_int_equal(lsu_remote_idle(&server), memcmp(&before, &server, sizeof server) == 0);
  lsu_remote_step(&server, &in);
  memset(&in, 0, sizeof in);
}

/* The valid signals of a cycle as one number. */
enum { CREDIT = 1, DN = 2, OUT = 4 };
static void expect_shown(unsigned shown) {
  eval_server();
  assert_int_equal(out.in_credit | out.dn_valid << 1 | out.out_valid << 2, shown);
}

/* A request of core 100 + n, subcore n mod 4, id 200 + n, to unit 3, address 0x40 n + 5. */
static void send_request(bool write, unsigned n) {
  in.in_valid = 1;
  in.in_write = write;
  in.in_core = 100 + n;
  in.in_subcore = n % 4;
  in.in_id = 200 + n;
  in.in_nbu = 3;
  in.in_addr = 0x40 * n + 5;
  in.in_mask = 0x80000001;
  for (unsigned i = 0; i < 8; i++) in.in_data[i] = 1000 * n + i;
}

/* dn_ carries request n under this entry. The unit's address is a multiple of 32; a write
 * carries the request's data and mask. */
static void expect_message(bool write, unsigned n, unsigned entry) {
  eval_server();
  assert_int_equal(out.dn_valid, 1);
  uint64_t hdr = (write ? LSU_WR : LSU_RD) | 3 << 4 | 4 << 22 | (uint64_t)0x40 * n << 30;
  assert_true(out.dn_hdr == (hdr | (uint64_t)entry << 56));
  assert_int_equal(out.dn_mask, write ? 0x80000001 : 0);
  for (unsigned i = 0; i < 8; i++) assert_int_equal(out.dn_data[i], write ? 1000 * n + i : 0);
}

/* out_ carries the answer to request n, back to core, subcore and id of the requester. */
static void expect_answer(bool write, unsigned n, uint32_t first) {
  eval_server();
  assert_int_equal(out.out_valid, 1);
  assert_int_equal(out.out_write, write);
  assert_int_equal(out.out_core, 100 + n);
  assert_int_equal(out.out_subcore, n % 4);
  assert_int_equal(out.out_id, 200 + n);
  for (unsigned i = 0; i < 8; i++) assert_int_equal(out.out_data[i], write ? 0 : first + i);
}

/* The near-bank unit answers the request under this entry. */
static void answer_entry(unsigned entry, uint32_t first) {
  in.rs_valid = 1;
  in.rs_id = entry;
  for (unsigned i = 0; i < 8; i++) in.rs_data[i] = first + i;
}

/* A request of cycle t is the oldest in t + 1 and on dn_ in t + 2. Its credit comes in the cycle
 * after dn_take, its answer in the cycle after rs_. */
static void test_one_request(void **state) {
  (void)state;
  for (unsigned write = 0; write < 2; write++) {
    setup(NULL);
    send_request(write, 7);
    expect_shown(0);
    clock_edge();
    expect_shown(0);
    clock_edge();
    for (unsigned wait = 0; wait < 3; wait++) {
      expect_shown(DN);
      expect_message(write, 7, 0);
      in.dn_take = wait == 2;
      clock_edge();
    }
    expect_shown(CREDIT);
    clock_edge();
    expect_shown(0);
    answer_entry(0, 50);
    clock_edge();
    for (unsigned wait = 0; wait < 3; wait++) {
      expect_shown(OUT);
      expect_answer(write, 7, 50);
      in.out_take = wait == 2;
      clock_edge();
    }
    expect_shown(0);
  }
}

/* The next is shown two cycles after the take: it is the oldest in the first of them. */
static void test_one_after_the_other(void **state) {
  (void)state;
  send_request(false, 1);
  clock_edge();
  send_request(true, 2);
  clock_edge();
  expect_message(false, 1, 0);
  in.dn_take = 1;
  clock_edge();
  expect_shown(CREDIT);
  in.dn_take = 1; /* of nothing */
  clock_edge();
  expect_shown(DN);
  expect_message(true, 2, 1);
  in.dn_take = 1;
  clock_edge();
  expect_shown(CREDIT);
  answer_entry(1, 0); /* in any order; answers leave in the order they came */
  clock_edge();
  answer_entry(0, 60);
  expect_answer(true, 2, 0);
  clock_edge();
  expect_answer(true, 2, 0);
  in.out_take = 1;
  clock_edge();
  expect_answer(false, 1, 60);
  in.out_take = 1;
  clock_edge();
  expect_shown(0);
}

/* Two requests are under way and two wait: the fifth is dropped with error 1. Then the lowest
 * free entry is the next one. */
static void test_full(void **state) {
  (void)state;
  for (unsigned n = 0; n < 2; n++) {
    send_request(false, n);
    clock_edge();
    clock_edge();
    expect_message(false, n, n);
    in.dn_take = 1;
    clock_edge();
  }
  send_request(false, 2);
  clock_edge();
  send_request(false, 3);
  clock_edge();
  send_request(false, 4);
  expect_shown(0);
  clock_edge();
  eval_server();
  assert_int_equal(out.err, 1);
  clock_edge();
  eval_server();
  assert_int_equal(out.err, 0);
  answer_entry(1, 10);
  clock_edge();
  expect_shown(OUT); /* the entry is free, but the answer has its place: nothing may be asked for */
  clock_edge();
  expect_shown(OUT);
  in.out_take = 1;
  clock_edge();
  expect_shown(0);
  clock_edge();
  expect_shown(DN);
  expect_message(false, 2, 1);
  answer_entry(0, 20); /* what is shown keeps its entry */
  clock_edge();
  expect_message(false, 2, 1);
  send_request(false, 5);
  in.dn_take = in.out_take = 1; /* full also in the cycle in which one leaves */
  clock_edge();
  eval_server();
  assert_int_equal(out.err, 1);
  expect_shown(CREDIT);
  send_request(true, 6);
  clock_edge();
  expect_shown(DN);
  expect_message(false, 3, 0);
  in.dn_take = 1;
  clock_edge();
  answer_entry(1, 30);
  clock_edge();
  expect_answer(false, 2, 30);
  in.out_take = 1;
  clock_edge();
  clock_edge();
  expect_message(true, 6, 1); /* 5 was dropped */
}

/* Error 2: an answer to an entry that is not in use, whether it exists or not. */
static void test_wrong_answers(void **state) {
  (void)state;
  static const unsigned entries[] = {0, 1, 2, 63, 64, 255};
  for (unsigned i = 0; i < sizeof entries / sizeof *entries; i++) {
    answer_entry(entries[i], 0);
    clock_edge();
    expect_shown(0);
    assert_int_equal(out.err, 2);
    clock_edge();
    eval_server();
    assert_int_equal(out.err, 0);
  }
  send_request(false, 1);
  clock_edge();
  clock_edge();
  answer_entry(0, 0); /* it is in use from the cycle after dn_take on */
  in.dn_take = 1;
  clock_edge();
  expect_shown(CREDIT);
  assert_int_equal(out.err, 2);
  answer_entry(0, 70);
  clock_edge();
  expect_answer(false, 1, 70);
  assert_int_equal(out.err, 0);
  answer_entry(0, 80); /* answered already */
  clock_edge();
  eval_server();
  assert_int_equal(out.err, 2);
  in.out_take = 1;
  clock_edge();
  expect_shown(0);
}

/* --- random traffic */

enum { ASKED_MOST = 4096 };
static struct {
  bool write, sent, answered, returned;
  uint32_t data;
} asked[ASKED_MOST];
static unsigned entry_of[RemoteEntries], waiting[RemoteEntries], num_waiting, num_asked, num_sent, num_returned,
    credits;

/* True in `of_8` of eight calls. */
static bool chance_in_8(unsigned of_8) {
  return test_random(&seed) % 8 < of_8;
}

/* Request n carries its number in core, id and address. */
static void ask_some(unsigned rate) {
  if (!credits || num_asked == ASKED_MOST || !chance_in_8(rate)) return;
  unsigned n = num_asked++;
  send_request(test_random(&seed) & 1, 0);
  asked[n].write = in.in_write;
  in.in_core = n & 127;
  in.in_id = n >> 7 & 255;
  in.in_addr = (uint64_t)n * 32 + test_random(&seed) % 32;
  in.in_data[0] = n;
  credits--;
}

/* The bus takes the message on dn_: requests leave in their order, each under an entry that is
 * free. */
static void send_some(unsigned rate) {
  if (!out.dn_valid || !chance_in_8(rate)) return;
  unsigned entry = (unsigned)LSU_GET(out.dn_hdr, id), n = (unsigned)LSU_GET(out.dn_hdr, addr) / 32;
  assert_int_equal(n, num_sent++);
  assert_true(entry < RemoteEntries);
  assert_int_equal(LSU_GET(out.dn_hdr, type), asked[n].write ? LSU_WR : LSU_RD);
  assert_int_equal(out.dn_data[0], asked[n].write ? n : 0);
  for (unsigned i = 0; i < num_waiting; i++) assert_int_not_equal(waiting[i], entry);
  asked[n].sent = true;
  entry_of[entry] = n;
  waiting[num_waiting++] = entry;
  in.dn_take = 1;
}

/* Answers one random entry of those that wait. */
static void answer_some(unsigned rate) {
  if (!num_waiting || !chance_in_8(rate)) return;
  unsigned i = (unsigned)(test_random(&seed) % num_waiting), entry = waiting[i];
  waiting[i] = waiting[--num_waiting];
  asked[entry_of[entry]].answered = true;
  asked[entry_of[entry]].data = (uint32_t)test_random(&seed);
  answer_entry(entry, asked[entry_of[entry]].data);
}

/* The network takes an answer: it is due, not yet given, and carries the data of its request. */
static void return_some(unsigned rate) {
  if (!out.out_valid || !chance_in_8(rate)) return;
  unsigned n = (unsigned)(out.out_core | out.out_id << 7);
  assert_true(asked[n].answered && !asked[n].returned);
  assert_int_equal(out.out_write, asked[n].write);
  assert_int_equal(out.out_data[0], asked[n].write ? 0 : asked[n].data);
  asked[n].returned = true;
  num_returned++;
  in.out_take = 1;
}

/* ASKED_MOST requests from the first to the last answer; rates in eighths: requests, bus, unit,
 * network. */
static void run_traffic(const unsigned *rates) {
  setup(NULL);
  memset(asked, 0, sizeof asked);
  num_waiting = num_asked = num_sent = num_returned = 0;
  credits = InDepth;
  for (unsigned cycle = 0; num_returned < ASKED_MOST; cycle++) {
    eval_server();
    assert_int_equal(out.err, 0);
    assert_true(cycle < 200 * ASKED_MOST);
    credits += out.in_credit;
    return_some(rates[3]);
    answer_some(rates[2]);
    send_some(rates[1]);
    ask_some(rates[0]);
    clock_edge();
  }
  assert_int_equal(num_sent, ASKED_MOST);
}

static void test_random_traffic(void **state) {
  (void)state;
  static const unsigned rates[][4] = {{8, 8, 8, 8}, {8, 8, 8, 1}, {8, 1, 8, 8},
                                      {8, 8, 1, 8}, {1, 8, 8, 8}, {4, 4, 4, 4}};
  seed = 1;
  for (unsigned i = 0; i < sizeof rates / sizeof *rates; i++) run_traffic(rates[i]);
}

int main(void) {
#define T(test) cmocka_unit_test_setup(test, setup)
  const struct CMUnitTest tests[] = {
      T(test_random_traffic), T(test_one_request), T(test_one_after_the_other), T(test_full), T(test_wrong_answers),
  };
  const struct CMUnitTest random_only[] = {T(test_random_traffic)};
  if (RemoteEntries == 2 && InDepth == 2) return cmocka_run_group_tests(tests, NULL, NULL);
  return cmocka_run_group_tests(random_only, NULL, NULL);
}
