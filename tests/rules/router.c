/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/router/README.md that default parameters show. Numbers are worked out from the
 * page and the NUPIM paper.
 *
 * Long file: one page, a test a rule.
 */
#include "rule.h"
#include "unit_test.h"

enum { PORTS = 5, VCS = 2 };

typedef struct {
  unsigned head, tail, trk, vc, dest, hops, user;
} flit_t;

/* Its header, by router_flit.def. */
static uint64_t make_flit(flit_t f) {
  return f.head | f.tail << 1 | f.trk << 3 | f.vc << 4 | (uint64_t)f.dest << 12 | (uint64_t)f.hops << 22 |
         (uint64_t)f.user << 26;
}

/* The flit comes in at this port in the coming cycle. */
static void send_flit(bed_t *b, unsigned port, flit_t f) {
  drive_input_at(b, "in_valid", 1, port, 1);
  drive_input_at(b, "in_flit", 64, port, make_flit(f));
}

/* The routing table sends a destination to a port. */
static void set_route(bed_t *b, unsigned dest, unsigned port) {
  drive_input(b, "cfg_valid", 1);
  drive_input(b, "cfg_dest", dest);
  drive_input(b, "cfg_port", port);
  tick(b);
}

/* --- Words */

RULE(R2,
     "An *input VC* is numbered `port * V + v` (so is an output VC); V is at most 16, P * V at most 64. Vectors over "
     "them are flat, "
     "port 0 VC 0 lowest; port and VC numbers in vectors have 4 bits each.") {
  bed_t *b = bed("router_vcalloc", "");
  drive_input_at(b, "req", 1, 1 * VCS + 1, 1); /* port 1, VC 1, to port 4 */
  drive_input_at(b, "out_port", 4, 3, 4);
  drive_input(b, "space", 0x3ff);
  see(b, "gnt", 1u << 3);
  see(b, "take", 1u << (4 * VCS));
  see_at(b, "gnt_vc", 4, 3, 0);
  tick(b);
  drive_input(b, "taken", 1u << (4 * VCS)); /* the other VC of port 4, for port 4 VC 0: input VC 8 */
  drive_input(b, "space", 0x3ff);
  drive_input(b, "req", 1u << 8);
  drive_input_at(b, "out_port", 4, 8, 4);
  see(b, "gnt", 1u << 8);
  see_at(b, "gnt_vc", 4, 8, 1);
  see(b, "take", 1u << 9);
}

/* One epoch's stalls, and its end. stalls: of outputs 0 to 4, at least one of them not 0. */
static void epoch(bed_t *b, const unsigned stalls[PORTS]) {
  unsigned most = 0;
  for (unsigned o = 0; o < PORTS; o++) most = stalls[o] > most ? stalls[o] : most;
  for (unsigned t = 0; t < most; t++) {
    for (unsigned o = 0; o < PORTS; o++) drive_input_at(b, "stall", 1, o, t < stalls[o]);
    tick(b);
  }
  drive_input(b, "epoch", 1);
  tick(b);
}

/* The router's own selection, in the first cycle of an epoch. */
static void select_own(bed_t *b) {
  see(b, "start", 1);
  tick(b);
}

/* A tracker comes in; two cycles later what it does is seen. */
static void bring_tracker(bed_t *b, unsigned input) {
  drive_input_at(b, "trk_in", 1, input, 1);
  ticks(b, 2);
}

/* Flits take all trackers that wait. */
static void trackers_leave(bed_t *b) {
  drive_input(b, "trk_sent", shown(b, "trk_req"));
  tick(b);
}

/* An epoch ends in this cycle. */
static void end_epoch(bed_t *b) {
  drive_input(b, "epoch", 1);
  tick(b);
}

/* The list's entry at this place is the pair of an input and an output. */
static void see_pair(bed_t *b, unsigned place, unsigned in, unsigned out) {
  see_at(b, "list", 8, place, in << 4 | out);
}

RULE(R3, "Matrices of pairs are row-major: bit in * P + out.") {
  bed_t *b = bed("router_crit", "");
  epoch(b, (unsigned[]){5, 9, 0, 0, 0});
  select_own(b);
  bring_tracker(b, 3); /* pair (3, 0), alone and so first of 8 places */
  trackers_leave(b);
  end_epoch(b);
  for (unsigned i = 0; i < PORTS * PORTS; i++) see_at(b, "rank", 7, i, i == 3 * PORTS + 0 ? 8 : 0);
}

