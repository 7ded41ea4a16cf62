/* SPDX-License-Identifier: Apache-2.0
 *
 * Partitioned execution on the die: blocks of the loaded module, NSU code and constants in memory,
 * packets of the stacks' NSUs.
 */
#include "offload_nsu.h"

#include <stdlib.h>
#include <string.h>

void *nsu_die_new(const gpu_shared_t *sh) {
  nsu_die_t *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->sh = sh;
  const struct block_engine *const *credits = sh->engine[GPU_HARDWARE_ofld_credits];
  const int failed = ndp_manager_init(&d->manager, sh->config) ||
                     (credits && ndp_manager_hardware(&d->manager, credits)) ||
                     (sh->learn && !gpu_config_to_sms(sh->config) &&
                      tom_admission_init(&d->gate, sh->config, sh->engine[GPU_HARDWARE_tom_gate]));
  if (!offload_decision_init(&d->decision, sh) && !failed) return d;
  nsu_die_free(d);
  return NULL;
}

/* Forgets the blocks of the current module. */
static void forget_module(nsu_die_t *d) {
  for (uint32_t f = 0; d->first && f < d->module->num_funcs; f++) free(d->first[f]);
  free(d->first);
  free(d->look_slots);
  free(d->aside);
  d->look_slots = NULL, d->aside = NULL;
  d->first = NULL, d->module = NULL, d->offload = NULL, d->kernel = NULL;
}

