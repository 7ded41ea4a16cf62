/* SPDX-License-Identifier: Apache-2.0
 *
 * Witnesses of the rules of rtl/X/README.md. Each is a few cycles of a block with inputs and
 * outputs typed as the page has them, never worked out by RTL or model, and both must show them: a
 * fault that the two share, which no comparison of them sees, fails here.
 *
 *   RULE(R15, "A head goes out with hops + 1 (at most 15).") {   the rule's number, and its words
 *                                                                as they stand in the page
 *     bed_t *b = bed("router_input", "");      default parameters, or "Lookahead=1"
 *     drive_input(b, "in_valid", 1);           inputs of this cycle; others are 0
 *     see(b, "ready", 0);                      settled outputs and probes, of both sides
 *     tick(b);                                 the clock edge
 *   }
 *
 * Names are the port file's; a field of a struct is "wr_hdr.mask", an element of one
 * "wr_hdr.offs[3]". The functions with `at` are for elements of flat vectors: index * width is the
 * lowest bit. A page's text and its witness must agree word for word: table.sh.
 */
#ifndef RULE_H
#define RULE_H

#include <stdint.h>

typedef struct bed bed_t;

/* The block with these parameters ("Tr=1,NumVCs=3"),
 * powered up and reset. Closed when the witness ends. */
bed_t *bed(const char *block, const char *params);

/* Its reset again, in the middle of whatever is under way. */
void restart(bed_t *b);

/* These parameters are refused before anything runs, in these words. */
void expect_refused(const char *block, const char *params, const char *words);

/* The clock edge on both sides: once, or so many times. */
void tick(bed_t *b);
void ticks(bed_t *b, unsigned cycles);
void drive_input(bed_t *b, const char *name, uint64_t value); /* of the coming clock edge alone */
void hold(bed_t *b, const char *name, uint64_t value);        /* from now on */
void drive_input_at(bed_t *b, const char *name, unsigned width, unsigned index, uint64_t value);
void hold_at(bed_t *b, const char *name, unsigned width, unsigned index, uint64_t value);

#define see(b, name, value) rule_see(b, name, 0, 0, value, __FILE__, __LINE__)
#define see_at(b, name, width, index, value) rule_see(b, name, width, index, value, __FILE__, __LINE__)
void rule_see(bed_t *b, const char *name, unsigned width, unsigned index, uint64_t value, const char *file, int line);

/* Cycles until the output is value, at most so many; fails when it is not by then. */
#define await(b, name, value, most) rule_await(b, name, value, most, __FILE__, __LINE__)
unsigned rule_await(bed_t *b, const char *name, uint64_t value, unsigned most, const char *file, int line);

/* What both sides show, for values that a rule speaks of
 * without naming them (a tag, a number of the block's own). */
#define shown(b, name) rule_shown(b, name, 0, 0, __FILE__, __LINE__)
#define shown_at(b, name, width, index) rule_shown(b, name, width, index, __FILE__, __LINE__)
uint64_t rule_shown(bed_t *b, const char *name, unsigned width, unsigned index, const char *file, int line);

/* A rule with its witness; rule_add() keeps them sorted by number. RULE() makes one before
 * main(). */
typedef struct rule {
  const char *id, *text, *file;
  void (*witness)(void);
  struct rule *next;
  char blocks[256]; /* that its beds have, with blanks between; filled in by a rehearsal */
} rule_t;

/* What a line about an object that cannot be had begins with; its trouble's kind follows. */
#define RULE_TROUBLE "trouble "

void rule_add(rule_t *rule);

#define RULE(number, ...)                                                                     \
  static void witness_##number(void);                                                         \
  static rule_t rule_##number = {#number, "" __VA_ARGS__, __FILE__, witness_##number, 0, ""}; \
  __attribute__((constructor)) static void add_##number(void) {                               \
    rule_add(&rule_##number);                                                                 \
  }                                                                                           \
  static void witness_##number(void)

#endif
