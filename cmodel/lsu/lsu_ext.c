/* SPDX-License-Identifier: Apache-2.0
 *
 * All outputs follow from the state: step connects the blocks for the coming cycle as its last act, and eval has nothing to compute.
 */
#include "lsu_ext.h"

#include <string.h>

enum { DONE_SUM = 4 + Gathers + Stores + MemDepth + SmemDepth + WriteDepth, DONE_DEPTH = DONE_SUM < LSU_DONE_MOST ? DONE_SUM : LSU_DONE_MOST };

static void connect_issue(lsu_ext_wires_t *w, const lsu_ext_t *s) {
  lsu_issue_in_t *in = &w->issue_in;
  in->m_valid = w->rx.m_valid;
  in->m_hdr = w->rx.m_hdr;
  in->m_mask = w->rx.m_mask;
  memcpy(in->m_data, w->rx.m_data, sizeof in->m_data);
  in->x_free = w->xact.free;
  in->x_tag = w->xact.tag;
  in->g_free = w->gather.free;
  in->g_idx = w->gather.idx;
  in->st_free = w->stores.free;
  in->st_idx = w->stores.idx;
  in->q_ready = w->dramq.ready;
  lsu_issue_eval(&s->issue, in, &w->issue);
}

static void connect_readers(lsu_ext_wires_t *w) {
  lsu_rfport_in_t *in = &w->rfport_in;
  in->rd_req = w->issue.rf_req | w->smem.rf_req << 1 | w->move.rf_req << 2;
  in->rd_req_warp = (w->issue.rf_req ? w->issue.rf_warp : 0) | (w->smem.rf_req ? w->smem.rf_warp << LSU_warp_W : 0) |
                    (w->move.rf_req ? w->move.rf_warp << 2 * LSU_warp_W : 0);
  in->rd_req_reg = (w->issue.rf_req ? w->issue.rf_reg : 0) | (w->smem.rf_req ? w->smem.rf_reg << LSU_reg_W : 0) |
                   (w->move.rf_req ? w->move.rf_reg << 2 * LSU_reg_W : 0);
}

static void connect_writers(lsu_ext_wires_t *w) {
  lsu_rfport_in_t *in = &w->rfport_in;
  in->g_valid = w->gather.rw_valid;
  in->g_warp = w->gather.rw_warp;
  in->g_reg = w->gather.rw_reg;
  memcpy(in->g_data, w->gather.rw_data, sizeof in->g_data);
  in->s_valid = w->smem.rw_valid;
  in->s_warp = w->smem.rw_warp;
  in->s_reg = w->smem.rw_reg;
  in->s_mask = w->smem.rw_mask;
  memcpy(in->s_data, w->smem.rw_data, sizeof in->s_data);
  in->w_valid = w->rx.w_valid;
  in->w_hdr = w->rx.w_hdr;
  in->w_mask = w->rx.w_mask;
  memcpy(in->w_data, w->rx.w_data, sizeof in->w_data);
}

static void lsu_ext_connect(lsu_ext_t *s) {
  lsu_ext_wires_t *w = &s->wires;
  const lsu_xact_in_t nothing = {0};
  lsu_rx_eval(&s->rx, NULL, &w->rx);
  lsu_dramq_eval(&s->dramq, NULL, &w->dramq);
  lsu_xact_eval(&s->xact, &nothing, &w->xact);
  lsu_gather_eval(&s->gather, NULL, &w->gather);
  lsu_stores_eval(&s->stores, NULL, &w->stores);
  connect_issue(w, s);
  w->smem_in = (lsu_smem_in_t){.s_valid = w->rx.s_valid, .s_hdr = w->rx.s_hdr, .s_ctl = w->rx.s_ctl};
  lsu_smem_eval(&s->smem, &w->smem_in, &w->smem);
  w->move_in = (move_near_in_t){.v_valid = w->rx.v_valid, .v_hdr = w->rx.v_hdr};
  move_near_eval(&s->move, &w->move_in, &w->move);
  connect_readers(w);
  connect_writers(w);
  lsu_rfport_eval(&s->rfport, &w->rfport_in, &w->rfport);
  w->issue_in.rf_gnt = w->rfport.rd_gnt & 1;
  w->smem_in.rf_gnt = w->rfport.rd_gnt >> 1 & 1;
  w->smem_in.rw_gnt = w->rfport.s_gnt;
  w->move_in.rf_gnt = w->rfport.rd_gnt >> 2 & 1;
  move_near_eval(&s->move, &w->move_in, &w->move); /* again: v_take follows from the grant */
}

