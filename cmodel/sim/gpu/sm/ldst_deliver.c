/* SPDX-License-Identifier: Apache-2.0 */
#include "ldst_deliver.h"

#include <string.h>

#include "simt_memory.h"

/* A 4-byte word of a thread: half of an element, one element, or several. */
static void deliver_word(const ldst_access_t *a, unsigned lane, unsigned word, const uint8_t *bytes) {
  simt_warp_t *w = a->registers;
  const simt_op_t *op = a->op;
  if (op->bytes == 8) {
    const uint32_t to = op->v[word / 2];
    if (to != SIMT_NO_OPERAND) memcpy((uint8_t *)simt_dst(w, to) + 8 * lane + 4 * (word % 2), bytes, 4);
    return;
  }
  for (unsigned k = 4 * word / op->bytes; k < op->vec && k * op->bytes < 4 * word + 4; k++)
    simt_write_bytes(w, op, k, lane, bytes + k * op->bytes - 4 * word);
}

/* The words that a line of local memory has for each thread. COALESCE_WHOLE: a line of global
 * memory, with all elements of its threads. */
static void deliver_words(const ldst_access_t *a, unsigned line, const uint32_t *words) {
  const coalesce_words_t *c = a->words;
  for (uint32_t m = c->lanes[line]; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    const uint8_t *bytes = (const uint8_t *)words + c->offset[i];
    if (c->word[line] != COALESCE_WHOLE) deliver_word(a, i, c->word[line], bytes);
    for (unsigned k = 0; c->word[line] == COALESCE_WHOLE && k < a->op->vec; k++)
      simt_write_element(a->registers, a->op, k, i, bytes);
  }
}

void ldst_deliver(const ldst_access_t *a, uint32_t lanes, const uint32_t *words) {
  if (a->texels) {
    texels_take(a->texels, lanes, words);
    return;
  }
  if (a->words) {
    deliver_words(a, lanes, words);
    return;
  }
  if (a->tile) {
    tile_take(a->tile, lanes, words);
    return;
  }
  simt_warp_t *w = a->registers;
  const simt_op_t *op = a->op;
  if (op->vec == 1 && op->bytes == 4 && op->reg_bytes == 4 && op->v[0] != SIMT_NO_OPERAND) {
    uint32_t *d = simt_dst(w, op->v[0]);
    for (; lanes; lanes &= lanes - 1) {
      unsigned i = (unsigned)__builtin_ctz(lanes);
      d[i] = words[a->lines.offset[i] / 4];
    }
    return;
  }
  for (; lanes; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctz(lanes);
    for (unsigned k = 0; k < op->vec; k++) simt_write_element(w, op, k, i, (const uint8_t *)words + a->lines.offset[i]);
  }
}
