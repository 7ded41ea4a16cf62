/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search, with 32-bit pointers.
 */
#include "bfs/bfs.cu"
