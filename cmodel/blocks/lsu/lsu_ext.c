/* SPDX-License-Identifier: Apache-2.0
 *
 * The blocks of the LSU-Extension, wired. Outputs follow from state: lsu_ext_step connects the
 * blocks for the coming cycle as its last act, and lsu_ext_eval only shows.
 *
 * For speed a block is not stepped while it is idle and nothing is asked of it.
 */
#include "lsu_ext.h"

#include <string.h>

/* --- The coming cycle */

/* A message of this class is waiting. */
static bool has(const lsu_ext_t *s, int cls) {
  return s->rx.count[cls] > 0;
}

static uint64_t smem_hdr(const lsu_ext_t *s) {
  return lsu_rx_smem(&s->rx)->hdr;
}

/* lsu_smem's outputs count only while a message of its class is there. */
static bool smem_writes(const lsu_ext_t *s) {
  return has(s, LSU_CLASS_SMEM) && lsu_smem_writes(&s->smem);
}

static bool smem_done(const lsu_ext_t *s) {
  return has(s, LSU_CLASS_SMEM) && lsu_smem_done(&s->smem);
}

/* Instructions done in this cycle, from sources 0 to 3 of lsu_done (rule 4). */
typedef struct {
  unsigned valid;
  uint64_t ids;
} done_t;

static done_t done_of(const lsu_ext_t *s) {
  return (done_t){.valid = (unsigned)(s->gather.done | s->stores.done << 1 | smem_done(s) << 2 | s->rfport.done << 3),
                  .ids = s->gather.done_id | (uint64_t)s->stores.done_id << 8 | LSU_GET(smem_hdr(s), id) << 16 |
                         (uint64_t)s->rfport.done_id << 24};
}

static bool smem_asks_banks(const lsu_ext_t *s) {
  return has(s, LSU_CLASS_SMEM) && lsu_smem_asks_banks(&s->smem);
}

/* lsu_issue's inputs and outputs. Data are copied for a WR only. */
static void connect_issue(lsu_ext_t *s) {
  lsu_issue_in_t *in = &s->wires.issue_in;
  const lsu_rx_mem_t *m = lsu_rx_mem(&s->rx);
  int tag, entry, store;
  if (!has(s, LSU_CLASS_MEM)) {
    if (in->m_valid) memset(&s->wires.issue, 0, sizeof s->wires.issue);
    in->m_valid = 0;
    return;
  }
  tag = lsu_xact_free(&s->xact);
  entry = lsu_gather_free(&s->gather);
  store = lsu_stores_free(&s->stores);
  in->m_valid = 1;
  in->m_hdr = m->hdr;
  in->m_mask = (uint32_t)m->ctl;
  if (LSU_GET(m->hdr, type) == LSU_WR) memcpy(in->m_data, m->data, sizeof in->m_data);
  in->x_free = tag >= 0;
  in->x_tag = (unsigned)tag;
  in->g_free = entry >= 0;
  in->g_idx = (unsigned)entry;
  in->st_free = store >= 0;
  in->st_idx = (unsigned)store;
  in->q_ready = lsu_dramq_ready(&s->dramq);
  lsu_issue_eval(&s->issue, in, &s->wires.issue);
}

/* The grants of the register file's two ports. */
static void connect_file(lsu_ext_t *s) {
  bool issue = s->wires.issue.rf_req, smem = has(s, LSU_CLASS_SMEM) && lsu_smem_asks_file(&s->smem, smem_hdr(s));
  bool move = has(s, LSU_CLASS_MOVE) && s->move.state == MOVE_NEAR_IDLE;
  unsigned readers = (unsigned)(issue << LSU_READER_ISSUE | smem << LSU_READER_SMEM | move << LSU_READER_MOVE);
  unsigned writers = (unsigned)(lsu_gather_writes(&s->gather) << LSU_WRITER_GATHER | smem_writes(s) << LSU_WRITER_SMEM |
                                has(s, LSU_CLASS_WRITE) << LSU_WRITER_MESSAGE);
  s->wires.reader = readers ? lsu_rfport_reader(&s->rfport, readers) : -1;
  s->wires.writer = writers ? lsu_rfport_writer(&s->rfport, writers) : -1;
}