RULE(R4, "A flit has `FlitBits` bits (a multiple of 64), the lowest 32 of them its header "
         "([router_flit.def](router_flit.def)). A flit "
         "wire without valid is all zero at an output and ignored at an input.") {
  bed_t *b = bed("router", "");
  for (unsigned t = 0; t < 12; t++) {
    for (unsigned p = 0; p < PORTS; p++) drive_input_at(b, "in_flit", 64, p, ~0ull);
    see(b, "out_valid", 0);
    see(b, "cr_valid", 0);
    see(b, "err", 0);
    for (unsigned p = 0; p < PORTS; p++) see_at(b, "out_flit", 64, p, 0);
    tick(b);
  }
  set_route(b, 9, 2);
  send_flit(b, 4, (flit_t){.head = 1, .tail = 1, .dest = 9, .user = 5});
  await(b, "out_valid", 1u << 2, 8);
  for (unsigned p = 0; p < PORTS; p++)
    if (p != 2) see_at(b, "out_flit", 64, p, 0);
  tick(b);
  see_at(b, "out_flit", 64, 2, 0);
}

/* Three packets of three flits, each marked by its
 * input in `user`, to one output, which has two VCs. */
RULE(R5, "A packet is head to tail on one VC, never mixed with another there.") {
  bed_t *b = bed("router", "");
  unsigned whose[VCS] = {0, 0}, left = 9;
  set_route(b, 1, 4);
  for (unsigned t = 0; t < 60; t++) {
    for (unsigned p = 0; p < 3 && t < 3; p++)
      send_flit(b, p, (flit_t){.head = t == 0, .tail = t == 2, .dest = 1, .user = 1 + p});
    if (shown(b, "out_valid")) {
      uint64_t f = shown_at(b, "out_flit", 64, 4);
      unsigned vc = f >> 4 & 15, user = f >> 26 & 63;
      assert_true(vc < VCS);
      assert_int_equal(whose[vc], f & 1 ? 0 : user); /* a head where nobody is, the rest behind their head */
      whose[vc] = f & 2 ? 0 : user;
      left--;
    }
    tick(b);
  }
  assert_int_equal(left, 0);
}

/* --- A flit's way */

RULE(R10, "The flit's buffer slot is free, and its credit is on the wire, in the cycle after its switch allocation; a "
          "credit on the wire in "
          "cycle c can be used by a switch allocation in cycle c + 2.") {
  bed_t *b = bed("router", "");
  set_route(b, 1, 4);
  send_flit(b, 2, (flit_t){.head = 1, .tail = 1, .vc = 1, .dest = 1});
  ticks(b, 4); /* switch allocation is in cycle 3 of the flit */
  see(b, "cr_valid", 1u << 2);
  see_at(b, "cr_vc", 4, 2, 1);
  see(b, "probe_sa", 1u << 5); /* decided in the cycle before */
  tick(b);
  see(b, "cr_valid", 0);
  bed_t *o = bed("router_output", "");
  for (unsigned n = 0; n < 8; n++) {
    drive_input(o, "sa_valid", 1);
    if (n) drive_input(o, "st_valid", 1);
    see(o, "space", 3);
    tick(o);
  }
  drive_input(o, "st_valid", 1);
  see(o, "space", 2); /* VC 0 has used its 8 */
  tick(o);
  drive_input(o, "cr_valid", 1); /* cycle c */
  see(o, "space", 2);
  tick(o);
  see(o, "space", 2);
  tick(o);
  see(o, "space", 3);
}

RULE(R11,
     "An input VC with a packet is *routing* (one cycle, not with lookahead), then *allocating* until it has an output "
     "VC, then "
     "*active* until its tail has left; the next packet in the buffer starts in the cycle after that.") {
  bed_t *b = bed("router_input", "");
  for (unsigned t = 0; t < 3; t++) { /* a packet of two flits in VC 0, then one of one */
    drive_input(b, "in_valid", 1);
    drive_input(b, "in_flit", make_flit((flit_t){.head = t != 1, .tail = t != 0, .dest = 3}));
    drive_input(b, "table", t == 2 ? 2 : 4);
    see(b, "routing", t == 1);
    see(b, "allocating", t == 2);
    tick(b);
  }
  see(b, "allocating", 1); /* until it has an output VC */
  see_at(b, "out_port", 4, 0, 4);
  tick(b);
  see(b, "allocating", 1);
  drive_input(b, "va_gnt", 1);
  drive_input_at(b, "va_vc", 4, 0, 1);
  tick(b);
  see(b, "allocating", 0);
  see(b, "active", 1);
  drive_input(b, "sa_gnt", 1);
  tick(b);
  see(b, "active", 1); /* its tail is still there */
  see(b, "tail", 1);
  drive_input(b, "sa_gnt", 1);
  tick(b);
  see(b, "active", 0);
  see(b, "routing", 1); /* the next packet */
  see_at(b, "out_port", 4, 0, 2);
}

