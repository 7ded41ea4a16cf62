/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a kernel calls and the host executes: vprintf, __assertfail, malloc and free (CUDA
 * C++ Programming Guide, "Formatted output", "Assertion"). The heap of malloc is device_heap.h.
 */
#ifndef SIMT_HOST_H
#define SIMT_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most parameters of such a function; bytes of an assertion's message. */
enum { SIMT_HOST_PARAMS = 5, SIMT_HOST_LINE = 400 };

typedef enum { SIMT_HOST_PRINT, SIMT_HOST_ASSERT, SIMT_HOST_MALLOC, SIMT_HOST_FREE, SIMT_HOST_NONE } simt_host_t;
/* Function of this name with parameters of these sizes; SIMT_HOST_NONE: not one of them. */
simt_host_t simt_host_find(const char *name, const uint64_t *bytes, unsigned params);
unsigned simt_host_bytes(simt_host_t function, unsigned param); /* size of a parameter */

/* Memory of the calling thread, by generic address. false: some of the bytes do not exist. */
typedef struct {
  bool (*read)(void *ctx, uint64_t address, void *to, size_t bytes);
  void *ctx;
} simt_host_memory_t;

/* Text that kernels have printed. As on a device the buffer is bounded; later calls are lost. */
enum { SIMT_HOST_ROOM = 1 << 20 };
typedef struct {
  char *bytes;
  size_t size, room;
  uint64_t lost; /* calls that found no room */
} simt_host_text_t;

/* Executes vprintf. args are the arguments' bytes, each at the next multiple of its size.
 * Returns the number of arguments, -1 if the format, a string or an argument cannot be read, -2
 * without host memory. */
int simt_host_print(simt_host_text_t *text, const simt_host_memory_t *memory, uint64_t format, uint64_t args);

/* Arguments: the number of lost calls, SIMT_HOST_ROOM. */
#define SIMT_HOST_LOST "%llu calls of printf found no room in %d bytes, and are lost"

/* Formats a failed assertion: "assertion 'n > 0' failed at a.cu:7 in void k(int)". */
void simt_host_assertion(char line[SIMT_HOST_LINE], const simt_host_memory_t *memory,
                         const uint64_t params[SIMT_HOST_PARAMS]);

#endif
