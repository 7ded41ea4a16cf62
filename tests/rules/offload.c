/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/offload/README.md that default parameters show. Numbers are worked out by hand
 * from the page and the NSU paper.
 */
#include "rule.h"
#include "unit_test.h"

enum { EPOCH = 30000 };

/* The rest of an epoch of which `gone` cycles are over, with so many more instructions, up to
 * the cycle in which its end is told. */
static void rest_of_epoch(bed_t *b, unsigned gone, unsigned instrs) {
  for (unsigned t = gone; t < EPOCH; t++) {
    drive_input(b, "run", 1);
    if (t == gone && instrs) drive_input(b, "done_valid", 1), drive_input(b, "done_instrs", instrs);
    tick(b);
  }
  tick(b);
  see(b, "epoch_end", 1);
}

/* A whole epoch in which so many instructions are told. */
static void run_epoch(bed_t *b, unsigned instrs) {
  rest_of_epoch(b, 0, instrs);
}

/* Epochs of these sums; behind each the ratio. */
static void see_epochs(bed_t *b, unsigned n, const unsigned instrs[], const unsigned ratio[]) {
  for (unsigned i = 0; i < n; i++) {
    run_epoch(b, instrs[i]);
    see(b, "ratio", ratio[i]);
  }
}

/* The sums only grow, so the ratio goes up by the step of 3 from 2 to 20: 7 epochs, of which the
 * first decides nothing. 20 twentieths of 2^32 are all hashes. */
RULE(O1, "Ratios and steps are twentieths: 20 is every block, and 1 is Algorithm 1's unit of 0.05.") {
  bed_t *b = bed("ofld_ratio", "");
  see(b, "ratio", 2);      /* the paper's initial ratio, 0.1 */
  see(b, "probe_step", 3); /* its initial step, 0.15 */
  see_epochs(b, 7, (unsigned[]){1, 2, 3, 4, 5, 6, 7}, (unsigned[]){2, 5, 8, 11, 14, 17, 20});
  see(b, "threshold", UINT64_C(1) << 32);
}

/* 29,999 cycles with `run`, 1,000 without, one more: only then is the epoch over. */
RULE(O2, "An epoch is `EpochCycles` cycles in which `run` is high; nothing is forgotten in others.") {
  bed_t *b = bed("ofld_ratio", "");
  drive_input(b, "done_valid", 1);
  drive_input(b, "done_instrs", 7);
  for (unsigned t = 0; t < 29999; t++) {
    drive_input(b, "run", 1);
    tick(b);
  }
  ticks(b, 1000);
  see(b, "probe_count", 7);
  see(b, "epoch_end", 0);
  drive_input(b, "run", 1);
  ticks(b, 2);
  see(b, "epoch_end", 1);
  see(b, "probe_prev", 7);
}

/* 65,536 times 65,535 is 0xffff0000; the next would be more than 2^32 - 1. */
RULE(O3,
     "Instructions that are told (`done_valid`) count in the epoch of that cycle, whether `run` is high or not; a sum "
     "stays at its highest "
     "value.") {
  bed_t *b = bed("ofld_ratio", "");
  hold(b, "done_instrs", 65535);
  tick(b);
  see(b, "probe_count", 0);
  hold(b, "done_valid", 1);
  ticks(b, 65536);
  see(b, "probe_count", 0xffff0000);
  tick(b);
  see(b, "probe_count", 0xffffffff);
  tick(b);
  see(b, "probe_count", 0xffffffff);
}

