/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: errors, the device, kernels, launches. Most functions hand on to the driver's;
 * what is said here is where they differ.
 */
#include <stdbool.h>
#include <string.h>

#include "cudart.h"

/* The thread's last error, until cudaGetLastError takes it. Both APIs number errors alike. */
static _Thread_local CUresult last;

/* cuInit is called only when it is needed: a program that uses both APIs may have done so. */
CUresult runtime_ready(void) {
  CUcontext context = NULL;
  CUresult result = cuCtxGetCurrent(&context);
  if (result == CUDA_ERROR_NOT_INITIALIZED && !(result = cuInit(0))) result = cuCtxGetCurrent(&context);
  if (result || context) return result;
  if ((result = cuDevicePrimaryCtxRetain(&context, 0))) return result;
  return cuCtxSetCurrent(context);
}

cudaError_t runtime_end(CUresult result) {
  if (result) last = result;
  return (cudaError_t)result;
}

/* ---- errors ---- */

/* Leaves the error; cudaGetLastError takes it. */
cudaError_t cudaPeekAtLastError(void) {
  return (cudaError_t)last;
}

cudaError_t cudaGetLastError(void) {
  const cudaError_t error = (cudaError_t)last;
  last = CUDA_SUCCESS;
  return error;
}

static const struct {
  int value;
  const char *name, *text;
} errors[] = {
#define ERROR(value, driver, name, text) {value, "cuda" #name, text},
#include "cuda_errors.def"
};

enum { ERRORS = sizeof errors / sizeof *errors };

/* Names and texts of one list with the driver. */
const char *cudaGetErrorName(cudaError_t error) {
  for (unsigned i = 0; i < ERRORS; i++)
    if (errors[i].value == (int)error) return errors[i].name;
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  for (unsigned i = 0; i < ERRORS; i++)
    if (errors[i].value == (int)error) return errors[i].text;
  return "unrecognized error code";
}

/* ---- the device ---- */

cudaError_t cudaDriverGetVersion(int *version) {
  return runtime_end(cuDriverGetVersion(version));
}

/* The version of the layouts that this library was compiled for. */
cudaError_t cudaRuntimeGetVersion(int *version) {
  if (!version) return runtime_end(CUDA_ERROR_INVALID_VALUE);
  *version = CUDART_MAJOR * 1000;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count) {
  RUN(cuDeviceGetCount(count));
}

cudaError_t cudaGetDevice(int *device) {
  RUN((*device = 0, CUDA_SUCCESS));
}

/* There is one device, number 0. */
static CUresult check_device(int device) {
  return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/* There is one device, number 0. */
cudaError_t cudaSetDevice(int device) {
  RUN(check_device(device));
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  (void)device_flags, (void)flags;
  RUN(check_device(device));
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  RUN(count > 0 ? check_device(devices[0]) : CUDA_SUCCESS);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  RUN(cuDevicePrimaryCtxSetFlags(0, flags));
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  int active;
  RUN(cuDevicePrimaryCtxGetState(0, flags, &active));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
  (void)properties;
  RUN((*device = 0, CUDA_SUCCESS));
}

/* The device's facts by the names of device_properties.def, read from the driver's attributes, so
 * that both APIs say the same. */
typedef struct {
  uint64_t memory_bytes;
  int core_shared_bytes, core_registers, core_mhz, cores, core_threads, core_blocks, arch;
} facts_t;

/* 0: the driver does not know it. */
static int attribute(CUdevice_attribute of) {
  int value = 0;
  cuDeviceGetAttribute(&value, of, 0);
  return value;
}

/* device_properties.def calls it. */
static int most_block(const facts_t *facts) {
  (void)facts;
  return attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
}

/* Members that are arrays: what is behind the first element. */
static void texture_sizes(struct cudaDeviceProp *p) {
  p->maxTexture2D[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT);
  p->maxTexture2DLinear[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT);
  p->maxTexture2DLinear[2] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH);
  p->maxTexture2DGather[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT);
  p->maxTexture3D[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT);
  p->maxTexture3D[2] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH);
  p->maxTexture1DLayered[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS);
  p->maxTexture2DLayered[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT);
  p->maxTexture2DLayered[2] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS);
  p->maxSurface2D[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT);
  p->maxSurface3D[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT);
  p->maxSurface3D[2] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH);
  p->maxSurface1DLayered[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS);
  p->maxSurface2DLayered[1] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT);
  p->maxSurface2DLayered[2] = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS);
}

/* Fills the structure of this version (CUDART_MAJOR) from the list of its members. */
static CUresult properties_of(struct cudaDeviceProp *p, int device) {
  size_t bytes;
  CUresult result = check_device(device);
  if (!result) result = p ? cuDeviceTotalMem(&bytes, 0) : CUDA_ERROR_INVALID_VALUE;
  if (result) return result;
  const facts_t all = {.memory_bytes = bytes,
                       .core_shared_bytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
                       .core_registers = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
                       .core_mhz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000,
                       .cores = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                       .core_threads = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
                       .core_blocks = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
                       .arch = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                               attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)},
                *facts = &all;
  memset(p, 0, sizeof *p);