/* A VC that is given back, and a credit that is used, count from the next cycle on. */
RULE(R12, "Every decision of a cycle looks at the state at its beginning.") {
  bed_t *b = bed("router_output", "");
  drive_input(b, "va_take", 1);
  see(b, "taken", 0);
  tick(b);
  see(b, "taken", 1);
  drive_input(b, "sa_valid", 1);
  drive_input(b, "sa_tail", 1);
  see(b, "taken", 1);
  tick(b);
  see(b, "taken", 0);
  b = bed("router_crit", ""); /* a tracker that comes in waits in the next cycle, and is served at its end */
  epoch(b, (unsigned[]){0, 3, 2, 2, 2});
  select_own(b);
  drive_input_at(b, "trk_in", 1, 0, 1);
  tick(b);
  see(b, "probe_pending", 1u << 0);
  see(b, "trk_req", 1u << 1);
  tick(b);
  see(b, "probe_pending", 0);
  see(b, "trk_req", 1u << 1 | 1u << 2);
  bed_t *r = bed("router_route", ""); /* nor does a look-up see what is written in its cycle: R13 */
  drive_input(r, "cfg_valid", 1);
  drive_input(r, "cfg_dest", 7);
  drive_input(r, "cfg_port", 4);
  drive_input_at(r, "dest", 10, 0, 7);
  see_at(r, "port", 4, 0, 0);
}

RULE(R13,
     "The output port comes from a table over destinations (`cfg_*` writes an entry, used from the next cycle on; 0 "
     "after reset).") {
  bed_t *b = bed("router_route", "");
  for (unsigned i = 0; i < PORTS; i++) drive_input_at(b, "dest", 10, i, 60 + i); /* 64: there is none */
  for (unsigned i = 0; i < PORTS; i++) see_at(b, "port", 4, i, 0);
  drive_input(b, "cfg_valid", 1);
  drive_input(b, "cfg_dest", 62);
  drive_input(b, "cfg_port", 3);
  see_at(b, "port", 4, 2, 0);
  tick(b);
  for (unsigned i = 0; i < PORTS; i++) drive_input_at(b, "dest", 10, i, 60 + i);
  for (unsigned i = 0; i < PORTS; i++) see_at(b, "port", 4, i, i == 2 ? 3 : 0);
  bed_t *r = bed("router", ""); /* and that is where a flit goes */
  set_route(r, 63, 1);
  send_flit(r, 0, (flit_t){.head = 1, .tail = 1, .dest = 63});
  assert_int_equal(await(r, "out_valid", 1u << 1, 9), 5);
}

RULE(R15, "A head goes out with hops + 1 (at most 15).") {
  static const unsigned came[] = {0, 6, 14, 15}, goes[] = {1, 7, 15, 15};
  for (unsigned i = 0; i < 4; i++) {
    bed_t *b = bed("router_input", "");
    drive_input(b, "in_valid", 1);
    drive_input(b, "in_flit", make_flit((flit_t){.head = 1, .dest = 3, .hops = came[i]}));
    tick(b);
    drive_input(b, "in_valid", 1);
    drive_input(b, "in_flit", make_flit((flit_t){.tail = 1, .hops = 9})); /* no head */
    tick(b);
    drive_input(b, "va_gnt", 1);
    drive_input(b, "sa_gnt", 1);
    tick(b);
    see(b, "st_valid", 1);
    see(b, "st_flit", make_flit((flit_t){.head = 1, .dest = 3, .hops = goes[i]}));
    drive_input(b, "sa_gnt", 1);
    tick(b);
    see(b, "st_flit", make_flit((flit_t){.tail = 1, .hops = 9}));
  }
}

RULE(R18, "Every output VC grants the highest level, among equals round-robin; every packet accepts one, round-robin "
          "(iSLIP, one "
          "iteration).") {
  bed_t *b = bed("router_vcalloc", "");
  /* input VCs 0 and 3 want port 4, which has VC 0 free; 3 has the higher level first */
  for (unsigned t = 0; t < 3; t++) {
    drive_input(b, "req", 9);
    drive_input_at(b, "out_port", 4, 0, 4);
    drive_input_at(b, "out_port", 4, 3, 4);
    drive_input_at(b, "level", 12, 3, t == 0);
    drive_input(b, "taken", 1u << 9);
    drive_input(b, "space", 0x3ff);
    see(b, "gnt", t == 1 ? 1 : 8); /* then equals: turns start above the last winner, which was 3, then 0 */
    tick(b);
  }
  b = bed("router_vcalloc", "");
  for (unsigned t = 0; t < 3; t++) { /* one packet, both VCs grant it: it accepts them in turn */
    drive_input(b, "req", 1);
    drive_input_at(b, "out_port", 4, 0, 4);
    drive_input(b, "space", 0x3ff);
    see(b, "take", t == 1 ? 1u << 9 : 1u << 8);
    see_at(b, "gnt_vc", 4, 0, t == 1);
    tick(b);
  }
}

