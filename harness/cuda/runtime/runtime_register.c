/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: what a compiler's host code says before main of fat binaries, kernels and
 * variables. A fat binary is loaded when something of it is used first.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_texture.h"

typedef enum { FUNCTION_STUB, VARIABLE, TEXTURE, SURFACE } kind_t;

typedef struct registered {
  struct registered *next;
  const void *host; /* a kernel's stub, a variable, or a texture's or surface's structure */
  const char *name; /* on the device */
  void **managed;   /* where its address goes; NULL: not managed */
  CUfunction function;
  kind_t kind;
  bool unit; /* of a texture: whole numbers are read as numbers up to 1 */
} registered_t;

typedef struct binary {
  struct binary *next;
  const void *image;
  CUmodule module; /* NULL: not loaded */
  CUresult error;  /* why it cannot be */
  registered_t *first;
} binary_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static binary_t *binaries;
static _Thread_local struct {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
} configuration[8];
static _Thread_local unsigned configurations;

/* ---- what is registered ---- */

void **__cudaRegisterFatBinary(void *wrapper) {
  binary_t *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->image = wrapper;
  pthread_mutex_lock(&lock);
  b->next = binaries;
  binaries = b;
  pthread_mutex_unlock(&lock);
  return (void **)b;
}

void __cudaRegisterFatBinaryEnd(void **handle) {
  (void)handle;
}

/* As the program ends: its process' simulation does, too. */
void __cudaUnregisterFatBinary(void **handle) {
  binary_t *b = (binary_t *)handle;
  pthread_mutex_lock(&lock);
  binary_t **at = &binaries;
  while (*at && *at != b) at = &(*at)->next;
  if (*at) *at = b->next;
  pthread_mutex_unlock(&lock);
}

static void add(void **handle, const registered_t *what) {
  binary_t *b = (binary_t *)handle;
  registered_t *r = b ? malloc(sizeof *r) : NULL;
  if (!r) return;
  *r = *what;
  pthread_mutex_lock(&lock);
  r->next = b->first;
  b->first = r;
  pthread_mutex_unlock(&lock);
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid,
                            void *bid, void *block, void *grid, int *warp) {
  (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  add(handle, &(registered_t){.host = host, .name = name});
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes,
                       int constant, int global) {
  (void)device, (void)external, (void)bytes, (void)constant, (void)global;
  add(handle, &(registered_t){.host = host, .name = name, .kind = VARIABLE});
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t bytes,
                              int constant, int global) {
  (void)device, (void)external, (void)bytes, (void)constant, (void)global;
  add(handle, &(registered_t){.host = host, .name = name, .managed = host, .kind = VARIABLE});
}

void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device, const char *name,
                           int dim, int normalized, int external) {
  (void)device, (void)dim, (void)external;
  add(handle, &(registered_t){.host = host, .name = name, .kind = TEXTURE, .unit = normalized});
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device, const char *name,
                           int dim, int external) {
  (void)device, (void)dim, (void)external;
  add(handle, &(registered_t){.host = host, .name = name, .kind = SURFACE});
}

/* ---- loading ---- */

static CUresult share_managed(const binary_t *b) {
  CUresult result = CUDA_SUCCESS;
  CUdeviceptr device;
  size_t bytes;
  for (registered_t *r = b->first; r && !result; r = r->next) {
    if (!r->managed || (result = cuModuleGetGlobal(&device, &bytes, b->module, r->name))) continue;
    result = lockstack_share(device, bytes, r->managed);
  }
  return result;
}

static CUresult load(binary_t *b) {
  if (b->module || b->error) return b->error;
  b->error = cuModuleLoadFatBinary(&b->module, b->image);
  if (!b->error) b->error = share_managed(b);
  return b->error;
}

char __cudaInitModule(void **handle) {
  pthread_mutex_lock(&lock);
  const CUresult result = runtime_ready();
  if (!result && handle) load((binary_t *)handle);
  pthread_mutex_unlock(&lock);
  return 1;
}

void runtime_forget_modules(void) {
  pthread_mutex_lock(&lock);
  for (binary_t *b = binaries; b; b = b->next) {
    b->module = NULL;
    b->error = CUDA_SUCCESS;
    for (registered_t *r = b->first; r; r = r->next) r->function = NULL;
  }
  pthread_mutex_unlock(&lock);
}

static registered_t *find(const void *host, kind_t kind, binary_t **of) {
  for (*of = binaries; *of; *of = (*of)->next)
    for (registered_t *r = (*of)->first; r; r = r->next)
      if (r->kind == kind && (r->host == host || (r->managed && *r->managed == host))) return r;
  return NULL;
}

CUresult runtime_function(const void *host, CUfunction *function) {
  binary_t *b;
  pthread_mutex_lock(&lock);
  registered_t *r = find(host, FUNCTION_STUB, &b);
  CUresult result = r ? load(b) : CUDA_ERROR_INVALID_DEVICE_FUNCTION;
  if (!result && !r->function &&
      (result = cuModuleGetFunction(&r->function, b->module, r->name)) == CUDA_ERROR_NOT_FOUND)
    result = CUDA_ERROR_INVALID_DEVICE_FUNCTION;
  if (!result) *function = r->function;
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult runtime_symbol(const void *host, CUdeviceptr *address, size_t *bytes) {
  binary_t *b;
  pthread_mutex_lock(&lock);
  const registered_t *r = find(host, VARIABLE, &b);
  CUresult result = r ? load(b) : CUDA_ERROR_INVALID_SYMBOL;
  if (!result && (result = cuModuleGetGlobal(address, bytes, b->module, r->name)) == CUDA_ERROR_NOT_FOUND)
    result = CUDA_ERROR_INVALID_SYMBOL;
  if (!result && r->managed) *address = (CUdeviceptr)(uintptr_t)*r->managed;
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult runtime_texture(const void *host, CUtexref *reference, bool *unit) {
  binary_t *b;
  pthread_mutex_lock(&lock);
  const registered_t *r = find(host, TEXTURE, &b);
  CUresult result = r ? load(b) : CUDA_ERROR_INVALID_TEXTURE;
  if (!result) result = cuModuleGetTexRef(reference, b->module, r->name);
  if (!result) *unit = r->unit;
  pthread_mutex_unlock(&lock);
  return result == CUDA_ERROR_NOT_FOUND ? CUDA_ERROR_INVALID_TEXTURE : result;
}

CUresult runtime_surface(const void *host, CUsurfref *reference) {
  binary_t *b;
  pthread_mutex_lock(&lock);
  const registered_t *r = find(host, SURFACE, &b);
  CUresult result = r ? load(b) : CUDA_ERROR_INVALID_SURFACE;
  if (!result) result = cuModuleGetSurfRef(reference, b->module, r->name);
  pthread_mutex_unlock(&lock);
  return result == CUDA_ERROR_NOT_FOUND ? CUDA_ERROR_INVALID_SURFACE : result;
}

/* ---- <<<grid, block, shared_bytes, stream>>> ---- */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  if (configurations == sizeof configuration / sizeof *configuration) return 1;
  configuration[configurations].grid = grid, configuration[configurations].block = block;
  configuration[configurations].shared_bytes = shared_bytes, configuration[configurations].stream = stream;
  configurations++;
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
  if (!configurations) return runtime_end(CUDA_ERROR_MISSING_CONFIGURATION);
  configurations--;
  *grid = configuration[configurations].grid, *block = configuration[configurations].block;
  *shared_bytes = configuration[configurations].shared_bytes;
  *(cudaStream_t *)stream = configuration[configurations].stream;
  return cudaSuccess;
}
