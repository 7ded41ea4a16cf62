/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic instructions of a subcore, from dispatch to the end. Operands and results are in the
 * far-bank register file.
 *
 *    global memory               atomic port -> requests -> own units or other cores -> answers
 *    shared memory, near         one message to the unit -> passes -> answer
 *    shared memory, base die     at dispatch; ends after its passes
 */
#include <string.h>

#include "simt_memory.h"
#include "subcore.h"

static simt_warp_t *far_file(subcore_t *s, const mpu_inflight_t *f) {
  return &s->regs.warp[f->warp].simt[FAR];
}

static uint32_t shared_bytes(const subcore_t *s) {
  return s->base->sh->run->simt.shared_bytes;
}

/* The block's shared memory. */
static simt_memory_t shared_memory(subcore_t *s, const mpu_inflight_t *f) {
  return (simt_memory_t){(uint8_t *)s->base->smem + s->base->block[s->warp[f->warp].block].shared_base, shared_bytes(s),
                         0};
}

/* Addresses were checked at dispatch, so simt_access cannot fail. */
unsigned subcore_smem_atomic(subcore_t *s, unsigned tag) {
  const mpu_inflight_t *f = &s->tag[tag];
  simt_wrong_t wrong; /* there is none: looked at when it was dispatched */
  simt_access(far_file(s, f), f->op->op, f->mask, s->atomic.address, shared_memory(s, f), &wrong);
  return simt_bank_cycles(f->op->op, f->mask, s->atomic.address);
}

/* The atomic port takes the instruction. */
static void begin_atomic(subcore_t *s, mpu_inflight_t *f, unsigned tag) {
  atomic_port_t *p = &s->atomic;
  p->busy = true;
  p->waits = false;
  p->shared = f->op->op->space == PTX_SPACE_SHARED;
  p->tag = (uint8_t)tag;
  p->left = f->mask;
  p->under_way[tag] = 0;
  s->warp[f->warp].atomics[p->shared]++;
  f->atomic = true;
  mpu_regs_written(&s->regs, FAR, f);
}

