/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores of memory in DRAM, from dispatch to the LSU.
 *
 *    resolve_addresses    registers -> device addresses, threads of global and of local memory
 *    make_part            what the LSU takes as one access: global threads, then local rows
 *    hand_to_lsu          which offloads it as one message, or splits it into 32-byte transfers
 *
 * Local memory is in the warp's own near-bank unit: word w of all threads side by side, thread
 * 0's first (ours). What all threads have at one offset is an aligned row, which the LSU
 * offloads like one of global memory. An access of 64 bits is two words, so two rows and two
 * parts. A generic address may be of either memory, thread by thread: threads with global ones
 * go first, in a part of their own.
 *
 * Constants at addresses in registers are loaded like global memory, from their copy there
 * (ours). No cache: the paper has none.
 */
#include <string.h>

#include "subcore.h"

enum { WORD_BYTES = 4 };

/* ---- Global addresses ------------------------------------------------------------------------ */

/* What is wrong with a thread's address; NULL: nothing. */
static const char *global_fault(core_base_t *base, const mpu_op_t *o, uint64_t address) {
  const unsigned bytes = 1u << o->size;
  if (!subcore_is_aligned(o, address)) return "is not aligned to the access's size";
  if (core_base_allocated(base, address, bytes)) return NULL;
  if (address >= SIMT_WINDOW_SHARED)
    return "is a generic address outside of global memory; ld.shared and the like would do";
  return "is out of bounds of every allocation";
}

/* Threads `mask` have good addresses; else false and a fault. */
static bool check_global(subcore_t *s, const mpu_inflight_t *f, uint32_t mask, const uint64_t a[32]) {
  for (uint32_t m = mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    const char *wrong = global_fault(s->base, f->op, a[i]);
    if (wrong) subcore_fault_lane(s, f, i, a[i], wrong);
    if (wrong) return false;
  }
  return true;
}

bool subcore_global_ok(subcore_t *s, const mpu_inflight_t *f, unsigned file, uint64_t a[32]) {
  subcore_addresses(s, f, file, a);
  return check_global(s, f, f->mask, a);
}

/* ---- Local addresses ------------------------------------------------------------------------- */

/* Threads whose addresses are of local memory, a bit each. These addresses become offsets. */
static uint32_t local_threads(const subcore_t *s, const mpu_inflight_t *f, uint64_t a[32]) {
  const unsigned space = f->op->op->space;
  uint32_t local = 0;
  if (space == PTX_SPACE_LOCAL) return f->mask;
  if (space != PTX_SPACE_GENERIC || s->base->sh->config->local_ideal) return 0;
  for (uint32_t m = f->mask; m; m &= m - 1) {
    uint64_t *at = &a[__builtin_ctz(m)];
    if (*at < SIMT_WINDOW_LOCAL || *at >= SIMT_WINDOW_CONST) continue;
    *at -= SIMT_WINDOW_LOCAL;
    local |= m & -m;
  }
  return local;
}

static bool check_local(const subcore_t *s, const mpu_inflight_t *f, uint32_t mask, const uint64_t a[32]) {
  const uint64_t size = subcore_local_bytes(s), bytes = 1u << f->op->size;
  for (uint32_t m = mask; m; m &= m - 1) {
    const uint64_t at = a[__builtin_ctz(m)];
    if (at <= size && bytes <= size - at && subcore_is_aligned(f->op, at)) continue;
    subcore_fault_lane(s, f, (unsigned)__builtin_ctz(m), at, "is out of bounds or misaligned");
    return false;
  }
  return true;
}

/* The device address of byte `at` of a thread's local memory. */
static uint64_t local_address(const subcore_t *s, unsigned warp, unsigned thread, uint64_t at) {
  const mpu_run_t *run = s->base->sh->run;
  const uint64_t word = at / WORD_BYTES, rows = run->local_at + (uint64_t)warp * run->local_words * MPU_ROW_BYTES;
  const uint64_t addr = rows + word * MPU_ROW_BYTES + thread * WORD_BYTES + at % WORD_BYTES;
  return mpu_map_address(s->base->sh->map, (mpu_place_t){(uint8_t)s->base->id, (uint8_t)s->id, (uint32_t)addr});
}

/* ---- Constants ------------------------------------------------------------------------------- */

/* A store to constant memory is a fault, too. */
static bool check_constant(const subcore_t *s, const mpu_inflight_t *f, unsigned i, uint64_t at) {
  const uint64_t size = s->base->sh->run->simt.const_bytes, bytes = 1u << f->op->size;
  const bool store = f->op->op->kind == SIMT_STORE;
  if (!store && at <= size && bytes <= size - at && subcore_is_aligned(f->op, at)) return true;
  subcore_fault_lane(s, f, i, at,
                     store ? "is of constant memory, which is not written" : "is out of bounds or misaligned");
  return false;
}

