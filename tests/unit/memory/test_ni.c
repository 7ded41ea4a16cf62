/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU's network interface. Responses of one load merge while they wait, and every thread's
 * word arrives once. Credits that the NSU gives back are sent together, when enough of them are
 * there.
 */
#include "unit_test.h"

#include <string.h>

#include "ni_bridge.h"
#include "ni_credits.h"

typedef struct {
  packet_pool_t *pool;
  ni_bridge_t ni;
  uint64_t tick;
} bed_t;

static bed_t b;

/* A bridge in which `beats` responses can wait for others of their load. */
static void open_bridge(unsigned beats) {
  const link_config_t c = ni_bridge_default_config();
  b = (bed_t){.pool = packet_pool_new()};
  ni_bridge_init(&b.ni, &c);
  ni_bridge_set(&b.ni, 1, 1, beats, b.pool);
}

/* Nothing may be left in the bridge or out of the pool. */
static void close_bridge(void) {
  for (unsigned t = 0; t < 8; t++) ni_bridge_tick(&b.ni, b.tick++);
  assert_true(ni_bridge_idle(&b.ni));
  assert_int_equal(packet_pool_live(b.pool), 0);
  packet_pool_free(b.pool);
}

/* Thread i's word of any load says which load and thread it is of. */
static uint32_t thread_word(unsigned warp, unsigned seq, unsigned thread) {
  return warp << 16 | seq << 8 | thread;
}

/* A response to SM 3 with 4-byte words for the threads of `mask`, of a load of all of `lmask`. */
static packet_t *new_response(unsigned warp, unsigned seq, uint32_t mask, uint32_t lmask) {
  packet_t *p = packet_new(b.pool, PKT_RDF_RESP);
  p->hdr.sm = 3, p->hdr.warp = warp, p->hdr.seq = seq, p->hdr.size = 2, p->hdr.aligned = 1;
  p->hdr.mask = mask, p->hdr.lmask = lmask;
  for (unsigned i = 0; i < 32; i++) p->data[0][i] = mask >> i & 1 ? thread_word(warp, seq, i) : 0;
  return p;
}

/* All of them have come over the link, and as many as can wait in places. */
static void push_all(packet_t *const *p, unsigned count) {
  for (unsigned k = 0; k < count; b.tick++) {
    for (; k < count && link_can_push(&b.ni.to_nsu, 1); k++) link_push(&b.ni.to_nsu, p[k]);
    ni_bridge_tick(&b.ni, b.tick);
  }
  for (unsigned t = 0; t < 40; t++) ni_bridge_tick(&b.ni, b.tick++);
}

/* The next response is of this load, with the words of these threads and no others. */
static void expect_response(uint64_t mask, unsigned warp, unsigned seq) {
  assert_non_null(ni_bridge_peek(&b.ni, 1));
  packet_t *p = ni_bridge_pop(&b.ni, 1);
  assert_int_equal(p->hdr.mask, mask);
  assert_int_equal(p->hdr.warp, warp);
  assert_int_equal(p->hdr.seq, seq);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(p->data[0][i], mask >> i & 1 ? thread_word(warp, seq, i) : 0);
  packet_free(b.pool, p);
}

/* Three of one load in two cuts with another load's between
 * them: two beats, in the order of the first of each. */
static void responses_of_a_load_merge(void **state) {
  (void)state;
  open_bridge(4);
  packet_t *p[] = {new_response(1, 0, 0x0000000f, ~0u), new_response(2, 0, 0xf0, 0xff),
                   new_response(1, 0, 0xffff0000, ~0u), new_response(1, 0, 0x0000fff0, ~0u)};
  push_all(p, 4);
  assert_int_equal(b.ni.merged, 2);
  expect_response(0xffffffff, 1, 0);
  expect_response(0xf0, 2, 0);
  assert_null(ni_bridge_pop(&b.ni, 1));
  close_bridge();
}

/* Another warp, instruction, SM, size or instruction's
 * mask, a thread twice, another type: none joins. */
