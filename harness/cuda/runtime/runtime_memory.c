/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: memory, copies, fills, variables, streams and events. As in the driver, each is
 * over when it returns: functions whose names end with Async ignore their stream.
 */
#include <string.h>

#include "cudart.h"

#define ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))

/* ---- memory ---- */

cudaError_t cudaMemGetInfo(size_t *left, size_t *total) {
  RUN(cuMemGetInfo(left, total));
}

/* No bytes give NULL, as in CUDA's runtime. */
static CUresult allocate_device(void **pointer, size_t bytes) {
  CUdeviceptr at = 0;
  if (!pointer) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = bytes ? cuMemAlloc(&at, bytes) : CUDA_SUCCESS;
  if (!result) *pointer = (void *)(uintptr_t)at;
  return result;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  RUN(allocate_device(pointer, bytes));
}

/* Rows for elements of 4 bytes; the driver says their pitch. */
static CUresult allocate_rows(void **pointer, size_t *pitch, size_t width, size_t rows) {
  CUdeviceptr at;
  const CUresult result = pointer ? cuMemAllocPitch(&at, pitch, width, rows, 4) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *pointer = (void *)(uintptr_t)at;
  return result;
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  RUN(allocate_rows(pointer, pitch, width, height));
}

/* Slices are rows that follow each other. */
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent e) {
  if (p) p->xsize = e.width, p->ysize = e.height;
  RUN(p ? allocate_rows(&p->ptr, &p->pitch, e.width, e.height * e.depth) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  RUN(cuMemAllocHost(pointer, bytes));
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  RUN(cuMemHostAlloc(pointer, bytes, flags));
}

/* *pointer is set only on success. */
static CUresult allocate_managed(void **pointer, size_t bytes, unsigned flags) {
  CUdeviceptr at;
  const CUresult result = pointer ? cuMemAllocManaged(&at, bytes, flags) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *pointer = (void *)(uintptr_t)at;
  return result;
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  RUN(allocate_managed(pointer, bytes, flags));
}

cudaError_t cudaFree(void *pointer) {
  RUN(cuMemFree(ADDRESS(pointer)));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  (void)stream;
  return cudaFree(pointer);
}

/* NULL is allowed, as for cudaFree. */
cudaError_t cudaFreeHost(void *pointer) {
  RUN(pointer ? cuMemFreeHost(pointer) : CUDA_SUCCESS);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  RUN(cuMemHostRegister(pointer, bytes, flags));
}

cudaError_t cudaHostUnregister(void *pointer) {
  RUN(cuMemHostUnregister(pointer));
}

/* Where the device sees host memory. *device is set only on success. */
static CUresult mapped_pointer(void **device, void *pointer, unsigned flags) {
  CUdeviceptr at;
  const CUresult result = device ? cuMemHostGetDevicePointer(&at, pointer, flags) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *device = (void *)(uintptr_t)at;
  return result;
}

/* The memory is mapped now if it was not. */
cudaError_t cudaHostGetDevicePointer(void **device, void *pointer, unsigned flags) {
  RUN(mapped_pointer(device, pointer, flags));
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer) {
  RUN(cuMemHostGetFlags(flags, pointer));
}

/* Managed memory is its own type, whatever the driver calls it. */
static enum cudaMemoryType memory_type(unsigned managed, unsigned type) {
  if (managed) return cudaMemoryTypeManaged;
  return type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
}

/* An address that the driver does not know is the host's own, which is no error. */
static CUresult pointer_attributes(struct cudaPointerAttributes *a, const void *pointer) {
  unsigned type = 0, managed = 0;
  CUdeviceptr device = 0;
  memset(a, 0, sizeof *a);
  if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ADDRESS(pointer))) {
    a->type = cudaMemoryTypeUnregistered;
    a->device = -2;
    a->hostPointer = (void *)(uintptr_t)pointer;
    return CUDA_SUCCESS;
  }
  cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, ADDRESS(pointer));
  cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, ADDRESS(pointer));
  a->type = memory_type(managed, type);
  a->devicePointer = (void *)(uintptr_t)device;
  a->hostPointer = a->type == cudaMemoryTypeDevice ? NULL : (void *)(uintptr_t)pointer;
  return CUDA_SUCCESS;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
  RUN(attributes ? pointer_attributes(attributes, pointer) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice, struct cudaMemLocation location) {
  RUN(cuMemAdvise_v2(ADDRESS(pointer), bytes, advice, (CUmemLocation){(CUmemLocationType)location.type, location.id}));
}

cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags,
                                    cudaStream_t stream) {
  RUN(cuMemPrefetchAsync_v2(ADDRESS(pointer), bytes, (CUmemLocation){(CUmemLocationType)location.type, location.id},
                            flags, stream));
}

/* Version 13 gave these names the parameters of their _v2. */
#if CUDART_MAJOR >= 13
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice, struct cudaMemLocation location) {
  return cudaMemAdvise_v2(pointer, bytes, advice, location);
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream) {
  return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
#else
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice, int device) {
  RUN(cuMemAdvise(ADDRESS(pointer), bytes, advice, device));
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream) {
  RUN(cuMemPrefetchAsync(ADDRESS(pointer), bytes, device, stream));
}
#endif

/* ---- copies ---- */

