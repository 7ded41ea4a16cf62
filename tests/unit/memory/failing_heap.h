/* SPDX-License-Identifier: Apache-2.0
 *
 * A heap that counts blocks that are not given back, and in which one chosen allocation fails.
 * The linker leads all allocations of a test program here:
 * -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free.
 *
 * Usage: heap_asked = 0, heap_fail_at = n, run the code under test, heap_fail_at = 0. The n-th
 * allocation of the code has then returned NULL, if heap_asked >= n.
 */
#ifndef FAILING_HEAP_H
#define FAILING_HEAP_H

#include <stdbool.h>

/* the allocation of this number fails, 0: none; how many there were. Both may be set */
extern unsigned heap_fail_at, heap_asked;
extern bool heap_failed; /* one has failed since this was cleared */
extern long heap_live;   /* blocks that are not given back */

#endif
