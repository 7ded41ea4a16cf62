/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU's blocks, wired. nsu_connect evaluates the blocks in an order in which each finds its
 * inputs ready. It leaves every block's inputs and outputs in the state's wires.
 *
 * All wires follow from registers and stack_id. So nsu_step connects the coming cycle as its last
 * act, and nsu_eval only copies.
 */
#include "nsu.h"

#include "nsu_merge_packet.h"

static const ro_geometry_t icache_geometry = {
    .word_bits = 64, .sets = ICacheBytes / RO_LINE_BYTES / 4, .ways = 4, .mshrs = 2};
static const ro_geometry_t ccache_geometry = {
    .word_bits = 32, .sets = CCacheBytes / RO_LINE_BYTES / 4, .ways = 4, .mshrs = 2};

/* The buffers' answers to the issue stage. Only a LD needs the read data buffer, and only a ST
 * the write address buffer. So the model searches one of them. */
static void nsu_look_up(const nsu_t *s, nsu_issue_in_t *in) {
  const nsu_issue_t *held = &s->issue;
  const merge_id_t id = {.sm = held->sm, .warp = held->warp, .seq = held->seq};
  in->rd_hit = in->wr_hit = 0;
  if (!held->held || !s->icache.core.rsp_hit) return;
  const isa_op_t *op = isa_op(isa_opcode(s->icache.core.rsp_data));
  int rd = op && op->kind == ISA_LD ? merge_lookup(&s->rdbuf.core, s->rdbuf.entry, id) : -1;
  int wr = op && op->kind == ISA_ST ? merge_lookup(&s->wrbuf.core, s->wrbuf.entry, id) : -1;
  in->rd_hit = rd >= 0;
  in->rd_idx = rd >= 0 ? (unsigned)rd : 0;
  in->wr_hit = wr >= 0;
  in->wr_idx = wr >= 0 ? (unsigned)wr : 0;
}

/* The units' ready outputs, and with them the instruction that is issued. */
static void nsu_connect_warps(const nsu_t *s, nsu_wires_t *w) {
  nsu_warps_in_t *in = &w->warps_in;
  in->ex_ready = w->exec.disp_ready;
  in->ld_ready = w->ldu.ready;
  in->st_ready = w->stu.ready;
  in->en_ready = nsu_endu_idle(&s->endu);
  in->ack_zero = w->acks.zero;
  nsu_warps_eval(&s->warps, in, &w->warps);
}

/* The warp selected for a fetch, the cache's answer, and the slot that is dispatched. */
static void nsu_connect_issue(const nsu_t *s, nsu_wires_t *w) {
  nsu_issue_in_t *in = &w->issue_in;
  nsu_look_up(s, in);
  in->sel_valid = w->warps.sel_valid;
  in->sel_slot = w->warps.sel_slot;
  in->sel_sm = w->warps.sel_sm;
  in->sel_warp = w->warps.sel_warp;
  in->sel_seq = w->warps.sel_seq;
  in->sel_pc = w->warps.sel_pc;
  in->sel_count = w->warps.sel_count;
  in->sel_begun = w->warps.sel_begun;
  in->ic_hit = s->icache.core.rsp_hit;
  in->ic_data = s->icache.core.rsp_data;
  in->go_valid = w->warps.go_valid;
  in->go_slot = w->warps.go_slot;
  nsu_issue_eval(&s->issue, in, &w->issue);
}

/* The issued warp's fields and instruction, for the unit that is to execute it. */
static void nsu_connect_go(nsu_wires_t *w) {
  const nsu_warps_out_t *go = &w->warps;
  w->ldu_in.go = w->issue.go_ld;
  w->stu_in.go = w->issue.go_st;
  w->endu_in.go = w->issue.go_en;
  if (!go->go_valid) return;
  w->ldu_in.go_instr = w->stu_in.go_instr = w->endu_in.go_instr = w->issue.go_instr;
  w->ldu_in.go_slot = w->stu_in.go_slot = w->endu_in.go_slot = go->go_slot;
  w->stu_in.go_sm = w->endu_in.go_sm = go->go_sm;
  w->stu_in.go_warp = w->endu_in.go_warp = go->go_warp;
  w->stu_in.go_seq = w->endu_in.go_seq = go->go_seq;
  w->ldu_in.go_mask = w->endu_in.go_mask = go->go_mask;
  w->ldu_in.go_cbase = go->go_cbase;
  w->ldu_in.go_idx = go->go_idx;
}

