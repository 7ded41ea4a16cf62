/* SPDX-License-Identifier: Apache-2.0
 *
 * Watches the commands and answers of a near-bank memory controller and names the first rule that
 * one breaks. Written from the MPU paper, Table II and the meaning of the timings alone: for every
 * resource the cycle of its last use.
 */
#ifndef NEAR_CHECKER_H
#define NEAR_CHECKER_H

#include "near_mc.h"

#define CHECKER_LONG_AGO (-1000000)

/* A row buffer: its row, and the cycles of its last commands. */
typedef struct checker_row_buffer {
  bool open;
  uint32_t row;
  int64_t activated, precharged, read, written;
} checker_row_buffer_t;

/* A data path, of a bank or of all banks: the cycles of its last columns. */
typedef struct checker_io {
  int64_t read, written;
} checker_io_t;

typedef struct checker {
  near_mc_config_t config;
  checker_row_buffer_t buffer[VAULT_MAX_BANKS];
  checker_io_t io[VAULT_MAX_BANKS];
  int64_t activates[4], last, refreshed, refresh_due;
  int64_t data_end[256]; /* by tag; 0: no column command yet */
  unsigned next_activate;
} checker_t;

/* No command has been given; the first refresh is due after tREFI. */
static inline void checker_init(checker_t *c, const near_mc_config_t *config) {
  *c = (checker_t){.config = *config, .last = CHECKER_LONG_AGO, .refreshed = CHECKER_LONG_AGO};
  c->refresh_due = config->vault.timing.tREFI;
  for (unsigned i = 0; i < 4; i++) c->activates[i] = CHECKER_LONG_AGO;
  for (unsigned i = 0; i < VAULT_MAX_BANKS; i++) {
    checker_row_buffer_t *b = &c->buffer[i];
    b->activated = b->precharged = b->read = b->written = CHECKER_LONG_AGO;
    c->io[i] = (checker_io_t){CHECKER_LONG_AGO, CHECKER_LONG_AGO};
  }
}

/* Returns the rule if fewer than so many cycles have passed since `since`. */
#define CHECKER_WAIT(rule, since, cycles)              \
  do {                                                 \
    if (at - (since) < (int64_t)(cycles)) return rule; \
  } while (0)

/* The row buffer is closed, and the last four activates of all banks lie far enough back. */
static inline const char *checker_activate(checker_t *c, checker_row_buffer_t *b, uint32_t row, int64_t at) {
  const dram_timing_t *t = &c->config.vault.timing;
  if (b->open) return "activate of an open row buffer";
  CHECKER_WAIT("tRP", b->precharged, t->tRP);
  CHECKER_WAIT("tRC", b->activated, t->tRC);
  CHECKER_WAIT("tRRD", c->activates[(c->next_activate + 3) % 4], t->tRRD);
  CHECKER_WAIT("tFAW", c->activates[c->next_activate], t->tFAW);
  c->activates[c->next_activate] = at;
  c->next_activate = (c->next_activate + 1) % 4;
  b->open = true;
  b->row = row;
  b->activated = at;
  return NULL;
}

/* The row has been open long enough, and its last read and write are through. */
static inline const char *checker_precharge(const checker_t *c, checker_row_buffer_t *b, int64_t at) {
  const dram_timing_t *t = &c->config.vault.timing;
  if (!b->open) return "precharge of a closed row buffer";
  CHECKER_WAIT("tRAS", b->activated, t->tRAS);
  CHECKER_WAIT("tRTP", b->read, t->tRTP);
  CHECKER_WAIT("tWR", b->written, t->CWL + t->BL + t->tWR);
  b->open = false;
  b->precharged = at;
  return NULL;
}

/* The row is open, and the data path is free: tCCD and BL between
 * columns of a kind, tWTR and tRTW between a write and a read. */
