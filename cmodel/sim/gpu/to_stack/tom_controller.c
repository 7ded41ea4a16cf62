/* SPDX-License-Identifier: Apache-2.0
 *
 * The wires of an SM's controller, an instance of tom_ctrl.
 *
 * A step is the clock edge at the end of a cycle. It then reads the outputs of the new cycle, and
 * puts the events of this cycle on the wires. Of several events of a kind, one goes in a cycle.
 * While all warps are away or wait for the SM, the model rests, and its clock edges are skipped.
 */
#include <stdlib.h>

#include "bits.h"
#include "l2.h"
#include "ldst.h"
#include "offload_tom.h"
#include "sm_warp.h"
#include "tom_ctrl_ports.h"

enum { RESTS = 4 /* cycles without anything, after which nothing is on a wire */ };

static trouble_t *fault_of(const tom_sm_t *s) {
  return s->port.sh->fault;
}

static const tom_ctrl_out_t *out_of(const tom_controller_t *c) {
  return offload_instance_out(&c->instance);
}

static void step_instance(const tom_sm_t *s) {
  offload_instance_step(&s->controller.instance, s->controller.in, fault_of(s));
}

/* Appends to a ring; faults without memory. */
static void ring_append(tom_sm_t *s, ring_t *ring, const void *thing) {
  if (!ring_put(ring, thing)) trouble_fail(fault_of(s), TROUBLE_ENVIRONMENT, "out of memory");
}

/* ---- Making ---------------------------------------------------------------------------------- */

int tom_controller_init(tom_sm_t *s) {
  tom_controller_t *c = &s->controller;
  c->begins.size = sizeof(tom_begin_t), c->accesses.size = sizeof(tom_first_access_t),
  c->requests.size = sizeof(packet_t *);
  if (offload_instance_open(&c->instance, s->port.sh->engine[GPU_HARDWARE_tom_ctrl], s->port.id)) return -1;
  return (c->in = calloc(1, sizeof(tom_ctrl_in_t))) ? 0 : -1;
}

static void free_packets(tom_sm_t *s) {
  for (packet_t *p = s->controller.ack_head, *next; p; p = next) {
    next = p->next;
    packet_free(s->port.sh->pool, p);
  }
  for (packet_t *const *p; (p = ring_front(&s->controller.requests)); ring_drop(&s->controller.requests))
    packet_free(s->port.sh->pool, *p);
}

void tom_controller_deinit(tom_sm_t *s) {
  tom_controller_t *c = &s->controller;
  free_packets(s);
  offload_instance_close(&c->instance);
  ring_deinit(&c->begins);
  ring_deinit(&c->accesses);
  ring_deinit(&c->requests);
  free(c->in);
}

/* Writes one entry a step, between kernels, without time. */
void tom_controller_load(tom_sm_t *s) {
  tom_ctrl_in_t *in = s->controller.in;
  for (uint32_t i = 0; i < s->die->program->num_blocks; i++) {
    memset(in, 0, sizeof *in);
    in->cfg_valid = 1, in->cfg_idx = i;
    memcpy(in->cfg_entry, s->die->entries[i].bits, sizeof in->cfg_entry);
    step_instance(s);
  }
  memset(in, 0, sizeof *in);
}

/* ---- What the SM has to say ------------------------------------------------------------------ */

void tom_controller_begin(tom_sm_t *s, unsigned warp, unsigned number, uint32_t mask) {
  ring_append(s, &s->controller.begins, &(tom_begin_t){(uint8_t)warp, (uint8_t)number, mask});
}

void tom_controller_access(tom_sm_t *s, unsigned warp, bool none, unsigned stack) {
  ring_append(s, &s->controller.accesses, &(tom_first_access_t){(uint8_t)warp, (uint8_t)stack, none});
}

void tom_controller_packet(tom_sm_t *s, packet_t *p) {
  tom_controller_t *c = &s->controller;
  p->next = NULL;
  if (c->ack_tail) c->ack_tail->next = p;
  else c->ack_head = p;
  c->ack_tail = p;
}

bool tom_controller_rests(const tom_sm_t *s) {
  const tom_controller_t *c = &s->controller;
  return !c->awake && !s->under_way && !c->ack_head && !c->begins.count && !c->accesses.count;
}

/* ---- To the stacks --------------------------------------------------------------------------- */

/* A beat of a request. The first one is the header; the others are rows of the numbers in the
 * header, lowest first. */
static void take_beat(tom_sm_t *s, const tom_ctrl_out_t *out) {
  tom_controller_t *c = &s->controller;
  if (!c->beats++) {
    c->packing = (unsigned)bits_get(out->out_beat, REQ_warp_LSB, REQ_warp_W);
    c->left = bits_get(out->out_beat, REQ_in_LSB, REQ_in_W);
  }
  tom_job_t *job = c->packing < GPU_MAX_WARPS ? s->warp[c->packing].job : NULL;
  if (!job || s->warp[c->packing].phase != TOM_PACKS || (c->beats > 1 && !c->left)) {
    trouble_fail(fault_of(s), TROUBLE_BROKEN, "the controller of SM %u sends what nobody asked for", s->port.id);
    return;
  }
  if (c->beats == 1) memcpy(job->header, out->out_beat, sizeof job->header);
  else memcpy(job->row[__builtin_ctzll(c->left)], out->out_beat, sizeof *job->row);
  if (c->beats > 1) c->left &= c->left - 1;
  c->credits++;
}

