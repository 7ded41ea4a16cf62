/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that follows pointers, each the address of the next: no load can begin before the one before it is over.
 */
#include "device.h"

typedef __attribute__((address_space(1))) const unsigned long word; /* of global memory */

extern "C" __global__ void chase(const unsigned long *first, unsigned long *last, uint steps) {
  unsigned long at = (unsigned long)first;
  for (uint i = 0; i < steps; i++) at = *(word *)at;
  *last = at;
}
