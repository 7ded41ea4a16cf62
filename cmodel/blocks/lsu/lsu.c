/* SPDX-License-Identifier: Apache-2.0
 *
 * A load or store in the unit. Numbers in brackets are rules of the port file.
 *
 * The model keeps a machine address in two parts. Its line (core, unit, address bits 25..5) names
 * the transfer; its offset is the place in the transfer.
 */
#include "lsu.h"

#include <assert.h>
#include <string.h>

#include "bits.h"
#include "lsu_access.h"

enum { NOTHING = -1, WORK = Entries }; /* values of lsu_t.shown and number */
enum { ERR_NUMBER = 1, ERR_KIND = 2 };
enum { LINE_BITS = LSU_ADDR_BITS - 5, NBU_BITS = 2 }; /* of a line: address, unit */
#define ALL_ENTRIES (UINT32_MAX >> (32 - Entries))

void lsu_reset(lsu_t *s) {
  memset(s, 0, sizeof *s);
  s->shown = NOTHING;
  s->work.number = NOTHING;
}

static unsigned lowest(uint32_t set) {
  return (unsigned)__builtin_ctz(set);
}

/* The parts of a line; the address has its low five bits zero. */
static unsigned line_core(uint32_t line) {
  return line >> (LINE_BITS + NBU_BITS);
}
static unsigned line_nbu(uint32_t line) {
  return line >> LINE_BITS & ((1u << NBU_BITS) - 1);
}
static uint64_t line_addr(uint32_t line) {
  return (uint64_t)line << 5 & LSU_MASK(addr);
}

/* The work shows transfers, or waits for a request number. */
static bool transfers(const lsu_work_t *w) {
  return w->phase == LSU_WORK_TRANSFERS;
}

/* --- outputs */

/* A message header with these fields, all others zero. */
static uint64_t header(unsigned type, uint64_t nbu, uint64_t areg, uint64_t id) {
  return LSU_PUT(LSU_PUT(LSU_PUT(LSU_PUT(UINT64_C(0), type, type), nbu, nbu), areg, areg), id, id);
}

/* Rule 12. The flag in areg says that another row follows, so no CPL comes for this one [13]. */
static void show_regw(const lsu_entry_t *e, uint64_t nbu_id, lsu_out_t *out) {
  bool more = e->size == 3 && !e->second;
  uint64_t hdr = LSU_PUT(header(LSU_REGW, nbu_id, more ? LSU_FLAG : 0, e->tag), size, 2);
  out->dn_hdr = LSU_PUT(LSU_PUT(hdr, warp, e->warp), reg, e->reg + e->second);
  out->dn_mask = e->mask;
  memcpy(out->dn_data, e->row[e->second], sizeof e->row[0]);
}

/* Rule 3: one message for the whole access, with the address of thread 0. */
static void show_offload(const lsu_work_t *w, uint64_t nbu_id, lsu_out_t *out) {
  uint64_t hdr =
      LSU_PUT(header(w->store ? LSU_STO : LSU_LDO, nbu_id, !w->store && w->sign ? LSU_FLAG : 0, w->tag), size, w->size);
  hdr = LSU_PUT(LSU_PUT(hdr, warp, w->warp), reg, w->reg);
  out->dn_hdr = LSU_PUT(hdr, addr, line_addr(w->line[0]) | w->off[0]);
  out->dn_mask = 0;
  memset(out->dn_data, 0, sizeof out->dn_data);
}

/* Rule 8: a transfer to a unit of this core. */
static void show_local(const lsu_work_t *w, uint64_t subcore_id, lsu_out_t *out) {
  uint64_t hdr = header(w->store ? LSU_WR : LSU_RD, line_nbu(w->where), subcore_id, (uint64_t)w->number);
  out->dn_hdr = LSU_PUT(hdr, addr, line_addr(w->where));
  out->dn_mask = w->mask;
  memcpy(out->dn_data, w->data, sizeof w->data);
  memset(out->dn_data + LSU_XFER_WORDS, 0, sizeof out->dn_data - sizeof w->data);
}

