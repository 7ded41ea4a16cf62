/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction cache of a core: look-ups, misses, reads.
 */
#include "core_fetch.h"

#include <string.h>

int core_fetch_init(core_fetch_t *f, const mpu_config_t *c) {
  return c->l1i_ideal ? 0 : cache_init(&f->cache, c->l1i_bytes, c->l1i_ways);
}

void core_fetch_deinit(core_fetch_t *f) {
  cache_deinit(&f->cache);
}

void core_fetch_start(core_fetch_t *f, const mpu_config_t *c) {
  if (!c->l1i_ideal) cache_clear(&f->cache);
}

/* ---- Where instructions are ------------------------------------------------------------------ */

/* With copies, code that takes n pieces of `core_bytes` has a piece in each of n rounds of the
 * cores; this core's copy is in its own pieces. So its reads stay in its own units. */
uint64_t core_fetch_address(const mpu_config_t *c, unsigned core, uint64_t code, uint64_t at) {
  if (!c->l1i_copies) return code + at;
  return code + at / c->core_bytes * mpu_map_stripe(mpu_map(c)) + (uint64_t)core * c->core_bytes + at % c->core_bytes;
}

/* Byte of the kernel's code at which an instruction's line begins. */
static uint64_t code_line_of(uint32_t pc) {
  const uint64_t at = (uint64_t)pc * CORE_FETCH_INSTR_BYTES;
  return at - at % GPU_LINE_BYTES;
}

/* A line brings the number of each instruction and of its function. Another than wanted is a
 * fault of the model. */
static void check_fetched(core_base_t *b, uint32_t pc, const uint32_t *words) {
  const uint32_t *at = words + (uint64_t)pc * CORE_FETCH_INSTR_BYTES % GPU_LINE_BYTES / 4, kernel = b->sh->run->code_id;
  if (at[0] == pc && at[1] == kernel) return;
  trouble_fail(&b->fault, TROUBLE_BROKEN, "core %u wants instruction %u of kernel %u and was brought %u of %u", b->id,
               pc, kernel, at[0], at[1]);
}

/* ---- Look-ups -------------------------------------------------------------------------------- */

/* What came of a look-up: it waits for a free MSHR, the cache has it, memory was asked for it. */
typedef enum { NOT_NOW, HERE, ASKED } fetch_t;

/* Takes an MSHR for the line and queues its four reads. waits: the first warp that waits, as a
 * number. */
static void request_code_line(core_fetch_t *f, unsigned mshr, uint64_t line, unsigned waits) {
  f->mshr[mshr].line = line;
  f->mshr[mshr].warps = 1ull << waits;
  f->mshr[mshr].missing = CORE_FETCH_READS;
  f->used |= 1u << mshr;
  for (unsigned k = 0; k < CORE_FETCH_READS; k++)
    f->queue[(f->head + f->queued++) % CORE_FETCH_QUEUE] = (uint8_t)(mshr * CORE_FETCH_READS + k);
}

/* A warp counts once, as a hit, a merge or a miss: at the look-up that leads to something. One
 * that waits for an MSHR looks again in every cycle without counting. */
static fetch_t look_up_instruction(core_fetch_t *f, core_base_t *b, unsigned waits) {
  const uint32_t pc = f->pc[waits];
  const uint64_t line = code_line_of(pc);
  const cache_line_t *hit = cache_find(&f->cache, line);
  if (hit) {
    check_fetched(b, pc, hit->words);
    b->stats.l1i_hits++;
    return HERE;
  }
  for (uint32_t m = f->used; m; m &= m - 1) {
    core_fetch_mshr_t *mshr = &f->mshr[__builtin_ctz(m)];
    if (mshr->line != line) continue;
    mshr->warps |= 1ull << waits;
    b->stats.l1i_merges++;
    return ASKED;
  }
  if ((unsigned)__builtin_popcount(f->used) == b->sh->config->l1i_mshrs) return NOT_NOW;
  request_code_line(f, (unsigned)__builtin_ctz(~f->used), line, waits);
  b->stats.l1i_misses++;
  return ASKED;
}

bool core_fetch_look(core_fetch_t *f, core_base_t *b, unsigned subcore, unsigned warp, uint32_t pc) {
  const unsigned waits = subcore * MPU_MAX_WARPS + warp;
  f->pc[waits] = pc;
  const fetch_t how = look_up_instruction(f, b, waits);
  if (how == NOT_NOW) f->unserved |= 1ull << waits;
  return how == HERE;
}

uint64_t core_fetch_retry(core_fetch_t *f, core_base_t *b) {
  uint64_t here = 0;
  for (uint64_t m = f->unserved; m; m &= m - 1) {
    const fetch_t how = look_up_instruction(f, b, (unsigned)__builtin_ctzll(m));
    if (how == HERE) here |= m & -m;
    if (how != NOT_NOW) f->unserved &= ~(m & -m);
  }
  return here;
}

/* ---- Reads ----------------------------------------------------------------------------------- */

/* Where the 32 bytes of a read are. */
static mpu_place_t place_of_read(const core_fetch_t *f, const core_base_t *b, unsigned read) {
  const uint64_t at = f->mshr[read / CORE_FETCH_READS].line + read % CORE_FETCH_READS * NEAR_MC_BYTES;
  return mpu_map_place(b->sh->map, core_fetch_address(b->sh->config, b->id, b->sh->run->code, at));
}

bool core_fetch_offer(const core_fetch_t *f, const core_base_t *b, tsv_offer_t *offer) {
  offer->valid = false;
  if (!f->queued) return false;
  const unsigned read = f->queue[f->head];
  const mpu_place_t p = place_of_read(f, b, read);
  if (p.core != b->id) return false;
  const uint64_t hdr = LSU_PUT(LSU_PUT(LSU_PUT(0, type, LSU_RD), nbu, p.nbu), areg, CORE_FETCH);
  *offer = tsv_offer(LSU_PUT(LSU_PUT(hdr, addr, p.addr), id, CORE_FETCH_IDS + read), 0, NULL);
  return true;
}

bool core_fetch_packet(const core_fetch_t *f, const core_base_t *b, mpu_packet_t *packet) {
  if (!f->queued) return false;
  const unsigned read = f->queue[f->head];
  const mpu_place_t p = place_of_read(f, b, read);
  if (p.core == b->id) return false;
  *packet = (mpu_packet_t){
      .source = (uint8_t)b->id, .dest = p.core, .id = (uint8_t)(CORE_FETCH_IDS + read), .nbu = p.nbu, .addr = p.addr};
  return true;
}

void core_fetch_sent(core_fetch_t *f) {
  f->head = (f->head + 1) % CORE_FETCH_QUEUE;
  f->queued--;
}

uint64_t core_fetch_answer(core_fetch_t *f, core_base_t *b, unsigned id, const uint32_t *data) {
  const unsigned read = id - CORE_FETCH_IDS, number = read / CORE_FETCH_READS;
  core_fetch_mshr_t *mshr = &f->mshr[number];
  if (!(f->used >> number & 1)) {
    trouble_fail(&b->fault, TROUBLE_BROKEN, "core %u was brought instructions that it has not asked for", b->id);
    return 0;
  }
  memcpy(&mshr->words[read % CORE_FETCH_READS * NEAR_MC_BYTES / 4], data, NEAR_MC_BYTES);
  if (--mshr->missing) return 0;
  cache_fill(&f->cache, mshr->line, mshr->words);
  f->used &= ~(1u << number);
  for (uint64_t m = mshr->warps; m; m &= m - 1) check_fetched(b, f->pc[__builtin_ctzll(m)], mshr->words);
  return mshr->warps;
}
