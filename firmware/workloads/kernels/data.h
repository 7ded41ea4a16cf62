/* SPDX-License-Identifier: Apache-2.0
 *
 * What the workloads share: data that depend on a seed alone, arrays of host and device, comparison
 * bit for bit.
 *
 *    typedef struct { data_t data; float *a, *got; } mine_t;                 data_t comes first
 *    w->a = data_floats(&w->data, &seed, n);  w->got = data_array(&w->data, n, sizeof *w->got);
 *    return data_made(w);                                      NULL if one of the arrays failed
 */
#ifndef DATA_H
#define DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "trouble.h"

/* The smaller one. */
static inline uint64_t data_least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Blocks of `threads` for n elements. */
static inline uint32_t data_blocks(uint32_t n, uint32_t threads) {
  return n / threads + (n % threads != 0);
}

/* The next of a sequence that starts anywhere (splitmix64). */
uint64_t data_random(uint64_t *state);

/* A workload's state begins with the list of its arrays, so that all states are made
 * and freed alike. */
typedef struct {
  void *array[12];
  unsigned count;
  bool failed; /* some array could not be had */
} data_t;

void *data_array(data_t *data, size_t count, size_t size);      /* zeroed */
float *data_floats(data_t *data, uint64_t *seed, size_t count); /* in [-1, 1], all bits random */
/* Returns the state, or frees all and returns NULL if an array could not be had. */
void *data_made(void *state);
void data_destroy(void *state); /* the arrays and the state */

/* Makes a device array with a copy of the host's bytes; host NULL: contents undefined. Returns 0 or
 * the failed call's status. */
int data_to_device(const runtime_t *rt, rt_ptr_t *device, const void *host, size_t bytes);

/* Compares `count` elements. False: *trouble names the first that differs, with both values. `name`
 * is the array's name in the message: "c". */
bool data_equal_f32(const char *name, const float *got, const float *want, size_t count, trouble_t *trouble);
bool data_equal_f64(const char *name, const double *got, const double *want, size_t count, trouble_t *trouble);
bool data_equal_s32(const char *name, const int32_t *got, const int32_t *want, size_t count, trouble_t *trouble);

#endif
