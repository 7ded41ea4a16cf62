/* SPDX-License-Identifier: Apache-2.0 */
#include "trouble.h"

#include "one_line.h"

#include <stdarg.h>

static void set(trouble_t *trouble, trouble_kind_t kind, const char *format, va_list args) {
  line_vprintf(trouble->text, sizeof trouble->text, format, args);
  make_one_line(trouble->text);
  trouble->kind = kind;
}

bool trouble_set(trouble_t *trouble, trouble_kind_t kind, const char *format, ...) {
  va_list args;
  va_start(args, format);
  set(trouble, kind, format, args);
  va_end(args);
  return false;
}

int trouble_fail(trouble_t *trouble, trouble_kind_t kind, const char *format, ...) {
  if (trouble->kind) return -1;
  va_list args;
  va_start(args, format);
  set(trouble, kind, format, args);
  va_end(args);
  return -1;
}

bool trouble_memory(trouble_t *trouble) {
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "out of memory");
}
