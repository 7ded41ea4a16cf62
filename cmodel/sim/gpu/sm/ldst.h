/* SPDX-License-Identifier: Apache-2.0
 *
 * The load/store unit and L1 of an SM. The unit handles one line a cycle, from the head of its
 * queue:
 *
 *   load, hit     delivers at once; the registers are usable l1.latency cycles later
 *   load, miss    takes an MSHR and asks the L2, or joins the line's MSHR
 *   store         goes to the L2, and updates the line if the L1 has it
 *   atomic        goes to the L2; the L1 drops the line
 *
 *   if (ldst_has_room(l)) ldst_issue(l, ...);      a global load, store or atomic
 *   ldst_receive(l, packet); ldst_tick(l);         once a cycle, in this order
 *
 * The L1 is write-through without write-allocate. A store marks a fill under way for its line: the
 * fill's data may be older, so the L1 does not cache them.
 *
 * Constants with addresses in registers use a cache of their own, which stores never change. The
 * constant cache handles one address a cycle, for all threads that want that address. Misses use
 * the L1's MSHRs (ours).
 *
 * If packets to the L2 may overtake each other, the head of the queue waits until the line guard
 * lets its packet go (line_guard.h).
 *
 * An offload policy can send packets of its own for a memory instruction, a line at a time and in
 * order with other instructions. The policy takes an access (ldst_take), fills it in as
 * ACCESS_OTHER and queues it (ldst_push). The unit calls `emit` each cycle while the access is at
 * the head. The policy may also look into the L1 (ldst_port, ldst_look), in turn with the unit.
 */
#ifndef LDST_H
#define LDST_H

#include "cache.h"
#include "gpu_shared.h"
#include "ldst_access.h"
#include "line_guard.h"

/* Memory that an access points to, allocated at the first access of that kind and reused. */
typedef struct {
  void *texels, *words, *tile, *copy;
} ldst_kept_t;

/* Callbacks of the unit. ctx is the SM. */
typedef struct {
  void *ctx;
  /* an access begins; its CTA must stay alive until `over` */
  void (*begun)(void *ctx, unsigned warp);
  void (*over)(void *ctx, unsigned warp);
  /* a load's data are there; its registers are usable from cycle `when` */
  void (*loaded)(void *ctx, unsigned warp, const simt_op_t *op, uint64_t when);
  /* the L2 has acknowledged a line or an atomic */
  void (*stored)(void *ctx, unsigned warp);
  /* an ACCESS_OTHER is at the head; returns true after its last packet */
  bool (*emit)(void *ctx, ldst_access_t *a);
} ldst_events_t;

enum { L1_MAX_MERGES = 64, L1_MAX_MSHRS = 64, LDST_MAX_QUEUE = 32 };
/* A miss, with the loads that wait for its line. */
typedef struct {
  uint8_t count;
  bool constant; /* the line is for the constant cache */
  struct {
    uint16_t access;
    uint32_t lanes; /* of `lines`: threads; of texels, words and tile: index of the line */
  } wait[L1_MAX_MERGES];
} l1_mshr_t;

/* State of the unit. The unit owns all arrays. */
typedef struct ldst {
  const gpu_shared_t *sh;
  unsigned id;         /* of the SM */
  const uint64_t *now; /* the SM's cycle */
  ldst_events_t events;
  ldst_access_t *accesses; /* [sm.max_loads] */
  uint16_t *free_access;   /* [num_free]: indices of free accesses */
  ldst_kept_t *kept;       /* [sm.max_loads] */
  unsigned num_free;
  uint16_t queue[LDST_MAX_QUEUE]; /* a ring of indices into accesses */
  unsigned head, count;
  /* cycle before which the unit takes no instruction: shared memory holds the unit */
  uint64_t held_until;
  cache_t l1, constants;
  l1_mshr_t *mshrs;
  uint64_t mshr_line[L1_MAX_MSHRS];
  uint64_t mshrs_used; /* bit i: MSHR i waits for its line */
  /* of these, MSHRs whose line may be cached. The data of the others may be stale: they serve
   * their waiters, are not cached, and accept no more waiters */
  uint64_t mshrs_live;
  line_guard_t *guard; /* NULL: the way to the L2 keeps the order */
  /* the head's load misses, and no fill of its line is under way: the load only waits to send its
   * request. A fill clears the flag */
  bool missed;
  bool port_taken;  /* the L1's port is used in this cycle */
  bool others_turn; /* the offload policy has the port in the next cycle */
} ldst_t;