/* nsu_exec reads the register file's row in the cycle after its request (`coming`). */
static void nsu_connect_exec(const nsu_t *s, nsu_wires_t *w) {
  nsu_exec_in_t *in = &w->exec_in;
  in->disp_valid = w->issue.go_ex;
  in->disp_instr = w->issue.go_instr;
  in->disp_slot = w->warps.go_slot;
  in->disp_mask = w->warps.go_mask;
  if (s->exec.coming) memcpy(in->rf_rd_data, s->regfile.rd_data, sizeof s->regfile.rd_data);
}

/* The load unit before it knows its `go`: a new instruction changes
 * nothing before the next cycle. */
static void nsu_connect_ldu(const nsu_t *s, nsu_wires_t *w) {
  nsu_ldu_in_t *in = &w->ldu_in;
  in->rd_mask = s->rdbuf.core.row_mask;
  in->cc_hit = s->ccache.core.rsp_hit;
  in->cc_data = s->ccache.core.rsp_data;
  in->rf_wr_gnt = !w->exec.wb_valid; /* nsu_regfile's grant, if it is asked */
  if (s->ldu.state == LDU_LD) memcpy(in->rd_row, s->rdbuf.row, sizeof s->rdbuf.row);
  if (s->ldu.state == LDU_BEG_WRITE) memcpy(in->cb_data, s->cmdbuf.rd_data, sizeof s->cmdbuf.rd_data);
  nsu_ldu_eval(&s->ldu, in, &w->ldu);
}

/* What all units ask of nsu_tx, and its ready outputs. Headers and data follow in the next two
 * functions, as they do not change the grants. */
static void nsu_connect_tx(const nsu_t *s, uint64_t stack_id, nsu_wires_t *w) {
  nsu_tx_in_t *tx = &w->tx_in;
  tx->stack_id = stack_id;
  tx->wr_valid = nsu_stu_writes(&s->stu);
  w->if_place = ro_fetch(icache_geometry, &s->icache.core);
  tx->if_valid = w->if_place >= 0;
  tx->if_addr = w->if_place >= 0 ? s->icache.core.mshr[w->if_place].addr : 0;
  w->cf_place = ro_fetch(ccache_geometry, &s->ccache.core);
  tx->cf_valid = w->cf_place >= 0;
  tx->cf_addr = w->cf_place >= 0 ? s->ccache.core.mshr[w->cf_place].addr : 0;
  tx->ack_valid = nsu_endu_acks(&s->endu);
  tx->ack_idle = nsu_endu_idle(&s->endu);
  tx->cr_pending = w->credits.pending;
  tx->cr_cmd = w->credits.cr_cmd;
  tx->cr_rd = w->credits.cr_rd;
  tx->cr_wr = w->credits.cr_wr;
  nsu_tx_eval_ready(&s->tx, tx, &w->tx);
}

/* The store unit with nsu_tx's answer; its packet goes to nsu_tx. */
static void nsu_connect_stu(const nsu_t *s, uint64_t stack_id, nsu_wires_t *w) {
  nsu_stu_in_t *stu = &w->stu_in;
  stu->stack_id = stack_id;
  stu->wa_mask = s->wrbuf.core.row_mask;
  stu->wa_size = s->wrbuf.core.row_size;
  stu->wr_ready = w->tx.wr_ready;
  if (s->stu.state == STU_START) {
    memcpy(stu->wa_row, s->wrbuf.row, sizeof s->wrbuf.row);
    memcpy(stu->rf_rd_data, s->regfile.rd_data, sizeof s->regfile.rd_data);
  }
  nsu_stu_eval(&s->stu, stu, &w->stu);
  if (!w->stu.wr_valid) return;
  memcpy(w->tx_in.wr_hdr, w->stu.wr_hdr, sizeof w->stu.wr_hdr);
  memcpy(w->tx_in.wr_data, w->stu.wr_data, sizeof w->stu.wr_data);
}

