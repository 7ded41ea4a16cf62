/* SPDX-License-Identifier: Apache-2.0
 *
 * Loaded modules: decoded kernels, variables, samplers and code in GPU memory.
 */
#include "gpu_modules.h"

#include <stdlib.h>

#include "l1i.h"
#include "simt_memory.h"

/* Puts a function's code into memory. An instruction's 8 bytes are its number and its
 * function's. */
static int place_code(const gpu_modules_t *m, gpu_loaded_t *l, uint32_t f, trouble_t *err) {
  const uint32_t number = l->kernels[f]->num_ops;
  const size_t bytes = (size_t)(number + 1) * L1I_INSTR_BYTES; /* one behind the last is looked up, too */
  uint32_t(*code)[2] = calloc(number + 1, sizeof *code);
  if (!code) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  for (uint32_t i = 0; i <= number; i++) code[i][0] = i, code[i][1] = f;
  const bool bad = !(l->code[f] = m->store.allocate(m->store.machine, bytes, err)) ||
                   m->store.copy_in(m->store.machine, l->code[f], code, bytes, err);
  free(code);
  return bad ? -1 : 0;
}

static int place_all_code(const gpu_modules_t *m, gpu_loaded_t *l, trouble_t *err) {
  if (m->ideal_fetch) return 0;
  if (!(l->code = calloc(l->module->num_funcs + 1, sizeof *l->code)))
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  for (uint32_t f = 0; f < l->module->num_funcs; f++)
    if (l->kernels[f] && place_code(m, l, f, err)) return -1;
  return 0;
}

int gpu_modules_constants(const gpu_modules_t *m, gpu_loaded_t *l, const simt_kernel_t *k, trouble_t *err) {
  const uint64_t bytes = l->module->const_bytes;
  if (m->ideal_constants || !bytes || !simt_reads_constants(k)) return 0;
  if (!l->constants && !(l->constants = m->store.allocate(m->store.machine, bytes, err))) return -1;
  return m->store.copy_in(m->store.machine, l->constants, l->variables.const_segment, bytes, err);
}

/* A declared sampler. PTX's clamp_ogl uses half the border colour; here it clamps to the edge. */
static rt_texture_t sampler_of(const ptx_sampler_t *s) {
  static const uint8_t modes[] = {[PTX_WRAP] = RT_ADDRESS_WRAP,
                                  [PTX_MIRROR] = RT_ADDRESS_MIRROR,
                                  [PTX_CLAMP_OGL] = RT_ADDRESS_CLAMP,
                                  [PTX_CLAMP_TO_EDGE] = RT_ADDRESS_CLAMP,
                                  [PTX_CLAMP_TO_BORDER] = RT_ADDRESS_BORDER};
  rt_texture_t t = {
      .kind = RT_SAMPLER, .filter = s->linear ? RT_FILTER_LINEAR : RT_FILTER_POINT, .normalized = !s->unnormalized};
  for (unsigned i = 0; i < 3; i++) t.address[i] = modes[s->address[i]];
  return t;
}

/* Binds the samplers that the module declares. The host may bind others later. */
static int place_samplers(const gpu_modules_t *m, gpu_loaded_t *l, trouble_t *err) {
  for (uint32_t i = 0; i < l->module->num_vars; i++) {
    const ptx_var_t *v = &l->module->vars[i];
    if (!v->sampler) continue;
    if (!l->samplers && !(l->samplers = calloc(l->module->num_vars, sizeof *l->samplers)))
      return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
    const rt_texture_t t = sampler_of(v->sampler);
    if (texture_table_add(m->textures, &t, &l->samplers[i], err) ||
        simt_bind(&l->variables, l->module, v->name, l->samplers[i], err))
      return -1;
  }
  return 0;
}

