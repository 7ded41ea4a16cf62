/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/router/README.md that other than default parameters show (suite variants: each
 * set is a build of its own).
 */
#include "rule.h"
#include "unit_test.h"

static const char *const SPECULATIVE = "Ports=2,Depth=1,Spec=1";
/* VCs 0, 1 of class 0; 2, 3 of class 1; 4, 5 the priority buffers */
static const char *const CLASSES = "Ports=2,NumVCs=4,Classes=2,Tr=1";

enum { HEAD = 1, TAIL = 2 };

/* A header's marks, the route of a router with lookahead, and the destination. */
static uint64_t make_flit(unsigned ends, unsigned route, unsigned dest) {
  return ends | route << 8 | dest << 12;
}

/* The flit comes in at this port in the coming cycle. */
static void send_flit(bed_t *b, unsigned port, uint64_t f) {
  drive_input_at(b, "in_valid", 1, port, 1);
  drive_input_at(b, "in_flit", 64, port, f);
}

/* The next router gives a credit of this VC back. */
static void give_credit(bed_t *b, unsigned port, unsigned vc) {
  drive_input_at(b, "ocr_valid", 1, port, 1);
  drive_input_at(b, "ocr_vc", 4, port, vc);
  tick(b);
}

/* A router whose destination 3 is at port 1. */
static bed_t *router(const char *params) {
  bed_t *b = bed("router", params);
  drive_input(b, "cfg_valid", 1);
  drive_input(b, "cfg_dest", 3);
  drive_input(b, "cfg_port", 1);
  tick(b);
  return b;
}

/* Cycles from the input wire to the output's. */
static unsigned cycles_through(const char *params, unsigned port) {
  bed_t *b = router(params);
  send_flit(b, 0, make_flit(HEAD | TAIL, port, 3));
  return await(b, "out_valid", 2, 12);
}

/* A packet of one flit goes through; by the end its credit has come back. */
static void pass_packet(bed_t *b) {
  send_flit(b, 0, make_flit(HEAD | TAIL, 0, 3));
  await(b, "out_valid", 2, 12);
  tick(b);
}

RULE(R1,
     "P = `Ports` (2..16). A port has V virtual channels: `NumVCs` normal ones, and with `Tr` one priority buffer more "
     "per message "
     "class. VC v < NumVCs belongs to class v / (NumVCs / Classes); VC NumVCs + c is the priority buffer of class c.") {
  bed_t *b = bed("router_vcalloc", CLASSES);
  for (unsigned v = 0; v < 6; v++) { /* from each VC to port 1, divergent: a normal VC of its class */
    drive_input_at(b, "req", 1, v, v < 4);
    drive_input_at(b, "div", 1, v, 1);
    drive_input_at(b, "out_port", 4, v, 1);
    drive_input(b, "space", 0xfff);
    drive_input(b, "taken", 0x040); /* VC 0 */
  }
  see(b, "gnt", 0x5); /* 0 and 2 are first */
  see_at(b, "gnt_vc", 4, 0, 1);
  see_at(b, "gnt_vc", 4, 2, 2);
  tick(b);
  for (unsigned c = 0; c < 2; c++) { /* not divergent: the priority buffer of the class */
    drive_input_at(b, "req", 1, 2 * c + 1, 1);
    drive_input_at(b, "out_port", 4, 2 * c + 1, 1);
  }
  drive_input(b, "space", 0xfff);
  see(b, "gnt", 0xa);
  see_at(b, "gnt_vc", 4, 1, 4);
  see_at(b, "gnt_vc", 4, 3, 5);
}

/* Flits that VC v takes without a credit coming back. */
static unsigned see_depth(const char *params, unsigned v) {
  bed_t *b = bed("router_output", params);
  for (unsigned n = 0;; n++) {
    if (!(shown(b, "space") >> v & 1)) return n;
    drive_input(b, "sa_valid", 1);
    drive_input(b, "sa_vc", v);
    drive_input(b, "st_valid", n > 0);
    tick(b);
  }
}

RULE(R6,
     "Depth of a VC: a priority buffer has 4 flits; they come out of the normal VCs of its class (NUPIM paper, III-C: "
     "the total stays "
     "the same), n = NumVCs / Classes of them: VC v has Depth - 4 / n - ((v mod n) < (4 mod n) ? 1 : 0) (integer "
     "division). Without "
     "`Tr` all have `Depth`.") {
  assert_int_equal(see_depth("", 0), 8);
  assert_int_equal(see_depth("", 1), 8);
  static const unsigned wanted[] = {6, 7, 7, 4}; /* 4 / 3 = 1, 4 mod 3 = 1: 24 flits in all */
  for (unsigned v = 0; v < 4; v++) assert_int_equal(see_depth("NumVCs=3,Tr=1", v), wanted[v]);
}

