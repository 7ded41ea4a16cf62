/* SPDX-License-Identifier: Apache-2.0
 *
 * Transparent offloading on the die: candidates of a module, the launch, and the gate's answers.
 */
#include "offload_tom.h"

#include <stdlib.h>

#include "describe.h"

/* ---- Candidates of a module ------------------------------------------------------------------ */

/* A candidate that a packet cannot carry stays on the GPU (ours). */
static bool fits_packets(const tom_block_t *b) {
  tom_entry_t e;
  return b->sent_size.words <= TOM_MOST_WORDS && b->returned_size.words <= TOM_MOST_WORDS && tom_entry_make(&e, b);
}

/* Table entries of a kernel's candidates. NULL: out of memory. */
static tom_entry_t *entries_of(const tom_program_t *p) {
  tom_entry_t *e = calloc(p->num_blocks, sizeof *e);
  for (uint32_t i = 0; e && i < p->num_blocks; i++)
    if (fits_packets(&p->blocks[i])) tom_entry_make(&e[i], &p->blocks[i]);
  return e;
}

/* Marks at begins and exits. The lowest candidate wins, so outer ones come first. */
static int32_t *marks_of(const tom_program_t *p) {
  int32_t *marks = malloc((p->func->num_instrs + 1) * sizeof *marks);
  if (!marks) return NULL;
  for (uint32_t i = 0; i <= p->func->num_instrs; i++) marks[i] = -1;
  for (uint32_t i = p->num_blocks; i-- > 0;)
    if (fits_packets(&p->blocks[i])) marks[p->blocks[i].begin] = marks[p->blocks[i].exit] = (int32_t)i;
  return marks;
}

void *tom_compile_module(const ptx_module_t *module, const gpu_config_t *config) {
  tom_module_t *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->module = module;
  m->program = calloc(module->num_funcs + 1, sizeof *m->program);
  m->entries = calloc(module->num_funcs + 1, sizeof *m->entries);
  m->marks = calloc(module->num_funcs + 1, sizeof *m->marks);
  bool good = m->program && m->entries && m->marks;
  for (uint32_t f = 0; good && f < module->num_funcs; f++) {
    const ptx_func_t *func = &module->funcs[f];
    if (!func->is_kernel || !func->defined) continue;
    m->program[f] = tom_compile(module, func, config->tom.regions);
    good = m->program[f] != NULL;
    if (good && m->program[f]->num_blocks)
      good = (m->marks[f] = marks_of(m->program[f])) && (m->entries[f] = entries_of(m->program[f]));
  }
  if (good) return m;
  tom_discard_module(m);
  return NULL;
}

void tom_discard_module(void *blocks) {
  tom_module_t *m = blocks;
  for (uint32_t f = 0; f < m->module->num_funcs; f++) {
    if (m->program) tom_program_free(m->program[f]);
    if (m->entries) free(m->entries[f]);
    if (m->marks) free(m->marks[f]);
  }
  free(m->program);
  free(m->entries);
  free(m->marks);
  free(m);
}

/* ---- The die --------------------------------------------------------------------------------- */

void *tom_die_new(const gpu_shared_t *sh) {
  tom_die_t *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->sh = sh;
  if (!tom_admission_init(&d->admission, sh->config, sh->engine[GPU_HARDWARE_tom_gate]) &&
      !tom_links_init(&d->links, sh))
    return d;
  tom_die_free(d);
  return NULL;
}

void tom_die_free(void *die) {
  tom_die_t *d = die;
  tom_admission_deinit(&d->admission);
  tom_links_deinit(&d->links);
  free(d);
}

int tom_die_load(void *die, const ptx_module_t *module, const void *blocks, trouble_t *err) {
  tom_die_t *d = die;
  (void)module, (void)err;
  d->blocks = blocks;
  d->program = NULL;
  return 0;
}

void tom_die_forget(void *die, const void *blocks) {
  tom_die_t *d = die;
  if (d->blocks != blocks) return;
  d->blocks = NULL;
  d->program = NULL;
}

/* Live-ins whose place in the register file gets another register before the first access. The
 * instructions up to that access read them for the last time. */
static uint64_t find_early_live_ins(const simt_kernel_t *k, const tom_block_t *b) {
  uint64_t which = 0;
  for (uint32_t i = 0; i < b->num_sent; i++) {
    const uint16_t slot = b->sent[i].reg == PTX_NONE ? SIMT_NO_SLOT : k->regs[b->sent[i].reg].slot;
    for (uint32_t pc = b->begin; pc < b->first_access && slot != SIMT_NO_SLOT; pc++)
      for (unsigned d = 0; d < k->ops[pc].num_dsts; d++) which |= (uint64_t)(k->ops[pc].dep[d] == slot) << i;
  }
  return which;
}

