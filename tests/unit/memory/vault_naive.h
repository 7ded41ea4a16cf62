/* SPDX-License-Identifier: Apache-2.0
 *
 * The vault's rules once more, as slowly and plainly as possible: every cycle, every queued
 * request, against the list of all commands so far. For comparing with vault.c, whose scheduler
 * jumps and remembers.
 */
#ifndef VAULT_NAIVE_H
#define VAULT_NAIVE_H

#include <string.h>

#include "vault.h"

enum { NAIVE_COMMANDS = 128, NAIVE_ACT = 1, NAIVE_PRE, NAIVE_READ, NAIVE_WRITE, NAIVE_REFRESH };

typedef struct naive_command {
  uint64_t at;
  unsigned kind, slot; /* slot: row buffer, counted through all banks */
} naive_command_t;

typedef struct naive_entry {
  vault_request_t request;
  uint64_t done; /* 0: still queued */
} naive_entry_t;

typedef struct naive {
  vault_config_t config;
  naive_command_t commands[NAIVE_COMMANDS]; /* a ring, the last ones */
  uint64_t issued, refresh_at;
  bool open[VAULT_MAX_BANKS];
  uint32_t row[VAULT_MAX_BANKS];
  naive_entry_t *queue;             /* all requests ever, by age */
  unsigned count, oldest, bypassed; /* all before oldest are done */
} naive_t;

