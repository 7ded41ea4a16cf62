/* SPDX-License-Identifier: Apache-2.0
 *
 * Lockstack in a program of your own: a program makes a simulated system, gives it memory, modules
 * and launches, and asks what it counted.
 *
 *   char error[LOCKSTACK_ERROR];
 *   const char *const options[] = {"--set=offload.ratio=0.4", NULL};
 *   lockstack_t *gpu = lockstack_open("nsu", options, error);
 *   lockstack_load_file(gpu, "saxpy.ptx", &module);
 *   lockstack_malloc(gpu, bytes, &x);
 *   lockstack_write(gpu, x, host, bytes);
 *   const lockstack_launch_t launch = {module, "saxpy", {12}, {256}};
 *   lockstack_launch(gpu, &launch, (const void *[]){&n, &a, &x, &y}, &ran);
 *   lockstack_read(gpu, host, y, bytes);
 *   lockstack_count(gpu, "energy.total_nj", &nanojoules);
 *   lockstack_close(gpu);
 *
 * Each system is a process of its own, which ends with lockstack_close or with the program. There
 * may be any number at once. Everything is in order: when a call returns, what it asked for is
 * done. If two threads use one system, one waits for the other. docs/c-interface.md has the whole
 * of it.
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
typedef uint64_t lockstack_module_t;  /* a module of a system */

/* How a call ended. DONE is 0. Not DONE: lockstack_error has the line, and results are not valid.
 */
typedef enum {
  LOCKSTACK_DONE,
  /* an argument is wrong: an address that is not allocated, a file that cannot be read, a grid of
   * 0 */
  LOCKSTACK_REFUSED,
  LOCKSTACK_NO_MEMORY,   /* of the machine, or here */
  LOCKSTACK_BAD_MODULE,  /* the image has no PTX, or its PTX cannot be read */
  LOCKSTACK_NOT_FOUND,   /* no such kernel, variable, or number in the report */
  LOCKSTACK_LIMIT,       /* a block needs more than a core has; a cooperative grid more than the cores hold */
  LOCKSTACK_UNSUPPORTED, /* the machine cannot execute the kernel */
  /* the kernel accessed what is not allocated or not aligned; from here on the system only
   * reports */
  LOCKSTACK_FAULT,
  LOCKSTACK_ASSERTED, /* an assertion of the kernel failed; from here on the system only reports */
  LOCKSTACK_ENDED     /* the simulation has ended: a deadlock, a model that failed, or its process is gone */
} lockstack_status_t;

/* Starts a system and waits until its machine is made.
 *
 *   system   a name of `lockstack list systems`, or a FILE.yaml
 *   options  words as `lockstack serve` takes them ("--set=gpu.sms=16", "--engine=nsu[0]=lockstep",
 *            "--config=FILE"), NULL behind the last; NULL: none
 *   error    at least LOCKSTACK_ERROR bytes; "" on success
 *
 * The command `lockstack` is the one that $LOCKSTACK names, else that of this library's own
 * installation, else the one on the PATH. NULL: error says why. */
lockstack_t *lockstack_open(const char *system, const char *const *options, char error[LOCKSTACK_ERROR]);
void lockstack_close(lockstack_t *system); /* NULL is allowed */

/* The line of the last call that did not end with DONE; "" if there is none. Valid until the next
 * call. */
const char *lockstack_error(const lockstack_t *system);
/* What a status means, in a few words; never NULL. */
const char *lockstack_status_text(lockstack_status_t status);

/* Loads a module: a fat binary, or PTX as text, of 1 to 67,108,864 bytes. The image may be freed
 * afterwards. BAD_MODULE: it has no PTX, or its PTX cannot be read. Modules stay until they are
 * unloaded. */
lockstack_status_t lockstack_load(lockstack_t *system, const void *image, size_t bytes, lockstack_module_t *module);
lockstack_status_t lockstack_load_file(lockstack_t *system, const char *path, lockstack_module_t *module);
lockstack_status_t lockstack_unload(lockstack_t *system, lockstack_module_t module);

/* A variable of a module, .global or .const: where it is and how large. Either result may be NULL.
 * NOT_FOUND: the module has no such variable. */
lockstack_status_t lockstack_variable(lockstack_t *system, lockstack_module_t module, const char *name,
                                      uint64_t *address, uint64_t *bytes);

/* Memory of the machine. Addresses and sizes are in bytes. Copies and fills take no simulated time.
 * REFUSED: an address that is not allocated. NO_MEMORY: the machine has no more. */
lockstack_status_t lockstack_malloc(lockstack_t *system, uint64_t bytes, uint64_t *address);
lockstack_status_t lockstack_free(lockstack_t *system, uint64_t address);
lockstack_status_t lockstack_write(lockstack_t *system, uint64_t to, const void *from, uint64_t bytes);
lockstack_status_t lockstack_read(lockstack_t *system, void *to, uint64_t from, uint64_t bytes);
lockstack_status_t lockstack_fill(lockstack_t *system, uint64_t to, uint8_t value, uint64_t bytes);

/* A launch. REFUSED, LIMIT or UNSUPPORTED if the machine cannot run it. */
typedef struct {
  lockstack_module_t module;
  const char *kernel;
  uint32_t grid[3], block[3]; /* blocks, and threads of a block; 0 behind the first is 1 */
  uint32_t shared_bytes;      /* dynamic shared memory of a block */
  bool cooperative;           /* blocks wait for each other: all are on the cores at once, or it is refused */
} lockstack_launch_t;

/* What one launch took. */
typedef struct {
  uint64_t cycles;            /* of the cores' clock */
  uint64_t warp_instructions; /* issued by all warps */
  double begin_ns, time_ns;   /* simulated time when it began, and how long it took */
} lockstack_ran_t;

/* What a kernel is: its parameters and what it needs. */
typedef struct {
  uint32_t params, param_bytes;       /* number of parameters; bytes of all */
  uint32_t registers;                 /* registers of a thread */
  uint64_t shared_bytes, local_bytes; /* static shared memory of a block; local memory of a thread */
} lockstack_kernel_t;

/* NOT_FOUND: the module has no such kernel. */
lockstack_status_t lockstack_kernel(lockstack_t *system, lockstack_module_t module, const char *name,
                                    lockstack_kernel_t *kernel);

/* Simulates a kernel to its end. args: where the value of each parameter is, in their order; NULL
 * for a kernel without. ran: NULL, or gets what the launch took. After FAULT, ASSERTED or ENDED the
 * system only reports. */
lockstack_status_t lockstack_launch(lockstack_t *system, const lockstack_launch_t *launch, const void *const *args,
                                    lockstack_ran_t *ran);

/* What kernels have printed since the last call, with a zero byte behind it, to be freed. *text is
 * NULL on failure. */
lockstack_status_t lockstack_printed(lockstack_t *system, char **text);

/* What was counted so far, of all launches: the JSON of `lockstack serve` (docs/json.md), to be
 * freed. *json is NULL on failure. */
lockstack_status_t lockstack_report(lockstack_t *system, char **json);

/* One number of the report, or a sum of products of numbers: "cycles", "gpu:l2_hits +
 * gpu:l2_misses" (docs/c-interface.md). NOT_FOUND: the report does not have it; it is never 0
 * instead. */
lockstack_status_t lockstack_count(lockstack_t *system, const char *expression, double *value);

#ifdef __cplusplus
}
#endif

#endif
