/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_unpack: it takes offload acknowledgements apart into register writes and
 * cache invalidations (TOM paper, section 4.2; rtl/tom/tom_unpack.ports).
 *
 * Call tom_unpack_eval for the outputs of a cycle, then tom_unpack_step with the same inputs for
 * its clock edge. All outputs are state (Moore). A malformed message sets err, which stays until
 * reset.
 */
#ifndef TOM_UNPACK_H
#define TOM_UNPACK_H

#include <stdbool.h>

#include "tom_unpack_ports.h"

typedef enum { UNPACK_HEADER, UNPACK_ROW, UNPACK_LIST, UNPACK_NOTHING } tom_unpack_next_t;

typedef struct {
  tom_unpack_next_t next; /* the next beat of the message; NOTHING: it has ended */
  unsigned warp;          /* the message's warp */
  uint32_t mask;          /* its threads */
  bool done;              /* the message ends the block */
  uint64_t left;          /* registers with rows still to come, a bit each */
  bool writes;            /* a row is written in this cycle: reg, row */
  unsigned reg;
  uint32_t row[TOM_ROW_BITS / 32];
  unsigned num, first; /* lines still to be invalidated; the first of them */
  uint64_t line[TOM_LIST_MOST];
  bool err;
} tom_unpack_t;

void tom_unpack_reset(tom_unpack_t *s);
void tom_unpack_eval(const tom_unpack_t *s, const tom_unpack_in_t *in, tom_unpack_out_t *out);
/* The output done_valid. */
bool tom_unpack_done(const tom_unpack_t *s);
void tom_unpack_step(tom_unpack_t *s, const tom_unpack_in_t *in);

#endif
