/* SPDX-License-Identifier: Apache-2.0
 *
 * One message at a time becomes DRAM transfers. Numbers in brackets are rules of the port file.
 */
#include "lsu_issue.h"

#include <string.h>

#include "bits.h"
#include "lsu_access.h"

void lsu_issue_reset(lsu_issue_t *s) {
  memset(s, 0, sizeof *s);
}

/* Register rows that a store reads first [5]. */
static unsigned rows_needed(uint64_t hdr) {
  if (LSU_GET(hdr, type) != LSU_STO) return 0;
  return LSU_GET(hdr, size) == 3 ? 2 : 1;
}

/* LDO and STO take one transfer or more, RD and WR exactly one. */
static bool offloaded(uint64_t hdr) {
  return LSU_GET(hdr, type) == LSU_LDO || LSU_GET(hdr, type) == LSU_STO;
}

/* True if the next transfer can be pushed in this cycle. Only the
 * first one needs an entry [4, 6]. */
static bool can_push(const lsu_issue_t *s, const lsu_issue_in_t *in) {
  if (!in->m_valid || !in->x_free || !in->q_ready) return false;
  if (s->coming || s->asked < rows_needed(in->m_hdr)) return false;
  if (s->k) return true;
  if (LSU_GET(in->m_hdr, type) == LSU_LDO) return in->g_free;
  if (LSU_GET(in->m_hdr, type) == LSU_STO) return in->st_free;
  return true;
}

/* Bytes 4 m .. 4 m + 3 of the access, 0 outside of it. They come from four threads, two,
 * one, or half of one, as the size says. */
static uint32_t access_word(const lsu_issue_t *s, unsigned size, int m) {
  const uint32_t *row = s->row[0];
  if (m < 0 || m >= LSU_LANES << size >> 2) return 0;
  switch (size) {
  case 0: return (row[4 * m] & 255) | (row[4 * m + 1] & 255) << 8 | (row[4 * m + 2] & 255) << 16 | row[4 * m + 3] << 24;
  case 1: return (row[2 * m] & 0xffff) | row[2 * m + 1] << 16;
  case 2: return row[m];
  default: return s->row[m % 2][m / 2];
  }
}

/* The store's bytes of transfer k at their places [6, 7]. The transfer begins with access byte
 * `first`, which may be negative and need not be at a word's beginning. */
static void store_data(const lsu_issue_t *s, uint64_t hdr, lsu_issue_out_t *out) {
  unsigned size = (unsigned)LSU_GET(hdr, size), off = lsu_access_off(LSU_GET(hdr, addr));
  int first = lsu_access_byte(off, s->k, 0), behind = (LSU_LANES << size) - first;
  int m = (int)(LSU_XFER_BYTES * (s->k + 1) - off) / 4 - LSU_XFER_WORDS;
  unsigned shift = (0u - off) % 4 * 8;
  uint64_t words = access_word(s, size, m);
  for (int i = 0; i < LSU_XFER_WORDS; i++) {
    words |= (uint64_t)access_word(s, size, m + i + 1) << 32;
    out->q_wdata[i] = (uint32_t)(words >> shift);
    words >>= 32;
  }
  out->q_wmask = bits_ones(behind < LSU_XFER_BYTES ? (unsigned)behind : LSU_XFER_BYTES);
  if (first < 0) out->q_wmask &= ~bits_ones((unsigned)-first);
}

/* RD and WR: one transfer, with the message's own mask and data [3]. */
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

/* Transfer k of an LDO or STO [4, 6]. */
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

/* A granted row comes in the next cycle. The entry is kept from the first transfer on. */
void lsu_issue_advance(lsu_issue_t *s, const lsu_issue_out_t *out, bool granted, const uint32_t *row) {
  if (s->coming) memcpy(s->row[s->asked - 1], row, sizeof *s->row);
  s->coming = out->rf_req && granted;
  s->asked += s->coming;
  if (out->m_take) {
    s->k = s->asked = 0;
  } else if (out->q_push) {
    if (!s->k) s->entry = (unsigned)(out->x_ref >> 4);
    s->k++;
  }
}

void lsu_issue_step(lsu_issue_t *s, const lsu_issue_in_t *in) {
  lsu_issue_out_t out;
  lsu_issue_eval(s, in, &out);
  lsu_issue_advance(s, &out, in->rf_gnt, in->rf_data);
}

extern inline bool lsu_issue_idle(const lsu_issue_t *s);
