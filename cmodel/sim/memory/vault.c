/* SPDX-License-Identifier: Apache-2.0
 *
 * The scheduler keeps, for each row buffer, the oldest read and write that hit the open row. So
 * a row buffer has at most two candidates for the next command:
 *
 *    closed                   activate for its oldest request
 *    open, nothing hits       precharge
 *    open                     column command of the oldest read that hits, of the oldest write
 *
 * The best candidate of all is the next command: the earliest, then column before row commands,
 * then the oldest. Nothing but a push can change that choice before its cycle, so time jumps
 * there.
 *
 * A bank with several row buffers is as many banks (slots) here. What they share is the rank's
 * (activates) and the data path's, which may be the bank's own.
 */
#include "vault.h"

#include <assert.h>
#include <string.h>

enum { NONE = 0xffff };
enum { BANK_COMMANDS = VAULT_PRECHARGE + 1 }; /* commands below this are for one row buffer */

/* Candidates compare by one number: cycles from now in the upper bits, then column before row
 * commands (ROW_COMMAND), then age. FAR: cycles for a candidate that is not there. */
enum { KEY_CYCLES = 40, FAR = 1 << 23 };
#define ROW_COMMAND (UINT64_C(1) << (KEY_CYCLES - 1))

/* dram_timing.def, to set timings by name. */
static const struct {
  const char *name;
  size_t offset;
  uint32_t def, least, most;
} timing_list[] = {
#define DRAM_TIMING(name, def, least, most, source, text) {#name, offsetof(dram_timing_t, name), def, least, most},
#include "dram_timing.def"
};
enum { NUM_TIMINGS = sizeof timing_list / sizeof timing_list[0] };

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The field at an offset of timing_list. */
static uint32_t *timing_field(dram_timing_t *timing, size_t offset) {
  return (uint32_t *)(void *)((char *)timing + offset);
}

vault_config_t vault_default_config(void) {
  vault_config_t c = {
      .banks = 16, .row_buffers = 1, .queue = VAULT_QUEUE, .held = VAULT_RING, .bypass = VAULT_BYPASS, .refresh = true};
  for (size_t i = 0; i < NUM_TIMINGS; i++) *timing_field(&c.timing, timing_list[i].offset) = timing_list[i].def;
  return c;
}

int vault_set_timing(dram_timing_t *timing, const char *name, long value, long *least, long *most) {
  for (size_t i = 0; i < NUM_TIMINGS; i++) {
    if (strcmp(name, timing_list[i].name) != 0) continue;
    if (least) *least = (long)timing_list[i].least;
    if (most) *most = (long)timing_list[i].most;
    if (value < (long)timing_list[i].least || value > (long)timing_list[i].most) return -2;
    *timing_field(timing, timing_list[i].offset) = (uint32_t)value;
    return 0;
  }
  return -1;
}

/* Longest time from a refresh that is due to the next column command, if the bank was just
 * written. */
static uint64_t refresh_cost(const dram_timing_t *t) {
  return (uint64_t)t->tRC + t->tRCD + t->CWL + t->BL + t->tWR + t->tRP + t->tRFC + t->tRCD + t->tCCD + t->tWTR;
}

bool vault_check_config(const vault_config_t *c, trouble_t *trouble) {
  if (c->banks < 1 || c->banks > VAULT_MAX_BANKS) return trouble_set(trouble, TROUBLE_INPUT, "banks must be 1 to 64");
  unsigned k = c->row_buffers;
  if (k < 1 || k > VAULT_MAX_ROW_BUFFERS || (k & (k - 1)))
    return trouble_set(trouble, TROUBLE_INPUT, "row_buffers must be 1, 2, 4 or 8");
  if (c->banks * k > VAULT_MAX_BANKS)
    return trouble_set(trouble, TROUBLE_INPUT, "banks times row_buffers must be at most 64");
  if (c->queue < 1 || c->queue > VAULT_MAX_QUEUE)
    return trouble_set(trouble, TROUBLE_INPUT, "queue must be 1 to 128 entries");
  if (c->held < 1 || c->held > VAULT_RING) return trouble_set(trouble, TROUBLE_INPUT, "held must be 1 to 256 requests");
  if (c->refresh && c->timing.tREFI <= refresh_cost(&c->timing))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "tREFI leaves no time between refreshes: it must exceed tRFC, a row cycle and a write");
  return true;
}

