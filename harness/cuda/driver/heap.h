/* SPDX-License-Identifier: Apache-2.0
 *
 * What addresses of this process are: memory of the device, or of the host, which the device may
 * see, too.
 *
 * Addresses are unified, as in CUDA: where the device has memory this process has none of its own,
 * so an address says whose it is. Memory that both see (managed, mapped) belongs to the host
 * between launches. A launch takes it along and brings it back.
 */
#ifndef HEAP_H
#define HEAP_H

#include <stdbool.h>

#include "cuda.h"

typedef enum {
  HEAP_DEVICE,    /* memory of the device */
  HEAP_VARIABLE,  /* a module's variable on the device */
  HEAP_SHARED,    /* a managed variable: the host has it elsewhere than the device */
  HEAP_MANAGED,   /* both see it, at one address */
  HEAP_PINNED,    /* host memory of cuMemHostAlloc */
  HEAP_REGISTERED /* host memory of cuMemHostRegister */
} heap_kind_t;

typedef struct {
  heap_kind_t kind;
  uint64_t base, bytes; /* in this process */
  uint64_t device;      /* where the device sees it; 0: it does not */
  unsigned flags;
} heap_range_t;

/* Allocates memory of kind DEVICE, MANAGED or PINNED. CUDA_ERROR_OUT_OF_MEMORY: there is none. */
CUresult heap_allocate(uint64_t bytes, heap_kind_t kind, unsigned flags, uint64_t *address);
/* Notes memory that is there: a VARIABLE of the device, or REGISTERED memory of the host. */
CUresult heap_register(heap_kind_t kind, uint64_t base, uint64_t bytes, unsigned flags);
/* Lets the device see the host memory at an address. *device: where it sees that address. */
CUresult heap_map(uint64_t address, uint64_t *device);
/* A managed variable, which the device has at `device`. *host: where this process has it, with the
 * same content. */
CUresult heap_share(uint64_t device, uint64_t bytes, uint64_t *host);
/* Releases a whole range. host: one that is PINNED or REGISTERED; else one of the device. */
CUresult heap_release(uint64_t base, bool host);
void heap_forget(void); /* call it when the device is closed */

/* The range that has an address. False: the address is the host's own. */
bool heap_find(uint64_t address, heap_range_t *range);
bool heap_on_device(uint64_t address);
/* Bytes of the device that are allocated. */
uint64_t heap_used(void);

/* Memory that both see, before and after a launch. */
CUresult heap_take_along(void);
CUresult heap_bring_back(void);

#endif
