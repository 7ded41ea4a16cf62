/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of protocols. For each protocol a driver and a responder run against each other for
 * 100000 cycles: they break no rule, bring everything across, and reach the interesting cases. Then
 * each rule fires.
 */
#include <string.h>

#include "protocol/apb.h"
#include "protocol/axi_lite.h"
#include "protocol/stream.h"
#include "protocol/wishbone.h"
#include "unit_test.h"

enum { CYCLES = 100000 };

/* No rule is broken in this cycle. */
static void expect_silence(const char *broken, unsigned cycle) {
  if (broken) fail_msg("cycle %u: %s", cycle, broken);
}

/* The watcher says this rule, or nothing (NULL). */
static void expect_rule(const char *got, const char *want) {
  if (!got || !want ? got != want : strcmp(got, want) != 0)
    fail_msg("'%s', not '%s'", got ? got : "nothing", want ? want : "nothing");
}

/* ---- streams ---- */

/* Each mode of ready at the lowest and the highest rate: beats come across in order, and only
 * STREAM_ALWAYS never stalls. */
static void test_stream(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < STREAM_MODES; mode++)
    for (unsigned rate = 1; rate <= 8; rate += 7) {
      stream_source_t source = {0};
      stream_sink_t sink = {0};
      stream_watch_t watch = {0};
      rng_t rng;
      uint64_t data[2] = {0}, sent = 0, got = 0, stalls = 0;
      bool ready = false;
      rng_init(&rng, mode);
      for (unsigned n = 0; n < CYCLES; n++) {
        const bool was = source.valid;
        if (stream_offer(&source, &rng, ready, rate)) data[0] = ++sent, data[1] = rng_next(&rng);
        ready = stream_accept(&sink, &rng, was, (stream_mode_t)mode, 4);
        expect_silence(stream_watch(&watch, source.valid, ready, data, 2), n);
        if (source.valid && ready) assert_int_equal(data[0], ++got); /* none is lost, none comes twice */
        stalls += source.valid && !ready;
      }
      assert_true(sent - got <= 1 && got > CYCLES / 20);
      assert_int_equal(stalls != 0, mode != STREAM_ALWAYS);
    }
}

/* A payload that changes, and a valid that falls, while ready is awaited. Once a beat is taken
 * both may change. */
static void test_stream_rules(void **state) {
  (void)state;
  const uint64_t a[] = {1, 2}, b[] = {1, 3};
  stream_watch_t w = {0};
  expect_rule(stream_watch(&w, true, false, a, 2), NULL);
  expect_rule(stream_watch(&w, true, false, a, 2), NULL);
  expect_rule(stream_watch(&w, true, true, b, 2), "stream: the payload changes before ready");
  expect_rule(stream_watch(&w, true, false, a, 2), NULL); /* another beat */
  expect_rule(stream_watch(&w, false, true, a, 2), "stream: valid falls before ready");
  expect_rule(stream_watch(&w, false, false, b, 2), NULL);
}

/* ---- APB ---- */

/* Transfers follow each other directly or not, with and without wait states. */
static void test_apb(void **state) {
  (void)state;
  apb_requester_t r = {0};
  apb_watch_t watch = {0};
  rng_t rng;
  uint64_t payload = 0, begun = 0, done = 0, back_to_back = 0, waits = 0;
  bool ready = false, ended = false;
  rng_init(&rng, 1);
  for (unsigned n = 0; n < CYCLES; n++) {
    const bool fresh = apb_request(&r, &rng, ready, 5);
    if (fresh) payload = ++begun, back_to_back += ended;
    ready = apb_complete(&rng, 5);
    expect_silence(apb_watch(&watch, r.sel, r.enable, ready, &payload, 1), n);
    ended = r.sel && r.enable && ready;
    if (ended) assert_int_equal(payload, ++done);
    waits += r.sel && r.enable && !ready;
  }
  assert_true(begun - done <= 1 && done > CYCLES / 10 && back_to_back > 100 && waits > 100);
}

/* Each rule of a transfer's two phases: setup (select alone), access (enable too) until ready.
 * Nothing may change within a transfer, and after it anything may. */
static void test_apb_rules(void **state) {
  (void)state;
  const uint64_t a = 1, b = 2;
  apb_watch_t w = {0};
  expect_rule(apb_watch(&w, false, true, true, &a, 1), "apb: penable without psel");
  w = (apb_watch_t){0};
  expect_rule(apb_watch(&w, true, true, true, &a, 1), "apb: penable in the first cycle of a transfer");
  w = (apb_watch_t){0};
  expect_rule(apb_watch(&w, true, false, false, &a, 1), NULL);
  expect_rule(apb_watch(&w, true, false, false, &a, 1), "apb: no access after the setup");
  w = (apb_watch_t){0};
  expect_rule(apb_watch(&w, true, false, true, &a, 1), NULL);
  expect_rule(apb_watch(&w, true, true, false, &a, 1), NULL);
  expect_rule(apb_watch(&w, true, true, true, &b, 1), "apb: address, direction or data change within a transfer");
  expect_rule(apb_watch(&w, true, false, false, &b, 1), NULL);
  expect_rule(apb_watch(&w, true, true, false, &b, 1), NULL);
  expect_rule(apb_watch(&w, false, false, false, &b, 1), "apb: an access ends before pready");
  expect_rule(apb_watch(&w, false, false, false, &a, 1), NULL);
}

/* ---- AXI4-Lite ---- */