#define FIRST(type, name, elements, value) *(type *)(void *)&p->name = (type)(value);
#define MEMBER FIRST
#if CUDART_MAJOR >= 13
#define UNTIL_12(type, name, elements, value)
#define FROM_13 FIRST
#else
#define UNTIL_12 FIRST
#define FROM_13(type, name, elements, value)
#endif
#if CUDART_MAJOR >= 12
#define FROM_12 FIRST
#else
#define FROM_12(type, name, elements, value)
#endif
#include "device_properties.def"
  cuDeviceGetUuid((CUuuid *)p->uuid, 0);
  p->maxThreadsDim[1] = p->maxThreadsDim[0], p->maxThreadsDim[2] = 64;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  texture_sizes(p);
  return cuDeviceGetName(p->name, sizeof p->name, 0);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  RUN(properties_of(properties, device));
}

cudaError_t cudaDeviceGetAttribute(int *value, int of, int device) {
  RUN(cuDeviceGetAttribute(value, (CUdevice_attribute)of, device));
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  RUN(cuDeviceCanAccessPeer(can, device, peer));
}

/* There is no other device. */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  (void)flags;
  RUN(peer ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  RUN(peer ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device) {
  RUN(cuDeviceGetPCIBusId(id, length, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
  RUN(cuDeviceGetByPCIBusId(device, id));
}

cudaError_t cudaDeviceSynchronize(void) {
  RUN(cuCtxSynchronize());
}

/* Names with Thread are the older ones of the functions with Device. */
cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}

/* The thread's last error is forgotten, too. */
static CUresult reset_device(void) {
  runtime_forget_modules();
  last = CUDA_SUCCESS;
  return cuDevicePrimaryCtxReset(0);
}

/* Ends the machine and connects to a fresh one. */
cudaError_t cudaDeviceReset(void) {
  RUN(reset_device());
}

cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}

cudaError_t cudaDeviceGetLimit(size_t *value, int limit) {
  RUN(cuCtxGetLimit(value, (CUlimit)limit));
}

cudaError_t cudaDeviceSetLimit(int limit, size_t value) {
  RUN(cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t cudaThreadGetLimit(size_t *value, int limit) {
  return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetLimit(int limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetCacheConfig(int *config) {
  return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaThreadSetCacheConfig(int config) {
  return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaDeviceGetCacheConfig(int *config) {
  RUN(cuCtxGetCacheConfig((CUfunc_cache *)config));
}

cudaError_t cudaDeviceSetCacheConfig(int config) {
  RUN(cuCtxSetCacheConfig((CUfunc_cache)config));
}

cudaError_t cudaDeviceGetSharedMemConfig(int *config) {
  RUN(cuCtxGetSharedMemConfig((CUsharedconfig *)config));
}

cudaError_t cudaDeviceSetSharedMemConfig(int config) {
  RUN(cuCtxSetSharedMemConfig((CUsharedconfig)config));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  RUN(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, int *status) {
  RUN(cuGetProcAddress(symbol, function, CUDART_MAJOR * 1000, flags, status));
}

cudaError_t cudaProfilerStart(void) {
  return cudaSuccess;
}

cudaError_t cudaProfilerStop(void) {
  return cudaSuccess;
}

/* ---- kernels ---- */

/* Each attribute of the driver in its member. */
static CUresult function_attributes(struct cudaFuncAttributes *a, const void *host) {
  CUfunction f;
  int value[CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT + 1];
  CUresult result = a ? runtime_function(host, &f) : CUDA_ERROR_INVALID_VALUE;
  for (int i = 0; i <= CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT && !result; i++)
    result = cuFuncGetAttribute(&value[i], (CUfunction_attribute)i, f);
  if (result) return result;
  memset(a, 0, sizeof *a);
  a->sharedSizeBytes = (size_t)value[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES];
  a->constSizeBytes = (size_t)value[CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES];
  a->localSizeBytes = (size_t)value[CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES];
  a->maxThreadsPerBlock = value[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK];
  a->numRegs = value[CU_FUNC_ATTRIBUTE_NUM_REGS];
  a->ptxVersion = value[CU_FUNC_ATTRIBUTE_PTX_VERSION];
  a->binaryVersion = value[CU_FUNC_ATTRIBUTE_BINARY_VERSION];
  a->maxDynamicSharedSizeBytes = value[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES];
  return CUDA_SUCCESS;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  RUN(function_attributes(attributes, function));
}

cudaError_t cudaFuncSetAttribute(const void *function, int of, int value) {
  CUfunction f;
  CUresult result = runtime_ready();
  if (!result) result = runtime_function(function, &f);
  if (!result) result = cuFuncSetAttribute(f, (CUfunction_attribute)of, value);
  return runtime_end(result);
}

/* A wish, which changes nothing; the kernel must exist. */
cudaError_t cudaFuncSetCacheConfig(const void *function, int config) {
  CUfunction f;
  (void)config; /* a wish */
  RUN(runtime_function(function, &f));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, int config) {
  return cudaFuncSetCacheConfig(function, config);
}

static CUresult function_name(const char **name, const void *function) {
  CUfunction f;
  const CUresult result = name ? runtime_function(function, &f) : CUDA_ERROR_INVALID_VALUE;
  return result ? result : cuFuncGetName(name, f);
}

cudaError_t cudaFuncGetName(const char **name, const void *function) {
  RUN(function_name(name, function));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol) {
  RUN(runtime_function(symbol, function));
}

/* A kernel's handle is its stub. */
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *symbol) {
  *kernel = (cudaKernel_t)(uintptr_t)symbol;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *symbol) {
  return cudaGetKernel(kernel, symbol);
}

/* The block is too large for any kernel of this machine, not just for this one. */
static bool is_refused_by_machine(uint64_t threads) {
  int most;
  return !cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0) && threads > (uint64_t)most &&
         threads <= UINT16_MAX;
}

_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute), "one layout");

/* The runtime refuses a block that is too large for the kernel. The driver gets one that no core
 * holds as well, so that exec's list says how many threads a core has room for. */
static CUresult launch_as(const void *host, const cudaLaunchConfig_t *c, void **params) {
  CUfunction f;
  int most;
  const dim3 grid = c->gridDim, block = c->blockDim;
  CUresult result = runtime_function(host, &f);
  if (!result) result = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f);
  if (result) return result;
  const uint64_t threads = (uint64_t)block.x * block.y * block.z;
  const unsigned shared_bytes = (unsigned)c->dynamicSmemBytes;
  if (!grid.x || !grid.y || !grid.z || !threads) return CUDA_ERROR_INVALID_CONFIGURATION;
  if (threads > (uint64_t)most) {
    if (is_refused_by_machine(threads))
      cuLaunchKernel(f, 1, 1, 1, block.x, block.y, block.z, shared_bytes, c->stream, params, NULL);
    return CUDA_ERROR_INVALID_CONFIGURATION;
  }
  const CUlaunchConfig of = {grid.x,       grid.y,    grid.z,
                             block.x,      block.y,   block.z,
                             shared_bytes, c->stream, (const CUlaunchAttribute *)c->attrs,
                             c->numAttrs};
  return cuLaunchKernelEx(&of, f, params, NULL);
}

/* A launch without further attributes. */
static CUresult launch_grid(const void *host, dim3 grid, dim3 block, void **params, size_t shared_bytes,
                            cudaStream_t stream, bool cooperative) {
  const cudaLaunchAttribute of = {.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
  return launch_as(host, &(cudaLaunchConfig_t){grid, block, shared_bytes, stream, &of, cooperative ? 1 : 0}, params);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **params, size_t shared_bytes,
                             cudaStream_t stream) {
  RUN(launch_grid(function, grid, block, params, shared_bytes, stream, false));
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **params, size_t shared_bytes,
                                        cudaStream_t stream) {
  RUN(launch_grid(function, grid, block, params, shared_bytes, stream, true));
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **params, size_t shared_bytes,
                               cudaStream_t stream) {
  RUN(launch_grid(kernel, grid, block, params, shared_bytes, stream, false));
}

/* A launch with attributes, which the driver checks. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *function, void **params) {
  if (!c || (c->numAttrs && !c->attrs)) return runtime_end(CUDA_ERROR_INVALID_VALUE);
  RUN(launch_as(function, c, params));
}

/* Blocks of this many threads that a core holds at once. */
static CUresult active_blocks(int *blocks, const void *function, int block, size_t shared_bytes) {
  CUfunction f;
  const CUresult result = runtime_function(function, &f);
  return result ? result : cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, block, shared_bytes);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block,
                                                          size_t shared_bytes) {
  RUN(active_blocks(blocks, function, block, shared_bytes));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int block,
                                                                   size_t shared_bytes, unsigned flags) {
  (void)flags;
  RUN(active_blocks(blocks, function, block, shared_bytes));
}

/* Shared memory that is left with so many blocks in a core. */
static CUresult shared_left(size_t *bytes, const void *function, int blocks, int block) {
  CUfunction f;
  const CUresult result = runtime_function(function, &f);
  return result ? result : cuOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, block);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks, int block) {
  RUN(shared_left(bytes, function, blocks, block));
}
