/* SPDX-License-Identifier: Apache-2.0
 *
 * Random traffic keeps to the rules of its protocols, in each profile, and reaches the corners that
 * it is for. Then the rules fire.
 */
#include <string.h>

#include "protocol/random_traffic.h"
#include "protocol/random_traffic_axi.h"
#include "unit_test.h"

enum { CYCLES = 30000 };

static void expect_silence(const char *broken, unsigned cycle) {
  if (broken) fail_msg("cycle %u: %s", cycle, broken);
}

static void expect_rule(const char *got, const char *want) {
  if (!got || strcmp(got, want) != 0) fail_msg("'%s', not '%s'", got ? got : "nothing", want);
}

/* A source and a sink: beats wait, whole bursts pass, and the longest pause is longer than the
 * default rates have it. */
static void streams(void **state) {
  (void)state;
  for (unsigned profile = 0; profile < TRAFFIC_PROFILES; profile++) {
    traffic_t t = {0};
    traffic_source_t source = {0};
    traffic_sink_t sink = {0};
    stream_watch_t watch = {0};
    uint64_t data = 0, waits = 0, run = 0, longest = 0, pause = 0, quiet = 0;
    bool ready = false;
    traffic_init(&t, 7, profile);
    for (unsigned n = 0; n < CYCLES; n++) {
      const bool was = source.stream.valid;
      if (traffic_offer(&t, &source, ready, true)) data = traffic_bits(&t, data, 40);
      ready = traffic_accept(&t, &sink, was);
      expect_silence(stream_watch(&watch, source.stream.valid, ready, &data, 1), n);
      assert_true(data >> 40 == 0);
      waits += source.stream.valid && !ready;
      run = source.stream.valid && ready ? run + 1 : 0, pause = source.stream.valid ? 0 : pause + 1;
      longest = run > longest ? run : longest, quiet = pause > quiet ? pause : quiet;
    }
    assert_true(waits > 100);
    if (profile == TRAFFIC_BUSY) assert_true(longest > 30);
    if (profile == TRAFFIC_SPARSE) assert_true(quiet > 60);
  }
}

/* May not: no new beat; one that waits stays. */
static void sources_that_may_not(void **state) {
  (void)state;
  traffic_t t = {0};
  traffic_source_t source = {0};
  traffic_init(&t, 1, TRAFFIC_BUSY);
  for (unsigned n = 0; n < 100; n++) {
    assert_true(traffic_offer(&t, &source, true, false));
    assert_false(source.stream.valid);
  }
  while (!source.stream.valid) traffic_offer(&t, &source, true, true);
  assert_false(traffic_offer(&t, &source, false, false));
  assert_true(source.stream.valid);
}

/* Parts of a field are drawn, and the rest stays. */
static void fields(void **state) {
  (void)state;
  traffic_t t = {0};
  traffic_init(&t, 3, TRAFFIC_CORNERS);
  bool zero = false, one = false;
  for (unsigned n = 0; n < 2000; n++) {
    uint32_t words[6] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    traffic_field(&t, words, 45, 77);
    assert_true(protocol_fold(words, 0, 45) == (1ull << 45) - 1 && protocol_fold(words, 122, 64) == ~0ull);
    zero |= protocol_fold(words, 45, 64) == 0 && protocol_fold(words, 109, 13) == 0;
    one |= protocol_fold(words, 45, 64) == ~0ull && protocol_fold(words, 109, 13) == (1 << 13) - 1;
  }
  assert_true(zero && one);
  uint8_t bytes[32] = {0};
  const uint64_t before = protocol_fold(bytes, 0, 200);
  bytes[3] = 1;
  assert_true(protocol_fold(bytes, 0, 200) != before && protocol_fold(bytes, 23, 4) == 2);
}

