/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: modules, functions, launches, occupancy.
 *
 *   image --WIRE_LOAD--> module --WIRE_FUNCTION--> function --WIRE_LAUNCH--> ran
 *                          \--WIRE_GLOBAL--> address of a variable
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "context.h"
#include "heap.h"
#include "image.h"

enum { FAT_NUMBER = 0xBA55ED50, WRAPPER_NUMBER = 0x466243b1, WRAPPER_OF_FILES = 2, MOST_PARAMS = 4096 };

/* All that are loaded. context_lock protects the list and the functions of each module. */
static CUmodule modules;

/* ---- loading ---- */

/* A fat binary as a compiler puts it into a program: this points to it. */
typedef struct {
  uint32_t number, version;
  const void *data, *files;
} wrapper_t;

typedef struct {
  uint32_t number;
  uint16_t version, head;
  uint64_t behind;
} fat_t;

/* A file ends behind the headers of its sections or of its segments. */
static size_t elf_bytes(const Elf64_Ehdr *elf) {
  const uint64_t sections = elf->e_shoff + (uint64_t)elf->e_shnum * elf->e_shentsize,
                 segments = elf->e_phoff + (uint64_t)elf->e_phnum * elf->e_phentsize;
  return sections > segments ? sections : segments;
}

/* Images to be linked: the sum of their sizes, with heads. */
static size_t link_bytes(const uint8_t *image) {
  const uint8_t *at = image + IMAGE_LINK_HEAD;
  uint32_t count;
  memcpy(&count, image + 4, sizeof count);
  for (uint64_t bytes; count; count--) {
    memcpy(&bytes, at, sizeof bytes);
    at += sizeof bytes + bytes;
  }
  return (size_t)(at - image);
}

const void *const *image_files(const void *image) {
  const wrapper_t *wrapper = image;
  return wrapper->number == WRAPPER_NUMBER && wrapper->version == WRAPPER_OF_FILES ? wrapper->files : NULL;
}

/* How much of what is there is the image; *image may move. */
size_t image_bytes(const void **image) {
  const wrapper_t *wrapper = *image;
  if (wrapper->number == WRAPPER_NUMBER) *image = wrapper->data;
  const fat_t *fat = *image;
  if (fat->number == FAT_NUMBER) return fat->head + fat->behind;
  if (fat->number == IMAGE_LINK) return link_bytes(*image);
  if (!memcmp(*image, ELFMAG, SELFMAG)) return elf_bytes(*image);
  return strlen(*image);
}

/* One request with the whole image. The simulator reads it and says what is wrong. */
static CUresult load_image(CUmodule *module, const void *image, size_t bytes) {
  wire_answer_t answer = {0};
  if (bytes > WIRE_MOST) return CUDA_ERROR_INVALID_IMAGE;
  CUmodule m = calloc(1, sizeof *m);
  if (!m) return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result =
      device_ask(&(wire_request_t){.op = WIRE_LOAD, .size = (uint32_t)bytes}, image, NULL, 0, &answer);
  if (result) {
    free(m);
    return result;
  }
  m->number = answer.value;
  pthread_mutex_lock(&context_lock);
  m->next = modules;
  modules = m;
  pthread_mutex_unlock(&context_lock);
  *module = m;
  return CUDA_SUCCESS;
}

/* Fat binaries of a program that was compiled in parts (-rdc=true) are linked to one module. */
static CUresult load_files(CUmodule *module, const void *const *files) {
  unsigned count = 0;
  while (files[count]) count++;
  const void **image = calloc(count + 1, sizeof *image);
  size_t *bytes = calloc(count + 1, sizeof *bytes), all = 0;
  for (unsigned i = 0; image && bytes && i < count; i++) {
    image[i] = files[i];
    bytes[i] = image_bytes(&image[i]);
  }
  void *packed = image && bytes ? link_pack(image, bytes, count, &all) : NULL;
  const CUresult result = packed ? load_image(module, packed, all) : CUDA_ERROR_OUT_OF_MEMORY;
  free(packed);
  free(image);
  free(bytes);
  return result;
}

/* The image has no length: its own heads say where it ends. */
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  NEED();
  if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
  const void *const *files = image_files(image);
  if (files) return load_files(module, files);
  const size_t bytes = image_bytes(&image);
  return load_image(module, image, bytes);
}

/* There is no compiler: options are only answered. */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values) {
  jit_say_nothing(count, options, values);
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadData(module, image);
}

