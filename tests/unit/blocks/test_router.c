/* SPDX-License-Identifier: Apache-2.0
 *
 * The router's model against rtl/router/README.md: the cycles of a flit's way through the pipeline,
 * credits, packets, priority buffers, link widths, trackers, the bound of starvation. Random
 * traffic runs on ten parameter sets (router_rig.h). Cycle numbers in comments count from the cycle
 * in which the first flit is on the input wire, cycle 0.
 */
#include <string.h>

#include "router_rig.h"
#include "unit_test.h"

enum { HEAD = 1, TAIL = 2, DIV = 4, TRK = 8 };

static const router_rig_t *const rigs[] = {&rig_four, &rig_lookahead, &rig_spec,  &rig_two,  &rig_small,
                                           &rig_big,  &rig_priority,  &rig_width, &rig_dist, &rig_bound};
enum { NUM_RIGS = sizeof rigs / sizeof *rigs };

/* A flit of 64 bits: marks, VC, destination, route (equal to the destination), text.
 * start_router() routes destination d to port d, at this hop and, with lookahead, at the next
 * one. */
static uint64_t flit(unsigned marks, unsigned vc, unsigned dest, uint64_t text) {
  return marks | vc << 4 | dest << 8 | dest << 12 | text << 32;
}

static unsigned vc_of(uint64_t f) {
  return f >> 4 & 15;
}
static unsigned hops_of(uint64_t f) {
  return f >> 22 & 15;
}

/* Resets the router and fills its routing table: destination d leaves by port d. */
static void start_router(const router_rig_t *rig) {
  rig->reset();
  for (unsigned port = 0; port < rig->ports; port++)
    rig->cycle(&(rig_in_t){.cfg_valid = true, .cfg_dest = port, .cfg_port = port});
}

/* This flit on the input wire of `port`. */
static rig_in_t drive_flit(unsigned port, uint64_t f) {
  rig_in_t in = {.in_valid = (uint16_t)(1u << port)};
  in.flit[port] = f;
  return in;
}

static const rig_in_t nothing;

/* Lets cycles pass until a flit is on the output wire of `port`, that cycle included. Returns
 * how many passed before it. */
static unsigned wait_for(const router_rig_t *rig, unsigned port, rig_out_t *out) {
  for (unsigned cycle = 0; cycle < 1000; cycle++) {
    *out = rig->cycle(&nothing);
    if (out->out_valid >> port & 1) return cycle;
  }
  fail_msg("no flit came");
  return 0;
}

/* --- A flit's way, from the cycle in which it is on the wire */

/* A flit that is on the wire in cycle 0 is stored at its end and leaves 1 + stages cycles later.
 * Its credit goes back in the cycle after the switch's allocation. */
static void test_way(void **state) {
  (void)state;
  for (unsigned r = 0; r < NUM_RIGS; r++) {
    const router_rig_t *rig = rigs[r];
    const unsigned switched = rig->stages - 1; /* cycle of the switch's allocation */
    start_router(rig);
    rig_in_t in = drive_flit(0, flit(HEAD | TAIL, 0, 1, 77));
    for (unsigned cycle = 0; cycle <= rig->stages + 3; cycle++) {
      rig_out_t out = rig->cycle(cycle ? &nothing : &in);
      assert_int_equal(out.out_valid, cycle == rig->stages + 1 ? 2 : 0);
      assert_int_equal(out.cr_valid, cycle == switched + 1 ? 1 : 0);
      assert_int_equal(out.err, 0);
      if (!out.out_valid) continue;
      assert_int_equal(out.flit[1] >> 32, 77);
      assert_int_equal(hops_of(out.flit[1]), 1);
    }
    assert_true(rig->idle());
  }
}

/* Four stages by default; lookahead routing and speculation save one each. */
static void test_stages(void **state) {
  (void)state;
  assert_int_equal(rig_four.stages, 4);
  assert_int_equal(rig_lookahead.stages, 3);
  assert_int_equal(rig_spec.stages, 3);
  assert_int_equal(rig_two.stages, 2);
}

/* The next packet of a VC starts when the tail before it has left:
 * four cycles later, with four stages, three of them its own. */
static void test_next_packet(void **state) {
  (void)state;
  rig_out_t out;
  start_router(&rig_four);
  for (unsigned i = 0; i < 2; i++) {
    rig_in_t in = drive_flit(0, flit(HEAD | TAIL, 0, 1, i));
    rig_four.cycle(&in);
  }
  assert_int_equal(wait_for(&rig_four, 1, &out), 3); /* cycle 5 */
  assert_int_equal(wait_for(&rig_four, 1, &out), 2); /* cycle 8 */
}

