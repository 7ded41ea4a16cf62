/* SPDX-License-Identifier: Apache-2.0
 *
 * A flit in C: FlitBits / 32 words; word 0 is the header (router_header.h). An includer needs
 * FlitBits (a port file's header).
 */
#ifndef ROUTER_FLIT_H
#define ROUTER_FLIT_H

#include <stdint.h>
#include <string.h>

#include "router_header.h"

_Static_assert((FlitBits) % 64 == 0, "FlitBits: a multiple of 64");
enum { FLIT_WORDS = (FlitBits) / 32, FLIT_MOST_HOPS = 15 };

typedef struct {
  uint32_t word[FLIT_WORDS];
} router_flit_t;

/* Element i of a port's vector of flits. */
static inline router_flit_t flit_read(const uint32_t *words, unsigned i) {
  router_flit_t flit;
  memcpy(flit.word, &words[i * FLIT_WORDS], sizeof flit.word);
  return flit;
}

static inline void flit_write(uint32_t *words, unsigned i, const router_flit_t *flit) {
  memcpy(&words[i * FLIT_WORDS], flit->word, sizeof flit->word);
}

/* The header of a flit as it leaves a router on VC vc of the next link, without a tracker. A
 * head has passed one router more [R15]; `hops` stops at FLIT_MOST_HOPS. */
static inline uint32_t flit_departing(uint32_t header, unsigned vc) {
  header = FLIT_PUT(FLIT_PUT(header, vc, vc), trk, 0);
  if (FLIT_GET(header, head) && FLIT_GET(header, hops) < FLIT_MOST_HOPS) header += UINT32_C(1) << FLIT_hops_LSB;
  return header;
}

#endif