/* True if step changes nothing without inputs. A message of class memory may have to wait for the
 * controller. One that writes or moves a register always asks for a port, so a grant shows it. */
static bool nothing_moves(const lsu_ext_t *s) {
  if (s->wires.reader >= 0 || s->wires.writer >= 0 || s->wires.issue.q_push) return false;
  if (has(s, LSU_CLASS_SMEM) || s->move.state != MOVE_NEAR_IDLE || s->reading) return false;
  if (s->tx.beats || s->done.count || !lsu_tx_idle(&s->tx)) return false;
  return lsu_rx_idle(&s->rx) && lsu_dramq_idle(&s->dramq) && lsu_xact_idle(&s->xact) && lsu_gather_idle(&s->gather) &&
         lsu_stores_idle(&s->stores) && lsu_issue_idle(&s->issue) && lsu_rfport_idle(&s->rfport);
}

/* The wires of the coming cycle. */
static void connect(lsu_ext_t *s) {
  connect_issue(s);
  connect_file(s);
  s->wires.idle = nothing_moves(s);
}

void lsu_ext_reset(lsu_ext_t *s) {
  memset(&s->wires, 0, sizeof s->wires);
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
  s->reading = false;
  s->read_tag = 0;
  connect(s);
}

bool lsu_ext_idle(const lsu_ext_t *s) {
  return s->wires.idle;
}

/* --- Outputs */

/* The outputs mc_*. */
static void show_memory(const lsu_ext_t *s, lsu_ext_out_t *out) {
  out->mc_valid = lsu_dramq_sends(&s->dramq);
  if (!out->mc_valid) return;
  const lsu_request_t *r = lsu_dramq_oldest(&s->dramq);
  out->mc_write = r->write;
  out->mc_addr = r->addr;
  out->mc_tag = r->tag;
  memcpy(out->mc_wdata, r->wdata, sizeof out->mc_wdata);
  out->mc_wmask = r->wmask;
}

/* The outputs sm_*. */
static void show_banks(const lsu_ext_t *s, lsu_ext_out_t *out) {
  lsu_smem_pass_t pass;
  out->sm_req = smem_asks_banks(s);
  if (!out->sm_req) return;
  lsu_smem_show_pass(&s->smem, smem_hdr(s), &pass);
  out->sm_we = LSU_GET(smem_hdr(s), type) == LSU_STS;
  out->sm_banks = pass.banks;
  memcpy(out->sm_row, pass.row, sizeof out->sm_row);
  memcpy(out->sm_wdata, pass.wdata, sizeof out->sm_wdata);
  memcpy(out->sm_wmask, pass.wmask, sizeof out->sm_wmask);
}

/* The outputs rf_rd_*: the fields of the granted client. */
static void show_read(const lsu_ext_t *s, lsu_ext_out_t *out) {
  const lsu_ext_wires_t *w = &s->wires;
  uint64_t hdr = w->reader == LSU_READER_SMEM ? smem_hdr(s) : lsu_rx_move(&s->rx);
  out->rf_rd_valid = w->reader >= 0;
  if (w->reader < 0) return;
  out->rf_rd_warp = w->reader == LSU_READER_ISSUE ? w->issue.rf_warp : LSU_GET(hdr, warp);
  out->rf_rd_reg = w->reader == LSU_READER_ISSUE  ? w->issue.rf_reg
                   : w->reader == LSU_READER_SMEM ? lsu_smem_reg(&s->smem, hdr)
                                                  : LSU_GET(hdr, reg);
}

