/* SPDX-License-Identifier: Apache-2.0
 *
 * The device heap of malloc and free in kernels (CUDA C++ Programming Guide, "Dynamic Global Memory
 * Allocation").
 *
 * device_heap_place puts the heap into global memory before the first kernel that may call malloc
 * or free. The size is fixed from then on. Memory stays allocated across launches until it is
 * freed. Allocation is first fit, in multiples of 16 bytes; addresses are aligned to 16 bytes.
 */
#ifndef DEVICE_HEAP_H
#define DEVICE_HEAP_H

#include "simt.h"
#include "simt_module.h"

enum { DEVICE_HEAP_UNIT = 16, DEVICE_HEAP_BYTES = 8 << 20 /* default size, as in the guide */ };

/* A contiguous part of the heap, allocated or free. */
typedef struct {
  uint64_t at, bytes; /* virtual address, size */
  bool taken;
} device_piece_t;

typedef struct {
  uint64_t base, bytes;  /* base: virtual address; 0: not placed yet */
  device_piece_t *piece; /* the whole heap, by address; no two adjacent pieces are free */
  size_t pieces, room;   /* entries in use, entries allocated */
} device_heap_t;

/* Sets the size, 1 byte to 1 TB. -1 with err: another size, or the heap is already placed. */
int device_heap_size(device_heap_t *heap, uint64_t bytes, trouble_t *err);

/* Places the heap if the kernel may call malloc or free. -1 with err: no room. */
int device_heap_place(device_heap_t *heap, const simt_kernel_t *kernel, const simt_store_t *store, trouble_t *err);

/* malloc: *address is 0 if there is no room, or if bytes is 0. -1: out of host memory. */
int device_heap_take(device_heap_t *heap, uint64_t bytes, uint64_t *address);
/* free: address 0 does nothing. -1: no allocation starts there. */
int device_heap_give(device_heap_t *heap, uint64_t address);
void device_heap_free(device_heap_t *heap); /* frees host memory */

#endif
