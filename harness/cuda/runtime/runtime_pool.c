/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: memory pools. Their structures are the driver's, so they are handed on as they
 * are.
 */
#include "cudart.h"

_Static_assert(sizeof(struct cudaMemPoolProps) == sizeof(CUmemPoolProps) &&
                   sizeof(struct cudaMemAccessDesc) == sizeof(CUmemAccessDesc),
               "one layout");

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
  RUN(cuMemPoolCreate(pool, (const CUmemPoolProps *)properties));
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  RUN(cuMemPoolDestroy(pool));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value) {
  RUN(cuMemPoolSetAttribute(pool, (CUmemPool_attribute)attribute, value));
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value) {
  RUN(cuMemPoolGetAttribute(pool, (CUmemPool_attribute)attribute, value));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t least) {
  RUN(cuMemPoolTrimTo(pool, least));
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count) {
  RUN(cuMemPoolSetAccess(pool, (const CUmemAccessDesc *)access, count));
}

cudaError_t cudaMemPoolGetAccess(int *flags, cudaMemPool_t pool, struct cudaMemLocation *location) {
  RUN(cuMemPoolGetAccess(flags, pool, (CUmemLocation *)location));
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  RUN(cuDeviceGetDefaultMemPool(pool, device));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  RUN(cuDeviceGetMemPool(pool, device));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  RUN(cuDeviceSetMemPool(device, pool));
}

/* *pointer is set only on success. */
static CUresult pool_allocate(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  CUdeviceptr address = 0;
  const CUresult result = pointer ? cuMemAllocFromPoolAsync(&address, bytes, pool, stream) : CUDA_ERROR_INVALID_VALUE;
  if (!result) *pointer = (void *)(uintptr_t)address;
  return result;
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  RUN(pool_allocate(pointer, bytes, pool, stream));
}

/* From the device's present pool; no bytes give no memory. */
static CUresult allocate_from_current(void **pointer, size_t bytes, cudaStream_t stream) {
  CUmemoryPool pool;
  const CUresult result = cuDeviceGetMemPool(&pool, 0);
  return result || !bytes ? result : pool_allocate(pointer, bytes, pool, stream);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  if (pointer && !bytes) *pointer = NULL;
  RUN(allocate_from_current(pointer, bytes, stream));
}
