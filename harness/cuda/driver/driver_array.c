/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: arrays, and copies of bytes that follow each other in one. An array is rows of
 * texels in the memory of the device; each row begins at a multiple of ROW bytes.
 *
 *   slice 0:  row 0 |texels ...|pad|   row 1 |...     pitch: from row to row
 *   slice 1:  ...                                     slice: rows * pitch
 */
#include "array.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "copy.h"
#include "heap.h"

enum { ROW = 128 };

/* ---- formats ---- */

/* Formats stand in texture_formats.def in the order of rt_texel_t. */
bool array_format(CUarray_format number, uint32_t *format) {
  static const unsigned numbers[] = {
#define TEXEL(name, bytes, kind, number, whole, unit) number,
#include "texture_formats.def"
#undef TEXEL
  };
  for (*format = 0; *format < RT_TEXELS && numbers[*format] != (unsigned)number;) ++*format;
  return *format < RT_TEXELS;
}

/* ---- arrays ---- */

static size_t at_least_one(size_t n) {
  return n ? n : 1;
}

/* Computes sizes, none above 2^40 bytes, and allocates the memory. */
static CUresult lay_out_array(CUarray a) {
  const CUDA_ARRAY3D_DESCRIPTOR *d = &a->of;
  const uint64_t most = UINT64_C(1) << 40;
  a->texel = rt_texel_bytes(a->format) * d->NumChannels;
  if (d->Width > most / a->texel) return CUDA_ERROR_INVALID_VALUE;
  a->row = d->Width * a->texel;
  a->pitch = (a->row + ROW - 1) / ROW * ROW;
  a->rows = at_least_one(d->Height), a->slices = at_least_one(d->Depth);
  if (a->rows > most / a->pitch || a->slices > most / (a->pitch * a->rows)) return CUDA_ERROR_INVALID_VALUE;
  return heap_allocate(a->pitch * a->rows * a->slices, HEAP_DEVICE, 0, &a->at);
}

/* Cube maps are refused. Depth counts slices, or layers with CUDA_ARRAY3D_LAYERED. */
CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d) {
  uint32_t format;
  NEED();
  if (!array || !d || !array_format(d->Format, &format) || !d->Width ||
      (d->NumChannels != 1 && d->NumChannels != 2 && d->NumChannels != 4))
    return CUDA_ERROR_INVALID_VALUE;
  if (d->Flags & CUDA_ARRAY3D_CUBEMAP) return device_absent("an array of cube maps");
  if (d->Flags & ~(unsigned)(CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_TEXTURE_GATHER))
    return CUDA_ERROR_INVALID_VALUE;
  const bool layered = d->Flags & CUDA_ARRAY3D_LAYERED;
  if (layered ? !d->Depth : d->Depth && !d->Height) return CUDA_ERROR_INVALID_VALUE;
  CUarray a = calloc(1, sizeof *a);
  if (!a) return CUDA_ERROR_OUT_OF_MEMORY;
  a->of = *d, a->format = format;
  const CUresult result = lay_out_array(a);
  if (!result) *array = a;
  else free(a);
  return result;
}

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d) {
  if (!d) return CUDA_ERROR_INVALID_VALUE;
  return cuArray3DCreate_v2(
      array, &(CUDA_ARRAY3D_DESCRIPTOR){
                 .Width = d->Width, .Height = d->Height, .Format = d->Format, .NumChannels = d->NumChannels});
}

/* The handle is gone, also if the device did not know the memory any more. */
CUresult cuArrayDestroy(CUarray array) {
  NEED();
  if (!array) return CUDA_ERROR_INVALID_HANDLE;
  const CUresult result = heap_release(array->at, false);
  free(array);
  return result;
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array) {
  NEED();
  if (!d || !array) return CUDA_ERROR_INVALID_VALUE;
  *d = array->of;
  return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *d, CUarray array) {
  NEED();
  if (!d || !array) return CUDA_ERROR_INVALID_VALUE;
  *d = (CUDA_ARRAY_DESCRIPTOR){array->of.Width, array->of.Height, array->of.Format, array->of.NumChannels};
  return CUDA_SUCCESS;
}

/* ---- copies ---- */

bool array_has(CUarray array, uint64_t x, uint64_t y, uint64_t z, uint64_t width, uint64_t height, uint64_t depth) {
  return array && x <= array->row && width <= array->row - x && y <= array->rows && height <= array->rows - y &&
         z <= array->slices && depth <= array->slices - z;
}

/* Byte `offset` of an array, counted without padding. *at: where it is. Returns how many of `bytes`
 * are in the same row. */
static uint64_t row_part(CUarray array, uint64_t offset, uint64_t bytes, uint64_t *at) {
  const uint64_t x = offset % array->row, left = array->row - x;
  *at = array->at + offset / array->row * array->pitch + x;
  return bytes < left ? bytes : left;
}

/* to or from may be NULL: then to_at or from_at is an address. */
static CUresult copy_bytes(CUarray to, uint64_t to_at, CUarray from, uint64_t from_at, uint64_t bytes) {
  const uint64_t to_room = to ? to->row * to->rows : UINT64_MAX, from_room = from ? from->row * from->rows : UINT64_MAX;
  NEED();
  if ((to && (to_at > to_room || bytes > to_room - to_at)) ||
      (from && (from_at > from_room || bytes > from_room - from_at)))
    return CUDA_ERROR_INVALID_VALUE;
  for (uint64_t done = 0, n; done < bytes; done += n) {
    uint64_t a = to_at + done, b = from_at + done;
    n = bytes - done;
    if (to) n = row_part(to, to_at + done, n, &a);
    if (from) n = row_part(from, from_at + done, n, &b);
    const CUresult result = copy_any(a, n, b, n, n, 1);
    if (result) return result;
  }
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes) {
  return to && from ? copy_bytes(to, offset, NULL, (uintptr_t)from, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes) {
  return to && from ? copy_bytes(NULL, (uintptr_t)to, from, offset, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return to && from ? copy_bytes(to, offset, NULL, from, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return to && from ? copy_bytes(NULL, to, from, offset, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  return to && from ? copy_bytes(to, to_offset, from, from_offset, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream) {
  (void)stream;
  return cuMemcpyHtoA_v2(to, offset, from, bytes);
}

CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  (void)stream;
  return cuMemcpyAtoH_v2(to, from, offset, bytes);
}