/* The end unit with nsu_tx's answer; its beat goes to nsu_tx. */
static void nsu_connect_endu(const nsu_t *s, uint64_t stack_id, nsu_wires_t *w) {
  nsu_endu_in_t *endu = &w->endu_in;
  endu->stack_id = stack_id;
  endu->cr_cmd = w->credits.cr_cmd;
  endu->cr_rd = w->credits.cr_rd;
  endu->cr_wr = w->credits.cr_wr;
  endu->ack_ready = w->tx.ack_ready;
  if (s->endu.state == ENDU_DATA) memcpy(endu->rf_rd_data, s->regfile.rd_data, sizeof s->regfile.rd_data);
  nsu_endu_eval(&s->endu, endu, &w->endu);
  if (!w->endu.ack_valid) return;
  memcpy(w->tx_in.ack_hdr, w->endu.ack_hdr, sizeof w->endu.ack_hdr);
  memcpy(w->tx_in.ack_data, w->endu.ack_data, sizeof w->endu.ack_data);
}

/* All requests to the register file, and its grants. */
static void nsu_connect_regfile(nsu_wires_t *w) {
  nsu_regfile_in_t *rf = &w->regfile_in;
  rf->ex_rd_valid = w->exec.rf_rd_valid;
  rf->ex_rd_slot = w->exec.rf_rd_slot;
  rf->ex_rd_reg = w->exec.rf_rd_reg;
  rf->st_rd_valid = w->stu.rf_rd_valid;
  rf->st_rd_slot = w->stu.rf_rd_slot;
  rf->st_rd_reg = w->stu.rf_rd_reg;
  rf->en_rd_valid = w->endu.rf_rd_valid;
  rf->en_rd_slot = w->endu.rf_rd_slot;
  rf->en_rd_reg = w->endu.rf_rd_reg;
  rf->ex_wr_valid = w->exec.wb_valid;
  rf->ex_wr_slot = w->exec.wb_slot;
  rf->ex_wr_reg = w->exec.wb_reg;
  rf->ex_wr_mask = w->exec.wb_mask;
  if (w->exec.wb_valid) memcpy(rf->ex_wr_row, w->exec.wb_row, sizeof w->exec.wb_row);
  rf->ld_wr_valid = w->ldu.rf_wr_valid;
  if (w->ldu.rf_wr_valid) {
    rf->ld_wr_slot = w->ldu.rf_wr_slot;
    rf->ld_wr_reg = w->ldu.rf_wr_reg;
    rf->ld_wr_mask = w->ldu.rf_wr_mask;
    memcpy(rf->ld_wr_row, w->ldu.rf_wr_row, sizeof w->ldu.rf_wr_row);
  }
  nsu_regfile_eval_grants(rf, &w->regfile);
  w->stu_in.rf_rd_gnt = w->regfile.st_rd_gnt;
  w->endu_in.rf_rd_gnt = w->regfile.en_rd_gnt;
}

/* The command buffer's inputs; its outputs do not depend on them. */
static void nsu_connect_cmdbuf(nsu_wires_t *w) {
  nsu_cmdbuf_in_t *cb = &w->cmdbuf_in;
  cb->wr_valid = w->rx.rx_cmd;
  if (w->rx.rx_cmd) {
    memcpy(cb->wr_hdr, w->rx.rx_hdr, sizeof w->rx.rx_hdr);
    memcpy(cb->wr_data, w->rx.rx_data, sizeof w->rx.rx_data);
  }
  cb->sp_ready = w->warps.sp_ready;
  cb->rd_en = w->ldu.cb_rd;
  cb->rd_idx = w->ldu.cb_idx;
  cb->rd_beat = w->ldu.cb_beat;
  cb->free_en = w->ldu.cb_free;
  cb->free_idx = w->ldu.cb_free_idx;
}

/* The oldest complete command, for the warp table. */
static void nsu_connect_spawn(nsu_wires_t *w) {
  nsu_warps_in_t *in = &w->warps_in;
  in->sp_valid = w->cmdbuf.sp_valid;
  in->sp_sm = w->cmdbuf.sp_sm;
  in->sp_warp = w->cmdbuf.sp_warp;
  in->sp_pc = w->cmdbuf.sp_pc;
  in->sp_mask = w->cmdbuf.sp_mask;
  in->sp_cbase = w->cmdbuf.sp_cbase;
  in->sp_count = w->cmdbuf.sp_count;
  in->sp_idx = w->cmdbuf.sp_idx;
}

