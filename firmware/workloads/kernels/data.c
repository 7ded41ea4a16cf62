/* SPDX-License-Identifier: Apache-2.0
 *
 * Data, device arrays and comparisons of the workloads (data.h).
 */
#include "data.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64: a step by a constant, then three mixings. */
uint64_t data_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* More arrays than data_t has room for are a fault of the workload: an assertion. */
void *data_array(data_t *data, size_t count, size_t size) {
  void *array = calloc(count ? count : 1, size);
  assert(data->count < sizeof data->array / sizeof *data->array);
  if (!array) data->failed = true;
  return data->array[data->count++] = array;
}

/* A random int32 as binary32, rounded to nearest, times 2^-31. */
float *data_floats(data_t *data, uint64_t *seed, size_t count) {
  float *array = data_array(data, count, sizeof *array);
  for (size_t i = 0; array && i < count; i++) array[i] = (float)(int32_t)(uint32_t)(data_random(seed) >> 32) * 0x1p-31f;
  return array;
}

void *data_made(void *state) {
  if (!((data_t *)state)->failed) return state;
  data_destroy(state);
  return NULL;
}

/* The state begins with data_t, and is freed last. */
void data_destroy(void *state) {
  data_t *data = state;
  for (unsigned i = 0; i < data->count; i++) free(data->array[i]);
  free(state);
}

/* The runtime gives no empty memory, so an empty array takes 4 bytes. */
int data_to_device(const runtime_t *rt, rt_ptr_t *device, const void *host, size_t bytes) {
  int status = rt->malloc(rt->ctx, bytes ? bytes : 4, device);
  if (!status && host && bytes) status = rt->memcpy_h2d(rt->ctx, *device, host, bytes);
  return status;
}

/* Compares bits, NaNs included: PTX says which NaN an operation gives. */
bool data_equal_f32(const char *name, const float *got, const float *want, size_t count, trouble_t *trouble) {
  for (size_t i = 0; i < count; i++) {
    uint32_t g, w;
    memcpy(&g, &got[i], sizeof g);
    memcpy(&w, &want[i], sizeof w);
    if (g == w) continue;
    return trouble_set(trouble, TROUBLE_BROKEN,
                       "%s[%zu] is %.9g (0x%08" PRIx32 "); %.9g (0x%08" PRIx32 ") would be right", name, i,
                       (double)got[i], g, (double)want[i], w);
  }
  return true;
}

bool data_equal_f64(const char *name, const double *got, const double *want, size_t count, trouble_t *trouble) {
  for (size_t i = 0; i < count; i++) {
    uint64_t g, w;
    memcpy(&g, &got[i], sizeof g);
    memcpy(&w, &want[i], sizeof w);
    if (g == w) continue;
    return trouble_set(trouble, TROUBLE_BROKEN,
                       "%s[%zu] is %.17g (0x%016" PRIx64 "); %.17g (0x%016" PRIx64 ") would be right", name, i, got[i],
                       g, want[i], w);
  }
  return true;
}

bool data_equal_s32(const char *name, const int32_t *got, const int32_t *want, size_t count, trouble_t *trouble) {
  for (size_t i = 0; i < count; i++) {
    if (got[i] == want[i]) continue;
    return trouble_set(trouble, TROUBLE_BROKEN, "%s[%zu] is %" PRId32 "; %" PRId32 " would be right", name, i, got[i],
                       want[i]);
  }
  return true;
}
