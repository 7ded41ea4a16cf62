/* SPDX-License-Identifier: Apache-2.0
 *
 * Lockstack in a program of your own: a simulated system is made, given memory, modules and
 * launches, and asked what it counted.
 *
 *   char error[LOCKSTACK_ERROR];
 *   lockstack_t *gpu = lockstack_open("nsu", (const char *const[]){"--set=offload.ratio=0.4",
 *   NULL}, error); lockstack_load_file(gpu, "saxpy.ptx", &module);
 *   lockstack_malloc(gpu, bytes, &x);
 *   lockstack_write(gpu, x, host, bytes);
 *   lockstack_launch(gpu, &(lockstack_launch_t){module, "saxpy", {12}, {256}}, (const void *[]){&n,
 *   &a, &x, &y}, &ran); lockstack_read(gpu, host, y, bytes);
 *   lockstack_count(gpu, "energy.total_nj", &nanojoules);
 *   lockstack_close(gpu);
 *
 * Each system is a process of its own, which ends with lockstack_close or with the program; any
 * number at once. Everything is in order: when a call returns, what it asked for is done. Two
 * threads may use one system, one waits for the other. docs/c-interface.md has the whole of it.
 */
#ifndef LOCKSTACK_H
#define LOCKSTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LOCKSTACK_ERROR = 4096 }; /* bytes of a line that says what is wrong, with the zero byte behind it */

typedef struct lockstack lockstack_t; /* a system */
typedef uint64_t lockstack_module_t;  /* a module of it */

/* How a call ended; lockstack_error has the line. */
typedef enum {
  LOCKSTACK_DONE,
  /* an argument is wrong: an address that is not
   * allocated, a file that cannot be read, a grid of 0 */
  LOCKSTACK_REFUSED,
  LOCKSTACK_NO_MEMORY,   /* of the machine, or here */
  LOCKSTACK_BAD_MODULE,  /* the image has no PTX, or its PTX cannot be read */
  LOCKSTACK_NOT_FOUND,   /* no such kernel, variable, or number in the report */
  LOCKSTACK_LIMIT,       /* a block needs more than a core has; a cooperative grid more than the cores hold */
  LOCKSTACK_UNSUPPORTED, /* the machine cannot execute the kernel */
  /* the kernel accessed what is not allocated or not
   * aligned; from here on the system only reports */
  LOCKSTACK_FAULT,
  LOCKSTACK_ASSERTED, /* an assertion of the kernel's failed; the same */
  LOCKSTACK_ENDED     /* the simulation has ended: a deadlock, a model that failed, or its process is gone */
} lockstack_status_t;

/* system: a name of `lockstack list systems`, or a FILE.yaml. options: words as `lockstack serve`
 * takes them, NULL behind the last ("--set=gpu.sms=16", "--engine=nsu[0]=lockstep",
 * "--config=FILE"); NULL: none. The command `lockstack` is the one that $LOCKSTACK names, else of
 * this library's own installation, else on the PATH. NULL: error says why. */
lockstack_t *lockstack_open(const char *system, const char *const *options, char error[LOCKSTACK_ERROR]);
void lockstack_close(lockstack_t *system); /* NULL is allowed */

/* of the last call that did not end with DONE; "" if there is none */
const char *lockstack_error(const lockstack_t *system);
const char *lockstack_status_text(lockstack_status_t status);

/* A fat binary, or PTX as text; nothing behind it needs to stay. */
lockstack_status_t lockstack_load(lockstack_t *system, const void *image, size_t bytes, lockstack_module_t *module);
lockstack_status_t lockstack_load_file(lockstack_t *system, const char *path, lockstack_module_t *module);
lockstack_status_t lockstack_unload(lockstack_t *system, lockstack_module_t module);

/* A variable of a module, .global or .const. Either of address and bytes may be NULL. */
lockstack_status_t lockstack_variable(lockstack_t *system, lockstack_module_t module, const char *name,
                                      uint64_t *address, uint64_t *bytes);

/* Memory of the machine. Copies and fills take no simulated time. */
lockstack_status_t lockstack_malloc(lockstack_t *system, uint64_t bytes, uint64_t *address);
lockstack_status_t lockstack_free(lockstack_t *system, uint64_t address);
lockstack_status_t lockstack_write(lockstack_t *system, uint64_t to, const void *from, uint64_t bytes);
lockstack_status_t lockstack_read(lockstack_t *system, void *to, uint64_t from, uint64_t bytes);
lockstack_status_t lockstack_fill(lockstack_t *system, uint64_t to, uint8_t value, uint64_t bytes);

typedef struct {
  lockstack_module_t module;
  const char *kernel;
  uint32_t grid[3], block[3]; /* blocks, and threads of a block; 0 behind the first is 1 */
  uint32_t shared_bytes;      /* dynamic shared memory of a block */
  bool cooperative;           /* blocks wait for each other: all are on the cores at once, or it is refused */
} lockstack_launch_t;

typedef struct {
  uint64_t cycles;            /* of the cores' clock */
  uint64_t warp_instructions; /* that were issued */
  double begin_ns, time_ns;   /* simulated time when it began, and how long it took */
} lockstack_ran_t;

/* What a kernel is: its parameters and what it needs. */
typedef struct {
  uint32_t params, param_bytes;       /* how many; bytes of all */
  uint32_t registers;                 /* of a thread */
  uint64_t shared_bytes, local_bytes; /* static, of a block; of a thread */
} lockstack_kernel_t;

lockstack_status_t lockstack_kernel(lockstack_t *system, lockstack_module_t module, const char *name,
                                    lockstack_kernel_t *kernel);

/* Simulates it to its end. args: where the value of each
 * parameter is, in their order. ran: NULL, or what it took. */
lockstack_status_t lockstack_launch(lockstack_t *system, const lockstack_launch_t *launch, const void *const *args,
                                    lockstack_ran_t *ran);

/* What kernels have printed since the last call, with a zero byte behind it, to be freed. */
lockstack_status_t lockstack_printed(lockstack_t *system, char **text);

/* What was counted so far, of all launches: the JSON
 * of `lockstack serve` (docs/json.md), to be freed. */
lockstack_status_t lockstack_report(lockstack_t *system, char **json);

/* One number of it, or a sum of products of such: "cycles",
 * "gpu:l2_hits + gpu:l2_misses" (docs/c-interface.md). */
lockstack_status_t lockstack_count(lockstack_t *system, const char *expression, double *value);

#ifdef __cplusplus
}
#endif

#endif