/* What changes the warps' states at the end of this cycle. */
static void nsu_connect_events(const nsu_t *s, nsu_wires_t *w) {
  nsu_warps_in_t *in = &w->warps_in;
  const merge_core_t *rd = &s->rdbuf.core, *wr = &s->wrbuf.core;
  in->d_valid = w->issue.d_valid;
  in->d_slot = w->issue.d_slot;
  in->d_next = w->issue.d_next;
  in->d_kind = w->issue.d_kind;
  in->d_there = w->issue.d_there;
  in->d_entry = w->issue.d_entry;
  in->ex_done = w->exec.wb_valid && w->exec.wb_last;
  in->ex_done_slot = w->exec.wb_slot;
  in->ld_done = w->ldu.done;
  in->ld_done_slot = w->ldu.done_slot;
  in->ld_miss = w->ldu.miss;
  in->ld_miss_slot = w->ldu.miss_slot;
  in->st_done = w->stu.done;
  in->st_done_slot = w->stu.done_slot;
  in->en_done = w->endu.done;
  in->en_done_slot = w->endu.done_slot;
  in->iwake = s->icache.core.wake;
  in->cwake = s->ccache.core.wake;
  in->rd_cpl = rd->cpl_valid;
  in->rd_cpl_sm = rd->cpl.sm;
  in->rd_cpl_warp = rd->cpl.warp;
  in->rd_cpl_seq = rd->cpl.seq;
  in->rd_cpl_idx = rd->probe_write_idx;
  in->wr_cpl = wr->cpl_valid;
  in->wr_cpl_sm = wr->cpl.sm;
  in->wr_cpl_warp = wr->cpl.warp;
  in->wr_cpl_seq = wr->cpl.seq;
  in->wr_cpl_idx = wr->probe_write_idx;
}

/* Writes sent and acknowledged, entries freed and told. A take that fails frees no entry. */
static void nsu_connect_counts(const nsu_t *s, nsu_wires_t *w) {
  w->acks_in.inc = w->stu.sent;
  w->acks_in.inc_slot = w->stu.sent_slot;
  w->acks_in.dec = w->rx.rx_wack;
  w->acks_in.dec_slot = w->rx.rx_wack ? HDR_GET(w->rx.rx_hdr, slot) : 0;
  w->credits_in.cmd_free = w->ldu.cb_free;
  w->credits_in.rd_free = w->issue.rd_take && merge_takes(&s->rdbuf.core, s->rdbuf.entry, w->warps.go_entry);
  w->credits_in.wr_free = w->issue.wr_take && merge_takes(&s->wrbuf.core, s->wrbuf.entry, w->warps.go_entry);
  w->credits_in.take = w->endu.cr_take || w->tx.cr_take;
}

/* The wires of the coming cycle. Moore blocks go first; nsu_tx goes before its clients, which
 * see its ready outputs; nsu_regfile goes last, as its grants depend on all units. */
static void nsu_connect(nsu_t *s, uint64_t stack_id) {
  nsu_wires_t *w = &s->wires;
  nsu_rx_eval(&s->rx, NULL, &w->rx);
  nsu_cmdbuf_eval_control(&s->cmdbuf, &w->cmdbuf);
  nsu_acks_eval(&s->acks, NULL, &w->acks);
  nsu_credits_eval(&s->credits, NULL, &w->credits);
  nsu_exec_eval(&s->exec, NULL, &w->exec);
  nsu_connect_ldu(s, w);
  nsu_connect_tx(s, stack_id, w);
  nsu_connect_stu(s, stack_id, w);
  nsu_connect_endu(s, stack_id, w);
  nsu_connect_warps(s, w);
  nsu_connect_issue(s, w);
  nsu_connect_exec(s, w);
  nsu_connect_go(w);
  nsu_connect_regfile(w);
  nsu_connect_cmdbuf(w);
  nsu_connect_spawn(w);
  nsu_connect_events(s, w);
  nsu_connect_counts(s, w);
}

