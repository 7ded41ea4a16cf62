/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/router/README.md about priority buffers between ports, and about the older rules
 * that parameters bring back (suite variants: each set is a build of its own).
 */
#include <stdio.h>

#include "rule.h"
#include "unit_test.h"

/* Three ports of VCs 0 and 1 and the priority buffer 2: input VC p * 3 + v. */
static const char *const PRIORITY = "Ports=3,NumVCs=2,Tr=1";

enum { PRIO = 1 << 4, RANK = 1 << 5 }; /* of a level */

/* An input VC asks in VC allocation for output 2, where VC 0 alone is free, or in switch
 * allocation for any output. */
static void ask_output(bed_t *b, unsigned i, unsigned output, unsigned level) {
  drive_input_at(b, "req", 1, i, 1);
  drive_input_at(b, "out_port", 4, i, output);
  drive_input_at(b, "level", 12, i, level);
}

/* Input VCs 1 (port 0), 3 (port 1) and 5 (the priority buffer of port 1) want output 2's one
 * free VC, with these levels of 1 and 3. `gets` is the one that gets it. */
static void see_given(const char *across, unsigned one, unsigned three, unsigned gets) {
  char params[64];
  snprintf(params, sizeof params, "%s%s", PRIORITY, across);
  bed_t *b = bed("router_vcalloc", params);
  ask_output(b, 1, 2, one);
  ask_output(b, 3, 2, three);
  ask_output(b, 5, 2, three | PRIO);
  drive_input(b, "taken", 6u << 6);
  drive_input(b, "space", 0x1ff);
  see(b, "gnt", 1u << gets);
}

RULE(R57,
     "A priority buffer ranks inside its port only (\"when a port is selected\", III-C): between ports levels are "
     "compared without its bit. In VC "
     "allocation it goes before the other VCs of its port, in switch allocation a port offers and accepts by it; which "
     "port an output grants it "
     "does not say.") {
  see_given("", 0, 0, 1);    /* ports take turns, the first is 0's */
  see_given("", 0, RANK, 5); /* port 1 has the higher rank, in it the priority buffer goes first */
  see_given("", RANK, 0, 1);
  see_given("", 2 * RANK, RANK, 1);
  bed_t *b = bed("router_swalloc", "VCs=3");
  ask_output(b, 1, 4, 0);
  ask_output(b, 3, 4, 0);
  ask_output(b, 5, 4, PRIO);
  see(b, "gnt", 1u << 1); /* ports take turns */
  tick(b);
  ask_output(b, 1, 4, 0);
  ask_output(b, 3, 4, 0);
  ask_output(b, 5, 4, PRIO);
  see(b, "gnt", 1u << 5); /* port 1's turn: it offers its priority buffer */
  tick(b);
  ask_output(b, 3, 1, 0); /* outputs 1 and 4 grant port 1, and it would be 1's turn */
  ask_output(b, 5, 4, PRIO);
  see(b, "gnt", 1u << 5);
}

RULE(R58, "With `PrioAcross` it ranks between ports, too: the older rule, for comparison.") {
  see_given(",PrioAcross=1", 0, 0, 5);
  see_given(",PrioAcross=1", RANK, 0, 1);
  bed_t *b = bed("router_swalloc", "VCs=3,PrioAcross=1");
  for (unsigned t = 0; t < 3; t++) {
    ask_output(b, 1, 4, 0);
    ask_output(b, 5, 4, PRIO);
    see(b, "gnt", 1u << 5);
    tick(b);
  }
}

/* The router's own tracker is for output 2, one that
 * comes in on 3 for output 1; no flit takes either. */
static bed_t *selected(const char *params) {
  bed_t *b = bed("router_crit", params);
  static const unsigned stalls[] = {0, 2, 3, 0, 1};
  for (unsigned t = 0; t < 4; t++) {
    for (unsigned o = 0; o < 5; o++) drive_input_at(b, "stall", 1, o, t < stalls[o]);
    drive_input(b, "epoch", t == 3);
    tick(b);
  }
  tick(b); /* its own, output 2 */
  drive_input_at(b, "trk_in", 1, 3, 1);
  ticks(b, 2); /* pair (3, 1) */
  return b;
}

RULE(R60,
     "The older rules, for comparison: with `PairSent` 0 a pair is listed when it is selected, whether its tracker "
     "leaves or not; with "
     "`RankNext` 0, too, it ranks at once.") {
  for (unsigned next = 0; next < 2; next++) {
    bed_t *b = selected(next ? "PairSent=0" : "PairSent=0,RankNext=0");
    see(b, "list_len", 1);
    see_at(b, "list", 8, 0, 3 << 4 | 1);
    see_at(b, "rank", 7, 3 * 5 + 1, next ? 0 : 8);
    drive_input(b, "epoch", 1); /* the tracker is dropped, the pair is not */
    tick(b);
    see(b, "trk_req", 0);
    see(b, "list_len", 1);
    see_at(b, "rank", 7, 3 * 5 + 1, 8);
  }
  bed_t *b = selected("");
  see(b, "list_len", 0);
  drive_input(b, "epoch", 1);
  tick(b);
  see(b, "list_len", 0);
}
