/* SPDX-License-Identifier: Apache-2.0
 *
 * Waivers: points that need not be hit, one pattern a line with a reason (tests/cover/BLOCK.waive).
 *
 *   line       rtl/lib/x.sv:41:else       reason
 *   toggle     rtl/lib/x.sv:addr_q[31:28] reason
 *   functional order[write,*]             reason
 *
 * `*` stands for any text, [31:28] for these bits, and [] for the signal where it is one bit wide
 * (other parameters may make it wider). A reason that begins with "unreachable" is a claim; `cover
 * --prove` checks claims against its proofs.
 */
#ifndef WAIVE_H
#define WAIVE_H

#include "cover_table.h"
#include "lockstep.h"

/* A waiver, and what it matched. */
typedef struct {
  cover_kind_t kind;
  char *pattern, *reason;
  int msb, lsb;          /* toggle: bits; -1: all */
  bool scalar;           /* toggle: only where the signal is one bit wide */
  unsigned line;         /* of the waiver file */
  unsigned matched, hit; /* points that match, and those hit nevertheless */
  unsigned refuted;      /* bits claimed stuck that a proof shows rising and falling */
} waiver_t;

typedef struct {
  char path[4096];
  waiver_t *list;
  unsigned count;
} waivers_t;

/* Reads waivers. A missing file means no waivers. INPUT: file, line, what is wrong and what would
 * be right. */
bool waivers_read(waivers_t *waivers, const char *path, trouble_t *trouble);
void waivers_free(waivers_t *waivers);

/* Waives missed points that match; counts matches, and matches that are hit. */
void waivers_apply(waivers_t *waivers, cover_table_t *table);

bool waiver_claims(const waiver_t *waiver); /* the reason claims that the points are unreachable */

/* Why a waiver is stale: no match, a matching point is hit, or its claim is refuted. NULL: it is
 * not stale. */
const char *waiver_stale(const waiver_t *waiver);

#endif
