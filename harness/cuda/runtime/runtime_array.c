/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: arrays and copies of them. An array is the driver's. The runtime describes its
 * channels by their bits (x, y, z, w), the driver by a format and a number; runtime_format
 * translates.
 */
#include "runtime_texture.h"

#include <string.h>

#define ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))

/* ---- channels ---- */

/* Channels must have equal bits, and be one, two or four. */
bool runtime_format(const struct cudaChannelFormatDesc *d, CUarray_format *format, unsigned *channels) {
  static const struct {
    enum cudaChannelFormatKind kind;
    int bits;
    CUarray_format format;
  } formats[] = {{cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8},
                 {cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16},
                 {cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32},
                 {cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8},
                 {cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16},
                 {cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32},
                 {cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF},
                 {cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT}};
  const int bits[] = {d->x, d->y, d->z, d->w};
  for (*channels = 0; *channels < 4 && bits[*channels] == d->x; ++*channels) continue;
  for (unsigned c = *channels; c < 4; c++)
    if (bits[c]) return false;
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (formats[i].kind != d->f || formats[i].bits != d->x) continue;
    *format = formats[i].format;
    return *channels != 3;
  }
  return false;
}

/* Bits of a channel. */
static int format_bits(CUarray_format format) {
  switch (format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
  case CU_AD_FORMAT_SIGNED_INT8: return 8;
  case CU_AD_FORMAT_UNSIGNED_INT16:
  case CU_AD_FORMAT_SIGNED_INT16:
  case CU_AD_FORMAT_HALF: return 16;
  default: return 32;
  }
}

/* Unsigned formats have the lowest numbers, floats the highest. */
static enum cudaChannelFormatKind format_kind(CUarray_format format) {
  if (format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT) return cudaChannelFormatKindFloat;
  return format >= CU_AD_FORMAT_SIGNED_INT8 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
}