static void apb(void **state) {
  (void)state;
  for (unsigned profile = 0; profile < TRAFFIC_PROFILES; profile++) {
    traffic_t t = {0};
    traffic_apb_t bus = {0};
    apb_watch_t watch = {0};
    uint64_t address = 0, transfers = 0, others = 0;
    bool ready = false;
    traffic_init(&t, 5, profile);
    for (unsigned n = 0; n < CYCLES; n++) {
      if (traffic_apb(&t, &bus, ready)) address = traffic_address(&t, address, 12);
      const bool sel = bus.bus.sel, enable = traffic_penable(&t, &bus);
      ready = rng_chance(&t.rng, 1, 2);
      expect_silence(apb_watch(&watch, sel, sel && enable, ready, &address, 1), n);
      transfers += sel && enable && ready, others += !sel && enable;
    }
    assert_true(transfers > 200 && others > 50);
  }
}

/* A master against a slave, with stall and without. */
static void wishbone(void **state) {
  (void)state;
  for (unsigned profile = 0; profile < 2 * TRAFFIC_PROFILES; profile++) {
    const bool pipelined = profile >= TRAFFIC_PROFILES;
    traffic_t t = {0};
    traffic_wishbone_t master = {0};
    traffic_answers_t slave = {0};
    wishbone_watch_t watch = {0};
    wishbone_pipelined_t piped = {0};
    uint64_t address = 0, answers = 0, most = 0;
    bool stall = false, ack = false;
    traffic_init(&t, 9, profile % TRAFFIC_PROFILES);
    for (unsigned n = 0; n < CYCLES; n++) {
      const bool cyc = master.bus.cyc, stb = master.bus.stb;
      const bool free =
          pipelined ? traffic_wishbone_pipelined(&t, &master, stall, ack) : traffic_wishbone(&t, &master, ack);
      if (free) address = traffic_address(&t, address, 30);
      ack = pipelined ? traffic_wishbone_answers(&t, &slave, cyc, stb, stall, ack)
                      : traffic_wishbone_answer(&t, &slave, cyc, stb, ack);
      stall = pipelined && rng_chance(&t.rng, 1, 4);
      if (pipelined)
        expect_silence(wishbone_pipelined_watch(&piped, master.bus.cyc, master.bus.stb, stall, ack, &address, 1), n);
      else expect_silence(wishbone_watch(&watch, master.bus.cyc, master.bus.stb, ack, &address, 1), n);
      answers += ack, most = master.open > most ? master.open : most;
    }
    assert_true(answers > 100);
    if (pipelined) assert_in_range(most, 2, WISHBONE_OPEN);
  }
}

static void wishbone_rules(void **state) {
  (void)state;
  const uint64_t a = 1, b = 2;
  wishbone_pipelined_t w = {0};
  expect_rule(wishbone_pipelined_watch(&w, 0, 1, 0, 0, &a, 1), "wishbone: stb without cyc");
  w = (wishbone_pipelined_t){0};
  expect_silence(wishbone_pipelined_watch(&w, 1, 1, 1, 0, &a, 1), 0);
  expect_rule(wishbone_pipelined_watch(&w, 1, 1, 0, 0, &b, 1),
              "wishbone: address, direction or data change before the slave takes them");
  expect_silence(wishbone_pipelined_watch(&w, 1, 1, 1, 1, &b, 1), 2);
  expect_rule(wishbone_pipelined_watch(&w, 1, 0, 1, 0, &b, 1), "wishbone: a strobe ends before it is taken");
  expect_rule(wishbone_pipelined_watch(&w, 1, 0, 1, 1, &b, 1), "wishbone: an answer without a request");
}