/* Candidates of a kernel that may go. */
static unsigned count_candidates(const tom_program_t *p) {
  unsigned n = 0;
  for (uint32_t i = 0; p && i < p->num_blocks; i++) n += fits_packets(&p->blocks[i]);
  return n;
}

unsigned tom_die_candidates(const void *die, bool *any) {
  const tom_die_t *d = die;
  const tom_module_t *m = d->blocks;
  *any = false;
  for (uint32_t f = 0; m && f < m->module->num_funcs; f++) *any |= count_candidates(m->program[f]) > 0;
  return count_candidates(d->program);
}

/* Loads the kernel's candidates into all controllers. */
int tom_die_launch(void *die, const int32_t **first, trouble_t *err) {
  tom_die_t *d = die;
  const ptx_func_t *func = d->sh->run->simt.kernel->func;
  (void)err;
  *first = d->blocks ? d->blocks->marks[func - d->blocks->module->funcs] : NULL;
  d->program = *first ? d->blocks->program[func - d->blocks->module->funcs] : NULL;
  d->entries = *first ? d->blocks->entries[func - d->blocks->module->funcs] : NULL;
  for (uint32_t i = 0; d->program && i < d->program->num_blocks; i++)
    if (fits_packets(&d->program->blocks[i]))
      d->early[i] = find_early_live_ins(d->sh->run->simt.kernel, &d->program->blocks[i]);
  for (unsigned s = 0; d->program && s < d->sh->config->num_sms; s++) tom_controller_load(d->sm[s]);
  return 0;
}

/* ---- Blocks under way (section 3.3) ---------------------------------------------------------- */

/* Passes the gate's answers to the controllers. */
static void pass_answers(const tom_die_t *d, const tom_answers_t *a) {
  for (uint64_t sms = a->granted | a->refused; sms; sms &= sms - 1) {
    tom_controller_t *c = &d->sm[__builtin_ctzll(sms)]->controller;
    c->granted = a->granted & sms & -sms, c->refused = a->refused & sms & -sms;
  }
}

/* Before the SMs: link states, then grants. */
void tom_die_tick(void *die) {
  tom_die_t *d = die;
  tom_learn_t *l = d->sh->learn;
  tom_links_tick_core(&d->links);
  const tom_answers_t a =
      tom_admission_tick(&d->admission, l ? tom_learn_seen(l) : 0, l ? tom_learn_target(l) : 0, d->sh->fault);
  pass_answers(d, &a);
  if (l && a.enough) tom_learn_enough(l);
}

void tom_die_tick_xbar(void *die) {
  tom_links_tick_xbar(&((tom_die_t *)die)->links);
}

bool tom_die_arrive(void *die, unsigned link, const packet_t *p) {
  if (p->hdr.type != PACKET_OWN) return false;
  if (tom_packet_of(p).kind == TOM_DONE) tom_admission_ended(&((tom_die_t *)die)->admission, link);
  return true;
}

gpu_log_t tom_die_log(const void *die) {
  tom_die_t *d = (tom_die_t *)die;
  if (!d->sh->learn) return (gpu_log_t){0};
  const tom_learn_result_t r = tom_learn_result(d->sh->learn);
  for (unsigned m = 0; m < TOM_WATCH_MAPS; m++)
    d->map[m] = (gpu_map_row_t){.bit = m ? TOM_WATCH_BIT + m - 1 : 0,
                                .same = r.sum.map[m].same,
                                .stacks = r.sum.map[m].stacks,
                                .learnt_same = r.learnt.map[m].same};
  return (gpu_log_t){.maps = TOM_WATCH_MAPS, .map = d->map};
}

size_t tom_die_describe(const void *die, unsigned link, char *text, size_t size) {
  const tom_admission_t *a = &((const tom_die_t *)die)->admission;
  const unsigned pending = tom_admission_pending(a, link);
  size_t used = 0;
  if (size) *text = 0;
  if (pending) describe_add(text, size, &used, "stack %u: %u blocks under way\n", link, pending);
  for (unsigned sm = 0, stack; sm < ((const tom_die_t *)die)->sh->config->num_sms; sm++)
    if (tom_admission_asks(a, sm, &stack) && stack == link)
      describe_add(text, size, &used, "stack %u: SM %u asks for it\n", link, sm);
  return used;
}