void nsu_die_free(void *die) {
  nsu_die_t *d = die;
  forget_module(d);
  free(d->code);
  ndp_manager_deinit(&d->manager);
  offload_decision_deinit(&d->decision);
  tom_admission_deinit(&d->gate);
  free(d);
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* A block that an NSU can never hold would wait for ever. -1 with err. */
static int check_block(const nsu_die_t *d, const ptx_func_t *f, const offload_block_t *b, trouble_t *err) {
  const gpu_config_t *c = d->sh->config;
  const int line = f->instrs[b->first].line;
  if (!ndp_manager_fits(&d->manager, b->num_loads, b->num_stores))
    return trouble_fail(
        err, TROUBLE_INPUT,
        "%s:%d: kernel %s: an offload block of %u loads and %u stores is larger than the NSU's buffers (%u, %u)",
        f->file, line, f->name, b->num_loads, b->num_stores, c->nsu_rd_entries, c->nsu_wr_entries);
  if (b->num_loads + b->num_stores > 1u << PKT_SEQ_BITS || b->num_sent > PKT_MAX_CMD_REGS ||
      b->num_returned > PKT_MAX_CMD_REGS)
    return trouble_fail(err, TROUBLE_INPUT,
                        "%s:%d: kernel %s: an offload block has more than %u memory words or %u registers", f->file,
                        line, f->name, 1u << PKT_SEQ_BITS, PKT_MAX_CMD_REGS);
  return 0;
}

/* Blocks of a kernel, by first instruction. -1 with err. */
static int load_blocks(nsu_die_t *d, const offload_kernel_t *k, trouble_t *err) {
  if (!k->num_blocks) return 0;
  int32_t *first = malloc((k->func->num_instrs + 1) * sizeof *first);
  if (!first) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  for (uint32_t i = 0; i <= k->func->num_instrs; i++) first[i] = -1;
  d->first[k->func - d->module->funcs] = first;
  for (uint32_t b = 0; b < k->num_blocks; b++) {
    if (check_block(d, k->func, &k->blocks[b], err)) return -1;
    first[k->blocks[b].first] = (int32_t)b;
  }
  return 0;
}

/* Number in the module of a kernel's first block. */
static unsigned first_block_number(const offload_t *o, const offload_kernel_t *k) {
  unsigned n = 0;
  for (const offload_kernel_t *i = o->kernels; i < k; i++) n += i->num_blocks;
  return n;
}

/* Counters of all blocks of the module. */
static int list_blocks(nsu_die_t *d, trouble_t *err) {
  const offload_kernel_t *first = d->offload->kernels, *end = first + d->offload->num_kernels;
  if (offload_decision_load(&d->decision, first_block_number(d->offload, end)))
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  gpu_block_t *block = d->decision.blocks;
  for (const offload_kernel_t *k = first; k < end; k++)
    for (uint32_t b = 0; b < k->num_blocks; b++) block++->line = (uint64_t)k->func->instrs[k->blocks[b].first].line;
  return 0;
}

/* Code that is already in memory; NULL: none. */
static const nsu_code_t *find_code(const nsu_die_t *d, const offload_t *of) {
  for (unsigned i = 0; i < d->codes; i++)
    if (d->code[i].of == of) return &d->code[i];
  return NULL;
}

/* Code stays in memory when a module is reloaded. */
static int load_code(nsu_die_t *d, trouble_t *err) {
  size_t bytes = (size_t)d->offload->code_words * 8;
  if (!bytes) return 0;
  const nsu_code_t *known = find_code(d, d->offload);
  if (known) {
    d->code_base = known->base;
    return 0;
  }
  nsu_code_t *more = realloc(d->code, (d->codes + 1) * sizeof *more);
  if (!more) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  d->code = more;
  d->code_base = page_table_alloc_contiguous(d->sh->pages, bytes);
  if (!d->code_base) return trouble_fail(err, TROUBLE_INPUT, "no stack has room for %zu bytes of NSU code", bytes);
  d->code[d->codes++] = (nsu_code_t){d->offload, d->code_base};
  gpu_write_pages(d->sh, d->code_base, (const uint8_t *)d->offload->code, bytes);
  return 0;
}

/* NSU code must lie in one stack, so the map must support that. */
int nsu_die_load(void *die, const ptx_module_t *module, const void *blocks, trouble_t *err) {
  nsu_die_t *d = die;
  forget_module(d);
  if (!blocks) return 0;
  if (d->sh->pages->map->line && !d->sh->pages->map->whole)
    return trouble_fail(
        err, TROUBLE_INPUT,
        "offloading to NSUs: an address map that takes pages apart (%s) has no place for NSU code; pages would be "
        "right",
        d->sh->pages->map->name);
  d->first = calloc(module->num_funcs + 1, sizeof *d->first);
  if (!d->first) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  d->module = module;
  d->offload = blocks;
  uint32_t most = 0;
  for (uint32_t i = 0; i < d->offload->num_kernels; i++) {
    if (load_blocks(d, &d->offload->kernels[i], err)) return -1;
    if (d->offload->kernels[i].num_blocks > most) most = d->offload->kernels[i].num_blocks;
  }
  if (!(d->look_slots = calloc(most + 1, sizeof *d->look_slots)))
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  return list_blocks(d, err) || load_code(d, err) ? -1 : 0;
}

void nsu_die_forget(void *die, const void *blocks) {
  nsu_die_t *d = die;
  const nsu_code_t *known = find_code(d, blocks);
  if (d->offload == blocks) forget_module(d);
  if (known) d->code[known - d->code] = d->code[--d->codes];
}

/* ---- Launch ---------------------------------------------------------------------------------- */

/* The NSUs' image of constants: parameters, then the const segment. Each launch gets a new
 * place, because NSUs cache constants. */
static int place_constants(nsu_die_t *d, trouble_t *err) {
  const simt_run_t *run = &d->sh->run->simt;
  size_t bytes = d->offload->const_bytes ? d->offload->const_bytes : PKT_LINE_BYTES;
  d->const_base = page_table_alloc_contiguous(d->sh->pages, bytes);
  uint8_t *image = calloc(1, bytes);
  if (!d->const_base || !image) {
    free(image);
    return d->const_base ? trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory")
                         : trouble_fail(err, TROUBLE_INPUT, "no stack has room for constants");
  }
  size_t params = run->kernel->func->param_bytes;
  memcpy(image, run->params, params < bytes ? params : bytes);
  if (run->const_bytes && d->offload->const_offset + run->const_bytes <= bytes)
    memcpy(image + d->offload->const_offset, run->const_segment, run->const_bytes);
  gpu_write_pages(d->sh, d->const_base, image, bytes);
  free(image);
  return 0;
}

/* A static share of 0 offloads nothing. */
int nsu_die_launch(void *die, const int32_t **first, trouble_t *err) {
  nsu_die_t *d = die;
  const ptx_func_t *func = d->sh->run->simt.kernel->func;
  d->kernel = NULL;
  *first = d->module ? d->first[func - d->module->funcs] : NULL;
  if (!*first || !gpu_config_to_nsus(d->sh->config)) {
    *first = NULL;
    return 0;
  }
  d->kernel = offload_find(d->offload, func);
  d->kernel_at = first_block_number(d->offload, d->kernel);
  return nsu_look_launch(d, err) ? -1 : place_constants(d, err);
}

unsigned nsu_die_candidates(const void *die, bool *any) {
  const nsu_die_t *d = die;
  *any = false;
  for (uint32_t k = 0; d->offload && k < d->offload->num_kernels; k++) *any |= d->offload->kernels[k].num_blocks > 0;
  return d->kernel ? d->kernel->num_blocks : 0;
}

/* ---- What stacks send ------------------------------------------------------------------------ */

/* Credits come alone or with an acknowledgement. */
static void take_credits(nsu_die_t *d, const packet_t *p) {
  if (!ndp_manager_credit(&d->manager, p->src, p->src_unit, (unsigned)p->hdr.cr_cmd, (unsigned)p->hdr.cr_rd,
                          (unsigned)p->hdr.cr_wr))
    trouble_fail(d->sh->fault, TROUBLE_BROKEN, "the NSU of stack %u returned more credits than it has entries",
                 (unsigned)p->src);
}

bool nsu_die_arrive(void *die, unsigned link, const packet_t *p) {
  nsu_die_t *d = die;
  switch (p->hdr.type) {
  case PKT_CREDIT:
  case PKT_OFLD_ACK: take_credits(d, p); return true;
  case PKT_INVAL:
    if (d->wta_in_flight[link]) d->wta_in_flight[link]--;
    else trouble_fail(d->sh->fault, TROUBLE_BROKEN, "stack %u sent more INVALs than it has writes under way", link);
    return true;
  default: return false;
  }
}

/* A cache has answered an RDF. The warp counts the answer, for the cache-aware decision. */
void nsu_die_hit(void *die, const packet_t *response) {
  nsu_sm_t *s = ((nsu_die_t *)die)->sm[response->hdr.sm];
  if (!s) return; /* an L2 slice alone */
  nsu_warp_t *w = &s->warp[response->hdr.warp];
  w->rdf_hits++;
  w->rdf_hit_bytes += packet_bytes(response);
}

void nsu_die_resized(void *die, const packet_t *response, int bytes) {
  nsu_sm_t *s = ((nsu_die_t *)die)->sm[response->hdr.sm];
  if (s) s->warp[response->hdr.warp].rdf_hit_bytes += (unsigned)bytes;
}

uint64_t nsu_die_writes(const void *self, unsigned stack) {
  return ((const nsu_die_t *)self)->wta_in_flight[stack];
}

gpu_log_t nsu_die_log(const void *die) {
  const offload_decision_t *d = &((const nsu_die_t *)die)->decision;
  return (gpu_log_t){.epochs = d->num_epochs, .blocks = d->num_blocks, .epoch = d->epochs, .block = d->blocks};
}

gpu_credits_t nsu_die_credits(const void *die, unsigned link) {
  const ndp_manager_t *m = &((const nsu_die_t *)die)->manager;
  gpu_credits_t sum = {0};
  if (link >= GPU_MAX_NSU_STACKS) return sum; /* no NSU can be there */
  for (unsigned k = m->first[link]; k < m->first[link + 1]; k++)
    sum.cmd += m->nsu[k].cmd, sum.rd += m->nsu[k].rd, sum.wr += m->nsu[k].wr;
  return sum;
}