/* Rule 8: a transfer to another core, over the network. */
static void show_remote(const lsu_work_t *w, lsu_out_t *out) {
  out->rq_write = w->store;
  out->rq_core = line_core(w->where);
  out->rq_nbu = line_nbu(w->where);
  out->rq_addr = line_addr(w->where);
  out->rq_id = (uint64_t)w->number;
  out->rq_mask = w->mask;
  memcpy(out->rq_data, w->data, sizeof w->data);
}

/* The transfer has a request number but is not on dn_, so it is shown on rq_. */
static bool shows_remote(const lsu_t *s) {
  return transfers(&s->work) && s->work.number >= 0 && s->shown != WORK;
}

void lsu_eval(const lsu_t *s, const lsu_in_t *in, lsu_out_t *out) {
  const lsu_work_t *w = &s->work;
  out->in_ready = w->phase == LSU_WORK_NONE && s->used != ALL_ENTRIES;
  out->need_data = w->phase == LSU_WORK_DATA;
  out->need_warp = w->warp;
  out->need_reg = (w->reg + w->second) & LSU_MASK(reg);
  out->dn_valid = s->shown != NOTHING;
  if (s->shown == WORK && transfers(w)) show_local(w, in->subcore_id, out);
  else if (s->shown == WORK) show_offload(w, in->nbu_id, out);
  else if (s->shown != NOTHING) show_regw(&s->entry[s->shown], in->nbu_id, out);
  out->rq_valid = shows_remote(s);
  if (out->rq_valid) show_remote(w, out);
  out->cm_valid = w->phase == LSU_WORK_EMPTY || s->commit;
  if (out->cm_valid) out->cm_tag = w->phase == LSU_WORK_EMPTY ? w->tag : s->entry[lowest(s->commit)].tag;
  out->err = s->err;
  out->probe_offload = s->offloaded;
  out->probe_reqs = s->in_use;
}

/* --- transfers */

/* Puts a thread's bytes into the transfer. Callers go through the threads in ascending order,
 * so the higher thread's byte stays [8]. */
static void put_bytes(lsu_work_t *w, unsigned thread) {
  unsigned off = w->off[thread], word = off / 4;
  w->mask |= (w->size == 3 ? 0xffu : (1u << (1u << w->size)) - 1) << off;
  if (w->size < 2) {
    uint32_t ones = w->size ? 0xffff : 0xff, shift = off % 4 * 8;
    w->data[word] = (w->data[word] & ~(ones << shift)) | (w->row[0][thread] & ones) << shift;
    return;
  }
  w->data[word] = w->row[0][thread];
  if (w->size == 3) w->data[word + 1] = w->row[1][thread];
}

/* The threads with this line. Four partial sets let the compiler do four compares at a time. */
static uint32_t alike(const uint32_t *line, uint32_t where) {
  uint32_t set[4] = {0};
  for (unsigned i = 0; i < LSU_LANES; i += 4)
    for (unsigned k = 0; k < 4; k++) set[k] |= (line[i + k] == where ? 1u : 0) << i;
  return set[0] | set[1] << 1 | set[2] << 2 | set[3] << 3;
}

/* The lowest thread left names the next transfer, and all threads left in it go along [6].
 * Without threads left the work ends [8]. */
static void next_transfer(lsu_work_t *w) {
  w->number = NOTHING;
  w->phase = w->left ? LSU_WORK_TRANSFERS : LSU_WORK_NONE;
  if (!w->left) return;
  w->where = w->line[lowest(w->left)];
  w->group = alike(w->line, w->where) & w->left;
  if (!w->store) return;
  w->mask = 0;
  memset(w->data, 0, sizeof w->data);
  for (uint32_t g = w->group; g; g &= g - 1) put_bytes(w, lowest(g));
}

/* The transfer is taken: its number is in use, and its entry waits for one more answer [7]. */
static void take_transfer(lsu_t *s) {
  lsu_work_t *w = &s->work;
  unsigned number = (unsigned)w->number;
  s->numbers[number / 64] |= UINT64_C(1) << number % 64;
  s->in_use++;
  s->req[number].entry = w->entry;
  s->req[number].group = w->group;
  s->entry[w->entry].pending++;
  w->left &= ~w->group;
  next_transfer(w);
}

