/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass serves, bank by bank, the lowest thread that is left and all others that need the same word.
 */
#include "lsu_smem.h"

#include <assert.h>
#include <string.h>

#include "lsu_access.h"

enum { ROW_BITS = 9, OFFSET_LSB = 32, SIGN_LSB = 48 };

void lsu_smem_reset(lsu_smem_t *s) { memset(s, 0, sizeof *s); }

static bool stores(const lsu_smem_in_t *in) { return LSU_GET(in->s_hdr, type) == LSU_STS; }

static bool two_words(const lsu_smem_in_t *in) { return LSU_GET(in->s_hdr, size) == 3; }

static unsigned rows_needed(const lsu_smem_in_t *in) { return !stores(in) ? 1 : two_words(in) ? 3 : 2; }

/* Addresses count words: 0 and 1 are the halves of what a thread accesses. */
static uint32_t word_addr(const lsu_smem_t *s, unsigned i) { return s->addr[i] / 4 + s->upper; }

static void find_addresses(lsu_smem_t *s, const lsu_smem_in_t *in) {
  uint32_t offset = (uint32_t)(int16_t)(in->s_ctl >> OFFSET_LSB);
  uint64_t bytes = UINT64_C(1) << LSU_GET(in->s_hdr, size);
  s->legal = 0;
  for (unsigned i = 0; i < LSU_LANES; i++) {
    s->addr[i] = s->row[0][i] + offset;
    bool fits = s->addr[i] % bytes == 0 && s->addr[i] + bytes <= SmemBytes;
    if (in->s_ctl >> i & 1 && fits) s->legal |= 1u << i;
  }
  s->left = s->legal;
}

/* The threads served if a pass is granted now. */
static uint32_t served(const lsu_smem_t *s) {
  uint32_t word[LSU_SMEM_BANKS], asked = 0, threads = 0;
  for (unsigned i = 0; i < LSU_LANES; i++) {
    unsigned bank = word_addr(s, i) % LSU_SMEM_BANKS;
    if (!(s->left >> i & 1)) continue;
    if (!(asked >> bank & 1)) word[bank] = word_addr(s, i);
    asked |= 1u << bank;
    if (word[bank] == word_addr(s, i)) threads |= 1u << i;
  }
  return threads;
}

/* The thread's bytes of its word, over those of lower threads. */
static void store_word(const lsu_smem_t *s, unsigned i, unsigned size, lsu_smem_out_t *out) {
  unsigned bank = word_addr(s, i) % LSU_SMEM_BANKS, bytes = size < 2 ? 1u << size : 4, place = s->addr[i] % 4;
  if (size == 3) place = 0;
  uint32_t ones = bytes == 4 ? ~0u : (1u << 8 * bytes) - 1;
  out->sm_wdata[bank] &= ~(ones << 8 * place);
  out->sm_wdata[bank] |= (s->row[1 + s->upper][i] & ones) << 8 * place;
  out->sm_wmask[bank / 8] |= ((1u << bytes) - 1) << place << bank % 8 * 4;
}

static void put_row(uint32_t *rows, unsigned bank, uint32_t row) {
  for (unsigned b = 0; b < ROW_BITS; b++) {
    unsigned at = bank * ROW_BITS + b;
    rows[at / 32] |= (row >> b & 1) << at % 32;
  }
}

static void eval_pass(const lsu_smem_t *s, const lsu_smem_in_t *in, lsu_smem_out_t *out) {
  uint32_t threads = served(s);
  out->sm_req = threads != 0;
  out->sm_we = stores(in);
  for (unsigned i = 0; i < LSU_LANES; i++) {
    if (!(threads >> i & 1)) continue;
    unsigned bank = word_addr(s, i) % LSU_SMEM_BANKS;
    if (!(out->sm_banks >> bank & 1)) put_row(out->sm_row, bank, word_addr(s, i) / LSU_SMEM_BANKS);
    out->sm_banks |= 1ull << bank;
    if (stores(in)) store_word(s, i, (unsigned)LSU_GET(in->s_hdr, size), out);
  }
}

