/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/tom/README.md about the offload controller of an SM. Numbers are worked out by
 * hand from the page and the TOM paper.
 */
#include "rule.h"
#include "unit_test.h"

enum { NONE, WAITS, RUNS, ASKS, FENCE, PACKS, AWAY, TOLD };
enum { SAVES_TX = 1, SAVES_RX = 2 };
enum { CONDITION, CHANNEL, LEARNING, NO_ACCESS, FULL };

/* An entry: begins at 0x1000, ends at 0x2000; bits
 * 0 and 1 of a condition are its kind, 0 always. */
static void put_entry(bed_t *b, unsigned idx, uint64_t in, uint64_t out, unsigned saves, uint64_t cond) {
  drive_input(b, "cfg_valid", 1);
  drive_input(b, "cfg_idx", idx);
  drive_input_at(b, "cfg_entry", 32, 0, 0x1000);
  drive_input_at(b, "cfg_entry", 32, 1, 0x2000);
  drive_input_at(b, "cfg_entry", 64, 1, in);
  drive_input_at(b, "cfg_entry", 64, 2, out);
  drive_input_at(b, "cfg_entry", 2, 96, saves);
  for (unsigned i = 0; i < 32; i++) drive_input_at(b, "cfg_entry", 2, 97 + i, cond >> 2 * i & 3);
}

/* Writes an entry with its begin at 0x1000, its end at 0x2000, and without registers. */
static void write_entry(bed_t *b, unsigned idx, unsigned saves, uint64_t cond) {
  put_entry(b, idx, 0, 0, saves, cond);
  tick(b);
}

/* A controller whose entry 0 is always to be offloaded. */
static bed_t *controller(void) {
  bed_t *b = bed("tom_ctrl", "");
  write_entry(b, 0, SAVES_TX | SAVES_RX, 0);
  return b;
}

/* The phase that a warp is in. */
static void see_phase(bed_t *b, unsigned warp, unsigned phase) {
  see_at(b, "probe_phase", 3, warp, phase);
}

/* A warp comes to the begin of entry idx with these threads. */
static void begin_instance(bed_t *b, unsigned warp, unsigned idx, uint32_t mask) {
  drive_input(b, "beg_valid", 1);
  drive_input(b, "beg_warp", warp);
  drive_input(b, "beg_idx", idx);
  drive_input(b, "beg_mask", mask);
  tick(b);
}

/* The warp's first access is to this stack. */
static void access_at(bed_t *b, unsigned warp, unsigned stack) {
  drive_input(b, "mem_valid", 1);
  drive_input(b, "mem_warp", warp);
  drive_input(b, "mem_stack", stack);
  tick(b);
}

/* The fence of this warp is done. */
static void fence_done(bed_t *b, unsigned warp) {
  drive_input(b, "fence_done_valid", 1);
  drive_input(b, "fence_done_warp", warp);
  tick(b);
}

/* The gate answers the ask with "gnt" or "nak". */
static void answer_ask(bed_t *b, const char *which) {
  await(b, "ask", 1, 9);
  drive_input(b, which, 1);
  tick(b);
}

/* An instance that is allowed to run as far as its first access. */
static void begin_and_run(bed_t *b, unsigned warp, unsigned idx) {
  begin_instance(b, warp, idx, 1);
  await(b, "run_valid", 1, 9);
}

/* An instance as far as its fence. */
static void grant_instance(bed_t *b, unsigned warp, unsigned stack) {
  begin_and_run(b, warp, 0);
  access_at(b, warp, stack);
  answer_ask(b, "gnt");
  see_phase(b, warp, FENCE);
}

/* An instance as far as its request, which the stack has taken. */
static void send_request(bed_t *b, unsigned warp) {
  grant_instance(b, warp, 0);
  fence_done(b, warp);
  await(b, "out_last", 1, 20);
  drive_input(b, "credit", 1);
  tick(b);
  see_phase(b, warp, AWAY);
}

/* The header of an acknowledgement. */
static void put_ack(bed_t *b, unsigned warp, unsigned outs) {
  drive_input(b, "ack_valid", 1);
  drive_input(b, "ack_last", !outs);
  drive_input_at(b, "ack_beat", 32, 0, warp | 1 << 8);
  drive_input_at(b, "ack_beat", 32, 1, 1);
  drive_input_at(b, "ack_beat", 32, 2, outs);
}

