/* SPDX-License-Identifier: Apache-2.0
 *
 * What every function of libcuda.so.1 needs first, and what its handles are. All contexts are of
 * the one device, whose memory they share.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include <pthread.h>

#include "cuda_device.h"

struct CUctx_st {
  unsigned flags, users; /* users: of the primary one */
  bool primary;
};

struct CUmod_st {
  uint64_t number; /* of its simulator's */
  struct CUfunc_st *functions;
  struct CUmod_st *next;
};

struct CUfunc_st {
  struct CUfunc_st *next;
  CUmodule module;
  char *name;
  wire_function_t facts;
  wire_param_t *param;
};

/* The bytes of what is there; and the images of a fat binary, as a compiler
 * puts it into a program, that are to be linked, NULL behind the last. */
size_t image_bytes(const void **image);
const void *const *image_files(const void *image);

/* A whole file, to be freed. NULL: it is not there, or cannot be read. */
void *image_file(const char *path, size_t *size);

/* Images put together as image.h has them. NULL: out of memory. */
void *link_pack(const void *const *images, const size_t *sizes, unsigned count, size_t *size);

/* Memory of the pool of that number, 1 or more, was given back; the device is closed. */
void pool_take_back(unsigned number, uint64_t bytes);
void pool_forget_all(void);

/* What a just-in-time compiler would say, by its options: nothing, in no time. */
void jit_say_nothing(unsigned count, const CUjit_option *options, void **values);

struct CUstream_st {
  unsigned flags;
  int priority;
};

struct CUevent_st {
  unsigned flags;
  bool recorded;
  double time_ns; /* simulated */
};

extern pthread_mutex_t context_lock; /* of modules and contexts */

/* initialised, a current context, and no kernel has faulted; else the status to return */
CUresult context_need(void);
CUresult context_inited(void); /* the first alone */
CUcontext context_current(void);
void module_forget_all(void); /* the device is closed */

/* `NEED();` begins a function that is about the device. */
#define NEED()                             \
  do {                                     \
    const CUresult need_ = context_need(); \
    if (need_) return need_;               \
  } while (0)

#endif
