/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of the read-only cache for the blocks that have one: ro_cache, nsu_icache, nsu_ccache.
 *
 * The contract is rtl/lib/ro_cache.ports; numbers in brackets below are its rules. A block passes
 * its geometry as constants, so that the compiler folds them. It also passes its registers
 * (ro_core_t) and its lines: line[set * ways + way], pointer[set]. In each cycle a block shows
 * ro_core_t and ro_fetch, then calls ro_core_step once. Addresses are byte addresses of 40 bits.
 */
#ifndef RO_CACHE_CORE_H
#define RO_CACHE_CORE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { RO_LINE_BYTES = 128, RO_LINE_WORDS = 32, RO_MAX_MSHRS = 16 };

typedef struct {
  /* word_bits: 32 or 64; sets and ways: powers of two; mshrs: misses outstanding at a time,
   * 1 .. RO_MAX_MSHRS. */
  unsigned word_bits, sets, ways, mshrs;
} ro_geometry_t;

typedef struct {
  bool valid;
  uint64_t addr; /* of the line: low 7 bits zero */
  uint32_t data[RO_LINE_WORDS];
} ro_line_t;

typedef struct {
  bool valid, asked; /* an outstanding miss; the fetch port has taken its request */
  uint64_t addr;     /* of the line: low 7 bits zero */
} ro_mshr_t;

typedef struct {
  /* The answer to the last look-up; held until the next one [2]. */
  bool rsp_hit;
  uint64_t rsp_data;        /* valid with rsp_hit; a 32-bit word is in the low half */
  bool wake, err_noreq;     /* for one cycle: look up again; a fill came that no miss asked for */
  bool probe_miss;          /* the last cycle's look-up missed */
  uint64_t probe_miss_addr; /* its line's address, valid with probe_miss */
  ro_mshr_t mshr[RO_MAX_MSHRS];
} ro_core_t;

typedef struct {
  bool req, ft_ready, fill_valid; /* the valid bits of the rest */
  uint64_t req_addr, fill_addr;
  const uint32_t *fill_data; /* RO_LINE_WORDS words, read with fill_valid only */
} ro_core_in_t;

/* The address of the line that holds addr. */
static inline uint64_t ro_line_of(uint64_t addr) {
  return addr & ~(uint64_t)(RO_LINE_BYTES - 1);
}

/* The set of addr: the lowest bits of its line's number. */
static inline unsigned ro_set_of(ro_geometry_t g, uint64_t addr) {
  return (unsigned)(addr / RO_LINE_BYTES % g.sets);
}

/* The valid line that holds addr, or NULL. */
static inline const ro_line_t *ro_find(ro_geometry_t g, const ro_line_t *lines, uint64_t addr) {
  const ro_line_t *set = &lines[ro_set_of(g, addr) * g.ways];
  for (unsigned way = 0; way < g.ways; way++)
    if (set[way].valid && set[way].addr == ro_line_of(addr)) return &set[way];
  return NULL;
}

/* The outstanding miss of addr's line, or -1. */
static inline int ro_find_mshr(ro_geometry_t g, const ro_core_t *c, uint64_t addr) {
  for (unsigned i = 0; i < g.mshrs; i++)
    if (c->mshr[i].valid && c->mshr[i].addr == ro_line_of(addr)) return (int)i;
  return -1;
}

/* The outstanding miss that the fetch port shows: the lowest not asked for [9]; -1: none. */
static inline int ro_fetch(ro_geometry_t g, const ro_core_t *c) {
  for (unsigned i = 0; i < g.mshrs; i++)
    if (c->mshr[i].valid && !c->mshr[i].asked) return (int)i;
  return -1;
}

/* Invalidates all lines and clears the registers; the lines' data stay. */
static inline void ro_core_reset(ro_core_t *c, ro_line_t *lines, uint8_t *pointer, unsigned num_lines) {
  *c = (ro_core_t){0};
  for (unsigned i = 0; i < num_lines; i++) {
    lines[i].valid = false;
    pointer[i] = 0;
  }
}