RULE(T42, "A warp has one instance at most, and stands still while it has one that is not running on; others go on "
          "meanwhile: \"the pipeline can schedule and "
          "execute other warps while waiting for the offloading decision\".") {
  bed_t *b = controller();
  send_request(b, 47);
  grant_instance(b, 0, 1);
  begin_and_run(b, 1, 0);
  begin_instance(b, 2, 0, 1);
  begin_instance(b, 3, 0, 1);
  see_phase(b, 47, AWAY);
  see_phase(b, 0, FENCE);
  see_phase(b, 1, RUNS);
  see_phase(b, 2, WAITS);
  see_phase(b, 3, WAITS);
  see_phase(b, 4, NONE);
  ticks(b, 20);
  see_phase(b, 3, RUNS);
  see_phase(b, 0, FENCE);
}

/* steps of register 9, twice as many; from register 5 up to register 63 */
static const uint64_t steps = 2 | 1 << 2 | 1 << 4 | 1 << 8 | 5 << 9 | 1 << 15 | 63 << 16 | 9 << 22;

/* Start 100, bound 110. */
static void decide_on_steps(bed_t *b, unsigned step) {
  begin_instance(b, 47, 7, 0xffff0000);
  ticks(b, 2);
  see(b, "op_valid", 1);
  see(b, "op_warp", 47);
  see(b, "op_reg", 5);
  tick(b);
  see(b, "op_reg", 63);
  drive_input_at(b, "op_data", 32, 16, 100);
  tick(b);
  see(b, "op_valid", 1);
  see(b, "op_reg", 9);
  drive_input_at(b, "op_data", 32, 16, 110);
  drive_input_at(b, "op_data", 32, 0, 1000);
  tick(b);
  see(b, "op_valid", 0);
  see(b, "probe_decides", 1);
  drive_input_at(b, "op_data", 32, 16, step);
  tick(b);
}

RULE(T43,
     "The decision's first step \"checks whether the condition for offloading is true [...] by getting the "
     "corresponding register value\": registers are "
     "read one a cycle, start, bound, step, those that are named, the first of them in the second cycle after the warp "
     "was chosen; the first active thread's "
     "words count. It is decided when the last is there (ours).") {
  bed_t *b = controller();
  write_entry(b, 7, SAVES_TX | SAVES_RX, steps);
  decide_on_steps(b, 6);
  see(b, "run_valid", 0);
  see_phase(b, 47, TOLD);
  ticks(b, 2);
  decide_on_steps(b, 5);
  see(b, "run_valid", 1);
  see(b, "run_warp", 47);
  begin_instance(b, 1, 0, 1); /* none is named */
  ticks(b, 2);
  see(b, "op_valid", 0);
  see(b, "probe_decides", 1);
}

/* What comes of an instance of an entry without registers; -1: it runs on. */
static void see_verdict(bed_t *b, unsigned warp, unsigned idx, int why) {
  begin_instance(b, warp, idx, 1);
  ticks(b, 3);
  see(b, "run_valid", why < 0);
  see_phase(b, warp, why < 0 ? RUNS : TOLD);
  tick(b);
  see(b, "res_valid", why >= 0);
  if (why < 0) return;
  see(b, "res_warp", warp);
  see(b, "res_why", (unsigned)why);
  see_phase(b, warp, NONE);
}

RULE(T44,
     "The second: \"if one of the TX/RX channels is signaled as busy [...] and the 2-bit tag for this block indicates "
     "that it would introduce more memory "
     "traffic to a busy channel, the Offload Controller does not offload it\".") {
  bed_t *b = controller();
  write_entry(b, 1, SAVES_TX, 0);
  write_entry(b, 2, SAVES_RX, 0);
  write_entry(b, 3, 0, 0);
  see_verdict(b, 3, 3, -1);
  hold(b, "hot_tx", 1);
  see_verdict(b, 1, 1, -1);
  see_verdict(b, 2, 2, CHANNEL);
  see_verdict(b, 5, 3, CHANNEL);
  hold(b, "hot_rx", 1);
  see_verdict(b, 4, 1, CHANNEL);
  see_verdict(b, 0, 0, -1);
  hold(b, "hot_tx", 0);
  see_verdict(b, 2, 2, -1);
  see_verdict(b, 4, 1, CHANNEL);
}

RULE(T45, "Nor does it while the map is learnt (ours).") {
  bed_t *b = controller();
  hold(b, "learn", 1);
  see_verdict(b, 9, 0, LEARNING);
  hold(b, "learn", 0);
  see_verdict(b, 9, 0, -1);
}

RULE(T46,
     "The third takes \"the memory stack that will be accessed by the first instruction of the block\"; the controller "
     "\"asks the pipeline to execute "
     "until the first memory instruction\". An instance that comes to none is not offloaded (ours).") {
  bed_t *b = controller();
  begin_and_run(b, 9, 0);
  see(b, "run_warp", 9);
  ticks(b, 50);
  see_phase(b, 9, RUNS);
  access_at(b, 9, 5);
  see(b, "ask", 0);
  tick(b);
  see(b, "ask", 1);
  see(b, "ask_stack", 5);
  begin_and_run(b, 8, 0);
  drive_input(b, "mem_none", 1);
  access_at(b, 8, 5);
  see_phase(b, 8, TOLD);
  tick(b);
  see(b, "res_valid", 1);
  see(b, "res_warp", 8);
  see(b, "res_why", NO_ACCESS);
}

