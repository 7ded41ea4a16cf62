/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_pack: it packs an offload request, header and live-in registers, and sends it
 * to a stack (TOM paper, section 4.2; rtl/tom/tom_pack.ports).
 *
 * Call tom_pack_eval for the outputs of a cycle, then tom_pack_step with the same inputs for its
 * clock edge. All outputs are state (Moore). go_valid without go_ready is ignored.
 */
#ifndef TOM_PACK_H
#define TOM_PACK_H

#include <stdbool.h>

#include "tom_pack_ports.h"

enum { TOM_PACK_WORDS = TOM_ROW_BITS / 32 };

/* A beat on its way: its place at the receiver is taken. A row's words come one cycle later. */
typedef struct {
  bool valid, header, last;
  uint32_t words[TOM_PACK_WORDS];
} tom_beat_t;

typedef struct {
  bool busy;                     /* beats of a request are still to be chosen */
  unsigned wait;                 /* cycles until the header can be chosen */
  bool header;                   /* the header is still to be chosen */
  uint64_t left;                 /* registers with rows still to be chosen, a bit each */
  unsigned warp;                 /* whose registers */
  tom_beat_t read, out;          /* the beat chosen in the last cycle; the one on out_ */
  uint32_t head[TOM_PACK_WORDS]; /* the header */
  unsigned credits;              /* places at the receiver, 0 .. OutCredits */
  bool err;                      /* a credit too many since reset */
} tom_pack_t;

void tom_pack_reset(tom_pack_t *s);
void tom_pack_eval(const tom_pack_t *s, const tom_pack_in_t *in, tom_pack_out_t *out);
void tom_pack_step(tom_pack_t *s, const tom_pack_in_t *in);

#endif