static inline int64_t naive_max(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static inline bool naive_is_column(unsigned kind) {
  return kind == NAIVE_READ || kind == NAIVE_WRITE;
}

/* A bank's rows share its row buffers by turns. Row buffers are counted through all banks. */
static inline unsigned naive_slot(const vault_config_t *c, const vault_request_t *r) {
  return r->bank * c->row_buffers + r->row % c->row_buffers;
}

/* Least distance from an earlier command to a later one; 0:
 * none. Row buffers are banks; same_io: of one data path. */
static inline int64_t naive_distance(const dram_timing_t *d, unsigned from, unsigned to, bool same_bank, bool same_io) {
  int64_t gap = (int64_t)d->tCL + d->BL - d->CWL;
  if (from == NAIVE_REFRESH) return to == NAIVE_ACT ? d->tRFC : 0;
  if (to == NAIVE_REFRESH && from == NAIVE_PRE) return d->tRP;
  if (to == NAIVE_REFRESH) return from == NAIVE_ACT ? d->tRC : 0;
  if (from == NAIVE_ACT && to == NAIVE_ACT) return same_bank ? naive_max(d->tRC, d->tRRD) : d->tRRD;
  if (naive_is_column(from) && naive_is_column(to) && !same_io) return 0;
  if (from == NAIVE_READ && to == NAIVE_READ) return naive_max(d->tCCD, d->BL);
  if (from == NAIVE_WRITE && to == NAIVE_WRITE) return naive_max(d->tCCD, d->BL);
  if (from == NAIVE_WRITE && to == NAIVE_READ) return naive_max(d->CWL + d->BL + d->tWTR, d->tCCD);
  if (from == NAIVE_READ && to == NAIVE_WRITE) return naive_max(naive_max(d->tRTW ? d->tRTW : gap + 2, gap), d->tCCD);
  if (!same_bank) return 0;
  if (from == NAIVE_ACT) return to == NAIVE_PRE ? d->tRAS : d->tRCD;
  if (from == NAIVE_PRE) return to == NAIVE_ACT ? d->tRP : 0;
  if (to != NAIVE_PRE) return 0;
  return from == NAIVE_READ ? d->tRTP : d->CWL + d->BL + d->tWR;
}

/* No earlier command forbids this one now: each of the last 128 is far
 * enough away, and tFAW passes from an activate to the fourth after it. */
static inline bool naive_legal(const naive_t *n, uint64_t now, unsigned kind, unsigned slot) {
  uint64_t first = n->issued > NAIVE_COMMANDS ? n->issued - NAIVE_COMMANDS : 0;
  unsigned activates = 0;
  for (uint64_t i = n->issued; i-- > first;) {
    const naive_command_t *c = &n->commands[i % NAIVE_COMMANDS];
    int64_t passed = (int64_t)(now - c->at);
    bool same_io = !n->config.bank_io || c->slot / n->config.row_buffers == slot / n->config.row_buffers;
    if (passed < naive_distance(&n->config.timing, c->kind, kind, c->slot == slot, same_io)) return false;
    if (kind == NAIVE_ACT && c->kind == NAIVE_ACT && ++activates == 4 && passed < n->config.timing.tFAW) return false;
  }
  return true;
}

static inline void naive_issue(naive_t *n, uint64_t now, unsigned kind, unsigned slot) {
  n->commands[n->issued++ % NAIVE_COMMANDS] = (naive_command_t){now, kind, slot};
  if (kind == NAIVE_PRE) n->open[slot] = false;
}

/* Two requests to one address, of which at least one writes: their order is kept. */
static inline bool naive_conflict(const vault_request_t *a, const vault_request_t *b) {
  return a->bank == b->bank && a->row == b->row && a->column == b->column && (a->write || b->write);
}

/* The command that a queued request needs next; 0: it must wait for an older one of its address. */
static inline unsigned naive_need(const naive_t *n, unsigned i) {
  const vault_request_t *r = &n->queue[i].request;
  for (unsigned j = n->oldest; j < i; j++)
    if (!n->queue[j].done && naive_conflict(&n->queue[j].request, r)) return 0;
  unsigned slot = naive_slot(&n->config, r);
  if (!n->open[slot]) return NAIVE_ACT;
  if (n->row[slot] != r->row) return NAIVE_PRE;
  return r->write ? NAIVE_WRITE : NAIVE_READ;
}

/* Row commands are for the oldest of a row buffer, and
 * a row is not closed while a request wants it. */
static inline bool naive_row_allowed(const naive_t *n, unsigned i, unsigned kind) {
  unsigned slot = naive_slot(&n->config, &n->queue[i].request);
  for (unsigned j = n->oldest; j < n->count; j++) {
    const naive_entry_t *e = &n->queue[j];
    if (e->done || naive_slot(&n->config, &e->request) != slot) continue;
    if (j < i) return false;
    if (kind == NAIVE_PRE && e->request.row == n->row[slot]) return false;
  }
  return true;
}

/* Issues a request's next command. A request needs as many column commands as it has bursts.
 * The last of them says when its data end, and whether it has passed the oldest request. */
static inline void naive_serve(naive_t *n, uint64_t now, unsigned i, unsigned kind) {
  naive_entry_t *e = &n->queue[i];
  const dram_timing_t *d = &n->config.timing;
  unsigned slot = naive_slot(&n->config, &e->request);
  naive_issue(n, now, kind, slot);
  if (kind == NAIVE_ACT) n->open[slot] = true, n->row[slot] = e->request.row;
  if (!naive_is_column(kind) || --e->request.bursts) return;
  e->done = now + (e->request.write ? d->CWL : d->tCL) + d->BL;
  n->bypassed = i == n->oldest ? 0 : n->bypassed + 1;
  while (n->oldest < n->count && n->queue[n->oldest].done) n->oldest++;
}

/* A refresh is due: all open rows are closed in the first cycle that
 * allows it for all of them, and the refresh follows as soon as it may. */
static inline void naive_refresh(naive_t *n, uint64_t now) {
  bool open = false, legal = true;
  for (unsigned b = 0; b < n->config.banks * n->config.row_buffers; b++) {
    if (!n->open[b]) continue;
    open = true;
    legal = legal && naive_legal(n, now, NAIVE_PRE, b);
  }
  if (open && legal)
    for (unsigned b = 0; b < n->config.banks * n->config.row_buffers; b++)
      if (n->open[b]) naive_issue(n, now, NAIVE_PRE, b);
  if (open || !naive_legal(n, now, NAIVE_REFRESH, 0)) return;
  naive_issue(n, now, NAIVE_REFRESH, 0);
  n->refresh_at += n->config.timing.tREFI;
}

/* One cycle: at most one command, column commands before
 * row commands, then the oldest request first. */
static inline void naive_cycle(naive_t *n, uint64_t now) {
  if (n->config.refresh && now >= n->refresh_at) {
    naive_refresh(n, now);
    return;
  }
  bool alone = n->config.bypass && n->bypassed >= n->config.bypass;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (unsigned i = n->oldest; i < n->count; i++) {
      if (n->queue[i].done) continue;
      unsigned kind = naive_need(n, i);
      bool allowed =
          kind && naive_is_column(kind) == (pass == 0) && (pass == 0 || alone || naive_row_allowed(n, i, kind));
      if (allowed && naive_legal(n, now, kind, naive_slot(&n->config, &n->queue[i].request))) {
        naive_serve(n, now, i, kind);
        return;
      }
      if (alone) break;
    }
  }
}

#endif
