/* SPDX-License-Identifier: Apache-2.0
 *
 * An error of the GPU model: exit status and the line to print.
 */
#ifndef GPU_ERROR_H
#define GPU_ERROR_H

typedef struct {
  int status;     /* 0 none, 1 the model broke a promise, 2 bad input, 3 environment */
  char text[512]; /* one line without its newline */
} gpu_error_t;

/* Keeps the first error. Always returns -1. */
int gpu_fail(gpu_error_t *err, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
