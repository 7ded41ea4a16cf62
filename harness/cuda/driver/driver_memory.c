/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: memory, copies, fills. Each is over when it returns, in whatever stream:
 * functions whose names end with Async ignore their stream.
 */
#include <stdint.h>
#include <string.h>

#include "array.h"
#include "context.h"
#include "copy.h"
#include "heap.h"

enum { PITCH = 512 };

/* ---- memory ---- */

/* What this library has allocated counts, not what the machine needs for itself. */
CUresult cuMemGetInfo_v2(size_t *left, size_t *total) {
  NEED();
  if (left) *left = device_facts()->memory_bytes - heap_used();
  if (total) *total = device_facts()->memory_bytes;
  return CUDA_SUCCESS;
}

/* *address is set only on success. */
static CUresult allocate_memory(CUdeviceptr *address, size_t bytes, heap_kind_t kind, unsigned flags) {
  uint64_t at;
  if (!address || !bytes) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = heap_allocate(bytes, kind, flags, &at);
  if (!result) *address = at;
  return result;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  NEED();
  return allocate_memory(address, bytes, HEAP_DEVICE, 0);
}

/* Rows begin at multiples of PITCH bytes. */
CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element) {
  NEED();
  if (!pitch || !width || !height || (element != 4 && element != 8 && element != 16)) return CUDA_ERROR_INVALID_VALUE;
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return allocate_memory(address, *pitch * height, HEAP_DEVICE, 0);
}

/* The memory of a pool has the pool's number in its flags. */
CUresult cuMemFree_v2(CUdeviceptr address) {
  heap_range_t r;
  NEED();
  const bool pooled = heap_find(address, &r) && r.kind == HEAP_DEVICE && r.flags;
  const CUresult result = address ? heap_release(address, false) : CUDA_SUCCESS;
  if (!result && pooled) pool_take_back(r.flags, r.bytes);
  return result;
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  (void)stream;
  return cuMemFree_v2(address);
}

/* The allocation that an address lies in. */
CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  heap_range_t r;
  NEED();
  if (!heap_find(address, &r)) return CUDA_ERROR_NOT_FOUND;
  if (base) *base = r.base;
  if (bytes) *bytes = r.bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  NEED();
  return allocate_memory(address, bytes, HEAP_MANAGED, flags);
}

/* With CU_MEMHOSTALLOC_DEVICEMAP the device sees the memory at once, at the same address. */
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  CUdeviceptr at = 0;
  NEED();
  if (!pointer) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = allocate_memory(&at, bytes, HEAP_PINNED, flags);
  if (!result) *pointer = (void *)(uintptr_t)at;
  return result;
}

CUresult cuMemAllocHost_v2(void **pointer, size_t bytes) {
  return cuMemHostAlloc(pointer, bytes, 0);
}

CUresult cuMemFreeHost(void *pointer) {
  NEED();
  return heap_release((uintptr_t)pointer, true);
}

CUresult cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
  NEED();
  return pointer && bytes ? heap_register(HEAP_REGISTERED, (uintptr_t)pointer, bytes, flags) : CUDA_ERROR_INVALID_VALUE;
}

/* The pointer must be the one that was registered. */
CUresult cuMemHostUnregister(void *pointer) {
  heap_range_t r;
  NEED();
  if (!heap_find((uintptr_t)pointer, &r) || r.kind != HEAP_REGISTERED || r.base != (uintptr_t)pointer)
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  return heap_release(r.base, true);
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *pointer, unsigned flags) {
  uint64_t at = 0;
  (void)flags;
  NEED();
  if (!address) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = heap_map((uintptr_t)pointer, &at);
  if (!result) *address = at;
  return result;
}

CUresult cuMemHostGetFlags(unsigned *flags, void *pointer) {
  heap_range_t r;
  NEED();
  if (!heap_find((uintptr_t)pointer, &r) || r.kind != HEAP_PINNED) return CUDA_ERROR_INVALID_VALUE;
  *flags = r.flags;
  return CUDA_SUCCESS;
}

/* For libcudart.so, which has no connection of its own: device_absent and heap_share by exported
 * names. */
CUresult lockstack_absent(const char *name);
CUresult lockstack_absent(const char *name) {
  return device_absent(name);
}

CUresult lockstack_share(CUdeviceptr device, size_t bytes, void **host);
CUresult lockstack_share(CUdeviceptr device, size_t bytes, void **host) {
  uint64_t at;
  NEED();
  const CUresult result = heap_share(device, bytes, &at);
  if (!result) *host = (void *)(uintptr_t)at;
  return result;
}