RULE(T47,
     "It asks for one instance at a time, until it is answered; then it does not ask for a cycle (ours). Refused, it "
     "\"skips offloading\".") {
  bed_t *b = controller();
  begin_and_run(b, 3, 0);
  begin_and_run(b, 4, 0);
  access_at(b, 3, 2);
  access_at(b, 4, 6);
  for (unsigned i = 0; i < 20; i++) {
    see(b, "ask", 1);
    see(b, "ask_stack", 2);
    tick(b);
  }
  drive_input(b, "nak", 1);
  tick(b);
  see(b, "ask", 0);
  tick(b);
  see(b, "ask", 1);
  see(b, "ask_stack", 6);
  see(b, "res_valid", 1);
  see(b, "res_warp", 3);
  see(b, "res_why", FULL);
}

RULE(T48,
     "A warp whose instance is not offloaded is told so, with the first of these reasons that holds, two cycles after; "
     "it goes on as always.") {
  bed_t *b = controller();
  write_entry(b, 1, 0, 3); /* never */
  write_entry(b, 2, 0, 0);
  hold(b, "hot_tx", 1);
  hold(b, "learn", 1);
  see_verdict(b, 20, 1, CONDITION);
  see_verdict(b, 20, 2, CHANNEL);
  see_verdict(b, 20, 0, LEARNING);
}

RULE(T49,
     "Granted, nothing is sent until the SM says that it has pushed \"all memory update traffic from itself to memory "
     "before issuing the offloading "
     "request\", and that the live-ins are there.") {
  bed_t *b = controller();
  grant_instance(b, 30, 2);
  see(b, "fence_valid", 1);
  see(b, "fence_warp", 30);
  for (unsigned i = 0; i < 30; i++) {
    tick(b);
    see(b, "fence_valid", 0);
    see(b, "out_valid", 0);
  }
  see_phase(b, 30, FENCE);
  fence_done(b, 30);
  see_phase(b, 30, PACKS);
}

RULE(T50,
     "A request has the PCs, live-ins and live-outs of its entry, the threads of its begin and the stack of its first "
     "access. `tom_pack` takes it in the "
     "second cycle after the fence, if it is free.") {
  static const uint32_t words[] = {47 | 3 << 8, 0x1000, 0x2000, 0x00ff0000, 1 << 5, 0, 0, 1u << 31, 0};
  bed_t *b = controller();
  put_entry(b, 39, 1 << 5, UINT64_C(1) << 63, 3, 0);
  tick(b);
  begin_instance(b, 47, 39, 0x00ff0000);
  await(b, "run_valid", 1, 9);
  access_at(b, 47, 3);
  answer_ask(b, "gnt");
  fence_done(b, 47);
  for (unsigned t = 1; t < 12; t++) {
    see(b, "out_valid", 0);
    see(b, "rd_valid", t == 11);
    tick(b);
  }
  see(b, "out_valid", 1);
  see(b, "out_last", 0);
  for (unsigned i = 0; i < 9; i++) see_at(b, "out_beat", 32, i, words[i]);
  drive_input_at(b, "rd_data", 32, 31, 0x1234);
  tick(b);
  see(b, "out_last", 1);
  see_at(b, "out_beat", 32, 31, 0x1234);
  see_phase(b, 47, AWAY);
}

RULE(T51,
     "An acknowledgement \"restarts the corresponding warp from the next instruction of the end of the block\": at its "
     "entry's exit, in the second cycle "
     "after the last register was written or line was taken.") {
  bed_t *b = controller();
  send_request(b, 12);
  put_ack(b, 12, 1);
  tick(b);
  drive_input(b, "ack_valid", 1);
  drive_input(b, "ack_last", 1);
  drive_input_at(b, "ack_beat", 32, 0, 0x99);
  tick(b);
  see(b, "wr_valid", 1);
  see(b, "wr_warp", 12);
  see_at(b, "wr_row", 32, 0, 0x99);
  tick(b);
  see(b, "done_valid", 0);
  see_phase(b, 12, AWAY);
  tick(b);
  see(b, "done_valid", 1);
  see(b, "done_warp", 12);
  see(b, "done_exit", 0x2000);
  see_phase(b, 12, NONE);
  tick(b);
  see(b, "done_valid", 0);
}

