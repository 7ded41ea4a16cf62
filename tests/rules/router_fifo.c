/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/router/README.md about output FIFOs, links and stalls (suite variants: each set
 * of parameters is a build of its own).
 */
#include <stdbool.h>

#include "rule.h"
#include "unit_test.h"

static const char *const FIFO = "OutDepth=3";
static const char *const LINKS = "Ports=3,OutDepth=2,Crit=1,Width=1,Penalty=30,EpochCycles=100";

enum { HEAD = 1, TAIL = 2 };

/* A header's marks, VC and destination. */
static uint64_t make_flit(unsigned ends, unsigned vc, unsigned dest) {
  return ends | vc << 4 | dest << 12;
}

/* The marks of flit t of a packet whose tail is flit `last`. */
static unsigned ends_at(unsigned t, unsigned last) {
  if (t == 0) return HEAD;
  return t == last ? TAIL : 0;
}

/* The flit comes in at this port in the coming cycle. */
static void send_flit(bed_t *b, unsigned port, uint64_t f) {
  drive_input_at(b, "in_valid", 1, port, 1);
  drive_input_at(b, "in_flit", 64, port, f);
}

/* A router whose destination 1 is at port 1. */
static bed_t *router(const char *params) {
  bed_t *b = bed("router", params);
  drive_input(b, "cfg_valid", 1);
  drive_input(b, "cfg_dest", 1);
  drive_input(b, "cfg_port", 1);
  tick(b);
  return b;
}

/* A flit of VC `vc` has won the switch in the cycle
 * before, or has not; another one wins it, or does not. */
static void output_cycle(bed_t *b, bool comes, bool wins, unsigned vc) {
  drive_input(b, "st_valid", comes);
  if (comes) drive_input(b, "st_flit", make_flit(HEAD | TAIL, vc, 1));
  drive_input(b, "sa_valid", wins);
  drive_input(b, "sa_vc", vc);
}

/* The link is off: the first three flits from the switch
 * fill the FIFO, then the switch is told to wait. */
RULE(R53,
     "**Output FIFO** (router_output). With `OutDepth` n (0: none, and no `Width`) flits that come from the switch and "
     "find their link "
     "narrow or shut wait in a FIFO of n flits, in order; the switch gives an output no flit for which there may be no "
     "place.") {
  bed_t *b = bed("router_output", FIFO);
  hold(b, "off", 1);
  for (unsigned t = 0; t < 6; t++) {
    output_cycle(b, t >= 1 && t <= 3, t < 3, t % 2);
    if (t >= 1 && t <= 3) drive_input(b, "st_flit", make_flit(HEAD | TAIL, 0, t));
    see(b, "busy", t >= 3);
    see(b, "waits", t >= 1);
    see(b, "out_valid", 0);
    tick(b);
  }
  hold(b, "off", 0);
  for (unsigned t = 0; t < 5; t++) {
    see(b, "busy", 0);
    see(b, "out_valid", t >= 1 && t <= 3);
    if (t >= 1 && t <= 3) see(b, "out_flit", make_flit(HEAD | TAIL, 0, t));
    tick(b);
  }
  b = bed("router_output", ""); /* none: width and off say nothing */
  hold(b, "off", 1);
  hold(b, "width", 3);
  output_cycle(b, false, true, 0);
  tick(b);
  output_cycle(b, true, false, 0);
  see(b, "busy", 0);
  see(b, "waits", 0);
  tick(b);
  see(b, "out_valid", 1);
}

/* Class 0 has no credit left downstream; what class 1 has in the
 * FIFO goes all the same, and nothing of class 0 is before it. */
RULE(R54, "They have used their credit at the switch, so that what is in a FIFO waits for its own link alone: a class "
          "cannot hold up another "
          "there.") {
  static const unsigned space[] = {3, 2, 0};
  bed_t *b = bed("router_output", "NumVCs=2,Classes=2,Depth=1,OutDepth=3");
  hold(b, "off", 1);
  for (unsigned t = 0; t < 3; t++) { /* VC 0, then VC 1 */
    output_cycle(b, t >= 1, t < 2, t);
    if (t) drive_input(b, "st_flit", make_flit(HEAD | TAIL, t - 1, 1));
    see(b, "space", space[t]);
    tick(b);
  }
  hold(b, "off", 0);
  for (unsigned t = 0; t < 4; t++) { /* no credit has come back */
    see(b, "space", 0);
    see(b, "out_valid", t == 1 || t == 2);
    if (t == 1 || t == 2) see(b, "out_flit", make_flit(HEAD | TAIL, t - 1, 1));
    tick(b);
  }
}

/* Three inputs send packets of two flits to port 1 whenever
 * they may, and nothing says that a link is managed. */
RULE(R55, "A link of width W takes every flit at once: a router whose links all have it goes, cycle for cycle, as one "
          "without FIFOs.") {
  bed_t *with = router("Ports=3,OutDepth=1,Crit=1,Width=1,EpochCycles=100"),
        *without = router("Ports=3,Crit=1,EpochCycles=100");
  unsigned seen = 0;
  for (unsigned t = 0; t < 200; t++) {
    bed_t *const beds[] = {with, without};
    for (unsigned n = 0; n < 2; n++) {
      for (unsigned p = 0; p < 3; p++)
        if (t % 40 < 4 + p) send_flit(beds[n], p, make_flit(t % 2 ? TAIL : HEAD, 0, 1));
      drive_input_at(beds[n], "ocr_valid", 1, 1, t % 40 >= 20 && t % 40 < 34);
      drive_input(beds[n], "epoch", t % 100 == 99);
      see(beds[n], "out_valid", shown(with, "out_valid"));
      see_at(beds[n], "out_flit", 64, 1, shown_at(with, "out_flit", 64, 1));
      see(beds[n], "probe_stall", shown(with, "probe_stall"));
      see(beds[n], "cr_valid", shown(with, "cr_valid"));
    }
    seen += shown(with, "out_valid") == 2;
    for (unsigned n = 0; n < 2; n++) tick(beds[n]);
  }
  assert_true(seen > 16);
}

