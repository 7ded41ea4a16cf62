/* SPDX-License-Identifier: Apache-2.0
 *
 * A binary search, found at once and timed. Numbers in brackets are rules of the port file.
 */
#include "tom_ranges.h"

#include <string.h>

void tom_ranges_reset(tom_ranges_t *s) {
  tom_range_t kept[Entries]; /* a memory, which reset leaves */
  memcpy(kept, s->entry, sizeof kept);
  memset(s, 0, sizeof *s);
  for (unsigned i = 0; i < (Entries); i++) s->entry[i] = (tom_range_t){kept[i].start, kept[i].bytes, false};
}

/* Rule 3. */
static bool busy(const tom_ranges_t *s) {
  return s->waiting || s->looks;
}

void tom_ranges_eval(const tom_ranges_t *s, const tom_ranges_in_t *in, tom_ranges_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->busy = busy(s);
  out->cfg_ready = !busy(s);
  out->q_ready = s->waiting < (QueueDepth);
  out->rd_mark = s->rd_mark;
  out->probe_done = s->done, out->probe_hit = s->hit, out->probe_reads = s->done_reads;
}

/* Finds the entry by halves [4]: s->found is its index or -1, s->reads the entries read. */
static void look_up(tom_ranges_t *s, uint64_t address, unsigned count) {
  unsigned low = 0, high = count;
  s->reads = 0, s->found = -1;
  while (low < high && s->found < 0) {
    const unsigned middle = (low + high) / 2;
    const tom_range_t *e = &s->entry[middle];
    s->reads++;
    if (address < e->start) high = middle;
    else if (address < e->start + e->bytes) s->found = (int)middle; /* 64 bits: the sum does not wrap */
    else low = middle + 1;
  }
}

/* The look-up ends; an entry that has the address is marked [5]. */
static void end(tom_ranges_t *s) {
  s->looks = false;
  s->done = true, s->hit = s->found >= 0, s->done_reads = s->reads;
  if (s->hit) s->entry[s->found].marked = true;
}

/* The oldest address leaves the queue. Without entries the look-up ends at once [4]. */
static void begin(tom_ranges_t *s, unsigned count) {
  look_up(s, s->queue[0], count);
  memmove(s->queue, s->queue + 1, --s->waiting * sizeof *s->queue);
  s->looks = true, s->cycles = s->reads;
  if (!s->reads) end(s);
}

/* rd_mark is the mark before this cycle [6]. A write clears the mark [1]. */
void tom_ranges_step(tom_ranges_t *s, const tom_ranges_in_t *in) {
  const bool push = in->q_valid && s->waiting < (QueueDepth), write = in->cfg_valid && !busy(s);
  s->rd_mark = s->entry[in->rd_idx].marked;
  s->done = s->hit = false;
  if (s->looks) {
    if (--s->cycles == 0) end(s);
  } else if (s->waiting) begin(s, (unsigned)in->count);
  if (push) s->queue[s->waiting++] = in->q_addr;
  if (write) s->entry[in->cfg_idx] = (tom_range_t){in->cfg_start, in->cfg_bytes, false};
}