void nsu_reset(nsu_t *s) {
  nsu_rx_reset(&s->rx);
  nsu_cmdbuf_reset(&s->cmdbuf);
  merge_core_reset(&s->rdbuf.core, s->rdbuf.entry, RdBufDepth);
  merge_core_reset(&s->wrbuf.core, s->wrbuf.entry, WrBufDepth);
  nsu_warps_reset(&s->warps);
  ro_core_reset(&s->icache.core, s->icache.line, s->icache.pointer, ICacheBytes / RO_LINE_BYTES);
  ro_core_reset(&s->ccache.core, s->ccache.line, s->ccache.pointer, CCacheBytes / RO_LINE_BYTES);
  nsu_issue_reset(&s->issue);
  nsu_exec_reset(&s->exec);
  nsu_ldu_reset(&s->ldu);
  nsu_stu_reset(&s->stu);
  nsu_endu_reset(&s->endu);
  nsu_acks_reset(&s->acks);
  nsu_credits_reset(&s->credits);
  nsu_tx_reset(&s->tx);
  nsu_regfile_reset(&s->regfile);
  nsu_connect(s, 0); /* nothing shows the stack_id before the first step */
}

/* Rule 3: one bit a kind of error, all of them for one cycle. */
static uint64_t nsu_errors(const nsu_t *s, const nsu_wires_t *w) {
  const bool err[PKT_NUM_ERR] = {[ERR_BAD_TYPE] = w->rx.err_type,
                                 [ERR_BAD_CLASS] = w->rx.err_class,
                                 [ERR_CMD_OVERFLOW] = w->cmdbuf.err_overflow,
                                 [ERR_CMD_BEAT] = w->cmdbuf.err_beat,
                                 [ERR_RD_OVERFLOW] = s->rdbuf.core.err_overflow,
                                 [ERR_RD_MERGE] = s->rdbuf.core.err_merge,
                                 [ERR_WR_OVERFLOW] = s->wrbuf.core.err_overflow,
                                 [ERR_WR_MERGE] = s->wrbuf.core.err_merge,
                                 [ERR_IFILL_NOREQ] = s->icache.core.err_noreq,
                                 [ERR_CFILL_NOREQ] = s->ccache.core.err_noreq,
                                 [ERR_WACK_NOREQ] = w->acks.err_noreq,
                                 [ERR_BAD_OPCODE] = w->issue.err_opcode,
                                 [ERR_NOT_BEG] = w->issue.err_not_beg,
                                 [ERR_CR_OVERFLOW] = s->tx.err_credit};
  uint64_t bits = 0;
  for (unsigned i = 0; i < PKT_NUM_ERR; i++) bits |= (uint64_t)err[i] << i;
  return bits;
}

/* Port files ask for a zero where a field's valid bit is 0. */
#define WHEN(valid, value) ((valid) ? (value) : 0)

static void nsu_show_reception(const nsu_t *s, const nsu_wires_t *w, nsu_out_t *out) {
  const merge_core_t *rd = &s->rdbuf.core, *wr = &s->wrbuf.core;
  out->probe_rx = w->rx.rx_valid;
  if (w->rx.rx_valid) memcpy(out->probe_rx_hdr, w->rx.rx_hdr, sizeof w->rx.rx_hdr);
  out->probe_cmd_alloc = w->cmdbuf.probe_alloc;
  out->probe_cmd_alloc_idx = w->cmdbuf.probe_alloc_idx;
  out->probe_rd_write = rd->probe_write;
  out->probe_rd_write_idx = WHEN(rd->probe_write, rd->probe_write_idx);
  out->probe_rd_level = rd->level;
  out->probe_wr_write = wr->probe_write;
  out->probe_wr_write_idx = WHEN(wr->probe_write, wr->probe_write_idx);
  out->probe_wr_level = wr->level;
  out->probe_spawn = w->cmdbuf.sp_valid && w->warps.sp_ready;
  out->probe_spawn_idx = WHEN(out->probe_spawn, w->cmdbuf.sp_idx);
}