RULE(O4, "`epoch_end` is high in the second cycle after an epoch's last one, and from that cycle on `ratio` is the new "
         "one.") {
  bed_t *b = bed("ofld_ratio", "");
  run_epoch(b, 1); /* its cycle t + 2 would be the second one of the next epoch: nothing runs in it */
  for (unsigned t = 0; t < 30000; t++) {
    drive_input(b, "run", 1);
    drive_input(b, "done_valid", t == 29999);
    drive_input(b, "done_instrs", 2);
    tick(b);
    see(b, "epoch_end", 0);
  }
  see(b, "ratio", 2);
  tick(b);
  see(b, "epoch_end", 1);
  see(b, "ratio", 5);
  see(b, "probe_prev", 2);
  tick(b);
  see(b, "epoch_end", 0);
  see(b, "ratio", 5);
}

RULE(O5, "After reset the ratio is `Init`, the step `StepInit`, the direction up, the history empty.") {
  bed_t *b = bed("ofld_ratio", "");
  see(b, "ratio", 2);
  see(b, "probe_step", 3);
  see(b, "probe_up", 1);
  see(b, "probe_history", 0);
}

RULE(O6, "At the first epoch's end nothing is decided (\"At the end of each epoch except for the first\").") {
  bed_t *b = bed("ofld_ratio", "");
  run_epoch(b, 0);
  see(b, "ratio", 2);
  see(b, "probe_step", 3);
  see(b, "probe_up", 1);
  see(b, "probe_history", 0);
}

RULE(O7,
     "\"If the throughput is increased, the offload ratio is further moved in the same direction [...] by the current "
     "step size.\"") {
  bed_t *b = bed("ofld_ratio", "");
  see_epochs(b, 3, (unsigned[]){10, 11, 12}, (unsigned[]){2, 5, 8}); /* up */
  see_epochs(b, 2, (unsigned[]){11, 12}, (unsigned[]){5, 2});        /* worse: down, and then on downwards */
}

/* Down after 11 < 12, and up again after 10 < 11. */
RULE(O8,
     "\"On the contrary, if the throughput is decreased, the offload ratio is varied in the opposite direction\".") {
  bed_t *b = bed("ofld_ratio", "");
  see_epochs(b, 5, (unsigned[]){10, 11, 12, 11, 10}, (unsigned[]){2, 5, 8, 5, 8});
}

/* 10 after 10 goes on upwards; 9 after 10 turns. */
RULE(O9, "The same throughput is no decrease (\"if cur avg ipc < prev avg ipc\").") {
  bed_t *b = bed("ofld_ratio", "");
  see_epochs(b, 3, (unsigned[]){10, 10, 9}, (unsigned[]){2, 5, 2});
}

/* A bit for each of the last four epochs, 1 for a change, the newest lowest. The first epoch has
 * none. */
RULE(O10, "\"The algorithm keeps a history of the changes in the direction of movement\": of the last `Window` epochs, "
          "changed or not.") {
  bed_t *b = bed("ofld_ratio", "");
  static const unsigned instrs[] = {10, 9, 10, 10, 9, 10, 11}, history[] = {0, 1, 2, 4, 9, 2, 4};
  for (unsigned i = 0; i < 7; i++) {
    run_epoch(b, instrs[i]);
    see(b, "probe_history", history[i]);
  }
}

/* Of a history of four three are more than a half, two are not. */
RULE(O11,
     "\"If there were more changes in the direction than moving in the same direction, a smaller step is used\": by "
     "one, not below "
     "`StepMin`.") {
  bed_t *b = bed("ofld_ratio", "");
  static const unsigned instrs[] = {10, 9, 8, 7, 6}, step[] = {3, 3, 3, 2, 1};
  for (unsigned i = 0; i < 5; i++) {
    run_epoch(b, instrs[i]);
    see(b, "probe_step", step[i]);
  }
}

/* Falling sums change the direction every time and fill the history; rising ones empty it, and
 * the step grows back to its most, 3. */
