/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program's libcuda or liblockstack says to its simulator, and what the simulator answers.
 *
 *   program                                   simulator
 *     wire_request_t, `size` bytes behind it  ->
 *                                             <-  wire_answer_t, `size` bytes behind it
 *
 * A program process has one connection. Each request is answered before the next is sent. Both ends
 * are of one build on one machine, so numbers go as they lie in memory.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Environment variable: the name of exec's socket in the abstract name space of Unix sockets. */
#define WIRE_VARIABLE "LOCKSTACK_EXEC"

enum {
  WIRE_VERSION = 6,
  WIRE_NAME = 256,
  WIRE_TEXT = 4096,
  WIRE_MOST = 1 << 26 /* bytes behind one request or answer */
};

typedef enum {
  WIRE_HELLO,    /* a[0]: WIRE_VERSION, a[1]: process; behind it: its name. Answer: a wire_facts_t */
  WIRE_LOAD,     /* behind it: an image. Answer: value: the module */
  WIRE_UNLOAD,   /* a[0]: module */
  WIRE_FUNCTION, /* a[0]: module; behind it: name. Answer: a wire_function_t and its params */
  /* a[0]: module, a[1], a[2], a[3]: threads of a block, a[4]: bytes of dynamic
   * shared memory; behind it: name. Answer: value: blocks of a core */
  WIRE_BLOCKS,
  WIRE_GLOBAL,   /* a[0]: module; behind it: name. Answer: a wire_global_t */
  WIRE_ALLOCATE, /* a[0]: bytes. Answer: value: address */
  WIRE_RELEASE,  /* a[0]: address */
  WIRE_HEAP,     /* a[0]: bytes that kernels' malloc may give */
  /* a[0]: address, a[1]: bytes from row to row, a[2]:
   * bytes of a row, a[3]: rows; behind it: all rows */
  WIRE_PUT,
  WIRE_GET,  /* the same. Answer: all rows */
  WIRE_FILL, /* the same, a[4]: value, a[5]: its bytes, 1, 2 or 4 */
  WIRE_MOVE, /* a[0]: to, a[1]: from, a[2]: bytes */
  /* a wire_launch_t, and its params. Answer: a wire_ran_t;
   * value, however it ended: bytes that PRINTED has */
  WIRE_LAUNCH,
  WIRE_PRINTED,      /* Answer: what kernels have printed since the last time */
  WIRE_TEXTURE,      /* behind it: a rt_texture_t. Answer: value: its handle */
  WIRE_TEXTURE_DROP, /* a[0]: handle */
  /* a[0]: module, a[1]: handle, 0: none; behind it: a
   * reference's name. Answer: value: 1: it is a surface's */
  WIRE_BIND,
  WIRE_ABSENT, /* behind it: the name of a function that is not there */
  WIRE_REPORT, /* Answer: what was counted, as JSON */
  WIRE_COUNT   /* behind it: an expression. Answer: a double */
} wire_op_t;

/* How a request ended. */
typedef enum {
  WIRE_DONE,
  WIRE_REFUSED,     /* an argument is wrong */
  WIRE_NO_MEMORY,   /* of the machine */
  WIRE_NO_PTX,      /* the image has machine code alone */
  WIRE_BAD_IMAGE,   /* cannot be read */
  WIRE_NOT_FOUND,   /* no such function or variable */
  WIRE_LIMIT,       /* a block needs more than a core has */
  WIRE_TOO_MANY,    /* blocks wait for each other that the machine does not hold at once */
  WIRE_UNSUPPORTED, /* the machine cannot execute the kernel */
  WIRE_FAULT,       /* the kernel accessed what is not its own */
  WIRE_MISALIGNED,  /* or an address that is no multiple of what is accessed */
  WIRE_ASSERTED,    /* an assertion of the kernel's failed */
  WIRE_BROKEN       /* the simulation ended: deadlock, a broken rule, out of memory, interrupted */
} wire_status_t;

/* A request: a wire_op_t, `size` bytes behind it, and up to six numbers. */
typedef struct {
  uint32_t op, size;
  uint64_t a[6];
} wire_request_t;

/* An answer: a wire_status_t, `size` bytes behind it, and one number. */
typedef struct {
  uint32_t status, size; /* not WIRE_DONE: behind it is one line, if any */
  uint64_t value;
  double now_ns; /* that was simulated */
} wire_answer_t;

/* The machine: sizes of one core, and the frequency of its clock. */
typedef struct {
  char system[WIRE_NAME];
  uint32_t cores, core_threads, core_blocks, core_registers, core_shared_bytes, core_mhz;
  uint32_t arch; /* 10 times the compute capability */
  uint64_t memory_bytes;
} wire_facts_t;

/* A parameter of a kernel: where its value is among all, and how large. */
typedef struct {
  uint32_t offset, bytes;
} wire_param_t;

/* A kernel, and what a launch of it needs. most_threads: of a block. */
typedef struct {
  uint32_t params, param_bytes; /* how many; of all */
  uint32_t registers, most_threads, ptx_version;
  uint64_t shared_bytes, local_bytes, const_bytes;
} wire_function_t;

/* A variable of a module. */
typedef struct {
  uint64_t address, bytes;
} wire_global_t;

/* A launch; behind it param_bytes bytes, laid out by wire_param_t. */
typedef struct {
  uint64_t module;
  char kernel[WIRE_NAME * 4];
  uint32_t grid[3], block[3], shared_bytes, param_bytes;
  uint32_t cooperative; /* 1: its blocks wait for each other */
} wire_launch_t;

/* What a launch took. */
typedef struct {
  uint64_t cycles, warp_instructions;
  double begin_ns, time_ns; /* simulated time when it began, and how long it took */
} wire_ran_t;

/* ---- the program's end (wire.c) ---- */

/* Sends one request and waits for its answer. data: request->size bytes; out: room for out_size
 * bytes of the answer, the rest is dropped, or NULL; line: gets what is wrong, "" if nothing, or
 * NULL. False: the connection is lost, and what was filled is not valid. */
bool wire_ask(int socket, const wire_request_t *request, const void *data, void *out, size_t out_size,
              wire_answer_t *answer, char line[WIRE_TEXT]);

#endif
