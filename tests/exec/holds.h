/* SPDX-License-Identifier: Apache-2.0
 *
 * TRUE(): a condition of a test program. If it does not hold, the program prints its line and ends
 * with 1.
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