/* A complete request becomes a packet. */
static void make_request(tom_sm_t *s) {
  tom_controller_t *c = &s->controller;
  tom_job_t *job = s->warp[c->packing].job;
  packet_t *p = gpu_packet_new(s->port.sh, PACKET_OWN, s->port.id, *s->port.now);
  c->beats = 0;
  if (!p) return;
  tom_packet_fill(p, &(tom_packet_t){.kind = TOM_REQUEST, .job = job});
  p->hdr.dst = job->stack;
  p->dst_unit = (uint8_t)__builtin_ctz(s->port.sh->config->sm_units[job->stack]);
  ring_append(s, &c->requests, &p);
}

/* Sends the oldest complete request: into the crossbar, or past it if everything is free. */
static void send_request(tom_sm_t *s) {
  tom_controller_t *c = &s->controller;
  const gpu_shared_t *sh = s->port.sh;
  packet_t *const *first = ring_front(&c->requests), *p = first ? *first : NULL;
  if (!p) return;
  const unsigned stack = (unsigned)p->hdr.dst, warp = (unsigned)p->hdr.warp;
  if (sh->config->tom.free == TOM_FREE_ALL) ring_append(s, &sh->direct[stack], &p);
  else if (xbar_can_send(sh->xbar, s->port.id, XBAR_OFFLOAD))
    xbar_send(sh->xbar, s->port.id, XBAR_OFFLOAD, sh->config->num_sms + stack, p);
  else return;
  s->warp[warp].job->sent_at = *s->port.now;
  s->warp[warp].phase = TOM_AWAY;
  s->under_way--;
  ring_drop(&c->requests);
}

/* ---- Back from them -------------------------------------------------------------------------- */

/* The beat with the written lines. */
static void list_beat(const tom_packet_t *t, uint32_t *beat) {
  bits_put(beat, 0, TOM_LIST_COUNT_W, t->lines);
  for (unsigned i = 0; i < t->lines; i++)
    bits_put(beat, TOM_LIST_COUNT_W + i * LineBits, LineBits, t->line[i] >> TOM_LINE_BITS);
}

/* A beat of the first answer: header, rows of live-outs, list of lines. */
static void give_beat(tom_sm_t *s, tom_ctrl_in_t *in) {
  tom_controller_t *c = &s->controller;
  packet_t *p = c->ack_head;
  const tom_packet_t t = tom_packet_of(p);
  in->ack_valid = 1;
  if (!c->ack_beats++) {
    memcpy(in->ack_beat, t.header, sizeof t.header);
    c->ack_left = bits_get(t.header, ACK_out_LSB, ACK_out_W);
    in->ack_last = !c->ack_left && !t.lines;
  } else if (c->ack_left) {
    memcpy(in->ack_beat, t.job->row[__builtin_ctzll(c->ack_left)], sizeof *t.job->row);
    c->ack_left &= c->ack_left - 1;
    in->ack_last = !c->ack_left && !t.lines;
  } else {
    list_beat(&t, in->ack_beat);
    in->ack_last = 1;
  }
  if (!in->ack_last) return;
  c->ack_head = p->next;
  if (!c->ack_head) c->ack_tail = NULL;
  c->ack_beats = 0;
  packet_free(s->port.sh->pool, p);
}

/* Drops a line that a block has written, in the L1 and by packet in the L2. False: not in this
 * cycle. */
static bool invalidate_line(const tom_sm_t *s, uint64_t line) {
  const gpu_shared_t *sh = s->port.sh;
  if (!xbar_can_send(sh->xbar, s->port.id, XBAR_REQUEST)) return false;
  packet_t *p = gpu_packet_new(sh, PACKET_FORGET, s->port.id, *s->port.now);
  if (!p) return false;
  p->hdr.addr = line << TOM_LINE_BITS;
  p->hdr.dst = stack_of(p->hdr.addr);
  sh->stats->l1_fills_killed += ldst_invalidate(s->port.ldst, p->hdr.addr);
  xbar_send(sh->xbar, s->port.id, XBAR_REQUEST, sh->config->num_sms + (unsigned)p->hdr.dst, p);
  return true;
}

/* Job of a warp; NULL: none, a fault. */
static tom_job_t *job_of(const tom_sm_t *s, uint64_t warp) {
  tom_job_t *job = warp < GPU_MAX_WARPS ? s->warp[warp].job : NULL;
  if (!job)
    trouble_fail(fault_of(s), TROUBLE_BROKEN, "the controller of SM %u speaks of a warp that has no block", s->port.id);
  return job;
}

/* ---- A cycle --------------------------------------------------------------------------------- */