/* The lowest free request number; NOTHING: all are in use [7]. */
static int lowest_number(const lsu_t *s) {
  for (unsigned i = 0; i * 64 < Reqs; i++)
    if (~s->numbers[i]) {
      unsigned number = i * 64 + (unsigned)__builtin_ctzll(~s->numbers[i]);
      return number < Reqs ? (int)number : NOTHING;
    }
  return NOTHING;
}

/* --- what begins and what ends */

/* Rule 3: address i is address 0 + i * bytes, and all addresses are in this unit.
 * `unit` is core and unit of the addresses. */
static bool coalesced(const uint64_t *addr, unsigned size, uint64_t unit) {
  uint64_t differ = 0;
  for (unsigned i = 0; i < LSU_LANES; i++)
    differ |= (addr[i] ^ (addr[0] + ((uint64_t)i << size))) | (addr[i] >> LSU_ADDR_BITS ^ unit);
  return !differ;
}

/* A load's rows begin as zero, which is what threads outside of its mask get [12]. */
static void fill_entry(lsu_entry_t *e, const lsu_work_t *w, uint32_t mask) {
  e->store = w->store;
  e->sign = w->sign;
  e->second = false;
  e->warp = w->warp;
  e->reg = w->reg;
  e->tag = w->tag;
  e->size = w->size;
  e->mask = mask;
  e->pending = 0;
  if (w->store) return;
  memcpy(e->off, w->off, sizeof e->off);
  memset(e->row, 0, sizeof e->row[0] << (w->size == 3));
}

/* The instruction takes its entry. A store waits for its data first [5]. */
static void begin_entry(lsu_t *s, uint32_t mask, unsigned entry) {
  lsu_work_t *w = &s->work;
  w->entry = (uint8_t)entry;
  w->left = mask;
  s->used |= 1u << entry;
  fill_entry(&s->entry[entry], w, mask);
  if (w->store) {
    w->phase = LSU_WORK_DATA;
    return;
  }
  w->mask = 0;
  memset(w->data, 0, sizeof w->data);
  next_transfer(w);
}

/* Rules 1 to 4. Only addresses of threads in the mask must be aligned. */
static void accept(lsu_t *s, const lsu_in_t *in, unsigned entry) {
  lsu_work_t *w = &s->work;
  uint64_t addr[LSU_LANES], low = (UINT64_C(1) << in->in_size) - 1;
  w->store = in->in_store;
  w->sign = in->in_sign;
  w->second = false;
  w->warp = (uint8_t)in->in_warp;
  w->reg = (uint8_t)in->in_reg;
  w->tag = (uint8_t)in->in_tag;
  w->size = (uint8_t)in->in_size;
  w->phase = LSU_WORK_EMPTY;
  if (!in->in_mask) return;
  for (unsigned i = 0; i < LSU_LANES; i++) {
    addr[i] = bits_get(in->in_addr, i * LSU_GADDR_BITS, LSU_GADDR_BITS);
    w->line[i] = (uint32_t)(addr[i] >> 5);
    w->off[i] = addr[i] & 31;
    assert(!(in->in_mask >> i & 1) || !(addr[i] & low)); /* the front end refuses others */
  }
  bool whole = !in->no_offload && in->in_mask == UINT32_MAX;
  s->offloaded = whole && coalesced(addr, w->size, in->core_id << NBU_BITS | in->nbu_id);
  if (s->offloaded) w->phase = LSU_WORK_OFFLOAD;
  else begin_entry(s, (uint32_t)in->in_mask, entry);
}

/* A row of a store's data; the transfers begin after the last one [5, 6]. */
static void take_row(lsu_work_t *w, const uint32_t *row) {
  memcpy(w->row[w->second], row, sizeof w->row[0]);
  if (w->size < 3 || w->second) next_transfer(w);
  else w->second = true;
}

/* dn_ is taken: a transfer, the offloaded message, or a REGW. The
 * last REGW frees the entry [12]. */