static inline const char *checker_column(const checker_t *c, checker_row_buffer_t *b, checker_io_t *io, uint32_t row,
                                         bool write, int64_t at) {
  const dram_timing_t *t = &c->config.vault.timing;
  int64_t turn = (int64_t)t->tCL + t->BL + 2 - t->CWL;
  if (!b->open || b->row != row) return "column of a row that is not open";
  CHECKER_WAIT("tRCD", b->activated, t->tRCD);
  CHECKER_WAIT("tCCD", io->read, t->tCCD);
  CHECKER_WAIT("tCCD", io->written, t->tCCD);
  CHECKER_WAIT("BL", write ? io->written : io->read, t->BL);
  if (write) CHECKER_WAIT("tRTW", io->read, t->tRTW ? t->tRTW : turn);
  else CHECKER_WAIT("tWTR", io->written, t->CWL + t->BL + t->tWTR);
  *(write ? &io->written : &io->read) = at;
  *(write ? &b->written : &b->read) = at;
  return NULL;
}

/* A refresh is due, and every row buffer has been closed for tRP. */
static inline const char *checker_refresh(checker_t *c, int64_t at) {
  const dram_timing_t *t = &c->config.vault.timing;
  if (at < c->refresh_due) return "tREFI";
  for (unsigned i = 0; i < VAULT_MAX_BANKS; i++) {
    if (c->buffer[i].open) return "refresh of an open row buffer";
    CHECKER_WAIT("tRP", c->buffer[i].precharged, t->tRP);
  }
  c->refreshed = at;
  c->refresh_due += t->tREFI;
  return NULL;
}

/* The command that the controller is about to give in
 * cycle `at`: NULL, or the rule that it breaks. */
static inline const char *checker_command(checker_t *c, const near_mc_t *mc, int64_t at) {
  const vault_command_t *v = &mc->vault.command;
  const dram_timing_t *t = &c->config.vault.timing;
  checker_row_buffer_t *b = &c->buffer[v->slot];
  if (at <= c->last) return "one command a cycle";
  CHECKER_WAIT("tRFC", c->refreshed, t->tRFC);
  if (c->config.vault.refresh && v->kind != VAULT_PRECHARGE_ALL && v->kind != VAULT_REFRESH && at >= c->refresh_due)
    return "nothing else once a refresh is due";
  c->last = at;
  if (v->kind == VAULT_REFRESH) return checker_refresh(c, at);
  if (v->kind == VAULT_PRECHARGE_ALL) {
    const char *wrong = NULL;
    for (unsigned i = 0; i < VAULT_MAX_BANKS && !wrong; i++)
      if (c->buffer[i].open) wrong = checker_precharge(c, &c->buffer[i], at);
    return wrong;
  }
  const near_mc_request_t *r = &mc->held[(uintptr_t)mc->vault.entry[v->entry].user].request;
  unsigned run = NEAR_MC_BYTES << (c->config.column_bits - c->config.turn_bits); /* bytes of a bank before the next's */
  unsigned bank = r->addr / run % c->config.vault.banks, k = c->config.vault.row_buffers;
  uint32_t row = (r->addr >> (NEAR_MC_BYTE_BITS + c->config.column_bits)) / c->config.vault.banks;
  if (v->slot != bank * k + row % k) return "row buffer of the row";
  if (v->kind == VAULT_ACTIVATE) return checker_activate(c, b, row, at);
  if (v->kind == VAULT_PRECHARGE) return checker_precharge(c, b, at);
  if (r->write != (v->kind == VAULT_WRITE)) return "read for read, write for write";
  c->data_end[r->tag] = at + (r->write ? t->CWL : t->tCL) + t->BL;
  return checker_column(c, b, &c->io[c->config.vault.bank_io ? bank : 0], row, r->write, at);
}

/* The answer of cycle `at`: NULL, or the rule that it breaks. Its tag may be used again. */
static inline const char *checker_answer(checker_t *c, const near_mc_answer_t *a, int64_t at) {
  int64_t end = c->data_end[a->tag];
  c->data_end[a->tag] = 0;
  return end && at >= end ? NULL : "answer after its data";
}

#endif
