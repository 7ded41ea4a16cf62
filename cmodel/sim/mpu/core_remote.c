/* SPDX-License-Identifier: Apache-2.0
 *
 * The core's LSU-Remote with its wires.
 */
#include <stdlib.h>
#include <string.h>

#include "core_remote.h"
#include "lsu_remote.h"

/* An answer of a unit that the LSU-Remote has not seen yet. */
typedef struct {
  uint8_t id;
  uint32_t data[LSU_XFER_WORDS];
} remote_answer_t;

typedef struct {
  core_remote_t seen; /* first, so that either is the other */
  lsu_remote_t model;
  lsu_remote_in_t in;
  lsu_remote_out_t out;
  unsigned room; /* free places of the model's input FIFO */
  remote_answer_t answer[RemoteEntries];
  unsigned head, count; /* a ring of answers; the model takes one a cycle */
} remote_t;

/* The whole of what core_remote_new made. */
static remote_t *remote_of(core_remote_t *seen) {
  return (remote_t *)(void *)seen;
}

core_remote_t *core_remote_new(void) {
  remote_t *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  lsu_remote_reset(&r->model);
  r->room = InDepth;
  return &r->seen;
}

void core_remote_free(core_remote_t *r) {
  free(r);
}

/* The model takes one packet a cycle. */
bool core_remote_room(const core_remote_t *seen) {
  const remote_t *r = (const remote_t *)(const void *)seen;
  return r->room && !r->in.in_valid;
}

void core_remote_push(core_remote_t *seen, const mpu_packet_t *p) {
  remote_t *r = remote_of(seen);
  lsu_remote_in_t *in = &r->in;
  r->room--;
  in->in_valid = 1;
  in->in_write = p->write;
  in->in_core = p->source;
  in->in_subcore = p->subcore;
  in->in_id = p->id;
  in->in_nbu = p->nbu;
  in->in_addr = p->addr;
  in->in_mask = p->mask;
  memcpy(in->in_data, p->data, sizeof p->data);
  r->seen.awake = true;
}

void core_remote_answer(core_remote_t *seen, unsigned id, const uint32_t *data) {
  remote_t *r = remote_of(seen);
  remote_answer_t *a = &r->answer[(r->head + r->count++) % RemoteEntries];
  a->id = (uint8_t)id;
  if (data) memcpy(a->data, data, sizeof a->data);
  else memset(a->data, 0, sizeof a->data);
  r->seen.awake = true;
}

bool core_remote_begin(core_remote_t *seen, core_base_t *base, tsv_offer_t *offer) {
  remote_t *r = remote_of(seen);
  offer->valid = false;
  if (r->count) {
    const remote_answer_t *a = &r->answer[r->head];
    r->in.rs_valid = 1;
    r->in.rs_id = a->id;
    memcpy(r->in.rs_data, a->data, sizeof a->data);
    r->head = (r->head + 1) % RemoteEntries;
    r->count--;
  }
  lsu_remote_eval(&r->model, &r->in, &r->out);
  if (r->out.err)
    trouble_fail(&base->fault, TROUBLE_BROKEN, "lsu_remote[%u]: error output %u", base->id, (unsigned)r->out.err);
  r->room += (unsigned)r->out.in_credit;
  if (r->out.dn_valid) *offer = tsv_offer(r->out.dn_hdr, (uint32_t)r->out.dn_mask, r->out.dn_data);
  return offer->valid;
}

static void fill_answer(mpu_packet_t *p, const lsu_remote_out_t *o, unsigned source) {
  *p = (mpu_packet_t){.source = (uint8_t)source,
                      .dest = (uint8_t)o->out_core,
                      .subcore = (uint8_t)o->out_subcore,
                      .id = (uint8_t)o->out_id,
                      .write = o->out_write != 0};
  memcpy(p->data, o->out_data, sizeof p->data);
}

bool core_remote_end(core_remote_t *seen, const core_base_t *base, bool taken, bool room, mpu_packet_t *answer) {
  remote_t *r = remote_of(seen);
  r->in.dn_take = taken;
  r->in.out_take = r->out.out_valid && room;
  const bool sends = r->in.out_take;
  if (sends) fill_answer(answer, &r->out, base->id);
  bool input = r->in.in_valid | r->in.rs_valid | r->in.dn_take | r->in.out_take;
  r->seen.awake = input || r->count || r->out.dn_valid || r->out.out_valid || r->out.err || !lsu_remote_idle(&r->model);
  if (!r->seen.awake) return sends; /* it shows nothing and does nothing */
  lsu_remote_step(&r->model, &r->in);
  r->in.in_valid = r->in.dn_take = r->in.rs_valid = r->in.out_take = 0;
  return sends;
}
