/* SPDX-License-Identifier: Apache-2.0
 *
 * What each function of libcuda.so.1 needs first, and what its handles point to. All contexts are
 * of the one device, whose memory they share.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include <pthread.h>

#include "cuda_device.h"

/* A context. It holds nothing but flags: memory and modules belong to the device. */
struct CUctx_st {
  unsigned flags, users; /* users: counted for the primary context only */
  bool primary;
};

/* A module, known to the simulator by its number, and the functions that a program asked for. */
struct CUmod_st {
  uint64_t number; /* the simulator's number for it */
  struct CUfunc_st *functions;
  struct CUmod_st *next;
};

/* A kernel and what the simulator said about it. */
struct CUfunc_st {
  struct CUfunc_st *next;
  CUmodule module;
  char *name;
  wire_function_t facts;
  wire_param_t *param;
};

/* How many bytes the image at *image has; *image moves if it points to a wrapper of the image. */
size_t image_bytes(const void **image);
/* The images of a fat binary that was compiled in parts, as a compiler puts them into a program;
 * NULL behind the last. NULL: image is no such list. */
const void *const *image_files(const void *image);

/* A whole file, to be freed. NULL: it is not there, or cannot be read. */
void *image_file(const char *path, size_t *size);

/* Images in one as image.h has them, to be freed. NULL: out of memory. */
void *link_pack(const void *const *images, const size_t *sizes, unsigned count, size_t *size);

/* Memory of the pool of that number, 1 or more, was given back. */
void pool_take_back(unsigned number, uint64_t bytes);
void pool_forget_all(void);

/* Fills in what a just-in-time compiler would report by these options: no messages, no time. */
void jit_say_nothing(unsigned count, const CUjit_option *options, void **values);

struct CUstream_st {
  unsigned flags;
  int priority;
};

/* An event is the simulated time of its last record. */
struct CUevent_st {
  unsigned flags;
  bool recorded;
  double time_ns; /* simulated time of the last record */
};

/* Held to change the lists of modules, pools, references and texture objects, and the users of the
 * primary context. */
extern pthread_mutex_t context_lock;

/* CUDA_SUCCESS: the driver is initialised, this thread has a context, and no kernel has faulted.
 * Else the status to return. */
CUresult context_need(void);
CUresult context_inited(void); /* checks only that the driver is initialised */
CUcontext context_current(void);
void module_forget_all(void); /* call it when the device is closed */

/* `NEED();` begins a function that is about the device; it returns the status if something is
 * missing. */
#define NEED()                             \
  do {                                     \
    const CUresult need_ = context_need(); \
    if (need_) return need_;               \
  } while (0)

#endif
