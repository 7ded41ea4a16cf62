/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_pack -- golden model of the packing of a request; contract: rtl/tom/tom_pack.ports.
 */
#ifndef TOM_PACK_H
#define TOM_PACK_H

#include <stdbool.h>

#include "tom_pack_ports.h"

enum { TOM_PACK_WORDS = TOM_ROW_BITS / 32 };

/* A beat: its place is taken, its contents may still come. */
typedef struct {
  bool valid, header, last;
  uint32_t words[TOM_PACK_WORDS];
} tom_beat_t;

typedef struct {
  bool busy;
  unsigned wait;        /* cycles in which the header cannot be chosen yet */
  bool header;          /* is still to be chosen */
  uint64_t left;        /* registers that are */
  unsigned warp;        /* of the request */
  tom_beat_t read, out; /* chosen in the last cycle; going out */
  uint32_t head[TOM_PACK_WORDS];
  unsigned credits;
  bool err;
} tom_pack_t;

void tom_pack_reset(tom_pack_t *s);
void tom_pack_eval(const tom_pack_t *s, const tom_pack_in_t *in, tom_pack_out_t *out);
void tom_pack_step(tom_pack_t *s, const tom_pack_in_t *in);

#endif
