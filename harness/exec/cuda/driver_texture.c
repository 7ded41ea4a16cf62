/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: texture and surface objects, and references. What each is the simulator is told (WIRE_TEXTURE), and answers with a handle; it says what is
 * wrong with one. A reference is told of before the launch behind its last change.
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "context.h"

/* ---- what a texture is ---- */

static CUresult make(const rt_texture_t *t, uint64_t *handle) {
  wire_answer_t answer = {0};
  const CUresult result = device_ask(&(wire_request_t){.op = WIRE_TEXTURE, .size = sizeof *t}, t, NULL, 0, &answer);
  *handle = answer.value;
  return result;
}

static CUresult drop(uint64_t handle) {
  return device_ask(&(wire_request_t){.op = WIRE_TEXTURE_DROP, .a = {handle}}, NULL, NULL, 0, NULL);
}

static CUresult of_array(CUarray a, rt_texture_t *t) {
  if (!a) return CUDA_ERROR_INVALID_HANDLE;
  const bool layered = a->of.Flags & CUDA_ARRAY3D_LAYERED;
  t->kind = RT_TEXTURE_ARRAY;
  t->format = a->format, t->channels = a->of.NumChannels;
  t->width = (uint32_t)a->of.Width, t->height = (uint32_t)a->of.Height;
  t->depth = layered ? 0 : (uint32_t)a->of.Depth, t->layers = layered ? (uint32_t)a->of.Depth : 0;
  t->at = a->at, t->pitch = a->pitch, t->slice = a->pitch * a->rows;
  return CUDA_SUCCESS;
}

