/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: texture and surface objects. The simulator is told what each is (WIRE_TEXTURE),
 * checks it, and answers with a handle. The handle is the object.
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "context.h"

/* ---- what a texture is ---- */

CUresult texture_make(const rt_texture_t *t, uint64_t *handle) {
  wire_answer_t answer = {0};
  const CUresult result = device_ask(&(wire_request_t){.op = WIRE_TEXTURE, .size = sizeof *t}, t, NULL, 0, &answer);
  *handle = answer.value;
  return result;
}

CUresult texture_drop(uint64_t handle) {
  return device_ask(&(wire_request_t){.op = WIRE_TEXTURE_DROP, .a = {handle}}, NULL, NULL, 0, NULL);
}

/* The depth of a layered array is its number of layers. */
CUresult texture_of_array(CUarray a, rt_texture_t *t) {
  if (!a) return CUDA_ERROR_INVALID_HANDLE;
  const bool layered = a->of.Flags & CUDA_ARRAY3D_LAYERED;
  t->kind = RT_TEXTURE_ARRAY;
  t->format = a->format, t->channels = a->of.NumChannels;
  t->width = (uint32_t)a->of.Width, t->height = (uint32_t)a->of.Height;
  t->depth = layered ? 0 : (uint32_t)a->of.Depth, t->layers = layered ? (uint32_t)a->of.Depth : 0;
  t->at = a->at, t->pitch = a->pitch, t->slice = a->pitch * a->rows;
  return CUDA_SUCCESS;
}

CUresult texture_of_format(CUarray_format format, unsigned channels, rt_texture_t *t) {
  t->channels = channels;
  return array_format(format, &t->format) && (channels == 1 || channels == 2 || channels == 4)
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}

