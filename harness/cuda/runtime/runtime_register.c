/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API: what a compiler's host code registers before main, and launch configurations.
 *
 *   before main:  __cudaRegisterFatBinary --> binary_t
 *                 __cudaRegisterFunction, Var, Texture, Surface --> registered_t of that binary
 *   later:        runtime_function(stub) --> find_registered --> load_binary, once --> CUfunction
 *
 * A fat binary is loaded when something of it is first used.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_texture.h"

typedef enum { FUNCTION_STUB, VARIABLE, TEXTURE, SURFACE } kind_t;

/* One thing that host code knows by an address and the device by a name. */
typedef struct registered {
  struct registered *next;
  const void *host; /* a kernel's stub, a variable, or a texture's or surface's structure */
  const char *name; /* on the device */
  void **managed;   /* where its address goes; NULL: not managed */
  CUfunction function;
  kind_t kind;
  bool unit; /* of a texture: whole numbers are read as numbers up to 1 */
} registered_t;

/* A fat binary of the program or of one of its libraries. */
typedef struct binary {
  struct binary *next;
  const void *image;
  CUmodule module; /* NULL: not loaded */
  CUresult error;  /* why it cannot be */
  registered_t *first;
} binary_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static binary_t *binaries;
/* Launches <<<...>>> in progress in this thread, innermost last; one may be in the arguments of
 * another. */
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

/* Nothing is left to be done: binaries are loaded when they are used. */
void __cudaRegisterFatBinaryEnd(void **handle) {
  (void)handle;
}

/* The program ends, and so does its simulation: nothing needs to be freed. */
void __cudaUnregisterFatBinary(void **handle) {
  binary_t *b = (binary_t *)handle;
  pthread_mutex_lock(&lock);
  binary_t **at = &binaries;
  while (*at && *at != b) at = &(*at)->next;
  if (*at) *at = b->next;
  pthread_mutex_unlock(&lock);
}

/* Without memory the thing is missing, and its use an error. */
static void add_registered(void **handle, const registered_t *what) {
  binary_t *b = (binary_t *)handle;
  registered_t *r = b ? malloc(sizeof *r) : NULL;
  if (!r) return;
  *r = *what;
  pthread_mutex_lock(&lock);
  r->next = b->first;
  b->first = r;
  pthread_mutex_unlock(&lock);
}

/* The compiler's further arguments describe what the PTX says, too. */
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid,
                            void *bid, void *block, void *grid, int *warp) {
  (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  add_registered(handle, &(registered_t){.host = host, .name = name});
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes,
                       int constant, int global) {
  (void)device, (void)external, (void)bytes, (void)constant, (void)global;
  add_registered(handle, &(registered_t){.host = host, .name = name, .kind = VARIABLE});
}

/* *host gets the variable's address when its binary is loaded. */
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t bytes,
                              int constant, int global) {
  (void)device, (void)external, (void)bytes, (void)constant, (void)global;
  add_registered(handle, &(registered_t){.host = host, .name = name, .managed = host, .kind = VARIABLE});
}

void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device, const char *name,
                           int dim, int normalized, int external) {
  (void)device, (void)dim, (void)external;
  add_registered(handle, &(registered_t){.host = host, .name = name, .kind = TEXTURE, .unit = normalized});
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device, const char *name,
                           int dim, int external) {
  (void)device, (void)dim, (void)external;
  add_registered(handle, &(registered_t){.host = host, .name = name, .kind = SURFACE});
}

/* ---- loading ---- */

/* Gives each managed variable of a loaded binary its memory on the host. */
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

/* Loads once; the error of a binary that cannot be loaded is kept. `lock` is held. */
static CUresult load_binary(binary_t *b) {
  if (b->module || b->error) return b->error;
  b->error = cuModuleLoadFatBinary(&b->module, b->image);
  if (!b->error) b->error = share_managed(b);
  return b->error;
}

