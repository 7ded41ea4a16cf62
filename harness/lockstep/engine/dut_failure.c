/* SPDX-License-Identifier: Apache-2.0 */
#include "dut_failure.h"

#include "dut.h"

#include <string.h>

dut_failure_t dut_failure(const char **text) {
  static const struct {
    const char *prefix;
    dut_failure_t kind;
  } kinds[] = {{DUT_ENDED, DUT_FAILS_ENDED},
               {DUT_ENVIRONMENT, DUT_FAILS_ENVIRONMENT},
               {DUT_INPUT, DUT_FAILS_INPUT},
               {DUT_INTERRUPTED, DUT_FAILS_INTERRUPTED}};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const size_t n = strlen(kinds[i].prefix);
    if (strncmp(*text, kinds[i].prefix, n)) continue;
    *text += n;
    return kinds[i].kind;
  }
  return DUT_FAILS_ASSERTION;
}
