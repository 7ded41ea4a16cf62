/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction cache of an SM, with its MSHRs.
 */
#include "l1i.h"

#include <assert.h>
#include <string.h>

int l1i_init(l1i_t *l, const gpu_shared_t *sh, unsigned id, const uint64_t *now) {
  *l = (l1i_t){.sh = sh, .id = id, .now = now};
  return sh->config->l1i.ideal ? 0 : cache_init(&l->cache, sh->config->l1i.bytes, sh->config->l1i.ways);
}

void l1i_deinit(l1i_t *l) {
  cache_deinit(&l->cache);
}

void l1i_start(l1i_t *l) {
  if (!l->sh->config->l1i.ideal) cache_clear(&l->cache);
}

/* ---- where instructions are ------------------------------------------------------------------ */

/* Physical address of an instruction. */
static uint64_t instruction_address(const l1i_t *l, uint32_t pc) {
  const uint64_t vaddr = l->sh->run->code + (uint64_t)pc * L1I_INSTR_BYTES;
  const page_entry_t *page = page_table_find(l->sh->pages, vaddr);
  assert(page);
  return page_table_physical(l->sh->pages, page->frame | (vaddr & (PAGE_BYTES - 1)));
}

static uint64_t line_address(uint64_t address) {
  return address - address % GPU_LINE_BYTES;
}

/* The bytes are the instruction's number and its function's, so a wrong line is a model error. */
static void check_instruction(const l1i_t *l, uint32_t pc, const uint32_t *words) {
  const uint32_t *at = words + instruction_address(l, pc) % GPU_LINE_BYTES / 4;
  if (at[0] == pc && at[1] == l->sh->run->code_id) return;
  trouble_fail(l->sh->fault, TROUBLE_BROKEN, "SM %u wants instruction %u of kernel %u and was brought %u of %u", l->id,
               pc, l->sh->run->code_id, at[0], at[1]);
}

/* ---- look-ups -------------------------------------------------------------------------------- */

typedef enum { NOT_NOW, HERE, ASKED } fetch_t;

/* Sends a READ for a line. false: out of memory. */
static bool request_line(l1i_t *l, unsigned mshr, unsigned warp, uint64_t line) {
  packet_t *p = gpu_packet_new(l->sh, PKT_READ, l->id, *l->now);
  if (!p) return false;
  p->hdr.addr = line;
  p->hdr.dst = stack_of(line);
  p->hdr.warp = warp;
  p->tag = L1I_TAG + mshr;
  l->line[mshr] = line;
  l->warps[mshr] = 1ull << warp;
  l->used |= 1ull << mshr;
  gpu_request(l->sh, l->id, p);
  return true;
}

/* One look-up. Only the first one of an instruction counts: a warp that waits for an MSHR looks
 * again each cycle. */
static fetch_t look_up_instruction(l1i_t *l, unsigned warp) {
  gpu_stats_t *stats = l->sh->stats;
  const uint32_t pc = l->pc[warp];
  const uint64_t line = line_address(instruction_address(l, pc));
  const cache_line_t *hit = cache_find(&l->cache, line);
  if (hit) {
    check_instruction(l, pc, hit->words);
    stats->l1i_hits++;
    return HERE;
  }
  for (uint64_t m = l->used; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(m);
    if (l->line[i] != line) continue;
    l->warps[i] |= 1ull << warp;
    stats->l1i_merges++;
    return ASKED;
  }
  const unsigned free = (unsigned)__builtin_popcountll(l->used) < l->sh->config->l1i.mshrs
                            ? (unsigned)__builtin_ctzll(~l->used)
                            : L1I_MAX_MSHRS;
  if (free == L1I_MAX_MSHRS || !xbar_can_send(l->sh->xbar, l->id, XBAR_REQUEST) || !request_line(l, free, warp, line))
    return NOT_NOW;
  stats->l1i_misses++;
  return ASKED;
}

bool l1i_fetch(l1i_t *l, unsigned warp, uint32_t pc) {
  if (l->sh->config->l1i.ideal) return true;
  l->pc[warp] = pc;
  const fetch_t how = look_up_instruction(l, warp);
  if (how == NOT_NOW) l->unserved |= 1ull << warp;
  return how == HERE;
}

/* Warps in the order of slots. */
uint64_t l1i_retry(l1i_t *l) {
  uint64_t here = 0;
  for (uint64_t m = l->unserved; m; m &= m - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(m);
    const fetch_t how = look_up_instruction(l, warp);
    if (how == HERE) here |= 1ull << warp;
    if (how != NOT_NOW) l->unserved &= ~(1ull << warp);
  }
  return here;
}

uint64_t l1i_receive(l1i_t *l, const packet_t *p) {
  const unsigned i = p->tag - L1I_TAG;
  assert(i < L1I_MAX_MSHRS && l->used >> i & 1 && l->line[i] == p->hdr.addr);
  cache_fill(&l->cache, p->hdr.addr, p->data[0]);
  l->used &= ~(1ull << i);
  for (uint64_t m = l->warps[i]; m; m &= m - 1) check_instruction(l, l->pc[__builtin_ctzll(m)], p->data[0]);
  return l->warps[i];
}