RULE(O12, "\"Otherwise, a larger step size is used\": by one, not above `StepMax`.") {
  bed_t *b = bed("ofld_ratio", "");
  static const unsigned instrs[] = {10, 9, 8, 7, 6, 7, 8, 9, 10}, step[] = {3, 3, 3, 2, 1, 2, 3, 3, 3},
                        history[] = {0, 1, 3, 7, 15, 14, 12, 8, 0};
  for (unsigned i = 0; i < 9; i++) {
    run_epoch(b, instrs[i]);
    see(b, "probe_step", step[i]);
    see(b, "probe_history", history[i]);
  }
}

/* The step is 1 when the fifth epoch ends. The sixth, another change, does not make it smaller
 * but larger; the seventh makes it smaller again. */
RULE(O13,
     "The smallest step grows also after more changes than not: it is Algorithm 1's \"else\" that is taken, not the "
     "text.") {
  bed_t *b = bed("ofld_ratio", "");
  static const unsigned instrs[] = {10, 9, 8, 7, 6, 5, 4}, step[] = {3, 3, 3, 2, 1, 2, 1};
  for (unsigned i = 0; i < 7; i++) {
    run_epoch(b, instrs[i]);
    see(b, "probe_step", step[i]);
  }
}

/* From 20 a step of 3 upwards is not made: the ratio stays for an epoch, then goes down to 17. */
RULE(O14,
     "A move that would end below 0 or above 20 is not made: the ratio stays, and the direction is reversed, which the "
     "history does not "
     "have. (Algorithm 1's guard, taken by its words, never leaves 0 or 1 again.)") {
  bed_t *b = bed("ofld_ratio", "");
  see_epochs(b, 9, (unsigned[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, (unsigned[]){2, 5, 8, 11, 14, 17, 20, 20, 17});
  see(b, "probe_history", 0);
  b = bed("ofld_ratio", "");
  see_epochs(b, 4, (unsigned[]){9, 8, 8, 8}, (unsigned[]){2, 2, 5, 8}); /* down from 2 by 3: no */
  see(b, "probe_history", 4);
}

RULE(O16,
     "`threshold` is ratio * 2^32 / 20, rounded down; who decides on a block offloads it if its hash of 32 bits is "
     "less.") {
  bed_t *b = bed("ofld_ratio", "");
  see(b, "threshold", 429496729); /* 2 / 20 of 4294967296 is 429496729.6 */
  see_epochs(b, 2, (unsigned[]){1, 1}, (unsigned[]){2, 5});
  see(b, "threshold", 1073741824);
  see_epochs(b, 1, (unsigned[]){1}, (unsigned[]){8});
  see(b, "threshold", 1717986918); /* .4 */
}

/* --- The NDP buffer manager: 10 command entries, 256 of either other kind */

/* A block's request for entries in the coming cycle. */
static void request_block(bed_t *b, unsigned tag, unsigned rd, unsigned wr) {
  drive_input(b, "req_valid", 1);
  drive_input(b, "req_tag", tag);
  drive_input(b, "req_rd", rd);
  drive_input(b, "req_wr", wr);
}

/* An NSU gives so many entries of each kind back. */
static void free_entries(bed_t *b, unsigned cmd, unsigned rd, unsigned wr) {
  drive_input(b, "cr_valid", 1);
  drive_input(b, "cr_cmd", cmd);
  drive_input(b, "cr_rd", rd);
  drive_input(b, "cr_wr", wr);
}

#define see_credits(b, cmd, rd, wr) (see(b, "probe_cmd", cmd), see(b, "probe_rd", rd), see(b, "probe_wr", wr))

RULE(O18, "It \"keeps the credit counts for the different buffers (i.e., offload command, read data, and write address "
          "buffers)\", here of one NSU; "
          "after reset every entry is free.") {
  see_credits(bed("ofld_credits", ""), 10, 256, 256);
}

RULE(O19, "\"The SM sends a buffer reservation request to the buffer manager on the GPU at the beginning of an offload "
          "block\": for one command "
          "entry, `req_rd` read data and `req_wr` write address entries.") {
  bed_t *b = bed("ofld_credits", "");
  request_block(b, 77, 3, 2);
  see(b, "gnt_valid", 0);
  tick(b);
  see(b, "gnt_valid", 1);
  see(b, "gnt_tag", 77);
  tick(b);
  see(b, "gnt_valid", 0);
  see_credits(b, 9, 253, 254);
}

/* Of one kind too few, of the others enough. */
static void short_of(unsigned cmd, unsigned rd, unsigned wr) {
  bed_t *b = bed("ofld_credits", "");
  for (unsigned n = 0; n < 10; n++) { /* a request and a grant in each cycle: 10, 250, 250 taken */
    request_block(b, n, 25, 25);
    tick(b);
    see(b, "gnt_valid", 1);
    see(b, "gnt_tag", n);
  }
  tick(b);
  free_entries(b, cmd, rd, wr);
  request_block(b, 99, 10, 10);
  for (unsigned t = 0; t < 3; t++) {
    tick(b);
    see(b, "gnt_valid", 0);
    see_credits(b, cmd, 6 + rd, 6 + wr);
  }
  free_entries(b, 1 - cmd, 4 - rd, 4 - wr);
  tick(b);
  see(b, "gnt_valid", 1);
  see(b, "gnt_tag", 99);
  tick(b);
  see_credits(b, 0, 0, 0);
}

RULE(O20,
     "\"And the request is granted if there are sufficient credits\": of all three kinds at once or not at all, in the "
     "first such cycle, and "
     "one request a cycle.") {
  short_of(0, 4, 4);
  short_of(1, 3, 4);
  short_of(1, 4, 3);
}

/* 127 + 127 of 256 read data entries are taken, so 2 are left. After two more the third takes 3,
 * the fifth the last one, and 5 of 10 commands are left. */
RULE(O21, "Requests are granted in the order in which they came (ours): a small one does not pass a large one.") {
  bed_t *b = bed("ofld_credits", "");
  static const unsigned rd[] = {127, 127, 3, 0, 1};
  for (unsigned n = 0; n < 5; n++) {
    request_block(b, n, rd[n], 0);
    tick(b);
  }
  ticks(b, 2);
  see(b, "gnt_valid", 0); /* 2 are free, the third wants 3 */
  see(b, "probe_count", 3);
  free_entries(b, 0, 2, 0);
  tick(b);
  for (unsigned n = 2; n < 5; n++) {
    see(b, "gnt_valid", 1);
    see(b, "gnt_tag", n);
    tick(b);
  }
  see_credits(b, 5, 0, 256);
}

/* 256 - 9 = 247 and 256 - 5 = 251. Then 247 + 9 - 20 = 236 and 251 + 4 - 30 = 225; one command
 * came, one went. */
RULE(O22,
     "\"The NSU sends a credit to the buffer manager as buffer entries become available\": they count from the next "
     "cycle on, whatever is "
     "granted in this one.") {
  bed_t *b = bed("ofld_credits", "");
  request_block(b, 1, 9, 5);
  tick(b);
  request_block(b, 2, 20, 30);
  tick(b);
  see_credits(b, 9, 247, 251);
  see(b, "gnt_valid", 1);
  free_entries(b, 1, 9, 4);
  see_credits(b, 9, 247, 251);
  tick(b);
  see_credits(b, 9, 236, 225);
}

/* --- The score of a block: 64 entries, MinInstances 16, Retry 8 */

/* An instance of the block has ended: its stores, registers, misses, and the bytes that caches
 * sent for it. */
static void update_score(bed_t *b, unsigned block, unsigned stores, unsigned regs, unsigned misses,
                         unsigned hit_bytes) {
  drive_input(b, "upd_valid", 1);
  drive_input(b, "upd_block", block);
  drive_input(b, "upd_stores", stores);
  drive_input(b, "upd_regs", regs);
  drive_input(b, "upd_misses", misses);
  drive_input(b, "upd_hit_bytes", hit_bytes);
  tick(b);
}

/* So many instances of a block with the same numbers. */
static void update_scores(bed_t *b, unsigned n, unsigned block, unsigned stores, unsigned regs, unsigned misses,
                          unsigned hit_bytes) {
  while (n--) update_score(b, block, stores, regs, misses, hit_bytes);
}

#define ALL_BUT(block) (UINT64_MAX ^ UINT64_C(1) << (block))

#define see_entry(b, n, misses, bytes) \
  (see(b, "probe_n", n), see(b, "probe_misses", misses), see(b, "probe_hit_bytes", bytes))

/* The probes show an update's entry in the second cycle after it. 5 + 7 = 12 and 144 + 288 =
 * 432. */
RULE(O24,
     "\"For each offload block, the number of RDF packets generated and the number of cache hits for the RDF packets "
     "are accumulated\": in the block's "
     "entry there are instances that have ended on an NSU, their misses, and the bytes of the answers of caches, "
     "summed.") {
  bed_t *b = bed("ofld_score", "");
  update_score(b, 3, 1, 2, 5, 144);
  see(b, "probe_valid", 0);
  update_score(b, 63, 1, 2, 4095, 1048575);
  see(b, "probe_valid", 1);
  see(b, "probe_block", 3);
  see_entry(b, 1, 5, 144);
  update_score(b, 3, 1, 2, 7, 288);
  see(b, "probe_block", 63);
  see_entry(b, 1, 4095, 1048575);
  update_score(b, 3, 1, 2, 1, 0);
  see_entry(b, 2, 12, 432);
  tick(b);
  see_entry(b, 3, 13, 432);
  tick(b);
  see(b, "probe_valid", 0);
}

/* 4095 * 3 = 12285 and 4095 * 5 = 20475. Halved: 2047, 6142 and 10237, to which the next one is
 * added. */
RULE(O26,
     "An entry that holds 2^`CountBits` - 1 instances is halved, each of the three rounded down, before the next one "
     "is added.") {
  bed_t *b = bed("ofld_score", "");
  update_scores(b, 4095, 9, 1, 1, 3, 5);
  tick(b);
  see_entry(b, 4095, 12285, 20475);
  update_score(b, 9, 1, 1, 3, 5);
  tick(b);
  see_entry(b, 2048, 6142 + 3, 10237 + 5);
}

RULE(O29,
     "With `Rule` 1 (ours) the score is that of all instances together, without rounding, and what caches sent over "
     "the links for them is taken off, "
     "too: the paper's Benefit cannot be below that of the stores, however often data were in a cache.") {
  bed_t *b = bed("ofld_score", "");
  update_scores(b, 15, 0, 1, 2, 1, 0); /* a line and a store against two registers: nothing is left */
  update_score(b, 0, 1, 2, 2, 127);    /* a line more, of which a byte less than all is taken off */
  tick(b);
  see_entry(b, 16, 17, 127);
  see(b, "probe_worth", 1);
  update_score(b, 0, 1, 2, 1, 1);
  tick(b);
  see_entry(b, 17, 18, 128);
  see(b, "probe_worth", 0);
}

RULE(O30, "A block with fewer than `MinInstances` instances may be offloaded whatever its score is.") {
  bed_t *b = bed("ofld_score", "");
  update_scores(b, 15, 7, 0, 4, 0, 1000);
  ticks(b, 5);
  see(b, "allow", UINT64_MAX);
  update_score(b, 7, 0, 4, 0, 1000);
  ticks(b, 4);
  see(b, "allow", ALL_BUT(7));
}

RULE(O31, "A verdict follows each update, and `allow` has it from the fourth cycle after the update's on.") {
  bed_t *b = bed("ofld_score", "");
  update_scores(b, 15, 7, 0, 1, 0, 0);
  ticks(b, 5);
  update_score(b, 7, 0, 1, 0, 0); /* no misses, a register */
  ticks(b, 2);
  see(b, "allow", UINT64_MAX);
  tick(b);
  see(b, "allow", ALL_BUT(7));
  update_score(b, 7, 0, 1, 17, 0); /* 17 lines of 17 instances */
  ticks(b, 4);
  see(b, "allow", ALL_BUT(7));
  update_score(b, 7, 0, 1, 2, 0);
  ticks(b, 2);
  see(b, "allow", ALL_BUT(7));
  tick(b);
  see(b, "allow", UINT64_MAX);
}

RULE(O32, "After reset all blocks may be offloaded.") {
  see(bed("ofld_score", ""), "allow", UINT64_MAX);
}

/* An epoch ends in the coming cycle. */
static void end_epoch(bed_t *b) {
  drive_input(b, "epoch_end", 1);
  tick(b);
}

RULE(O33, "With the `Retry`-th end of an epoch, those before the last time not counted, all blocks that may not be "
          "offloaded may be from the second cycle "
          "after on, with empty entries; those that may keep theirs.") {
  bed_t *b = bed("ofld_score", "");
  update_scores(b, 16, 7, 0, 1, 0, 0);
  update_scores(b, 2, 8, 0, 1, 3, 0);
  ticks(b, 4);
  for (unsigned e = 0; e < 7; e++) end_epoch(b);
  see(b, "allow", ALL_BUT(7));
  see(b, "probe_epochs", 7);
  end_epoch(b);
  see(b, "allow", ALL_BUT(7));
  see(b, "probe_epochs", 0);
  tick(b);
  see(b, "allow", UINT64_MAX);
  update_score(b, 7, 0, 1, 2, 1);
  update_score(b, 8, 0, 1, 3, 0);
  see_entry(b, 1, 2, 1);
  tick(b);
  see_entry(b, 3, 9, 0);
  update_scores(b, 15, 7, 0, 1, 0, 0); /* 2 lines of 16 instances */
  ticks(b, 4);
  see(b, "allow", ALL_BUT(7));
  for (unsigned e = 0; e < 7; e++) end_epoch(b);
  ticks(b, 2);
  see(b, "allow", ALL_BUT(7));
  end_epoch(b);
  tick(b);
  see(b, "allow", UINT64_MAX);
}

RULE(O34,
     "The verdict of an update in the cycle before that end is dropped, one in the cycle of the end begins the new "
     "entry.") {
  bed_t *b = bed("ofld_score", "");
  update_scores(b, 16, 7, 0, 1, 0, 0);
  ticks(b, 4);
  for (unsigned e = 0; e < 7; e++) end_epoch(b);
  update_score(b, 7, 0, 1, 0, 0);
  drive_input(b, "epoch_end", 1);
  update_score(b, 7, 0, 1, 6, 5);
  tick(b);
  see(b, "allow", UINT64_MAX);
  see_entry(b, 1, 6, 5);
  ticks(b, 4);
  see(b, "allow", UINT64_MAX);
}

RULE(O36, "`clear` is as a reset: another program's blocks are others. An update in that cycle or on its way has no "
          "effect.") {
  bed_t *b = bed("ofld_score", "");
  update_scores(b, 16, 7, 0, 1, 0, 0);
  ticks(b, 4);
  end_epoch(b);
  update_scores(b, 3, 7, 0, 1, 0, 0); /* on their way */
  drive_input(b, "clear", 1);
  update_score(b, 7, 0, 1, 0, 0);
  see(b, "allow", UINT64_MAX);
  see(b, "probe_valid", 0);
  see(b, "probe_epochs", 0);
  tick(b);
  see(b, "probe_valid", 0);
  tick(b);
  see(b, "probe_valid", 0);
  see(b, "allow", UINT64_MAX);
  update_score(b, 7, 0, 1, 9, 8);
  tick(b);
  see_entry(b, 1, 9, 8);
}
