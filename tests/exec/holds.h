/* SPDX-License-Identifier: Apache-2.0
 *
 * What a test program says of a condition that does not hold; it ends then.
 */
#ifndef HOLDS_H
#define HOLDS_H

#include <stdio.h>
#include <stdlib.h>

#define TRUE(condition)                                            \
  do {                                                             \
    if (!(condition)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #condition); \
      exit(1);                                                     \
    }                                                              \
  } while (0)

#endif
