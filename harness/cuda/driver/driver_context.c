/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: initialisation, the device, contexts, names of errors.
 *
 * There is one device, number 0. A context is little more than a token: the primary one and those
 * that a program creates share the device's memory and modules. Each thread has a stack of
 * contexts.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "context.h"
#include "heap.h"

enum { MOST_CONTEXTS = 16 /* pushed in a thread */ };

pthread_mutex_t context_lock = PTHREAD_MUTEX_INITIALIZER;

/* The driver of this process, the primary context, and this thread's stack of contexts. */
static bool inited;
static struct CUctx_st primary = {.primary = true};
static _Thread_local CUcontext stack[MOST_CONTEXTS];
static _Thread_local unsigned depth;

CUcontext context_current(void) {
  return depth ? stack[depth - 1] : NULL;
}

CUresult context_inited(void) {
  return inited ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

/* Also connects again after a reset. */
CUresult context_need(void) {
  if (!inited) return CUDA_ERROR_NOT_INITIALIZED;
  if (!context_current()) return CUDA_ERROR_INVALID_CONTEXT;
  const CUresult error = device_error();
  return error ? error : device_open();
}

/* ---- errors ---- */

typedef struct {
  CUresult value;
  const char *name, *text;
} error_t_;

/* Names and texts of statuses; both APIs have one list. */
static const error_t_ errors[] = {
#define ERROR(value, name, runtime, text) {value, "CUDA_" #name, text},
#include "cuda_errors.def"
};

/* NULL: the API has no such status. */
static const error_t_ *find_error(CUresult value) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].value == value) return &errors[i];
  return NULL;
}

/* An unknown status gives NULL and CUDA_ERROR_INVALID_VALUE. */
CUresult cuGetErrorName(CUresult value, const char **name) {
  const error_t_ *e = find_error(value);
  if (name) *name = e ? e->name : NULL;
  return e && name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult value, const char **text) {
  const error_t_ *e = find_error(value);
  if (text) *text = e ? e->text : NULL;
  return e && text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- the library ---- */

/* Connects to the simulator, and waits until its machine is made. */
CUresult cuInit(unsigned flags) {
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = device_open();
  if (!result) inited = true;
  return result;
}

CUresult cuDriverGetVersion(int *version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = DEVICE_DRIVER;
  return CUDA_SUCCESS;
}

/* Tables of functions without names: what a runtime that is linked statically asks for first. */
CUresult cuGetExportTable(const void **table, const CUuuid *id) {
  (void)id;
  if (table) *table = NULL;
  return device_absent("cuGetExportTable (of a runtime that is linked statically: -cudart shared would be right)");
}

typedef struct {
  const char *name, *symbol;
} entry_t;

/* Names that cuGetProcAddress takes; each function also by its name without _v2. */
static const entry_t entries[] = {
#define FUNCTION(symbol, parameters, old) {#old, #symbol}, {#symbol, #symbol},
#define PLAIN(symbol, parameters) {#symbol, #symbol},
#define STREAM(symbol, parameters) {#symbol, #symbol},
#include "cuda_driver.def"
};

/* Names that have meant other parameters since a
 * version; a later one stands behind an earlier one. */
static const struct {
  int version;
  entry_t entry;
} since[] = {{11040, {"cuCtxCreate", "cuCtxCreate_v3"}},
             {12050, {"cuCtxCreate", "cuCtxCreate_v4"}},
             {12020, {"cuMemAdvise", "cuMemAdvise_v2"}},
             {12020, {"cuMemPrefetchAsync", "cuMemPrefetchAsync_v2"}}};

/* Finds the name in this very library, wherever it was loaded from. */
CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status) {
  (void)flags;
  if (!symbol || !function) return CUDA_ERROR_INVALID_VALUE;
  const char *found = symbol;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (!strcmp(entries[i].name, symbol)) found = entries[i].symbol;
  for (size_t i = 0; i < sizeof since / sizeof *since; i++)
    if (version >= since[i].version && !strcmp(since[i].entry.name, symbol)) found = since[i].entry.symbol;
  Dl_info self;
  void *library = dladdr((void *)cuInit, &self) ? dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  *function = library ? dlsym(library, found) : NULL;
  if (library) dlclose(library);
  if (status) *status = *function ? 0 : 1;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags);
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}