/* Advice changes nothing, because a launch takes managed memory along in any case. It is checked.
 */
CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, int advice, CUdevice device) {
  heap_range_t r;
  (void)bytes, (void)advice, (void)device;
  NEED();
  return heap_find(address, &r) && r.kind == HEAP_MANAGED ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The one device, or a place of the host. */
static CUresult check_location(CUmemLocation where) {
  if (where.type < CU_MEM_LOCATION_TYPE_DEVICE || where.type > CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
    return CUDA_ERROR_INVALID_VALUE;
  return where.type == CU_MEM_LOCATION_TYPE_DEVICE && where.id ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice, CUmemLocation location) {
  const bool where = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
                     advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
  const CUresult result = where ? check_location(location) : CUDA_SUCCESS;
  return result ? result : cuMemAdvise(address, bytes, advice, location.id);
}

/* Checked like advice, and likewise without effect. */
CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
                               CUstream stream) {
  (void)stream;
  const CUresult result = flags ? CUDA_ERROR_INVALID_VALUE : check_location(location);
  return result ? result : cuMemAdvise(address, bytes, 0, location.id);
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  const CUmemLocation location = {device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
                                  device};
  return cuMemPrefetchAsync_v2(address, bytes, location, 0, stream);
}

/* ---- what a pointer is ---- */

/* Only addresses that the heap knows have attributes. */
CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address) {
  heap_range_t r;
  NEED();
  if (!value || !heap_find(address, &r)) return CUDA_ERROR_INVALID_VALUE;
  const bool host = r.kind == HEAP_PINNED || r.kind == HEAP_REGISTERED;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)value = context_current(); return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *(unsigned *)value = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *(CUdeviceptr *)value = host ? (r.device ? r.device + (address - r.base) : 0) : address;
    return host && !r.device ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    *(void **)value = (void *)(uintptr_t)address;
    return host || r.kind == HEAP_MANAGED ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)value = r.kind == HEAP_MANAGED; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = 0; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)value = r.base; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)value = r.bytes; return CUDA_SUCCESS;
  default: return device_absent("cuPointerGetAttribute of this attribute");
  }
}

/* For an address that is the host's own, or an attribute that it lacks, the value is 0. */
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **values, CUdeviceptr address) {
  heap_range_t r;
  NEED();
  const bool known = heap_find(address, &r);
  for (unsigned i = 0; i < count; i++)
    if (!known || cuPointerGetAttribute(values[i], attributes[i], address))
      memset(values[i], 0, attributes[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED ? 4 : sizeof(int));
  return CUDA_SUCCESS;
}

/* ---- copies ---- */

/* Any of the two addresses may be the host's. */
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  NEED();
  return copy_any(to, bytes, from, bytes, bytes, 1);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  (void)stream;
  return cuMemcpy(to, from, bytes);
}

/* There is one device: contexts do not matter. */
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes) {
  (void)to_context, (void)from_context;
  return cuMemcpy(to, from, bytes);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream) {
  (void)to_context, (void)from_context, (void)stream;
  return cuMemcpy(to, from, bytes);
}

/* The device has this address, or both see it. */
static bool device_sees(CUdeviceptr address) {
  heap_range_t r;
  return heap_find(address, &r);
}

/* The three directions check that the end said to be the device's is. */
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  NEED();
  if (bytes && !device_sees(to)) return CUDA_ERROR_INVALID_VALUE;
  return cuMemcpy(to, (uintptr_t)from, bytes);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  NEED();
  if (bytes && !device_sees(from)) return CUDA_ERROR_INVALID_VALUE;
  return cuMemcpy((uintptr_t)to, from, bytes);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  NEED();
  if (bytes && (!device_sees(to) || !device_sees(from))) return CUDA_ERROR_INVALID_VALUE;
  return cuMemcpy(to, from, bytes);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  (void)stream;
  return cuMemcpyHtoD_v2(to, from, bytes);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  (void)stream;
  return cuMemcpyDtoH_v2(to, from, bytes);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  (void)stream;
  return cuMemcpyDtoD_v2(to, from, bytes);
}

/* One end of a copy of two or three dimensions. */
typedef struct {
  uint64_t base, pitch, rows; /* of its first byte; rows of a slice */
} end_t;

typedef struct {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, rows; /* 0: as many as are copied */
} place_t;