RULE(R7,
     "A configuration in which a VC would get less than one flit is refused; so are Classes that do not divide NumVCs, "
     "V over 16, P * "
     "V of more than 64, `Width` without `Crit` or without `OutDepth`, `Dist` with `Crit` or `Tr`, `KeepVC` with `Tr`, "
     "`PairSent` without `RankNext`.") {
  expect_refused("router_input", "NumVCs=1,Tr=1,Depth=4", "Depth: ");
  expect_refused("router_vcalloc", "NumVCs=3,Classes=2", "Classes: ");
  expect_refused("router_vcalloc", "Ports=2,NumVCs=16,Tr=1", "at most 16");
  expect_refused("router_swalloc", "VCs=16", "1 to 64 bits"); /* 5 ports: 80 */
  expect_refused("router", "Ports=2,OutDepth=1,Width=1", "Width: needs Crit");
  expect_refused("router", "Ports=2,Crit=1,Width=1", "Width: needs OutDepth");
  expect_refused("router", "Ports=2,Dist=1,Crit=1", "Dist: ");
  expect_refused("router", "Ports=2,Dist=1,Tr=1", "Dist: ");
  expect_refused("router", "Ports=2,KeepVC=1,Tr=1", "KeepVC: ");
  expect_refused("router", "Ports=2,Crit=1,RankNext=0", "PairSent: ");
}

RULE(R8,
     "Cycle numbers of a flit that meets no other, on the input wire in cycle 0: | cycle | four stages | lookahead, "
     "speculative (two "
     "stages) | |---|---|---| | 0 | on the wire; written at the end | the same | | 1 | route | VC and switch "
     "allocation | | 2 | VC "
     "allocation | traversal | | 3 | switch allocation | on the next wire | | 4 | traversal | | | 5 | on the next wire "
     "| |") {
  assert_int_equal(cycles_through("", 0), 5);
  assert_int_equal(cycles_through("Ports=2,Lookahead=1,Spec=1", 1), 3);
  bed_t *b = router(""); /* VC allocation in cycle 2, switch allocation in 3: probes show them a cycle later */
  send_flit(b, 0, make_flit(HEAD | TAIL, 0, 3));
  ticks(b, 3);
  see(b, "probe_va", 1);
  see(b, "probe_sa", 0);
  tick(b);
  see(b, "probe_va", 0);
  see(b, "probe_sa", 1);
  b = router("Ports=2,Lookahead=1,Spec=1"); /* both in cycle 1 */
  send_flit(b, 0, make_flit(HEAD | TAIL, 1, 3));
  ticks(b, 2);
  see(b, "probe_va", 1);
  see(b, "probe_sa", 1);
}

RULE(R9, "`Lookahead` alone drops the route stage, `Spec` alone joins the two allocations.") {
  assert_int_equal(cycles_through("Ports=2,Lookahead=1", 1), 4);
  assert_int_equal(cycles_through(SPECULATIVE, 0), 4);
}

RULE(R14,
     "With lookahead the table holds the output port at the *next* router on the way, which goes out in the head's "
     "`route`; the port "
     "here is the `route` that came in.") {
  bed_t *b = bed("router_input", "Lookahead=1");
  drive_input(b, "in_valid", 1);
  drive_input(b, "in_flit", make_flit(HEAD | TAIL, 3, 9));
  drive_input(b, "table", 2); /* the port at the next router */
  tick(b);
  see_at(b, "out_port", 4, 0, 3);
  drive_input(b, "va_gnt", 1);
  drive_input(b, "sa_gnt", 1);
  tick(b);
  see(b, "st_port", 3);
  see(b, "st_flit", make_flit(HEAD | TAIL, 2, 9) | 1u << 22);
}

