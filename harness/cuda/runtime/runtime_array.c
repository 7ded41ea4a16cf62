/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: arrays and copies of them. An array is the driver's; its channels are described
 * by their bits.
 */
#include "runtime_texture.h"

#include <string.h>

#define ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))

/* ---- channels ---- */

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

static int bits_of(CUarray_format format) {
  return format == CU_AD_FORMAT_UNSIGNED_INT8 || format == CU_AD_FORMAT_SIGNED_INT8 ? 8
         : format == CU_AD_FORMAT_UNSIGNED_INT16 || format == CU_AD_FORMAT_SIGNED_INT16 || format == CU_AD_FORMAT_HALF
             ? 16
             : 32;
}

static struct cudaChannelFormatDesc channels_of(const CUDA_ARRAY3D_DESCRIPTOR *a) {
  const int bits = bits_of(a->Format), n = (int)a->NumChannels;
  const bool real = a->Format == CU_AD_FORMAT_HALF || a->Format == CU_AD_FORMAT_FLOAT;
  return (struct cudaChannelFormatDesc){bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
                                        real                                    ? cudaChannelFormatKindFloat
                                        : a->Format >= CU_AD_FORMAT_SIGNED_INT8 ? cudaChannelFormatKindSigned
                                                                                : cudaChannelFormatKindUnsigned};
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* ---- arrays ---- */

static CUresult allocate(cudaArray_t *array, const struct cudaChannelFormatDesc *d, struct cudaExtent e,
                         unsigned flags) {
  CUDA_ARRAY3D_DESCRIPTOR a = {.Width = e.width, .Height = e.height, .Depth = e.depth, .Flags = flags};
  if (!array || !d || !runtime_format(d, &a.Format, &a.NumChannels)) return CUDA_ERROR_INVALID_VALUE;
  return cuArray3DCreate((CUarray *)array, &a);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width,
                            size_t height, unsigned flags) {
  RUN(allocate(array, channels, (struct cudaExtent){width, height, 0}, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
                              struct cudaExtent extent, unsigned flags) {
  RUN(allocate(array, channels, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  RUN(array ? cuArrayDestroy((CUarray)array) : CUDA_SUCCESS);
}

static CUresult info(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent, unsigned *flags,
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
  RUN(info(channels, extent, flags, array));
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_const_t array) {
  RUN(info(channels, NULL, NULL, array));
}

/* ---- copies ---- */

static CUresult boxes(const CUDA_MEMCPY3D *c, enum cudaMemcpyKind kind) {
  if ((unsigned)kind > cudaMemcpyDefault) return CUDA_ERROR_INVALID_MEMCPY_DIRECTION;
  if ((c->srcMemoryType == CU_MEMORYTYPE_UNIFIED && c->srcPitch < c->WidthInBytes) ||
      (c->dstMemoryType == CU_MEMORYTYPE_UNIFIED && c->dstPitch < c->WidthInBytes))
    return CUDA_ERROR_INVALID_PITCH;
  return cuMemcpy3D(c);
}

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
  RUN(boxes(&c, kind));
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
  RUN(boxes(&c, kind));
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
  RUN(boxes(&c, kind));
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

/* Bytes that follow each other from texel (x, y) on, row after row. */
static CUresult place(cudaArray_const_t array, size_t x, size_t y, size_t *offset) {
  CUDA_ARRAY3D_DESCRIPTOR a;
  const CUresult result = array ? cuArray3DGetDescriptor(&a, (CUarray)array) : CUDA_ERROR_INVALID_HANDLE;
  if (!result) *offset = y * a.Width * a.NumChannels * ((size_t)bits_of(a.Format) / 8) + x;
  return result;
}

static CUresult to_array(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  size_t offset;
  const CUresult result =
      (unsigned)kind > cudaMemcpyDefault ? CUDA_ERROR_INVALID_MEMCPY_DIRECTION : place(to, x, y, &offset);
  return result ? result : cuMemcpyDtoA((CUarray)to, offset, ADDRESS(from), bytes);
}

static CUresult from_array(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                           enum cudaMemcpyKind kind) {
  size_t offset;
  const CUresult result =
      (unsigned)kind > cudaMemcpyDefault ? CUDA_ERROR_INVALID_MEMCPY_DIRECTION : place(from, x, y, &offset);
  return result ? result : cuMemcpyAtoD(ADDRESS(to), (CUarray)from, offset, bytes);
}

static CUresult between(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t x, size_t y,
                        size_t bytes) {
  size_t a = 0, b = 0;
  CUresult result = place(to, to_x, to_y, &a);
  if (!result) result = place(from, x, y, &b);
  return result ? result : cuMemcpyAtoA((CUarray)to, a, (CUarray)from, b, bytes);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  RUN(to_array(to, x, y, from, bytes, kind));
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  RUN(from_array(to, from, x, y, bytes, kind));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t x, size_t y,
                                   size_t bytes, enum cudaMemcpyKind kind) {
  (void)kind;
  RUN(between(to, to_x, to_y, from, x, y, bytes));
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

/* Bytes of a texel of the array that takes part; 1: none does, and widths are in bytes. */
static CUresult texel_bytes(const struct cudaMemcpy3DParms *p, size_t *bytes) {
  CUDA_ARRAY3D_DESCRIPTOR a;
  *bytes = 1;
  if (!p->srcArray && !p->dstArray) return CUDA_SUCCESS;
  const CUresult result = cuArray3DGetDescriptor(&a, (CUarray)(p->srcArray ? p->srcArray : p->dstArray));
  if (!result) *bytes = a.NumChannels * ((size_t)bits_of(a.Format) / 8);
  return result;
}

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
  return boxes(&c, p->kind);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
  RUN(p ? copy_box(p) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy3D(p);
}