/* The next warp that is told to run on the GPU is this one. */
static void see_run(bed_t *b, unsigned warp) {
  await(b, "run_valid", 1, 9);
  see(b, "run_warp", warp);
  tick(b);
}

/* The next ask is for this stack, and is granted. */
static void see_ask(bed_t *b, unsigned stack) {
  await(b, "ask", 1, 9);
  see(b, "ask_stack", stack);
  drive_input(b, "gnt", 1);
  tick(b);
}

/* The next request that leaves, up to its last beat, is of this warp. */
static void see_request(bed_t *b, unsigned warp) {
  await(b, "out_last", 1, 40);
  see_at(b, "out_beat", 8, 0, warp);
  tick(b);
}

RULE(T52,
     "Warps that wait for the decision, for the ask, to be packed or to be told are taken in turn, so nobody waits for "
     "ever (ours).") {
  static const unsigned came[] = {10, 3, 20};
  bed_t *b = controller();
  for (unsigned i = 0; i < 3; i++) begin_instance(b, came[i], 0, 1);
  see_run(b, 10);
  see_run(b, 20);
  see_run(b, 3);
  for (unsigned i = 0; i < 3; i++) access_at(b, came[i], i);
  see_ask(b, 0);
  see_ask(b, 2);
  see_ask(b, 1);
  for (unsigned i = 0; i < 3; i++) fence_done(b, came[i]);
  see_request(b, 10);
  see_request(b, 20);
  see_request(b, 3);
}

RULE(T53, "Of the table one entry is read a cycle: an end goes first, then a request, then a decision (ours).") {
  bed_t *b = controller();
  send_request(b, 1);
  grant_instance(b, 2, 0);
  put_ack(b, 1, 0);
  drive_input(b, "fence_done_valid", 1);
  drive_input(b, "fence_done_warp", 2);
  begin_instance(b, 3, 0, 1);
  see(b, "probe_read", 3);
  tick(b);
  see(b, "probe_read", 2);
  see(b, "done_valid", 1);
  tick(b);
  see(b, "probe_read", 1);
  see_phase(b, 2, AWAY);
  tick(b);
  see(b, "probe_read", 0);
}

RULE(T54, "Its entries are written while no warp has an instance (ours).") {
  bed_t *b = controller();
  see(b, "cfg_ready", 1);
  begin_instance(b, 5, 0, 1);
  see(b, "cfg_ready", 0);
  write_entry(b, 0, 0, 3); /* never: is not written */
  await(b, "run_valid", 1, 9);
  drive_input(b, "mem_none", 1);
  access_at(b, 5, 0);
  tick(b);
  see(b, "cfg_ready", 1);
  write_entry(b, 0, 0, 3);
  see_verdict(b, 5, 0, CONDITION);
}

/* This one fault, which nobody notices else. */
static void see_fault(bed_t *b, unsigned bit) {
  tick(b);
  see(b, "err", 1u << bit);
  see(b, "cfg_ready", 1);
  ticks(b, 9);
  see(b, "err", 1u << bit);
  restart(b);
  see(b, "err", 0);
}

RULE(T55,
     "What an SM, the gate or a stack should not do is flagged until reset, by kinds: begins and entries, reports of "
     "the SM, answers, acknowledgements, "
     "credits. It has no other effect, but that rows are written all the same.") {
  bed_t *b = controller();
  drive_input(b, "beg_valid", 1); /* of no thread */
  see_fault(b, 0);
  drive_input(b, "beg_valid", 1);
  drive_input(b, "beg_mask", 1);
  drive_input(b, "beg_idx", 40);
  see_fault(b, 0);
  drive_input(b, "beg_valid", 1);
  drive_input(b, "beg_mask", 1);
  drive_input(b, "beg_warp", 48);
  see_fault(b, 0);
  drive_input(b, "cfg_valid", 1);
  drive_input(b, "cfg_idx", 63);
  see_fault(b, 0);
  drive_input(b, "mem_valid", 1);
  see_fault(b, 1);
  drive_input(b, "fence_done_valid", 1);
  see_fault(b, 1);
  drive_input(b, "gnt", 1);
  see_fault(b, 2);
  drive_input(b, "nak", 1);
  see_fault(b, 2);
  drive_input(b, "credit", 1);
  see_fault(b, 4);
  put_ack(b, 6, 0);
  tick(b);
  see_fault(b, 3);
  put_ack(b, 6, 1);
  tick(b);
  drive_input(b, "ack_valid", 1);
  drive_input(b, "ack_last", 1);
  tick(b);
  see(b, "wr_valid", 1);
  see_fault(b, 3);
  begin_instance(b, 6, 0, 1);
  begin_instance(b, 6, 0, 1); /* has one */
  see(b, "err", 1);
}
