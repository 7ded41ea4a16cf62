/* SPDX-License-Identifier: Apache-2.0 */
#include "number.h"

#include <stdio.h>

char *number_text(uint64_t value, char *buf) {
  char digits[24];
  int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), out = 0;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) buf[out++] = ',';
    buf[out++] = digits[i];
  }
  buf[out] = 0;
  return buf;
}