void lsu_ext_reset(lsu_ext_t *s) {
  lsu_rx_reset(&s->rx);
  lsu_dramq_reset(&s->dramq);
  lsu_xact_reset(&s->xact);
  lsu_gather_reset(&s->gather);
  lsu_stores_reset(&s->stores);
  lsu_issue_reset(&s->issue);
  lsu_smem_reset(&s->smem);
  move_near_reset(&s->move);
  lsu_rfport_reset(&s->rfport);
  s->done = (lsu_done_core_t){0};
  lsu_tx_reset(&s->tx);
  lsu_ext_connect(s);
}

static void show_memory(const lsu_ext_wires_t *w, lsu_ext_out_t *out) {
  out->mc_valid = w->dramq.mc_valid;
  out->mc_write = w->dramq.mc_write;
  out->mc_addr = w->dramq.mc_addr;
  out->mc_tag = w->dramq.mc_tag;
  memcpy(out->mc_wdata, w->dramq.mc_wdata, sizeof out->mc_wdata);
  out->mc_wmask = w->dramq.mc_wmask;
  out->sm_req = w->smem.sm_req;
  out->sm_we = w->smem.sm_we;
  out->sm_banks = w->smem.sm_banks;
  memcpy(out->sm_row, w->smem.sm_row, sizeof out->sm_row);
  memcpy(out->sm_wdata, w->smem.sm_wdata, sizeof out->sm_wdata);
  memcpy(out->sm_wmask, w->smem.sm_wmask, sizeof out->sm_wmask);
}

static void show_registers(const lsu_ext_wires_t *w, lsu_ext_out_t *out) {
  out->rf_rd_valid = w->rfport.rd_valid;
  out->rf_rd_warp = w->rfport.rd_warp;
  out->rf_rd_reg = w->rfport.rd_reg;
  out->rf_wr_valid = w->rfport.wr_valid;
  out->rf_wr_warp = w->rfport.wr_warp;
  out->rf_wr_reg = w->rfport.wr_reg;
  out->rf_wr_mask = w->rfport.wr_mask;
  memcpy(out->rf_wr_data, w->rfport.wr_data, sizeof out->rf_wr_data);
}

void lsu_ext_eval(const lsu_ext_t *s, const lsu_ext_in_t *in, lsu_ext_out_t *out) {
  const lsu_ext_wires_t *w = &s->wires;
  (void)in;
  out->dn_credit = w->rx.dn_credit;
  lsu_tx_show(&s->tx, &out->up_valid, out->up_beat);
  show_memory(w, out);
  show_registers(w, out);
  out->err = w->rx.err | w->xact.err << 3 | w->dramq.err << 5 | w->gather.err << 6 | w->stores.err << 7 | w->smem.err << 8 |
             (uint64_t)s->done.err << 9;
  out->probe_issue = w->issue.q_push;
  out->probe_issue_tag = w->issue.q_tag;
  out->probe_xacts = w->xact.probe_used;
  out->probe_gather = w->gather.probe_complete;
  out->probe_done_level = s->done.count;
}

/* An answer of the controller goes where its transaction says. */
static void step_answer(lsu_ext_t *s, const lsu_ext_in_t *in, const lsu_xact_out_t *x, lsu_tx_in_t *tx) {
  const lsu_ext_wires_t *w = &s->wires;
  const lsu_issue_in_t *m = &w->issue_in;
  bool hit = x->lk_hit;
  lsu_gather_in_t g = {.alloc = w->issue.g_alloc, .wr_valid = hit && x->lk_kind == LSU_KIND_LDO, .rw_gnt = w->rfport.g_gnt};
  lsu_stores_in_t st = {.alloc = w->issue.st_alloc, .ack = hit && x->lk_kind == LSU_KIND_STO};
  g.al_warp = LSU_GET(m->m_hdr, warp);
  g.al_reg = LSU_GET(m->m_hdr, reg);
  g.al_size = LSU_GET(m->m_hdr, size);
  g.al_sign = LSU_GET(m->m_hdr, areg) & LSU_FLAG;
  g.al_off = w->issue.op_off;
  g.al_n = st.al_n = w->issue.op_n;
  g.al_id = st.al_id = LSU_GET(m->m_hdr, id);
  g.wr_idx = st.ack_idx = x->lk_ref >> 4 & 15;
  g.wr_k = x->lk_ref & 15;
  if (g.wr_valid) memcpy(g.wr_data, in->mr_data, sizeof g.wr_data);
  lsu_gather_step(&s->gather, &g);
  lsu_stores_step(&s->stores, &st);
  tx->in_valid = hit && x->lk_kind <= LSU_KIND_WR;
  tx->in_tag = in->mr_tag;
  if (tx->in_valid) memcpy(s->buffer[in->mr_tag], in->mr_data, sizeof *s->buffer);
}

