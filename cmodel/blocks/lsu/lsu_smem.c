/* SPDX-License-Identifier: Apache-2.0
 *
 * A message in four states: read registers, ask the banks in passes, write a load's rows, end.
 * Numbers in brackets are rules of the port file.
 *
 * A pass serves, in each bank, the lowest thread left and all others that need the same word [6].
 */
#include "lsu_smem.h"

#include <assert.h>
#include <string.h>

#include "bits.h"
#include "lsu_access.h"

enum { OFFSET_LSB = 32, SIGN_LSB = 49 };

/* Also the end of a message. Rows, addresses and words are written
 * before they are read, so they stay. */
void lsu_smem_reset(lsu_smem_t *s) {
  s->state = LSU_SMEM_ROWS;
  s->asked = 0;
  s->coming = s->first = s->err = s->upper = s->served_upper = false;
  s->legal = s->left = s->pass = s->served = 0;
}

static bool stores(uint64_t hdr) {
  return LSU_GET(hdr, type) == LSU_STS;
}

static bool two_words(uint64_t hdr) {
  return LSU_GET(hdr, size) == 3;
}

/* Register rows: addresses, and for a store one or two rows of data [1]. */
static unsigned rows_needed(uint64_t hdr) {
  return !stores(hdr) ? 1 : two_words(hdr) ? 3 : 2;
}

/* The message's mask. */
static uint32_t threads_of(uint64_t ctl) {
  return (uint32_t)(ctl & ((UINT64_C(1) << Threads) - 1));
}

/* Word address of thread i, in the half that is served: upper words are one above. */
static uint32_t word_addr(const lsu_smem_t *s, unsigned i) {
  return s->addr[i] / 4 + s->upper;
}

/* Rules 3 and 4: addresses with the signed offset, and the threads with a legal one. */
static void find_addresses(lsu_smem_t *s, const lsu_smem_in_t *in) {
  uint32_t offset = (uint32_t)(in->s_ctl >> OFFSET_LSB & 0xffff) - (uint32_t)(in->s_ctl >> 48 & 1) * 0x10000;
  uint64_t bytes = UINT64_C(1) << LSU_GET(in->s_hdr, size);
  s->legal = 0;
  for (unsigned i = 0; i < Threads; i++) {
    s->addr[i] = s->row[0][i] + offset;
    bool fits = s->addr[i] % bytes == 0 && s->addr[i] + bytes <= SmemBytes;
    if (in->s_ctl >> i & 1 && fits) s->legal |= 1u << i;
  }
  s->left = s->legal;
}

/* Chooses the threads of the next pass [6]; none if no thread is left. */
static void find_pass(lsu_smem_t *s) {
  uint32_t word[Threads], asked = 0;
  s->pass = 0;
  for (uint32_t left = s->left; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left), bank = word_addr(s, i) % Threads;
    if (!(asked >> bank & 1)) word[bank] = word_addr(s, i);
    asked |= 1u << bank;
    if (word[bank] == word_addr(s, i)) s->pass |= 1u << i;
  }
}

/* A thread's bytes of its word, over those of lower threads [8]. */
static void store_word(const lsu_smem_t *s, unsigned i, unsigned size, lsu_smem_pass_t *pass) {
  unsigned bank = word_addr(s, i) % Threads, bytes = size < 2 ? 1u << size : 4, place = s->addr[i] % 4;
  if (size == 3) place = 0;
  uint32_t ones = bytes == 4 ? ~0u : (1u << 8 * bytes) - 1;
  pass->wdata[bank] &= ~(ones << 8 * place);
  pass->wdata[bank] |= (s->row[1 + s->upper][i] & ones) << 8 * place;
  pass->wmask[bank / 8] |= ((1u << bytes) - 1) << place << bank % 8 * 4;
}

void lsu_smem_show_pass(const lsu_smem_t *s, uint64_t hdr, lsu_smem_pass_t *pass) {
  memset(pass, 0, sizeof *pass);
  for (uint32_t left = s->pass; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left), bank = word_addr(s, i) % Threads;
    /* All threads of a bank have the same row in a pass. */
    bits_put(pass->row, bank * LSU_SMEM_ROW_BITS, LSU_SMEM_ROW_BITS, word_addr(s, i) / Threads);
    pass->banks |= 1u << bank;
    if (stores(hdr)) store_word(s, i, (unsigned)LSU_GET(hdr, size), pass);
  }
}

/* Threads with an illegal address, and those outside of the mask, get 0 [4]. */
void lsu_smem_show_row(const lsu_smem_t *s, uint64_t hdr, uint64_t ctl, uint32_t *row) {
  unsigned size = (unsigned)LSU_GET(hdr, size);
  bool sign = ctl >> SIGN_LSB & 1;
  for (unsigned i = 0; i < Threads; i++) {
    uint32_t word = s->loaded[s->upper][i] >> (size < 2 ? s->addr[i] % 4 * 8 : 0);
    row[i] = s->legal >> i & 1 ? lsu_extend(word, size, sign) : 0;
  }
}