/* --- Credits */

/* A credit on the wire in cycle c serves a switch allocation in c + 2. */
static void test_credit_round_trip(void **state) {
  (void)state;
  rig_out_t out;
  const router_rig_t *rig = &rig_small; /* buffers of one flit */
  start_router(rig);
  rig_in_t first = drive_flit(0, flit(HEAD, 0, 1, 1)), second = drive_flit(0, flit(TAIL, 0, 1, 2));
  rig->cycle(&first);
  for (unsigned cycle = 1; cycle < 5; cycle++) assert_int_equal(rig->cycle(&nothing).cr_valid, cycle == 4);
  rig->cycle(&second); /* 5: the first is on its wire */
  for (unsigned cycle = 6; cycle < 20; cycle++) {
    out = rig->cycle(&nothing);
    assert_int_equal(out.out_valid, 0);
    /* stored at the end of 5: stalled from 6 on, seen in the cycle after */
    assert_int_equal(out.stall, cycle >= 7 ? 2 : 0);
  }
  rig_in_t credit = {.ocr_valid = 2};
  rig->cycle(&credit);                         /* 20 */
  assert_int_equal(wait_for(rig, 1, &out), 3); /* 24: switch in 22, traversal in 23 */
  assert_int_equal(out.flit[1] >> 32, 2);
}

/* Each broken rule raises its bit in the cycle after: 1 a full buffer, 2 a VC that does not
 * exist, 4 a tail without a head, 8 a route to a port that does not exist, 16 a credit too many,
 * 32 a credit for a VC that does not exist. */
static void test_error_bits(void **state) {
  (void)state;
  const router_rig_t *rig = &rig_small;
  rig_in_t in;
  start_router(rig);
  in = drive_flit(0, flit(TAIL, 0, 1, 0)); /* no head */
  rig->cycle(&in);
  in = drive_flit(0, flit(HEAD | TAIL, 0, 1, 0)); /* the buffer is full */
  assert_int_equal(rig->cycle(&in).err, 4);
  in = drive_flit(0, flit(HEAD | TAIL, 1, 1, 0)); /* there is one VC */
  assert_int_equal(rig->cycle(&in).err, 1);
  in = (rig_in_t){.ocr_valid = 3, .ocr_vc = {0, 9}};
  assert_int_equal(rig->cycle(&in).err, 2);
  assert_int_equal(rig->cycle(&nothing).err, 0);
  assert_int_equal(rig->cycle(&nothing).err, 16 | 32);
  in = (rig_in_t){.cfg_valid = true, .cfg_dest = 5, .cfg_port = 2};
  rig->cycle(&in);
  in = drive_flit(1, flit(HEAD | TAIL, 0, 5, 0));
  rig->cycle(&in);
  assert_int_equal(rig->cycle(&nothing).err, 8);
  assert_int_equal(rig->cycle(&nothing).err, 0);
}

/* --- Random traffic: what must hold whatever happens */

typedef struct {
  const router_rig_t *rig;
  uint64_t random;
  unsigned credits[256], left[256], owed[256]; /* by port * 16 + VC */
  unsigned sequence[256];                      /* flits sent */
  uint64_t packet[256];                        /* the one on an output VC: its input, 1 + port * 16 + VC; 0: none */
  /* by input VC and output: number of the last flit that came out, plus 1 */
  int last[256][RIG_PORTS];
  unsigned inside, sent;
} traffic_t;

static unsigned random_below(traffic_t *t, unsigned n) {
  return (unsigned)(test_random(&t->random) % n);
}
static unsigned class_of(const router_rig_t *rig, unsigned v) {
  return v < rig->normal_vcs ? v / (rig->normal_vcs / rig->classes) : v - rig->normal_vcs;
}

/* Perhaps a flit on this input: the next one of its VC's packet, or the head of a new one. The
 * text carries its input VC and a number, by which check_flit() knows it again. */
