/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: texture and surface objects, and references. A reference is a structure in the
 * program that says how the texture is read; it is looked at when the program binds it.
 */
#include "runtime_texture.h"

#include <string.h>

#define ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))

/* ---- objects ---- */

/* The driver's description of a resource. Kinds that the runtime does not know are the driver's to
 * refuse. */
static CUresult resource_of(const struct cudaResourceDesc *d, CUDA_RESOURCE_DESC *to) {
  *to = (CUDA_RESOURCE_DESC){.resType = (CUresourcetype)d->resType};
  switch (d->resType) {
  case cudaResourceTypeArray: to->res.array.hArray = (CUarray)d->res.array.array; return CUDA_SUCCESS;
  case cudaResourceTypeLinear:
    to->res.linear.devPtr = ADDRESS(d->res.linear.devPtr), to->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
    return runtime_format(&d->res.linear.desc, &to->res.linear.format, &to->res.linear.numChannels)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  case cudaResourceTypePitch2D:
    to->res.pitch2D.devPtr = ADDRESS(d->res.pitch2D.devPtr), to->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
    to->res.pitch2D.width = d->res.pitch2D.width, to->res.pitch2D.height = d->res.pitch2D.height;
    return runtime_format(&d->res.pitch2D.desc, &to->res.pitch2D.format, &to->res.pitch2D.numChannels)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  default: return CUDA_SUCCESS; /* the driver's to say */
  }
}

/* Translates the description of the reading into the driver's flags. */
static CUresult create_texture(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                               const struct cudaTextureDesc *t, const void *view) {
  CUDA_RESOURCE_DESC r;
  CUtexObject made;
  if (!object || !resource || !t) return CUDA_ERROR_INVALID_VALUE;
  CUDA_TEXTURE_DESC d = {.filterMode = (CUfilter_mode)t->filterMode, .maxAnisotropy = t->maxAnisotropy};
  for (unsigned i = 0; i < 3; i++) d.addressMode[i] = (CUaddress_mode)t->addressMode[i];
  memcpy(d.borderColor, t->borderColor, sizeof d.borderColor);
  d.flags = (t->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
            (t->readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) | (t->sRGB ? CU_TRSF_SRGB : 0);
  CUresult result = resource_of(resource, &r);
  if (!result) result = cuTexObjectCreate(&made, &r, &d, view);
  if (!result) *object = made;
  return result;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture, const void *view) {
  RUN(create_texture(object, resource, texture, view));
}

cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                       const struct cudaTextureDesc *texture, const void *view) {
  RUN(create_texture(object, resource, texture, view));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  RUN(object ? cuTexObjectDestroy(object) : CUDA_SUCCESS);
}

/* A surface is of an array; the driver checks it. */
static CUresult create_surface(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource) {
  CUDA_RESOURCE_DESC r;
  CUsurfObject made;
  CUresult result = object && resource ? resource_of(resource, &r) : CUDA_ERROR_INVALID_VALUE;
  if (!result) result = cuSurfObjectCreate(&made, &r);
  if (!result) *object = made;
  return result;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource) {
  RUN(create_surface(object, resource));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  RUN(object ? cuSurfObjectDestroy(object) : CUDA_SUCCESS);
}

/* ---- references ---- */

/* Tells the driver how the texture is read, as the program's structure says now. *r: the reference.
 */
