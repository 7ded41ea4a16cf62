/* SPDX-License-Identifier: Apache-2.0
 *
 * A candidate block: which instructions run where, what is sent and returned, its score (NSU
 * paper, section 3.1).
 *
 * plan_range goes in steps; most may refuse the range:
 *
 *    find_loaded   forwards: the values that come from loads; an address must not be one
 *    find_sides    backwards: each instruction pulls the definitions of its operands to its side
 *    set_roles     roles, counts, bytes saved
 *    find_pairs    loads that may read what a store of the block wrote
 *    find_sent, find_returned, set_score
 *
 * Addresses and guards of memory instructions are pulled to the GPU. Stored values and everything
 * computed from loaded ones go to the NSU. What neither side needs (loop counters, the next
 * iteration's pointers) stays on the GPU. What both need, both do.
 */
#include <string.h>

#include "offload_internal.h"

static const use_t *uses_of(const kernel_t *k, uint32_t i) {
  return k->uses + k->facts[i].first_use;
}

static bool is_memory(const kernel_t *k, uint32_t i) {
  return k->facts[i].class == CLASS_LOAD || k->facts[i].class == CLASS_STORE;
}

/* Bytes of a thread's data that an offloaded access keeps off the links. */
static int32_t saved_bytes(const ptx_instr_t *in) {
  return (int32_t)ptx_access_bytes(in);
}

/* ---- Sides ----------------------------------------------------------------------------------- */

/* Also numbers the words of the accesses (seq). An address or guard made from loaded values is
 * hopeless: every longer range contains it, too. */
static plan_result_t find_loaded(const kernel_t *k, plan_t *p) {
  uint32_t words = 0;
  for (uint32_t i = p->first; i <= p->last; i++) {
    uint32_t at = i - p->first;
    p->on_nsu[at] = p->on_gpu[at] = false;
    p->loaded[at] = k->facts[i].class == CLASS_LOAD;
    for (uint32_t u = 0; u < k->facts[i].num_uses; u++) {
      const use_t *use = &uses_of(k, i)[u];
      if (use->def < (int32_t)p->first || !p->loaded[(uint32_t)use->def - p->first]) continue;
      p->loaded[at] = true;
      if (is_memory(k, i) && (use->kind == USE_ADDRESS || use->kind == USE_GUARD)) return PLAN_HOPELESS;
    }
    if (!is_memory(k, i)) continue;
    p->seq[at] = (uint8_t)words;
    words += offload_access(&k->func->instrs[i]).words;
    if (words > MAX_WORDS) return PLAN_HOPELESS;
  }
  return PLAN_OK;
}

/* Definitions come before their readers, so backwards each instruction's needs are complete when it
 * is reached. */
static plan_result_t find_sides(const kernel_t *k, plan_t *p) {
  for (uint32_t i = p->last + 1; i-- > p->first;) {
    uint32_t at = i - p->first;
    bool memory = is_memory(k, i);
    if (!memory && p->loaded[at]) p->on_nsu[at] = true;
    if (!memory && !p->on_nsu[at]) p->on_gpu[at] = true;
    if (!memory && p->on_nsu[at] && !k->facts[i].translates) return PLAN_HOPELESS;
    if (!memory && p->on_gpu[at] && p->loaded[at]) return PLAN_HOPELESS;
    for (uint32_t u = 0; u < k->facts[i].num_uses; u++) {
      const use_t *use = &uses_of(k, i)[u];
      if (use->def < (int32_t)p->first) continue;
      uint32_t def = (uint32_t)use->def - p->first;
      bool address = use->kind == USE_ADDRESS || use->kind == USE_GUARD;
      if (memory ? !address : p->on_nsu[at]) p->on_nsu[def] = true;
      if (memory ? address : p->on_gpu[at]) p->on_gpu[def] = true;
    }
  }
  return PLAN_OK;
}