/* Acts on the controller's outputs. */
static void act_on_outputs(tom_sm_t *s, const tom_ctrl_out_t *out, tom_ctrl_in_t *in) {
  tom_job_t *job;
  if (out->err)
    trouble_fail(fault_of(s), TROUBLE_BROKEN, "the controller of SM %u was used wrongly: its fault is %u", s->port.id,
                 (unsigned)out->err);
  if (out->run_valid) tom_warp_runs(s, (unsigned)out->run_warp);
  if (out->fence_valid && job_of(s, out->fence_warp)) tom_warp_fence(s, (unsigned)out->fence_warp);
  if (out->out_valid) take_beat(s, out);
  if (out->out_valid && out->out_last && !fault_of(s)->kind) make_request(s);
  if (out->wr_valid && (job = job_of(s, out->wr_warp))) memcpy(job->row[out->wr_reg], out->wr_row, sizeof *job->row);
  if (out->inv_valid) in->inv_ready = invalidate_line(s, out->inv_line);
  if (out->done_valid && job_of(s, out->done_warp))
    tom_warp_resumes(s, (unsigned)out->done_warp, (uint32_t)out->done_exit);
  if (out->res_valid) tom_warp_stays(s, (unsigned)out->res_warp, (unsigned)out->res_why);
  tom_admission_wire(&s->die->admission, s->port.id, out->ask, (unsigned)out->ask_stack);
}

/* Rows that the controller asked for in the last cycle are on its wires in this one. */
static void give_rows(tom_sm_t *s, const tom_ctrl_out_t *out, tom_ctrl_in_t *in) {
  tom_controller_t *c = &s->controller;
  const simt_kernel_t *k = s->port.sh->run->simt.kernel;
  tom_job_t *job;
  if (c->reads_operand) memcpy(in->op_data, c->operand, sizeof c->operand), c->told = true;
  if (c->reads_row) memcpy(in->rd_data, c->row, sizeof c->row), c->told = true;
  c->reads_operand = out->op_valid, c->reads_row = out->rd_valid;
  if (out->op_valid)
    tom_row_read(&s->die->entries[s->warp[out->op_warp].number], (unsigned)out->op_reg, k,
                 &s->port.warps[out->op_warp].simt, c->operand);
  if (out->rd_valid && (job = job_of(s, out->rd_warp))) memcpy(c->row, job->row[out->rd_reg], sizeof c->row);
}

static void give_begin(tom_controller_t *c, tom_ctrl_in_t *in) {
  const tom_begin_t *b = ring_front(&c->begins);
  if (!b) return;
  in->beg_valid = 1, in->beg_warp = b->warp, in->beg_idx = b->number, in->beg_mask = b->mask;
  ring_drop(&c->begins);
}

static void give_access(tom_controller_t *c, tom_ctrl_in_t *in) {
  const tom_first_access_t *a = ring_front(&c->accesses);
  if (!a) return;
  in->mem_valid = 1, in->mem_warp = a->warp, in->mem_none = a->none, in->mem_stack = a->stack;
  ring_drop(&c->accesses);
}

/* Reports one warp whose fence is over. */
static void give_fence(tom_sm_t *s, tom_ctrl_in_t *in) {
  for (uint64_t m = s->fence; m && !in->fence_done_valid; m &= m - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(m);
    if (!tom_warp_may_go(s, warp)) continue;
    in->fence_done_valid = 1, in->fence_done_warp = warp;
    s->fence &= ~(m & -m);
  }
}

/* True if an input is valid. hot_tx, hot_rx and learn matter only in a decision, when the
 * controller does not rest. */
static bool any_valid(const tom_ctrl_in_t *in) {
  return in->beg_valid || in->mem_valid || in->fence_done_valid || in->gnt || in->nak || in->credit || in->ack_valid ||
         in->inv_ready;
}

void tom_controller_step(tom_sm_t *s) {
  tom_controller_t *c = &s->controller;
  tom_ctrl_in_t *in = c->in;
  const tom_learn_t *l = s->port.sh->learn;
  offload_instance_edge(&c->instance, in, sizeof *in, &c->told, fault_of(s));
  const tom_ctrl_out_t *out = out_of(c);
  act_on_outputs(s, out, in);
  give_rows(s, out, in);
  in->learn = l && tom_learn_watches(l);
  in->hot_tx = tom_links_tx(&s->die->links), in->hot_rx = tom_links_rx(&s->die->links);
  in->gnt = c->granted, in->nak = c->refused;
  c->granted = c->refused = false;
  give_begin(c, in);
  give_access(c, in);
  give_fence(s, in);
  send_request(s);
  if (c->credits && !c->requests.count) in->credit = 1, c->credits--;
  if (out->ack_ready && c->ack_head) give_beat(s, in);
  c->told |= any_valid(in);
  const bool any = s->under_way || c->ack_head || c->credits || in->ack_valid || in->credit || out->done_valid ||
                   out->res_valid || out->inv_valid || out->wr_valid;
  c->awake = any ? RESTS : c->awake - !!c->awake;
}
