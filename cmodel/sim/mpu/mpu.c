/* SPDX-License-Identifier: Apache-2.0
 *
 * The top: launches, and which core gets which block of threads. Memory calls and modules are in
 * mpu_host.c.
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

void mpu_free(mpu_t *m) {
  if (!m) return;
  mpu_unload_all(m);
  for (unsigned c = 0; m->core && c < m->cores; c++) core_deinit(&m->core[c]);
  free(m->core);
  free(m->states);
  free(m->files);
  free(m->range);
  if (m->image) memory_image_free(m->image);
  free(m);
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
  if (f) return mpu_compile_kernel(m, l->module, f, err); /* NULL again: err says why */
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
