/* SPDX-License-Identifier: Apache-2.0 */
#include "ni_lines.h"

void ni_lines_take(ni_lines_t *l, packet_t *p) {
  const bool names = p->kept == PACKET_NAMES;
  if (p->kept == PACKET_PLAIN) return;
  for (uint32_t left = (uint32_t)p->hdr.mask; left; left &= left - 1) {
    const unsigned i = (unsigned)__builtin_ctz(left);
    uint32_t *word = &l->word[p->line % NI_LINES][p->hdr.aligned ? i : p->hdr.offs[i] / 4];
    if (names) p->data[0][i] = *word;
    else *word = p->data[0][i];
  }
  l->hits += names, l->fills += !names;
  packet_make_plain(p);
}
