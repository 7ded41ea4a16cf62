/* SPDX-License-Identifier: Apache-2.0
 *
 * The top: host calls, distribution of CTAs (round robin, one an SM and cycle: breadth first), grants, statistics.
 */
#include "gpu.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "l2.h"
#include "sm.h"

struct gpu {
  gpu_config_t config;
  gpu_memory_t memory;
  packet_pool_t *pool;
  page_table_t pages;
  xbar_t xbar;
  ndp_manager_t manager;
  sm_t *sms;
  l2_t slices[GPU_MAX_STACKS];
  sm_shared_t shared;
  gpu_run_t run;
  bool running;
  unsigned next_sm;
  gpu_stats_t stats;
  gpu_error_t fault;
  uint64_t wta_in_flight[16];
  /* the loaded module */
  const ptx_module_t *module;
  const offload_t *offload;
  simt_kernel_t **kernels;   /* of each function; NULL: not a kernel */
  int32_t **block_first;     /* of each function */
  uint8_t *const_segment, *params;
  uint64_t global_base, code_base;
};

/* ---- Making ------------------------------------------------------------------------------------------------------ */

static int init_parts(gpu_t *g) {
  const gpu_config_t *c = &g->config;
  g->shared = (sm_shared_t){.config = c, .pool = g->pool, .xbar = &g->xbar, .pages = &g->pages, .manager = &g->manager,
                            .run = &g->run, .stats = &g->stats, .fault = &g->fault, .wta_in_flight = g->wta_in_flight};
  if (page_table_init(&g->pages, c->num_stacks, c->stack_bytes, c->seed) || xbar_init(&g->xbar, c) ||
      ndp_manager_init(&g->manager, c))
    return -1;
  g->sms = calloc(c->num_sms, sizeof *g->sms);
  if (!g->sms) return -1;
  for (unsigned s = 0; s < c->num_sms; s++)
    if (sm_init(&g->sms[s], s, &g->shared)) return -1;
  for (unsigned k = 0; k < c->num_stacks; k++) {
    l2_t *l2 = &g->slices[k];
    if (l2_init(l2, k, c)) return -1;
    l2->pool = g->pool, l2->xbar = &g->xbar, l2->manager = &g->manager, l2->stats = &g->stats, l2->fault = &g->fault;
    l2->wta_in_flight = g->wta_in_flight;
  }
  return 0;
}

gpu_t *gpu_new(const gpu_config_t *config, const gpu_memory_t *memory, packet_pool_t *pool, gpu_error_t *err) {
  const char *bad = gpu_config_check(config);
  if (bad) {
    gpu_fail(err, 2, "GPU configuration: %s", bad);
    return NULL;
  }
  gpu_t *g = calloc(1, sizeof *g);
  if (g) g->config = *config, g->memory = *memory, g->pool = pool;
  if (!g || init_parts(g)) {
    gpu_fail(err, 3, "out of memory for the GPU model");
    gpu_free(g);
    return NULL;
  }
  return g;
}

static void unload(gpu_t *g) {
  for (uint32_t f = 0; g->module && f < g->module->num_funcs; f++) {
    if (g->kernels) simt_kernel_free(g->kernels[f]);
    if (g->block_first) free(g->block_first[f]);
  }
  free(g->kernels);
  free(g->block_first);
  free(g->const_segment);
  free(g->params);
  free(g->run.konsts);
  g->kernels = NULL, g->block_first = NULL, g->const_segment = g->params = g->run.konsts = NULL, g->module = NULL;
}

void gpu_free(gpu_t *g) {
  if (!g) return;
  unload(g);
  for (unsigned s = 0; g->sms && s < g->config.num_sms; s++) sm_deinit(&g->sms[s]);
  for (unsigned k = 0; k < g->config.num_stacks; k++) l2_deinit(&g->slices[k]);
  free(g->sms);
  page_table_deinit(&g->pages);
  xbar_deinit(&g->xbar);
  ndp_manager_deinit(&g->manager);
  free(g);
}

