/* SPDX-License-Identifier: Apache-2.0
 *
 * What every function of libcuda.so.1 needs first, and what its handles are. All contexts are of the one device, whose memory they share.
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

CUresult context_need(void);   /* initialised, a current context, and no kernel has faulted; else the status to return */
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