static CUresult of_format(CUarray_format format, unsigned channels, rt_texture_t *t) {
  t->channels = channels;
  return array_format(format, &t->format) && (channels == 1 || channels == 2 || channels == 4) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult of_linear(CUdeviceptr at, size_t bytes, rt_texture_t *t) {
  const uint64_t texels = bytes / rt_texture_texel(t);
  t->kind = RT_TEXTURE_LINEAR;
  t->at = at, t->width = texels < UINT32_MAX ? (uint32_t)texels : UINT32_MAX;
  t->height = t->depth = t->layers = 0;
  t->filter = RT_FILTER_POINT; /* which has no meaning there */
  return at % DEVICE_TEXTURE_ALIGNMENT ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult of_rows(CUdeviceptr at, size_t width, size_t height, size_t pitch, rt_texture_t *t) {
  t->kind = RT_TEXTURE_PITCH;
  t->at = at, t->width = (uint32_t)width, t->height = (uint32_t)height, t->pitch = pitch;
  t->depth = t->layers = 0;
  return at % DEVICE_TEXTURE_ALIGNMENT || !height || width > UINT32_MAX || height > UINT32_MAX ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult of_resource(const CUDA_RESOURCE_DESC *d, rt_texture_t *t) {
  CUresult result;
  if (d->flags) return CUDA_ERROR_INVALID_VALUE;
  switch (d->resType) {
  case CU_RESOURCE_TYPE_ARRAY: return of_array(d->res.array.hArray, t);
  case CU_RESOURCE_TYPE_LINEAR:
    result = of_format(d->res.linear.format, d->res.linear.numChannels, t);
    return result ? result : of_linear(d->res.linear.devPtr, d->res.linear.sizeInBytes, t);
  case CU_RESOURCE_TYPE_PITCH2D:
    result = of_format(d->res.pitch2D.format, d->res.pitch2D.numChannels, t);
    return result ? result : of_rows(d->res.pitch2D.devPtr, d->res.pitch2D.width, d->res.pitch2D.height, d->res.pitch2D.pitchInBytes, t);
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: return device_absent("a texture of a mipmapped array");
  default: return CUDA_ERROR_INVALID_VALUE;
  }
}

/* Whole numbers of 8 and 16 bits are read as numbers up to 1 unless it is said otherwise; those of 32 bits never. */
static CUresult of_flags(unsigned flags, rt_texture_t *t) {
  if (flags & CU_TRSF_SRGB) return device_absent("a texture of sRGB colours");
  t->normalized = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  t->unit = !(flags & CU_TRSF_READ_AS_INTEGER) && rt_texel_kind(t->format) != 'f' && rt_texel_bytes(t->format) <= 2;
  return CUDA_SUCCESS;
}

/* ---- objects ---- */

typedef struct object {
  struct object *next;
  uint64_t handle;
  bool surface;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
} object_t;

static object_t *objects;

/* Where it is linked in; context_lock is held. */
static object_t **find(uint64_t handle, bool surface) {
  object_t **at = &objects;
  while (*at && ((*at)->handle != handle || (*at)->surface != surface)) at = &(*at)->next;
  return at;
}

static CUresult keep(const rt_texture_t *t, const object_t *what, uint64_t *handle) {
  object_t *o = malloc(sizeof *o);
  if (!o) return CUDA_ERROR_OUT_OF_MEMORY;
  *o = *what;
  const CUresult result = make(t, &o->handle);
  if (result) {
    free(o);
    return result;
  }
  *handle = o->handle;
  pthread_mutex_lock(&context_lock);
  o->next = objects;
  objects = o;
  pthread_mutex_unlock(&context_lock);
  return CUDA_SUCCESS;
}

static CUresult destroy(uint64_t handle, bool surface) {
  pthread_mutex_lock(&context_lock);
  object_t **at = find(handle, surface), *o = *at;
  if (o) *at = o->next;
  pthread_mutex_unlock(&context_lock);
  free(o);
  return o ? drop(handle) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult look(uint64_t handle, bool surface, object_t *to) {
  pthread_mutex_lock(&context_lock);
  const object_t *o = *find(handle, surface);
  if (o) *to = *o;
  pthread_mutex_unlock(&context_lock);
  return o ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  rt_texture_t t = {0};
  NEED();
  if (!object || !resource || !texture) return CUDA_ERROR_INVALID_VALUE;
  if (view && view->format) return device_absent("a texture with a view of its array");
  for (unsigned d = 0; d < 3; d++) t.address[d] = texture->addressMode[d];
  memcpy(t.border, texture->borderColor, sizeof t.border);
  t.filter = texture->filterMode;
  CUresult result = of_resource(resource, &t);
  if (!result) result = of_flags(texture->flags, &t);
  return result ? result : keep(&t, &(object_t){.resource = *resource, .texture = *texture}, (uint64_t *)object);
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  NEED();
  return destroy(object, false);
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object) {
  object_t o;
  NEED();
  const CUresult result = resource ? look(object, false, &o) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *resource = o.resource;
  return result;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject object) {
  object_t o;
  NEED();
  const CUresult result = texture ? look(object, false, &o) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *texture = o.texture;
  return result;
}

/* ---- surfaces ---- */

static CUresult of_surface(CUarray a, rt_texture_t *t) {
  const CUresult result = of_array(a, t);
  t->kind = RT_SURFACE;
  return !result && !(a->of.Flags & CUDA_ARRAY3D_SURFACE_LDST) ? CUDA_ERROR_INVALID_VALUE : result;
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  rt_texture_t t = {0};
  NEED();
  if (!object || !resource || resource->flags || resource->resType != CU_RESOURCE_TYPE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = of_surface(resource->res.array.hArray, &t);
  return result ? result : keep(&t, &(object_t){.surface = true, .resource = *resource}, (uint64_t *)object);
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  NEED();
  return destroy(object, true);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object) {
  object_t o;
  NEED();
  const CUresult result = resource ? look(object, true, &o) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *resource = o.resource;
  return result;
}

/* ---- references ---- */

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

static CUtexref references;

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

static CUtexref find_reference(CUmodule module, const char *name, bool surface) {
  CUtexref r = references;
  while (r && (r->module != module || r->surface != surface || !r->name || strcmp(r->name, name) != 0)) r = r->next;
  return r;
}

/* Of this name, bound to what it was, or to a handle. surface: whether it is one. */
static CUresult bind(CUmodule module, const char *name, uint64_t handle, bool *surface) {
  wire_answer_t answer = {0};
  const CUresult result = device_ask(&(wire_request_t){.op = WIRE_BIND, .size = (uint32_t)strlen(name), .a = {module->number, handle}}, name, NULL, 0, &answer);
  if (surface) *surface = answer.value;
  return result;
}

static CUresult get_reference(CUtexref *reference, CUmodule module, const char *name, bool surface) {
  bool is_surface = false;
  if (!reference || !module || !name) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&context_lock);
  CUtexref r = find_reference(module, name, surface);
  CUresult result = r ? CUDA_SUCCESS : bind(module, name, 0, &is_surface);
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

CUresult cuTexRefCreate(CUtexref *reference) {
  NEED();
  if (!reference) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&context_lock);
  *reference = add_reference(NULL, NULL, false);
  pthread_mutex_unlock(&context_lock);
  return *reference ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* It is out of the list. */
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

static CUresult changed(CUtexref r, CUresult result, bool bound) {
  r->changed = true;
  if (bound) r->bound = !result;
  return result;
}

CUresult cuTexRefSetArray(CUtexref r, CUarray array, unsigned flags) {
  NEED();
  if (!r || flags != CU_TRSA_OVERRIDE_FORMAT) return CUDA_ERROR_INVALID_VALUE;
  r->array = array;
  if (array) return changed(r, of_array(array, &r->texture), true);
  r->bound = false, r->changed = true;
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetArray(CUarray *array, CUtexref r) {
  NEED();
  if (!array || !r || !r->bound || r->texture.kind != RT_TEXTURE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
  *array = r->array;
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetAddress_v2(size_t *offset, CUtexref r, CUdeviceptr address, size_t bytes) {
  NEED();
  const size_t behind = address % DEVICE_TEXTURE_ALIGNMENT;
  if (!r || (behind && !offset)) return CUDA_ERROR_INVALID_VALUE;
  if (offset) *offset = behind;
  return changed(r, of_linear(address - behind, bytes + behind, &r->texture), true);
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
  const CUresult result = of_format(d->Format, d->NumChannels, &r->texture);
  return result ? result : changed(r, of_rows(address, d->Width, d->Height, pitch, &r->texture), true);
}

CUresult cuTexRefSetFormat(CUtexref r, CUarray_format format, int channels) {
  NEED();
  return r ? changed(r, of_format(format, (unsigned)channels, &r->texture), false) : CUDA_ERROR_INVALID_VALUE;
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
  return changed(r, CUDA_SUCCESS, false);
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
  return changed(r, CUDA_SUCCESS, false);
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
  return changed(r, CUDA_SUCCESS, false);
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
  return changed(r, CUDA_SUCCESS, false);
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
  return changed(r, of_surface(array, &r->texture), true);
}

CUresult cuSurfRefGetArray(CUarray *array, CUsurfref surface) {
  CUtexref r = (CUtexref)surface;
  NEED();
  if (!array || !r || !r->bound) return CUDA_ERROR_INVALID_VALUE;
  *array = r->array;
  return CUDA_SUCCESS;
}

/* ---- launches ---- */

static CUresult rebind(CUtexref r) {
  uint64_t handle = 0;
  CUresult result = CUDA_SUCCESS;
  if (r->handle) drop(r->handle);
  r->handle = 0;
  if (r->bound && !r->surface) result = of_flags(r->flags, &r->texture);
  if (r->bound && !result) result = make(&r->texture, &handle);
  if (!result) result = bind(r->module, r->name, handle, NULL);
  if (result) return result;
  r->handle = handle;
  r->changed = false;
  return CUDA_SUCCESS;
}

CUresult texture_bind_all(void) {
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock(&context_lock);
  for (CUtexref r = references; r && !result; r = r->next)
    if (r->changed && r->module) result = rebind(r);
  pthread_mutex_unlock(&context_lock);
  return result;
}

void texture_forget_module(CUmodule module) {
  pthread_mutex_lock(&context_lock);
  for (CUtexref *at = &references; *at;) {
    CUtexref r = *at;
    if (r->module != module) {
      at = &r->next;
      continue;
    }
    *at = r->next;
    if (r->handle) drop(r->handle);
    free_reference(r);
  }
  pthread_mutex_unlock(&context_lock);
}

void texture_forget_all(void) {
  pthread_mutex_lock(&context_lock);
  for (object_t *o; (o = objects);) {
    objects = o->next;
    free(o);
  }
  for (CUtexref r; (r = references);) {
    references = r->next;
    free_reference(r);
  }
  pthread_mutex_unlock(&context_lock);
}
