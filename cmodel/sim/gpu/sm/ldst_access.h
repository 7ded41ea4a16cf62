/* SPDX-License-Identifier: Apache-2.0
 *
 * An access: a memory instruction in the load/store unit (ldst.h), or waiting for data.
 */
#ifndef LDST_ACCESS_H
#define LDST_ACCESS_H

#include "async_copy.h"
#include "coalesce.h"
#include "texels.h"
#include "tile.h"

/* A memory instruction in the unit, or waiting for data. */
typedef struct ldst_access {
  const simt_op_t *op;
  simt_warp_t *registers; /* the warp's */
  uint8_t warp, total;    /* total: bytes of a thread */
  enum { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOM, ACCESS_OTHER } kind;
  uint16_t next_line; /* line that the unit handles next */
  uint16_t waiting;   /* lines asked for that have not arrived */
  uint16_t came;      /* lines that have arrived */
  uint32_t mask;
  /* cycle from which the registers are usable; cycle of the first arrival */
  uint64_t done_at, first_at;
  coalesce_t lines;
  /* Exactly one of `lines`, texels, words and tile has the lines. texels: a texture fetch; else
   * NULL */
  texels_t *texels;
  coalesce_words_t *words; /* an access to local memory; else NULL */
  tile_t *tile;            /* a matrix or an asynchronous copy; else NULL */
  async_copy_t *copy;      /* an asynchronous copy; else NULL */
  uint8_t stride;          /* bytes of a thread in blob */
  /* store data or atomic operands: thread i's bytes at i * stride; ACCESS_OTHER: the owner's */
  _Alignas(8) uint8_t blob[GPU_WARP_WIDTH * 32];
} ldst_access_t;

#endif