/* Manager and subordinate of AXI4: write data in order, each answer with the ID of its request. */
static void axi(void **state) {
  (void)state;
  for (unsigned profile = 0; profile < TRAFFIC_PROFILES; profile++) {
    traffic_t t = {0};
    traffic_manager_t m = {0};
    traffic_subordinate_t s = {0};
    axi_bursts_t order = {0};
    axi_answers_t watch = {0};
    axi_burst_t aw = {0}, ar = {0};
    bool wlast = false, rlast = false, aw_ready = false, w_ready = false, ar_ready = false, b_ready = false,
         r_ready = false;
    uint64_t writes = 0, reads = 0, address = 0, longest = 0;
    traffic_init(&t, 11, profile);
    for (unsigned n = 0; n < CYCLES; n++) {
      const bool aw_was = m.aw.stream.valid, w_was = m.w.stream.valid, ar_was = m.ar.stream.valid,
                 b_was = s.b.stream.valid, r_was = s.r.stream.valid, last_was = wlast;
      /* the subordinate, from what was in the last cycle */
      if (aw_ready && aw_was) axi_begin(&s.writes, 0, 0);
      s.ended += w_ready && w_was && last_was;
      if (ar_ready && ar_was) axi_begin(&s.reads, 0, ar.length);
      /* the manager */
      const bool aw_waits = aw_was && !aw_ready, w_waits = w_was && !w_ready;
      if (traffic_offer(&t, &m.aw, aw_ready, axi_room(&m.writes))) {
        aw = traffic_burst(&t, aw.address, 8, 32);
        if (m.aw.stream.valid) axi_begin(&m.writes, 0, aw.length);
      }
      if (traffic_offer(&t, &m.w, w_ready, m.writes.count)) {
        wlast = axi_last(&m.writes);
        if (m.w.stream.valid) axi_beat(&m.writes);
      }
      if (traffic_offer(&t, &m.ar, ar_ready, true)) ar = traffic_burst(&t, ar.address, 8, 32);
      expect_silence(
          axi_data_watch(&order, m.aw.stream.valid && !aw_waits, aw.length, m.w.stream.valid && !w_waits, wlast), n);
      aw_ready = axi_room(&s.writes) && traffic_accept(&t, &s.aw, aw_was);
      w_ready = traffic_accept(&t, &s.w, w_was);
      ar_ready = axi_room(&s.reads) && traffic_accept(&t, &s.ar, ar_was);
      if (traffic_offer(&t, &s.b, b_ready, s.writes.count && s.ended) && s.b.stream.valid)
        axi_end(&s.writes), s.ended--;
      if (traffic_offer(&t, &s.r, r_ready, s.reads.count)) {
        rlast = axi_last(&s.reads);
        if (s.r.stream.valid) axi_beat(&s.reads);
      }
      b_ready = traffic_accept(&t, &m.b, b_was), r_ready = traffic_accept(&t, &m.r, r_was);
      const axi_taken_t taken = {m.aw.stream.valid && aw_ready, m.w.stream.valid && w_ready && wlast,
                                 m.ar.stream.valid && ar_ready, s.b.stream.valid && b_ready,
                                 s.r.stream.valid && r_ready && rlast};
      expect_silence(axi_answers_watch(&watch, s.b.stream.valid, s.r.stream.valid, taken), n);
      writes += taken.write_answer, reads += taken.read_answer;
      address |= aw.address, longest = aw.length > longest ? aw.length : longest;
      if (aw.burst == AXI_INCR)
        assert_true((aw.address & 4095) + ((aw.length + 1) << aw.size) - (aw.address & ((1ull << aw.size) - 1)) <=
                    4096);
      else assert_true(aw.length < 16 && (aw.burst == AXI_FIXED || !(aw.address & ((1ull << aw.size) - 1))));
    }
    assert_true(writes > 50 && reads > 50 && longest > 15 && address >> 28);
  }
}

static void axi_rules(void **state) {
  (void)state;
  axi_bursts_t w = {0};
  expect_rule(axi_data_watch(&w, false, 0, true, true), "axi: wvalid before the address");
  expect_silence(axi_data_watch(&w, true, 1, true, false), 1);
  expect_rule(axi_data_watch(&w, false, 0, true, false), "axi: wlast is not with the last beat");
  axi_answers_t a = {0};
  expect_rule(axi_answers_watch(&a, true, false, (axi_taken_t){.address = true}),
              "axi: bvalid before address and data of a write");
  expect_silence(axi_answers_watch(&a, true, false, (axi_taken_t){.data = true, .write_answer = true}), 1);
  expect_rule(axi_answers_watch(&a, false, true, (axi_taken_t){0}), "axi: rvalid before the address of a read");
  expect_silence(axi_answers_watch(&a, false, true, (axi_taken_t){.read = true}), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams),  cmocka_unit_test(sources_that_may_not),
      cmocka_unit_test(fields),   cmocka_unit_test(apb),
      cmocka_unit_test(wishbone), cmocka_unit_test(wishbone_rules),
      cmocka_unit_test(axi),      cmocka_unit_test(axi_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