/* -1: out of host memory. ldst_deinit frees also after a failure. */
int ldst_init(ldst_t *l, const gpu_shared_t *sh, unsigned id, const uint64_t *now, const ldst_events_t *events);
void ldst_deinit(ldst_t *l);
void ldst_start(ldst_t *l); /* a launch: empties the L1 */
/* Drops the lines that differ from memory, and fills under way. */
void ldst_refresh(ldst_t *ldst, const gpu_memory_t *memory);
void ldst_clear(ldst_t *l); /* drops all lines, and fills under way */

/* True if an access may be issued. */
static inline bool ldst_has_room(const ldst_t *l) {
  return l->count < l->sh->config->sm.lsu_queue && l->num_free;
}
/* Keeps the unit from taking instructions for so many cycles. */
static inline void ldst_hold(ldst_t *l, unsigned cycles) {
  if (l->held_until < *l->now + cycles) l->held_until = *l->now + cycles;
}

static inline bool ldst_is_constant(const ldst_access_t *a) {
  return a->op->space == PTX_SPACE_CONST;
}
/* Lines that an access is made of. */
static inline unsigned ldst_lines(const ldst_access_t *a) {
  if (a->tile) return a->tile->lines;
  if (a->texels) return a->texels->lines;
  if (a->words) return a->words->count;
  return a->lines.count;
}

/* Issues a global access of the threads in `mask`. Returns the number of lines; `stored` will
 * report as many, unless it is a load. */
unsigned ldst_issue(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, uint32_t mask,
                    const uint64_t *paddr);
/* Issues a texture fetch. -1: out of host memory. */
int ldst_issue_texture(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, const texels_t *texels);
/* Issues a load or store whose words lie apart. Returns the number of lines; 0: out of host
 * memory. */
unsigned ldst_issue_words(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, uint32_t mask,
                          const coalesce_words_t *words);
/* Issues a load or store of a matrix. The tile has the places of all pieces and, for a store,
 * their bytes. Returns the number of lines; 0: out of host memory. */
unsigned ldst_issue_tile(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, const tile_t *tile);
/* Issues an asynchronous copy; `loaded` reports its end. -1: out of host memory. */
int ldst_issue_copy(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op, const async_copy_t *copy);
/* True if copies of the warp with group numbers below `limit` are under way. */
bool ldst_copies(const ldst_t *l, unsigned warp, int64_t limit);
void ldst_step(ldst_t *l); /* part of ldst_tick */
static inline void ldst_tick(ldst_t *l) {
  l->port_taken = false;
  if (l->count) ldst_step(l);
  l->others_turn = false;
}
bool ldst_receive(ldst_t *l, const packet_t *packet); /* false: the packet is not for the unit */
bool ldst_invalidate(ldst_t *l, uint64_t line);       /* true: a fill under way will not be cached */

/* For a policy: a free access, to be filled in and pushed. ldst_has_room must hold. */
ldst_access_t *ldst_take(ldst_t *l, unsigned warp, simt_warp_t *registers, const simt_op_t *op);
void ldst_push(ldst_t *l, ldst_access_t *a);
/* Inside `emit`: looks up the L1's tags in the unit's turn. false: the turn is the policy's. */
bool ldst_tags(ldst_t *l, uint64_t line, bool *there);
/* Asks for the L1's port. false: taken; the policy has the port in the next cycle. */
bool ldst_port(ldst_t *l);
const cache_line_t *ldst_look(ldst_t *l, uint64_t line); /* uses the port; NULL: miss */

#endif
