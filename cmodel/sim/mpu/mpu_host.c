/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host calls of a machine before a launch: memory and modules.
 */
#include "mpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "mpu_state.h"

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

void mpu_unload_all(mpu_t *m) {
  while (m->modules) unload_module(m, m->modules);
}

static uint64_t allocate_variables(void *machine, uint64_t bytes, trouble_t *err) {
  return mpu_malloc(machine, bytes, err);
}

static int copy_variables(void *machine, uint64_t addr, const void *data, size_t bytes, trouble_t *err) {
  return mpu_copy_in(machine, addr, data, bytes, err);
}

mpu_kernel_t *mpu_compile_kernel(const mpu_t *m, const ptx_module_t *module, const ptx_func_t *func, trouble_t *err) {
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
    l->kernels[f] = mpu_compile_kernel(m, module, &module->funcs[f], &why);
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
  if (!mpu_running(m)) mpu_unload_all(m);
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
