/* SPDX-License-Identifier: Apache-2.0
 *
 * The analyser, with an array of stacks for each map where the RTL has bits. Numbers in brackets
 * are rules of the port file.
 */
#include "tom_map.h"

#include <string.h>

#include "bits.h"

void tom_map_reset(tom_map_t *s) {
  memset(s, 0, sizeof *s);
}

void tom_map_eval(const tom_map_t *s, const tom_map_in_t *in, tom_map_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->more = s->more;
  out->seen = s->seen, out->total = s->total;
  out->rd_same = s->rd_same, out->rd_touched = s->rd_touched;
  for (unsigned w = 0; w < (Warps); w++) out->probe_open |= (uint64_t)s->warp[w].open << w;
}

/* Sums stop at their highest value [5]. */
static void add(uint64_t *sum, uint64_t more) {
  const uint64_t most = bits_ones(CountBits);
  *sum = *sum + more > most ? most : *sum + more;
}

/* The stack of an address under a map. Bit 0 of `address` is bit 7 of the byte address,
 * and map m begins there at bit m [3]. */
static unsigned stack_of_map(uint64_t address, unsigned map) {
  return (unsigned)(address >> map & bits_ones(StackBits));
}

/* Rule 3: the first access names the instance's own stack of each map. */
static void access_line(tom_map_t *s, tom_instance_t *i, uint64_t address) {
  add(&s->total, 1);
  for (unsigned m = 0; m < (Maps); m++) {
    const unsigned stack = stack_of_map(address, m);
    if (!i->accessed) i->map[m].first = stack;
    i->map[m].touched[stack] = true;
    if (Rule && stack == i->map[m].first) add(&s->same[m], 1);
  }
  i->accessed = true;
}

/* Rule 4. */
static void end_instance(tom_map_t *s, tom_instance_t *i) {
  add(&s->seen, 1);
  for (unsigned m = 0; m < (Maps); m++)
    for (unsigned k = 0; k < TOM_MAP_STACKS; k++) add(&s->touched[m], i->map[m].touched[k]);
  i->open = false;
  s->more = true;
}

/* Begin, access and end in this order [1]. The sums that are read are
 * those before the cycle [6]. */
void tom_map_step(tom_map_t *s, const tom_map_in_t *in) {
  const bool there = in->rd_map < (Maps);
  const uint64_t same = there ? s->same[in->rd_map] : 0, touched = there ? s->touched[in->rd_map] : 0;
  s->more = false;
  if (in->clear) memset(s, 0, sizeof *s);
  else if (in->on) {
    if (in->beg_valid) s->warp[in->beg_warp] = (tom_instance_t){.open = true};
    if (in->acc_valid && s->warp[in->acc_warp].open) access_line(s, &s->warp[in->acc_warp], in->acc_addr);
    if (in->end_valid && s->warp[in->end_warp].open) end_instance(s, &s->warp[in->end_warp]);
  }
  s->rd_same = same, s->rd_touched = touched;
}
