/* SPDX-License-Identifier: Apache-2.0 */
#include "atomic_port.h"

#include <string.h>

#include "ptx.h"

enum { SECTOR = 32 };

/* Places are of 32-byte sectors here, so equal places are the same 32 bytes. */
static bool is_same_sector(const mpu_place_t *a, const mpu_place_t *b) {
  return a->core == b->core && a->nbu == b->nbu && a->addr == b->addr;
}

/* A request to these 32 bytes has no answer yet. */
static bool has_live_request(const atomic_port_t *p, const mpu_place_t *place) {
  for (uint32_t m = p->live; m; m &= m - 1)
    if (is_same_sector(&p->request[__builtin_ctz(m)].place, place)) return true;
  return false;
}

/* Operand number i of the packet: register `at` of thread `lane`. */
static void put_operand(mpu_packet_t *p, unsigned i, const simt_op_t *op, const simt_warp_t *w, uint32_t at,
                        unsigned lane) {
  memcpy((uint8_t *)p->data + i * op->bytes, (const uint8_t *)simt_src(w, at) + lane * op->reg_bytes, op->bytes);
}

/* First operands of all operations, then, for cas, their second ones. */
static void fill_packet(mpu_packet_t *p, const atomic_request_t *r, const uint64_t *address, const simt_op_t *op,
                        const simt_warp_t *w) {
  p->atomic = (mpu_atomic_t){.count = r->count,
                             .op = op->sub,
                             .type = op->type,
                             .bytes = op->bytes,
                             .compares = op->c != SIMT_NO_OPERAND,
                             .reply = op->v[0] != SIMT_NO_OPERAND};
  for (unsigned i = 0; i < r->count; i++) {
    p->atomic.at[i] = (uint8_t)(address[r->lane[i]] % SECTOR);
    put_operand(p, i, op, w, op->b, r->lane[i]);
    if (p->atomic.compares) put_operand(p, r->count + i, op, w, op->c, r->lane[i]);
  }
}

/* Moves threads from `left` into the request: those with the first thread's 32 bytes, in thread
 * order, at most `most`. */
static void gather_threads(atomic_port_t *p, atomic_request_t *r, unsigned most) {
  const uint64_t sector = p->address[__builtin_ctz(p->left)] / SECTOR;
  for (uint32_t m = p->left; m && r->count < most; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (p->address[i] / SECTOR != sector) continue;
    r->lane[r->count++] = (uint8_t)i;
    p->left &= ~(1u << i);
  }
}

void atomic_port_make(atomic_port_t *p, const simt_op_t *op, const simt_warp_t *w, mpu_map_t map, unsigned core,
                      unsigned subcore) {
  if (!p->busy || p->ready || p->shared || !~p->live) return;
  const mpu_place_t place = mpu_map_place(map, p->address[__builtin_ctz(p->left)] / SECTOR * SECTOR);
  if (place.core != core && has_live_request(p, &place)) return;
  const unsigned id = (unsigned)__builtin_ctz(~p->live);
  atomic_request_t *r = &p->request[id];
  *r = (atomic_request_t){.place = place, .tag = p->tag};
  gather_threads(p, r, SECTOR / op->reg_bytes / (op->c != SIMT_NO_OPERAND ? 2 : 1));
  p->packet = (mpu_packet_t){.source = (uint8_t)core,
                             .dest = place.core,
                             .subcore = (uint8_t)subcore,
                             .id = (uint8_t)id,
                             .nbu = place.nbu,
                             .write = true,
                             .addr = place.addr};
  fill_packet(&p->packet, r, p->address, op, w);
  p->live |= 1u << id;
  p->under_way[p->tag]++;
  p->ready = true;
}

void atomic_port_sent(atomic_port_t *p) {
  p->ready = false;
  p->busy = p->left != 0;
}

bool atomic_port_answer(atomic_port_t *p, const mpu_packet_t *answer, unsigned *tag) {
  const atomic_request_t *r = &p->request[answer->id];
  p->live &= ~(1u << answer->id);
  *tag = r->tag;
  return !--p->under_way[r->tag] && !(p->busy && p->tag == r->tag);
}
