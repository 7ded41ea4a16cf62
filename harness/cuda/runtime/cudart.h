/* SPDX-License-Identifier: Apache-2.0
 *
 * What the functions of libcudart.so share. The runtime consists of calls of the driver API, on the
 * primary context. It has no connection and no memory of its own.
 */
#ifndef CUDART_H
#define CUDART_H

#include "cuda.h"
#include "cuda_runtime_api.h"

/* Our libcuda.so.1 has two functions besides the API. lockstack_absent: a function that is not
 * there; always CUDA_ERROR_NOT_SUPPORTED. lockstack_share: host memory for a managed variable,
 * which goes to and from the device with launches. */
CUresult lockstack_absent(const char *name);
CUresult lockstack_share(CUdeviceptr device, size_t bytes, void **host);

/* Initialises the driver and gives this thread the primary context, unless that has been done. */
CUresult runtime_ready(void);

/* The result of a function of the runtime. An error becomes the thread's last one. */
cudaError_t runtime_end(CUresult result);

/* The function, variable or memory behind a name that host code has registered. The first use of a
 * fat binary loads it. CUDA_ERROR_INVALID_DEVICE_FUNCTION, _SYMBOL: it is not registered. */
CUresult runtime_function(const void *host, CUfunction *function); /* of a registered kernel */
CUresult runtime_symbol(const void *host, CUdeviceptr *address, size_t *bytes);
/* The device was reset: registered binaries are loaded again when they are used. */
void runtime_forget_modules(void);

/* The body of a function that is one call of the driver: `RUN(cuMemFree(p))`. `call` is evaluated
 * only if the runtime is ready. */
#define RUN(call)                       \
  do {                                  \
    CUresult result_ = runtime_ready(); \
    if (!result_) result_ = (call);     \
    return runtime_end(result_);        \
  } while (0)

#endif