/* Flits that leave their inputs while the link is off: the
 * FIFO's; those that may come in before: the buffers'. */
RULE(R56, "The FIFO's flits are beside the VC budget: a port has NumVCs * Depth flits of VC buffers, and OutDepth.") {
  bed_t *b = router(LINKS);
  unsigned left = 0;
  hold(b, "link", 2);
  drive_input(b, "epoch", 1);
  tick(b);
  for (unsigned t = 0; t < 25; t++) {
    for (unsigned p = 0; p < 3; p += 2) /* all of a VC's 8 flits, without a credit */
      if (t < 8) send_flit(b, p, make_flit(ends_at(t, 7), 0, 1));
    for (unsigned p = 0; p < 3; p++) left += (unsigned)(shown(b, "cr_valid") >> p & 1);
    see(b, "err", 0);
    see(b, "out_valid", 0);
    tick(b);
  }
  assert_int_equal(left, 2);
}

/* Ten flits of a packet for port 3, which has eight credits on
 * a VC; another packet for it waits, too: one stall a cycle. */
RULE(R27,
     "**Stall** of output o in a cycle: a flit for o cannot go. An active input VC has one and no credit; or one has "
     "come from the switch "
     "and its link is off or still carries another (so it is whenever the FIFO is full). At most one is counted a "
     "cycle and output.") {
  bed_t *b = bed("router", "");
  drive_input(b, "cfg_valid", 1);
  drive_input(b, "cfg_dest", 1);
  drive_input(b, "cfg_port", 3);
  tick(b);
  for (unsigned t = 0; t < 20; t++) {
    if (t < 10)
      for (unsigned p = 0; p < 2; p++) send_flit(b, p, make_flit(ends_at(t, 9), 0, 1));
    if (t < 5) see(b, "probe_stall", 0);
    tick(b);
  }
  ticks(b, 5);
  see(b, "probe_stall", 1u << 3);
  hold_at(b, "ocr_vc", 4, 3, 0);
  for (unsigned t = 0; t < 8; t++) {
    drive_input_at(b, "ocr_valid", 1, 3, 1);
    tick(b);
  }
  ticks(b, 9);
  see(b, "probe_stall", 1u << 3); /* the other one's VC still has none */
  bed_t *c = bed("router_crit", "");
  for (unsigned t = 0; t < 3; t++) {
    drive_input(c, "stall", 1u << 3);
    tick(c);
  }
  see_at(c, "probe_live", 20, 3, 3);
  bed_t *o = bed("router_output", FIFO); /* at W/4, credits enough: two flits come one after the other */
  hold(o, "width", 2);
  for (unsigned t = 0; t < 12; t++) {
    output_cycle(o, t == 1 || t == 2, t < 2, 0);
    see(o, "waits", t >= 2 && t < 5); /* the first starts in 1, the second in 5 */
    tick(o);
  }
  bed_t *r = router(LINKS);
  hold(r, "link", 2);
  drive_input(r, "epoch", 1); /* cycle 0; off in 2 .. 31 */
  tick(r);
  for (unsigned t = 1; t < 40; t++) {
    if (t == 4)
      send_flit(r, 0, make_flit(HEAD | TAIL, 0, 1)); /* on the wire; from the switch in 8, seen in the cycle after */
    see(r, "probe_stall", t >= 9 && t <= 32 ? 2 : 0);
    tick(r);
  }
}

RULE(R34,
     "While a link changes its width no flit starts on it for `Penalty` cycles (1 us; the paper does not say whether "
     "flits pass).") {
  bed_t *b = bed("router_width", "");
  drive_input(b, "start", 1);
  drive_input(b, "link", 1);
  see(b, "off", 0);
  tick(b);
  for (unsigned t = 0; t < 2500; t++) {
    see(b, "off", 1);
    tick(b);
  }
  see(b, "off", 0);
  bed_t *o = bed("router_output", FIFO);
  hold(o, "off", 1);
  for (unsigned t = 0; t < 10; t++) {
    output_cycle(o, t == 1, t == 0, 0);
    see(o, "out_valid", 0);
    tick(o);
  }
  hold(o, "off", 0);
  see(o, "out_valid", 0);
  tick(o);
  see(o, "out_valid", 1);
}

/* It is in the last of them that the flit is on the wire. */
RULE(R35, "At W/n a flit takes n cycles.") {
  for (unsigned code = 0; code < 4; code++) {
    bed_t *b = bed("router_output", FIFO);
    unsigned n = 1u << code; /* W/n */
    hold(b, "width", code);
    for (unsigned t = 0; t <= 1 + 3 * n; t++) { /* three flits, as early as they may */
      output_cycle(b, t >= 1 && t <= 3, t < 3, 0);
      see(b, "busy", 0);
      see(b, "out_valid", t > n && (t - 1) % n == 0);
      tick(b);
    }
    see(b, "out_valid", 0);
  }
}