RULE(R19, "An output VC is held until the tail's switch allocation.") {
  bed_t *b = bed("router_output", "");
  drive_input(b, "va_take", 2);
  tick(b);
  for (unsigned n = 0; n < 3; n++) { /* two flits and the tail */
    see(b, "taken", 2);
    drive_input(b, "sa_valid", 1);
    drive_input(b, "sa_vc", 1);
    drive_input(b, "sa_tail", n == 2);
    drive_input(b, "st_valid", n > 0);
    tick(b);
  }
  see(b, "taken", 0);
}

RULE(R21, "For each pair of ports one VC is offered, then iSLIP matches ports.") {
  bed_t *b = bed("router_swalloc", "");
  for (unsigned t = 0; t < 3; t++) { /* two VCs of port 0 for port 1: one goes, in turn */
    drive_input(b, "req", 3);
    drive_input_at(b, "out_port", 4, 0, 1);
    drive_input_at(b, "out_port", 4, 1, 1);
    see(b, "gnt", t == 1 ? 2 : 1);
    tick(b);
  }
  b = bed("router_swalloc", "");
  for (unsigned t = 0; t < 3; t++) { /* ports 0 and 1 for port 3: the pointer moves above the winner */
    drive_input(b, "req", 5);
    drive_input_at(b, "out_port", 4, 0, 3);
    drive_input_at(b, "out_port", 4, 2, 3);
    see(b, "gnt", t == 1 ? 4 : 1);
    tick(b);
  }
  b = bed("router_swalloc", "");
  drive_input(b, "req", 0x3); /* VCs of one port for two ports: a port sends one flit */
  drive_input_at(b, "out_port", 4, 0, 2);
  drive_input_at(b, "out_port", 4, 1, 3);
  see(b, "gnt", 1);
}

RULE(R24,
     "**Levels** (router_level) order requests in both: first the rank of the packet's pair of ports in the critical "
     "list (first in "
     "the list highest, unlisted 0), then whether it sits in a priority buffer, then with `Dist` the hops it has "
     "come.") {
  bed_t *b = bed("router_level", "");
  drive_input_at(b, "rank", 7, 1 * PORTS + 3, 8); /* pair (1, 3) is first of 8, (0, 3) last */
  drive_input_at(b, "rank", 7, 0 * PORTS + 3, 1);
  for (unsigned i = 0; i < 10; i++) {
    drive_input_at(b, "out_port", 4, i, i < 4 ? 3 : 2);
    drive_input_at(b, "hops", 4, i, 15);
  }
  static const unsigned levels[10] = {1u << 5, 1u << 5, 8u << 5, 8u << 5};
  for (unsigned i = 0; i < 10; i++) see_at(b, "level", 12, i, levels[i]);
}

RULE(R25, "All zero without `Crit`, `Tr`, `Dist`.") {
  bed_t *b = bed("router_level", ""); /* no list, so all ranks are 0 */
  for (unsigned i = 0; i < 10; i++) drive_input_at(b, "hops", 4, i, i + 1);
  drive_input(b, "asks", 0x3ff);
  for (unsigned i = 0; i < 10; i++) see_at(b, "level", 12, i, 0);
  b = bed("router", "");
  drive_input(b, "epoch", 1);
  tick(b);
  see(b, "probe_list_len", 0);
  see(b, "probe_crit_port", 0);
  see(b, "probe_width", 0);
}

/* --- Congestion management */

RULE(R26, "`Crit`, `Tr`, `Width` are the paper's Crit, +Tr and +W. `epoch` is high in the last cycle of each epoch "
          "(router_epoch makes it; "
          "all routers share it).") {
  bed_t *b = bed("router_epoch", "");
  for (unsigned n = 0; n < 2; n++) {
    for (unsigned t = 0; t < 99999; t++) {
      if (t < 2 || t > 99990) see(b, "epoch", 0);
      tick(b);
    }
    see(b, "epoch", 1);
    tick(b);
  }
}

