/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated device of this process for the functions of libcuda.so.1: a connection to its
 * simulator (wire.h). Any thread may ask; one waits for the other. Everything is in order: when an
 * answer is there, what was asked is done.
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

/* Connects unless that has been done. CUDA_ERROR_NO_DEVICE: exec did not start this program.
 * CUDA_ERROR_NOT_INITIALIZED: this process is a fork of one that has a device. */
CUresult device_open(void);
void device_close(void); /* ends the machine; the next device_open gets a fresh one */
bool device_is_open(void);

CUresult device_error(void); /* the fault of a kernel, once there was one; else CUDA_SUCCESS */
const wire_facts_t *device_facts(void);
double device_now_ns(void); /* simulated time */

/* One request. data: request->size bytes behind it; out: room for out_size bytes of the answer, or
 * NULL; answer: gets the answer's head, or NULL. */
CUresult device_ask(const wire_request_t *request, const void *data, void *out, size_t out_size, wire_answer_t *answer);

/* The program called a function that is not there. Prints one line, once for each name, and tells
 * exec. Always CUDA_ERROR_NOT_SUPPORTED. */
CUresult device_absent(const char *name);

#endif