/* The look-up of this cycle [1 to 3]. Without req the last answer stays. Call before the fill of
 * the same cycle is written: a look-up sees the fills of earlier cycles only. */
static inline void ro_lookup(ro_geometry_t g, ro_core_t *c, const ro_line_t *lines, const ro_core_in_t *in) {
  c->probe_miss = false;
  if (!in->req) return;
  const ro_line_t *line = ro_find(g, lines, in->req_addr);
  c->rsp_hit = line != NULL;
  c->probe_miss = line == NULL;
  c->probe_miss_addr = ro_line_of(in->req_addr);
  if (!line) return;
  unsigned word = (unsigned)(in->req_addr % RO_LINE_BYTES) / 4;
  if (g.word_bits == 64) {
    word &= ~1u;
    c->rsp_data = line->data[word] | (uint64_t)line->data[word + 1] << 32;
  } else {
    c->rsp_data = line->data[word];
  }
}

/* Deals with the last cycle's miss [4 to 7]. Returns the place it gets, or -1. *wake: its line
 * is present by now, so the client can look up again. */
static inline int ro_miss_place(ro_geometry_t g, const ro_core_t *c, const ro_line_t *lines, bool *wake) {
  *wake = false;
  if (!c->probe_miss) return -1;
  *wake = ro_find(g, lines, c->probe_miss_addr) != NULL;
  if (*wake || ro_find_mshr(g, c, c->probe_miss_addr) >= 0) return -1;
  for (unsigned i = 0; i < g.mshrs; i++)
    if (!c->mshr[i].valid) return (int)i;
  return -1;
}

/* Writes the fill's line into the lowest invalid way of its set, else where the pointer says
 * [12]. The pointer moves only when a valid line is replaced. */
static inline void ro_write_line(ro_geometry_t g, ro_line_t *lines, uint8_t *pointer, const ro_core_in_t *in) {
  unsigned set = ro_set_of(g, in->fill_addr), way = 0;
  while (way < g.ways && lines[set * g.ways + way].valid) way++;
  if (way == g.ways) {
    way = pointer[set];
    pointer[set] = (uint8_t)((way + 1) % g.ways);
  }
  ro_line_t *line = &lines[set * g.ways + way];
  line->valid = true;
  line->addr = ro_line_of(in->fill_addr);
  memcpy(line->data, in->fill_data, sizeof line->data);
}

/* The clock edge. fill_data is read only if fill_valid is 1. */
static inline void ro_core_step(ro_geometry_t g, ro_core_t *c, ro_line_t *lines, uint8_t *pointer,
                                const ro_core_in_t *in) {
  /* All decisions use the registered state, so they come before any change. */
  bool wake;
  int placed = ro_miss_place(g, c, lines, &wake);
  uint64_t missed = c->probe_miss_addr;
  int fetched = in->ft_ready ? ro_fetch(g, c) : -1;
  int filled = in->fill_valid ? ro_find_mshr(g, c, in->fill_addr) : -1;
  if (filled >= 0 && !c->mshr[filled].asked) filled = -1;
  ro_lookup(g, c, lines, in);
  if (placed >= 0) c->mshr[placed] = (ro_mshr_t){.valid = true, .addr = missed};
  if (fetched >= 0) c->mshr[fetched].asked = true;
  if (filled >= 0) {
    ro_write_line(g, lines, pointer, in);
    c->mshr[filled] = (ro_mshr_t){0};
  }
  c->wake = wake || filled >= 0;
  c->err_noreq = in->fill_valid && filled < 0;
}

/* True: while req and fill_valid are 0, step changes nothing and the outputs stay. */
static inline bool ro_core_idle(ro_geometry_t g, const ro_core_t *c) {
  return !c->wake && !c->err_noreq && !c->probe_miss && ro_fetch(g, c) < 0;
}

#endif