RULE(R28,
     "**Tracking** (router_crit): at an epoch's start the counters of the last one are latched. The output with most "
     "stalls gets a "
     "tracker request; its next flit leaves with the tracker flag, and the port becomes critical.") {
  bed_t *b = bed("router_crit", "");
  epoch(b, (unsigned[]){0, 2, 0, 5, 0});
  see_at(b, "latched", 20, 1, 2);
  see_at(b, "latched", 20, 3, 5);
  see_at(b, "probe_live", 20, 3, 0);
  see(b, "trk_req", 0);
  select_own(b);
  see(b, "trk_req", 1u << 3);
  see(b, "crit_port", 0); /* not before a flit has left with it */
  ticks(b, 3);
  see(b, "trk_req", 1u << 3);
  drive_input(b, "trk_sent", 1u << 3);
  tick(b);
  see(b, "trk_req", 0);
  see(b, "crit_port", 1u << 3);
  bed_t *o = bed("router_output", ""); /* the flit */
  drive_input(o, "sa_valid", 1);
  tick(o);
  drive_input(o, "st_valid", 1);
  drive_input(o, "st_flit", make_flit((flit_t){.head = 1, .tail = 1, .dest = 7}));
  drive_input(o, "trk_req", 1);
  see(o, "trk_sent", 1);
  tick(o);
  see(o, "out_flit", make_flit((flit_t){.head = 1, .tail = 1, .trk = 1, .dest = 7}));
}

RULE(R29,
     "A tracker that comes in on i requests another on the output with most stalls that has none this epoch, is not i, "
     "and has at "
     "least `TrackPct` % of the highest: that selects the pair, the one of its output in this epoch.") {
  bed_t *b = bed("router_crit", "");
  epoch(b, (unsigned[]){4, 5, 9, 10, 0});
  select_own(b); /* output 3, with 10: at least 5 is asked for */
  see(b, "sent", 1u << 3);
  bring_tracker(b, 2); /* 2 has more stalls, but came in there; 0 has too few */
  see(b, "trk_req", 1u << 1 | 1u << 3);
  bring_tracker(b, 4);
  see(b, "trk_req", 1u << 1 | 1u << 2 | 1u << 3);
  bring_tracker(b, 4); /* all that have enough have one */
  see(b, "sent", 1u << 1 | 1u << 2 | 1u << 3);
  trackers_leave(b);
  end_epoch(b);
  see(b, "list_len", 2);
  see_pair(b, 0, 2, 1);
  see_pair(b, 1, 4, 2);
}

RULE(R30, "A flit's flag is cleared when it arrives.") {
  bed_t *b = bed("router_input", "");
  drive_input(b, "in_valid", 1);
  drive_input(b, "in_flit", make_flit((flit_t){.head = 1, .tail = 1, .trk = 1}));
  tick(b);
  see(b, "trk", 1);
  tick(b);
  see(b, "trk", 0);
  drive_input(b, "va_gnt", 1);
  drive_input(b, "sa_gnt", 1);
  tick(b);
  see(b, "st_flit", make_flit((flit_t){.head = 1, .tail = 1, .hops = 1}));
}

/* Pairs (4, 1) and (0, 4) are selected, only the first one's tracker leaves. */
RULE(R59,
     "**The list** changes at an epoch's end: a pair selected in it is listed if its tracker has left. So ranks act "
     "from the next epoch on "
     "(\"at the end of each epoch\", III-B).") {
  bed_t *b = bed("router_crit", "");
  epoch(b, (unsigned[]){0, 9, 0, 10, 8});
  select_own(b);
  bring_tracker(b, 4);
  bring_tracker(b, 0);
  see(b, "trk_req", 1u << 1 | 1u << 3 | 1u << 4);
  drive_input(b, "trk_sent", 1u << 1);
  tick(b);
  ticks(b, 5);
  see(b, "list_len", 0);
  see_at(b, "rank", 7, 4 * PORTS + 1, 0);
  end_epoch(b);
  see(b, "list_len", 1);
  see_pair(b, 0, 4, 1);
  for (unsigned i = 0; i < PORTS * PORTS; i++) see_at(b, "rank", 7, i, i == 4 * PORTS + 1 ? 8 : 0);
  b = bed("router_crit", ""); /* also one that leaves in the last cycle */
  epoch(b, (unsigned[]){0, 9, 0, 10, 8});
  select_own(b);
  bring_tracker(b, 4);
  drive_input(b, "trk_sent", 1u << 1);
  end_epoch(b);
  see(b, "list_len", 1);
}