bool vault_check_timing(const dram_timing_t *t, trouble_t *trouble) {
  if (t->tRC >= t->tRAS + t->tRP) return true;
  return trouble_set(trouble, TROUBLE_INPUT, "tRC %u is shorter than tRAS + tRP, %u + %u: tRC=%u would be right",
                     t->tRC, t->tRAS, t->tRP, t->tRAS + t->tRP);
}

void vault_stats_add(vault_stats_t *sum, const vault_stats_t *v) {
#define COUNTER(name, ...) sum->name += v->name;
#define WORK(name, ...) sum->name += v->name;
#include "vault_counters.def"
  sum->latency_max = later(sum->latency_max, v->latency_max);
}

/* The next `bytes` of the storage, on cache lines of their own. */
static void *carve_array(vault_t *v, size_t *used, size_t bytes) {
  char *array = (char *)v->storage + *used;
  *used += (bytes + 63) / 64 * 64;
  assert(*used <= sizeof v->storage);
  return array;
}

/* Places the arrays that vault_t points to, as long as the configuration needs them. */
static void lay_out(vault_t *v) {
  const vault_config_t *c = &v->config;
  size_t used = (size_t)(-(uintptr_t)v->storage % 64); /* to the first whole line */
  v->slots = c->banks * c->row_buffers;
  v->slot_shift = (unsigned)__builtin_ctz(c->row_buffers);
  v->io_at = carve_array(v, &used, c->banks * sizeof *v->io_at);
  v->candidate_kind = carve_array(v, &used, 2 * v->slots);
  v->candidate = carve_array(v, &used, 2 * v->slots * sizeof *v->candidate);
  v->bank = carve_array(v, &used, v->slots * sizeof *v->bank);
  v->entry = carve_array(v, &used, c->queue * sizeof *v->entry);
  v->same = carve_array(v, &used, VAULT_HASH);
  for (unsigned w = 0; w < 2; w++) v->finish[w].done = carve_array(v, &used, c->held * sizeof(vault_done_t));
}

void vault_init(vault_t *v, const vault_config_t *config) {
  assert(vault_check_config(config, &(trouble_t){0}));
  memset(v, 0, sizeof *v);
  v->config = *config;
  lay_out(v);
  v->refresh_at = config->refresh ? config->timing.tREFI : VAULT_NEVER;
  v->first = v->last = NONE;
  for (unsigned i = 0; i < config->queue; i++) v->entry[i].next = (uint16_t)(i + 1 < config->queue ? i + 1 : NONE);
  for (unsigned b = 0; b < v->slots; b++) {
    vault_bank_t *k = &v->bank[b];
    k->first = k->last = k->hit[0] = k->hit[1] = NONE;
  }
  v->command.at = VAULT_NEVER;
  if (config->refresh) v->command = (vault_command_t){.at = v->refresh_at, .kind = VAULT_REFRESH};
}

bool vault_can_push(const vault_t *v) {
  return v->free != NONE && v->used + v->finish[0].count + v->finish[1].count < v->config.held;
}

unsigned vault_queued(const vault_t *v) {
  return v->used;
}

bool vault_idle(const vault_t *v) {
  return v->used == 0 && v->finish[0].count == 0 && v->finish[1].count == 0;
}

/* ---- requests: one list by age for the vault, one for each bank ---- */