RULE(R16, "**VC allocation** (router_vcalloc). A packet asks for free VCs at its output port: those of its class; with "
          "`KeepVC` only the "
          "one with the number it came on (so packets of one source and destination keep their order).") {
  bed_t *b = bed("router_vcalloc", "KeepVC=1");
  drive_input(b, "req", 2);
  drive_input_at(b, "out_port", 4, 1, 4);
  drive_input(b, "space", 0x3ff);
  see(b, "gnt", 2);
  see_at(b, "gnt_vc", 4, 1, 1);
  tick(b);
  drive_input(b, "req", 2);
  drive_input_at(b, "out_port", 4, 1, 4);
  drive_input(b, "space", 0x3ff);
  drive_input(b, "taken", 1u << 9); /* VC 0 of the port is free */
  see(b, "gnt", 0);
  see(b, "elig", 0);
  tick(b);
  b = bed("router_vcalloc", CLASSES); /* class 1, both of its VCs taken */
  drive_input(b, "req", 4);
  drive_input(b, "div", 4);
  drive_input_at(b, "out_port", 4, 2, 1);
  drive_input(b, "space", 0xfff);
  drive_input(b, "taken", 3u << 8);
  see(b, "gnt", 0);
}

/* What a packet of class 0, from VC 0, gets at port 1, of VCs 6 .. 11. */
static void see_priority(unsigned divergent, unsigned taken, unsigned space, unsigned take) {
  bed_t *b = bed("router_vcalloc", CLASSES);
  drive_input(b, "req", 1);
  drive_input(b, "div", divergent);
  drive_input_at(b, "out_port", 4, 0, 1);
  drive_input(b, "taken", taken);
  drive_input(b, "space", space);
  see(b, "take", take);
}

RULE(R17,
     "With `Tr` a packet whose head has div = 0 asks for its class's priority buffer alone if that is free and has a "
     "credit, else for "
     "the normal VCs (a divergent one never asks for it).") {
  see_priority(0, 0, 0xfff, 1u << 10);
  see_priority(0, 1u << 10, 0xfff, 1u << 6);
  see_priority(0, 0, 0xbff, 1u << 6); /* free, without a credit */
  see_priority(0, 1u << 10 | 1u << 6 | 1u << 7, 0xfff, 0);
  see_priority(1, 0, 0xfff, 1u << 6);
  see_priority(1, 1u << 6 | 1u << 7, 0xfff, 0);
}

RULE(R20,
     "**Switch allocation** (router_swalloc). An active VC with a flit and a credit asks for its output; with `Spec` "
     "so does an "
     "allocating one if one of the VCs it asks for is free and has a credit.") {
  bed_t *b = router(SPECULATIVE); /* one flit a VC */
  send_flit(b, 0, make_flit(HEAD, 0, 3));
  ticks(b, 3);
  see(b, "probe_va", 1); /* both in cycle 2 */
  see(b, "probe_sa", 1);
  send_flit(b, 0, make_flit(TAIL, 0, 3));
  for (unsigned t = 0; t < 10; t++) { /* active, with a flit and no credit */
    tick(b);
    see(b, "probe_sa", 0);
  }
  give_credit(b, 1, 0);
  ticks(b, 2);
  see(b, "probe_sa", 1);
  ticks(b, 5);
  pass_packet(b); /* that used VC 1's credit, VC 0's is used, too: an allocating one does not ask */
  send_flit(b, 0, make_flit(HEAD | TAIL, 0, 3));
  for (unsigned t = 0; t < 10; t++) {
    tick(b);
    see(b, "probe_sa", 0);
  }
}

RULE(R22, "A speculative winner that got no output VC, or one without credit, has wasted its cycle.") {
  bed_t *b = router(SPECULATIVE);
  pass_packet(b); /* VC 0 */
  pass_packet(b); /* VC 1 */
  give_credit(b, 1, 1);
  ticks(b, 2);
  send_flit(b, 0, make_flit(HEAD | TAIL, 0, 3)); /* asks, for VC 1 has a credit; and accepts VC 0, whose turn it is */
  ticks(b, 3);
  see(b, "probe_va", 1);
  see(b, "probe_sa", 0);
  for (unsigned t = 0; t < 10; t++) {
    see(b, "out_valid", 0);
    tick(b);
  }
  give_credit(b, 1, 0);
  assert_true(await(b, "out_valid", 2, 8) > 0);
}

RULE(R23,
     "Speculative requests rank with others between ports (the reference router's rule); `SpecYield` puts them last.") {
  for (unsigned yield = 0; yield < 2; yield++) {
    bed_t *b = bed("router_swalloc", yield ? "SpecYield=1" : "");
    drive_input(b, "req", 5); /* ports 0 and 1, for port 3 */
    drive_input(b, "spec", 1);
    drive_input_at(b, "out_port", 4, 0, 3);
    drive_input_at(b, "out_port", 4, 2, 3);
    see(b, "gnt", yield ? 4 : 1);
  }
}

