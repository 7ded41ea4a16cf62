/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of a buffer whose entries are merged from several packets (NSU paper, section 4.1.2),
 * shared by the blocks that are one: nsu_mergebuf, nsu_rdbuf, nsu_wrbuf.
 *
 * rtl/nsu/nsu_mergebuf.ports is the contract. A block passes its depth, its registers, its entries
 * (entry[depth]) and its rows (depth rows of lane_bits words, as 32 threads of lane_bits bits are
 * lane_bits words). Rows and the row register are a memory: zero at power-up, not touched by reset.
 */
#ifndef NSU_MERGE_CORE_H
#define NSU_MERGE_CORE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"

enum { MERGE_MAX_DEPTH = 1024 };

typedef struct {
  uint8_t sm, warp, seq; /* offload packet id */
} merge_id_t;

typedef struct {
  uint8_t size;
  uint32_t lmask, there; /* threads of the instruction; threads that have come */
} merge_entry_t;

typedef struct {
  unsigned level;      /* busy entries */
  unsigned first_free; /* no entry below this one is free ... */
  unsigned end;        /* ... and none from this one on is busy */
  uint32_t row_mask;
  uint8_t row_size;
  bool cpl_valid, err_overflow, err_merge, probe_write;
  merge_id_t cpl;
  unsigned probe_write_idx;
  uint32_t key[MERGE_MAX_DEPTH]; /* an entry's id with a busy bit; 0: free */
} merge_core_t;

typedef struct {
  merge_id_t id;
  uint32_t mask, lmask;
  uint8_t size;
} merge_packet_t;

static inline uint32_t merge_key(merge_id_t id) {
  return 1u << 24 | (uint32_t)id.sm << 16 | (uint32_t)id.warp << 8 | id.seq;
}

static inline bool merge_complete(const merge_entry_t *entry) {
  return entry->there == entry->lmask;
}

/* The busy entry of this id, or -1; an id has at most one. */
static inline int merge_find(const merge_core_t *m, merge_id_t id) {
  uint32_t key = merge_key(id);
  int found = -1;
  for (unsigned i = 0; i < m->end; i++)
    if (m->key[i] == key) found = (int)i;
  return found;
}

/* Look-up: the busy and complete entry of this id, or -1. */
static inline int merge_lookup(const merge_core_t *m, const merge_entry_t *entry, merge_id_t id) {
  int i = merge_find(m, id);
  return i >= 0 && merge_complete(&entry[i]) ? i : -1;
}

static inline void merge_core_reset(merge_core_t *m, merge_entry_t *entry, unsigned depth) {
  *m = (merge_core_t){0};
  memset(entry, 0, depth * sizeof *entry);
}

/* Does the packet contradict itself or the entry that it belongs to? */
static inline bool merge_wrong(const merge_entry_t *found, const merge_packet_t *p) {
  if (p->mask & ~p->lmask) return true;
  return found &&
         (merge_complete(found) || (p->mask & found->there) || p->lmask != found->lmask || p->size != found->size);
}

/*
 * What the entry of this cycle's packet is: its number, with the flags of the registers set as the
 * contract says; -1 when the packet is dropped. The caller then writes the threads of p->mask into
 * that entry's row. Call before merge_take of the same cycle: a packet sees the entries as
 * registered.
 */
static inline int merge_receive(merge_core_t *m, merge_entry_t *entry, unsigned depth, const merge_packet_t *p) {
  int i = merge_find(m, p->id);
  m->err_merge = merge_wrong(i >= 0 ? &entry[i] : NULL, p);
  if (m->err_merge) return -1;
  if (i < 0) {
    i = (int)m->first_free;
    while (i < (int)depth && m->key[i]) i++;
    m->err_overflow = i == (int)depth;
    if (m->err_overflow) return -1;
    m->key[i] = merge_key(p->id);
    entry[i] = (merge_entry_t){.size = p->size, .lmask = p->lmask};
    m->first_free = (unsigned)i + 1;
    if (m->end < m->first_free) m->end = m->first_free;
    m->level++;
  }
  entry[i].there |= p->mask;
  m->probe_write = true;
  m->probe_write_idx = (unsigned)i;
  m->cpl_valid = merge_complete(&entry[i]);
  m->cpl = p->id;
  return i;
}

/* Is there something to be taken? */
static inline bool merge_takes(const merge_core_t *m, const merge_entry_t *entry, uint64_t idx) {
  return m->key[idx] && merge_complete(&entry[idx]);
}

/* The row goes to the row register, the entry is free. */
static inline void merge_take(merge_core_t *m, merge_entry_t *entry, unsigned idx) {
  m->key[idx] = 0;
  m->row_mask = entry[idx].lmask;
  m->row_size = entry[idx].size;
  m->level--;
  if (idx < m->first_free) m->first_free = idx;
  while (m->end > 0 && !m->key[m->end - 1]) m->end--;
}

static inline void merge_clear_events(merge_core_t *m) {
  m->cpl_valid = m->err_overflow = m->err_merge = m->probe_write = false;
}

static inline bool merge_core_idle(const merge_core_t *m) {
  return !m->cpl_valid && !m->err_overflow && !m->err_merge && !m->probe_write;
}

/* Threads of mask, lane_bits each, from src to dst. */
static inline void merge_write_row(uint32_t *dst, const uint32_t *src, uint32_t mask, unsigned lane_bits) {
  for (unsigned thread = 0; thread < 32; thread++) {
    if (!(mask >> thread & 1)) continue;
    if (lane_bits == 32) dst[thread] = src[thread]; /* quick */
    else bits_copy(dst, thread * lane_bits, src, thread * lane_bits, lane_bits);
  }
}

/* One cycle: receive a packet (or NULL) with its row, take an entry
 * (or -1), if it is complete. rows: depth rows of row_words words. */
static inline void merge_core_step(merge_core_t *m, merge_entry_t *entry, uint32_t *rows, uint32_t *row, unsigned depth,
                                   unsigned lane_bits, const merge_packet_t *packet, const uint32_t *packet_row,
                                   int take_idx) {
  const bool takes = take_idx >= 0 && merge_takes(m, entry, (unsigned)take_idx); /* as the entries are registered */
  merge_clear_events(m);
  int written = packet ? merge_receive(m, entry, depth, packet) : -1;
  if (takes) {
    merge_take(m, entry, (unsigned)take_idx);
    memcpy(row, &rows[(unsigned)take_idx * lane_bits], lane_bits * sizeof *row);
  }
  if (written >= 0) merge_write_row(&rows[(unsigned)written * lane_bits], packet_row, packet->mask, lane_bits);
}

#endif