/* Writes and reads at the same time; data of a write may come before its address. */
static void test_axi_lite(void **state) {
  (void)state;
  axi_lite_manager_t m = {0};
  axi_lite_subordinate_t s = {0};
  axi_lite_watch_t watch = {0};
  rng_t rng;
  uint64_t aw = 0, w = 0, ar = 0, b = 0, r = 0, writes = 0, reads = 0, ahead = 0, taken_aw = 0, taken_w = 0;
  rng_init(&rng, 2);
  for (unsigned n = 0; n < CYCLES; n++) {
    const axi_lite_signals_t last = {s.aw_ready, s.w_ready, s.ar_ready, s.b.valid, s.r.valid};
    const axi_lite_requests_t asked = {m.aw.valid, m.w.valid, m.ar.valid, m.b_ready, m.r_ready};
    const unsigned fresh = axi_lite_manage(&m, &rng, &last, 5) | axi_lite_answer(&s, &rng, &asked, 5);
    aw += fresh & AXI_LITE_AW ? 1 : 0, w += fresh & AXI_LITE_W ? 1 : 0, ar += fresh & AXI_LITE_AR ? 1 : 0;
    b += fresh & AXI_LITE_B ? 1 : 0, r += fresh & AXI_LITE_R ? 1 : 0;
    const axi_lite_channel_t channel[] = {{m.aw.valid, s.aw_ready, aw},
                                          {m.w.valid, s.w_ready, w},
                                          {m.ar.valid, s.ar_ready, ar},
                                          {s.b.valid, m.b_ready, b},
                                          {s.r.valid, m.r_ready, r}};
    expect_silence(axi_lite_watch(&watch, &channel[0], &channel[1], &channel[2], &channel[3], &channel[4]), n);
    writes += s.b.valid && m.b_ready, reads += s.r.valid && m.r_ready;
    taken_aw += m.aw.valid && s.aw_ready, taken_w += m.w.valid && s.w_ready;
    ahead += taken_w > taken_aw;
  }
  assert_true(writes > CYCLES / 20 && reads > CYCLES / 20 && ahead > 100);
  assert_true(writes <= taken_aw && writes <= taken_w && b - writes <= 1 && r - reads <= 1);
}

/* Answers need their requests: a write's both address and data, taken in a cycle before, and one
 * answer each. Each channel is a stream with the rules of one. */
static void test_axi_lite_rules(void **state) {
  (void)state;
  const axi_lite_channel_t none = {0}, takes = {true, true, 5}, waits = {true, false, 5}, other = {true, false, 6};
  axi_lite_watch_t w = {0};
  expect_rule(axi_lite_watch(&w, &takes, &none, &none, &takes, &none),
              "axi-lite: bvalid before address and data of a write");
  w = (axi_lite_watch_t){0};
  expect_rule(axi_lite_watch(&w, &takes, &takes, &none, &none, &none), NULL);
  expect_rule(axi_lite_watch(&w, &none, &none, &none, &takes, &none), NULL);
  /* one write, two answers */
  expect_rule(axi_lite_watch(&w, &none, &none, &none, &takes, &none),
              "axi-lite: bvalid before address and data of a write");
  w = (axi_lite_watch_t){0};
  expect_rule(axi_lite_watch(&w, &none, &none, &takes, &none, &takes), "axi-lite: rvalid before the address of a read");
  w = (axi_lite_watch_t){0};
  expect_rule(axi_lite_watch(&w, &none, &waits, &none, &none, &none), NULL);
  expect_rule(axi_lite_watch(&w, &none, &other, &none, &none, &none), "stream: the payload changes before ready");
  expect_rule(axi_lite_watch(&w, &none, &none, &none, &none, &none), "stream: valid falls before ready");
}

/* ---- Wishbone ---- */

/* Strobes within a cycle, with pauses between them. */
static void test_wishbone(void **state) {
  (void)state;
  wishbone_master_t m = {0};
  wishbone_watch_t watch = {0};
  rng_t rng;
  uint64_t payload = 0, begun = 0, done = 0, pauses = 0;
  bool ack = false;
  rng_init(&rng, 3);
  for (unsigned n = 0; n < CYCLES; n++) {
    const bool cyc = m.cyc, stb = m.stb;
    if (wishbone_request(&m, &rng, ack, 5)) payload = ++begun;
    ack = wishbone_answer(&rng, cyc, stb, ack, 5) && m.cyc && m.stb;
    expect_silence(wishbone_watch(&watch, m.cyc, m.stb, ack, &payload, 1), n);
    if (ack) assert_int_equal(payload, ++done);
    pauses += m.cyc && !m.stb;
  }
  assert_true(begun - done <= 1 && done > CYCLES / 10 && pauses > 100);
}

/* A strobe needs its cycle and lasts until it is answered, with the same payload; an answer
 * needs a strobe. */
static void test_wishbone_rules(void **state) {
  (void)state;
  const uint64_t a = 1, b = 2;
  wishbone_watch_t w = {0};
  expect_rule(wishbone_watch(&w, false, true, false, &a, 1), "wishbone: stb without cyc");
  expect_rule(wishbone_watch(&w, false, false, true, &a, 1), "wishbone: an answer without a strobe");
  expect_rule(wishbone_watch(&w, true, true, false, &a, 1), NULL);
  expect_rule(wishbone_watch(&w, true, true, false, &b, 1),
              "wishbone: address, direction or data change before the answer");
  expect_rule(wishbone_watch(&w, true, false, false, &b, 1), "wishbone: a strobe ends before it is answered");
  expect_rule(wishbone_watch(&w, true, true, true, &b, 1), NULL);
  expect_rule(wishbone_watch(&w, false, false, false, &a, 1), NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stream),   cmocka_unit_test(test_stream_rules),
                                     cmocka_unit_test(test_apb),      cmocka_unit_test(test_apb_rules),
                                     cmocka_unit_test(test_axi_lite), cmocka_unit_test(test_axi_lite_rules),
                                     cmocka_unit_test(test_wishbone), cmocka_unit_test(test_wishbone_rules)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