static void others_stay_apart(void **state) {
  (void)state;
  for (unsigned k = 0; k < 7; k++) {
    open_bridge(4);
    packet_t *p[] = {new_response(1, 0, 1, 3), new_response(1 + (k == 0), k == 1, k == 2 ? 3 : 2, 3)};
    if (k == 3) p[1]->hdr.sm = 4;
    if (k == 4) p[1]->hdr.size = 1;
    if (k == 5) p[1]->hdr.lmask = 7;
    if (k == 6) p[1]->hdr.type = PKT_WRITE_ACK;
    push_all(p, 2);
    assert_int_equal(b.ni.merged, 0);
    assert_ptr_equal(ni_bridge_pop(&b.ni, 1), p[0]);
    assert_ptr_equal(ni_bridge_pop(&b.ni, 1), p[1]);
    packet_free(b.pool, p[0]), packet_free(b.pool, p[1]);
    close_bridge();
  }
}

/* Without places nothing merges; with one, only who comes while its load's first waits there. */
static void places_are_the_limit(void **state) {
  (void)state;
  for (unsigned beats = 0; beats <= 2; beats++) {
    open_bridge(beats);
    packet_t *p[] = {new_response(1, 0, 1, 7), new_response(2, 0, 1, 7), new_response(1, 0, 2, 7),
                     new_response(2, 0, 2, 7)};
    push_all(p, 4);
    expect_response(beats == 2 ? 3 : 1, 1, 0);
    for (unsigned t = 0; t < 8; t++) ni_bridge_tick(&b.ni, b.tick++);
    /* one place: now the second load's first is in it, and
     * behind it the first load's second has to wait */
    expect_response(beats == 2 ? 3 : 1, 2, 0);
    for (unsigned t = 0; t < 8; t++) ni_bridge_tick(&b.ni, b.tick++);
    if (beats < 2) expect_response(2, 1, 0);
    for (unsigned t = 0; t < 8; t++) ni_bridge_tick(&b.ni, b.tick++);
    if (beats < 2) expect_response(2, 2, 0);
    assert_int_equal(b.ni.merged, beats == 2 ? 2 : 0);
    close_bridge();
  }
}

/* Any order and cut of many loads, and a reader at its own pace:
 * each thread's word comes once, and it is the right one. */
static void nothing_is_lost(void **state) {
  (void)state;
  static const unsigned places[] = {0, 1, 3, 16, NI_MAX_BEATS};
  enum { LOADS = 40 };
  for (unsigned n = 0; n < sizeof places / sizeof *places; n++) {
    uint64_t seed = 5 + n, merged = 0, pushed = 0, popped = 0;
    uint32_t left[LOADS], seen[LOADS] = {0};
    open_bridge(places[n]);
    for (unsigned k = 0; k < LOADS; k++) left[k] = ~0u;
    for (unsigned quiet = 0; quiet < 200; b.tick++, quiet++) {
      unsigned k = (unsigned)(test_random(&seed) % LOADS);
      if (left[k] && link_can_push(&b.ni.to_nsu, 1)) {
        uint32_t mask = left[k] & (uint32_t)test_random(&seed) & (uint32_t)test_random(&seed);
        if (!mask) mask = left[k];
        left[k] &= ~mask;
        link_push(&b.ni.to_nsu, new_response(k, k % 7, mask, ~0u));
        pushed++, quiet = 0;
      }
      ni_bridge_tick(&b.ni, b.tick);
      packet_t *p = test_random(&seed) % 4 ? NULL : ni_bridge_pop(&b.ni, 1);
      if (!p) continue;
      popped++, quiet = 0;
      k = (unsigned)p->hdr.warp;
      assert_int_equal(seen[k] & p->hdr.mask, 0);
      seen[k] |= (uint32_t)p->hdr.mask;
      for (unsigned i = 0; i < 32; i++)
        assert_int_equal(p->data[0][i], p->hdr.mask >> i & 1 ? thread_word(k, k % 7, i) : 0);
      packet_free(b.pool, p);
    }
    for (unsigned k = 0; k < LOADS; k++) assert_int_equal(seen[k], ~0u);
    merged = b.ni.merged;
    assert_int_equal(pushed, popped + merged);
    assert_true(!merged == !places[n]);
    close_bridge();
  }
}

