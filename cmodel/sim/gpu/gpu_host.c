/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host calls of a GPU: memory, textures, modules, launches.
 */
#include "gpu.h"

#include <inttypes.h>

#include "gpu_copy.h"
#include "gpu_state.h"
#include "local_memory.h"
#include "pager.h"
#include "read_only.h"
#include "tom_learn.h"

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Allocates memory of the GPU's own, which is never in host memory. 0 with err. */
static uint64_t map_pages(gpu_t *g, uint64_t bytes, trouble_t *err) {
  bool environment;
  uint64_t vaddr = page_table_alloc(&g->pages, bytes, &environment);
  if (!vaddr && environment) trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory for the page table");
  else if (!vaddr)
    trouble_fail(err, TROUBLE_INPUT, "the stacks have no room for %" PRIu64 " bytes more; use a smaller problem",
                 bytes);
  return vaddr;
}

/* An allocation of the host may start in host memory: for learning, or for demand paging. */
uint64_t gpu_malloc(gpu_t *g, uint64_t bytes, trouble_t *err) {
  const uint64_t vaddr = map_pages(g, bytes, err);
  if (vaddr && simt_check_pointer(g->modules.current ? g->modules.current->module : NULL, vaddr, bytes, err)) {
    page_table_release(&g->pages, vaddr);
    return 0;
  }
  if (vaddr && g->shared.learn && tom_learn_allocated(g->shared.learn, vaddr, bytes, err)) {
    page_table_release(&g->pages, vaddr);
    return 0;
  }
  if (!vaddr || !g->shared.pager || pager_map(g->shared.pager, vaddr, bytes)) return vaddr;
  trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory for pages of the host");
  return 0;
}

int gpu_release(gpu_t *g, uint64_t vaddr, trouble_t *err) {
  if (page_table_release(&g->pages, vaddr)) {
    if (g->shared.learn) tom_learn_released(g->shared.learn, vaddr);
    return 0;
  }
  return trouble_fail(err, TROUBLE_INPUT, "free of 0x%" PRIx64 ", which is not the start of an allocation", vaddr);
}

int gpu_copy_in(gpu_t *g, uint64_t vaddr, const void *data, size_t bytes, trouble_t *err) {
  return gpu_copy(&g->shared, vaddr, data, NULL, bytes, err);
}

int gpu_copy_out(const gpu_t *g, void *data, uint64_t vaddr, size_t bytes, trouble_t *err) {
  return gpu_copy(&g->shared, vaddr, NULL, data, bytes, err);
}

char *gpu_printed(gpu_t *g, size_t *size, uint64_t *lost) {
  char *bytes = g->text.bytes;
  *size = g->text.size, *lost = g->text.lost;
  g->text = (simt_host_text_t){0};
  return bytes;
}

int gpu_heap(gpu_t *g, uint64_t bytes, trouble_t *err) {
  return device_heap_size(&g->heap, bytes, err);
}

int gpu_texture(gpu_t *g, const rt_texture_t *texture, uint64_t *handle, trouble_t *err) {
  return texture_table_add(&g->textures, texture, handle, err);
}

