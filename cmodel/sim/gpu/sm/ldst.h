/* SPDX-License-Identifier: Apache-2.0
 *
 * Load/store unit and L1 of an SM. One line a cycle: a hit delivers at once (the registers are
 * usable l1.latency later), a miss takes an MSHR and asks the L2, a store goes to the L2 and
 * updates the line if it is there.
 *
 *   if (ldst_has_room(l)) ldst_issue(l, ...);      a global load, store or atomic
 *   ldst_tick(l)                                   once a cycle; ldst_receive(l, packet) before it
 *
 * L1: write-through, no allocation by stores; a store updates the line if it is there and keeps a
 * fill that is under way from being cached (its data may be older).
 *
 * Constants with addresses in registers come through a cache of their own, which a store never
 * changes and which has an address a cycle for all threads that want it (ours: through the same
 * MSHRs).
 *
 * Where packets to the L2 may overtake each other, what the head of the queue would send waits
 * until it may go (line_guard.h).
 *
 * Who has packets of his own to send for a memory instruction, a line at a time and in order with
 * the others', takes an access (ldst_take), fills it in as ACCESS_OTHER and queues it (ldst_push):
 * `emit` is called a cycle each when it is at the head. He may also look into the L1, in turn with
 * the unit.
 */
#ifndef LDST_H
#define LDST_H

#include "async_copy.h"
#include "cache.h"
#include "coalesce.h"
#include "gpu_shared.h"
#include "line_guard.h"
#include "texels.h"
#include "tile.h"

/* A memory instruction in the unit or waiting for data. */
typedef struct ldst_access {
  const simt_op_t *op;
  simt_warp_t *registers; /* of the warp */
  uint8_t warp, total;    /* bytes a thread */
  enum { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOM, ACCESS_OTHER } kind;
  uint16_t next_line; /* what the unit does next */
  uint16_t waiting;   /* lines that have been asked for and are not there */
  uint16_t came;      /* and that have come */
  uint32_t mask;
  uint64_t done_at, first_at; /* first_at: the first of those that came */
  coalesce_t lines;
  /* of a texture fetch: these, and not `lines`, say what it wants; NULL: no fetch */
  texels_t *texels;
  coalesce_words_t *words;                       /* the same of an access to local memory */
  tile_t *tile;                                  /* the same of a matrix or an asynchronous copy */
  async_copy_t *copy;                            /* NULL: none */
  uint8_t stride;                                /* of blob */
  _Alignas(8) uint8_t blob[GPU_WARP_WIDTH * 32]; /* store data, atomic operands: thread i's bytes at i * stride;
                                                    ACCESS_OTHER: its owner's */
} ldst_access_t;

/* Memory for what an access points to, once it was of that kind. */
typedef struct {
  void *texels, *words, *tile, *copy;
} ldst_kept_t;

/* What the unit has to say, as it happens. */
typedef struct {
  void *ctx;
  /* an access, which keeps its block of threads alive */
  void (*begun)(void *ctx, unsigned warp);
  void (*over)(void *ctx, unsigned warp);                                       /* it is over */
  void (*loaded)(void *ctx, unsigned warp, const simt_op_t *op, uint64_t when); /* registers may be used from then on */
  /* a line or an atomic is acknowledged */
  void (*stored)(void *ctx, unsigned warp);
  /* ACCESS_OTHER at the head; true: that was its last packet */
  bool (*emit)(void *ctx, ldst_access_t *a);
} ldst_events_t;

enum { L1_MAX_MERGES = 64, L1_MAX_MSHRS = 64, LDST_MAX_QUEUE = 32 };
typedef struct {
  uint8_t count;
  bool constant; /* for the constant cache */
  struct {
    uint16_t access;
    uint32_t lanes; /* where they are not `lines` that say what it wants: the number of its line */
  } wait[L1_MAX_MERGES];
} l1_mshr_t;

typedef struct ldst {
  const gpu_shared_t *sh;
  unsigned id; /* of the SM */
  const uint64_t *now;
  ldst_events_t events;
  ldst_access_t *accesses;
  uint16_t *free_access;
  ldst_kept_t *kept; /* of each access */
  unsigned num_free;
  uint16_t queue[LDST_MAX_QUEUE];
  unsigned head, count;
  uint64_t held_until; /* takes no instruction before: a shared memory access holds it */
  cache_t l1, constants;
  l1_mshr_t *mshrs;
  uint64_t mshr_line[L1_MAX_MSHRS];
  uint64_t mshrs_used; /* bit i: MSHR i waits for its line */
  uint64_t mshrs_live; /* of those: the line may be cached. The others' data may be stale: they serve who
                                      waits, cache nothing and take no new ones */
  line_guard_t *guard; /* NULL: the way to the L2 keeps order */
  /* the head's load is known to have no line there and none on
   * its way: it waits to request one. Until one is filled */
  bool missed;
  bool port_taken;  /* the L1's, in this cycle */
  bool others_turn; /* somebody else has it in the next one */
} ldst_t;

/* -1: out of host memory */
int ldst_init(ldst_t *l, const gpu_shared_t *sh, unsigned id, const uint64_t *now, const ldst_events_t *events);
void ldst_deinit(ldst_t *l);
void ldst_start(ldst_t *l); /* a launch: empty L1 */
/* Forgets the lines that are not as in memory any more, and what is on its way. */
void ldst_refresh(ldst_t *ldst, const gpu_memory_t *memory);
void ldst_clear(ldst_t *l); /* the same while loads are under way: what comes for them is not kept */

static inline bool ldst_has_room(const ldst_t *l) {
  return l->count < l->sh->config->sm.lsu_queue && l->num_free;
}
static inline void ldst_hold(ldst_t *l, unsigned cycles) {
  if (l->held_until < *l->now + cycles) l->held_until = *l->now + cycles;
}

/* Returns how many lines it is: so many `stored` will come, unless it is a load. */
unsigned ldst_issue(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, uint32_t mask,
                    const uint64_t *paddr);
/* -1: out of host memory */
int ldst_issue_texture(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, const texels_t *texels);
/* A load or store of bytes that lie apart. Returns its
 * lines, as ldst_issue does; 0: out of host memory. */
unsigned ldst_issue_words(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, uint32_t mask,
                          const coalesce_words_t *words);
/* A load or store of a matrix: its pieces have their places and,
 * of a store, bytes. Returns its lines; 0: out of host memory. */
unsigned ldst_issue_tile(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, const tile_t *tile);
/* An asynchronous copy, which `loaded` says is over. -1: out of host memory. */
int ldst_issue_copy(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, const async_copy_t *copy);
/* some of the warp, of groups with numbers below, are under way */
bool ldst_copies(const ldst_t *l, unsigned warp, int64_t limit);
void ldst_step(ldst_t *l); /* ldst_tick's */
static inline void ldst_tick(ldst_t *l) {
  l->port_taken = false;
  if (l->count) ldst_step(l);
  l->others_turn = false;
}
bool ldst_receive(ldst_t *l, const packet_t *packet); /* false: it is not the unit's */
bool ldst_invalidate(ldst_t *l, uint64_t line);       /* true: a fill that was under way is not kept */

ldst_access_t *ldst_take(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op);
void ldst_push(ldst_t *l, ldst_access_t *a);
/* in `emit`: the L1's tags, in the unit's turn; false: it is the others' */
bool ldst_tags(ldst_t *l, uint64_t line, bool *there);
bool ldst_port(ldst_t *l);                               /* false: the L1 is taken; it is yours in the next cycle */
const cache_line_t *ldst_look(ldst_t *l, uint64_t line); /* takes it; NULL: not there */

#endif