/* The width is what fits into `bytes`, at most 2^32 - 1 texels. */
CUresult texture_of_linear(CUdeviceptr at, size_t bytes, rt_texture_t *t) {
  const uint64_t texels = bytes / rt_texture_texel(t);
  t->kind = RT_TEXTURE_LINEAR;
  t->at = at, t->width = texels < UINT32_MAX ? (uint32_t)texels : UINT32_MAX;
  t->height = t->depth = t->layers = 0;
  t->filter = RT_FILTER_POINT; /* which has no meaning there */
  return at % DEVICE_TEXTURE_ALIGNMENT ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* Address and sizes must be what the device's texture units take. */
CUresult texture_of_rows(CUdeviceptr at, size_t width, size_t height, size_t pitch, rt_texture_t *t) {
  t->kind = RT_TEXTURE_PITCH;
  t->at = at, t->width = (uint32_t)width, t->height = (uint32_t)height, t->pitch = pitch;
  t->depth = t->layers = 0;
  return at % DEVICE_TEXTURE_ALIGNMENT || !height || width > UINT32_MAX || height > UINT32_MAX
             ? CUDA_ERROR_INVALID_VALUE
             : CUDA_SUCCESS;
}

/* Where the texels are. Mipmapped arrays are refused. */
static CUresult texture_of_resource(const CUDA_RESOURCE_DESC *d, rt_texture_t *t) {
  CUresult result;
  if (d->flags) return CUDA_ERROR_INVALID_VALUE;
  switch (d->resType) {
  case CU_RESOURCE_TYPE_ARRAY: return texture_of_array(d->res.array.hArray, t);
  case CU_RESOURCE_TYPE_LINEAR:
    result = texture_of_format(d->res.linear.format, d->res.linear.numChannels, t);
    return result ? result : texture_of_linear(d->res.linear.devPtr, d->res.linear.sizeInBytes, t);
  case CU_RESOURCE_TYPE_PITCH2D:
    result = texture_of_format(d->res.pitch2D.format, d->res.pitch2D.numChannels, t);
    return result ? result
                  : texture_of_rows(d->res.pitch2D.devPtr, d->res.pitch2D.width, d->res.pitch2D.height,
                                    d->res.pitch2D.pitchInBytes, t);
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: return device_absent("a texture of a mipmapped array");
  default: return CUDA_ERROR_INVALID_VALUE;
  }
}

/* Whole numbers of 8 and 16 bits are read as numbers up to 1, unless the flags say otherwise. Those
 * of 32 bits never are. Call it after the format is set. */
CUresult texture_of_flags(unsigned flags, rt_texture_t *t) {
  if (flags & CU_TRSF_SRGB) return device_absent("a texture of sRGB colours");
  t->normalized = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  t->unit = !(flags & CU_TRSF_READ_AS_INTEGER) && rt_texel_kind(t->format) != 'f' && rt_texel_bytes(t->format) <= 2;
  return CUDA_SUCCESS;
}

/* ---- objects ---- */

/* What a program gave for an object, to be asked for again. */
typedef struct object {
  struct object *next;
  uint64_t handle;
  bool surface, viewed;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
  CUDA_RESOURCE_VIEW_DESC view; /* of one that was made with one */
} object_t;

static object_t *objects;

/* The link that leads to the object; it is NULL if there is none. context_lock is held. */
static object_t **find_object(uint64_t handle, bool surface) {
  object_t **at = &objects;
  while (*at && ((*at)->handle != handle || (*at)->surface != surface)) at = &(*at)->next;
  return at;
}

/* Makes the texture and keeps what it was made of. */
static CUresult keep_object(const rt_texture_t *t, const object_t *what, uint64_t *handle) {
  object_t *o = malloc(sizeof *o);
  if (!o) return CUDA_ERROR_OUT_OF_MEMORY;
  *o = *what;
  const CUresult result = texture_make(t, &o->handle);
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

/* Out of the list first, so that nobody finds a handle that the simulator no longer has. */
static CUresult destroy_object(uint64_t handle, bool surface) {
  pthread_mutex_lock(&context_lock);
  object_t **at = find_object(handle, surface), *o = *at;
  if (o) *at = o->next;
  pthread_mutex_unlock(&context_lock);
  free(o);
  return o ? texture_drop(handle) : CUDA_ERROR_INVALID_VALUE;
}

/* A copy of what the program gave. */
static CUresult read_object(uint64_t handle, bool surface, object_t *to) {
  pthread_mutex_lock(&context_lock);
  const object_t *o = *find_object(handle, surface);
  if (o) *to = *o;
  pthread_mutex_unlock(&context_lock);
  return o ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Views that change the format are refused. */
CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                           const CUDA_RESOURCE_VIEW_DESC *view) {
  rt_texture_t t = {0};
  NEED();
  if (!object || !resource || !texture) return CUDA_ERROR_INVALID_VALUE;
  if (view && view->format) return device_absent("a texture with a view of its array");
  for (unsigned d = 0; d < 3; d++) t.address[d] = texture->addressMode[d];
  memcpy(t.border, texture->borderColor, sizeof t.border);
  t.filter = texture->filterMode;
  CUresult result = texture_of_resource(resource, &t);
  if (!result) result = texture_of_flags(texture->flags, &t);
  object_t o = {.viewed = view != NULL, .resource = *resource, .texture = *texture};
  if (view) o.view = *view;
  return result ? result : keep_object(&t, &o, (uint64_t *)object);
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  NEED();
  return destroy_object(object, false);
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object) {
  object_t o;
  NEED();
  const CUresult result = resource ? read_object(object, false, &o) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *resource = o.resource;
  return result;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject object) {
  object_t o;
  NEED();
  const CUresult result = texture ? read_object(object, false, &o) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *texture = o.texture;
  return result;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object) {
  object_t o;
  NEED();
  const CUresult result = view ? read_object(object, false, &o) : CUDA_ERROR_INVALID_VALUE;
  if (result || !o.viewed) return CUDA_ERROR_INVALID_VALUE;
  *view = o.view;
  return CUDA_SUCCESS;
}

/* Handles are gone with the machine; only this list is freed. */
void texture_forget_all(void) {
  pthread_mutex_lock(&context_lock);
  for (object_t *o; (o = objects);) {
    objects = o->next;
    free(o);
  }
  pthread_mutex_unlock(&context_lock);
}

/* ---- surfaces ---- */

/* The array must have been made for surfaces. */
CUresult texture_of_surface(CUarray a, rt_texture_t *t) {
  const CUresult result = texture_of_array(a, t);
  t->kind = RT_SURFACE;
  return !result && !(a->of.Flags & CUDA_ARRAY3D_SURFACE_LDST) ? CUDA_ERROR_INVALID_VALUE : result;
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  rt_texture_t t = {0};
  NEED();
  if (!object || !resource || resource->flags || resource->resType != CU_RESOURCE_TYPE_ARRAY)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = texture_of_surface(resource->res.array.hArray, &t);
  return result ? result : keep_object(&t, &(object_t){.surface = true, .resource = *resource}, (uint64_t *)object);
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  NEED();
  return destroy_object(object, true);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object) {
  object_t o;
  NEED();
  const CUresult result = resource ? read_object(object, true, &o) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *resource = o.resource;
  return result;
}
