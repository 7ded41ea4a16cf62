/* SPDX-License-Identifier: Apache-2.0 */
#include "nbu_atomics.h"

#include <string.h>

#include "atomic.h"

bool nbu_atomics_room(const nbu_atomics_t *u, const mpu_config_t *config) {
  return u->count < config->atomic_queue;
}

unsigned nbu_atomics_take(nbu_atomics_t *u, const mpu_packet_t *packet) {
  unsigned i = 0;
  while (u->entry[i].state) i++;
  u->entry[i] = (nbu_atomic_t){.packet = *packet, .state = NBU_ATOMIC_COMING, .age = u->ages++};
  u->count++;
  return i;
}

void nbu_atomics_came(nbu_atomics_t *u, unsigned entry) {
  u->entry[entry].state = NBU_ATOMIC_WAITS;
}

/* An older request to the same 32 bytes has not written yet. */
static bool is_behind(const nbu_atomics_t *u, const nbu_atomic_t *a) {
  for (unsigned i = 0; i < NBU_ATOMICS_MOST; i++) {
    const nbu_atomic_t *b = &u->entry[i];
    if (b->state && b->state != NBU_ATOMIC_DONE && b->age < a->age && b->packet.addr == a->packet.addr) return true;
  }
  return false;
}

/* A read that may start, or a write whose operations are done. */
static bool can_push_entry(const nbu_atomics_t *u, const nbu_atomic_t *a, uint64_t now) {
  if (a->state == NBU_ATOMIC_COMPUTES) return a->at <= now;
  return a->state == NBU_ATOMIC_WAITS && !is_behind(u, a);
}

/* The oldest entry that has something for the controller goes. */
void nbu_atomics_step(nbu_atomics_t *u, near_mc_t *mc, const mpu_config_t *config, uint64_t now) {
  nbu_atomic_t *best = NULL;
  if (u->owed >= config->atomic_queue) return;
  for (unsigned i = 0; i < NBU_ATOMICS_MOST; i++)
    if (can_push_entry(u, &u->entry[i], now) && (!best || u->entry[i].age < best->age)) best = &u->entry[i];
  if (!best) return;
  const bool write = best->state == NBU_ATOMIC_COMPUTES;
  const near_mc_request_t r = {.addr = best->packet.addr,
                               .tag = (uint8_t)(best - u->entry),
                               .client = NBU_ATOMICS_CLIENT,
                               .write = write,
                               .modify = write};
  near_mc_push(mc, &r, now);
  u->owed++;
  best->state = write ? NBU_ATOMIC_WRITES : NBU_ATOMIC_READS;
}

/* Read: the operations take atomic_latency cycles each, one entry after the other. Write: done. */
void nbu_atomics_answer(nbu_atomics_t *u, const near_mc_answer_t *answer, const mpu_config_t *config, uint64_t now) {
  nbu_atomic_t *a = &u->entry[answer->tag];
  if (answer->write) {
    a->state = NBU_ATOMIC_DONE;
    return;
  }
  const uint64_t from = u->alu_free > now ? u->alu_free : now;
  a->state = NBU_ATOMIC_COMPUTES;
  a->at = u->alu_free = from + (uint64_t)a->packet.atomic.count * config->atomic_latency;
}

/* Operand i of the packet, zero-extended. */
static uint64_t operand_value(const mpu_packet_t *p, unsigned i) {
  uint64_t x = 0;
  memcpy(&x, (const uint8_t *)p->data + i * p->atomic.bytes, p->atomic.bytes);
  return x;
}

void nbu_atomics_modify(void *unit, uint8_t entry, uint8_t bytes[NEAR_MC_BYTES]) {
  mpu_packet_t *p = &((nbu_atomics_t *)unit)->entry[entry].packet;
  const mpu_atomic_t *a = &p->atomic;
  for (unsigned i = 0; i < a->count; i++) {
    uint64_t old = 0;
    memcpy(&old, bytes + a->at[i], a->bytes);
    const uint64_t now =
        atomic_apply(a->op, a->type, old, operand_value(p, i), a->compares ? operand_value(p, a->count + i) : 0);
    memcpy(bytes + a->at[i], &now, a->bytes);
    memcpy((uint8_t *)p->data + i * a->bytes, &old, a->bytes);
  }
}

nbu_atomic_t *nbu_atomics_done(nbu_atomics_t *u) {
  nbu_atomic_t *best = NULL;
  for (unsigned i = 0; u->count && i < NBU_ATOMICS_MOST; i++) {
    nbu_atomic_t *a = &u->entry[i];
    if (a->state == NBU_ATOMIC_DONE && (!best || a->age < best->age)) best = a;
  }
  return best;
}

void nbu_atomics_free(nbu_atomics_t *u, nbu_atomic_t *a) {
  a->state = NBU_ATOMIC_NONE;
  u->count--;
}