/* What goes up, and the table of transactions, in which it ends. */
static void step_up(lsu_ext_t *s, const lsu_ext_in_t *in, lsu_tx_out_t *up) {
  const lsu_ext_wires_t *w = &s->wires;
  lsu_xact_in_t xi = {.alloc = w->issue.x_alloc, .al_kind = w->issue.x_kind, .al_ref = w->issue.x_ref, .lk_valid = in->mr_valid,
    .lk_tag = in->mr_tag, .up_valid = 1, .up_tag = lsu_tx_tag(&s->tx)};
  lsu_xact_out_t x;
  lsu_tx_in_t tx = {.nbu_id = in->nbu_id, .up_take = in->up_take, .d_valid = s->done.count > 0, .d_id = s->done.id[0]};
  lsu_xact_eval(&s->xact, &xi, &x);
  tx.a_kind = x.up_kind;
  tx.a_ref = x.up_ref;
  memcpy(tx.rd_data, s->read, sizeof tx.rd_data);
  tx.v_valid = w->move.out_valid;
  tx.v_hdr = w->move.out_hdr;
  memcpy(tx.v_data, w->move.out_data, sizeof tx.v_data);
  step_answer(s, in, &x, &tx);
  lsu_tx_eval(&s->tx, &tx, up);
  if (up->rd_en) memcpy(s->read, s->buffer[up->rd_tag], sizeof s->read);
  xi.rel_valid = up->rel_valid;
  xi.rel_tag = up->rel_tag;
  xi.rel2_valid = x.lk_hit && x.lk_kind >= LSU_KIND_LDO;
  xi.rel2_tag = in->mr_tag;
  lsu_xact_step(&s->xact, &xi);
  lsu_tx_step(&s->tx, &tx);
}

static void step_down(lsu_ext_t *s, const lsu_ext_in_t *in) {
  const lsu_ext_wires_t *w = &s->wires;
  lsu_rx_in_t rx = {.nbu_id = in->nbu_id, .dn_valid = in->dn_valid, .m_take = w->issue.m_take, .s_take = w->smem.s_take,
    .w_take = w->rfport.w_take, .v_take = w->move.v_take};
  memcpy(rx.dn_beat, in->dn_beat, sizeof rx.dn_beat);
  lsu_rx_step(&s->rx, &rx);
  lsu_dramq_in_t q = {.push = w->issue.q_push, .write = w->issue.q_write, .addr = w->issue.q_addr, .tag = w->issue.q_tag,
    .wmask = w->issue.q_wmask, .mc_credit = in->mc_credit};
  memcpy(q.wdata, w->issue.q_wdata, sizeof q.wdata);
  lsu_dramq_step(&s->dramq, &q);
}

void lsu_ext_step(lsu_ext_t *s, const lsu_ext_in_t *in) {
  lsu_ext_wires_t *w = &s->wires;
  lsu_tx_out_t up;
  uint64_t done = w->gather.done | w->stores.done << 1 | w->smem.done << 2 | w->rfport.done << 3;
  uint64_t ids = (w->gather.done_id & 255) | (w->stores.done_id & 255) << 8 | (w->smem.done_id & 255) << 16 | (w->rfport.done_id & 255) << 24;
  step_up(s, in, &up);
  step_down(s, in);
  lsu_done_core_step(&s->done, DONE_DEPTH, done, ids, up.d_take);
  memcpy(w->issue_in.rf_data, in->rf_rd_data, sizeof w->issue_in.rf_data);
  lsu_issue_step(&s->issue, &w->issue_in);
  memcpy(w->smem_in.rf_data, in->rf_rd_data, sizeof w->smem_in.rf_data);
  memcpy(w->smem_in.sm_rdata, in->sm_rdata, sizeof w->smem_in.sm_rdata);
  w->smem_in.sm_gnt = in->sm_gnt;
  lsu_smem_step(&s->smem, &w->smem_in);
  memcpy(w->move_in.rf_data, in->rf_rd_data, sizeof w->move_in.rf_data);
  w->move_in.out_take = up.v_take;
  move_near_step(&s->move, &w->move_in);
  lsu_rfport_step(&s->rfport, &w->rfport_in);
  lsu_ext_connect(s);
}