/* Host code calls it before it uses managed variables, which must have their memory then. */
char __cudaInitModule(void **handle) {
  pthread_mutex_lock(&lock);
  const CUresult result = runtime_ready();
  if (!result && handle) load_binary((binary_t *)handle);
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

/* By the host's address, or the address that a managed variable got. *of: its binary. `lock` is
 * held. */
static registered_t *find_registered(const void *host, kind_t kind, binary_t **of) {
  for (*of = binaries; *of; *of = (*of)->next)
    for (registered_t *r = (*of)->first; r; r = r->next)
      if (r->kind == kind && (r->host == host || (r->managed && *r->managed == host))) return r;
  return NULL;
}

CUresult runtime_function(const void *host, CUfunction *function) {
  binary_t *b;
  pthread_mutex_lock(&lock);
  registered_t *r = find_registered(host, FUNCTION_STUB, &b);
  CUresult result = r ? load_binary(b) : CUDA_ERROR_INVALID_DEVICE_FUNCTION;
  if (!result && !r->function &&
      (result = cuModuleGetFunction(&r->function, b->module, r->name)) == CUDA_ERROR_NOT_FOUND)
    result = CUDA_ERROR_INVALID_DEVICE_FUNCTION;
  if (!result) *function = r->function;
  pthread_mutex_unlock(&lock);
  return result;
}

/* A managed variable is at its address on the host, which a launch takes along. */
CUresult runtime_symbol(const void *host, CUdeviceptr *address, size_t *bytes) {
  binary_t *b;
  pthread_mutex_lock(&lock);
  const registered_t *r = find_registered(host, VARIABLE, &b);
  CUresult result = r ? load_binary(b) : CUDA_ERROR_INVALID_SYMBOL;
  if (!result && (result = cuModuleGetGlobal(address, bytes, b->module, r->name)) == CUDA_ERROR_NOT_FOUND)
    result = CUDA_ERROR_INVALID_SYMBOL;
  if (!result && r->managed) *address = (CUdeviceptr)(uintptr_t)*r->managed;
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult runtime_texture(const void *host, CUtexref *reference, bool *unit) {
  binary_t *b;
  pthread_mutex_lock(&lock);
  const registered_t *r = find_registered(host, TEXTURE, &b);
  CUresult result = r ? load_binary(b) : CUDA_ERROR_INVALID_TEXTURE;
  if (!result) result = cuModuleGetTexRef(reference, b->module, r->name);
  if (!result) *unit = r->unit;
  pthread_mutex_unlock(&lock);
  return result == CUDA_ERROR_NOT_FOUND ? CUDA_ERROR_INVALID_TEXTURE : result;
}

CUresult runtime_surface(const void *host, CUsurfref *reference) {
  binary_t *b;
  pthread_mutex_lock(&lock);
  const registered_t *r = find_registered(host, SURFACE, &b);
  CUresult result = r ? load_binary(b) : CUDA_ERROR_INVALID_SURFACE;
  if (!result) result = cuModuleGetSurfRef(reference, b->module, r->name);
  pthread_mutex_unlock(&lock);
  return result == CUDA_ERROR_NOT_FOUND ? CUDA_ERROR_INVALID_SURFACE : result;
}

/* ---- <<<grid, block, shared_bytes, stream>>> ---- */

/* Not 0: too many launches inside each other; host code then does not launch. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  if (configurations == sizeof configuration / sizeof *configuration) return 1;
  configuration[configurations].grid = grid, configuration[configurations].block = block;
  configuration[configurations].shared_bytes = shared_bytes, configuration[configurations].stream = stream;
  configurations++;
  return 0;
}

/* Called by the kernel's stub. */
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
  if (!configurations) return runtime_end(CUDA_ERROR_MISSING_CONFIGURATION);
  configurations--;
  *grid = configuration[configurations].grid, *block = configuration[configurations].block;
  *shared_bytes = configuration[configurations].shared_bytes;
  *(cudaStream_t *)stream = configuration[configurations].stream;
  return cudaSuccess;
}