/* Sets role, num_loads, num_stores, reduction (bytes) and count from the sides. */
static void set_roles(const kernel_t *k, plan_t *p) {
  p->num_loads = p->num_stores = p->count = 0;
  p->reduction = 0;
  for (uint32_t i = p->first; i <= p->last; i++) {
    uint32_t at = i - p->first;
    const ptx_instr_t *in = &k->func->instrs[i];
    bool load = k->facts[i].class == CLASS_LOAD;
    if (is_memory(k, i)) {
      p->role[at] = load ? OFFLOAD_LOAD : OFFLOAD_STORE;
      *(load ? &p->num_loads : &p->num_stores) += offload_access(in).words;
      p->reduction += saved_bytes(in);
      p->count++;
    } else {
      p->role[at] = p->on_nsu[at] ? (p->on_gpu[at] ? OFFLOAD_BOTH : OFFLOAD_NSU) : OFFLOAD_GPU;
      p->count += p->on_nsu[at] && in->op != PTX_OP_ld; /* constants are operands, not instructions of the block */
    }
  }
}

/* ---- Loads behind stores --------------------------------------------------------------------- */

/* Adds a pair for each store of the block before the load that the load may read. A load that
 * always reads what the block stores cannot be offloaded. */
static plan_result_t add_pairs(const kernel_t *k, plan_t *p, uint32_t load) {
  for (uint32_t s = p->first; s < load; s++) {
    alias_t alias = k->facts[s].class == CLASS_STORE ? alias_of(k, s, load) : ALIAS_NEVER;
    if (alias == ALIAS_ALWAYS) return PLAN_HOPELESS;
    if (alias == ALIAS_ASK_GPU)
      p->pairs[p->num_pairs++] = (offload_pair_t){(uint16_t)(s - p->first), (uint16_t)(load - p->first),
                                                  k->facts[s].address.param, k->facts[load].address.param};
  }
  return PLAN_OK;
}

/* The GPU computes the addresses of pairs before the block begins. What it executes for them must
 * give the same result then (facts.repeats). */
static plan_result_t find_pairs(const kernel_t *k, plan_t *p) {
  bool repeats = true;
  p->num_pairs = 0;
  for (uint32_t i = p->first; i <= p->last; i++) {
    if (!is_memory(k, i)) repeats &= p->role[i - p->first] == OFFLOAD_NSU || k->facts[i].repeats;
    if (k->facts[i].class == CLASS_LOAD && add_pairs(k, p, i) != PLAN_OK) return PLAN_HOPELESS;
    if (p->num_pairs && k->facts[i].class == CLASS_LOAD && !repeats) return PLAN_HOPELESS;
  }
  return PLAN_OK;
}

/* ---- Registers sent and returned ------------------------------------------------------------- */

/* Adds the register's words to a list of beats, once. False: the NSU cannot hold it, or the beats
 * run out. */
static bool add_transfer(const kernel_t *k, offload_reg_t *list, uint32_t *count, int32_t reg) {
  unsigned words = reg_words(k->func, reg);
  for (uint32_t i = 0; i < *count; i++)
    if (list[i].reg == reg) return true;
  if (!words || *count + words > PKT_MAX_CMD_REGS) return false;
  for (unsigned h = 0; h < words; h++) list[(*count)++] = (offload_reg_t){reg, (uint8_t)h, 0};
  return true;
}

/* Adds a register that LDC fetches, once. False: more than the NSU has registers. */
static bool add_uniform(plan_t *p, int32_t reg) {
  for (uint32_t i = 0; i < p->num_uniform; i++)
    if (p->uniform[i] == reg) return true;
  if (p->num_uniform == ISA_NUM_REGS) return false;
  p->uniform[p->num_uniform++] = reg;
  return true;
}

/* Does the NSU read this use of instruction `first + at`? Of a load it reads the old value, which
 * stays where the guard is false; of a store the data. */
static bool nsu_reads(const plan_t *p, uint32_t at, const use_t *use) {
  switch (p->role[at]) {
  case OFFLOAD_NSU:
  case OFFLOAD_BOTH: return true;
  case OFFLOAD_LOAD: return use->kind == USE_OLD || use->kind == USE_DATA;
  case OFFLOAD_STORE: return use->kind == USE_DATA;
  default: return false;
  }
}