/* Addresses in the segment of constants become device addresses of the copy. False: a fault. */
static bool find_constants(const subcore_t *s, const mpu_inflight_t *f, uint32_t mask, uint64_t a[32]) {
  const unsigned space = f->op->op->space;
  if ((space != PTX_SPACE_CONST && space != PTX_SPACE_GENERIC) || s->base->sh->config->constant_ideal) return true;
  for (uint32_t m = mask; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (space == PTX_SPACE_GENERIC) {
      if (a[i] < SIMT_WINDOW_CONST || a[i] >= SIMT_WINDOW_PARAM) continue;
      a[i] -= SIMT_WINDOW_CONST;
    }
    if (!check_constant(s, f, i, a[i])) return false;
    a[i] += s->base->sh->run->constants;
  }
  return true;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* What the LSU takes as one access: these threads at these device addresses, 1 << size bytes
 * each. row: of the data register's rows. */
typedef struct {
  uint32_t mask;
  unsigned size, row;
  bool local;
  uint64_t a[32];
} part_t;

/* An access that no thread takes part in is one part, too. */
static void count_parts(subcore_t *s, const mpu_inflight_t *f) {
  const bool local = f->op->op->space == PTX_SPACE_LOCAL || s->access.local;
  s->access.globals = s->access.global || !local;
  s->access.locals = local;
  if (f->op->size == 3 && s->access.local) s->access.locals = 2;
  s->access.next = 0;
}

/* Part number access.next. In a local row, threads that do not take part have offset 0. */
static void make_part(const subcore_t *s, const mpu_inflight_t *f, part_t *p) {
  p->local = s->access.next >= s->access.globals;
  p->row = p->local ? s->access.next - (unsigned)s->access.globals : 0;
  p->mask = p->local ? s->access.local : s->access.global;
  p->size = p->local && f->op->size == 3 ? 2 : f->op->size;
  for (unsigned i = 0; i < 32; i++)
    p->a[i] = p->local
                  ? local_address(s, f->warp, i, (p->mask >> i & 1 ? s->access.address[i] : 0) + p->row * WORD_BYTES)
                  : s->access.address[i];
}

/* The addresses as the LSU has them: 35 bits each, one behind the other. True: some are another
 * core's. */
static bool pack_addresses(const subcore_t *s, const part_t *part, uint32_t *packed) {
  bool remote = false;
  uint64_t acc = 0;
  unsigned bits = 0, word = 0;
  for (unsigned i = 0; i < 32; i++) {
    uint64_t v = 0;
    if (part->mask >> i & 1) {
      mpu_place_t p = mpu_map_place(s->base->sh->map, part->a[i]);
      remote |= p.core != s->base->id;
      v = (uint64_t)p.core << 28 | (uint64_t)p.nbu << 26 | p.addr;
    }
    acc |= v << bits;
    packed[word++] = (uint32_t)acc;
    acc = v >> (32 - bits);
    bits += 3;
    if (bits >= 32) packed[word++] = (uint32_t)acc, acc >>= 32, bits -= 32;
  }
  if (bits) packed[word] = (uint32_t)acc;
  return remote;
}

/* ---- What becomes of them -------------------------------------------------------------------- */

static bool is_same_unit(const mpu_place_t *p, const mpu_place_t *q) {
  return p->core == q->core && p->nbu == q->nbu;
}

/* Thread i's address is i elements behind thread 0's. */
static bool is_consecutive(const uint64_t a[32], unsigned size) {
  uint64_t differ = 0;
  for (unsigned i = 0; i < 32; i++) differ |= a[i] ^ (a[0] + ((uint64_t)i << size));
  return !differ;
}

/* The same in addresses of the unit, all in the subcore's own one: the LSU's condition for
 * offloading. */
static bool is_row_of_own(const subcore_t *s, const uint64_t a[32], unsigned size) {
  const mpu_map_t map = s->base->sh->map;
  const uint32_t first = mpu_map_place(map, a[0]).addr;
  for (unsigned i = 0; i < 32; i++) {
    const mpu_place_t p = mpu_map_place(map, a[i]);
    if (p.core != s->base->id || p.nbu != s->id || p.addr != first + (i << size)) return false;
  }
  return true;
}

/* What becomes of a part: offloaded, or the first reason against it, its form before its place. */
static mpu_fate_t fate_of_part(const subcore_t *s, const part_t *p) {
  if (s->base->sh->config->ponb) return MPU_FATE_base_die;
  if (!p->mask) return MPU_FATE_no_threads;
  if (p->mask != ~0u) return MPU_FATE_partial_mask;
  if (is_row_of_own(s, p->a, p->size)) return MPU_FATE_offloaded;
  if (!is_consecutive(p->a, p->size)) return MPU_FATE_scattered;
  const mpu_place_t first = mpu_map_place(s->base->sh->map, p->a[0]), last = mpu_map_place(s->base->sh->map, p->a[31]);
  if (!is_same_unit(&first, &last) || last.addr - first.addr != 31u << p->size) return MPU_FATE_across_units;
  return first.core == s->base->id ? MPU_FATE_other_unit : MPU_FATE_other_core;
}

/* Counts a part. An access of local memory alone is near or far by its first row: both have one
 * fate. */
static void count_part(subcore_t *s, mpu_inflight_t *f, const part_t *p) {
  mpu_stats_t *stats = &s->base->stats;
  const bool store = f->op->op->kind == SIMT_STORE;
  const mpu_fate_t which = fate_of_part(s, p);
  f->offloaded = which == MPU_FATE_offloaded;
  if (p->local) {
    (store ? stats->local_stores : stats->local_loads)[which]++;
    if (!s->access.globals && !p->row) *(f->offloaded ? &stats->near_instructions : &stats->far_instructions) += 1;
    return;
  }
  (store ? stats->stores : stats->loads)[which]++;
  stats->global_accesses++;
  stats->global_remote += f->remote;
}

/* ---- Dispatch -------------------------------------------------------------------------------- */

/* Which threads access what. False: a fault. The addresses are kept in s->access, as a part that
 * is over may have written their register. */
static bool resolve_addresses(subcore_t *s, const mpu_inflight_t *f) {
  uint64_t *a = s->access.address;
  subcore_addresses(s, f, FAR, a);
  s->access.local = local_threads(s, f, a);
  s->access.global = f->mask & ~s->access.local;
  if (!find_constants(s, f, s->access.global, a)) return false;
  count_parts(s, f);
  return check_global(s, f, s->access.global, a) && check_local(s, f, s->access.local, a);
}

/* The instruction's first part goes: the warp counts it. */
static void begin_access(subcore_t *s, mpu_inflight_t *f) {
  mpu_warp_t *w = &s->warp[f->warp];
  s->access.begun = true;
  f->local = s->access.locals;
  f->parts = s->access.globals + s->access.locals;
  if (f->remote) (*(f->op->op->kind == SIMT_STORE ? &w->remote_stores : &w->remote_loads))++;
  f->access = f->budget = true;
  w->accesses[0]++;
  f->near = !s->base->sh->config->ponb;
  mpu_regs_will_be_written(&s->regs, f->near ? NEAR : FAR, f);
  s->base->stats.thread_instructions += (unsigned)__builtin_popcount(f->mask);
}

/* The LSU's inputs but for the addresses, which pack_addresses put there. */
static void hand_to_lsu(subcore_t *s, const mpu_inflight_t *f, unsigned tag, const part_t *p) {
  const mpu_op_t *o = f->op;
  lsu_in_t *in = &s->lsu_in;
  const bool store = o->op->kind == SIMT_STORE;
  in->in_valid = 1;
  in->in_store = store;
  in->in_warp = f->warp, in->in_tag = tag, in->in_size = p->size, in->in_mask = p->mask;
  in->in_sign = !store && o->sign;
  in->in_reg = mpu_op_data_reg(o, store) + p->row;
}

bool subcore_access(subcore_t *s, mpu_inflight_t *f, unsigned tag) {
  const mpu_warp_t *w = &s->warp[f->warp];
  const bool store = f->op->op->kind == SIMT_STORE;
  part_t part;
  if (!s->lsu_out.in_ready || s->budget >= SUBCORE_BUDGET || w->atomics[0]) return false;
  if (!s->access.begun && !resolve_addresses(s, f)) return false;
  make_part(s, f, &part);
  const bool remote = pack_addresses(s, &part, s->lsu_in.in_addr);
  /* Two accesses of a warp to other cores can overtake each other on the way. So a store waits
   * for all of them, and everything waits for a store. */
  if (remote && (w->remote_stores || (store && w->remote_loads))) return false;
  f->remote |= remote;
  if (!s->access.begun) begin_access(s, f);
  f->near = !s->base->sh->config->ponb;
  count_part(s, f, &part);
  s->budget++;
  hand_to_lsu(s, f, tag, &part);
  if (++s->access.next < s->access.globals + s->access.locals) return false;
  s->access.begun = false;
  return true;
}