/* Waits until the port is free and the warp's other accesses to that memory are over. */
bool subcore_atomic(subcore_t *s, mpu_inflight_t *f, unsigned tag) {
  const bool shared = f->op->op->space == PTX_SPACE_SHARED, near_smem = shared && s->engine_in.smem_near;
  mpu_stats_t *stats = &s->base->stats;
  if (s->atomic.busy || s->warp[f->warp].accesses[shared]) return false;
  if (shared && !near_smem && !subcore_smem_free(s)) return false;
  if (!(shared ? subcore_shared_ok : subcore_global_ok)(s, f, FAR, s->atomic.address)) return false;
  stats->thread_instructions += (unsigned)__builtin_popcount(f->mask);
  *(shared ? &stats->shared_atomics : &stats->atomics) += 1;
  stats->shared_accesses += shared;
  *(s->base->sh->config->ponb || (shared && !near_smem) ? &stats->far_instructions : &stats->near_instructions) += 1;
  if (!f->mask) {
    subcore_release_after(s, tag, 1);
    return true;
  }
  if (!shared) stats->atomic_operations += (unsigned)__builtin_popcount(f->mask);
  if (shared && !near_smem) {
    mpu_regs_written(&s->regs, FAR, f);
    subcore_smem_use(s, tag, subcore_smem_atomic(s, tag));
  } else begin_atomic(s, f, tag);
  return true;
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* A beat has 8 bytes. */
static unsigned beats_of_bytes(unsigned bytes) {
  return (bytes + 7) / 8;
}

/* Without near-bank units (ponb) the atomic unit is on the base die: the 32 bytes come up and go
 * down. */
unsigned subcore_atomic_beats_down(const mpu_config_t *c, const mpu_packet_t *p) {
  return c->ponb ? (unsigned)lsu_down_beats(LSU_RD) + (unsigned)lsu_down_beats(LSU_WR)
                 : 1 + beats_of_bytes(mpu_atomic_operands(&p->atomic));
}

unsigned subcore_atomic_beats_up(const mpu_config_t *c, const mpu_packet_t *p) {
  if (c->ponb) return tsv_up_beats(LSU_RDR) + tsv_up_beats(LSU_WRA);
  return 1 + (p->atomic.reply ? beats_of_bytes((unsigned)p->atomic.count * p->atomic.bytes) : 0);
}

/* Each thread's address, 16 bits, and its operands. */
static unsigned smem_beats_down(const mpu_inflight_t *f) {
  const simt_op_t *op = f->op->op;
  return 1 + beats_of_bytes((unsigned)__builtin_popcount(f->mask) *
                            (2u + op->bytes * (op->c != SIMT_NO_OPERAND ? 2u : 1u)));
}

/* A header, and old values if the instruction wants them. */
unsigned subcore_smem_atomic_beats_up(const subcore_t *s, unsigned tag) {
  const mpu_inflight_t *f = &s->tag[tag];
  const simt_op_t *op = f->op->op;
  return 1 + (op->v[0] != SIMT_NO_OPERAND ? beats_of_bytes((unsigned)__builtin_popcount(f->mask) * op->bytes) : 0);
}

static tsv_offer_t make_atomic_offer(unsigned type, unsigned nbu, unsigned tag, unsigned beats) {
  const uint64_t hdr = LSU_PUT(LSU_PUT(LSU_PUT(0, type, type), nbu, nbu), id, tag);
  return (tsv_offer_t){.valid = true, .nbu = (uint8_t)nbu, .beats = (uint8_t)beats, .hdr = hdr};
}

tsv_offer_t subcore_atomic_packet_offer(const mpu_config_t *c, const mpu_packet_t *p) {
  return make_atomic_offer(TSV_ATOM, p->nbu, 0, subcore_atomic_beats_down(c, p));
}

/* Makes the port's next request first. */
tsv_offer_t subcore_atomic_offer(subcore_t *s) {
  atomic_port_t *p = &s->atomic;
  const mpu_inflight_t *f = &s->tag[p->tag];
  if (!p->busy) return (tsv_offer_t){0};
  if (p->shared) return p->waits ? (tsv_offer_t){0} : make_atomic_offer(TSV_ATOMS, s->id, p->tag, smem_beats_down(f));
  atomic_port_make(p, f->op->op, far_file(s, f), s->base->sh->map, s->base->id, s->id);
  return atomic_port_has_local(p) ? subcore_atomic_packet_offer(s->base->sh->config, &p->packet) : (tsv_offer_t){0};
}

/* The bus or the network took what was ready. */
void subcore_atomic_sent(subcore_t *s) {
  atomic_port_t *p = &s->atomic;
  if (p->shared) {
    p->waits = true;
    return;
  }
  *(atomic_port_has_local(p) ? &s->base->stats.atomics_near : &s->base->stats.atomics_remote) += 1;
  atomic_port_sent(p);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* Writes old values to the destination, if the instruction has one. */
void subcore_atomic_answer(subcore_t *s, const mpu_packet_t *answer) {
  const atomic_request_t *r = &s->atomic.request[answer->id];
  const mpu_inflight_t *f = &s->tag[r->tag];
  const simt_op_t *op = f->op->op;
  for (unsigned i = 0; i < r->count; i++) {
    uint8_t old[8] = {0};
    memcpy(old, (const uint8_t *)answer->data + i * op->bytes, op->bytes);
    simt_write_element(far_file(s, f), op, 0, r->lane[i], old);
  }
  unsigned tag;
  if (atomic_port_answer(&s->atomic, answer, &tag)) subcore_release(s, tag);
}

void subcore_smem_atomic_over(subcore_t *s, unsigned tag) {
  s->atomic.busy = s->atomic.shared = false;
  subcore_release(s, tag);
}