/* The hash of an address, an index of v->same. */
static unsigned same_hash(uint64_t column, uint32_t row, unsigned bank) {
  uint64_t x = column + row * UINT64_C(0x9e3779b97f4a7c15) + bank * UINT64_C(0xc2b2ae3d27d4eb4f);
  return (unsigned)((x * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

/* Of two requests to one address the older goes first, unless both read. */
static bool must_keep_order(const vault_entry_t *a, const vault_entry_t *b) {
  return a->row == b->row && a->column == b->column && (a->write || b->write);
}

/* The request is a hit of this kind, and no older one of its address waits. */
static bool can_use_open_row(const vault_entry_t *e, const vault_bank_t *k, unsigned write) {
  return e->row == k->row && e->write == write && e->older == 0;
}

/* The first entry from `from` on, by age, that can use the open row as a read or a write; NONE. */
static uint16_t next_hit(const vault_t *v, const vault_bank_t *k, uint16_t from, unsigned write) {
  while (from != NONE && !can_use_open_row(&v->entry[from], k, write)) from = v->entry[from].bank_next;
  return from;
}

/* Both hits anew: the open row has changed, or requests may go that could not. */
static void find_hits(const vault_t *v, vault_bank_t *k) {
  k->hit[0] = next_hit(v, k, k->first, 0);
  k->hit[1] = next_hit(v, k, k->first, 1);
}

/* At the end of both lists: the vault's and the row buffer's, by age. */
static void list_append(vault_t *v, vault_bank_t *k, uint16_t i) {
  vault_entry_t *e = &v->entry[i];
  e->next = e->bank_next = NONE;
  e->prev = v->last;
  e->bank_prev = k->last;
  if (v->last == NONE) v->first = i;
  else v->entry[v->last].next = i;
  if (k->last == NONE) k->first = i;
  else v->entry[k->last].bank_next = i;
  v->last = k->last = i;
}

static void list_remove(vault_t *v, vault_bank_t *k, const vault_entry_t *e) {
  if (e->prev == NONE) v->first = e->next;
  else v->entry[e->prev].next = e->next;
  if (e->next == NONE) v->last = e->prev;
  else v->entry[e->next].prev = e->prev;
  if (e->bank_prev == NONE) k->first = e->bank_next;
  else v->entry[e->bank_prev].bank_next = e->bank_next;
  if (e->bank_next == NONE) k->last = e->bank_prev;
  else v->entry[e->bank_next].bank_prev = e->bank_prev;
}

/* Requests in front of a new one that it must not overtake. */
static uint16_t count_older(const vault_t *v, const vault_bank_t *k, const vault_entry_t *e) {
  unsigned n = 0;
  for (uint16_t i = k->first; i != NONE; i = v->entry[i].bank_next) n += must_keep_order(&v->entry[i], e);
  return (uint16_t)n;
}

/* ---- choice of the next command ---- */

/* Renews one candidate. at: the earliest cycle by the row buffer's own history. */
static void offer_candidate(vault_t *v, unsigned slot, unsigned kind, uint16_t entry, uint64_t at) {
  assert(v->entry[entry].seq < ROW_COMMAND);
  v->candidate[slot] = (vault_candidate_t){at, v->entry[entry].seq | (kind >= VAULT_ACTIVATE ? ROW_COMMAND : 0)};
  v->candidate_kind[slot] = (uint8_t)kind;
}

/* Renews a row buffer's two candidates by its bank's timing. The rank's comes in when they are
 * compared. */
static void renew_candidates(vault_t *v, unsigned b) {
  const vault_bank_t *k = &v->bank[b];
  const uint64_t *io_at = v->io_at[b >> v->slot_shift];
  unsigned slot = 2 * b;
  v->candidate_kind[slot] = v->candidate_kind[slot + 1] = VAULT_NONE;
  v->candidate[slot].at = v->candidate[slot + 1].at = 0;
  if (k->first == NONE) return;
  if (!k->open) {
    offer_candidate(v, slot, VAULT_ACTIVATE, k->first, k->act_at);
  } else if (k->hit[0] == NONE && k->hit[1] == NONE) {
    offer_candidate(v, slot, VAULT_PRECHARGE, k->first, k->pre_at);
  } else {
    if (k->hit[0] != NONE) offer_candidate(v, slot, VAULT_READ, k->hit[0], later(k->col_at, io_at[0]));
    if (k->hit[1] != NONE) offer_candidate(v, slot + 1, VAULT_WRITE, k->hit[1], later(k->col_at, io_at[1]));
  }
}

/* The earliest cycle of each kind of command by the rank's rules and the clock. */
static void rank_times(const vault_t *v, uint64_t *at) {
  uint64_t soon = v->now + 1;
  at[VAULT_NONE] = soon + FAR;
  at[VAULT_READ] = later(v->col_at[0], soon);
  at[VAULT_WRITE] = later(v->col_at[1], soon);
  at[VAULT_ACTIVATE] = later(v->act_at, soon);
  at[VAULT_PRECHARGE] = soon;
}

/* Lower is better. */
static uint64_t key_of(const vault_candidate_t *c, unsigned kind, uint64_t now, const uint64_t *rank_at) {
  return (later(c->at, rank_at[kind]) - now) << KEY_CYCLES | c->order;
}

/* The request that a row buffer's candidate of this kind is for. */
static uint16_t entry_for(const vault_bank_t *k, unsigned kind) {
  if (kind == VAULT_READ) return k->hit[0];
  return kind == VAULT_WRITE ? k->hit[1] : k->first;
}

static void set_command(vault_t *v, unsigned slot, uint64_t key) {
  const vault_bank_t *k = &v->bank[slot / 2];
  unsigned kind = v->candidate_kind[slot];
  v->command = (vault_command_t){v->now + (key >> KEY_CYCLES), entry_for(k, kind), (uint16_t)(slot / 2), (uint8_t)kind};
}

/* No starvation: enough younger requests were served since the oldest became the oldest. */
static bool oldest_goes_alone(const vault_t *v) {
  return v->config.bypass && v->bypassed >= v->config.bypass;
}

/* The command that a request needs next. */
static unsigned kind_needed(const vault_bank_t *k, const vault_entry_t *e) {
  if (!k->open) return VAULT_ACTIVATE;
  if (k->row != e->row) return VAULT_PRECHARGE;
  return e->write ? VAULT_WRITE : VAULT_READ;
}

/* The oldest request is served alone: the next command is what it needs, whatever else could go. */
static void choose_oldest(vault_t *v) {
  const vault_entry_t *e = &v->entry[v->first];
  const vault_bank_t *k = &v->bank[e->slot];
  uint64_t rank_at[BANK_COMMANDS];
  rank_times(v, rank_at);
  unsigned kind = kind_needed(k, e);
  uint64_t at = later(k->col_at, v->io_at[e->slot >> v->slot_shift][e->write]);
  if (kind == VAULT_ACTIVATE) at = k->act_at;
  if (kind == VAULT_PRECHARGE) at = k->pre_at;
  v->command = (vault_command_t){later(at, rank_at[kind]), v->first, e->slot, (uint8_t)kind};
}

/* The best candidate of these row buffers (bits), if its key is below `best`. */
static void choose_best(vault_t *v, uint64_t banks, uint64_t best) {
  const vault_candidate_t *candidate = v->candidate;
  const uint8_t *kind = v->candidate_kind;
  uint64_t rank_at[BANK_COMMANDS], start = best, now = v->now;
  unsigned best_slot = 0;
  rank_times(v, rank_at);
  for (; banks; banks &= banks - 1) {
    unsigned slot = 2 * (unsigned)__builtin_ctzll(banks);
    for (unsigned end = slot + 2; slot < end; slot++) {
      uint64_t key = key_of(&candidate[slot], kind[slot], now, rank_at);
      best_slot = key < best ? slot : best_slot;
      best = key < best ? key : best;
    }
  }
  if (best < start) set_command(v, best_slot, best);
}

/* A refresh that is due stops all else: one command precharges what is open, then all banks
 * refresh. */
static void choose_refresh(vault_t *v) {
  uint64_t pre_at = 0, act_at = 0;
  bool open = false;
  for (unsigned b = 0; b < v->slots; b++) {
    const vault_bank_t *k = &v->bank[b];
    open |= k->open;
    if (k->open) pre_at = later(pre_at, k->pre_at);
    act_at = later(act_at, k->act_at);
  }
  uint64_t at = later(later(open ? pre_at : act_at, v->refresh_at), v->now + 1);
  v->command = (vault_command_t){.at = at, .kind = open ? VAULT_PRECHARGE_ALL : VAULT_REFRESH};
}

/* Once a refresh is due nothing else starts. */
static void prefer_refresh(vault_t *v) {
  if (v->refresh_at != VAULT_NEVER && v->command.at >= v->refresh_at) choose_refresh(v);
}

/* The next command from scratch. */
static void choose_command(vault_t *v) {
  if (v->first == NONE) v->command = (vault_command_t){.at = VAULT_NEVER, .kind = VAULT_NONE};
  else if (oldest_goes_alone(v)) choose_oldest(v);
  else choose_best(v, v->busy_banks, UINT64_MAX);
  prefer_refresh(v);
}

/* After a push to row buffer b. If the command chosen is another's, only b's candidates can be
 * better. */
static void choose_after_push(vault_t *v, unsigned b) {
  const vault_command_t *c = &v->command;
  if (c->kind == VAULT_NONE || c->kind >= BANK_COMMANDS || c->slot == b || oldest_goes_alone(v)) {
    choose_command(v);
    return;
  }
  uint64_t order = v->candidate[2 * c->slot + (c->kind == VAULT_WRITE)].order;
  choose_best(v, UINT64_C(1) << b, (c->at - v->now) << KEY_CYCLES | order);
  prefer_refresh(v);
}

/* ---- commands ---- */

/* Opens the row of an entry. tFAW: the window of the fourth-last activate must have ended. */
static void activate_row(vault_t *v, uint64_t t, unsigned b, uint16_t entry) {
  const dram_timing_t *d = &v->config.timing;
  vault_bank_t *k = &v->bank[b];
  v->stats.activates++;
  v->entry[entry].activated = true;
  k->open = true;
  k->row = v->entry[entry].row;
  k->col_at = t + d->tRCD;
  k->pre_at = t + d->tRAS;
  k->act_at = t + d->tRC;
  v->faw_at[v->faw_oldest] = t + d->tFAW;
  v->faw_oldest = (v->faw_oldest + 1) % 4;
  v->act_at = later(t + d->tRRD, v->faw_at[v->faw_oldest]);
  find_hits(v, k);
}

static void precharge_bank(vault_t *v, uint64_t t, unsigned b) {
  vault_bank_t *k = &v->bank[b];
  v->stats.precharges++;
  k->open = false;
  k->hit[0] = k->hit[1] = NONE;
  k->act_at = later(k->act_at, t + v->config.timing.tRP);
}

static void precharge_all_banks(vault_t *v, uint64_t t) {
  for (unsigned b = 0; b < v->slots; b++)
    if (v->bank[b].open) precharge_bank(v, t, b);
}

/* Needs all row buffers closed. */
static void refresh_banks(vault_t *v, uint64_t t) {
  v->stats.refreshes++;
  v->refresh_at += v->config.timing.tREFI;
  for (unsigned b = 0; b < v->slots; b++) v->bank[b].act_at = t + v->config.timing.tRFC;
}

/* The last burst's data end at `done`. Hit, miss and conflict count what the request needed
 * itself. */
static void finish_request(vault_t *v, const vault_entry_t *e, uint64_t done) {
  vault_finish_t *f = &v->finish[e->write];
  unsigned at = f->head + f->count++;
  assert(f->count <= v->config.held);
  f->done[at < v->config.held ? at : at - v->config.held] = (vault_done_t){e->user, e->pushed, done, e->write};
  vault_stats_t *s = &v->stats;
  *(e->write ? &s->writes : &s->reads) += 1;
  if (e->precharged) s->row_conflicts++;
  else if (e->activated) s->row_misses++;
  else s->row_hits++;
  s->latency_sum += done - e->pushed;
  s->latency_max = later(s->latency_max, done - e->pushed);
}

/* Younger requests of the same address wait for one fewer. True: there were some. */
static bool release_younger(vault_t *v, const vault_entry_t *e) {
  bool any = false;
  for (uint16_t i = e->bank_next; i != NONE; i = v->entry[i].bank_next) {
    if (!must_keep_order(&v->entry[i], e)) continue;
    v->entry[i].older--;
    any = true;
  }
  return any;
}

/* A request leaves the queue with its last column command. */
static void retire_request(vault_t *v, vault_bank_t *k, uint16_t i) {
  vault_entry_t *e = &v->entry[i];
  if (v->first == i) v->bypassed = 0;
  else if (v->config.bypass && ++v->bypassed == v->config.bypass) v->stats.alone++;
  uint8_t *same = &v->same[same_hash(e->column, e->row, e->slot)];
  bool released = --*same > 0 && release_younger(v, e);
  list_remove(v, k, e);
  if (released) find_hits(v, k);
  else if (k->hit[e->write] == i) k->hit[e->write] = next_hit(v, k, e->bank_next, e->write);
  if (k->first == NONE) v->busy_banks &= ~(UINT64_C(1) << e->slot);
  e->next = v->free;
  v->free = i;
  v->used--;
}

/* A read or write command. Its own kind may follow after tCCD and BL, the other kind after the
 * bus has turned: write to read CWL + BL + tWTR; read to write when the read's data have left
 * the bus, and two cycles more unless tRTW says how many. */
static void access_column(vault_t *v, uint64_t t, unsigned b, uint16_t i) {
  const dram_timing_t *d = &v->config.timing;
  vault_entry_t *e = &v->entry[i];
  vault_bank_t *k = &v->bank[b];
  bool w = e->write;
  uint64_t same = later(d->tCCD, d->BL), data = t + (w ? d->CWL : d->tCL), turn;
  if (w) {
    turn = later(d->CWL + d->BL + d->tWTR, d->tCCD);
    k->pre_at = later(k->pre_at, data + d->BL + d->tWR);
    v->stats.write_bursts++;
  } else {
    int64_t clear = (int64_t)d->tCL + d->BL - d->CWL; /* data of the read have left the bus */
    int64_t wait = d->tRTW ? (int64_t)d->tRTW : clear + 2;
    if (wait < clear) wait = clear;
    turn = wait > (int64_t)d->tCCD ? (uint64_t)wait : d->tCCD;
    k->pre_at = later(k->pre_at, t + d->tRTP);
    v->stats.read_bursts++;
  }
  uint64_t *col_at = v->config.bank_io ? v->io_at[b >> v->slot_shift] : v->col_at;
  col_at[w] = later(col_at[w], t + same);
  col_at[!w] = later(col_at[!w], t + turn);
  if (--e->bursts) return;
  finish_request(v, e, data + d->BL);
  retire_request(v, k, i);
}

/* Renews the candidates that a command may have moved; a column command moves those of its whole
 * data path. */
static void renew_moved_candidates(vault_t *v, const vault_command_t *c) {
  uint64_t moved = UINT64_C(1) << c->slot;
  if (c->kind >= BANK_COMMANDS) moved = v->busy_banks;
  else if (v->config.bank_io && v->slot_shift && c->kind <= VAULT_WRITE)
    moved |= v->busy_banks & ((UINT64_C(1) << v->config.row_buffers) - 1)
                                 << (c->slot >> v->slot_shift << v->slot_shift);
  for (; moved; moved &= moved - 1) renew_candidates(v, (unsigned)__builtin_ctzll(moved));
}

/* Time goes to the chosen command. */
static void issue_command(vault_t *v) {
  vault_command_t c = v->command;
  v->now = c.at;
  switch (c.kind) {
  case VAULT_READ:
  case VAULT_WRITE: access_column(v, c.at, c.slot, c.entry); break;
  case VAULT_ACTIVATE: activate_row(v, c.at, c.slot, c.entry); break;
  case VAULT_PRECHARGE:
    v->entry[c.entry].precharged = true;
    precharge_bank(v, c.at, c.slot);
    break;
  case VAULT_PRECHARGE_ALL: precharge_all_banks(v, c.at); break;
  case VAULT_REFRESH: refresh_banks(v, c.at); break;
  default: assert(!"a command was chosen");
  }
  renew_moved_candidates(v, &c);
  choose_command(v);
}

void vault_advance(vault_t *v, uint64_t now) {
  while (v->command.at <= now) issue_command(v);
  v->now = later(v->now, now);
}

/* The entry's list positions follow from its age: it is the youngest. */
void vault_push(vault_t *v, const vault_request_t *r, uint64_t now) {
  assert(vault_can_push(v) && r->bank < v->config.banks && r->bursts > 0);
  vault_advance(v, now);
  uint16_t i = v->free;
  vault_entry_t *e = &v->entry[i];
  unsigned slot = (unsigned)r->bank << v->slot_shift | (r->row & (v->config.row_buffers - 1));
  vault_bank_t *k = &v->bank[slot];
  v->free = e->next;
  v->used++;
  *e = (vault_entry_t){.seq = v->next_seq++,
                       .pushed = now,
                       .column = r->column,
                       .user = r->user,
                       .row = r->row,
                       .slot = (uint8_t)slot,
                       .bursts = r->bursts,
                       .write = r->write};
  if (v->same[same_hash(e->column, e->row, e->slot)]++ > 0) e->older = count_older(v, k, e);
  list_append(v, k, i);
  v->busy_banks |= UINT64_C(1) << slot;
  if (k->open && k->hit[e->write] == NONE && can_use_open_row(e, k, e->write)) k->hit[e->write] = i;
  renew_candidates(v, slot);
  choose_after_push(v, slot);
}

/* Reads and writes end in order each, so the earlier of the two oldest is next. */
bool vault_pop(vault_t *v, uint64_t now, vault_done_t *done) {
  vault_finish_t *f = &v->finish[0], *g = &v->finish[1];
  if (!f->count || (g->count && g->done[g->head].done < f->done[f->head].done)) f = g;
  if (!f->count || f->done[f->head].done > now) return false;
  *done = f->done[f->head];
  f->head = --f->count && f->head + 1 < v->config.held ? f->head + 1 : 0;
  return true;
}

uint64_t vault_next_event(const vault_t *v) {
  uint64_t at = v->command.at;
  for (unsigned w = 0; w < 2; w++) {
    const vault_finish_t *f = &v->finish[w];
    if (f->count && f->done[f->head].done < at) at = f->done[f->head].done;
  }
  return at;
}
