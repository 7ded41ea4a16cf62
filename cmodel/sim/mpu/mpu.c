/* SPDX-License-Identifier: Apache-2.0
 *
 * The top: memory calls, modules, launches, and which core gets which block of threads.
 *
 * By number, block b goes to core b mod cores. By address (ours: the paper says that the runtime
 * dispatches blocks according to their configuration) it goes to the core that has the block's
 * first word of an array with one 32-bit word a thread; blocks too few for that to reach every
 * core are shared out evenly, neighbours together. Each core takes its blocks in order, as many
 * as fit.
 */
#include "mpu.h"

#include <sys/mman.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "mpu_state.h"
#include "simt_memory.h"

enum { LARGE_PAGE = 2 << 20 };

/* ---- Making ---------------------------------------------------------------------------------- */

/* Memory in large pages, as a cycle touches a little of everything. NULL: out of memory. */
static void *allocate_large_pages(size_t bytes) {
  size_t rounded = (bytes + LARGE_PAGE) / LARGE_PAGE * LARGE_PAGE;
  void *memory = aligned_alloc(LARGE_PAGE, rounded);
  if (memory) madvise(memory, rounded, MADV_HUGEPAGE); /* a wish: small ones will do */
  return memory;
}

/* An engine's memory, in whole cache lines. */
static size_t state_bytes(const block_engine_t *engine) {
  return (engine->state_size + 63) / 64 * 64;
}

static int init_cores(mpu_t *m, const block_engine_t *const *engines) {
  size_t states = 0;
  for (unsigned u = 0; u < m->cores * MPU_SUBCORES; u++) states += state_bytes(engines[u]);
  m->core = allocate_large_pages(m->cores * sizeof *m->core);
  m->states = allocate_large_pages(states);
  if (!m->core || !m->states) return -1;
  memset(m->core, 0, m->cores * sizeof *m->core);
  memset(m->states, 0, states);
  uint8_t *at = m->states;
  for (unsigned u = 0; u < m->cores * MPU_SUBCORES; u++) {
    m->core[u / MPU_SUBCORES].nbu[u % MPU_SUBCORES].state = at;
    at += state_bytes(engines[u]);
  }
  for (unsigned c = 0; c < m->cores; c++)
    if (core_init(&m->core[c], c, &m->shared, engines + c * MPU_SUBCORES)) return -1;
  return 0;
}

mpu_t *mpu_new(const mpu_config_t *config, const block_engine_t *const *engines, trouble_t *err) {
  trouble_t bad = {0};
  if (!mpu_config_check(config, &bad)) {
    trouble_fail(err, bad.kind, "MPU configuration: %s", bad.text);
    return NULL;
  }
  mpu_t *m = calloc(1, sizeof *m);
  if (m) {
    m->config = *config;
    m->cores = mpu_config_cores(config);
    m->image = memory_image_new();
    m->local_first = mpu_map_bytes(mpu_map(config));
    m->shared = (mpu_shared_t){
        .config = &m->config, .run = &m->run, .map = mpu_map(&m->config), .image = m->image, .now = &m->now};
  }
  if (!m || !m->image || init_cores(m, engines)) {
    trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory for the MPU model, or an LSU-Extension could not be made");
    mpu_free(m);
    return NULL;
  }
  return m;
}

/* Frees memory that the machine took for itself: code, constants. */
static void free_copy(mpu_t *m, uint64_t at) {
  trouble_t ignored = {0};
  if (at) mpu_release(m, at, &ignored);
}

static void unload_module(mpu_t *m, mpu_loaded_t *l) {
  mpu_loaded_t **at = &m->modules;
  while (*at != l) at = &(*at)->next;
  *at = l->next;
  if (m->loaded == l) {
    simt_run_free(&m->run.simt);
    m->loaded = NULL;
  }
  for (uint32_t f = 0; l->kernels && f < l->module->num_funcs; f++) mpu_kernel_free(l->kernels[f]);
  for (uint32_t f = 0; l->code && f < l->module->num_funcs; f++) free_copy(m, l->code[f]);
  free_copy(m, l->constants);
  free(l->code);
  free(l->kernels);
  simt_variables_free(&l->variables);
  free(l);
}