/* Stops above WIRE_MOST bytes, which load_image refuses. */
static char *read_all(int fd, size_t *size) {
  char *text = NULL;
  size_t room = 0;
  ssize_t n = 1;
  for (*size = 0; n > 0 && *size <= WIRE_MOST; *size += (size_t)(n > 0 ? n : 0)) {
    if (*size == room) {
      char *more = realloc(text, room = room * 2 + 65536);
      if (!more) break;
      text = more;
    }
    n = read(fd, text + *size, room - *size);
  }
  return text;
}

void *image_file(const char *path, size_t *size) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  char *image = fd < 0 ? NULL : read_all(fd, size);
  if (fd >= 0) close(fd);
  return image;
}

/* A file of PTX, a fat binary or images to be linked. */
CUresult cuModuleLoad(CUmodule *module, const char *path) {
  size_t size;
  NEED();
  if (!module || !path) return CUDA_ERROR_INVALID_VALUE;
  char *image = image_file(path, &size);
  const CUresult result = image ? load_image(module, image, size) : CUDA_ERROR_FILE_NOT_FOUND;
  free(image);
  return result;
}

/* Frees the handles of its functions, too. It must be out of the list. */
static void free_module(CUmodule m) {
  for (CUfunction f = m->functions, next; f; f = next) {
    next = f->next;
    free(f->name);
    free(f->param);
    free(f);
  }
  free(m);
}

/* Handles of the module's functions are freed, too. */
CUresult cuModuleUnload(CUmodule module) {
  NEED();
  pthread_mutex_lock(&context_lock);
  CUmodule *at = &modules;
  while (*at && *at != module) at = &(*at)->next;
  const bool found = *at != NULL;
  if (found) *at = module->next;
  pthread_mutex_unlock(&context_lock);
  if (!found) return CUDA_ERROR_INVALID_HANDLE;
  reference_forget_module(module);
  const CUresult result = device_ask(&(wire_request_t){.op = WIRE_UNLOAD, .a = {module->number}}, NULL, NULL, 0, NULL);
  free_module(module);
  return result;
}

void module_forget_all(void) {
  pthread_mutex_lock(&context_lock);
  while (modules) {
    CUmodule m = modules;
    modules = m->next;
    free_module(m);
  }
  pthread_mutex_unlock(&context_lock);
}

/* Modules are loaded when they are asked for, not at their first use. */
CUresult cuModuleGetLoadingMode(int *mode) {
  *mode = 1; /* eager */
  return context_inited();
}

/* The variable's memory is known as the device's from then on. */
CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  wire_global_t global;
  NEED();
  if (!module || !name) return CUDA_ERROR_INVALID_VALUE;
  CUresult result =
      device_ask(&(wire_request_t){.op = WIRE_GLOBAL, .size = (uint32_t)strlen(name), .a = {module->number}}, name,
                 &global, sizeof global, NULL);
  if (!result) result = heap_register(HEAP_VARIABLE, global.address, global.bytes, 0);
  if (result) return result;
  if (address) *address = global.address;
  if (bytes) *bytes = global.bytes;
  return CUDA_SUCCESS;
}

/* ---- functions ---- */

/* context_lock is held. */
static CUfunction find_function(CUmodule module, const char *name) {
  for (CUfunction f = module->functions; f; f = f->next)
    if (!strcmp(f->name, name)) return f;
  return NULL;
}

/* Fills in name, facts and parameters. The caller frees them on failure. */
static CUresult ask_function(CUfunction f, const char *name) {
  const size_t room = sizeof f->facts + MOST_PARAMS * sizeof *f->param;
  uint8_t *answer = malloc(room);
  if (!answer) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result =
      device_ask(&(wire_request_t){.op = WIRE_FUNCTION, .size = (uint32_t)strlen(name), .a = {f->module->number}}, name,
                 answer, room, NULL);
  if (!result) {
    memcpy(&f->facts, answer, sizeof f->facts);
    const size_t bytes = f->facts.params * sizeof *f->param;
    f->name = strdup(name);
    f->param = malloc(bytes + 1);
    if (f->facts.params > MOST_PARAMS || !f->name || !f->param) result = CUDA_ERROR_OUT_OF_MEMORY;
    else memcpy(f->param, answer + sizeof f->facts, bytes);
  }
  free(answer);
  return result;
}

/* A name that was asked for before gives the same handle. */
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  NEED();
  if (!function || !module || !name) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&context_lock);
  CUfunction f = find_function(module, name);
  pthread_mutex_unlock(&context_lock);
  if (f) {
    *function = f;
    return CUDA_SUCCESS;
  }
  if (!(f = calloc(1, sizeof *f))) return CUDA_ERROR_OUT_OF_MEMORY;
  f->module = module;
  const CUresult result = ask_function(f, name);
  if (result) {
    free(f->name);
    free(f->param);
    free(f);
    return result;
  }
  pthread_mutex_lock(&context_lock);
  f->next = module->functions;
  module->functions = f;
  pthread_mutex_unlock(&context_lock);
  *function = f;
  return CUDA_SUCCESS;
}

