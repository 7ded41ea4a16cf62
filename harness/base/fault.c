/* SPDX-License-Identifier: Apache-2.0 */
#include "fault.h"

#include "one_line.h"

#include <stdarg.h>
#include <stdio.h>

bool fault_set(fault_t *fault, fault_kind_t kind, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(fault->text, sizeof fault->text, format, args);
  va_end(args);
  make_one_line(fault->text);
  fault->kind = kind;
  return false;
}

bool fault_memory(fault_t *fault) { return fault_set(fault, FAULT_ENVIRONMENT, "out of memory"); }
