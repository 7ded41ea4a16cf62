/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: the linker of a just-in-time compiler. Images are only put together here. The
 * machine's reader of PTX links them when the result is loaded as a module, and says then what is
 * wrong with them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "image.h"

/* Images that were added, and what they became. */
struct CUlinkState_st {
  void **image;
  size_t *bytes;
  unsigned count;
  void *whole; /* what cuLinkComplete gave */
};

void *link_pack(const void *const *images, const size_t *sizes, unsigned count, size_t *size) {
  const uint32_t head[2] = {IMAGE_LINK, count};
  *size = sizeof head;
  for (unsigned i = 0; i < count; i++) *size += sizeof(uint64_t) + sizes[i];
  uint8_t *packed = malloc(*size), *at = packed;
  if (!packed) return NULL;
  memcpy(at, head, sizeof head);
  at += sizeof head;
  for (unsigned i = 0; i < count; i++) {
    const uint64_t bytes = sizes[i];
    memcpy(at, &bytes, sizeof bytes);
    memcpy(at + sizeof bytes, images[i], bytes);
    at += sizeof bytes + bytes;
  }
  return packed;
}

/* A log buffer is emptied if the options also give it a size. */
void jit_say_nothing(unsigned count, const CUjit_option *options, void **values) {
  bool room[2] = {false, false}; /* a size of 0 is a buffer that is not there */
  if (!options || !values) return;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) room[0] = values[i] != NULL;
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) room[1] = values[i] != NULL;
  }
  for (unsigned i = 0; i < count; i++) switch (options[i]) {
    case CU_JIT_INFO_LOG_BUFFER:
    case CU_JIT_ERROR_LOG_BUFFER:
      if (room[options[i] == CU_JIT_ERROR_LOG_BUFFER] && values[i]) *(char *)values[i] = 0;
      break;
    case CU_JIT_WALL_TIME: /* 0.0f is 0 */
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: values[i] = NULL; break;
    default: break;
    }
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values, CUlinkState *state) {
  NEED();
  if (!state) return CUDA_ERROR_INVALID_VALUE;
  jit_say_nothing(count, options, values);
  *state = calloc(1, sizeof **state);
  return *state ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Takes ownership of image, also on failure. */
static CUresult add_image(CUlinkState s, void *image, size_t bytes) {
  void **images = realloc(s->image, (s->count + 1) * sizeof *images);
  if (images) s->image = images;
  size_t *sizes = realloc(s->bytes, (s->count + 1) * sizeof *sizes);
  if (sizes) s->bytes = sizes;
  if (!images || !sizes || !image) {
    free(image);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  s->image[s->count] = image;
  s->bytes[s->count++] = bytes;
  return CUDA_SUCCESS;
}

/* PTX and fat binaries can be linked; machine code, objects and libraries cannot. */
static CUresult check_type(CUjitInputType type) {
  if (type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY) return CUDA_SUCCESS;
  return type < CU_JIT_NUM_INPUT_TYPES
             ? device_absent("a link with machine code, objects or libraries (PTX and fat binaries of it are linked)")
             : CUDA_ERROR_INVALID_VALUE;
}

/* Options are a compiler's, and the name is for messages of one. */
CUresult cuLinkAddData_v2(CUlinkState s, CUjitInputType type, void *data, size_t bytes, const char *name,
                          unsigned count, CUjit_option *options, void **values) {
  (void)name, (void)count, (void)options, (void)values;
  NEED();
  if (!s || s->whole) return CUDA_ERROR_INVALID_HANDLE;
  if (!data || !bytes) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = check_type(type);
  if (result) return result;
  void *copy = malloc(bytes);
  if (copy) memcpy(copy, data, bytes);
  return add_image(s, copy, bytes);
}

/* The whole file is read now. */
CUresult cuLinkAddFile_v2(CUlinkState s, CUjitInputType type, const char *path, unsigned count, CUjit_option *options,
                          void **values) {
  size_t bytes = 0;
  NEED();
  if (!s || s->whole) return CUDA_ERROR_INVALID_HANDLE;
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  void *image = image_file(path, &bytes);
  if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
  const CUresult result = cuLinkAddData_v2(s, type, image, bytes, path, count, options, values);
  free(image);
  return result;
}

/* *image stays until cuLinkDestroy. Nothing can be added afterwards. */
CUresult cuLinkComplete(CUlinkState s, void **image, size_t *bytes) {
  size_t all;
  NEED();
  if (!s || s->whole) return CUDA_ERROR_INVALID_HANDLE;
  if (!image || !s->count) return CUDA_ERROR_INVALID_VALUE;
  s->whole = link_pack((const void *const *)s->image, s->bytes, s->count, &all);
  if (!s->whole) return CUDA_ERROR_OUT_OF_MEMORY;
  *image = s->whole;
  if (bytes) *bytes = all;
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState s) {
  NEED();
  if (!s) return CUDA_ERROR_INVALID_HANDLE;
  for (unsigned i = 0; i < s->count; i++) free(s->image[i]);
  free(s->image);
  free(s->bytes);
  free(s->whole);
  free(s);
  return CUDA_SUCCESS;
}
