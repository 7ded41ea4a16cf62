/* SPDX-License-Identifier: Apache-2.0
 *
 * The unit that crosses the NSU's packet port is a beat: a 1024-bit line with a packed packet
 * header above it.
 *
 * It travels as BEAT_PHITS phits of PortBits bits, lowest bits first; the last phit is
 * zero-extended. BEAT_PHITS needs PortBits, so only an includer with that parameter may use it. A
 * beat's first LINE_WORDS words are the line, the rest is the header (nsu_packet.h).
 */
#ifndef NSU_BEAT_H
#define NSU_BEAT_H

#include <string.h>

#include "nsu_hdr.h"

enum {
  LINE_WORDS = PKT_LINE_BITS / 32,
  BEAT_BITS = PKT_HDR_W + PKT_LINE_BITS,
  BEAT_WORDS = LINE_WORDS + PKT_HDR_WORDS,
};
#define BEAT_PHITS ((BEAT_BITS + (PortBits)-1) / (PortBits))

/* Bits of phit k that belong to the beat. */
static inline unsigned beat_phit_bits(unsigned phit, unsigned port_bits) {
  unsigned left = BEAT_BITS - phit * port_bits;
  return left < port_bits ? left : port_bits;
}

/* beat = header above line; BEAT_WORDS words are written. */
static inline void beat_join(uint32_t *beat, const uint32_t *hdr, const uint32_t *line) {
  memcpy(beat, line, LINE_WORDS * sizeof *beat);
  memcpy(beat + LINE_WORDS, hdr, PKT_HDR_WORDS * sizeof *beat);
}

/* words = phit number `phit` of the beat, zero-extended to num_words words. A width of whole
 * words has a quick path, as nearly all builds have one. */
static inline void beat_get_phit(const uint32_t *beat, unsigned phit, unsigned port_bits, uint32_t *words,
                                 unsigned num_words) {
  unsigned bits = beat_phit_bits(phit, port_bits);
  memset(words, 0, num_words * sizeof *words);
  if (port_bits % 32 == 0) memcpy(words, &beat[phit * port_bits / 32], (bits + 31) / 32 * sizeof *words); /* quick */
  else bits_copy(words, 0, beat, phit * port_bits, bits);
}

/* Stores phit number `phit` in the beat. Bits of the phit beyond the beat are dropped. */
static inline void beat_put_phit(uint32_t *beat, unsigned phit, unsigned port_bits, const uint32_t *words) {
  unsigned bits = beat_phit_bits(phit, port_bits);
  if (port_bits % 32 == 0) memcpy(&beat[phit * port_bits / 32], words, (bits + 31) / 32 * sizeof *words); /* quick */
  else bits_copy(beat, phit * port_bits, words, 0, bits);
  beat[BEAT_WORDS - 1] &= (uint32_t)bits_ones(BEAT_BITS - (BEAT_WORDS - 1) * 32);
}

#endif