/* Drops the handles of declared samplers. */
static void drop_samplers(const gpu_modules_t *m, const gpu_loaded_t *l) {
  trouble_t err = {0};
  for (uint32_t i = 0; l->samplers && i < l->module->num_vars; i++)
    if (l->samplers[i]) texture_table_drop(m->textures, l->samplers[i], &err);
}

/* A kernel that the SMs cannot execute stays NULL, and fails only if it is launched. */
static int decode_kernel(gpu_loaded_t *l, uint32_t f, trouble_t *err) {
  trouble_t why = {0};
  l->kernels[f] = simt_decode(l->module, &l->module->funcs[f], &why);
  return l->kernels[f] || why.kind == TROUBLE_INPUT ? 0 : trouble_fail(err, why.kind, "%s", why.text);
}

/* Without a current module nothing can be launched, so a failure leaves none. */
int gpu_modules_select(gpu_modules_t *m, gpu_loaded_t *l, trouble_t *err) {
  if (m->current == l) return 0;
  m->current = NULL;
  if (m->die && m->policy->load(m->die, l->module, l->blocks, err)) return -1;
  m->current = l;
  return 0;
}

/* Fills in a module. -1 with err; gpu_modules_drop frees. */
static int fill_module(gpu_modules_t *m, gpu_loaded_t *l, trouble_t *err) {
  l->kernels = calloc(l->module->num_funcs + 1, sizeof *l->kernels);
  if (!l->kernels) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  if (simt_variables_load(&l->variables, l->module, &m->store, err) || place_samplers(m, l, err)) return -1;
  for (uint32_t f = 0; f < l->module->num_funcs; f++)
    if (l->module->funcs[f].is_kernel && l->module->funcs[f].defined && decode_kernel(l, f, err)) return -1;
  return place_all_code(m, l, err) ? -1 : gpu_modules_select(m, l, err);
}

int gpu_modules_add(gpu_modules_t *m, const ptx_module_t *module, const void *blocks, trouble_t *err) {
  gpu_loaded_t *l = calloc(1, sizeof *l);
  if (!l) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  *l = (gpu_loaded_t){.next = m->first, .module = module, .blocks = blocks};
  m->first = l;
  if (!fill_module(m, l, err)) return 0;
  gpu_modules_drop(m, l);
  return -1;
}

void gpu_modules_drop(gpu_modules_t *m, gpu_loaded_t *l) {
  gpu_loaded_t **at = &m->first;
  while (*at != l) at = &(*at)->next;
  *at = l->next;
  if (m->current == l) m->current = NULL;
  if (m->die && l->blocks && m->policy->forget) m->policy->forget(m->die, l->blocks);
  for (uint32_t f = 0; l->kernels && f < l->module->num_funcs; f++) simt_kernel_free(l->kernels[f]);
  for (uint32_t f = 0; l->code && f < l->module->num_funcs; f++) page_table_release(m->pages, l->code[f]);
  if (l->constants) page_table_release(m->pages, l->constants);
  drop_samplers(m, l);
  free(l->samplers);
  free(l->code);
  free(l->kernels);
  simt_variables_free(&l->variables);
  free(l);
}

gpu_loaded_t *gpu_modules_find(const gpu_modules_t *m, const ptx_module_t *module) {
  gpu_loaded_t *l = m->first;
  while (l && l->module != module) l = l->next;
  return l;
}

/* A kernel that could not be decoded is decoded again, for the reason. */
const simt_kernel_t *gpu_modules_kernel(const gpu_loaded_t *l, const char *name, trouble_t *err) {
  const ptx_func_t *f = l ? ptx_find_kernel(l->module, name) : NULL;
  if (f && l->kernels[f - l->module->funcs]) return l->kernels[f - l->module->funcs];
  if (f) return simt_decode(l->module, f, err); /* NULL again: err says why */
  trouble_fail(err, TROUBLE_INPUT, "no kernel %s in %s", name ? name : "(of one)",
               l ? l->module->file : "the module: none is loaded");
  return NULL;
}