/* The first `n` channels have the format's bits, the others 0. */
static struct cudaChannelFormatDesc channels_of(const CUDA_ARRAY3D_DESCRIPTOR *a) {
  const int bits = format_bits(a->Format), n = (int)a->NumChannels;
  return (struct cudaChannelFormatDesc){bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
                                        format_kind(a->Format)};
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* ---- arrays ---- */

/* A height or depth of 0: the array has fewer dimensions. */
static CUresult allocate_array(cudaArray_t *array, const struct cudaChannelFormatDesc *d, struct cudaExtent e,
                               unsigned flags) {
  CUDA_ARRAY3D_DESCRIPTOR a = {.Width = e.width, .Height = e.height, .Depth = e.depth, .Flags = flags};
  if (!array || !d || !runtime_format(d, &a.Format, &a.NumChannels)) return CUDA_ERROR_INVALID_VALUE;
  return cuArray3DCreate((CUarray *)array, &a);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width,
                            size_t height, unsigned flags) {
  RUN(allocate_array(array, channels, (struct cudaExtent){width, height, 0}, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
                              struct cudaExtent extent, unsigned flags) {
  RUN(allocate_array(array, channels, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  RUN(array ? cuArrayDestroy((CUarray)array) : CUDA_SUCCESS);
}

/* Each of the three results may be NULL. */
static CUresult array_info(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent, unsigned *flags,
                           cudaArray_const_t array) {
  CUDA_ARRAY3D_DESCRIPTOR a;
  const CUresult result = array ? cuArray3DGetDescriptor(&a, (CUarray)array) : CUDA_ERROR_INVALID_HANDLE;
  if (result) return result;
  if (channels) *channels = channels_of(&a);
  if (extent) *extent = (struct cudaExtent){a.Width, a.Height, a.Depth};
  if (flags) *flags = a.Flags;
  return CUDA_SUCCESS;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent, unsigned *flags,
                             cudaArray_t array) {
  RUN(array_info(channels, extent, flags, array));
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_const_t array) {
  RUN(array_info(channels, NULL, NULL, array));
}

/* ---- copies ---- */

/* A pitch must hold a row, where an end is no array. */
static CUresult copy_checked_box(const CUDA_MEMCPY3D *c, enum cudaMemcpyKind kind) {
  if ((unsigned)kind > cudaMemcpyDefault) return CUDA_ERROR_INVALID_MEMCPY_DIRECTION;
  if ((c->srcMemoryType == CU_MEMORYTYPE_UNIFIED && c->srcPitch < c->WidthInBytes) ||
      (c->dstMemoryType == CU_MEMORYTYPE_UNIFIED && c->dstPitch < c->WidthInBytes))
    return CUDA_ERROR_INVALID_PITCH;
  return cuMemcpy3D(c);
}

/* Two dimensions: x and width are in bytes, y and height in rows. */
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
  const CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = ADDRESS(from),
                           .srcPitch = pitch,
                           .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .dstArray = (CUarray)to,
                           .dstXInBytes = x,
                           .dstY = y,
                           .WidthInBytes = width,
                           .Height = height,
                           .Depth = 1};
  RUN(copy_checked_box(&c, kind));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind) {
  const CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                           .srcArray = (CUarray)from,
                           .srcXInBytes = x,
                           .srcY = y,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = ADDRESS(to),
                           .dstPitch = pitch,
                           .WidthInBytes = width,
                           .Height = height,
                           .Depth = 1};
  RUN(copy_checked_box(&c, kind));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t x,
                                     size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
  const CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                           .srcArray = (CUarray)from,
                           .srcXInBytes = x,
                           .srcY = y,
                           .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .dstArray = (CUarray)to,
                           .dstXInBytes = to_x,
                           .dstY = to_y,
                           .WidthInBytes = width,
                           .Height = height,
                           .Depth = 1};
  RUN(copy_checked_box(&c, kind));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}

/* The offset of byte x of row y for the driver, which counts bytes row after row without padding.
 */
static CUresult texel_offset(cudaArray_const_t array, size_t x, size_t y, size_t *offset) {
  CUDA_ARRAY3D_DESCRIPTOR a;
  const CUresult result = array ? cuArray3DGetDescriptor(&a, (CUarray)array) : CUDA_ERROR_INVALID_HANDLE;
  if (!result) *offset = y * a.Width * a.NumChannels * ((size_t)format_bits(a.Format) / 8) + x;
  return result;
}

/* Bytes that follow each other, from texel (x, y) on, over the ends of rows. */
static CUresult copy_to_array(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  size_t offset;
  const CUresult result =
      (unsigned)kind > cudaMemcpyDefault ? CUDA_ERROR_INVALID_MEMCPY_DIRECTION : texel_offset(to, x, y, &offset);
  return result ? result : cuMemcpyDtoA((CUarray)to, offset, ADDRESS(from), bytes);
}

static CUresult copy_from_array(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  size_t offset;
  const CUresult result =
      (unsigned)kind > cudaMemcpyDefault ? CUDA_ERROR_INVALID_MEMCPY_DIRECTION : texel_offset(from, x, y, &offset);
  return result ? result : cuMemcpyAtoD(ADDRESS(to), (CUarray)from, offset, bytes);
}

/* The arrays may differ in the length of their rows. */
static CUresult copy_between_arrays(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t x,
                                    size_t y, size_t bytes) {
  size_t a = 0, b = 0;
  CUresult result = texel_offset(to, to_x, to_y, &a);
  if (!result) result = texel_offset(from, x, y, &b);
  return result ? result : cuMemcpyAtoA((CUarray)to, a, (CUarray)from, b, bytes);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  RUN(copy_to_array(to, x, y, from, bytes, kind));
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  RUN(copy_from_array(to, from, x, y, bytes, kind));
}

/* The direction goes without saying. */
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t x, size_t y,
                                   size_t bytes, enum cudaMemcpyKind kind) {
  (void)kind;
  RUN(copy_between_arrays(to, to_x, to_y, from, x, y, bytes));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpyToArray(to, x, y, from, bytes, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
}

/* ---- boxes of three dimensions ---- */

/* Bytes of a texel of the array that takes part. 1: none does, so widths are in bytes. */
static CUresult texel_bytes(const struct cudaMemcpy3DParms *p, size_t *bytes) {
  CUDA_ARRAY3D_DESCRIPTOR a;
  *bytes = 1;
  if (!p->srcArray && !p->dstArray) return CUDA_SUCCESS;
  const CUresult result = cuArray3DGetDescriptor(&a, (CUarray)(p->srcArray ? p->srcArray : p->dstArray));
  if (!result) *bytes = a.NumChannels * ((size_t)format_bits(a.Format) / 8);
  return result;
}

/* With an array the extent and its positions count texels; positions in other memory count bytes.
 */
static CUresult copy_box(const struct cudaMemcpy3DParms *p) {
  size_t texel;
  const CUresult result = texel_bytes(p, &texel);
  if (result) return result;
  const CUDA_MEMCPY3D c = {.srcMemoryType = p->srcArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED,
                           .srcArray = (CUarray)p->srcArray,
                           .srcDevice = ADDRESS(p->srcPtr.ptr),
                           .srcPitch = p->srcPtr.pitch,
                           .srcHeight = p->srcPtr.ysize,
                           .srcXInBytes = p->srcPos.x * (p->srcArray ? texel : 1),
                           .srcY = p->srcPos.y,
                           .srcZ = p->srcPos.z,
                           .dstMemoryType = p->dstArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED,
                           .dstArray = (CUarray)p->dstArray,
                           .dstDevice = ADDRESS(p->dstPtr.ptr),
                           .dstPitch = p->dstPtr.pitch,
                           .dstHeight = p->dstPtr.ysize,
                           .dstXInBytes = p->dstPos.x * (p->dstArray ? texel : 1),
                           .dstY = p->dstPos.y,
                           .dstZ = p->dstPos.z,
                           .WidthInBytes = p->extent.width * texel,
                           .Height = p->extent.height,
                           .Depth = p->extent.depth};
  return copy_checked_box(&c, p->kind);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
  RUN(p ? copy_box(p) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy3D(p);
}