static void nsu_show_issue(const nsu_t *s, const nsu_wires_t *w, nsu_out_t *out) {
  const ro_core_t *ic = &s->icache.core, *cc = &s->ccache.core;
  out->probe_used = w->warps.probe_used;
  out->probe_ready = w->warps.probe_ready;
  out->probe_imiss = ic->probe_miss;
  out->probe_imiss_addr = WHEN(ic->probe_miss, ic->probe_miss_addr);
  out->probe_cmiss = cc->probe_miss;
  out->probe_cmiss_addr = WHEN(cc->probe_miss, cc->probe_miss_addr);
  out->probe_fetch = w->issue.d_valid;
  out->probe_fetch_slot = w->issue.d_slot;
  out->probe_fetch_next = w->issue.d_next;
  out->probe_issue = w->warps.go_valid;
  out->probe_issue_slot = w->warps.go_slot;
  out->probe_issue_pc = w->warps.go_pc;
  out->probe_issue_instr = w->issue.go_instr;
  out->probe_rd_take = w->issue.rd_take;
  out->probe_rd_take_idx = WHEN(w->issue.rd_take, w->warps.go_entry);
  out->probe_wr_take = w->issue.wr_take;
  out->probe_wr_take_idx = WHEN(w->issue.wr_take, w->warps.go_entry);
}

static void nsu_show_results(const nsu_wires_t *w, nsu_out_t *out) {
  out->probe_ex_wb = w->exec.wb_valid;
  out->probe_ex_wb_slot = w->exec.wb_slot;
  out->probe_ex_wb_reg = w->exec.wb_reg;
  out->probe_ex_wb_mask = w->exec.wb_mask;
  if (w->exec.wb_valid) memcpy(out->probe_ex_wb_row, w->exec.wb_row, sizeof w->exec.wb_row);
  out->probe_ld_wb = w->ldu.rf_wr_valid && w->regfile.ld_wr_gnt;
  out->probe_ld_wb_slot = WHEN(out->probe_ld_wb, w->ldu.rf_wr_slot);
  out->probe_ld_wb_reg = WHEN(out->probe_ld_wb, w->ldu.rf_wr_reg);
  out->probe_ld_wb_mask = WHEN(out->probe_ld_wb, w->ldu.rf_wr_mask);
  if (out->probe_ld_wb) memcpy(out->probe_ld_wb_row, w->ldu.rf_wr_row, sizeof w->ldu.rf_wr_row);
}

static void nsu_show_sending(const nsu_wires_t *w, nsu_out_t *out) {
  out->probe_ack_zero = w->acks.zero;
  out->probe_write = w->stu.wr_valid && w->tx.wr_ready;
  if (out->probe_write) memcpy(out->probe_write_hdr, w->stu.wr_hdr, sizeof w->stu.wr_hdr);
  out->probe_ack = w->endu.ack_valid && w->tx.ack_ready;
  if (out->probe_ack) memcpy(out->probe_ack_hdr, w->endu.ack_hdr, sizeof w->endu.ack_hdr);
  out->probe_cr_cmd = w->credits.cr_cmd;
  out->probe_cr_rd = w->credits.cr_rd;
  out->probe_cr_wr = w->credits.cr_wr;
}

void nsu_eval(const nsu_t *s, const nsu_in_t *in, nsu_out_t *out) {
  const nsu_wires_t *w = &s->wires;
  (void)in;
  out->in_credit = w->rx.in_credit;
  out->out_valid = s->tx.out_valid;
  out->out_class = s->tx.out_valid && s->tx.out_class;
  if (s->tx.out_valid) beat_get_phit(s->tx.sending, s->tx.phit, PortBits, out->out_phit, PORT_WORDS(PortBits));
  out->err = nsu_errors(s, w);
  nsu_show_reception(s, w, out);
  nsu_show_issue(s, w, out);
  nsu_show_results(w, out);
  nsu_show_sending(w, out);
}

/* The received packet goes to the buffer of its type; an issued LD or ST takes its entry. */
static void nsu_step_buffers(nsu_t *s, const nsu_wires_t *w) {
  merge_packet_t packet;
  uint32_t addrs[PKT_ADDR_BITS];
  if (w->rx.rx_rdr || w->rx.rx_wta) packet = merge_packet_of(w->rx.rx_hdr);
  if (w->rx.rx_wta) merge_wta_addrs(w->rx.rx_hdr, packet.mask, addrs);
  merge_core_step(&s->rdbuf.core, s->rdbuf.entry, s->rdbuf.rows, s->rdbuf.row, RdBufDepth, PKT_WORD_BITS,
                  w->rx.rx_rdr ? &packet : NULL, w->rx.rx_data, w->issue.rd_take ? (int)w->warps.go_entry : -1);
  merge_core_step(&s->wrbuf.core, s->wrbuf.entry, s->wrbuf.rows, s->wrbuf.row, WrBufDepth, PKT_ADDR_BITS,
                  w->rx.rx_wta ? &packet : NULL, addrs, w->issue.wr_take ? (int)w->warps.go_entry : -1);
}

