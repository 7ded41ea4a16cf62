/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated device of this process, for the functions of libcuda.so.1: a connection to its
 * simulator (wire.h). Any thread may ask; one waits for the other. Everything is in order: what was
 * asked is done when the answer is there.
 */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H

#include <stdbool.h>

#include "cuda.h"
#include "wire.h"

enum {
  DEVICE_DRIVER = 13000,         /* the version of the driver that programs are told */
  DEVICE_TEXTURE_ALIGNMENT = 256 /* of memory that is a texture: what is given out has it */
};

/* Connects, if that has not been done. Not CUDA_SUCCESS: no
 * exec, or this process is a fork of one that has a device. */
CUresult device_open(void);
void device_close(void); /* the next device_open has a fresh machine */
bool device_is_open(void);

CUresult device_error(void); /* of a kernel that faulted, from then on; CUDA_SUCCESS: none */
const wire_facts_t *device_facts(void);
double device_now_ns(void); /* that was simulated */

/* One request. data: `size` bytes behind it; out: at most out_size
 * bytes of the answer, or NULL. answer: NULL, or its head. */
CUresult device_ask(const wire_request_t *request, const void *data, void *out, size_t out_size, wire_answer_t *answer);

/* A function that is not there: one line, once for each name. Always CUDA_ERROR_NOT_SUPPORTED. */
CUresult device_absent(const char *name);

#endif
