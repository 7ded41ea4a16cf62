/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/offload/README.md that default parameters show. Numbers are worked out by hand from the page and the NSU paper.
 */
#include "rule.h"
#include "unit_test.h"

enum { EPOCH = 30000 };

/* The rest of an epoch of which `gone` cycles are over, with so many instructions more, up to the cycle in which its end is told. */
static void rest(bed_t *b, unsigned gone, unsigned instrs) {
  for (unsigned t = gone; t < EPOCH; t++) {
    put(b, "run", 1);
    if (t == gone && instrs) put(b, "done_valid", 1), put(b, "done_instrs", instrs);
    tick(b);
  }
  tick(b);
  see(b, "epoch_end", 1);
}

static void epoch(bed_t *b, unsigned instrs) {
  rest(b, 0, instrs);
}

/* Epochs of these sums; behind each the ratio. */
static void epochs(bed_t *b, unsigned n, const unsigned instrs[], const unsigned ratio[]) {
  for (unsigned i = 0; i < n; i++) {
    epoch(b, instrs[i]);
    see(b, "ratio", ratio[i]);
  }
}

RULE(O1, "Ratios and steps are twentieths: 20 is every block, and 1 is Algorithm 1's unit of 0.05.") {
  bed_t *b = bed("ofld_ratio", "");
  see(b, "ratio", 2);      /* the paper's initial ratio, 0.1 */
  see(b, "probe_step", 3); /* its initial step, 0.15 */
  epochs(b, 7, (unsigned[]){1, 2, 3, 4, 5, 6, 7}, (unsigned[]){2, 5, 8, 11, 14, 17, 20});
  see(b, "threshold", UINT64_C(1) << 32);
}

RULE(O2, "An epoch is `EpochCycles` cycles in which `run` is high; nothing is forgotten in others.") {
  bed_t *b = bed("ofld_ratio", "");
  put(b, "done_valid", 1);
  put(b, "done_instrs", 7);
  for (unsigned t = 0; t < 29999; t++) {
    put(b, "run", 1);
    tick(b);
  }
  ticks(b, 1000);
  see(b, "probe_count", 7);
  see(b, "epoch_end", 0);
  put(b, "run", 1);
  ticks(b, 2);
  see(b, "epoch_end", 1);
  see(b, "probe_prev", 7);
}

RULE(O3, "Instructions that are told (`done_valid`) count in the epoch of that cycle, whether `run` is high or not; a sum stays at its highest "
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

RULE(O4, "`epoch_end` is high in the second cycle after an epoch's last one, and from that cycle on `ratio` is the new one.") {
  bed_t *b = bed("ofld_ratio", "");
  epoch(b, 1); /* its cycle t + 2 would be the second one of the next epoch: nothing runs in it */
  for (unsigned t = 0; t < 30000; t++) {
    put(b, "run", 1);
    put(b, "done_valid", t == 29999);
    put(b, "done_instrs", 2);
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
  epoch(b, 0);
  see(b, "ratio", 2);
  see(b, "probe_step", 3);
  see(b, "probe_up", 1);
  see(b, "probe_history", 0);
}

RULE(O7, "\"If the throughput is increased, the offload ratio is further moved in the same direction [...] by the current step size.\"") {
  bed_t *b = bed("ofld_ratio", "");
  epochs(b, 3, (unsigned[]){10, 11, 12}, (unsigned[]){2, 5, 8}); /* up */
  epochs(b, 2, (unsigned[]){11, 12}, (unsigned[]){5, 2});        /* worse: down, and then on downwards */
}

RULE(O8, "\"On the contrary, if the throughput is decreased, the offload ratio is varied in the opposite direction\".") {
  bed_t *b = bed("ofld_ratio", "");
  epochs(b, 5, (unsigned[]){10, 11, 12, 11, 10}, (unsigned[]){2, 5, 8, 5, 8});
}

RULE(O9, "The same throughput is no decrease (\"if cur avg ipc < prev avg ipc\").") {
  bed_t *b = bed("ofld_ratio", "");
  epochs(b, 3, (unsigned[]){10, 10, 9}, (unsigned[]){2, 5, 2});
}

RULE(O10, "\"The algorithm keeps a history of the changes in the direction of movement\": of the last `Window` epochs, changed or not.") {
  bed_t *b = bed("ofld_ratio", "");
  static const unsigned instrs[] = {10, 9, 10, 10, 9, 10, 11}, history[] = {0, 1, 2, 4, 9, 2, 4};
  for (unsigned i = 0; i < 7; i++) {
    epoch(b, instrs[i]);
    see(b, "probe_history", history[i]);
  }
}

/* Of a history of four three are more than a half, two are not. */
RULE(O11, "\"If there were more changes in the direction than moving in the same direction, a smaller step is used\": by one, not below "
          "`StepMin`.") {
  bed_t *b = bed("ofld_ratio", "");
  static const unsigned instrs[] = {10, 9, 8, 7, 6}, step[] = {3, 3, 3, 2, 1};
  for (unsigned i = 0; i < 5; i++) {
    epoch(b, instrs[i]);
    see(b, "probe_step", step[i]);
  }
}

RULE(O12, "\"Otherwise, a larger step size is used\": by one, not above `StepMax`.") {
  bed_t *b = bed("ofld_ratio", "");
  static const unsigned instrs[] = {10, 9, 8, 7, 6, 7, 8, 9, 10}, step[] = {3, 3, 3, 2, 1, 2, 3, 3, 3}, history[] = {0, 1, 3, 7, 15, 14, 12, 8, 0};
  for (unsigned i = 0; i < 9; i++) {
    epoch(b, instrs[i]);
    see(b, "probe_step", step[i]);
    see(b, "probe_history", history[i]);
  }
}

RULE(O13, "The smallest step grows also after more changes than not: it is Algorithm 1's \"else\" that is taken, not the text.") {
  bed_t *b = bed("ofld_ratio", "");
  static const unsigned instrs[] = {10, 9, 8, 7, 6, 5, 4}, step[] = {3, 3, 3, 2, 1, 2, 1};
  for (unsigned i = 0; i < 7; i++) {
    epoch(b, instrs[i]);
    see(b, "probe_step", step[i]);
  }
}

RULE(O14, "A move that would end below 0 or above 20 is not made: the ratio stays, and the direction is reversed, which the history does not "
          "have. (Algorithm 1's guard, taken by its words, never leaves 0 or 1 again.)") {
  bed_t *b = bed("ofld_ratio", "");
  epochs(b, 9, (unsigned[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, (unsigned[]){2, 5, 8, 11, 14, 17, 20, 20, 17});
  see(b, "probe_history", 0);
  b = bed("ofld_ratio", "");
  epochs(b, 4, (unsigned[]){9, 8, 8, 8}, (unsigned[]){2, 2, 5, 8}); /* down from 2 by 3: no */
  see(b, "probe_history", 4);
}

RULE(O16, "`threshold` is ratio * 2^32 / 20, rounded down; who decides on a block offloads it if its hash of 32 bits is less.") {
  bed_t *b = bed("ofld_ratio", "");
  see(b, "threshold", 429496729); /* 2 / 20 of 4294967296 is 429496729.6 */
  epochs(b, 2, (unsigned[]){1, 1}, (unsigned[]){2, 5});
  see(b, "threshold", 1073741824);
  epochs(b, 1, (unsigned[]){1}, (unsigned[]){8});
  see(b, "threshold", 1717986918); /* .4 */
}
