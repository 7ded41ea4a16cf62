/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap from which kernels take memory, by malloc and free (CUDA C++ Programming Guide, "Dynamic
 * Global Memory Allocation").
 *
 * It is placed in global memory when the first kernel is launched that may call malloc, keeps its
 * size from then on, and what is taken stays until it is given back, over launches. First fit, in
 * multiples of 16 bytes, to which addresses are aligned, too.
 */
#ifndef DEVICE_HEAP_H
#define DEVICE_HEAP_H

#include "simt.h"
#include "simt_module.h"

enum { DEVICE_HEAP_UNIT = 16, DEVICE_HEAP_BYTES = 8 << 20 /* if nobody says another size, as in the guide */ };

typedef struct {
  uint64_t at, bytes;
  bool taken;
} device_piece_t;

typedef struct {
  uint64_t base, bytes;  /* base: virtual address; 0: it is not placed */
  device_piece_t *piece; /* all of it, by address; no two free ones beside each other */
  size_t pieces, room;
} device_heap_t;

/* 1 byte to 1 TB; -1: err, none of these, or it is placed. */
int device_heap_size(device_heap_t *heap, uint64_t bytes, trouble_t *err);

/* Before a launch: places it if the kernel may call malloc or free; -1: err, there is no room. */
int device_heap_place(device_heap_t *heap, const simt_kernel_t *kernel, const simt_store_t *store, trouble_t *err);

/* address: 0: no room, or no bytes. -1: out of host memory */
int device_heap_take(device_heap_t *heap, uint64_t bytes, uint64_t *address);
/* -1: nobody has taken what begins there. 0: nothing happens */
int device_heap_give(device_heap_t *heap, uint64_t address);
void device_heap_free(device_heap_t *heap);

#endif