/* Responses that nobody takes are counted, and the first one's type is named. */
static void waits_are_described(void **state) {
  (void)state;
  char text[80];
  open_bridge(4);
  assert_int_equal(ni_bridge_describe_waits(&b.ni, "port", text, sizeof text), 0);
  packet_t *p[] = {new_response(1, 0, 1, 3), new_response(2, 0, 1, 3)};
  push_all(p, 2);
  static const char waits[] = "port: 2 responses wait to be taken, first RDF_RESP\n";
  assert_int_equal(ni_bridge_describe_waits(&b.ni, "port", text, sizeof text), sizeof waits - 1);
  assert_string_equal(text, waits);
  expect_response(1, 1, 0), expect_response(1, 2, 0);
  close_bridge();
}

/* ---- credits ---- */

/* A packet that gives back so many credits for commands, reads and writes. */
static packet_t credit_packet(unsigned cmd, unsigned rd, unsigned wr) {
  return (packet_t){.hdr = {.type = PKT_CREDIT, .cr_cmd = cmd, .cr_rd = rd, .cr_wr = wr}};
}

/* Whether the credits of this packet have to be sent on, if they are all there are. */
static bool credits_due_of(unsigned batch, unsigned cmd, unsigned rd, unsigned wr, bool at_rest) {
  ni_credits_t c = {.batch = batch};
  const packet_t p = credit_packet(cmd, rd, wr);
  assert_true(ni_credits_take(&c, &p));
  return ni_credits_due(&c, at_rest);
}

/* A command's credit is due at once. Those of reads and writes are due when they fill
 * the batch together, or when the NSU is at rest. A batch of 0 or 1 holds nothing back. */
static void credits_are_due(void **state) {
  (void)state;
  assert_false(credits_due_of(32, 0, 0, 0, true)); /* none: nothing to say */
  assert_true(credits_due_of(32, 1, 0, 0, false)); /* a command */
  assert_false(credits_due_of(32, 0, 16, 15, false));
  assert_true(credits_due_of(32, 0, 16, 16, false));
  assert_true(credits_due_of(32, 0, 1, 0, true)); /* at rest */
  assert_true(credits_due_of(0, 0, 0, 1, false));
  assert_true(credits_due_of(1, 0, 1, 0, false));
  assert_false(credits_due_of(1023, 0, 1022, 0, false));
  assert_true(credits_due_of(1023, 0, 1022, 1, false));
}

/* What is taken is given, once; what no packet could say is not taken. */
static void credits_add_up(void **state) {
  (void)state;
  ni_credits_t c = {.batch = 1023};
  uint64_t seed = 9, taken[3] = {0}, given[3] = {0};
  for (unsigned n = 0; n < 20000; n++) {
    const packet_t p = credit_packet((unsigned)(test_random(&seed) % 11), (unsigned)(test_random(&seed) % 257),
                                     (unsigned)(test_random(&seed) % 257));
    const ni_credits_t before = c;
    const bool fits = c.cmd + p.hdr.cr_cmd <= 255 && c.rd + p.hdr.cr_rd <= 1023 && c.wr + p.hdr.cr_wr <= 1023;
    assert_int_equal(ni_credits_take(&c, &p), fits);
    if (fits) taken[0] += p.hdr.cr_cmd, taken[1] += p.hdr.cr_rd, taken[2] += p.hdr.cr_wr;
    else assert_memory_equal(&c, &before, sizeof c);
    if (fits && test_random(&seed) % 3 && n != 19999) continue;
    packet_t ack = credit_packet(0, 0, 0);
    ni_credits_give(&c, &ack);
    assert_true(ni_credits_none(&c));
    given[0] += ack.hdr.cr_cmd, given[1] += ack.hdr.cr_rd, given[2] += ack.hdr.cr_wr;
  }
  for (unsigned k = 0; k < 3; k++) assert_int_equal(taken[k], given[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(responses_of_a_load_merge),
      cmocka_unit_test(others_stay_apart),
      cmocka_unit_test(places_are_the_limit),
      cmocka_unit_test(nothing_is_lost),
      cmocka_unit_test(waits_are_described),
      cmocka_unit_test(credits_are_due),
      cmocka_unit_test(credits_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
