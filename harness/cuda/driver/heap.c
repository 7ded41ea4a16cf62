/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranges of addresses that are not just the host's, sorted by base.
 *
 * Memory that the device allocates is reserved in this process at the same address:
 *
 *   host's addresses   ...| host | reserved (PROT_NONE) | host |...        HEAP_DEVICE
 *   device's addresses           | memory               |
 *
 * Managed memory is readable here, too. If something of the host lies there already, the device is
 * asked for other memory.
 */
#include "heap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "copy.h"
#include "cuda_device.h"

enum { PAGE = 4096, FILLERS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  heap_range_t *range; /* by base */
  size_t count, room;
  uint64_t used;
  unsigned shared; /* that both see */
} heap;

/* Memory of the device alone. */
static bool is_device_range(const heap_range_t *r) {
  return r->kind == HEAP_DEVICE || r->kind == HEAP_VARIABLE;
}

static uint64_t whole_pages(uint64_t bytes) {
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* The number of the first range that ends behind the address, by halving. */
static size_t range_behind(uint64_t address) {
  size_t low = 0, high = heap.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (heap.range[middle].base + heap.range[middle].bytes > address) high = middle;
    else low = middle + 1;
  }
  return low;
}

/* The range that has the address; NULL: it is the host's own. Valid until the list changes. */
static heap_range_t *find_range(uint64_t address) {
  const size_t i = range_behind(address);
  return i < heap.count && heap.range[i].base <= address ? &heap.range[i] : NULL;
}

/* Keeps the list sorted and counts the device's bytes. */
static CUresult add_range(const heap_range_t *r) {
  if (heap.count == heap.room) {
    const size_t room = heap.room * 2 + 16;
    heap_range_t *more = realloc(heap.range, room * sizeof *more);
    if (!more) return CUDA_ERROR_OUT_OF_MEMORY;
    heap.range = more, heap.room = room;
  }
  const size_t i = range_behind(r->base);
  memmove(&heap.range[i + 1], &heap.range[i], (heap.count++ - i) * sizeof *r);
  heap.range[i] = *r;
  if (r->device) heap.used += r->bytes;
  if (r->device && !is_device_range(r)) heap.shared++;
  return CUDA_SUCCESS;
}

/* Ranges behind it move, so pointers into the list are not valid afterwards. */
static void drop_range(heap_range_t *r) {
  if (r->device) heap.used -= r->bytes;
  if (r->device && !is_device_range(r)) heap.shared--;
  memmove(r, r + 1, (size_t)(&heap.range[--heap.count] - r) * sizeof *r);
}

/* ---- the device's memory ---- */

/* The device's own allocator, in the simulator. An address of this process is not reserved yet. */
static CUresult device_allocate(uint64_t bytes, uint64_t *address) {
  wire_answer_t answer = {0};
  const CUresult result = device_ask(&(wire_request_t){.op = WIRE_ALLOCATE, .a = {bytes}}, NULL, NULL, 0, &answer);
  *address = answer.value;
  return result;
}

static CUresult device_release(uint64_t address) {
  return device_ask(&(wire_request_t){.op = WIRE_RELEASE, .a = {address}}, NULL, NULL, 0, NULL);
}

/* Maps exactly this address, if nothing is there. used: the host may access it. */
static bool reserve_address(uint64_t address, uint64_t bytes, bool used) {
  void *wanted = (void *)(uintptr_t)address;
  void *got = mmap(wanted, whole_pages(bytes), used ? PROT_READ | PROT_WRITE : PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != MAP_FAILED && got != wanted) munmap(got, whole_pages(bytes));
  return got == wanted;
}

/* Device memory at an address that is free here. What the device gave at other addresses is kept
 * until the end, so that it is not given again, and then released. */
