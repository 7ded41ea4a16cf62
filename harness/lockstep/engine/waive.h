/* SPDX-License-Identifier: Apache-2.0
 *
 * Waivers: points that need not be hit, one pattern a line with a reason (tests/cover/BLOCK.waive).
 *
 *   line       rtl/lib/x.sv:41:else       reason
 *   toggle     rtl/lib/x.sv:addr_q[31:28] reason
 *   functional order[write,*]             reason
 *
 * `*` stands for any text, [31:28] for these bits, [] for the signal where it is one bit wide (with
 * other parameters it may be wider). A reason that begins with "unreachable" is a claim, which
 * `cover --prove` holds against its proofs.
 */
#ifndef WAIVE_H
#define WAIVE_H

#include "cover_table.h"
#include "lockstep.h"

typedef struct {
  cover_kind_t kind;
  char *pattern, *reason;
  int msb, lsb;          /* toggle: bits; -1: all */
  bool scalar;           /* toggle: where it has no bits */
  unsigned line;         /* of the file */
  unsigned matched, hit; /* points; and those that are hit all the same */
  unsigned refuted;      /* bits claimed to be stuck that a proof shows rising and falling */
} waiver_t;

typedef struct {
  char path[4096];
  waiver_t *list;
  unsigned count;
} waivers_t;

/* No such file: no waivers. INPUT: file, line, what is wrong and what would be right. */
bool waivers_read(waivers_t *waivers, const char *path, trouble_t *trouble);
void waivers_free(waivers_t *waivers);

/* Waives what is missed and matches; counts what matches and is hit. */
void waivers_apply(waivers_t *waivers, cover_table_t *table);

bool waiver_claims(const waiver_t *waiver); /* that its points cannot be hit */

/* Why a waiver is stale: it matches nothing, something that
 * is hit, or claims what is refuted. NULL: it is not. */
const char *waiver_stale(const waiver_t *waiver);

#endif