bool lsu_smem_asks_file(const lsu_smem_t *s, uint64_t hdr) {
  return s->state == LSU_SMEM_ROWS && s->asked < rows_needed(hdr);
}

/* The address register first, then the data registers [1]. */
unsigned lsu_smem_reg(const lsu_smem_t *s, uint64_t hdr) {
  if (s->state == LSU_SMEM_WRITE) return (LSU_GET(hdr, reg) + s->upper) & LSU_MASK(reg);
  return (s->asked ? LSU_GET(hdr, reg) + s->asked - 1 : LSU_GET(hdr, areg)) & LSU_MASK(reg);
}

static void eval_pass(const lsu_smem_t *s, uint64_t hdr, lsu_smem_out_t *out) {
  lsu_smem_pass_t pass;
  lsu_smem_show_pass(s, hdr, &pass);
  out->sm_req = 1;
  out->sm_we = stores(hdr);
  out->sm_banks = pass.banks;
  memcpy(out->sm_row, pass.row, sizeof pass.row);
  memcpy(out->sm_wdata, pass.wdata, sizeof pass.wdata);
  memcpy(out->sm_wmask, pass.wmask, sizeof pass.wmask);
}

static void eval_write(const lsu_smem_t *s, const lsu_smem_in_t *in, lsu_smem_out_t *out) {
  out->rw_valid = 1;
  out->rw_warp = LSU_GET(in->s_hdr, warp);
  out->rw_reg = lsu_smem_reg(s, in->s_hdr);
  out->rw_mask = threads_of(in->s_ctl);
  lsu_smem_show_row(s, in->s_hdr, in->s_ctl, out->rw_data);
}

void lsu_smem_eval(const lsu_smem_t *s, const lsu_smem_in_t *in, lsu_smem_out_t *out) {
  memset(out, 0, sizeof *out);
  out->err = s->err;
  if (!in->s_valid) return;
  if (lsu_smem_asks_file(s, in->s_hdr)) {
    out->rf_req = 1;
    out->rf_warp = LSU_GET(in->s_hdr, warp);
    out->rf_reg = lsu_smem_reg(s, in->s_hdr);
  }
  if (lsu_smem_asks_banks(s)) eval_pass(s, in->s_hdr, out);
  if (lsu_smem_writes(s)) eval_write(s, in, out);
  out->done = out->s_take = lsu_smem_done(s);
  out->done_id = LSU_GET(in->s_hdr, id);
}

/* Passes start in the cycle after the last row came [2]. */
static void step_rows(lsu_smem_t *s, const lsu_smem_in_t *in) {
  bool grant = lsu_smem_asks_file(s, in->s_hdr) && in->rf_gnt;
  if (s->coming) memcpy(s->row[s->asked - 1], in->rf_data, sizeof *s->row);
  if (s->coming && s->asked == rows_needed(in->s_hdr)) {
    find_addresses(s, in);
    find_pass(s);
    s->state = LSU_SMEM_PASSES;
    s->first = true;
  }
  s->coming = grant;
  s->asked += grant;
}

/* A granted pass makes room for the next one. A store ends with its last grant; a load waits
 * one more cycle for the words of the last pass [9, 10]. */
static void step_passes(lsu_smem_t *s, const lsu_smem_in_t *in) {
  uint32_t threads = s->pass;
  if (threads && !in->sm_gnt) return;
  s->served = threads;
  s->served_upper = s->upper;
  s->left &= ~threads;
  if (!s->left && !s->upper && two_words(in->s_hdr) && threads) {
    s->upper = true;
    s->left = s->legal;
  }
  find_pass(s);
  if (s->left) return;
  if (stores(in->s_hdr)) s->state = LSU_SMEM_DONE;
  else if (!threads) s->state = LSU_SMEM_WRITE; /* the last words came now, or there was no pass */
  if (s->state == LSU_SMEM_WRITE) s->upper = false;
}

/* With size 3 the row of the upper words follows [9]. */
static void step_write(lsu_smem_t *s, const lsu_smem_in_t *in) {
  if (!in->rw_gnt) return;
  if (two_words(in->s_hdr) && !s->upper) s->upper = true;
  else s->state = LSU_SMEM_DONE;
}

/* The words of the pass granted in the last cycle [7]. */
static void take_words(lsu_smem_t *s, const lsu_smem_in_t *in) {
  for (uint32_t left = s->served; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left);
    s->loaded[s->served_upper][i] = in->sm_rdata[(s->addr[i] / 4 + s->served_upper) % Threads];
  }
  s->served = 0;
}

void lsu_smem_step(lsu_smem_t *s, const lsu_smem_in_t *in) {
  s->err = s->first && s->legal != threads_of(in->s_ctl);
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

extern inline bool lsu_smem_idle(const lsu_smem_t *s);
