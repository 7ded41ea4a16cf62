/* SPDX-License-Identifier: Apache-2.0 */
#include "lsu_issue.h"

#include <string.h>

#include "lsu_access.h"

void lsu_issue_reset(lsu_issue_t *s) { memset(s, 0, sizeof *s); }

static unsigned rows_needed(uint64_t hdr) {
  if (LSU_GET(hdr, type) != LSU_STO) return 0;
  return LSU_GET(hdr, size) == 3 ? 2 : 1;
}

static bool offloaded(uint64_t hdr) { return LSU_GET(hdr, type) == LSU_LDO || LSU_GET(hdr, type) == LSU_STO; }

/* Can the next transfer be pushed in this cycle? */
static bool can_push(const lsu_issue_t *s, const lsu_issue_in_t *in) {
  if (!in->m_valid || !in->x_free || !in->q_ready) return false;
  if (s->coming || s->asked < rows_needed(in->m_hdr)) return false;
  if (s->k) return true;
  if (LSU_GET(in->m_hdr, type) == LSU_LDO) return in->g_free;
  if (LSU_GET(in->m_hdr, type) == LSU_STO) return in->st_free;
  return true;
}

/* Access byte j: of thread j / b, and with eight bytes a thread the upper four from the second row. */
static unsigned store_byte(const lsu_issue_t *s, unsigned size, unsigned j) {
  unsigned byte = j & ((1u << size) - 1);
  return s->row[byte / 4][j >> size] >> byte % 4 * 8 & 255;
}

static void store_data(const lsu_issue_t *s, uint64_t hdr, lsu_issue_out_t *out) {
  unsigned size = (unsigned)LSU_GET(hdr, size), off = lsu_access_off(LSU_GET(hdr, addr));
  for (unsigned i = 0; i < LSU_XFER_BYTES; i++) {
    int j = lsu_access_byte(off, s->k, i);
    if (!lsu_access_has(j, size)) continue;
    out->q_wmask |= 1ull << i;
    lsu_set_byte(out->q_wdata, i, store_byte(s, size, (unsigned)j));
  }
}

static void push_single(const lsu_issue_in_t *in, lsu_issue_out_t *out) {
  out->m_take = 1;
  out->q_write = LSU_GET(in->m_hdr, type) == LSU_WR;
  out->q_addr = lsu_access_addr(LSU_GET(in->m_hdr, addr), 0);
  out->x_kind = out->q_write ? LSU_KIND_WR : LSU_KIND_RD;
  out->x_ref = (LSU_GET(in->m_hdr, areg) & 7) << LSU_id_W | LSU_GET(in->m_hdr, id);
  if (!out->q_write) return;
  out->q_wmask = in->m_mask;
  memcpy(out->q_wdata, in->m_data, sizeof in->m_data);
}

static void push_offloaded(const lsu_issue_t *s, const lsu_issue_in_t *in, lsu_issue_out_t *out) {
  bool store = LSU_GET(in->m_hdr, type) == LSU_STO;
  uint64_t entry = s->k ? s->entry : store ? in->st_idx : in->g_idx;
  out->m_take = s->k + 1 == out->op_n;
  out->q_write = store;
  out->q_addr = lsu_access_addr(LSU_GET(in->m_hdr, addr), s->k);
  out->x_kind = store ? LSU_KIND_STO : LSU_KIND_LDO;
  out->x_ref = entry << 4 | (store ? 0 : s->k);
  out->g_alloc = !store && s->k == 0;
  out->st_alloc = store && s->k == 0;
  if (store) store_data(s, in->m_hdr, out);
}

void lsu_issue_eval(const lsu_issue_t *s, const lsu_issue_in_t *in, lsu_issue_out_t *out) {
  memset(out, 0, sizeof *out);
  if (!in->m_valid) return;
  out->op_off = lsu_access_off(LSU_GET(in->m_hdr, addr));
  out->op_n = lsu_access_transfers((unsigned)out->op_off, (unsigned)LSU_GET(in->m_hdr, size));
  out->rf_req = s->asked < rows_needed(in->m_hdr);
  out->rf_warp = LSU_GET(in->m_hdr, warp);
  out->rf_reg = (LSU_GET(in->m_hdr, reg) + s->asked) & LSU_MASK(reg);
  if (!can_push(s, in)) return;
  out->q_push = out->x_alloc = 1;
  out->q_tag = in->x_tag;
  if (offloaded(in->m_hdr)) push_offloaded(s, in, out);
  else push_single(in, out);
}

void lsu_issue_step(lsu_issue_t *s, const lsu_issue_in_t *in) {
  lsu_issue_out_t out;
  lsu_issue_eval(s, in, &out);
  if (s->coming) memcpy(s->row[s->asked - 1], in->rf_data, sizeof *s->row);
  s->coming = out.rf_req && in->rf_gnt;
  s->asked += s->coming;
  if (out.m_take) {
    s->k = s->asked = 0;
  } else if (out.q_push) {
    if (!s->k) s->entry = (unsigned)(out.x_ref >> 4);
    s->k++;
  }
}