static CUresult allocate_unified(uint64_t bytes, bool used, uint64_t *address) {
  uint64_t filler[FILLERS];
  unsigned fillers = 0;
  CUresult result;
  bool there = false;
  while (!(result = device_allocate(bytes, address)) && !(there = reserve_address(*address, bytes, used)) &&
         fillers < FILLERS)
    filler[fillers++] = *address;
  while (fillers--) device_release(filler[fillers]);
  if (result || there) return result;
  device_release(*address);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Host memory of its own pages, which are 0. */
static CUresult allocate_pinned(uint64_t bytes, uint64_t *address) {
  void *memory = mmap(NULL, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *address = (uintptr_t)memory;
  return memory == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult heap_allocate(uint64_t bytes, heap_kind_t kind, unsigned flags, uint64_t *address) {
  heap_range_t r = {.kind = kind, .bytes = bytes, .flags = flags};
  pthread_mutex_lock(&lock);
  const bool seen = kind != HEAP_PINNED || flags & CU_MEMHOSTALLOC_DEVICEMAP; /* by the device, at the same address */
  CUresult result = seen ? allocate_unified(bytes, kind != HEAP_DEVICE, &r.base) : allocate_pinned(bytes, &r.base);
  if (!result && seen) r.device = r.base;
  if (!result) result = add_range(&r);
  pthread_mutex_unlock(&lock);
  if (!result) *address = r.base;
  return result;
}

CUresult heap_register(heap_kind_t kind, uint64_t base, uint64_t bytes, unsigned flags) {
  pthread_mutex_lock(&lock);
  heap_range_t *there = find_range(base);
  CUresult result = CUDA_SUCCESS;
  if (there && kind == HEAP_REGISTERED) result = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  else if (!there && bytes)
    result = add_range(&(heap_range_t){.kind = kind, .base = base, .bytes = bytes, .flags = flags});
  pthread_mutex_unlock(&lock);
  return result;
}

/* Host memory gets memory of the device beside it when a program first asks for the device's
 * address. */
CUresult heap_map(uint64_t address, uint64_t *device) {
  pthread_mutex_lock(&lock);
  heap_range_t *r = find_range(address);
  CUresult result = !r || is_device_range(r) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  if (!result && !r->device && !(result = device_allocate(r->bytes, &r->device))) heap.used += r->bytes, heap.shared++;
  if (!result) *device = r->device + (address - r->base);
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult heap_share(uint64_t device, uint64_t bytes, uint64_t *host) {
  heap_range_t r = {.kind = HEAP_SHARED, .bytes = bytes, .device = device};
  pthread_mutex_lock(&lock);
  CUresult result = allocate_pinned(bytes, &r.base);
  if (!result) result = copy_out((void *)(uintptr_t)r.base, bytes, device, bytes, bytes, 1);
  if (!result) result = add_range(&r);
  pthread_mutex_unlock(&lock);
  *host = r.base;
  return result;
}

/* Only the base of a range of the right kind can be released. */
CUresult heap_release(uint64_t base, bool host) {
  pthread_mutex_lock(&lock);
  heap_range_t *r = find_range(base);
  CUresult result = r && r->base == base && host == (r->kind == HEAP_PINNED || r->kind == HEAP_REGISTERED) &&
                            r->kind != HEAP_VARIABLE && r->kind != HEAP_SHARED
                        ? CUDA_SUCCESS
                        : CUDA_ERROR_INVALID_VALUE;
  if (!result && r->device) result = device_release(r->device);
  if (!result && r->kind != HEAP_REGISTERED) munmap((void *)(uintptr_t)r->base, whole_pages(r->bytes));
  if (!result) drop_range(r);
  pthread_mutex_unlock(&lock);
  return result;
}

/* The device is gone. What is the host's own stays; the device no longer sees it. */
void heap_forget(void) {
  pthread_mutex_lock(&lock);
  for (size_t i = heap.count; i-- > 0;) {
    heap_range_t *r = &heap.range[i];
    if (r->kind == HEAP_DEVICE || r->kind == HEAP_MANAGED) munmap((void *)(uintptr_t)r->base, whole_pages(r->bytes));
    if (is_device_range(r) || r->kind == HEAP_MANAGED || r->kind == HEAP_SHARED) drop_range(r);
    else if (r->device) heap.used -= r->bytes, heap.shared--, r->device = 0;
  }
  pthread_mutex_unlock(&lock);
}

/* ---- looking ---- */

bool heap_find(uint64_t address, heap_range_t *range) {
  pthread_mutex_lock(&lock);
  const heap_range_t *r = find_range(address);
  if (r) *range = *r;
  pthread_mutex_unlock(&lock);
  return r != NULL;
}

bool heap_on_device(uint64_t address) {
  heap_range_t r;
  return heap_find(address, &r) && is_device_range(&r);
}

uint64_t heap_used(void) {
  return heap.used;
}

/* ---- what both see ---- */

/* Ranges that both see: to the device before a launch, back after it. */
static CUresult copy_shared(bool in) {
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; heap.shared && i < heap.count && !result; i++) {
    const heap_range_t *r = &heap.range[i];
    if (is_device_range(r) || !r->device) continue;
    result = in ? copy_in(r->device, r->bytes, (const void *)(uintptr_t)r->base, r->bytes, r->bytes, 1)
                : copy_out((void *)(uintptr_t)r->base, r->bytes, r->device, r->bytes, r->bytes, 1);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult heap_take_along(void) {
  return copy_shared(true);
}

CUresult heap_bring_back(void) {
  return copy_shared(false);
}
