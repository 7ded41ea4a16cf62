/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: texture and surface references of modules. Their state is here. The simulator
 * gets a changed state as a texture before the next launch. Then the module's reference is bound
 * to the texture's handle (WIRE_BIND).
 *
 *   cuTexRefSet... --> state, changed --reference_bind_all--> handle, bound in the module
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "context.h"

struct CUtexref_st {
  struct CUtexref_st *next;
  CUmodule module; /* NULL: of none (cuTexRefCreate) */
  char *name;
  rt_texture_t texture;
  unsigned flags;
  CUarray array;
  bool surface, bound, changed;
  uint64_t handle; /* that the module's is bound to; 0: none */
};

/* All that programs asked for. context_lock protects the list. */
static CUtexref references;

/* A texture of one float32 channel until the program says more. context_lock is held. */
static CUtexref add_reference(CUmodule module, const char *name, bool surface) {
  CUtexref r = calloc(1, sizeof *r);
  if (!r || (name && !(r->name = strdup(name)))) {
    free(r);
    return NULL;
  }
  r->module = module, r->surface = surface;
  r->texture.format = RT_TEXEL_f32, r->texture.channels = 1;
  r->next = references;
  references = r;
  return r;
}

/* NULL: the program has not asked for it yet. context_lock is held. */
static CUtexref find_reference(CUmodule module, const char *name, bool surface) {
  CUtexref r = references;
  while (r && (r->module != module || r->surface != surface || !r->name || strcmp(r->name, name) != 0)) r = r->next;
  return r;
}

/* Binds the module's reference of this name to a handle, 0: to none. *surface, if not NULL: is it a
 * surface reference? */
static CUresult bind_reference(CUmodule module, const char *name, uint64_t handle, bool *surface) {
  wire_answer_t answer = {0};
  const CUresult result =
      device_ask(&(wire_request_t){.op = WIRE_BIND, .size = (uint32_t)strlen(name), .a = {module->number, handle}},
                 name, NULL, 0, &answer);
  if (surface) *surface = answer.value;
  return result;
}

/* The reference of a module, which the simulator must know by name and as the right kind. */
static CUresult get_reference(CUtexref *reference, CUmodule module, const char *name, bool surface) {
  bool is_surface = false;
  if (!reference || !module || !name) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&context_lock);
  CUtexref r = find_reference(module, name, surface);
  CUresult result = r ? CUDA_SUCCESS : bind_reference(module, name, 0, &is_surface);
  if (!result && !r && is_surface != surface) result = CUDA_ERROR_NOT_FOUND;
  if (!result && !r && !(r = add_reference(module, name, surface))) result = CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_unlock(&context_lock);
  if (!result) *reference = r;
  return result;
}

CUresult cuModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name) {
  NEED();
  return get_reference(reference, module, name, false);
}

CUresult cuModuleGetSurfRef(CUsurfref *reference, CUmodule module, const char *name) {
  NEED();
  return get_reference((CUtexref *)reference, module, name, true);
}

/* A reference of no module: it keeps settings and can never be bound. */
CUresult cuTexRefCreate(CUtexref *reference) {
  NEED();
  if (!reference) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&context_lock);
  *reference = add_reference(NULL, NULL, false);
  pthread_mutex_unlock(&context_lock);
  return *reference ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* It must be out of the list. */
static void free_reference(CUtexref r) {
  free(r->name);
  free(r);
}

CUresult cuTexRefDestroy(CUtexref reference) {
  NEED();
  if (!reference || reference->module) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&context_lock);
  CUtexref *at = &references;
  while (*at && *at != reference) at = &(*at)->next;
  const bool found = *at != NULL;
  if (found) *at = reference->next;
  pthread_mutex_unlock(&context_lock);
  if (found) free_reference(reference);
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- what a reference is bound to ---- */

/* The simulator hears of it before the next launch. bound: the reference is bound now, if result
 * says so. */
static CUresult note_change(CUtexref r, CUresult result, bool bound) {
  r->changed = true;
  if (bound) r->bound = !result;
  return result;
}