/* Every launch is measured anyway. */
CUresult cuProfilerStart(void) {
  return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void) {
  return CUDA_SUCCESS;
}

/* ---- the device ---- */

/* The driver is initialised, and the device is number 0. */
static CUresult check_device(CUdevice device) {
  const CUresult result = context_inited();
  if (result) return result;
  return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  const CUresult result = check_device(ordinal);
  if (!result) *device = 0;
  return result;
}

CUresult cuDeviceGetCount(int *count) {
  const CUresult result = context_inited();
  if (!result) *count = 1;
  return result;
}

/* "Lockstack nsu": the system's name, not a product's. */
CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  const CUresult result = check_device(device);
  if (!result) snprintf(name, (size_t)length, "Lockstack %s", device_facts()->system);
  return result;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  const CUresult result = check_device(device);
  if (!result) memset(uuid, 0, sizeof *uuid), memcpy(uuid, "lockstack", 9);
  return result;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid(uuid, device);
}

/* Memory of the whole machine. */
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  const CUresult result = check_device(device);
  if (!result) *bytes = device_facts()->memory_bytes;
  return result;
}

/* Threads of a block: as a core holds, and at most the API's 1024. */
static int most_block(const wire_facts_t *facts) {
  return facts->core_threads < 1024 ? (int)facts->core_threads : 1024;
}

/* Attributes that the list lacks are 0. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  const CUresult result = check_device(device);
  const wire_facts_t *facts = device_facts();
  if (result) return result;
  switch ((int)attribute) {
#define ATTRIBUTE(number, name, of) \
  case number:                      \
    *value = (int)(of);             \
    return CUDA_SUCCESS;
#include "cuda_attributes.def"
  default:
    *value = 0;
    return attribute > 0 && attribute < CU_DEVICE_ATTRIBUTE_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuDeviceGetProperties(CUdevprop *p, CUdevice device) {
  const CUresult result = check_device(device);
  const wire_facts_t *f = device_facts();
  if (result) return result;
  *p = (CUdevprop){.maxThreadsPerBlock = most_block(f),
                   .maxThreadsDim = {most_block(f), most_block(f), 64},
                   .maxGridSize = {0x7fffffff, 65535, 65535},
                   .sharedMemPerBlock = (int)f->core_shared_bytes,
                   .totalConstantMemory = 65536,
                   .SIMDWidth = 32,
                   .memPitch = 0x7fffffff,
                   .regsPerBlock = (int)f->core_registers,
                   .clockRate = (int)f->core_mhz * 1000,
                   .textureAlign = DEVICE_TEXTURE_ALIGNMENT};
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  const CUresult result = check_device(device);
  if (!result) *major = (int)device_facts()->arch / 10, *minor = (int)device_facts()->arch % 10;
  return result;
}

/* There is no other device. */
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  const CUresult result = check_device(device);
  *can = 0;
  return result ? result : check_device(peer);
}

/* The device is on no bus; a program that asks gets the first address. */
CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
  const CUresult result = check_device(device);
  if (!result) snprintf(id, (size_t)length, "0000:00:00.0");
  return result;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
  const CUresult result = context_inited();
  if (result) return result;
  *device = 0;
  return !strcmp(id, "0000:00:00.0") || !strcmp(id, "00:00.0") ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

/* ---- contexts ---- */

/* The primary context needs nothing made: only its users are counted. */
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  const CUresult result = check_device(device);
  if (result) return result;
  pthread_mutex_lock(&context_lock);
  primary.users++;
  pthread_mutex_unlock(&context_lock);
  *context = &primary;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  CUresult result = check_device(device);
  pthread_mutex_lock(&context_lock);
  if (!result && !primary.users) result = CUDA_ERROR_INVALID_CONTEXT;
  if (!result) primary.users--;
  pthread_mutex_unlock(&context_lock);
  return result;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  const CUresult result = check_device(device);
  if (!result) primary.flags = flags;
  return result;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  const CUresult result = check_device(device);
  if (!result) *flags = primary.flags, *active = primary.users != 0;
  return result;
}

