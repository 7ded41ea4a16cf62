/* SPDX-License-Identifier: Apache-2.0
 *
 * A link between two chips: when a packet arrives, how much the link carries, that one class
 * does not block the other, which rates it can have, its limits, and what it says of packets
 * that wait.
 *
 * Times are in ticks of 0.8 ns. A flit has 16 bytes, so one flit a tick is 20 GB/s. A packet's
 * bytes are worked out by hand from packet.h: a header of 16, a line of 128.
 */
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "link.h"
#include "ni_bridge.h"

static link_t link_under_test;

/* The tag is by what the receiver's side tells packets apart. */
static packet_t *new_tagged_packet(packet_pool_t *pool, unsigned type, uint32_t tag) {
  packet_t *p = packet_new(pool, type);
  p->tag = tag;
  return p;
}

/* Ticks until a packet of the class arrives; the tick it can be popped after. */
static uint64_t arrival_tick(link_t *l, unsigned cls, uint64_t now) {
  for (; !link_peek(l, cls); now++) {
    assert_true(now < 10000);
    link_tick(l, now);
  }
  return now - 1;
}

/* One flit takes the latency alone: sent in tick 100, there in 104. Nine flits
 * take eight ticks more. Their credits take the latency once more to come back. */
static void latency_and_serialisation(void **state) {
  (void)state;
  packet_pool_t *pool = packet_pool_new();
  link_config_t c = {.flits = 1, .latency = 4, .tx_packets = 4, .rx_flits = 64};
  link_init(&link_under_test, &c);
  assert_true(link_idle(&link_under_test));
  link_push(&link_under_test, new_tagged_packet(pool, PKT_READ, 1)); /* 1 flit: sent in tick 100 */
  assert_int_equal(arrival_tick(&link_under_test, 0, 100), 104);
  packet_free(pool, link_pop(&link_under_test, 0));
  for (uint64_t t = 105; t <= 108; t++) {
    assert_false(link_idle(&link_under_test)); /* credits on their way back */
    link_tick(&link_under_test, t);
  }
  assert_true(link_idle(&link_under_test));
  link_push(&link_under_test, new_tagged_packet(pool, PKT_READ_RESP, 1)); /* 9 flits */
  assert_int_equal(arrival_tick(&link_under_test, 1, 200), 200 + 8 + 4);
  packet_free(pool, link_pop(&link_under_test, 1));
  assert_int_equal(link_under_test.stats.bytes[PKT_READ_RESP], 144);
  assert_int_equal(link_under_test.stats.bytes[PKT_READ], 16);
  assert_int_equal(link_under_test.stats.busy, 10);
  for (uint64_t t = 213; t <= 216; t++) link_tick(&link_under_test, t);
  assert_true(link_idle(&link_under_test)); /* credits are back */
  assert_int_equal(packet_pool_live(pool), 0);
  packet_pool_free(pool);
}

/* 20 GB/s: a saturated link moves 16 bytes a tick, or so many
 * times that, whole packets of both classes by turns. */
static void check_bandwidth(unsigned flits) {
  packet_pool_t *pool = packet_pool_new();
  link_config_t c = link_default_config();
  c.flits = flits;
  link_init(&link_under_test, &c);
  uint64_t moved[2] = {0};
  for (uint64_t t = 0; t < 20000; t++) {
    for (unsigned cls = 0; cls < 2; cls++) {
      while (link_can_push(&link_under_test, cls))
        link_push(&link_under_test, new_tagged_packet(pool, cls ? PKT_READ_RESP : PKT_READ, 0));
    }
    link_tick(&link_under_test, t);
    for (unsigned cls = 0; cls < 2; cls++)
      for (packet_t *p; (p = link_pop(&link_under_test, cls));) moved[cls]++, packet_free(pool, p);
  }
  /* the last packet's flits may lie behind the end */
  assert_in_range(link_under_test.stats.busy, 19990 * flits, 20000 * flits + 9);
  /* one flit against nine: packets, not flits, take turns */
  assert_in_range(moved[0], 1995 * flits, 2000 * flits);
  assert_in_range(moved[1], 1995 * flits, 2000 * flits);
  packet_pool_free(pool);
}