RULE(R31,
     "Its order: the pairs of the last epoch, in order of selection (so by decreasing stalls), before the others.") {
  bed_t *b = bed("router_crit", "");
  epoch(b, (unsigned[]){6, 7, 8, 10, 0});
  select_own(b);
  bring_tracker(b, 4); /* 2, 1, 0: by decreasing stalls */
  bring_tracker(b, 4);
  bring_tracker(b, 4);
  drive_input(b, "trk_sent", 1u << 0); /* whichever leaves first */
  tick(b);
  trackers_leave(b);
  epoch(b, (unsigned[]){10, 9, 0, 0, 8});
  see_pair(b, 0, 4, 2);
  see_pair(b, 1, 4, 1);
  see_pair(b, 2, 4, 0);
  select_own(b);
  bring_tracker(b, 4); /* an old pair and a new one go before those that were not selected */
  bring_tracker(b, 3);
  trackers_leave(b);
  end_epoch(b);
  see(b, "list_len", 4);
  see_pair(b, 0, 4, 1);
  see_pair(b, 1, 3, 4);
  see_pair(b, 2, 4, 2);
  see_pair(b, 3, 4, 0);
}

RULE(R32, "Pairs that were not listed anew, and ports by which no tracker left, go after 2^`HystBits` such epochs in a "
          "row.") {
  bed_t *b = bed("router_crit", "");
  epoch(b, (unsigned[]){0, 2, 0, 5, 4});
  select_own(b);
  bring_tracker(b, 0);
  trackers_leave(b);
  end_epoch(b);                        /* of the epoch in which they were selected */
  for (unsigned n = 1; n <= 64; n++) { /* 2^6 epochs in which they are not */
    see(b, "list_len", 1);
    see(b, "crit_port", 1u << 3 | 1u << 4);
    ticks(b, 2);
    end_epoch(b);
  }
  see(b, "list_len", 0);
  see(b, "crit_port", 0);
}

/* Credits of one epoch of 100000 cycles for outputs 0 to 4, then
 * T and what is critical: the widths that follow, as codes. */
static void widths(bed_t *b, const unsigned credits[PORTS], const unsigned t[PORTS], unsigned critical,
                   const unsigned wanted[PORTS]) {
  for (unsigned cycle = 0; cycle < 100000; cycle++) {
    for (unsigned o = 0; o < PORTS; o++) drive_input_at(b, "cr_seen", 1, o, cycle < credits[o]);
    drive_input(b, "link", 31);
    drive_input(b, "epoch", cycle == 99999);
    tick(b);
  }
  drive_input(b, "start", 1);
  drive_input(b, "link", 31);
  drive_input(b, "crit_port", critical);
  for (unsigned o = 0; o < PORTS; o++) drive_input_at(b, "latched", 20, o, t[o]);
  tick(b);
  for (unsigned o = 0; o < PORTS; o++) see_at(b, "width", 2, o, wanted[o]);
}

/* Codes: 0 W, 1 W/2, 2 W/4, 3 W/8. BW is 100000 flits an epoch. */
RULE(R33, "**Link widths** (router_width): the paper's two rules.") {
  bed_t *b = bed("router_width", "");
  /* Critical: FR above BW/4, at BW/4, above BW/8, at BW/8; the last has T above FR. */
  widths(b, (unsigned[]){25001, 25000, 12501, 12500, 10}, (unsigned[]){0, 0, 0, 0, 11}, 31,
         (unsigned[]){0, 1, 1, 2, 0});
  /* Not critical: a tier wider where T > 0.9 of the highest, else
   * narrower, at least W/8. T = FR is not above it (output 4). */
  widths(b, (unsigned[]){0, 0, 0, 0, 10}, (unsigned[]){100, 91, 90, 0, 10}, 16, (unsigned[]){0, 0, 2, 3, 2});
  widths(b, (unsigned[]){0, 0, 0, 0, 0}, (unsigned[]){0, 100, 91, 0, 90}, 0, (unsigned[]){1, 0, 1, 3, 3});
}

RULE(R36, "Ports that are not links between modules keep W (`link`).") {
  bed_t *b = bed("router_width", "");
  drive_input(b, "start", 1);
  drive_input(b, "link", 2 | 8);
  tick(b);
  for (unsigned o = 0; o < PORTS; o++) see_at(b, "width", 2, o, o == 1 || o == 3);
  see(b, "off", 2 | 8);
}

RULE(R37, "Our decisions where the paper is silent: ties go to the lowest port;") {
  bed_t *b = bed("router_crit", "");
  epoch(b, (unsigned[]){0, 3, 3, 3, 3});
  select_own(b);
  see(b, "trk_req", 1u << 1);
  bring_tracker(b, 2);
  see(b, "trk_req", 1u << 1 | 1u << 3);
}