static void offer_flit(traffic_t *t, unsigned port, rig_in_t *in) {
  unsigned v = random_below(t, t->rig->vcs), i = port * 16 + v;
  if (!t->credits[i] || random_below(t, 3) == 0) return;
  bool head = !t->left[i];
  if (head) t->left[i] = 1 + random_below(t, 6);
  unsigned marks = (head ? HEAD : 0) | (t->left[i] == 1 ? TAIL : 0) | (random_below(t, 2) ? DIV : 0) |
                   (random_below(t, 8) ? 0 : TRK);
  in->in_valid |= (uint16_t)(1u << port);
  in->flit[port] = flit(marks, v, random_below(t, t->rig->ports), (uint64_t)i << 16 | (t->sequence[i]++ & 0xffff));
  t->left[i]--;
  t->credits[i]--;
  t->inside++;
  t->sent++;
}

/* A flit comes out: flits of a packet follow each other on its VC,
 * packets for an output keep their order, all stay in their class. */
static void check_flit(traffic_t *t, unsigned port, uint64_t f) {
  unsigned o = port * 16 + vc_of(f), i = f >> 48;
  assert_int_equal(class_of(t->rig, vc_of(f)), class_of(t->rig, i % 16));
  assert_int_equal(t->packet[o], f & HEAD ? 0 : i + 1);
  int number = (int)(f >> 32 & 0xffff) + 1;
  assert_true(f & HEAD ? number > t->last[i][port] : number == t->last[i][port] + 1);
  t->last[i][port] = number;
  t->packet[o] = f & TAIL ? 0 : i + 1;
  t->owed[o]++;
  t->inside--;
  assert_true(t->owed[o] <= t->rig->depth(vc_of(f)));
}

/* A reset router whose neighbours hold all credits. */
static void start_traffic(traffic_t *t, const router_rig_t *rig, uint64_t seed) {
  *t = (traffic_t){.rig = rig, .random = seed};
  start_router(rig);
  for (unsigned i = 0; i < 256; i++) t->credits[i] = i % 16 < rig->vcs ? rig->depth(i % 16) : 0;
}

/* Books what a cycle shows: credits that come back, flits that leave. Legal traffic sees no
 * error. */
static void check_outputs(traffic_t *t, const rig_out_t *out) {
  assert_int_equal(out->err, 0);
  for (unsigned port = 0; port < t->rig->ports; port++) {
    if (out->cr_valid >> port & 1) t->credits[port * 16 + out->cr_vc[port]]++;
    if (out->out_valid >> port & 1) check_flit(t, port, out->flit[port]);
  }
}

/* One cycle of random traffic: flits if `sends`, credits in credit_share of eight cases. A
 * router that says it is idle shows nothing. */
static void traffic_cycle(traffic_t *t, bool sends, unsigned credit_share) {
  const router_rig_t *rig = t->rig;
  rig_in_t in = {.link = 0xffff, .epoch = random_below(t, 200) == 0};
  for (unsigned port = 0; port < rig->ports; port++) {
    if (sends) offer_flit(t, port, &in);
    unsigned v = random_below(t, rig->vcs), o = port * 16 + v;
    if (!t->owed[o] || random_below(t, 8) >= credit_share) continue;
    t->owed[o]--;
    in.ocr_valid |= (uint16_t)(1u << port);
    in.ocr_vc[port] = (uint8_t)v;
  }
  bool asleep = rig->idle();
  if (asleep) assert_true(rig->sleeps());
  rig_out_t out = rig->cycle(&in);
  if (asleep) assert_int_equal(out.out_valid | out.cr_valid | out.stall, 0);
  check_outputs(t, &out);
}

/* Packets that have begun go on, no others begin; credits come at once. */
static void drain_cycle(traffic_t *t) {
  rig_in_t in = {.link = 0xffff};
  for (unsigned i = 0; i < 256; i++) {
    const unsigned port = i / 16;
    if (t->left[i] && t->credits[i] && !(in.in_valid >> port & 1)) {
      in.in_valid |= (uint16_t)(1u << port);
      in.flit[port] = flit(t->left[i] == 1 ? TAIL : 0, i % 16, 0, (uint64_t)i << 16 | (t->sequence[i]++ & 0xffff));
      t->left[i]--, t->credits[i]--, t->inside++;
    }
    if (t->owed[i] && !(in.ocr_valid >> port & 1)) {
      t->owed[i]--;
      in.ocr_valid |= (uint16_t)(1u << port);
      in.ocr_vc[port] = i % 16;
    }
  }
  rig_out_t out = t->rig->cycle(&in);
  check_outputs(t, &out);
}