/* The outputs rf_wr_*, likewise. */
static void show_write(const lsu_ext_t *s, lsu_ext_out_t *out) {
  const lsu_rx_write_t *message = lsu_rx_write(&s->rx);
  out->rf_wr_valid = s->wires.writer >= 0;
  switch (s->wires.writer) {
  case LSU_WRITER_GATHER:
    out->rf_wr_warp = lsu_gather_warp(&s->gather);
    out->rf_wr_reg = lsu_gather_reg(&s->gather);
    out->rf_wr_mask = LSU_ALL_THREADS;
    lsu_gather_row(&s->gather, out->rf_wr_data);
    break;
  case LSU_WRITER_SMEM:
    out->rf_wr_warp = LSU_GET(smem_hdr(s), warp);
    out->rf_wr_reg = lsu_smem_reg(&s->smem, smem_hdr(s));
    out->rf_wr_mask = (uint32_t)lsu_rx_smem(&s->rx)->ctl;
    lsu_smem_show_row(&s->smem, smem_hdr(s), lsu_rx_smem(&s->rx)->ctl, out->rf_wr_data);
    break;
  case LSU_WRITER_MESSAGE:
    out->rf_wr_warp = LSU_GET(message->hdr, warp);
    out->rf_wr_reg = LSU_GET(message->hdr, reg);
    out->rf_wr_mask = message->mask;
    memcpy(out->rf_wr_data, message->data, sizeof out->rf_wr_data);
    break;
  }
}

/* Probes of lsu_done. An id without its valid bit is 0. */
static void show_done(const lsu_ext_t *s, lsu_ext_out_t *out) {
  const done_t done = done_of(s);
  out->probe_done = done.valid;
  out->probe_done_ids = 0;
  for (unsigned i = 0; i < LSU_DONE_SOURCES; i++)
    if (done.valid >> i & 1) out->probe_done_ids |= done.ids & UINT64_C(0xff) << 8 * i;
  out->probe_done_level = s->done.count;
  out->probe_cpl = s->done.count > 0;
  if (out->probe_cpl) out->probe_cpl_id = lsu_done_core_oldest(&s->done);
}

static void show_buffer(const lsu_ext_t *s, lsu_ext_out_t *out) {
  out->probe_read = s->reading;
  if (!s->reading) return;
  out->probe_read_tag = s->read_tag;
  memcpy(out->probe_read_data, s->read, sizeof out->probe_read_data);
}

void lsu_ext_eval(const lsu_ext_t *s, const lsu_ext_in_t *in, lsu_ext_out_t *out) {
  (void)in;
  out->dn_credit = s->rx.credit;
  lsu_tx_show(&s->tx, &out->up_valid, out->up_beat);
  show_memory(s, out);
  show_banks(s, out);
  show_read(s, out);
  show_write(s, out);
  out->err = s->rx.err | s->xact.err << 3 | (unsigned)s->dramq.err << 5 | (unsigned)s->gather.err << 6 |
             (unsigned)s->stores.err << 7 | (unsigned)s->smem.err << 8 | (unsigned)s->done.err << 9;
  out->probe_issue = s->wires.issue.q_push;
  out->probe_issue_tag = s->wires.issue.q_tag;
  out->probe_xacts = s->xact.level;
  out->probe_gather = s->gather.whole;
  show_done(s, out);
  show_buffer(s, out);
}

/* --- The clock edge
 * Every block sees the wires. What follows from inputs of the cycle goes from block to block as an
 * argument. */

/* Answers to LDO go to lsu_gather; ref has the entry and the transfer's number (rule 3). */
static void step_gather(lsu_ext_t *s, const lsu_ext_in_t *in, lsu_xact_entry_t answer) {
  const lsu_issue_out_t *op = &s->wires.issue;
  uint64_t hdr = s->wires.issue_in.m_hdr;
  bool comes = answer.used && answer.kind == LSU_KIND_LDO, granted = s->wires.writer == LSU_WRITER_GATHER;
  if (!comes && !granted && !op->g_alloc && lsu_gather_idle(&s->gather)) return;
  lsu_gather_in_t g = {.alloc = op->g_alloc, .wr_valid = comes, .rw_gnt = granted};
  if (comes) {
    g.wr_idx = answer.ref >> 4 & 15;
    g.wr_k = answer.ref & 15;
    memcpy(g.wr_data, in->mr_data, sizeof g.wr_data);
  }
  if (op->g_alloc) {
    g.al_warp = LSU_GET(hdr, warp);
    g.al_reg = LSU_GET(hdr, reg);
    g.al_size = LSU_GET(hdr, size);
    g.al_sign = LSU_GET(hdr, areg) & LSU_FLAG;
    g.al_off = op->op_off;
    g.al_n = op->op_n;
    g.al_id = LSU_GET(hdr, id);
  }
  lsu_gather_step(&s->gather, &g);
}

