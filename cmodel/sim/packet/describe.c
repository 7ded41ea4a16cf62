/* SPDX-License-Identifier: Apache-2.0 */
#include "describe.h"

#include <stdarg.h>
#include <stdio.h>

void describe_add(char *text, size_t size, size_t *used, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(describe_end(text, size, *used), describe_room(size, *used), format, args);
  va_end(args);
  if (n > 0) *used += (size_t)n;
}