/* Phases with and without new flits and eight rates of credits, so that buffers fill and drain. */
static void test_traffic(void **state) {
  (void)state;
  for (unsigned r = 0; r < NUM_RIGS; r++) {
    static traffic_t t;
    start_traffic(&t, rigs[r], r);
    for (unsigned cycle = 0; cycle < 20000; cycle++) traffic_cycle(&t, cycle / 256 % 2, cycle / 1024 % 8 + 1);
    assert_true(t.sent > 2000);
  }
}

/* All that went in comes out, and every credit comes back. */
static void test_nothing_is_lost(void **state) {
  (void)state;
  for (unsigned r = 0; r < NUM_RIGS; r++) {
    static traffic_t t;
    start_traffic(&t, rigs[r], 100 + r);
    for (unsigned cycle = 0; cycle < 3000; cycle++) traffic_cycle(&t, true, 6);
    for (unsigned cycle = 0; cycle < 5000; cycle++) drain_cycle(&t);
    assert_int_equal(t.inside, 0);
    assert_true(t.rig->idle() && t.rig->sleeps());
    for (unsigned i = 0; i < 256; i++)
      if (i % 16 < t.rig->vcs && i / 16 < t.rig->ports) assert_int_equal(t.credits[i], t.rig->depth(i % 16));
  }
}

/* --- Priority buffers */

/* A packet that is not divergent prefers its class's priority buffer (VC 4 or 5), if it is free. */
static void test_priority_buffer(void **state) {
  (void)state;
  const router_rig_t *rig = &rig_priority; /* classes: VCs 0, 1, 4 and 2, 3, 5 */
  rig_out_t out;
  assert_int_equal(rig->depth(0), 6);
  assert_int_equal(rig->depth(4), 4);
  start_router(rig);
  rig_in_t in = drive_flit(0, flit(HEAD, 2, 1, 0)); /* not divergent: takes its class's priority buffer, and holds it */
  rig->cycle(&in);
  wait_for(rig, 1, &out);
  assert_int_equal(vc_of(out.flit[1]), 5);
  in = drive_flit(2, flit(HEAD | TAIL, 3, 1, 0)); /* not divergent either, but the buffer is taken */
  rig->cycle(&in);
  wait_for(rig, 1, &out);
  assert_in_range(vc_of(out.flit[1]), 2, 3);
  in = drive_flit(3, flit(HEAD | TAIL | DIV, 0, 1, 0)); /* divergent, in the other class */
  rig->cycle(&in);
  wait_for(rig, 1, &out);
  assert_in_range(vc_of(out.flit[1]), 0, 1);
}

/* A priority buffer that is free but without a credit is not asked for. */
static void test_priority_buffer_without_credit(void **state) {
  (void)state;
  const router_rig_t *rig = &rig_priority;
  rig_out_t out;
  start_router(rig);
  for (unsigned i = 0; i < 5; i++) {
    rig_in_t in = drive_flit(0, flit(HEAD | TAIL, 0, 1, i));
    rig->cycle(&in);
    wait_for(rig, 1, &out);
    if (i < 4) assert_int_equal(vc_of(out.flit[1]), 4);
    else assert_in_range(vc_of(out.flit[1]), 0, 1);
  }
}

/* --- Link widths */

/* Without stalls every epoch makes a link narrower by a tier, down to W/8; port 2 is no link. */
static void narrow_links(const router_rig_t *rig, unsigned tiers) {
  start_router(rig);
  for (unsigned i = 0; i < tiers; i++) {
    rig->cycle(&(rig_in_t){.epoch = true, .link = 3});
    for (unsigned cycle = 0; cycle < 30; cycle++) rig->cycle(&(rig_in_t){.link = 3});
  }
}

/* A link of W / 2^w holds each flit for 2^w cycles. The second packet, to port 2, shows that
 * what is no link stays at full width. */
static void test_hold(void **state) {
  (void)state;
  const router_rig_t *rig = &rig_width;
  for (unsigned w = 0; w <= 3; w++) {
    rig_out_t out;
    const unsigned n = 1u << w;
    narrow_links(rig, w);
    for (unsigned i = 0; i < 4; i++) {
      rig_in_t in = drive_flit(0, flit((i == 0 ? HEAD : 0) | (i == 3 ? TAIL : 0), 0, 1, i));
      in.in_valid |= 2;
      in.flit[1] = flit((i == 0 ? HEAD : 0) | (i == 3 ? TAIL : 0), 0, 2, i);
      out = rig->cycle(&in);
    }
    assert_int_equal(out.width[1], w);
    assert_int_equal(out.width[2], 0);
    /* switch allocation in 3, traversal in 4: on the wire in 4 + n, then every n cycles */
    for (unsigned cycle = 4; cycle < 50; cycle++) {
      out = rig->cycle(&nothing);
      assert_int_equal(out.out_valid >> 1 & 1, cycle >= 4 + n && cycle < 4 + 5 * n && (cycle - 4) % n == 0);
      assert_int_equal(out.out_valid >> 2 & 1, cycle >= 5 && cycle < 9);
    }
  }
}

