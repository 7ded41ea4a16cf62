/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of a buffer whose entries are merged from several packets (NSU paper, section 4.1.2).
 * The blocks nsu_mergebuf, nsu_rdbuf and nsu_wrbuf share it.
 *
 * The contract is rtl/nsu/nsu_mergebuf.ports; numbers in brackets below are its rules. A block
 * passes its depth, its registers, its entries (entry[depth]) and its rows. A row is 32 threads of
 * lane_bits bits, which is lane_bits words. Rows and the row register are a memory: zero at
 * power-up, untouched by reset. In each cycle a block looks up with merge_lookup, then calls
 * merge_core_step once.
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
  uint8_t size;          /* code of the header's field */
  uint32_t lmask, there; /* threads of the instruction; threads whose words have arrived */
} merge_entry_t;

typedef struct {
  unsigned level;                                       /* busy entries */
  unsigned first_free;                                  /* all entries below are busy */
  unsigned end;                                         /* no entry from here on is busy */
  uint32_t row_mask;                                    /* lmask of the entry taken last; 0 after reset */
  uint8_t row_size;                                     /* its size */
  bool cpl_valid, err_overflow, err_merge, probe_write; /* all for one cycle */
  merge_id_t cpl;                                       /* the instruction that is complete, valid with cpl_valid */
  unsigned probe_write_idx;                             /* the last packet's entry, valid with probe_write */
  uint32_t key[MERGE_MAX_DEPTH];                        /* merge_key of an entry's id; 0: the entry is free */
} merge_core_t;

typedef struct {
  merge_id_t id;
  uint32_t mask, lmask;
  uint8_t size;
} merge_packet_t;

/* An id as one number that is never 0. */
static inline uint32_t merge_key(merge_id_t id) {
  return 1u << 24 | (uint32_t)id.sm << 16 | (uint32_t)id.warp << 8 | id.seq;
}

/* All threads of the instruction have arrived [5]. */
static inline bool merge_complete(const merge_entry_t *entry) {
  return entry->there == entry->lmask;
}

/* The busy entry of this id, or -1; an id has at most one entry. */
static inline int merge_find(const merge_core_t *m, merge_id_t id) {
  uint32_t key = merge_key(id);
  int found = -1;
  for (unsigned i = 0; i < m->end; i++)
    if (m->key[i] == key) found = (int)i;
  return found;
}

/* The busy and complete entry of this id, or -1 [6]. */
static inline int merge_lookup(const merge_core_t *m, const merge_entry_t *entry, merge_id_t id) {
  int i = merge_find(m, id);
  return i >= 0 && merge_complete(&entry[i]) ? i : -1;
}

/* Frees all entries; rows keep their words. */
static inline void merge_core_reset(merge_core_t *m, merge_entry_t *entry, unsigned depth) {
  *m = (merge_core_t){0};
  memset(entry, 0, depth * sizeof *entry);
}

/* True if the packet contradicts itself or the entry it belongs to [2]. */
static inline bool merge_wrong(const merge_entry_t *found, const merge_packet_t *p) {
  if (p->mask & ~p->lmask) return true;
  return found &&
         (merge_complete(found) || (p->mask & found->there) || p->lmask != found->lmask || p->size != found->size);
}

/* Receives a packet [1 to 5] and sets the error and event flags. Returns its entry, or -1 if it is
 * dropped. The caller then writes the threads of p->mask into that entry's row. Call it before
 * merge_take of the same cycle: a packet sees the entries as registered. */
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

/* True if a take of this entry succeeds: it is busy and complete [7]. */
static inline bool merge_takes(const merge_core_t *m, const merge_entry_t *entry, uint64_t idx) {
  return m->key[idx] && merge_complete(&entry[idx]);
}

/* Frees the entry. Its mask and size go to the row register; the caller copies the row. */
static inline void merge_take(merge_core_t *m, merge_entry_t *entry, unsigned idx) {
  m->key[idx] = 0;
  m->row_mask = entry[idx].lmask;
  m->row_size = entry[idx].size;
  m->level--;
  if (idx < m->first_free) m->first_free = idx;
  while (m->end > 0 && !m->key[m->end - 1]) m->end--;
}

/* Events last one cycle; step calls this first. */
static inline void merge_clear_events(merge_core_t *m) {
  m->cpl_valid = m->err_overflow = m->err_merge = m->probe_write = false;
}

/* True: without a packet or a take, step changes nothing. */
static inline bool merge_core_idle(const merge_core_t *m) {
  return !m->cpl_valid && !m->err_overflow && !m->err_merge && !m->probe_write;
}

/* Copies the threads of mask, lane_bits bits each, from src to dst. */
static inline void merge_write_row(uint32_t *dst, const uint32_t *src, uint32_t mask, unsigned lane_bits) {
  for (unsigned thread = 0; thread < 32; thread++) {
    if (!(mask >> thread & 1)) continue;
    if (lane_bits == 32) dst[thread] = src[thread]; /* quick */
    else bits_copy(dst, thread * lane_bits, src, thread * lane_bits, lane_bits);
  }
}

/* The clock edge. packet: NULL if none comes, else packet_row has its words. take_idx: the entry
 * to be taken, -1: none; a take of an entry that is not complete does nothing. rows: depth rows of
 * lane_bits words. row: the row register. */
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
