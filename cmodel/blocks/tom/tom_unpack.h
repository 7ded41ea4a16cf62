/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_unpack -- golden model of the unpacking of acknowledgements; contract:
 * rtl/tom/tom_unpack.ports.
 *
 * tom_unpack_done: in this cycle, done_valid.
 */
#ifndef TOM_UNPACK_H
#define TOM_UNPACK_H

#include <stdbool.h>

#include "tom_unpack_ports.h"

typedef enum { UNPACK_HEADER, UNPACK_ROW, UNPACK_LIST, UNPACK_NOTHING } tom_unpack_next_t;

typedef struct {
  tom_unpack_next_t next; /* beat of the message; nothing: it has ended */
  unsigned warp;
  uint32_t mask;
  bool done;
  uint64_t left; /* registers whose rows are still to come */
  bool writes;
  unsigned reg;
  uint32_t row[TOM_ROW_BITS / 32];
  unsigned num, first; /* lines that are still to be invalidated, of these */
  uint64_t line[TOM_LIST_MOST];
  bool err;
} tom_unpack_t;

void tom_unpack_reset(tom_unpack_t *s);
void tom_unpack_eval(const tom_unpack_t *s, const tom_unpack_in_t *in, tom_unpack_out_t *out);
bool tom_unpack_done(const tom_unpack_t *s);
void tom_unpack_step(tom_unpack_t *s, const tom_unpack_in_t *in);

#endif