/* One flit and four in a cycle. */
static void full_bandwidth(void **state) {
  (void)state;
  check_bandwidth(1);
  check_bandwidth(4); /* 80 GB/s */
}

/* Nobody takes class 0: it fills its queue and buffer to
 * the last flit, and class 1 goes on at full speed. */
static void classes_do_not_block(void **state) {
  (void)state;
  packet_pool_t *pool = packet_pool_new();
  link_config_t c = {.flits = 1, .latency = 3, .tx_packets = 2, .rx_flits = 64};
  link_init(&link_under_test, &c);
  unsigned pushed = 0, answered = 0;
  for (uint64_t t = 0; t < 1000; t++) {
    if (link_can_push(&link_under_test, 0)) link_push(&link_under_test, new_tagged_packet(pool, PKT_READ, pushed++));
    if (link_can_push(&link_under_test, 1)) link_push(&link_under_test, new_tagged_packet(pool, PKT_WRITE_ACK, 0));
    link_tick(&link_under_test, t);
    for (packet_t *p; (p = link_pop(&link_under_test, 1));) answered++, packet_free(pool, p);
  }
  assert_int_equal(pushed, 64 + 2);
  assert_true(answered > 900);
  assert_false(link_can_push(&link_under_test, 0));
  char text[400];
  size_t used = link_describe_waits(&link_under_test, "L", text, sizeof text);
  assert_int_equal(used, strlen(text));
  assert_non_null(strstr(text, "0 credits"));
  char little[20];
  assert_int_equal(link_describe_waits(&link_under_test, "L", little, sizeof little), used);
  assert_int_equal(strlen(little), sizeof little - 1);
  for (uint64_t t = 1000; t < 1200; t++) { /* and nothing of class 0 was lost or overtaken */
    link_tick(&link_under_test, t);
    for (packet_t *p; (p = link_pop(&link_under_test, 0));) {
      assert_int_equal(p->tag, 66 - pushed);
      pushed--;
      packet_free(pool, p);
    }
  }
  assert_int_equal(pushed, 0);
  packet_pool_free(pool);
}

/* Packets of random types and lengths, pushed and popped at
 * random times: each class keeps its order, and nothing is lost. */
static void random_traffic_keeps_order(void **state) {
  (void)state;
  static const unsigned types[2][3] = {{PKT_READ, PKT_CMD, PKT_WRITE}, {PKT_READ_RESP, PKT_INVAL, PKT_OFLD_ACK}};
  packet_pool_t *pool = packet_pool_new();
  uint64_t seed = 11;
  link_config_t c = {.flits = 1, .latency = 7, .tx_packets = 3, .rx_flits = 64};
  link_init(&link_under_test, &c);
  uint32_t pushed[2] = {0}, popped[2] = {0};
  for (uint64_t t = 0; t < 50000 || !link_idle(&link_under_test); t++) {
    assert_true(t < 60000);
    unsigned cls = (unsigned)(test_random(&seed) % 2);
    if (t < 50000 && link_can_push(&link_under_test, cls) && test_random(&seed) % 3 == 0) {
      packet_t *p = new_tagged_packet(pool, types[cls][test_random(&seed) % 3], pushed[cls]++);
      p->hdr.mask = test_random(&seed) & 0xffffffff;
      p->hdr.lmask = 0xffffffff;
      p->hdr.size = test_random(&seed) % 3;
      p->hdr.count = test_random(&seed) % 8; /* up to 7 registers of 32 threads: 58 flits */
      link_push(&link_under_test, p);
    }
    link_tick(&link_under_test, t);
    cls = (unsigned)(test_random(&seed) % 2);
    if (test_random(&seed) % 4 != 0) continue;
    packet_t *p = link_pop(&link_under_test, cls);
    if (!p) continue;
    assert_int_equal(p->tag, popped[cls]++);
    packet_free(pool, p);
  }
  assert_true(popped[0] > 1000 && popped[1] > 1000);
  assert_int_equal(pushed[0], popped[0]);
  assert_int_equal(pushed[1], popped[1]);
  assert_int_equal(packet_pool_live(pool), 0);
  packet_pool_free(pool);
}