/* ---- Host memory calls ------------------------------------------------------------------------------------------- */

uint64_t gpu_malloc(gpu_t *g, uint64_t bytes, gpu_error_t *err) {
  bool environment;
  uint64_t vaddr = page_table_alloc(&g->pages, bytes, &environment);
  if (!vaddr && environment) gpu_fail(err, 3, "out of memory for the page table");
  else if (!vaddr) gpu_fail(err, 2, "the stacks have no room for %" PRIu64 " bytes more; use a smaller problem", bytes);
  return vaddr;
}

int gpu_release(gpu_t *g, uint64_t vaddr, gpu_error_t *err) {
  if (page_table_release(&g->pages, vaddr)) return 0;
  return gpu_fail(err, 2, "free of 0x%" PRIx64 ", which is not the start of an allocation", vaddr);
}

static int copy(const gpu_t *g, uint64_t vaddr, const uint8_t *in, uint8_t *out, size_t bytes, gpu_error_t *err) {
  for (size_t done = 0; done < bytes;) {
    uint64_t at = vaddr + done, offset = at & (PAGE_BYTES - 1);
    size_t n = bytes - done < PAGE_BYTES - offset ? bytes - done : PAGE_BYTES - offset;
    const page_entry_t *page = page_table_find(&g->pages, at);
    if (!page || offset + n > page->valid)
      return gpu_fail(err, 2, "copy of %zu bytes at 0x%" PRIx64 " is out of bounds of every allocation", bytes, vaddr);
    if (in) g->memory.write(g->memory.ctx, page->frame | offset, in + done, n);
    else g->memory.read(g->memory.ctx, page->frame | offset, out + done, n);
    done += n;
  }
  return 0;
}

int gpu_copy_in(gpu_t *g, uint64_t vaddr, const void *data, size_t bytes, gpu_error_t *err) {
  return copy(g, vaddr, data, NULL, bytes, err);
}

int gpu_copy_out(const gpu_t *g, void *data, uint64_t vaddr, size_t bytes, gpu_error_t *err) {
  return copy(g, vaddr, NULL, data, bytes, err);
}