RULE(R38, "a full list drops its last pairs;") {
  static const unsigned equal[PORTS] = {1, 1, 1, 1, 1};
  bed_t *b = bed("router_crit", "");
  epoch(b, equal);
  select_own(b); /* output 0; then the lowest that is left */
  for (unsigned n = 0; n < 4; n++) bring_tracker(b, 0);
  trackers_leave(b);
  epoch(b, equal);
  select_own(b);
  for (unsigned n = 0; n < 3; n++) bring_tracker(b, 1);
  bring_tracker(b, 2);
  trackers_leave(b);
  epoch(b, equal);
  see(b, "list_len", 8); /* (1,2) (1,3) (1,4) (2,1) (0,1) (0,2) (0,3) (0,4) */
  see_pair(b, 7, 0, 4);
  select_own(b);
  bring_tracker(b, 3);
  bring_tracker(b, 4);
  trackers_leave(b);
  end_epoch(b);
  see(b, "list_len", 8);
  see_pair(b, 0, 3, 1);
  see_pair(b, 1, 4, 2);
  see_pair(b, 2, 1, 2);
  see_pair(b, 7, 0, 2);
  see_at(b, "rank", 7, 0 * PORTS + 4, 0);
  see_at(b, "rank", 7, 0 * PORTS + 3, 0);
  see_at(b, "rank", 7, 0 * PORTS + 2, 1);
}

RULE(R39, "trackers that no flit has taken by the end of an epoch are dropped, and their pairs with them;") {
  bed_t *b = bed("router_crit", "");
  epoch(b, (unsigned[]){0, 2, 0, 5, 4});
  select_own(b);
  bring_tracker(b, 1); /* pair (1, 4) */
  drive_input(b, "trk_in", 1);
  see(b, "trk_req", 1u << 3 | 1u << 4);
  end_epoch(b);
  see(b, "trk_req", 0);
  see(b, "probe_pending", 0);
  see(b, "sent", 0);
  ticks(b, 3);
  see(b, "crit_port", 0);
  end_epoch(b);
  see(b, "list_len", 0);
}

/* The tracker comes in on the one output that has stalls and no tracker yet. */
RULE(R61, "no tracker goes back where it came from, as no route does.") {
  bed_t *b = bed("router_crit", "");
  epoch(b, (unsigned[]){0, 9, 0, 10, 0});
  select_own(b);
  bring_tracker(b, 1);
  see(b, "trk_req", 1u << 3);
  bring_tracker(b, 2);
  see(b, "trk_req", 1u << 1 | 1u << 3);
}

/* Whichever port is the local one. */
RULE(R40, "a local port is tracked like any other;") {
  for (unsigned local = 0; local < PORTS; local++) {
    bed_t *b = bed("router_crit", "");
    unsigned stalls[PORTS] = {0};
    stalls[local] = 1;
    epoch(b, stalls);
    select_own(b);
    see(b, "trk_req", 1u << local);
    drive_input(b, "trk_sent", 1u << local);
    tick(b);
    see(b, "crit_port", 1u << local);
  }
}

/* --- Arbiters and allocators. Requests and grants of four. */

/* Requests of one cycle after the other, all grants of which are taken. */
static void see_turns(const char *block, const unsigned *requests, const unsigned *grants, unsigned n) {
  bed_t *b = bed(block, "");
  for (unsigned t = 0; t < n; t++) {
    drive_input(b, "req", requests[t]);
    drive_input(b, "update", 1);
    see(b, "gnt", grants[t]);
    tick(b);
  }
}

RULE(R43, "One contract: `req` in, `gnt` out in the same cycle, state moves with `update` (the grant was taken). An "
          "arbiter's `gnt` is "
          "one-hot or zero, only where `req` is, and never zero when somebody asks.") {
  static const char *const arbiters[] = {"arb_rr", "arb_matrix", "arb_fixed", "arb_age", "arb_list"};
  for (unsigned a = 0; a < 5; a++) {
    bed_t *b = bed(arbiters[a], "");
    for (unsigned req = 0; req < 16; req++) {
      drive_input(b, "req", req);
      drive_input(b, "update", 1);
      uint64_t gnt = shown(b, "gnt");
      assert_true((gnt & (gnt - 1)) == 0 && (gnt & ~(uint64_t)req) == 0 && !gnt == !req);
      tick(b);
    }
    b = bed(arbiters[a], ""); /* without update nothing moves */
    for (unsigned t = 0; t < 3; t++) {
      drive_input(b, "req", 15);
      see(b, "gnt", 1);
      tick(b);
    }
  }
}

RULE(R44,
     "An allocator's (row-major: in * NumOut + out) has at most one bit in a row and in a column. 1 to 64 requesters, "
     "inputs, outputs.") {
  static const char *const allocators[] = {"alloc_sep_if", "alloc_islip", "alloc_wavefront"};
  static const unsigned requests[] = {0xffff, 0x8421, 0x000f, 0x1111, 0x0033, 0xf00f, 0x7bde, 0x0000};
  for (unsigned a = 0; a < 3; a++) {
    bed_t *b = bed(allocators[a], "");
    for (unsigned n = 0; n < 24; n++) {
      drive_input(b, "req", requests[n % 8]);
      drive_input(b, "update", 1);
      uint64_t gnt = shown(b, "gnt");
      assert_true((gnt & ~(uint64_t)requests[n % 8]) == 0);
      for (unsigned i = 0; i < 4; i++) {
        uint64_t row = gnt >> 4 * i & 15, column = gnt >> i & 0x1111;
        assert_true((row & (row - 1)) == 0 && (column & (column - 1)) == 0);
      }
      tick(b);
    }
  }
}