static CUresult set_reading(const struct textureReference *t, CUtexref *r) {
  bool unit;
  CUresult result = t ? runtime_texture(t, r, &unit) : CUDA_ERROR_INVALID_VALUE;
  for (int i = 0; i < 3 && !result; i++) result = cuTexRefSetAddressMode(*r, i, (CUaddress_mode)t->addressMode[i]);
  if (!result) result = cuTexRefSetFilterMode(*r, (CUfilter_mode)t->filterMode);
  if (!result)
    result = cuTexRefSetFlags(*r, (t->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
                                      (unit ? 0 : CU_TRSF_READ_AS_INTEGER));
  return result;
}

/* bytes is UINT_MAX if the program gives none: then the texture ends with the allocation. */
static CUresult bind_linear(size_t *offset, const struct textureReference *t, const void *pointer,
                            const struct cudaChannelFormatDesc *d, size_t bytes) {
  CUtexref r;
  CUarray_format format;
  unsigned channels;
  CUdeviceptr base;
  size_t all;
  CUresult result = set_reading(t, &r);
  if (result) return result;
  if (!d || !runtime_format(d, &format, &channels)) return CUDA_ERROR_INVALID_VALUE;
  if ((result = cuMemGetAddressRange(&base, &all, ADDRESS(pointer)))) return CUDA_ERROR_INVALID_VALUE;
  const size_t left = all - (size_t)(ADDRESS(pointer) - base);
  if ((result = cuTexRefSetFormat(r, format, (int)channels))) return result;
  /* not more than there is */
  return cuTexRefSetAddress(offset, r, ADDRESS(pointer), bytes < left ? bytes : left);
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texture, const void *pointer,
                            const struct cudaChannelFormatDesc *channels, size_t bytes) {
  RUN(bind_linear(offset, texture, pointer, channels, bytes));
}

/* The address must be aligned, so the offset is 0. */
static CUresult bind_rows(size_t *offset, const struct textureReference *t, const void *pointer,
                          const struct cudaChannelFormatDesc *d, size_t width, size_t height, size_t pitch) {
  CUtexref r;
  CUDA_ARRAY_DESCRIPTOR a = {.Width = width, .Height = height};
  const CUresult result = set_reading(t, &r);
  if (result) return result;
  if (!d || !runtime_format(d, &a.Format, &a.NumChannels)) return CUDA_ERROR_INVALID_VALUE;
  if (offset) *offset = 0;
  return cuTexRefSetAddress2D(r, &a, ADDRESS(pointer), pitch);
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texture, const void *pointer,
                              const struct cudaChannelFormatDesc *channels, size_t width, size_t height, size_t pitch) {
  RUN(bind_rows(offset, texture, pointer, channels, width, height, pitch));
}

/* The array's own format counts. */
static CUresult bind_array(const struct textureReference *t, cudaArray_const_t array) {
  CUtexref r;
  const CUresult result = array ? set_reading(t, &r) : CUDA_ERROR_INVALID_HANDLE;
  return result ? result : cuTexRefSetArray(r, (CUarray)array, CU_TRSA_OVERRIDE_FORMAT);
}

cudaError_t cudaBindTextureToArray(const struct textureReference *texture, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *channels) {
  (void)channels; /* the array's own */
  RUN(bind_array(texture, array));
}

/* A reference that is bound to nothing. */
static CUresult unbind_texture(const struct textureReference *t) {
  CUtexref r;
  bool unit;
  const CUresult result = t ? runtime_texture(t, &r, &unit) : CUDA_ERROR_INVALID_VALUE;
  return result ? result : cuTexRefSetArray(r, NULL, CU_TRSA_OVERRIDE_FORMAT);
}

cudaError_t cudaUnbindTexture(const struct textureReference *texture) {
  RUN(unbind_texture(texture));
}

static CUresult bind_surface(const struct surfaceReference *s, cudaArray_const_t array) {
  CUsurfref r;
  const CUresult result = s && array ? runtime_surface(s, &r) : CUDA_ERROR_INVALID_VALUE;
  return result ? result : cuSurfRefSetArray(r, (CUarray)array, 0);
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surface, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *channels) {
  (void)channels;
  RUN(bind_surface(surface, array));
}

/* The structure itself is the program's reference; it must be registered. */
static CUresult get_texture(const struct textureReference **reference, const void *texture) {
  CUtexref r;
  bool unit;
  const CUresult result = reference && texture ? runtime_texture(texture, &r, &unit) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *reference = texture;
  return result;
}

cudaError_t cudaGetTextureReference(const struct textureReference **reference, const void *texture) {
  RUN(get_texture(reference, texture));
}

static CUresult get_surface(const struct surfaceReference **reference, const void *surface) {
  CUsurfref r;
  const CUresult result = reference && surface ? runtime_surface(surface, &r) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *reference = surface;
  return result;
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **reference, const void *surface) {
  RUN(get_surface(reference, surface));
}
