/* SPDX-License-Identifier: Apache-2.0 */
#include "trouble.h"

#include "one_line.h"

#include <stdarg.h>

bool trouble_set(trouble_t *trouble, trouble_kind_t kind, const char *format, ...) {
  va_list args;
  va_start(args, format);
  line_vprintf(trouble->text, sizeof trouble->text, format, args);
  va_end(args);
  make_one_line(trouble->text);
  trouble->kind = kind;
  return false;
}

bool trouble_memory(trouble_t *trouble) {
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "out of memory");
}
