/* SPDX-License-Identifier: Apache-2.0
 *
 * The FIFO as an array with the oldest word in place 0. A take moves the others down.
 */
#include "fifo_2w.h"

#include <string.h>

#include "bits.h"

void fifo_2w_reset(fifo_2w_t *s) {
  s->count = 0;
}

/* The pushes of this cycle that find no place, a bit each. A take of the same cycle makes no
 * room. */
static unsigned over(const fifo_2w_t *s, uint64_t push) {
  unsigned count = s->count, lost = 0;
  for (unsigned i = 0; i < 2; i++) {
    if (!(push >> i & 1)) continue;
    if (count < Depth) count++;
    else lost |= 1u << i;
  }
  return lost;
}

void fifo_2w_eval(const fifo_2w_t *s, const fifo_2w_in_t *in, fifo_2w_out_t *out) {
  out->over = over(s, in->push);
  out->valid = s->count > 0;
  memcpy(out->rdata, s->word[0], sizeof out->rdata);
  out->probe_count = s->count;
}

/* Stores first and takes then: a word that comes into an empty FIFO cannot be taken in its
 * cycle. */
void fifo_2w_step(fifo_2w_t *s, const fifo_2w_in_t *in) {
  uint64_t stored = in->push & ~(uint64_t)over(s, in->push);
  bool take = in->take && s->count;
  for (unsigned i = 0; i < 2; i++) {
    if (!(stored >> i & 1)) continue;
    memset(s->word[s->count], 0, sizeof *s->word);
    bits_copy(s->word[s->count++], 0, in->wdata, i * Width, Width);
  }
  if (take) memmove(s->word, s->word + 1, --s->count * sizeof *s->word);
}
