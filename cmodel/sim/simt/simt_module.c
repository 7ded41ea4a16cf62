/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of a module, and checks of a launch.
 */
#include "simt_module.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "simt_call.h"

/* Address of a variable in an initialiser: in its own space, or generic. */
static uint64_t variable_address(const ptx_var_t *to, bool generic, uint64_t global_base) {
  if (to->space == PTX_SPACE_GLOBAL) return to->offset + global_base;
  if (generic && to->space == PTX_SPACE_CONST) return to->offset + SIMT_WINDOW_CONST;
  if (generic && to->space == PTX_SPACE_SHARED) return to->offset + SIMT_WINDOW_SHARED;
  return to->offset;
}

/* Initial bytes of a variable, with addresses resolved. -1: an address does not fit. */
static int fill_variable(const ptx_module_t *module, const ptx_var_t *v, uint64_t global_base, uint8_t *bytes,
                         trouble_t *err) {
  memset(bytes, 0, v->size);
  if (v->init) memcpy(bytes, v->init, v->size);
  for (uint32_t r = 0; r < v->num_relocs; r++) {
    const ptx_reloc_t *reloc = &v->relocs[r];
    uint64_t address = (uint64_t)reloc->addend;
    if (reloc->var != PTX_NONE) address += variable_address(&module->vars[reloc->var], reloc->generic, global_base);
    if (reloc->func != PTX_NONE) address += simt_function_address((uint32_t)reloc->func);
    /* a negative address wraps around at 2^32 */
    if (reloc->bytes == 4 && address >> 32 && address >> 32 != UINT32_MAX)
      return trouble_fail(err, TROUBLE_INPUT, "%s: variable %s: the address 0x%" PRIx64 " has more than 32 bits",
                          module->file, v->name, address);
    memcpy(bytes + reloc->at, &address, reloc->bytes);
  }
  return 0;
}

/* Puts a variable into the const segment or the machine's memory. */
static int load_variable(const simt_variables_t *all, const ptx_module_t *module, const ptx_var_t *v,
                         const simt_store_t *store, trouble_t *err) {
  uint8_t *bytes = malloc(v->size);
  if (!bytes) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  int status = fill_variable(module, v, all->global_base, bytes, err);
  if (status) {
    free(bytes);
    return status;
  }
  if (v->space == PTX_SPACE_CONST) memcpy(all->const_segment + v->offset, bytes, v->size);
  else status = store->copy_in(store->machine, all->global_base + v->offset, bytes, v->size, err);
  free(bytes);
  return status;
}

int simt_check_pointer(const ptx_module_t *module, uint64_t addr, uint64_t bytes, trouble_t *err) {
  const uint64_t end = UINT64_C(1) << 32;
  if (!module || module->address_bytes != 4 || (addr <= end && bytes <= end - addr)) return 0;
  return trouble_fail(err, TROUBLE_INPUT,
                      "%s: its pointers have 32 bits, and %" PRIu64 " bytes more end above 4 GB; use a smaller problem",
                      module->file, bytes);
}

int simt_variables_load(simt_variables_t *all, const ptx_module_t *module, const simt_store_t *store, trouble_t *err) {
  all->global_base = 0;
  if (module->global_bytes && !(all->global_base = store->allocate(store->machine, module->global_bytes, err)))
    return -1;
  if (module->global_bytes && simt_check_pointer(module, all->global_base, module->global_bytes, err)) return -1;
  all->const_segment = calloc(1, module->const_bytes + 1);
  if (!all->const_segment) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  for (uint32_t i = 0; i < module->num_vars; i++) {
    const ptx_var_t *v = &module->vars[i];
    if ((v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST) && v->size &&
        load_variable(all, module, v, store, err))
      return -1;
  }
  return 0;
}

const ptx_var_t *simt_reference(const ptx_module_t *module, const char *name) {
  for (uint32_t i = 0; i < module->num_vars; i++) {
    const ptx_var_t *v = &module->vars[i];
    const bool is = v->type == PTX_TEXREF || v->type == PTX_SAMPLERREF || v->type == PTX_SURFREF;
    if (is && v->space == PTX_SPACE_GLOBAL && v->func == PTX_NONE && !strcmp(v->name, name)) return v;
  }
  return NULL;
}

int simt_bind(simt_variables_t *all, const ptx_module_t *module, const char *reference, uint64_t handle,
              trouble_t *err) {
  const ptx_var_t *v = simt_reference(module, reference);
  if (!v)
    return trouble_fail(err, TROUBLE_INPUT, "%s: no texture or surface reference %.200s", module->file, reference);
  if (!all->reference && !(all->reference = calloc(module->num_vars, sizeof *all->reference)))
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  all->reference[v - module->vars] = handle;
  return 0;
}

void simt_variables_free(simt_variables_t *v) {
  free(v->reference);
  v->reference = NULL;
  free(v->const_segment);
  v->const_segment = NULL;
}

/* Products of sizes are checked by division, so they cannot overflow. */
int simt_check_launch(const simt_launch_t *l, const ptx_func_t *f, trouble_t *err) {
  uint64_t threads = 1, ctas = 1;
  for (unsigned i = 0; i < 3; i++) {
    if (!l->grid[i] || !l->block[i])
      return trouble_fail(err, TROUBLE_INPUT, "kernel %s: grid and block need at least 1 in each dimension", f->name);
    if (l->block[i] > (1u << 20) / threads || l->grid[i] > (UINT64_C(1) << 40) / ctas)
      return trouble_fail(err, TROUBLE_INPUT,
                          "kernel %s: grid or block is too large; 2^20 threads and 2^40 blocks are the most", f->name);
    threads *= l->block[i];
    ctas *= l->grid[i];
    if (f->reqntid[i] && f->reqntid[i] != l->block[i])
      return trouble_fail(err, TROUBLE_INPUT, "kernel %s: was compiled for blocks of %ux%ux%u threads", f->name,
                          f->reqntid[0], f->reqntid[1], f->reqntid[2]);
  }
  const uint64_t most = ptx_block_most(f);
  if (most && threads > most)
    return trouble_fail(err, TROUBLE_INPUT,
                        "kernel %s: was compiled for blocks of at most %" PRIu64 " threads (.maxntid), not %" PRIu64,
                        f->name, most, threads);
  if (l->param_bytes != f->param_bytes)
    return trouble_fail(err, TROUBLE_INPUT, "kernel %s: %zu bytes of parameters were given, it has %" PRIu64, f->name,
                        l->param_bytes, f->param_bytes);
  return 0;
}