/* array NULL unbinds the reference. */
CUresult cuTexRefSetArray(CUtexref r, CUarray array, unsigned flags) {
  NEED();
  if (!r || flags != CU_TRSA_OVERRIDE_FORMAT) return CUDA_ERROR_INVALID_VALUE;
  r->array = array;
  if (array) return note_change(r, texture_of_array(array, &r->texture), true);
  r->bound = false, r->changed = true;
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetArray(CUarray *array, CUtexref r) {
  NEED();
  if (!array || !r || !r->bound || r->texture.kind != RT_TEXTURE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
  *array = r->array;
  return CUDA_SUCCESS;
}

/* A texture begins at a multiple of DEVICE_TEXTURE_ALIGNMENT. *offset is how far the address is
 * behind one. */
CUresult cuTexRefSetAddress_v2(size_t *offset, CUtexref r, CUdeviceptr address, size_t bytes) {
  NEED();
  const size_t behind = address % DEVICE_TEXTURE_ALIGNMENT;
  if (!r || (behind && !offset)) return CUDA_ERROR_INVALID_VALUE;
  if (offset) *offset = behind;
  return note_change(r, texture_of_linear(address - behind, bytes + behind, &r->texture), true);
}

CUresult cuTexRefGetAddress_v2(CUdeviceptr *address, CUtexref r) {
  NEED();
  if (!address || !r || !r->bound || r->texture.kind == RT_TEXTURE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
  *address = r->texture.at;
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetAddress2D_v3(CUtexref r, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr address, size_t pitch) {
  NEED();
  if (!r || !d) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = texture_of_format(d->Format, d->NumChannels, &r->texture);
  return result ? result : note_change(r, texture_of_rows(address, d->Width, d->Height, pitch, &r->texture), true);
}

/* Counts for linear memory that is bound afterwards. */
CUresult cuTexRefSetFormat(CUtexref r, CUarray_format format, int channels) {
  NEED();
  return r ? note_change(r, texture_of_format(format, (unsigned)channels, &r->texture), false)
           : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref r) {
  static const CUarray_format numbers[] = {
#define TEXEL(name, bytes, kind, number, whole, unit) (CUarray_format) number,
#include "texture_formats.def"
#undef TEXEL
  };
  NEED();
  if (!r) return CUDA_ERROR_INVALID_VALUE;
  if (format) *format = numbers[r->texture.format];
  if (channels) *channels = (int)r->texture.channels;
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetAddressMode(CUtexref r, int dim, CUaddress_mode mode) {
  NEED();
  if (!r || dim < 0 || dim > 2 || (unsigned)mode >= RT_ADDRESSES) return CUDA_ERROR_INVALID_VALUE;
  r->texture.address[dim] = mode;
  return note_change(r, CUDA_SUCCESS, false);
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref r, int dim) {
  NEED();
  if (!mode || !r || dim < 0 || dim > 2) return CUDA_ERROR_INVALID_VALUE;
  *mode = (CUaddress_mode)r->texture.address[dim];
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetFilterMode(CUtexref r, CUfilter_mode mode) {
  NEED();
  if (!r || (unsigned)mode >= RT_FILTERS) return CUDA_ERROR_INVALID_VALUE;
  r->texture.filter = mode;
  return note_change(r, CUDA_SUCCESS, false);
}

CUresult cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref r) {
  NEED();
  if (!mode || !r) return CUDA_ERROR_INVALID_VALUE;
  *mode = (CUfilter_mode)r->texture.filter;
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetFlags(CUtexref r, unsigned flags) {
  NEED();
  if (!r) return CUDA_ERROR_INVALID_VALUE;
  r->flags = flags;
  return note_change(r, CUDA_SUCCESS, false);
}

CUresult cuTexRefGetFlags(unsigned *flags, CUtexref r) {
  NEED();
  if (!flags || !r) return CUDA_ERROR_INVALID_VALUE;
  *flags = r->flags;
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetBorderColor(CUtexref r, float *colour) {
  NEED();
  if (!r || !colour) return CUDA_ERROR_INVALID_VALUE;
  memcpy(r->texture.border, colour, sizeof r->texture.border);
  return note_change(r, CUDA_SUCCESS, false);
}

CUresult cuTexRefGetBorderColor(float *colour, CUtexref r) {
  NEED();
  if (!r || !colour) return CUDA_ERROR_INVALID_VALUE;
  memcpy(colour, r->texture.border, sizeof r->texture.border);
  return CUDA_SUCCESS;
}

CUresult cuSurfRefSetArray(CUsurfref surface, CUarray array, unsigned flags) {
  CUtexref r = (CUtexref)surface;
  NEED();
  if (!r || !r->surface || flags) return CUDA_ERROR_INVALID_VALUE;
  r->array = array;
  return note_change(r, texture_of_surface(array, &r->texture), true);
}

CUresult cuSurfRefGetArray(CUarray *array, CUsurfref surface) {
  CUtexref r = (CUtexref)surface;
  NEED();
  if (!array || !r || !r->bound) return CUDA_ERROR_INVALID_VALUE;
  *array = r->array;
  return CUDA_SUCCESS;
}

/* ---- launches ---- */

/* A new texture of the present state takes the place of the one bound before. */
static CUresult rebind_reference(CUtexref r) {
  uint64_t handle = 0;
  CUresult result = CUDA_SUCCESS;
  if (r->handle) texture_drop(r->handle);
  r->handle = 0;
  if (r->bound && !r->surface) result = texture_of_flags(r->flags, &r->texture);
  if (r->bound && !result) result = texture_make(&r->texture, &handle);
  if (!result) result = bind_reference(r->module, r->name, handle, NULL);
  if (result) return result;
  r->handle = handle;
  r->changed = false;
  return CUDA_SUCCESS;
}

/* Stops at the first that cannot be bound; the launch then fails with its error. */
CUresult reference_bind_all(void) {
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock(&context_lock);
  for (CUtexref r = references; r && !result; r = r->next)
    if (r->changed && r->module) result = rebind_reference(r);
  pthread_mutex_unlock(&context_lock);
  return result;
}

/* References of a module end with it. */
void reference_forget_module(CUmodule module) {
  pthread_mutex_lock(&context_lock);
  for (CUtexref *at = &references; *at;) {
    CUtexref r = *at;
    if (r->module != module) {
      at = &r->next;
      continue;
    }
    *at = r->next;
    if (r->handle) texture_drop(r->handle);
    free_reference(r);
  }
  pthread_mutex_unlock(&context_lock);
}

void reference_forget_all(void) {
  pthread_mutex_lock(&context_lock);
  for (CUtexref r; (r = references);) {
    references = r->next;
    free_reference(r);
  }
  pthread_mutex_unlock(&context_lock);
}