static void eval_write(const lsu_smem_t *s, const lsu_smem_in_t *in, lsu_smem_out_t *out) {
  unsigned size = (unsigned)LSU_GET(in->s_hdr, size);
  out->rw_valid = 1;
  out->rw_warp = LSU_GET(in->s_hdr, warp);
  out->rw_reg = (LSU_GET(in->s_hdr, reg) + s->upper) & LSU_MASK(reg);
  out->rw_mask = (uint32_t)in->s_ctl;
  for (unsigned i = 0; i < LSU_LANES; i++) {
    if (!(s->legal >> i & 1)) continue;
    uint32_t word = s->loaded[s->upper][i] >> (size < 2 ? s->addr[i] % 4 * 8 : 0);
    out->rw_data[i] = lsu_extend(word, size, in->s_ctl >> SIGN_LSB & 1);
  }
}

void lsu_smem_eval(const lsu_smem_t *s, const lsu_smem_in_t *in, lsu_smem_out_t *out) {
  memset(out, 0, sizeof *out);
  out->err = s->err;
  if (!in->s_valid) return;
  if (s->state == LSU_SMEM_ROWS && s->asked < rows_needed(in)) {
    uint64_t data_reg = LSU_GET(in->s_hdr, reg) + s->asked - 1;
    out->rf_req = 1;
    out->rf_warp = LSU_GET(in->s_hdr, warp);
    out->rf_reg = (s->asked ? data_reg : LSU_GET(in->s_hdr, areg)) & LSU_MASK(reg);
  }
  if (s->state == LSU_SMEM_PASSES) eval_pass(s, in, out);
  if (s->state == LSU_SMEM_WRITE) eval_write(s, in, out);
  out->done = out->s_take = s->state == LSU_SMEM_DONE;
  out->done_id = LSU_GET(in->s_hdr, id);
}

static void step_rows(lsu_smem_t *s, const lsu_smem_in_t *in) {
  bool grant = s->asked < rows_needed(in) && in->rf_gnt;
  if (s->coming) memcpy(s->row[s->asked - 1], in->rf_data, sizeof *s->row);
  if (s->coming && s->asked == rows_needed(in)) {
    find_addresses(s, in);
    s->state = LSU_SMEM_PASSES;
    s->first = true;
  }
  s->coming = grant;
  s->asked += grant;
}

/* Ends in the cycle of the last grant for stores; loads wait for the words of the last pass. */
static void step_passes(lsu_smem_t *s, const lsu_smem_in_t *in) {
  uint32_t threads = served(s);
  if (threads && !in->sm_gnt) return;
  s->served = threads;
  s->served_upper = s->upper;
  s->left &= ~threads;
  if (!s->left && !s->upper && two_words(in) && threads) {
    s->upper = true;
    s->left = s->legal;
  }
  if (s->left) return;
  if (stores(in)) s->state = LSU_SMEM_DONE;
  else if (!threads) s->state = LSU_SMEM_WRITE; /* the last words came in this cycle, or there was no pass */
  if (s->state == LSU_SMEM_WRITE) s->upper = false;
}

static void step_write(lsu_smem_t *s, const lsu_smem_in_t *in) {
  if (!in->rw_gnt) return;
  if (two_words(in) && !s->upper) s->upper = true;
  else s->state = LSU_SMEM_DONE;
}

static void take_words(lsu_smem_t *s, const lsu_smem_in_t *in) {
  for (unsigned i = 0; i < LSU_LANES; i++) {
    uint32_t word = s->addr[i] / 4 + s->served_upper;
    if (s->served >> i & 1) s->loaded[s->served_upper][i] = in->sm_rdata[word % LSU_SMEM_BANKS];
  }
  s->served = 0;
}

void lsu_smem_step(lsu_smem_t *s, const lsu_smem_in_t *in) {
  s->err = s->first && s->legal != (uint32_t)in->s_ctl;
  s->first = false;
  if (!in->s_valid) return;
  take_words(s, in);
  switch (s->state) {
  case LSU_SMEM_ROWS: step_rows(s, in); break;
  case LSU_SMEM_PASSES: step_passes(s, in); break;
  case LSU_SMEM_WRITE: step_write(s, in); break;
  case LSU_SMEM_DONE: lsu_smem_reset(s); break;
  }
}