/* Packets that follow each other without a gap: the k-th ends when as
 * many flits as all up to it have are through, at the rate alone. */
static void check_rate(uint64_t flits, uint64_t ticks, unsigned latency) {
  packet_pool_t *pool = packet_pool_new();
  const bool whole = ticks == 1 && flits <= LINK_MAX_RATE;
  link_config_t c = {.flits = whole ? (unsigned)flits : 1, .latency = latency, .tx_packets = 64, .rx_flits = 256};
  uint64_t seed = flits * 1000003 + ticks, sum = 0, end[30];
  const uint64_t start = 1000;
  link_init(&link_under_test, &c);
  if (!whole) link_rate(&link_under_test, flits, ticks);
  for (unsigned k = 0; k < 30; k++) {
    packet_t *p = new_tagged_packet(pool, PKT_RDF_RESP, k);
    p->hdr.size = 2;
    p->hdr.mask = p->hdr.lmask = (1u << test_random(&seed) % 25) - 1;
    const unsigned bytes = 16 + 4 * (unsigned)__builtin_popcountll(p->hdr.mask);
    sum += (bytes + 15) / 16;
    end[k] = start + (sum * ticks + flits - 1) / flits - 1 + latency;
    link_push(&link_under_test, p);
  }
  unsigned next = 0;
  for (uint64_t t = start; next < 30; t++) {
    link_tick(&link_under_test, t);
    for (packet_t *p; (p = link_pop(&link_under_test, 1)); next++) {
      assert_int_equal(p->tag, next);
      assert_int_equal(t, end[next]);
      packet_free(pool, p);
    }
    assert_true(t < start + 30 * 9 * ticks + latency);
  }
  assert_int_equal(link_under_test.stats.busy, sum);
  assert_int_equal(packet_pool_live(pool), 0);
  packet_pool_free(pool);
}

/* 350 MHz beside 1250 MHz is 25 ticks of the link to 7 of the NSU. */
static void any_rate(void **state) {
  (void)state;
  for (unsigned latency = 1; latency <= 3; latency++) {
    check_rate(1, 1, latency);
    for (uint64_t n = 1; n <= 16; n++) check_rate(7 * n, 25, latency);
    check_rate(1, 100, latency);
    for (uint64_t n = 2; n <= LINK_MAX_RATE; n++) check_rate(n, 1, latency);
    check_rate(64, 1, latency);
    check_rate(3, 3, latency);
    check_rate(UINT64_C(1) << 40, (UINT64_C(1) << 40) + 1, latency);
  }
}

/* A wire that has been free for long has saved nothing up, and ticks may have been left out. */
static void rates_do_not_save_up(void **state) {
  (void)state;
  packet_pool_t *pool = packet_pool_new();
  link_config_t c = {.flits = 1, .latency = 1, .tx_packets = 8, .rx_flits = 64};
  link_init(&link_under_test, &c);
  link_rate(&link_under_test, 2, 3);
  for (uint64_t at = 5; at < 5000; at += 997) {
    /* a flit each: they end in the ticks 1, 2, 4, 5 after the start */
    for (unsigned k = 0; k < 4; k++) link_push(&link_under_test, new_tagged_packet(pool, PKT_READ, k));
    static const uint64_t ends[] = {1, 2, 4, 5};
    unsigned next = 0;
    for (uint64_t t = at; t < at + 10; t++) {
      link_tick(&link_under_test, t);
      for (packet_t *p; (p = link_pop(&link_under_test, 0)); next++)
        assert_int_equal(t, at + ends[next] + 1), packet_free(pool, p);
    }
    assert_int_equal(next, 4);
  }
  packet_pool_free(pool);
}