/* Attributes that the machine does not know are 0. */
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f) {
  NEED();
  if (!value || !f) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = (int)f->facts.most_threads; break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)f->facts.shared_bytes; break;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)f->facts.const_bytes; break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)f->facts.local_bytes; break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)f->facts.registers; break;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = (int)f->facts.ptx_version; break;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = (int)device_facts()->arch; break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = (int)(device_facts()->core_shared_bytes - f->facts.shared_bytes);
    break;
  default: *value = 0;
  }
  return CUDA_SUCCESS;
}

/* The machine need not be told: what a launch needs is found out when it comes. */
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  NEED();
  (void)value;
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
                 attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
             ? CUDA_SUCCESS
             : device_absent("cuFuncSetAttribute of this attribute");
}

/* The machine is what its file says. */
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  NEED();
  (void)config;
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  NEED();
  (void)config;
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* What the handle itself knows: no request is needed. */
CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  NEED();
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  *module = function->module;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
  NEED();
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  *name = function->name;
  return CUDA_SUCCESS;
}

/* ---- launches ---- */

/* Parameters out of `extra`, a buffer that is laid out already. It may be longer than the
 * parameters, by alignment. */
static CUresult take_buffer(const struct CUfunc_st *f, void **extra, uint8_t *params) {
  const void *buffer = NULL;
  size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[1];
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *(size_t *)extra[1];
    else return CUDA_ERROR_INVALID_VALUE;
  }
  if (!buffer || bytes < f->facts.param_bytes) return CUDA_ERROR_INVALID_VALUE; /* alignment may make it longer */
  memcpy(params, buffer, f->facts.param_bytes);
  return CUDA_SUCCESS;
}

/* Lays out the parameters behind the launch's request. */
static CUresult take_params(const struct CUfunc_st *f, void **list, void **extra, uint8_t *params) {
  if (extra && !list) return take_buffer(f, extra, params);
  if (!list && f->facts.params) return CUDA_ERROR_INVALID_VALUE;
  for (uint32_t i = 0; i < f->facts.params; i++) memcpy(params + f->param[i].offset, list[i], f->param[i].bytes);
  return CUDA_SUCCESS;
}

/* What a kernel has printed is output of the program. */
static void show_printed(uint64_t bytes) {
  char *text = bytes ? malloc(bytes) : NULL;
  if (text && !device_ask(&(wire_request_t){.op = WIRE_PRINTED}, NULL, text, bytes, NULL))
    fwrite(text, 1, bytes, stdout);
  free(text);
}

/* Sizes, and whether the launch is cooperative, are those of `of`. References are bound and shared
 * memory is copied before, and copied back after a launch that ended well. */
static CUresult launch_kernel(CUfunction f, const wire_launch_t *of, void **params, void **extra) {
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  const size_t bytes = sizeof(wire_launch_t) + f->facts.param_bytes;
  wire_launch_t *launch = calloc(1, bytes);
  if (!launch) return CUDA_ERROR_OUT_OF_MEMORY;
  *launch = *of;
  launch->module = f->module->number, launch->param_bytes = f->facts.param_bytes;
  const size_t length = strlen(f->name);
  CUresult result = length < sizeof launch->kernel ? take_params(f, params, extra, (uint8_t *)(launch + 1))
                                                   : CUDA_ERROR_INVALID_VALUE;
  if (!result) memcpy(launch->kernel, f->name, length + 1);
  if (!result) result = reference_bind_all();
  if (!result) result = heap_take_along();
  wire_answer_t answer = {0};
  if (!result)
    result = device_ask(&(wire_request_t){.op = WIRE_LAUNCH, .size = (uint32_t)bytes}, launch, NULL, 0, &answer);
  show_printed(answer.value);
  free(launch);
  return result ? result : heap_bring_back();
}

/* Returns when the kernel has ended; the stream does not matter. */
CUresult cuLaunchKernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **params,
                        void **extra) {
  (void)stream;
  NEED();
  const wire_launch_t of = {
      .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared_bytes = shared_bytes};
  return launch_kernel(f, &of, params, extra);
}