static void write_physical(gpu_t *g, uint64_t paddr, const uint8_t *data, size_t bytes) {
  for (size_t done = 0; done < bytes; done += PAGE_BYTES)
    g->memory.write(g->memory.ctx, paddr + done, data + done, bytes - done < PAGE_BYTES ? bytes - done : PAGE_BYTES);
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

static int load_variables(gpu_t *g, gpu_error_t *err) {
  const ptx_module_t *m = g->module;
  if (m->global_bytes && !(g->global_base = gpu_malloc(g, m->global_bytes, err))) return -1;
  g->const_segment = calloc(1, m->const_bytes + 1);
  if (!g->const_segment) return gpu_fail(err, 3, "out of memory");
  for (uint32_t i = 0; i < m->num_vars; i++) {
    const ptx_var_t *v = &m->vars[i];
    if ((v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST) || !v->size) continue;
    uint8_t *bytes = malloc(v->size);
    if (!bytes) return gpu_fail(err, 3, "out of memory");
    simt_variable_bytes(m, v, g->global_base, bytes);
    int status = 0;
    if (v->space == PTX_SPACE_CONST) memcpy(g->const_segment + v->offset, bytes, v->size);
    else status = gpu_copy_in(g, g->global_base + v->offset, bytes, v->size, err);
    free(bytes);
    if (status) return -1;
  }
  return 0;
}

static int check_block(const gpu_t *g, const ptx_func_t *f, const offload_block_t *b, gpu_error_t *err) {
  if (!ndp_manager_fits(&g->manager, b->num_loads, b->num_stores))
    return gpu_fail(
        err, 2,
        "%s:%d: kernel %s: an offload block of %u loads and %u stores is larger than the NSU's buffers (%u, %u)",
        g->module->file, f->instrs[b->first].line, f->name, b->num_loads, b->num_stores, g->config.nsu_rd_entries,
        g->config.nsu_wr_entries);
  if (b->num_loads + b->num_stores > 1u << PKT_SEQ_BITS || b->num_sent > PKT_MAX_CMD_REGS ||
      b->num_returned > PKT_MAX_CMD_REGS)
    return gpu_fail(err, 2, "%s:%d: kernel %s: an offload block has more than %u memory words or %u registers",
                    g->module->file, f->instrs[b->first].line, f->name, 1u << PKT_SEQ_BITS, PKT_MAX_CMD_REGS);
  return 0;
}

static int load_blocks(gpu_t *g, uint32_t f, gpu_error_t *err) {
  const ptx_func_t *func = &g->module->funcs[f];
  const offload_kernel_t *k = NULL;
  for (uint32_t i = 0; i < g->offload->num_kernels; i++)
    if (g->offload->kernels[i].func == func) k = &g->offload->kernels[i];
  if (!k || !k->num_blocks) return 0;
  int32_t *first = malloc((func->num_instrs + 1) * sizeof *first);
  if (!first) return gpu_fail(err, 3, "out of memory");
  for (uint32_t i = 0; i <= func->num_instrs; i++) first[i] = -1;
  g->block_first[f] = first;
  for (uint32_t b = 0; b < k->num_blocks; b++) {
    if (check_block(g, func, &k->blocks[b], err)) return -1;
    first[k->blocks[b].first] = (int32_t)b;
  }
  return 0;
}

static int load_code(gpu_t *g, gpu_error_t *err) {
  size_t bytes = (size_t)g->offload->code_words * 8;
  if (!bytes) return 0;
  g->code_base = page_table_alloc_contiguous(&g->pages, bytes);
  if (!g->code_base) return gpu_fail(err, 2, "no stack has room for %zu bytes of NSU code", bytes);
  write_physical(g, g->code_base, (const uint8_t *)g->offload->code, bytes);
  return 0;
}

int gpu_load(gpu_t *g, const ptx_module_t *module, const offload_t *offload, gpu_error_t *err) {
  unload(g);
  g->module = module;
  g->offload = offload;
  g->kernels = calloc(module->num_funcs + 1, sizeof *g->kernels);
  g->block_first = calloc(module->num_funcs + 1, sizeof *g->block_first);
  if (!g->kernels || !g->block_first) return gpu_fail(err, 3, "out of memory");
  if (load_variables(g, err)) return -1;
  for (uint32_t f = 0; f < module->num_funcs; f++) {
    if (!module->funcs[f].is_kernel || !module->funcs[f].defined) continue;
    if (!(g->kernels[f] = simt_decode(module, &module->funcs[f], err))) return -1;
    if (offload && load_blocks(g, f, err)) return -1;
  }
  return offload ? load_code(g, err) : 0;
}

/* ---- Launch ------------------------------------------------------------------------------------------------------ */

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* CTAs that fit on an SM at once; 0 and err: not one. */
static unsigned occupancy(const gpu_t *g, const simt_kernel_t *k, uint32_t warps, uint64_t shared, gpu_error_t *err) {
  const gpu_config_t *c = &g->config;
  const char *name = k->func->name;
  if (warps * 32 > c->sm_threads)
    gpu_fail(err, 2, "kernel %s: a block of %u warps is more than the %u threads of an SM", name, warps, c->sm_threads);
  else if (k->hw_regs * warps * 32 > c->sm_registers)
    gpu_fail(err, 2, "kernel %s: a block of %u warps with %u registers a thread needs more than the %u of an SM", name,
             warps, k->hw_regs, c->sm_registers);
  else if (shared > c->sm_shared_bytes)
    gpu_fail(err, 2, "kernel %s: a block needs %" PRIu64 " bytes of shared memory, more than the %u of an SM", name,
             shared, c->sm_shared_bytes);
  if (err->status) return 0;
  unsigned n = least(c->sm_ctas, c->sm_threads / (warps * 32));
  if (k->hw_regs) n = least(n, c->sm_registers / (k->hw_regs * warps * 32));
  if (shared) n = least(n, (unsigned)(c->sm_shared_bytes / shared));
  return least(n, GPU_MAX_WARPS / warps);
}

/* The NSU's view of constants: parameters, then the const segment. A fresh place each time: NSUs cache it. */
static int place_constants(gpu_t *g, gpu_error_t *err) {
  size_t bytes = g->offload->const_bytes ? g->offload->const_bytes : PKT_LINE_BYTES;
  g->run.const_base = page_table_alloc_contiguous(&g->pages, bytes);
  uint8_t *image = calloc(1, bytes);
  if (!g->run.const_base || !image) {
    free(image);
    return g->run.const_base ? gpu_fail(err, 3, "out of memory") : gpu_fail(err, 2, "no stack has room for constants");
  }
  size_t params = g->run.kernel->func->param_bytes;
  memcpy(image, g->params, params < bytes ? params : bytes);
  if (g->module->const_bytes && g->offload->const_offset + g->module->const_bytes <= bytes)
    memcpy(image + g->offload->const_offset, g->const_segment, g->module->const_bytes);
  write_physical(g, g->run.const_base, image, bytes);
  free(image);
  return 0;
}

static int fill_operands(gpu_t *g, const gpu_launch_t *l, gpu_error_t *err) {
  gpu_run_t *r = &g->run;
  const simt_kernel_t *k = r->kernel;
  free(r->konsts);
  free(g->params);
  r->konsts = aligned_alloc(64, (k->konst_bytes + 127) / 64 * 64);
  g->params = calloc(1, k->func->param_bytes + 8);
  if (!r->konsts || !g->params) return gpu_fail(err, 3, "out of memory");
  if (k->func->param_bytes) memcpy(g->params, l->params, k->func->param_bytes);
  simt_fill_consts(k, r->konsts, g->params, g->const_segment, g->global_base);
  r->params = g->params;
  r->const_segment = g->const_segment;
  r->const_bytes = g->module->const_bytes;
  return 0;
}

static const simt_kernel_t *find_kernel(const gpu_t *g, const char *name, uint32_t *index, gpu_error_t *err) {
  const ptx_func_t *f = g->module ? ptx_find_kernel(g->module, name) : NULL;
  if (!f) {
    gpu_fail(err, 2, "no kernel %s in %s", name ? name : "(of one)",
             g->module ? g->module->file : "the module: none is loaded");
    return NULL;
  }
  *index = (uint32_t)(f - g->module->funcs);
  return g->kernels[*index];
}

static void set_blocks(gpu_t *g, uint32_t f) {
  gpu_run_t *r = &g->run;
  r->blocks = NULL;
  r->block_first = NULL;
  if (!g->offload || g->config.offload_ratio <= 0 || !g->block_first[f]) return;
  for (uint32_t i = 0; i < g->offload->num_kernels; i++)
    if (g->offload->kernels[i].func == &g->module->funcs[f]) r->blocks = &g->offload->kernels[i];
  r->block_first = g->block_first[f];
}

int gpu_launch(gpu_t *g, const gpu_launch_t *l, gpu_error_t *err) {
  gpu_run_t *r = &g->run;
  uint32_t f;
  const simt_kernel_t *k = find_kernel(g, l->kernel, &f, err);
  if (!k || simt_check_launch(l, k->func, err)) return -1;
  uint64_t shared = (k->func->shared_bytes + 15) / 16 * 16 + l->shared_bytes;
  uint32_t threads = l->block[0] * l->block[1] * l->block[2], warps = (threads + 31) / 32;
  unsigned ctas = occupancy(g, k, warps, shared, err);
  if (!ctas) return -1;
  uint64_t id = r->id + 1;
  uint8_t *konsts = r->konsts;
  *r = (gpu_run_t){.kernel = k, .konsts = konsts, .threads = threads, .warps = warps, .shared_bytes = (uint32_t)shared,
                   .dynamic_shared = l->shared_bytes, .ctas_per_sm = ctas, .id = id, .code_base = g->code_base,
                   .num_ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2]};
  memcpy(r->grid, l->grid, sizeof r->grid);
  memcpy(r->block, l->block, sizeof r->block);
  if (fill_operands(g, l, err)) return -1;
  set_blocks(g, f);
  if (r->blocks && place_constants(g, err)) return -1;
  for (unsigned s = 0; s < g->config.num_sms; s++)
    if (sm_start(&g->sms[s])) return gpu_fail(err, 3, "out of memory for the SMs");
  g->next_sm = 0;
  g->running = true;
  return 0;
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static bool quiet(const gpu_t *g) {
  if (g->run.done_ctas < g->run.num_ctas || g->xbar.in_flight) return false;
  for (unsigned k = 0; k < g->config.num_stacks; k++)
    if (l2_busy(&g->slices[k])) return false;
  return true;
}

bool gpu_running(const gpu_t *g) {
  return g->running && !g->fault.status;
}

const gpu_error_t *gpu_fault(const gpu_t *g) {
  return g->fault.status ? &g->fault : NULL;
}

static void distribute(gpu_t *g) {
  gpu_run_t *r = &g->run;
  unsigned n = g->config.num_sms;
  for (unsigned i = 0; i < n && r->next_cta < r->num_ctas; i++) {
    unsigned s = (g->next_sm + i) % n;
    if (sm_has_room(&g->sms[s])) sm_add_cta(&g->sms[s], r->next_cta++);
  }
  g->next_sm = (g->next_sm + 1) % n;
}

static void grant(gpu_t *g) {
  ndp_request_t r;
  for (unsigned k = 0; k < g->config.num_stacks; k++)
    if (g->manager.stack[k].count && ndp_manager_grant(&g->manager, k, &r)) sm_grant(&g->sms[r.sm], r.warp);
}

void gpu_tick_core(gpu_t *g) {
  if (g->fault.status) return;
  g->stats.core_cycles++;
  if (g->running && g->run.next_cta < g->run.num_ctas) distribute(g);
  grant(g);
  for (unsigned s = 0; s < g->config.num_sms; s++) sm_tick(&g->sms[s]);
  for (unsigned k = 0; k < g->config.num_stacks; k++) l2_tick(&g->slices[k]);
  if (g->running && g->run.done_ctas == g->run.num_ctas && quiet(g)) g->running = false;
}

void gpu_tick_xbar(gpu_t *g) {
  if (g->fault.status) return;
  g->stats.xbar_cycles++;
  xbar_tick(&g->xbar);
}

const packet_t *gpu_front(const gpu_t *g, unsigned link, unsigned cls) {
  return l2_link_front(&g->slices[link], cls);
}

packet_t *gpu_pop(gpu_t *g, unsigned link, unsigned cls) {
  packet_t *p = l2_link_pop(&g->slices[link], cls);
  g->stats.sent_packets[p->hdr.type & 15]++;
  g->stats.sent_bytes[p->hdr.type & 15] += packet_bytes(p);
  return p;
}

bool gpu_can_push(const gpu_t *g, unsigned link) {
  return l2_link_can_push(&g->slices[link]);
}

void gpu_push(gpu_t *g, unsigned link, packet_t *p) {
  g->stats.got_packets[p->hdr.type & 15]++;
  g->stats.got_bytes[p->hdr.type & 15] += packet_bytes(p);
  l2_link_push(&g->slices[link], p);
}

double gpu_progress(const gpu_t *g) {
  return g->run.num_ctas ? (double)g->run.done_ctas / (double)g->run.num_ctas : 1;
}

gpu_credits_t gpu_credits(const gpu_t *g, unsigned stack) {
  const ndp_stack_t *s = &g->manager.stack[stack];
  return (gpu_credits_t){s->cmd, s->rd, s->wr};
}

gpu_stats_t gpu_stats(const gpu_t *g) {
  gpu_stats_t s = g->stats;
  s.xbar_up_bytes = g->xbar.up_bytes;
  s.xbar_down_bytes = g->xbar.down_bytes;
  return s;
}

/* ---- Who waits for what ------------------------------------------------------------------------------------------ */

typedef struct {
  char *text;
  size_t size, used;
} report_t;

__attribute__((format(printf, 2, 3))) static void say(report_t *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  bool room = r->used < r->size;
  int n = vsnprintf(room ? r->text + r->used : NULL, room ? r->size - r->used : 0, format, args);
  va_end(args);
  if (n > 0) r->used += (size_t)n;
}

static unsigned ones(uint64_t x) { return (unsigned)__builtin_popcountll(x); }

static void describe_offload(const sm_t *sm, unsigned warp, report_t *r) {
  const sm_warp_t *w = &sm->warps[warp];
  const ptx_func_t *f = sm->sh->run->kernel->func;
  if (w->mode == OFFLOAD_NONE) return;
  say(r, "  SM %u warp %u: block at line %d, target NSU %d: ", sm->id, warp, f->instrs[w->block->first].line,
      w->target);
  if (w->target < 0) say(r, "no memory access yet\n");
  else if (!w->granted)
    say(r, "waits for 1 command, %u read, %u write entries\n", w->block->num_loads, w->block->num_stores);
  else if (!w->ack)
    say(r, "granted, waits for OFLD_ACK%s\n", w->pending_head || w->command ? ", has packets to send" : "");
  else say(r, "acknowledged, waits for %u INVALs\n", w->invals);
}

static void describe_sm(const sm_t *sm, report_t *r) {
  if (!sm->live) return;
  say(r,
      "SM %u: %u warps live, %u ready, %u wait for loads, %u for their writes, %u for NSUs, %u at barriers; LSU queue "
      "%u, "
      "L1 MSHRs %u, pending %u, ready packets %u\n",
      sm->id, ones(sm->live), ones(sm->ready), ones(sm->wait_data), ones(sm->wait_stores), ones(sm->wait_ack),
      ones(sm->wait_barrier), sm->lsu_count, ones(sm->mshrs_used), sm->pending, sm->ready_count);
  for (uint64_t m = sm->live; m; m &= m - 1) describe_offload(sm, (unsigned)__builtin_ctzll(m), r);
}

size_t gpu_describe_waits(const gpu_t *g, char *text, size_t size) {
  report_t r = {text, size, 0};
  if (size) text[0] = 0;
  for (unsigned s = 0; s < g->config.num_sms; s++) describe_sm(&g->sms[s], &r);
  if (g->xbar.in_flight)
    say(&r, "crossbar: %u packets inside, %u of them not granted\n", g->xbar.in_flight, g->xbar.waiting);
  for (unsigned k = 0; k < g->config.num_stacks; k++) {
    const l2_t *l2 = &g->slices[k];
    const ndp_stack_t *m = &g->manager.stack[k];
    if (l2_busy(l2))
      say(&r, "L2 slice %u: %u MSHRs wait for memory, %u replies, link out %u requests and %u responses, link in %u\n",
          k, ones(l2->used), l2->reply.count, l2->out[0].count, l2->out[1].count, l2->in.count);
    if (m->count || m->cmd != g->manager.max_cmd)
      say(&r,
          "NDP manager, stack %u: %u requests wait; free entries: %u command, %u read, %u write; %" PRIu64
          " writes under way\n",
          k, m->count, m->cmd, m->rd, m->wr, g->wta_in_flight[k]);
  }
  return r.used;
}