/* Answers to STO go to lsu_stores (rule 3). */
static void step_stores(lsu_ext_t *s, lsu_xact_entry_t answer) {
  const lsu_issue_out_t *op = &s->wires.issue;
  lsu_stores_in_t st = {.alloc = op->st_alloc, .al_n = op->op_n, .al_id = LSU_GET(s->wires.issue_in.m_hdr, id)};
  st.ack = answer.used && answer.kind == LSU_KIND_STO;
  st.ack_idx = answer.ref >> 4 & 15;
  if (st.alloc || st.ack || !lsu_stores_idle(&s->stores)) lsu_stores_step(&s->stores, &st);
}

/* What goes up: answers to RD and WR, ids, rows. Read data wait in the
 * buffer until lsu_tx reads them. */
static lsu_tx_asks_t step_up(lsu_ext_t *s, const lsu_ext_in_t *in, lsu_xact_entry_t answer) {
  const lsu_xact_entry_t first = lsu_xact_look(&s->xact, lsu_tx_tag(&s->tx));
  const lsu_tx_offer_t offer = {.nbu_id = (uint8_t)in->nbu_id,
                                .up_take = in->up_take,
                                .in_valid = answer.used && answer.kind <= LSU_KIND_WR,
                                .in_tag = (uint8_t)in->mr_tag,
                                .a_kind = first.kind,
                                .a_ref = first.ref,
                                .rd_data = s->read,
                                .d_valid = s->done.count > 0,
                                .d_id = (uint8_t)lsu_done_core_oldest(&s->done),
                                .v_valid = s->move.state == MOVE_NEAR_OUT,
                                .v_hdr = s->move.hdr,
                                .v_data = s->move.row};
  s->reading = false;
  if (!offer.in_valid && !offer.up_take && !offer.d_valid && !offer.v_valid && lsu_tx_idle(&s->tx))
    return (lsu_tx_asks_t){0};
  const lsu_tx_asks_t asks = lsu_tx_cycle(&s->tx, &offer);
  if (offer.in_valid) memcpy(s->buffer[in->mr_tag], in->mr_data, sizeof *s->buffer);
  s->reading = asks.rd_en;
  s->read_tag = asks.a_tag;
  if (asks.rd_en) memcpy(s->read, s->buffer[asks.a_tag], sizeof s->read);
  return asks;
}

/* Releases: lsu_tx's for RD and WR, the answer's own for LDO and STO (rule 3). */
static void step_xact(lsu_ext_t *s, const lsu_ext_in_t *in, lsu_xact_entry_t answer, lsu_tx_asks_t up) {
  const lsu_issue_out_t *op = &s->wires.issue;
  lsu_xact_in_t x = {.alloc = op->x_alloc,
                     .al_kind = op->x_kind,
                     .al_ref = op->x_ref,
                     .lk_valid = in->mr_valid,
                     .lk_tag = in->mr_tag,
                     .rel_valid = up.rel_valid,
                     .rel_tag = up.rel_tag,
                     .rel2_valid = answer.used && answer.kind >= LSU_KIND_LDO,
                     .rel2_tag = in->mr_tag};
  if (x.alloc || x.lk_valid || x.rel_valid || !lsu_xact_idle(&s->xact)) lsu_xact_step(&s->xact, &x);
}

static void step_dramq(lsu_ext_t *s, const lsu_ext_in_t *in) {
  const lsu_issue_out_t *op = &s->wires.issue;
  if (!op->q_push && !in->mc_credit && lsu_dramq_idle(&s->dramq)) return;
  lsu_dramq_in_t q = {.push = op->q_push,
                      .write = op->q_write,
                      .addr = op->q_addr,
                      .tag = op->q_tag,
                      .wmask = op->q_wmask,
                      .mc_credit = in->mc_credit};
  memcpy(q.wdata, op->q_wdata, sizeof q.wdata);
  lsu_dramq_step(&s->dramq, &q);
}