/* Refused if the machine does not hold all blocks at once. */
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                   unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void **params) {
  (void)stream;
  NEED();
  const wire_launch_t of = {.grid = {grid_x, grid_y, grid_z},
                            .block = {block_x, block_y, block_z},
                            .shared_bytes = shared_bytes,
                            .cooperative = 1};
  return launch_kernel(f, &of, params, NULL);
}

/* Wishes about caches, waiting and order do not change a launch, because each begins when the one
 * before has ended. False: an attribute that would change it. */
static bool take_attribute(const CUlaunchAttribute *a, wire_launch_t *of) {
  switch ((CUlaunchAttributeID)a->id) {
  case CU_LAUNCH_ATTRIBUTE_IGNORE:
  case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
  case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
  case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
  case CU_LAUNCH_ATTRIBUTE_PRIORITY: return true;
  case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: of->cooperative = a->value.cooperative != 0; return true;
  case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    return a->value.cluster[0] == 1 && a->value.cluster[1] == 1 && a->value.cluster[2] == 1;
  default: return false;
  }
}

/* All attributes must be known. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **params, void **extra) {
  NEED();
  if (!c || (c->numAttrs && !c->attrs)) return CUDA_ERROR_INVALID_VALUE;
  wire_launch_t of = {.grid = {c->gridDimX, c->gridDimY, c->gridDimZ},
                      .block = {c->blockDimX, c->blockDimY, c->blockDimZ},
                      .shared_bytes = c->sharedMemBytes};
  for (unsigned i = 0; i < c->numAttrs; i++)
    if (!take_attribute(&c->attrs[i], &of))
      return device_absent(
          "a launch with clusters of blocks, programmatic events or other attributes of later devices");
  return launch_kernel(f, &of, params, extra);
}

/* ---- occupancy ---- */

/* How many blocks of this many threads a core holds at once; 0: none fits. */
static CUresult ask_blocks(int *blocks, CUfunction f, int block, size_t shared_bytes) {
  wire_answer_t answer = {0};
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  if (block < 1) return CUDA_ERROR_INVALID_VALUE;
  const wire_request_t request = {.op = WIRE_BLOCKS,
                                  .size = (uint32_t)strlen(f->name),
                                  .a = {f->module->number, (uint64_t)block, 1, 1, shared_bytes}};
  const CUresult result = device_ask(&request, f->name, NULL, 0, &answer);
  *blocks = (int)answer.value;
  return result;
}

/* The machine decodes the kernel to answer. */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int block, size_t shared_bytes) {
  NEED();
  return blocks ? ask_blocks(blocks, f, block, shared_bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int block, size_t shared_bytes,
                                                              unsigned flags) {
  (void)flags;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, block, shared_bytes);
}

/* The most shared memory with which so many blocks are in a core at once, by halving. */
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction f, int blocks, int block) {
  int fit = 0;
  NEED();
  if (!bytes || blocks < 1) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = ask_blocks(&fit, f, block, 0);
  if (result || fit < blocks) return result ? result : CUDA_ERROR_INVALID_VALUE;
  size_t most = device_facts()->core_shared_bytes, least = 0; /* least fits */
  while (least < most && !result) {
    const size_t middle = least + (most - least + 1) / 2;
    result = ask_blocks(&fit, f, block, middle);
    if (fit >= blocks) least = middle;
    else most = middle - 1;
  }
  *bytes = least;
  return result;
}

/* Threads of a block: what the caller allows, the kernel allows, and the API's 1024. */
static int largest_block(const struct CUfunc_st *f, int most) {
  const int own = (int)f->facts.most_threads;
  if (most > 0 && most < own) return most;
  return own < 1024 ? own : 1024;
}

/* The largest block, of whole warps, with which most threads are in a core at once. */
CUresult cuOccupancyMaxPotentialBlockSize(int *least_grid, int *block, CUfunction f, CUoccupancyB2DSize shared_of,
                                          size_t shared_bytes, int most) {
  NEED();
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  const int limit = largest_block(f, most);
  int best = 0, blocks;
  for (int size = limit / 32 * 32; size >= 32; size -= 32) {
    const CUresult result = ask_blocks(&blocks, f, size, shared_of ? shared_of(size) : shared_bytes);
    if (result) return result;
    if (blocks * size <= best) continue;
    best = blocks * size;
    *block = size;
    *least_grid = blocks * (int)device_facts()->cores;
  }
  return best ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *least_grid, int *block, CUfunction f,
                                                   CUoccupancyB2DSize shared_of, size_t shared_bytes, int most,
                                                   unsigned flags) {
  (void)flags;
  return cuOccupancyMaxPotentialBlockSize(least_grid, block, f, shared_of, shared_bytes, most);
}