RULE(R45,
     "[arb_rr](../lib/arb_rr.sv) | round-robin: turns start above the last winner | one that keeps asking waits at "
     "most NumReq - 1 "
     "grants | the part others are made of") {
  see_turns("arb_rr", (unsigned[]){15, 15, 15, 15, 15}, (unsigned[]){1, 2, 4, 8, 1}, 5);
  see_turns("arb_rr", (unsigned[]){5, 5, 15, 8, 1, 13}, (unsigned[]){1, 4, 8, 8, 1, 4}, 6);
}

RULE(R46,
     "arb_matrix | the least recently served wins | one that keeps asking waits at most NumReq - 1 grants; the fairest "
     "order | small "
     "arbiters") {
  see_turns("arb_matrix", (unsigned[]){15, 9, 11, 11, 15, 15}, (unsigned[]){1, 8, 2, 1, 4, 8}, 6);
}

RULE(R47,
     "arb_fixed | the lowest number wins | nothing: **every requester but 0 can starve** | requesters that have an "
     "order") {
  see_turns("arb_fixed", (unsigned[]){15, 15, 15, 15, 15, 15, 14, 12, 8}, (unsigned[]){1, 1, 1, 1, 1, 1, 2, 4, 8}, 9);
}

RULE(R48,
     "arb_age | the highest level wins, equals take turns | the highest waits only for its equals; **lower levels can "
     "starve** if "
     "levels do not grow with waiting | age, distance, rank") {
  static const unsigned grants[] = {2, 4, 2, 4, 2, 4};
  bed_t *b = bed("arb_age", "");
  for (unsigned t = 0; t < 8; t++) { /* levels 3 7 7 1: 1 and 2 take turns, the others starve */
    drive_input(b, "req", t < 6 ? 15 : 9);
    drive_input(b, "update", 1);
    drive_input(b, "level", 0x1773);
    see(b, "gnt", t < 6 ? grants[t] : 1); /* 0 before 3 */
    tick(b);
  }
}

RULE(R50,
     "alloc_sep_if | each input picks an output, each output one of those inputs | at least one grant; pointers of "
     "losers stay, so "
     "that none starves if requests stay until granted | the cheapest allocator") {
  /* Inputs 0 and 1 want output 0; input 1 would take output 1 as well.
   * It loses first, its pointer stays, so it picks output 0 again. */
  see_turns("alloc_sep_if", (unsigned[]){0x31, 0x31, 0x31}, (unsigned[]){0x1, 0x10, 0x21}, 3);
}

RULE(R51,
     "alloc_islip | outputs grant, inputs accept, `Iters` times; levels as in arb_age | at least one grant; with one "
     "level every "
     "output is soon busy in every cycle when all ask, and none starves if requests stay until granted; **lower levels "
     "can starve** | "
     "the match of switch allocation, which router_swalloc has on its own rows; router_vcalloc is of its kind") {
  see_turns("alloc_islip", (unsigned[]){0xffff, 0xffff, 0xffff}, (unsigned[]){0x1, 0x12, 0x124}, 3);
  bed_t *b = bed("alloc_islip", "");
  for (unsigned t = 0; t < 4; t++) { /* input 1's request for output 0 has the higher level: input 0 starves */
    drive_input(b, "req", 0x11);
    drive_input(b, "level", 0x10);
    drive_input(b, "update", 1);
    see(b, "gnt", 0x10);
    tick(b);
  }
  b = bed("alloc_islip", "");
  for (unsigned t = 0; t < 12; t++) { /* soon every output in every cycle */
    drive_input(b, "req", 0xffff);
    drive_input(b, "update", 1);
    if (t >= 3) assert_int_equal(__builtin_popcountll(shown(b, "gnt")), 4);
    tick(b);
  }
}

RULE(R52, "alloc_wavefront | diagonals in turn, every request that still fits | maximal: no request left whose row and "
          "column are both free "
          "| yardstick of quality") {
  see_turns("alloc_wavefront", (unsigned[]){0xffff, 0xffff, 0x0030, 0x0011},
            (unsigned[]){0x2481, 0x4812, 0x0020, 0x0001}, 4);
}