static void unload_all(mpu_t *m) {
  while (m->modules) unload_module(m, m->modules);
}

void mpu_free(mpu_t *m) {
  if (!m) return;
  unload_all(m);
  for (unsigned c = 0; m->core && c < m->cores; c++) core_deinit(&m->core[c]);
  free(m->core);
  free(m->states);
  free(m->files);
  free(m->range);
  if (m->image) memory_image_free(m->image);
  free(m);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int grow_ranges(mpu_t *m) {
  size_t room = m->room * 2 + 16;
  mpu_range_t *more = realloc(m->range, room * sizeof *more);
  if (!more) return -1;
  m->range = more;
  m->room = room;
  return 0;
}

/* Device memory that an allocation takes: whole stripes, and at least one byte more than it has,
 * so that what is behind its end is nobody's. */
static uint64_t allocation_bytes(const mpu_t *m, uint64_t bytes) {
  uint64_t stripe = mpu_map_stripe(m->shared.map);
  return (bytes + stripe) / stripe * stripe;
}

/* The first address with room; *before: number of the allocation behind it. Address 0 is never
 * used. */
static uint64_t find_room(const mpu_t *m, uint64_t bytes, size_t *before) {
  uint64_t start = mpu_map_stripe(m->shared.map);
  for (*before = 0; *before < m->num_ranges; ++*before) {
    const mpu_range_t *r = &m->range[*before];
    if (r->start - start >= allocation_bytes(m, bytes)) break;
    start = r->start + allocation_bytes(m, r->bytes);
  }
  return start;
}

/* Bytes from here on that are in one unit and in one line of the memory image. */
static size_t contiguous_bytes(const mpu_t *m, uint64_t at) {
  const unsigned piece = m->config.unit_bytes < MPU_ROW_BYTES ? m->config.unit_bytes : MPU_ROW_BYTES;
  return piece - at % piece;
}

/* A device address as an address of the memory image. */
static uint64_t image_at(const mpu_t *m, uint64_t at) {
  const mpu_place_t p = mpu_map_place(m->shared.map, at);
  return mpu_map_image(p.core * MPU_SUBCORES + p.nbu, p.addr);
}

/* Memory that was in use before reads as zero again. Writes only what is not zero, so that the
 * image gets no pages for it. */
static bool clear_memory(mpu_t *m, uint64_t start, uint64_t bytes) {
  static const uint8_t zero[MPU_ROW_BYTES];
  for (uint64_t at = start; at < start + bytes; at += contiguous_bytes(m, at)) {
    const uint64_t image = image_at(m, at);
    if (memcmp(memory_image_line(m->image, image) + image % MPU_ROW_BYTES, zero, contiguous_bytes(m, at)) &&
        !memory_image_write(m->image, image, zero, contiguous_bytes(m, at)))
      return false;
  }
  return true;
}

uint64_t mpu_malloc(mpu_t *m, uint64_t bytes, trouble_t *err) {
  uint64_t total = mpu_running(m) ? m->local_from : mpu_map_bytes(m->shared.map), start = 0;
  size_t before = 0;
  if (bytes <= total) start = find_room(m, bytes, &before);
  if (!start || start > total || bytes > total - start) {
    trouble_fail(err, TROUBLE_INPUT,
                 "the machine's %" PRIu64 " MB have no room for %" PRIu64 " bytes more; use a smaller problem",
                 total >> 20, bytes);
    return 0;
  }
  if (simt_check_pointer(m->loaded ? m->loaded->module : NULL, start, bytes, err)) return 0;
  if ((m->num_ranges == m->room && grow_ranges(m)) ||
      ((start < m->used || start + bytes > m->local_first) && !clear_memory(m, start, bytes))) {
    trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
    return 0;
  }
  memmove(&m->range[before + 1], &m->range[before], (m->num_ranges - before) * sizeof *m->range);
  m->range[before] = (mpu_range_t){start, bytes};
  if (start + bytes > m->used) m->used = start + bytes;
  m->shared.range = m->range;
  m->shared.num_ranges = ++m->num_ranges;
  return start;
}

uint64_t mpu_memory_bytes(const mpu_t *m) {
  return mpu_map_bytes(m->shared.map);
}

int mpu_release(mpu_t *m, uint64_t addr, trouble_t *err) {
  for (size_t i = 0; i < m->num_ranges; i++) {
    if (m->range[i].start != addr) continue;
    memmove(&m->range[i], &m->range[i + 1], (m->num_ranges - i - 1) * sizeof *m->range);
    m->shared.num_ranges = --m->num_ranges;
    return 0;
  }
  return trouble_fail(err, TROUBLE_INPUT, "free of 0x%" PRIx64 ", which is not the start of an allocation", addr);
}

static bool is_allocated(const mpu_t *m, uint64_t addr, size_t bytes) {
  for (size_t i = 0; i < m->num_ranges; i++)
    if (addr >= m->range[i].start && addr - m->range[i].start <= m->range[i].bytes &&
        bytes <= m->range[i].bytes - (addr - m->range[i].start))
      return true;
  return false;
}

/* Copies into (in) or out of (out) device memory; the other pointer is NULL. */
static int copy_allocation(const mpu_t *m, uint64_t addr, const uint8_t *in, uint8_t *out, size_t bytes,
                           trouble_t *err) {
  if (!bytes) return 0;
  if (!is_allocated(m, addr, bytes))
    return trouble_fail(err, TROUBLE_INPUT, "copy of %zu bytes at 0x%" PRIx64 " is out of bounds of every allocation",
                        bytes, addr);
  for (size_t done = 0; done < bytes;) {
    uint64_t at = addr + done;
    size_t n = contiguous_bytes(m, at);
    if (n > bytes - done) n = bytes - done;
    const uint64_t image = image_at(m, at);
    if (in && !memory_image_write(m->image, image, in + done, n))
      return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
    if (out) memory_image_read(m->image, image, out + done, n);
    done += n;
  }
  return 0;
}

int mpu_copy_in(mpu_t *m, uint64_t addr, const void *data, size_t bytes, trouble_t *err) {
  return copy_allocation(m, addr, data, NULL, bytes, err);
}

int mpu_copy_out(const mpu_t *m, void *data, uint64_t addr, size_t bytes, trouble_t *err) {
  return copy_allocation(m, addr, NULL, data, bytes, err);
}

/* ---- Module ---------------------------------------------------------------------------------- */

static uint64_t allocate_variables(void *machine, uint64_t bytes, trouble_t *err) {
  return mpu_malloc(machine, bytes, err);
}

static int copy_variables(void *machine, uint64_t addr, const void *data, size_t bytes, trouble_t *err) {
  return mpu_copy_in(machine, addr, data, bytes, err);
}

/* NULL and TROUBLE_INPUT: the machine cannot execute it, which matters only if somebody launches
 * it. */
static mpu_kernel_t *compile_mpu_kernel(const mpu_t *m, const ptx_module_t *module, const ptx_func_t *func,
                                        trouble_t *err) {
  const mpu_config_t *c = &m->config;
  return mpu_kernel_new(module, func, c->ponb ? MPU_ALL_FAR : c->policy, c->smem_near && !c->ponb, c->local_ideal,
                        c->constant_ideal, err);
}

/* ---- Instructions, for caches of them ---- */

/* Writes 8 bytes for each instruction: its number, its function's number. To each core's copy,
 * if there are copies. */
static int write_code(mpu_t *m, uint64_t code, uint32_t f, uint32_t instrs, trouble_t *err) {
  for (unsigned core = 0; core < (m->config.l1i_copies ? m->cores : 1); core++)
    for (uint32_t i = 0; i < instrs; i++) {
      const uint32_t instr[2] = {i, f};
      const uint64_t at = core_fetch_address(&m->config, core, code, (uint64_t)i * CORE_FETCH_INSTR_BYTES);
      if (mpu_copy_in(m, at, instr, sizeof instr, err)) return -1;
    }
  return 0;
}

/* Device memory for a function's code: whole lines, with one instruction behind the last, which
 * a warp may look up, too. */
static int place_code(mpu_t *m, mpu_loaded_t *l, uint32_t f, trouble_t *err) {
  const uint32_t instrs = l->kernels[f]->simt->num_ops + 1;
  const uint64_t line = GPU_LINE_BYTES, bytes = ((uint64_t)instrs * CORE_FETCH_INSTR_BYTES + line - 1) / line * line,
                 piece = m->config.core_bytes;
  const uint64_t all = m->config.l1i_copies ? (bytes + piece - 1) / piece * mpu_map_stripe(m->shared.map) : bytes;
  return (l->code[f] = mpu_malloc(m, all, err)) ? write_code(m, l->code[f], f, instrs, err) : -1;
}

static int place_all_code(mpu_t *m, mpu_loaded_t *l, trouble_t *err) {
  if (m->config.l1i_ideal) return 0;
  if (!(l->code = calloc(l->module->num_funcs + 1, sizeof *l->code)))
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  for (uint32_t f = 0; f < l->module->num_funcs; f++)
    if (l->kernels[f] && place_code(m, l, f, err)) return -1;
  return 0;
}

static int load_functions(mpu_t *m, mpu_loaded_t *l, trouble_t *err) {
  const ptx_module_t *module = l->module;
  l->kernels = calloc(module->num_funcs + 1, sizeof *l->kernels);
  if (!l->kernels) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  m->loaded = l;
  if (simt_variables_load(&l->variables, module, &(simt_store_t){m, allocate_variables, copy_variables}, err))
    return -1;
  for (uint32_t f = 0; f < module->num_funcs; f++) {
    if (!module->funcs[f].is_kernel || !module->funcs[f].defined) continue;
    trouble_t why = {0};
    l->kernels[f] = compile_mpu_kernel(m, module, &module->funcs[f], &why);
    if (!l->kernels[f] && why.kind != TROUBLE_INPUT) return trouble_fail(err, why.kind, "%s", why.text);
  }
  return place_all_code(m, l, err);
}

int mpu_load_also(mpu_t *m, const ptx_module_t *module, trouble_t *err) {
  if (mpu_running(m))
    return trouble_fail(err, TROUBLE_INPUT, "a module cannot be loaded while a kernel runs; wait for its end");
  mpu_loaded_t *l = calloc(1, sizeof *l);
  if (!l) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  *l = (mpu_loaded_t){.next = m->modules, .module = module};
  m->modules = l;
  if (!load_functions(m, l, err)) return 0;
  unload_module(m, l);
  return -1;
}

int mpu_load(mpu_t *m, const ptx_module_t *module, trouble_t *err) {
  if (!mpu_running(m)) unload_all(m);
  return mpu_load_also(m, module, err);
}

static mpu_loaded_t *find_module(const mpu_t *m, const ptx_module_t *module) {
  mpu_loaded_t *l = m->modules;
  while (l && l->module != module) l = l->next;
  return l;
}

void mpu_unload(mpu_t *m, const ptx_module_t *module) {
  trouble_t ignored = {0};
  mpu_loaded_t *l = find_module(m, module);
  if (!l) return;
  if (l->variables.global_base) mpu_release(m, l->variables.global_base, &ignored);
  unload_module(m, l);
}

int mpu_select(mpu_t *m, const ptx_module_t *module, trouble_t *err) {
  mpu_loaded_t *l = find_module(m, module);
  if (!l) return trouble_fail(err, TROUBLE_INPUT, "%s is not loaded", module->file);
  m->loaded = l;
  return 0;
}

simt_variables_t *mpu_variables(mpu_t *m, const ptx_module_t *module) {
  mpu_loaded_t *l = find_module(m, module);
  return l ? &l->variables : NULL;
}

/* ---- Launch ---------------------------------------------------------------------------------- */

/* Blocks that fit in a core at once, by warp slots, rows of both register files and shared
 * memory. 0 and err: not one. */
static unsigned blocks_per_core(const mpu_t *m, const mpu_kernel_t *k, uint32_t warps, uint64_t shared,
                                trouble_t *err) {
  const mpu_config_t *c = &m->config;
  uint32_t each = (warps + MPU_SUBCORES - 1) / MPU_SUBCORES;                /* warps of a subcore */
  const uint32_t near_rows = k->near_rows + (k->near_predicates + 31) / 32; /* predicates are bits of a row */
  const uint32_t most = each < MPU_MAX_WARPS ? each : MPU_MAX_WARPS;        /* that can be had */
  uint32_t far = (c->ponb ? k->rows : k->far_rows) * each, near = c->ponb ? 0 : near_rows * each;
  uint32_t far_most = c->far_rf_bytes / MPU_ROW_BYTES, near_most = c->near_rf_bytes / MPU_ROW_BYTES;
  const simt_limit_t limits[] = {
      simt_limit(each, c->warps, "a block of %u warps is more than the %u of a core; with mpu.warps=%u it has %u",
                 warps, c->warps * MPU_SUBCORES, most, most * MPU_SUBCORES),
      simt_limit(
          far, far_most,
          "a block of %u warps with %u far-bank registers a thread needs %u rows of a subcore's register file, which "
          "has %u",
          warps, far / each, far, far_most),
      simt_limit(
          near, near_most,
          "a block of %u warps with %u near-bank registers a thread needs %u rows of a near-bank unit's register "
          "file, which has %u",
          warps, near / each, near, near_most),
      simt_limit((shared + 127) / 128 * 128, c->smem_bytes,
                 "a block needs %" PRIu64 " bytes of shared memory, more than the %u of a core", shared,
                 c->smem_bytes)};
  return simt_occupancy(k->simt, limits, sizeof limits / sizeof *limits, c->blocks, err);
}

/* By name. A kernel that could not be compiled when its module was loaded says here why. */
static const mpu_kernel_t *find_kernel(const mpu_t *m, const mpu_loaded_t *l, const char *name, trouble_t *err) {
  const ptx_func_t *f = l ? ptx_find_kernel(l->module, name) : NULL;
  if (f && l->kernels[f - l->module->funcs]) return l->kernels[f - l->module->funcs];
  if (f) return compile_mpu_kernel(m, l->module, f, err); /* NULL again: err says why */
  trouble_fail(err, TROUBLE_INPUT, "no kernel %s in %s", name ? name : "(of one)",
               l ? l->module->file : "the module: none is loaded");
  return NULL;
}

unsigned mpu_occupancy(const mpu_t *m, const mpu_launch_t *l, uint32_t *registers, trouble_t *err) {
  const mpu_kernel_t *k = find_kernel(m, m->loaded, l->kernel, err);
  if (!k) return 0;
  *registers = k->simt->hw_regs;
  return blocks_per_core(m, k, simt_launch_warps(l), simt_launch_shared(l, k->simt), err);
}

/* Blocks of each core, if all get the same number. */
static uint64_t even_share(const mpu_t *m) {
  return (m->run.simt.num_blocks + m->cores - 1) / m->cores;
}

/* The grid's words do not reach all cores: blocks are shared out evenly. */
static bool is_small_grid(const mpu_t *m) {
  return m->run.simt.num_blocks * m->run.simt.threads * 4 < mpu_map_stripe(m->shared.map);
}

/* By address a block goes to the core that has its first word. If several cores have words of a
 * block, they get blocks in turn, another one first in each round of the cores. */
static uint64_t next_by_address(const mpu_t *m, unsigned core, uint64_t b) {
  const mpu_map_t map = m->shared.map;
  const uint64_t blocks = m->run.simt.num_blocks, bytes = (uint64_t)m->run.simt.threads * 4,
                 stripe = mpu_map_stripe(map), piece = m->config.core_bytes;
  const uint64_t span = (bytes + piece - 1) / piece; /* cores that have words of a block */
  for (uint64_t round = b * bytes / stripe; round * stripe < blocks * bytes; round++) {
    /* has the first word of what is this core's in this round */
    const uint64_t first = (core + m->cores - round % span % m->cores) % m->cores;
    const uint64_t begin = round * stripe + first * piece, at = (begin + bytes - 1) / bytes, next = at > b ? at : b;
    if (next < blocks && next * bytes < begin + piece) return next;
  }
  return blocks;
}

/* The core's first block from number `b` on; num_blocks: none. */
static uint64_t next_block_of(const mpu_t *m, unsigned core, uint64_t b) {
  const uint64_t blocks = m->run.simt.num_blocks;
  if (m->config.blocks_to == MPU_BLOCKS_BY_NUMBER) {
    b += (core + m->cores - b % m->cores) % m->cores;
    return b < blocks ? b : blocks;
  }
  if (!is_small_grid(m)) return next_by_address(m, core, b);
  if (b < core * even_share(m)) b = core * even_share(m);
  return b < blocks && b / even_share(m) == core ? b : blocks;
}

/* Local memory is at the end of each near-bank unit: rows of 32 words for every warp slot. Whole
 * pieces of the units are taken, so that the memory is one range of device addresses. */
static int place_local(mpu_t *m, const mpu_kernel_t *k, trouble_t *err) {
  const mpu_config_t *c = &m->config;
  const uint64_t thread = c->local_ideal ? 0 : simt_stack_bytes(k->simt, c->stack), words = (thread + 3) / 4;
  const uint64_t unit = 1ull << MPU_UNIT_BITS,
                 whole = c->core_bytes / MPU_SUBCORES > MPU_ROW_BYTES ? c->core_bytes / MPU_SUBCORES : MPU_ROW_BYTES;
  const uint64_t bytes = (c->warps * words * MPU_ROW_BYTES + whole - 1) / whole * whole,
                 all = mpu_map_bytes(m->shared.map);
  const mpu_range_t *last = m->num_ranges ? &m->range[m->num_ranges - 1] : NULL;
  const uint64_t from = bytes < unit ? all - bytes * MPU_SUBCORES * m->cores : 0;
  if (from < (last ? last->start + last->bytes : mpu_map_stripe(m->shared.map)))
    return trouble_fail(err, TROUBLE_INPUT,
                        "kernel %s: %" PRIu64 " bytes of local memory a thread take the last %" PRIu64
                        " MB of memory, and not so much is free; use a smaller problem",
                        k->simt->func->name, thread, (bytes * MPU_SUBCORES * m->cores + (1 << 20) - 1) >> 20);
  m->local_from = from;
  if (from < m->local_first) m->local_first = from;
  m->run.local_words = (uint32_t)words, m->run.local_at = (uint32_t)(unit - bytes);
  return 0;
}

/* A copy of the module's constants as the host has them now, if the kernel loads any from
 * memory. */
static int place_constants(mpu_t *m, mpu_loaded_t *l, const mpu_kernel_t *k, trouble_t *err) {
  const uint64_t bytes = l->module->const_bytes;
  m->run.constants = 0;
  if (m->config.constant_ideal || !bytes || !simt_reads_constants(k->simt)) return 0;
  if (!l->constants && !(l->constants = mpu_malloc(m, bytes, err))) return -1;
  m->run.constants = l->constants;
  return mpu_copy_in(m, l->constants, l->variables.const_segment, bytes, err);
}

int mpu_launch(mpu_t *m, const mpu_launch_t *l, trouble_t *err) {
  mpu_run_t *r = &m->run;
  if (mpu_running(m))
    return trouble_fail(err, TROUBLE_INPUT, "a kernel cannot be launched while another runs; wait for its end");
  mpu_loaded_t *loaded = m->loaded;
  const mpu_kernel_t *k = find_kernel(m, loaded, l->kernel, err);
  if (!k || simt_check_launch(l, k->simt->func, err)) return -1;
  const unsigned blocks = blocks_per_core(m, k, simt_launch_warps(l), simt_launch_shared(l, k->simt), err);
  if (!blocks || place_constants(m, loaded, k, err) || place_local(m, k, err)) return -1;
  simt_run_begin(&r->simt, k->simt, l);
  r->kernel = k, r->blocks = blocks;
  r->code_id = (uint32_t)(k->simt->func - loaded->module->funcs), r->code = loaded->code ? loaded->code[r->code_id] : 0;
  if (simt_run_operands(&r->simt, l, &loaded->variables))
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  size_t each = core_file_bytes(&m->core[0]);
  if (each * m->cores > m->file_bytes) {
    free(m->files);
    m->files = allocate_large_pages(m->file_bytes = each * m->cores);
  }
  if (!m->files) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory for the cores");
  for (unsigned c = 0; c < m->cores; c++) {
    core_start(&m->core[c], m->files + c * each);
    m->next_block[c] = next_block_of(m, c, 0);
  }
  m->done = 0;
  m->running = true;
  return 0;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Gives core c its next block, if it takes one. */
static void hand_out_block(mpu_t *m, unsigned c) {
  core_t *core = &m->core[c];
  if (!core_takes_block(core)) return;
  core_add_block(core, m->next_block[c]);
  m->given[c / 64] |= UINT64_C(1) << c % 64;
  m->next_block[c] = next_block_of(m, c, m->next_block[c] + 1);
}

unsigned mpu_cores(const mpu_t *m) {
  return m->cores;
}

bool mpu_running(const mpu_t *m) {
  return m->running && !m->fault.kind;
}

const trouble_t *mpu_fault(const mpu_t *m) {
  return m->fault.kind ? &m->fault : NULL;
}

double mpu_progress(const mpu_t *m) {
  return m->run.simt.num_blocks ? (double)m->done / (double)m->run.simt.num_blocks : 0;
}

uint64_t mpu_now(const mpu_t *m) {
  return m->now;
}

/* Asks core_quiet, not core_idle: the cycle in which a kernel ends must not depend on the
 * engines. */
static bool are_cores_quiet(const mpu_t *m) {
  for (unsigned c = 0; c < m->cores; c++)
    if (!core_quiet(&m->core[c])) return false;
  return true;
}

void mpu_tick(mpu_t *m) {
  m->now++;
  memset(m->given, 0, sizeof m->given);
  if (!mpu_running(m)) return;
  m->cycles++;
  m->done = 0;
  for (unsigned c = 0; c < m->cores; c++) {
    core_t *core = &m->core[c];
    if (core->base.fault.kind && !m->fault.kind) m->fault = core->base.fault;
    if (m->next_block[c] < m->run.simt.num_blocks) hand_out_block(m, c);
    m->done += core->blocks_done;
  }
  if (m->done == m->run.simt.num_blocks && are_cores_quiet(m)) m->running = false;
}

uint64_t mpu_given(const mpu_t *m, unsigned word) {
  return m->given[word];
}

void mpu_core_tick(mpu_t *m, unsigned core) {
  if (!m->core[core].base.fault.kind) core_tick(&m->core[core]);
}

bool mpu_core_idle(const mpu_t *m, unsigned core) {
  return core_idle(&m->core[core]);
}

const mpu_packet_t *mpu_core_front(const mpu_t *m, unsigned core, unsigned cls) {
  return core_front(&m->core[core], cls);
}

void mpu_core_pop(mpu_t *m, unsigned core, unsigned cls) {
  core_pop(&m->core[core], cls);
}

bool mpu_core_can_push(const mpu_t *m, unsigned core, unsigned cls) {
  return core_can_push(&m->core[core], cls);
}

void mpu_core_push(mpu_t *m, unsigned core, unsigned cls, const mpu_packet_t *packet) {
  core_push(&m->core[core], cls, packet);
}