/* A change takes Penalty cycles, in which no flit starts. */
static void test_penalty(void **state) {
  (void)state;
  const router_rig_t *rig = &rig_width;
  rig_out_t out;
  start_router(rig);
  rig_in_t in = drive_flit(0, flit(HEAD | TAIL, 0, 1, 0));
  in.epoch = true;
  in.link = 7;
  rig->cycle(&in); /* 0; decided in 1, off in 2 .. 21 */
  for (unsigned cycle = 1; cycle < 30; cycle++) {
    out = rig->cycle(&(rig_in_t){.link = 7});
    assert_int_equal(out.off, cycle >= 2 && cycle <= 21 ? 7 : 0);
    /* switch in 3; there from 4 on, seen in the cycle after */
    assert_int_equal(out.stall, cycle >= 5 && cycle <= 22 ? 2 : 0);
    assert_int_equal(out.out_valid, cycle == 22 + 2 ? 2 : 0); /* starts in 22, at W/2 */
  }
}

/* Flits that have left their buffers by now: the first in cycle 4, then one a cycle, at most 8. */
static unsigned credits_until(unsigned cycle) {
  if (cycle < 4) return 0;
  return cycle < 12 ? cycle - 3 : 8;
}

/* While the link is off, the flits of two inputs take turns until the output FIFO (8) is full.
 * At W/2 one leaves every other cycle, in order. */
static void test_fifo(void **state) {
  (void)state;
  const router_rig_t *rig = &rig_width;
  unsigned left = 0, came = 0, next[2] = {0};
  start_router(rig);
  for (unsigned cycle = 0; cycle < 70; cycle++) {
    rig_in_t in = {.epoch = cycle == 0, .link = 7, .in_valid = cycle < 8 ? 5 : 0};
    for (unsigned p = 0; p < 3; p += 2)
      in.flit[p] = flit((cycle == 0 ? HEAD : 0) | (cycle == 7 ? TAIL : 0), 0, 1, p << 8 | cycle);
    rig_out_t out = rig->cycle(&in);
    left += (unsigned)__builtin_popcount(out.cr_valid);
    /* full by the flit of 10, until the first starts, in 22 */
    if (cycle < 23) assert_int_equal(left, credits_until(cycle));
    if (cycle >= 5 && cycle <= 22) assert_int_equal(out.stall, 2);
    if (!(out.out_valid & 2)) continue;
    assert_int_equal(cycle, 24 + 2 * came++);
    const unsigned p = out.flit[1] >> 40 & 3;
    assert_int_equal(out.flit[1] >> 32 & 15, next[p / 2]++);
  }
  assert_int_equal(came, 16);
  assert_int_equal(left, 16);
  assert_true(rig->idle());
}

/* --- Trackers */

/* Stalls at the end of an epoch make the router's own tracker. A tracker that comes in selects
 * another output, and the two make a pair of the list: came in by 3, left by 1 or 2. */
