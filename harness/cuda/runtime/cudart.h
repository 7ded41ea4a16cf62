/* SPDX-License-Identifier: Apache-2.0
 *
 * What the functions of libcudart.so share. The runtime is made of the driver API's functions, on
 * the primary context.
 */
#ifndef CUDART_H
#define CUDART_H

#include "cuda.h"
#include "cuda_runtime_api.h"

/* libcuda.so.1 of ours has these besides the API. */
/* a function that is not there: CUDA_ERROR_NOT_SUPPORTED */
CUresult lockstack_absent(const char *name);
/* memory of the host that goes to and from the device with launches */
CUresult lockstack_share(CUdeviceptr device, size_t bytes, void **host);

/* Initialises the driver and gives this thread the primary context, if that has not been done. */
CUresult runtime_ready(void);

/* What a function returns; an error is the thread's last one from then on. */
cudaError_t runtime_end(CUresult result);

CUresult runtime_function(const void *host, CUfunction *function); /* of a registered kernel */
CUresult runtime_symbol(const void *host, CUdeviceptr *address, size_t *bytes);
void runtime_forget_modules(void);

/* A function that is this one of the driver's: `RUN(cuMemFree(p))`. */
#define RUN(call)                       \
  do {                                  \
    CUresult result_ = runtime_ready(); \
    if (!result_) result_ = (call);     \
    return runtime_end(result_);        \
  } while (0)

#endif