/* The direction is checked by the driver, since addresses say whose they are. */
static CUresult copy_memory(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  switch (kind) {
  case cudaMemcpyHostToHost:
  case cudaMemcpyDefault: return cuMemcpy(ADDRESS(to), ADDRESS(from), bytes);
  case cudaMemcpyHostToDevice: return cuMemcpyHtoD(ADDRESS(to), from, bytes);
  case cudaMemcpyDeviceToHost: return cuMemcpyDtoH(to, ADDRESS(from), bytes);
  case cudaMemcpyDeviceToDevice: return cuMemcpyDtoD(ADDRESS(to), ADDRESS(from), bytes);
  default: return CUDA_ERROR_INVALID_MEMCPY_DIRECTION;
  }
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  RUN(copy_memory(to, from, bytes, kind));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy(to, from, bytes, kind);
}

/* There is one device, number 0. */
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  RUN(to_device || from_device ? CUDA_ERROR_INVALID_DEVICE : copy_memory(to, from, bytes, cudaMemcpyDefault));
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  (void)stream;
  return cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}

/* One kind of copy is enough, because addresses say whose they are. A pitch must hold a row. */
static CUresult copy_box(const CUDA_MEMCPY3D *c, unsigned kind) {
  if (kind > cudaMemcpyDefault) return CUDA_ERROR_INVALID_MEMCPY_DIRECTION;
  if (c->srcPitch < c->WidthInBytes || c->dstPitch < c->WidthInBytes) return CUDA_ERROR_INVALID_PITCH;
  return cuMemcpy3D(c);
}

/* A box of one slice between two unified addresses. */
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  const CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = ADDRESS(from),
                           .srcPitch = from_pitch,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = ADDRESS(to),
                           .dstPitch = to_pitch,
                           .WidthInBytes = width,
                           .Height = height,
                           .Depth = 1};
  RUN(copy_box(&c, kind));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

/* ---- variables ---- */

/* The address of `bytes` bytes at an offset in a variable; they must lie inside. */
static CUresult symbol_part(const void *symbol, size_t bytes, size_t offset, CUdeviceptr *address) {
  size_t all;
  const CUresult result = runtime_symbol(symbol, address, &all);
  if (result) return result;
  *address += offset;
  return offset > all || bytes > all - offset ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* The variable's end of a copy is always the device's; the other may be anyone's. */
static CUresult copy_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset) {
  CUdeviceptr at;
  const CUresult result = symbol_part(symbol, bytes, offset, &at);
  return result ? result : cuMemcpy(at, ADDRESS(from), bytes);
}

static CUresult copy_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset) {
  CUdeviceptr at;
  const CUresult result = symbol_part(symbol, bytes, offset, &at);
  return result ? result : cuMemcpy(ADDRESS(to), at, bytes);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  RUN(kind > cudaMemcpyDefault ? CUDA_ERROR_INVALID_MEMCPY_DIRECTION : copy_to_symbol(symbol, from, bytes, offset));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  RUN(kind > cudaMemcpyDefault ? CUDA_ERROR_INVALID_MEMCPY_DIRECTION : copy_from_symbol(to, symbol, bytes, offset));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

/* Loads the binary of the variable if need be. */
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  CUdeviceptr at = 0;
  size_t bytes;
  CUresult result = runtime_ready();
  if (!result) result = runtime_symbol(symbol, &at, &bytes);
  if (!result) *pointer = (void *)(uintptr_t)at;
  return runtime_end(result);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  CUdeviceptr at;
  RUN(runtime_symbol(symbol, &at, bytes));
}

/* ---- fills ---- */

/* Only the lowest byte of `value` counts. */
cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  RUN(cuMemsetD8(ADDRESS(to), (unsigned char)value, bytes));
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  (void)stream;
  return cudaMemset(to, value, bytes);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  RUN(cuMemsetD2D8(ADDRESS(to), pitch, (unsigned char)value, width, height));
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  (void)stream;
  return cudaMemset2D(to, pitch, value, width, height);
}

/* One slice after the other. */
cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent e) {
  CUresult result = runtime_ready();
  for (size_t z = 0; z < e.depth && !result; z++)
    result = cuMemsetD2D8(ADDRESS(to.ptr) + z * to.pitch * to.ysize, to.pitch, (unsigned char)value, e.width, e.height);
  return runtime_end(result);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream) {
  (void)stream;
  return cudaMemset3D(to, value, extent);
}

/* ---- streams and events ---- */

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  RUN(cuStreamCreate(stream, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  RUN(cuStreamCreate(stream, flags));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  RUN(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  RUN(cuStreamDestroy(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  RUN(cuStreamSynchronize(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  RUN(cuStreamQuery(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  RUN(cuStreamWaitEvent(stream, event, flags));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags) {
  RUN(cuStreamAddCallback(stream, (CUstreamCallback)function, data, flags)); /* of one form: an error is a number */
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags) {
  RUN(cuStreamAttachMemAsync(stream, ADDRESS(pointer), bytes, flags));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  RUN(cuStreamGetFlags(stream, flags));
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  RUN(cuStreamGetId(stream, id));
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  RUN(cuStreamGetDevice(stream, device));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  RUN(cuStreamGetPriority(stream, priority));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *status) {
  RUN(cuStreamIsCapturing(stream, status));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  RUN(cuLaunchHostFunc(stream, function, data));
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  RUN(cuEventCreate(event, 0));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  RUN(cuEventCreate(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  RUN(cuEventDestroy(event));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  RUN(cuEventRecord(event, stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  RUN(cuEventRecordWithFlags(event, stream, flags));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  RUN(cuEventSynchronize(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  RUN(cuEventQuery(event));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  RUN(cuEventElapsedTime(milliseconds, start, end));
}

cudaError_t cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