/* Rows are copied only in the cycle in which lsu_smem takes them. */
static void step_smem(lsu_ext_t *s, const lsu_ext_in_t *in) {
  const lsu_rx_smem_t *m = lsu_rx_smem(&s->rx);
  if (!has(s, LSU_CLASS_SMEM) && lsu_smem_idle(&s->smem)) return;
  lsu_smem_in_t sm = {.s_valid = has(s, LSU_CLASS_SMEM),
                      .s_hdr = m->hdr,
                      .s_ctl = m->ctl,
                      .rf_gnt = s->wires.reader == LSU_READER_SMEM,
                      .sm_gnt = in->sm_gnt,
                      .rw_gnt = s->wires.writer == LSU_WRITER_SMEM};
  if (s->smem.coming) memcpy(sm.rf_data, in->rf_rd_data, sizeof sm.rf_data);
  if (s->smem.served) memcpy(sm.sm_rdata, in->sm_rdata, sizeof sm.sm_rdata);
  lsu_smem_step(&s->smem, &sm);
}

static void step_move(lsu_ext_t *s, const lsu_ext_in_t *in, bool taken) {
  if (!has(s, LSU_CLASS_MOVE) && !taken && move_near_idle(&s->move)) return;
  move_near_in_t v = {.v_valid = has(s, LSU_CLASS_MOVE),
                      .v_hdr = lsu_rx_move(&s->rx),
                      .rf_gnt = s->wires.reader == LSU_READER_MOVE,
                      .out_take = taken};
  if (s->move.state == MOVE_NEAR_ROW) memcpy(v.rf_data, in->rf_rd_data, sizeof v.rf_data);
  move_near_step(&s->move, &v);
}

static void step_rx(lsu_ext_t *s, const lsu_ext_in_t *in, bool s_take) {
  const lsu_ext_wires_t *w = &s->wires;
  lsu_rx_in_t rx = {.nbu_id = in->nbu_id,
                    .dn_valid = in->dn_valid,
                    .m_take = w->issue.m_take,
                    .s_take = s_take,
                    .w_take = w->writer == LSU_WRITER_MESSAGE,
                    .v_take = w->reader == LSU_READER_MOVE};
  if (!rx.dn_valid && !(rx.m_take | rx.s_take | rx.w_take | rx.v_take) && lsu_rx_idle(&s->rx)) return;
  memcpy(rx.dn_beat, in->dn_beat, sizeof rx.dn_beat);
  lsu_rx_step(&s->rx, &rx);
}

static void step_done(lsu_ext_t *s, bool taken) {
  const done_t done = done_of(s);
  if (done.valid || taken || s->done.err) lsu_done_core_step(&s->done, LSU_EXT_COMMITS, done.valid, done.ids, taken);
}

void lsu_ext_step(lsu_ext_t *s, const lsu_ext_in_t *in) {
  const lsu_ext_wires_t *w = &s->wires;
  const lsu_xact_entry_t answer = in->mr_valid ? lsu_xact_look(&s->xact, in->mr_tag) : (lsu_xact_entry_t){0};
  const bool smem = smem_done(s);
  const lsu_tx_asks_t up = step_up(s, in, answer);
  step_done(s, up.d_take); /* before the blocks whose done bits it reads */
  step_gather(s, in, answer);
  step_stores(s, answer);
  step_xact(s, in, answer, up);
  step_dramq(s, in);
  step_smem(s, in);
  step_move(s, in, up.v_take);
  lsu_rfport_advance(&s->rfport, w->reader, w->writer, lsu_rx_write(&s->rx)->hdr);
  if (w->issue_in.m_valid || !lsu_issue_idle(&s->issue))
    lsu_issue_advance(&s->issue, &w->issue, w->reader == LSU_READER_ISSUE, in->rf_rd_data);
  step_rx(s, in, smem); /* last: the others read the oldest messages */
  connect(s);
}
