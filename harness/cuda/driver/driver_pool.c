/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: memory pools. All memory comes from the one heap of the device, and freed memory
 * goes back to it at once. A pool counts its memory and keeps its settings. The flags of an
 * allocation in the heap are the number of its pool.
 */
#include <stdlib.h>

#include "context.h"
#include "heap.h"

struct CUmemPoolHandle_st {
  unsigned number;
  bool gone; /* destroyed; what it gave out is still there */
  int reuse[3];
  uint64_t threshold, used, high, most;
  CUmemoryPool next;
};

/* The device's standard pool has number 1 and is never destroyed. Changes to the list hold
 * context_lock. */
static struct CUmemPoolHandle_st standard = {.number = 1, .reuse = {1, 1, 1}};
static CUmemoryPool pools = &standard, current = &standard;
static unsigned numbers = 1;

/* The handle is of a pool that was not destroyed. */
static bool is_live_pool(const struct CUmemPoolHandle_st *pool) {
  const struct CUmemPoolHandle_st *p = pools;
  while (p && p != pool) p = p->next;
  return p && !p->gone;
}

/* A destroyed pool stays until all its memory is given back. context_lock is held. */
static void free_if_done(CUmemoryPool pool) {
  CUmemoryPool *at = &pools;
  if (!pool->gone || pool->used) return;
  while (*at != pool) at = &(*at)->next;
  *at = pool->next;
  free(pool);
}

void pool_take_back(unsigned number, uint64_t bytes) {
  pthread_mutex_lock(&context_lock);
  CUmemoryPool p = pools;
  while (p && p->number != number) p = p->next;
  if (p) {
    p->used -= bytes;
    free_if_done(p);
  }
  pthread_mutex_unlock(&context_lock);
}

/* Only the standard pool stays, as at the start. */
void pool_forget_all(void) {
  pthread_mutex_lock(&context_lock);
  while (pools != &standard) {
    CUmemoryPool p = pools;
    pools = p->next;
    free(p);
  }
  standard = (struct CUmemPoolHandle_st){.number = 1, .reuse = {1, 1, 1}};
  current = &standard;
  pthread_mutex_unlock(&context_lock);
}

/* Pools are on the one device. */
static CUresult check_location(const CUmemLocation *l) {
  if (l->type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
  return l->id ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/* Pools that several processes share are refused. */
CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *of) {
  NEED();
  if (!pool || !of || of->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (of->handleTypes) return device_absent("a memory pool that several processes share");
  const CUresult result = check_location(&of->location);
  if (result) return result;
  CUmemoryPool p = calloc(1, sizeof *p);
  if (!p) return CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_lock(&context_lock);
  *p = (struct CUmemPoolHandle_st){.number = ++numbers, .reuse = {1, 1, 1}, .most = of->maxSize, .next = pools};
  pools = p;
  pthread_mutex_unlock(&context_lock);
  *pool = p;
  return CUDA_SUCCESS;
}

/* If it was the device's present pool, the standard one takes its place. */
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  NEED();
  if (!is_live_pool(pool) || pool == &standard) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&context_lock);
  pool->gone = true;
  if (current == pool) current = &standard;
  free_if_done(pool);
  pthread_mutex_unlock(&context_lock);
  return CUDA_SUCCESS;
}

/* Settings are kept and read back; none changes where memory comes from. */
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  NEED();
  if (!is_live_pool(pool) || !value) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
    pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = *(int *)value;
    break;
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: pool->threshold = *(cuuint64_t *)value; break;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
    if (*(cuuint64_t *)value) return CUDA_ERROR_INVALID_VALUE; /* it begins anew */
    pool->high = pool->used;
    break;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  NEED();
  if (!is_live_pool(pool) || !value) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
    *(int *)value = pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
    break;
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: *(cuuint64_t *)value = pool->threshold; break;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
  case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: *(cuuint64_t *)value = pool->used; break;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH: *(cuuint64_t *)value = pool->high; break;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

/* A pool holds no free memory that it could give back. */
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t least) {
  NEED();
  (void)least; /* it holds nothing that is free */
  return is_live_pool(pool) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count) {
  NEED();
  if (!is_live_pool(pool) || (count && !access)) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; i++) {
    const CUresult result = check_location(&access[i].location);
    if (result) return result;
    /* the device's own cannot be taken from it */
    if (access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(int *flags, CUmemoryPool pool, CUmemLocation *location) {
  NEED();
  if (!is_live_pool(pool) || !flags || !location) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = check_location(location);
  if (!result) *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return result;
}

/* *pool becomes `which`, if the device is number 0. */
static CUresult give_pool(CUmemoryPool *pool, CUdevice device, CUmemoryPool which) {
  const CUresult result = context_inited();
  if (result) return result;
  if (device) return CUDA_ERROR_INVALID_DEVICE;
  if (!pool) return CUDA_ERROR_INVALID_VALUE;
  *pool = which;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  return give_pool(pool, device, &standard);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  return give_pool(pool, device, current);
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  if (!device && !is_live_pool(pool)) return CUDA_ERROR_INVALID_VALUE;
  return give_pool(&current, device, pool);
}

/* The pool's maximum, unless it is 0, bounds what it has given out. */
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  uint64_t base = 0;
  heap_range_t r;
  (void)stream;
  NEED();
  if (!address || !bytes || !is_live_pool(pool)) return CUDA_ERROR_INVALID_VALUE;
  if (pool->most && (bytes > pool->most || pool->used > pool->most - bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result = heap_allocate(bytes, HEAP_DEVICE, pool->number, &base);
  if (result) return result;
  *address = base;
  pthread_mutex_lock(&context_lock);
  if (heap_find(base, &r)) pool->used += r.bytes;
  if (pool->used > pool->high) pool->high = pool->used;
  pthread_mutex_unlock(&context_lock);
  return CUDA_SUCCESS;
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  return cuMemAllocFromPoolAsync(address, bytes, current, stream);
}
