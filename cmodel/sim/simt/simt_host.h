/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a kernel calls and the host executes, as CUDA's compilers call them (CUDA C++
 * Programming Guide, "Formatted output", "Assertion"): vprintf and __assertfail; malloc and free,
 * whose heap is device_heap.h's.
 */
#ifndef SIMT_HOST_H
#define SIMT_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIMT_HOST_PARAMS = 5, SIMT_HOST_LINE = 400 };

typedef enum { SIMT_HOST_PRINT, SIMT_HOST_ASSERT, SIMT_HOST_MALLOC, SIMT_HOST_FREE, SIMT_HOST_NONE } simt_host_t;
simt_host_t simt_host_find(const char *name, const uint64_t *bytes, unsigned params); /* bytes of each parameter */
unsigned simt_host_bytes(simt_host_t function, unsigned param);

/* Of the thread that calls, at its generic addresses; false: not all of these bytes are there. */
typedef struct {
  bool (*read)(void *ctx, uint64_t address, void *to, size_t bytes);
  void *ctx;
} simt_host_memory_t;

/* What kernels have printed. As on a device, there
 * is room for so much; what comes later is lost. */
enum { SIMT_HOST_ROOM = 1 << 20 };
typedef struct {
  char *bytes;
  size_t size, room;
  uint64_t lost; /* calls that found no room */
} simt_host_text_t;

/* args: what follows the format, each at the next multiple of its size. How many there were; -1:
 * the format, a string or an argument cannot be read; -2: out of memory of the host's. */
int simt_host_print(simt_host_text_t *text, const simt_host_memory_t *memory, uint64_t format, uint64_t args);

#define SIMT_HOST_LOST "%llu calls of printf found no room in %d bytes, and are lost" /* lost, SIMT_HOST_ROOM */

/* What failed, where: "assertion 'n > 0' failed at a.cu:7 in void k(int)". */
void simt_host_assertion(char line[SIMT_HOST_LINE], const simt_host_memory_t *memory,
                         const uint64_t params[SIMT_HOST_PARAMS]);

#endif