static void take_down(lsu_t *s) {
  if (s->shown == WORK) {
    s->shown = NOTHING;
    if (transfers(&s->work)) take_transfer(s);
    else s->work.phase = LSU_WORK_NONE;
    return;
  }
  lsu_entry_t *e = &s->entry[s->shown];
  if (e->size == 3 && !e->second) {
    e->second = true; /* the second row stays where the first was */
    return;
  }
  s->regw &= ~(1u << s->shown);
  s->used &= ~(1u << s->shown);
  s->shown = NOTHING;
}

/* The commit of this cycle: an empty instruction goes before done
 * stores, lower entries first [11]. */
static void commit(lsu_t *s) {
  if (s->work.phase == LSU_WORK_EMPTY) {
    s->work.phase = LSU_WORK_NONE;
  } else if (s->commit) {
    uint32_t bit = s->commit & (0 - s->commit);
    s->commit ^= bit;
    s->used ^= bit;
  }
}

/* --- answers */

/* The bytes of a read, for the threads of its transfer. */
static void take_data(lsu_entry_t *e, uint32_t group, const uint32_t *data) {
  for (; group; group &= group - 1) {
    unsigned i = lowest(group), word = e->off[i] / 4;
    e->row[0][i] = lsu_extend(data[word] >> e->off[i] % 4 * 8, e->size, e->sign);
    if (e->size == 3) e->row[1][i] = data[word + 1];
  }
}

/* Rule 9. An answer of the wrong kind counts, but carries no data. An entry is done when no
 * transfer is left to be taken or answered [10]. */
static void answer(lsu_t *s, uint64_t number, bool write, const uint32_t *data) {
  if (number >= Reqs || !(s->numbers[number / 64] >> number % 64 & 1)) {
    s->err |= ERR_NUMBER;
    return;
  }
  unsigned i = s->req[number].entry;
  lsu_entry_t *e = &s->entry[i];
  s->numbers[number / 64] &= ~(UINT64_C(1) << number % 64);
  s->in_use--;
  if (e->store != write) s->err |= ERR_KIND;
  else if (!e->store) take_data(e, s->req[number].group, data);
  bool under_way = (s->work.phase == LSU_WORK_TRANSFERS || s->work.phase == LSU_WORK_DATA) && s->work.entry == i;
  if (--e->pending || under_way) return;
  if (e->store) s->commit |= 1u << i;
  else s->regw |= 1u << i;
}

/* --- the cycle */

/* What the coming cycle shows. A waiting REGW goes before a transfer, and what
 * is shown stays until it is taken. A number is chosen in the first cycle in
 * which its transfer can be shown [7]. */
static void choose(lsu_t *s, uint64_t core_id) {
  lsu_work_t *w = &s->work;
  bool local = transfers(w) && line_core(w->where) == core_id;
  if (s->shown == NOTHING && s->regw) s->shown = (int)lowest(s->regw);
  if (transfers(w) && w->number < 0 && (!local || s->shown == NOTHING)) w->number = lowest_number(s);
  if (s->shown == NOTHING && (w->phase == LSU_WORK_OFFLOAD || (local && w->number >= 0))) s->shown = WORK;
}

/* The commit comes before the answers: an entry that an answer completes commits in
 * the next cycle at the earliest [10, 11]. A new instruction takes an entry that
 * was free when the cycle began [4]. */
void lsu_step(lsu_t *s, const lsu_in_t *in) {
  uint32_t free = ~s->used & ALL_ENTRIES;
  bool accepts = in->in_valid && s->work.phase == LSU_WORK_NONE && free, remote = in->rq_take && shows_remote(s);
  s->err = 0;
  s->offloaded = false;
  commit(s);
  if (in->rs_valid) answer(s, in->rs_id, in->rs_write, in->rs_data);
  if (in->rr_valid) answer(s, in->rr_id, in->rr_write, in->rr_data);
  if (in->dt_valid && s->work.phase == LSU_WORK_DATA) take_row(&s->work, in->dt_data);
  if (in->dn_take && s->shown != NOTHING) take_down(s);
  if (remote) take_transfer(s);
  if (accepts) accept(s, in, lowest(free));
  choose(s, in->core_id);
}

bool lsu_idle(const lsu_t *s) {
  return s->work.phase != LSU_WORK_EMPTY && !s->commit && !s->err && !s->offloaded;
}