/* One received packet can fill one of the two caches. */
static void nsu_step_caches(nsu_t *s, const nsu_wires_t *w) {
  uint64_t addr = w->rx.rx_ifill || w->rx.rx_cfill ? HDR_GET(w->rx.rx_hdr, addr) : 0;
  ro_core_in_t ic = {.req = w->issue.ic_req,
                     .req_addr = w->issue.ic_addr,
                     .ft_ready = w->tx.if_ready,
                     .fill_valid = w->rx.rx_ifill,
                     .fill_addr = addr,
                     .fill_data = w->rx.rx_data};
  ro_core_in_t cc = {.req = w->ldu.cc_req,
                     .req_addr = w->ldu.cc_addr,
                     .ft_ready = w->tx.cf_ready,
                     .fill_valid = w->rx.rx_cfill,
                     .fill_addr = addr,
                     .fill_data = w->rx.rx_data};
  ro_core_step(icache_geometry, &s->icache.core, s->icache.line, s->icache.pointer, &ic);
  ro_core_step(ccache_geometry, &s->ccache.core, s->ccache.line, s->ccache.pointer, &cc);
}

void nsu_step(nsu_t *s, const nsu_in_t *in) {
  nsu_wires_t *w = &s->wires;
  w->tx_in.out_credit = in->out_credit;
  nsu_rx_in_t rx_in; /* the phit is read only if it is valid */
  rx_in.in_valid = in->in_valid;
  if (in->in_valid) {
    rx_in.in_class = in->in_class;
    memcpy(rx_in.in_phit, in->in_phit, sizeof in->in_phit);
  }
  nsu_rx_step(&s->rx, &rx_in);
  nsu_cmdbuf_step(&s->cmdbuf, &w->cmdbuf_in);
  nsu_step_buffers(s, w);
  nsu_warps_step(&s->warps, &w->warps_in);
  nsu_step_caches(s, w);
  nsu_issue_step(&s->issue, &w->issue_in);
  nsu_exec_step(&s->exec, &w->exec_in);
  nsu_ldu_step(&s->ldu, &w->ldu_in);
  nsu_stu_step(&s->stu, &w->stu_in);
  nsu_endu_step(&s->endu, &w->endu_in);
  nsu_regfile_step(&s->regfile, &w->regfile_in);
  nsu_acks_step(&s->acks, &w->acks_in);
  nsu_credits_step(&s->credits, &w->credits_in);
  nsu_tx_step(&s->tx, &w->tx_in);
  nsu_connect(s, in->stack_id);
}

/* No instruction is under way and no event is about to reach a register. No warp and no
 * credit that waits can proceed by itself. */
bool nsu_idle(const nsu_t *s) {
  bool can_spawn = s->cmdbuf.queued && s->warps.in_state[WARP_FREE];
  return nsu_rx_idle(&s->rx) && nsu_cmdbuf_idle(&s->cmdbuf) && !can_spawn && merge_core_idle(&s->rdbuf.core) &&
         merge_core_idle(&s->wrbuf.core) && nsu_warps_idle(&s->warps) &&
         !nsu_warps_ready(&s->warps, s->wires.acks.zero) && ro_core_idle(icache_geometry, &s->icache.core) &&
         ro_core_idle(ccache_geometry, &s->ccache.core) && nsu_issue_idle(&s->issue) && nsu_exec_idle(&s->exec) &&
         nsu_ldu_idle(&s->ldu) && nsu_stu_idle(&s->stu) && nsu_endu_idle(&s->endu) && nsu_acks_idle(&s->acks) &&
         !(s->credits.cr_cmd || s->credits.cr_rd || s->credits.cr_wr) && nsu_tx_idle(&s->tx);
}