/* The NSU's port delays packets by its two ticks, in both directions. */
static void bridge_both_ways(void **state) {
  (void)state;
  packet_pool_t *pool = packet_pool_new();
  link_config_t c = ni_bridge_default_config();
  ni_bridge_t *b = test_malloc(sizeof *b);
  ni_bridge_init(b, &c);
  link_push(&b->to_nsu, new_tagged_packet(pool, PKT_WTA, 1));
  link_push(&b->from_nsu, new_tagged_packet(pool, PKT_OFLD_ACK, 2));
  uint64_t t = 0;
  for (; !ni_bridge_idle(b); t++) {
    assert_true(t < 100);
    ni_bridge_tick(b, t);
    packet_t *down = ni_bridge_pop(b, 0), *up = link_pop(&b->from_nsu, 1);
    if (down) assert_int_equal(t, 2), assert_int_equal(down->tag, 1), packet_free(pool, down);
    if (up) assert_int_equal(t, 2), assert_int_equal(up->tag, 2), packet_free(pool, up);
  }
  assert_int_equal(packet_pool_live(pool), 0);
  test_free(b);
  packet_pool_free(pool);
}

/* Header: 4 ticks, 4 packets, 128 flits; the NSU's port
 * is on the chip: 2 ticks. Each limit from both sides. */
static void link_config_limits(void **state) {
  (void)state;
  const link_config_t good = link_default_config(), port = ni_bridge_default_config();
  assert_int_equal(good.latency, 4);
  assert_int_equal(good.tx_packets, 4);
  assert_int_equal(good.rx_flits, 128);
  assert_int_equal(port.latency, 2);
  assert_int_equal(port.tx_packets, 4);
  assert_int_equal(port.rx_flits, 128);
  static const struct {
    link_config_t c;
    const char *wrong;
  } cases[] = {{{1, 4, 4, 128}, NULL},
               {{1, 1, 1, 64}, NULL},
               {{1, 63, 1, 256}, NULL},
               {{1, 0, 4, 128}, "link.latency: "},
               {{1, 64, 4, 128}, "link.latency: "},
               {{1, 4, 0, 128}, "link.tx_packets: "},
               {{1, 4, 4, 63}, "from 64 to 256"},
               {{1, 4, 4, 257}, "from 64 to 256"},
               {{0, 4, 4, 128}, "link.flits: "},
               {{16, 4, 64, 128}, NULL},
               {{1, 4, 65, 128}, "link.tx_packets: "},
               {{17, 4, 4, 128}, "link.flits: "}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *wrong = REFUSAL(link_check_config, &cases[i].c);
    if (cases[i].wrong) assert_non_null(wrong), assert_non_null(strstr(wrong, cases[i].wrong));
    else assert_null(wrong);
  }
}

/* One packet waits, then is at the receiver; both are said, and nothing of an empty link. */
static void waits_are_described(void **state) {
  (void)state;
  link_config_t c = link_default_config();
  packet_pool_t *pool = packet_pool_new();
  link_t *l = calloc(1, sizeof *l);
  char text[256] = "before";
  link_init(l, &c);
  assert_int_equal(link_describe_waits(l, "L", text, sizeof text), 0);
  assert_string_equal(text, "");
  link_push(l, packet_new(pool, PKT_WRITE_ACK));
  static const char waits[] = "L class 1: 1 packets wait to be sent, first WRITE_ACK of 1 flits, 128 credits\n";
  assert_int_equal(link_describe_waits(l, "L", text, sizeof text), sizeof waits - 1);
  assert_string_equal(text, waits);
  for (unsigned t = 0; t <= 5; t++) link_tick(l, t);
  assert_int_equal(link_held(l), 1);
  link_describe_waits(l, "L", text, sizeof text);
  assert_string_equal(text, "L class 1: 1 packets at the receiver, WRITE_ACK waits to be taken\n");
  packet_free(pool, link_pop(l, 1));
  free(l);
  packet_pool_free(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(latency_and_serialisation), cmocka_unit_test(full_bandwidth),
      cmocka_unit_test(classes_do_not_block),      cmocka_unit_test(random_traffic_keeps_order),
      cmocka_unit_test(bridge_both_ways),          cmocka_unit_test(link_config_limits),
      cmocka_unit_test(waits_are_described),       cmocka_unit_test(any_rate),
      cmocka_unit_test(rates_do_not_save_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