RULE(R41,
     "`Dist` stands for the distance-based arbitration the paper compares with, whose rule is not in it: ours prefers "
     "the packet that "
     "has passed most routers. `Double` is twice the VCs, by configuration.") {
  bed_t *b = bed("router_level", "Dist=1");
  drive_input_at(b, "hops", 4, 1, 2);
  drive_input_at(b, "hops", 4, 7, 15);
  see_at(b, "level", 12, 0, 0);
  see_at(b, "level", 12, 1, 2);
  see_at(b, "level", 12, 7, 15);
  b = bed("router_swalloc", ""); /* and the higher level goes first */
  drive_input(b, "req", 5);
  drive_input_at(b, "out_port", 4, 0, 3);
  drive_input_at(b, "out_port", 4, 2, 3);
  drive_input_at(b, "level", 12, 0, 2);
  drive_input_at(b, "level", 12, 2, 15);
  see(b, "gnt", 4);
}

/* Bound 2, three VCs a port, the last one the priority buffer. Input VC 2's packets are
 * prioritised, those of 3 and 6 are of level 0; all want output 4. Input VC 5, prioritised, wants
 * output 0. */
static void see_leave(bed_t *b, unsigned who, unsigned fair) {
  static const unsigned asks[] = {2, 3, 6, 5};
  for (unsigned i = 0; i < 4; i++) {
    drive_input_at(b, "asks", 1, asks[i], 1);
    drive_input_at(b, "out_port", 4, asks[i], i == 3 ? 0 : 4);
  }
  drive_input(b, "sa_gnt", who < 15 ? 1u << who : 0);
  see(b, "fair", fair ? 1u << 4 : 0);
  see_at(b, "level", 12, 2, fair ? 0 : 1u << 4);
  see_at(b, "level", 12, 3, fair == 3);
  see_at(b, "level", 12, 6, fair == 6);
  see_at(b, "level", 12, 5, 1u << 4);
  tick(b);
}

RULE(R42,
     "**Starvation.** Strict priority can starve what is not critical: the paper says so and leaves it. `Bound` n (0: "
     "off) ends it: "
     "when an output has given n flits in a row to prioritised packets while packets of level 0 waited for it, one of "
     "these, in turn, "
     "goes before all others at that output, in either allocation, until a flit of it has got through.") {
  bed_t *b = bed("router_level", "Tr=1,Bound=2");
  see_leave(b, 2, 0);
  see_leave(b, 15, 0); /* nothing left: still in a row */
  see_leave(b, 2, 0);
  see_leave(b, 15, 3);
  see_leave(b, 3, 3);
  see_leave(b, 2, 0);
  see_leave(b, 6, 0); /* one of level 0: the row ends */
  see_leave(b, 2, 0);
  see_leave(b, 2, 0);
  see_leave(b, 6, 6); /* the next in turn */
  see_leave(b, 2, 0);
  see_leave(b, 2, 0);
  see_leave(b, 3, 3);
}

/* With the list 2, 0 these requests get this grant. */
static void see_listed(bed_t *b, unsigned req, unsigned gnt) {
  drive_input(b, "list", 2 | 0 << 6);
  drive_input(b, "list_valid", 3); /* 2, then 0 */
  drive_input(b, "req", req);
  drive_input(b, "update", 1);
  see(b, "gnt", gnt);
  tick(b);
}

RULE(R49,
     "arb_list | the first in an ordered list wins, the rest take turns | strict (`Bound` 0, the paper's): **the rest "
     "can starve**; "
     "`Bound` n: after n grants to the list all that ask take turns, until one of the rest has had its own | critical "
     "pairs "
     "(NUPIM paper, III-B)") {
  bed_t *b = bed("arb_list", "");
  for (unsigned t = 0; t < 10; t++) see_listed(b, 15, 4);
  see_listed(b, 11, 1);
  see_listed(b, 10, 2);
  see_listed(b, 10, 8);
  see_listed(b, 10, 2);
  b = bed("arb_list", "Bound=2");
  static const unsigned row[] = {4, 4, 2, 4, 4, 4, 8, 4, 4, 2}; /* the sixth: 2's turn comes before 3's */
  for (unsigned t = 0; t < 10; t++) see_listed(b, 14, row[t]);
}