int gpu_texture_drop(gpu_t *g, uint64_t handle, trouble_t *err) {
  return texture_table_drop(&g->textures, handle, err);
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* The launch's operands refer to the current module. */
static void unload_module(gpu_t *g, gpu_loaded_t *l) {
  if (g->modules.current == l) simt_run_free(&g->run.simt);
  gpu_modules_drop(&g->modules, l);
}

void gpu_unload_all(gpu_t *g) {
  while (g->modules.first) unload_module(g, g->modules.first);
}

static uint64_t allocate_for_module(void *machine, uint64_t bytes, trouble_t *err) {
  return map_pages(machine, bytes, err);
}

static int copy_in_for_module(void *machine, uint64_t addr, const void *data, size_t bytes, trouble_t *err) {
  return gpu_copy_in(machine, addr, data, bytes, err);
}

simt_store_t gpu_module_store(gpu_t *g) {
  return (simt_store_t){g, allocate_for_module, copy_in_for_module};
}

int gpu_load_also(gpu_t *g, const ptx_module_t *module, const void *blocks, trouble_t *err) {
  return gpu_modules_add(&g->modules, module, blocks, err);
}

int gpu_load(gpu_t *g, const ptx_module_t *module, const void *blocks, trouble_t *err) {
  gpu_unload_all(g);
  return gpu_load_also(g, module, blocks, err);
}

void gpu_unload(gpu_t *g, const ptx_module_t *module) {
  gpu_loaded_t *l = gpu_modules_find(&g->modules, module);
  if (!l) return;
  if (l->variables.global_base) page_table_release(&g->pages, l->variables.global_base);
  unload_module(g, l);
}

int gpu_select(gpu_t *g, const ptx_module_t *module, trouble_t *err) {
  gpu_loaded_t *l = gpu_modules_find(&g->modules, module);
  return l ? gpu_modules_select(&g->modules, l, err)
           : trouble_fail(err, TROUBLE_INPUT, "%s is not loaded", module->file);
}

simt_variables_t *gpu_variables(gpu_t *g, const ptx_module_t *module) {
  gpu_loaded_t *l = gpu_modules_find(&g->modules, module);
  return l ? &l->variables : NULL;
}

/* ---- Launch ---------------------------------------------------------------------------------- */

/* CTAs that fit on an SM at once. 0 with err: not one. */
static unsigned occupancy(const gpu_t *g, const simt_kernel_t *k, uint32_t warps, uint64_t shared, trouble_t *err) {
  const gpu_config_t *c = &g->config;
  const simt_limit_t limits[] = {
      simt_limit(warps * 32, c->sm.threads, "a block of %u warps is more than the %u threads of an SM", warps,
                 c->sm.threads),
      simt_limit(k->hw_regs * warps * 32, c->sm.registers,
                 "a block of %u warps with %u registers a thread needs more than the %u of an SM", warps, k->hw_regs,
                 c->sm.registers),
      simt_limit(shared, c->sm.shared_bytes,
                 "a block needs %" PRIu64 " bytes of shared memory, more than the %u of an SM", shared,
                 c->sm.shared_bytes)};
  return simt_occupancy(k, limits, sizeof limits / sizeof *limits, c->sm.ctas, err);
}

unsigned gpu_occupancy(const gpu_t *g, const gpu_launch_t *l, uint32_t *registers, trouble_t *err) {
  const simt_kernel_t *k = gpu_modules_kernel(g->modules.current, l->kernel, err);
  if (!k) return 0;
  *registers = k->hw_regs;
  return occupancy(g, k, simt_launch_warps(l), simt_launch_shared(l, k), err);
}

/* The page table in memory, for the TLBs of stacks' SMs. */
static int place_page_table(gpu_t *g, trouble_t *err) {
  bool environment;
  if (!page_table_in_memory(&g->pages, &environment)) return 0;
  return environment
             ? trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory for the page table")
             : trouble_fail(err, TROUBLE_INPUT, "the stacks have no room for the page table; use a smaller problem");
}

static void launch_learning(const gpu_t *g) {
  bool any;
  const unsigned candidates = g->policy->candidates(g->die, &any);
  tom_learn_launch(g->shared.learn, candidates, any);
}

/* The order matters: kernel and sizes first, then memory, then the policy, which may need both,
 * then the SMs. */
int gpu_launch(gpu_t *g, const gpu_launch_t *l, trouble_t *err) {
  gpu_run_t *r = &g->run;
  gpu_loaded_t *m = g->modules.current;
  const simt_kernel_t *k = gpu_modules_kernel(m, l->kernel, err);
  if (!k || simt_check_launch(l, k->func, err)) return -1;
  const unsigned ctas = occupancy(g, k, simt_launch_warps(l), simt_launch_shared(l, k), err);
  if (!ctas) return -1;
  simt_run_begin(&r->simt, k, l);
  r->code_id = (uint32_t)(k->func - m->module->funcs), r->code = m->code ? m->code[r->code_id] : 0;
  r->stopped = false, r->block_first = NULL, r->ctas_per_sm = ctas, r->next_cta = r->done_ctas = 0;
  if (simt_run_operands(&r->simt, l, &m->variables)) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  if (gpu_modules_constants(&g->modules, m, k, err)) return -1;
  r->constants = m->constants;
  if (device_heap_place(&g->heap, k, &g->modules.store, err)) return -1;
  if (local_place(&g->shared, &g->modules.store, ctas * r->simt.warps, err)) return -1;
  if (g->die && g->policy->launch(g->die, &r->block_first, err)) return -1;
  if (g->shared.read_only) read_only_launch(g->shared.read_only);
  if (g->shared.learn) launch_learning(g);
  if (g->config.tom.tlb_entries && gpu_config_instances(&g->config, GPU_HARDWARE_tom_ctrl) && place_page_table(g, err))
    return -1;
  for (unsigned s = 0; s < g->config.num_sms; s++)
    if (sm_start(&g->sms[s])) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory for the SMs");
  for (unsigned node = 0; g->config.sm.cta_order == GPU_CTAS_RANGES && node < g->nodes.nodes; node++) {
    g->next_block[node] = nodes_first_block(&g->nodes, node, r->simt.num_blocks, g->config.num_sms);
    g->end_block[node] = nodes_first_block(&g->nodes, node + 1, r->simt.num_blocks, g->config.num_sms);
  }
  g->next_sm = 0;
  g->running = true;
  return 0;
}