/* What the NSU reads from before the block: constants by LDC, the rest in the command. */
static plan_result_t find_sent(const kernel_t *k, plan_t *p) {
  p->num_sent = p->num_uniform = 0;
  for (uint32_t i = p->first; i <= p->last; i++) {
    for (uint32_t u = 0; u < k->facts[i].num_uses; u++) {
      const use_t *use = &uses_of(k, i)[u];
      if (use->def >= (int32_t)p->first || !nsu_reads(p, i - p->first, use)) continue;
      if (use->kind == USE_OLD && !live_before(k, k->func->instrs[p->first].block, p->first, use->reg)) continue;
      bool uniform = k->uniform[use->reg] != PTX_NONE;
      if (!(uniform ? add_uniform(p, use->reg) : add_transfer(k, p->sent, &p->num_sent, use->reg)))
        return PLAN_HOPELESS;
    }
  }
  return PLAN_OK;
}

static uint64_t bit_of(int32_t reg) {
  return UINT64_C(1) << (reg % 64);
}

/* Returns a register that the NSU alone wrote, if it is alive behind the block. Calls go from the
 * last instruction to the first: only the last definition counts, and k->seen holds the registers
 * met. */
static plan_result_t add_returned(const kernel_t *k, plan_t *p, uint32_t i, int32_t reg) {
  unsigned role = p->role[i - p->first];
  if (k->seen[reg / 64] & bit_of(reg)) return PLAN_OK;
  k->seen[reg / 64] |= bit_of(reg);
  bool away = role == OFFLOAD_NSU || role == OFFLOAD_LOAD;
  if (!away || !live_before(k, k->func->instrs[p->last].block, p->last + 1, reg)) return PLAN_OK;
  return add_transfer(k, p->returned, &p->num_returned, reg) ? PLAN_OK : PLAN_UNFIT;
}

/* Too many registers are PLAN_UNFIT, not hopeless: a longer range may contain the last reader. */
static plan_result_t find_returned(const kernel_t *k, plan_t *p) {
  const ptx_func_t *f = k->func;
  int32_t regs[PTX_MAX_INSTR_REGS];
  plan_result_t result = PLAN_OK;
  p->num_returned = 0;
  for (uint32_t i = p->last + 1; i-- > p->first && result == PLAN_OK;) {
    unsigned n = ptx_defs(f, &f->instrs[i], regs, PTX_MAX_INSTR_REGS);
    for (unsigned d = 0; d < n && d < PTX_MAX_INSTR_REGS && result == PLAN_OK; d++)
      result = add_returned(k, p, i, regs[d]);
  }
  for (uint32_t i = p->first; i <= p->last; i++) { /* the set is larger than a block: cleared bit by bit */
    unsigned n = ptx_defs(f, &f->instrs[i], regs, PTX_MAX_INSTR_REGS);
    for (unsigned d = 0; d < n && d < PTX_MAX_INSTR_REGS; d++) k->seen[regs[d] / 64] &= ~bit_of(regs[d]);
  }
  return result;
}

/* Four bytes a word. A register that is sent and returned, as a running sum is, counts once: so
 * Table 1 comes out as printed. */
static void set_score(plan_t *p) {
  uint32_t words = p->num_sent + p->num_returned;
  for (uint32_t i = 0; i < p->num_returned; i++)
    for (uint32_t j = 0; j < p->num_sent; j++)
      words -= p->returned[i].reg == p->sent[j].reg && p->returned[i].half == p->sent[j].half;
  p->overhead = (int32_t)words * PKT_WORD_BITS / 8;
  p->score = p->reduction - p->overhead;
}

plan_result_t plan_range(const kernel_t *k, uint32_t first, uint32_t last, plan_t *p) {
  plan_result_t result;
  p->first = first;
  p->last = last;
  if (last - first >= MAX_RANGE) return PLAN_HOPELESS;
  if ((result = find_loaded(k, p)) != PLAN_OK) return result;
  if ((result = find_sides(k, p)) != PLAN_OK) return result;
  set_roles(k, p);
  if ((result = find_pairs(k, p)) != PLAN_OK) return result;
  if (!p->num_loads || p->role[0] == OFFLOAD_GPU || p->role[last - first] == OFFLOAD_GPU) return PLAN_UNFIT;
  if ((result = find_sent(k, p)) != PLAN_OK) return result;
  if ((result = find_returned(k, p)) != PLAN_OK) return result;
  set_score(p);
  return PLAN_OK;
}