/* Where an end's first byte is, its pitch, and the rows of a slice; 0 in a program's structure
 * means as many as are copied. An array is checked against its size. */
static CUresult locate_end(const place_t *p, const CUDA_MEMCPY3D *c, end_t *end) {
  if (p->type == CU_MEMORYTYPE_ARRAY) {
    if (!array_has(p->array, p->x, p->y, p->z, c->WidthInBytes, c->Height, c->Depth)) return CUDA_ERROR_INVALID_VALUE;
    *end = (end_t){p->array->at, p->array->pitch, p->array->rows};
  } else {
    *end = (end_t){p->type == CU_MEMORYTYPE_HOST ? (uintptr_t)p->host : p->device,
                   p->pitch ? p->pitch : p->x + c->WidthInBytes, p->rows ? p->rows : p->y + c->Height};
    if (!end->base || end->pitch < c->WidthInBytes) return CUDA_ERROR_INVALID_VALUE;
  }
  end->base += (p->z * end->rows + p->y) * end->pitch + p->x;
  return CUDA_SUCCESS;
}

/* One slice after the other. */
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *c) {
  end_t from, to;
  NEED();
  if (!c) return CUDA_ERROR_INVALID_VALUE;
  if (!c->WidthInBytes || !c->Height || !c->Depth) return CUDA_SUCCESS;
  const place_t source = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes,
                          c->srcY,          c->srcZ,    c->srcPitch,  c->srcHeight};
  const place_t target = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes,
                          c->dstY,          c->dstZ,    c->dstPitch,  c->dstHeight};
  CUresult result = locate_end(&source, c, &from);
  if (!result) result = locate_end(&target, c, &to);
  for (size_t z = 0; z < c->Depth && !result; z++)
    result = copy_any(to.base + z * to.rows * to.pitch, to.pitch, from.base + z * from.rows * from.pitch, from.pitch,
                      c->WidthInBytes, c->Height);
  return result;
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream) {
  (void)stream;
  return cuMemcpy3D_v2(copy);
}

/* A box of one slice. */
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *c) {
  if (!c) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D copy = {.srcXInBytes = c->srcXInBytes,
                              .srcY = c->srcY,
                              .srcMemoryType = c->srcMemoryType,
                              .srcHost = c->srcHost,
                              .srcDevice = c->srcDevice,
                              .srcArray = c->srcArray,
                              .srcPitch = c->srcPitch,
                              .dstXInBytes = c->dstXInBytes,
                              .dstY = c->dstY,
                              .dstMemoryType = c->dstMemoryType,
                              .dstHost = c->dstHost,
                              .dstDevice = c->dstDevice,
                              .dstArray = c->dstArray,
                              .dstPitch = c->dstPitch,
                              .WidthInBytes = c->WidthInBytes,
                              .Height = c->Height,
                              .Depth = 1};
  return cuMemcpy3D_v2(&copy);
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy) {
  return cuMemcpy2D_v2(copy);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream) {
  (void)stream;
  return cuMemcpy2D_v2(copy);
}

/* ---- fills ---- */

/* Addresses must be aligned to the element. */
static CUresult fill_rows(CUdeviceptr to, size_t pitch, unsigned value, unsigned element, size_t width, size_t rows) {
  NEED();
  if (width && rows && (!device_sees(to) || to % element)) return CUDA_ERROR_INVALID_VALUE;
  return copy_fill(to, pitch, value, element, width, rows);
}

/* The four fills of an element of 8, 16 or 32 bits: one or two dimensions, each with and without a
 * stream. */
#define FILLS(bits, type)                                                                                  \
  CUresult cuMemsetD##bits##_v2(CUdeviceptr to, type value, size_t count) {                                \
    return fill_rows(to, count * (bits / 8), value, bits / 8, count, 1);                                   \
  }                                                                                                        \
  CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t count, CUstream stream) {             \
    (void)stream;                                                                                          \
    return fill_rows(to, count * (bits / 8), value, bits / 8, count, 1);                                   \
  }                                                                                                        \
  CUresult cuMemsetD2D##bits##_v2(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height) { \
    return fill_rows(to, pitch, value, bits / 8, width, height);                                           \
  }                                                                                                        \
  CUresult cuMemsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height, \
                                    CUstream stream) {                                                     \
    (void)stream;                                                                                          \
    return fill_rows(to, pitch, value, bits / 8, width, height);                                           \
  }
FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned)