/* All that the device had is gone, with it an error of a kernel: the next machine is a fresh one.
 */
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  const CUresult result = check_device(device);
  if (result) return result;
  device_close();
  heap_forget();
  texture_forget_all();
  reference_forget_all();
  module_forget_all();
  pool_forget_all();
  return device_open();
}

/* The new context becomes the thread's present one. */
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  const CUresult result = check_device(device);
  if (result) return result;
  CUcontext c = calloc(1, sizeof *c);
  if (!c) return CUDA_ERROR_OUT_OF_MEMORY;
  c->flags = flags;
  *context = c;
  return cuCtxPushCurrent_v2(c);
}

/* Later versions of one function: what they add is refused. */
CUresult cuCtxCreate_v3(CUcontext *context, const void *affinity, int count, unsigned flags, CUdevice device) {
  return affinity || count ? device_absent("cuCtxCreate with execution affinity")
                           : cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, const CUctxCreateParams *params, unsigned flags, CUdevice device) {
  if (params && params->cigParams) return device_absent("cuCtxCreate for graphics");
  return cuCtxCreate_v3(context, params ? params->execAffinityParams : NULL, params ? params->numExecAffinityParams : 0,
                        flags, device);
}

/* The primary context cannot be destroyed. */
CUresult cuCtxDestroy_v2(CUcontext context) {
  if (!context || context == &primary) return CUDA_ERROR_INVALID_CONTEXT;
  while (depth && stack[depth - 1] == context) depth--;
  free(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  const CUresult result = context_inited();
  if (result) return result;
  if (!context || depth == MOST_CONTEXTS) return CUDA_ERROR_INVALID_CONTEXT;
  stack[depth++] = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  const CUresult result = context_inited();
  if (result) return result;
  if (!depth) return CUDA_ERROR_INVALID_CONTEXT;
  depth--;
  if (context) *context = stack[depth];
  return CUDA_SUCCESS;
}

/* Replaces the top of the thread's stack. */
CUresult cuCtxSetCurrent(CUcontext context) {
  const CUresult result = context_inited();
  if (result) return result;
  if (depth) depth--;
  if (context) stack[depth++] = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  const CUresult result = context_inited();
  if (!result) *context = context_current();
  return result;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  NEED();
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags) {
  NEED();
  *flags = context_current()->flags;
  return CUDA_SUCCESS;
}

/* 3020 is what the API gives for contexts of this kind. */
CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  (void)context;
  *version = 3020;
  return context_inited();
}

CUresult cuCtxSynchronize(void) {
  NEED();
  return CUDA_SUCCESS; /* what was asked is done */
}

/* Only the heap of malloc can be set. The other limits are the machine's, and setting one does
 * nothing. */
static _Atomic size_t limits[] = {
    [CU_LIMIT_STACK_SIZE] = 1024, [CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20, [CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20};

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  NEED();
  if (limit > CU_LIMIT_MALLOC_HEAP_SIZE) return device_absent("cuCtxSetLimit of this limit");
  if (limit != CU_LIMIT_MALLOC_HEAP_SIZE) return CUDA_SUCCESS;
  const CUresult result = device_ask(&(wire_request_t){.op = WIRE_HEAP, .a = {value}}, NULL, NULL, 0, NULL);
  if (result == CUDA_SUCCESS) limits[limit] = value;
  return result;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  NEED();
  if (limit > CU_LIMIT_MALLOC_HEAP_SIZE) return device_absent("cuCtxGetLimit of this limit");
  *value = limits[limit];
  return CUDA_SUCCESS;
}

/* Caches and shared memory are what the machine's file says, so wishes about them change nothing.
 */
CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  NEED();
  *config = CU_FUNC_CACHE_PREFER_NONE;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  NEED();
  (void)config; /* a wish: the machine is what its file says */
  return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  NEED();
  *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  NEED();
  (void)config;
  return CUDA_SUCCESS;
}

/* There is one priority. */
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  NEED();
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return CUDA_SUCCESS;
}
