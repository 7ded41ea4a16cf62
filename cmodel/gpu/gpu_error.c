/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_error.h"

#include <stdarg.h>

#include "one_line.h"

int gpu_fail(gpu_error_t *err, int status, const char *format, ...) {
  if (err->status) return -1;
  va_list args;
  va_start(args, format);
  line_vprintf(err->text, sizeof err->text, format, args);
  va_end(args);
  err->status = status;
  return -1;
}