static void test_tracker(void **state) {
  (void)state;
  const router_rig_t *rig = &rig_priority;
  rig_out_t out = {0};
  start_router(rig);
  for (unsigned i = 0; i < 16; i++) { /* two VCs of port 0 fill output 1 and, later, output 2 */
    rig_in_t in = drive_flit(0, flit((i < 2 ? HEAD : 0) | DIV, i % 2, 1 + i % 2, 0));
    if (i < 12) rig->cycle(&in);
    else rig->cycle(&nothing);
  }
  for (unsigned v = 0; v < 2; v++) {
    rig_in_t credit = {.ocr_valid = (uint16_t)(2u << v), .ocr_vc = {0, 0, 0}};
    rig->cycle(&credit); /* of VC 0, which either output gave first */
  }
  for (unsigned i = 0; i < 40; i++) out = rig->cycle(&nothing);
  for (unsigned i = 0; i < 4; i++) { /* now both stall */
    rig_in_t in = drive_flit(0, flit(DIV, i % 2, 0, 0));
    rig->cycle(&in);
  }
  for (unsigned i = 0; i < 40; i++) out = rig->cycle(&nothing);
  assert_int_equal(out.stall, 6);
  rig->cycle(&(rig_in_t){.epoch = true});
  assert_int_equal(out.crit_port, 0);
  rig->cycle(&nothing);
  rig_in_t tracker = drive_flit(3, flit(HEAD | TAIL | DIV | TRK, 0, 4, 0));
  rig->cycle(&tracker);
  rig->cycle(&nothing);
  rig->cycle(&nothing);
  out = rig->cycle(&nothing);
  assert_int_equal(out.list_len, 0);
  rig_in_t credit = {.ocr_valid = 6};
  rig->cycle(&credit);
  for (unsigned seen = 0; seen != 6;) { /* one flit leaves on either, with the flag */
    out = rig->cycle(&nothing);
    seen |= out.out_valid & 6;
    for (unsigned port = 1; port <= 2; port++)
      if (out.out_valid >> port & 1) assert_true(out.flit[port] & TRK);
  }
  assert_int_equal(rig->cycle(&nothing).crit_port, 6);
  rig->cycle(&(rig_in_t){.epoch = true}); /* both trackers have left */
  out = rig->cycle(&nothing);
  assert_int_equal(out.list_len, 1);
  assert_int_equal(out.list[0] >> 4, 3);
  assert_in_range(out.list[0] & 15, 1, 2);
}

/* --- Starvation */

/* Inputs 0, 1, 3 and 4 send to output 2 as fast as they can. The packets of the first `near`
 * inputs come from near, those of the others from far. Returns the most flits that pass between
 * two of one near input. */
static unsigned most_in_a_row(const router_rig_t *rig, unsigned near) {
  static traffic_t t;
  unsigned row[2] = {0}, most = 0;
  rig_in_t in = {0};
  start_traffic(&t, rig, 0);
  for (unsigned cycle = 0; cycle < 2000; cycle++) {
    in.in_valid = 0;
    for (unsigned i = 0; i < 5 * 16; i++) {
      const unsigned port = i / 16;
      if (port == 2 || !t.credits[i] || (in.in_valid >> port & 1)) continue;
      in.in_valid |= (uint16_t)(1u << port);
      in.flit[port] = flit(HEAD | TAIL, i % 16, 2, port) | (uint64_t)(port < near ? 0 : 9) << 22;
      t.credits[i]--;
    }
    rig_out_t out = rig->cycle(&in);
    for (unsigned port = 0; port < rig->ports; port++)
      if (out.cr_valid >> port & 1) t.credits[port * 16 + out.cr_vc[port]]++;
    in.ocr_valid = out.out_valid;
    in.ocr_vc[2] = (uint8_t)vc_of(out.flit[2]);
    if (!(out.out_valid & 4)) continue;
    for (unsigned port = 0; port < near; port++) {
      row[port] = out.flit[2] >> 32 == port ? 0 : row[port] + 1;
      if (row[port] > most) most = row[port];
    }
  }
  return most;
}

/* Strict priority by distance starves packets from near. The bound (3) serves each near input
 * after at most (3 + 1) * P * V flits. */
static void test_bound(void **state) {
  (void)state;
  for (unsigned near = 1; near <= 2; near++) {
    const unsigned most = most_in_a_row(&rig_bound, near);
    print_message("bound 3, %u of 4 inputs near: at most %u flits between two of one of them\n", near, most);
    assert_in_range(most_in_a_row(&rig_four, near), 3, 14);
    assert_in_range(most_in_a_row(&rig_dist, near), 1000, 2000);
    assert_in_range(most, 3, 4 * rig_bound.ports * rig_bound.vcs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_way),
      cmocka_unit_test(test_stages),
      cmocka_unit_test(test_next_packet),
      cmocka_unit_test(test_credit_round_trip),
      cmocka_unit_test(test_error_bits),
      cmocka_unit_test(test_traffic),
      cmocka_unit_test(test_nothing_is_lost),
      cmocka_unit_test(test_priority_buffer),
      cmocka_unit_test(test_priority_buffer_without_credit),
      cmocka_unit_test(test_hold),
      cmocka_unit_test(test_penalty),
      cmocka_unit_test(test_fifo),
      cmocka_unit_test(test_tracker),
      cmocka_unit_test(test_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
