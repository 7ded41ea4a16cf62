/* SPDX-License-Identifier: Apache-2.0
 *
 * liblockstack.so: each call is one request to the process of its system (server.h), or several for
 * large copies. A mutex keeps request and answer together, so threads may share a system.
 */
#include "lockstack.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"
#include "wire.h"

/* Large copies go in pieces, so that neither end needs a buffer of their size. */
enum { PIECE = 4 << 20 /* bytes */ };

/* `lock`: one request at a time. */
struct lockstack {
  server_t server;
  pthread_mutex_t lock;
  char error[LOCKSTACK_ERROR];
};

/* ---- how it went ---- */

/* Keeps the line for lockstack_error. Returns status. */
static lockstack_status_t fail_call(lockstack_t *l, lockstack_status_t status, const char *line) {
  if (line != l->error) snprintf(l->error, sizeof l->error, "%s", line);
  return status;
}

static lockstack_status_t out_of_memory(lockstack_t *l) {
  return fail_call(l, LOCKSTACK_NO_MEMORY, "out of memory");
}

/* A status of the simulator, for a program. Several statuses of CUDA's are one here. */
static lockstack_status_t status_of_wire(uint32_t status) {
  static const lockstack_status_t of[] = {[WIRE_DONE] = LOCKSTACK_DONE,
                                          [WIRE_REFUSED] = LOCKSTACK_REFUSED,
                                          [WIRE_NO_MEMORY] = LOCKSTACK_NO_MEMORY,
                                          [WIRE_NO_PTX] = LOCKSTACK_BAD_MODULE,
                                          [WIRE_BAD_IMAGE] = LOCKSTACK_BAD_MODULE,
                                          [WIRE_NOT_FOUND] = LOCKSTACK_NOT_FOUND,
                                          [WIRE_LIMIT] = LOCKSTACK_LIMIT,
                                          [WIRE_TOO_MANY] = LOCKSTACK_LIMIT,
                                          [WIRE_UNSUPPORTED] = LOCKSTACK_UNSUPPORTED,
                                          [WIRE_FAULT] = LOCKSTACK_FAULT,
                                          [WIRE_MISALIGNED] = LOCKSTACK_FAULT,
                                          [WIRE_ASSERTED] = LOCKSTACK_ASSERTED,
                                          [WIRE_BROKEN] = LOCKSTACK_ENDED};
  return status < sizeof of / sizeof *of ? of[status] : LOCKSTACK_ENDED;
}

const char *lockstack_status_text(lockstack_status_t status) {
  static const char *const text[] = {"done",
                                     "an argument is wrong",
                                     "out of memory",
                                     "the module cannot be read",
                                     "not found",
                                     "a block needs more than a core has",
                                     "the machine cannot execute the kernel",
                                     "the kernel accessed what is not its own",
                                     "an assertion of the kernel failed",
                                     "the simulation has ended"};
  return (unsigned)status < sizeof text / sizeof *text ? text[status] : "no such status";
}

const char *lockstack_error(const lockstack_t *l) {
  return l->error;
}

/* ---- one request ---- */

/* The process of the simulation is gone. What it wrote last says why. */
static lockstack_status_t lose_server(lockstack_t *l) {
  server_line(&l->server, l->error, sizeof l->error);
  return fail_call(l, LOCKSTACK_ENDED, *l->error ? l->error : "the process of the simulation is gone");
}

/* One request. answer may be NULL; it is undefined if the server is gone. */
static lockstack_status_t ask_server(lockstack_t *l, const wire_request_t *request, const void *data, void *out,
                                     size_t out_size, wire_answer_t *answer) {
  wire_answer_t a;
  char line[WIRE_TEXT];
  pthread_mutex_lock(&l->lock);
  lockstack_status_t status;
  if (!wire_ask(l->server.socket, request, data, out, out_size, &a, line)) status = lose_server(l);
  else if ((status = status_of_wire(a.status))) fail_call(l, status, line);
  if (answer) *answer = a;
  pthread_mutex_unlock(&l->lock);
  return status;
}

/* ---- a system ---- */

/* The first request. It waits until the machine is made. */
static bool greet(lockstack_t *l) {
  char name[WIRE_NAME] = "";
  wire_facts_t facts;
  const wire_request_t hello = {.op = WIRE_HELLO, .size = sizeof name, .a = {WIRE_VERSION, (uint64_t)getpid()}};
  snprintf(name, sizeof name, "%s", program_invocation_short_name);
  return !ask_server(l, &hello, name, &facts, sizeof facts, NULL);
}

/* A machine that cannot be made is found out by the first request. */
lockstack_t *lockstack_open(const char *system, const char *const *options, char error[LOCKSTACK_ERROR]) {
  lockstack_t *l = calloc(1, sizeof *l);
  *error = 0;
  if (!l) snprintf(error, LOCKSTACK_ERROR, "out of memory");
  if (!l || !server_start(&l->server, system, options, error, LOCKSTACK_ERROR)) {
    free(l);
    return NULL;
  }
  pthread_mutex_init(&l->lock, NULL);
  if (greet(l)) return l;
  memcpy(error, l->error, LOCKSTACK_ERROR);
  lockstack_close(l);
  return NULL;
}

void lockstack_close(lockstack_t *l) {
  if (!l) return;
  server_end(&l->server);
  pthread_mutex_destroy(&l->lock);
  free(l);
}

/* ---- modules ---- */

lockstack_status_t lockstack_load(lockstack_t *l, const void *image, size_t bytes, lockstack_module_t *module) {
  wire_answer_t answer;
  if (!bytes || bytes > WIRE_MOST) return fail_call(l, LOCKSTACK_REFUSED, "an image has 1 to 67108864 bytes");
  const lockstack_status_t status =
      ask_server(l, &(wire_request_t){.op = WIRE_LOAD, .size = (uint32_t)bytes}, image, NULL, 0, &answer);
  if (!status) *module = answer.value;
  return status;
}

/* A file that cannot be read. */
static lockstack_status_t refuse_file(lockstack_t *l, const char *path, const char *why) {
  char line[LOCKSTACK_ERROR];
  snprintf(line, sizeof line, "%s: %s", path, why);
  return fail_call(l, LOCKSTACK_REFUSED, line);
}

/* Reads to the end, but not far beyond WIRE_MOST bytes, which lockstack_load refuses. */
lockstack_status_t lockstack_load_file(lockstack_t *l, const char *path, lockstack_module_t *module) {
  FILE *file = fopen(path, "rb");
  if (!file) return refuse_file(l, path, strerror(errno));
  char *image = NULL;
  size_t bytes = 0, room = 0, n = 1;
  while (n && bytes <= WIRE_MOST) {
    char *more = bytes < room ? image : realloc(image, room += 1 << 20);
    if (!more) break;
    image = more;
    bytes += n = fread(image + bytes, 1, room - bytes, file);
  }
  lockstack_status_t status;
  if (ferror(file)) status = refuse_file(l, path, strerror(errno));
  else if (n && bytes <= WIRE_MOST) status = out_of_memory(l);
  else status = lockstack_load(l, image, bytes, module);
  fclose(file);
  free(image);
  return status;
}

lockstack_status_t lockstack_unload(lockstack_t *l, lockstack_module_t module) {
  return ask_server(l, &(wire_request_t){.op = WIRE_UNLOAD, .a = {module}}, NULL, NULL, 0, NULL);
}

/* The simulator knows the address; nothing is kept here. */
lockstack_status_t lockstack_variable(lockstack_t *l, lockstack_module_t module, const char *name, uint64_t *address,
                                      uint64_t *bytes) {
  wire_global_t global;
  const wire_request_t request = {.op = WIRE_GLOBAL, .size = (uint32_t)strlen(name), .a = {module}};
  const lockstack_status_t status = ask_server(l, &request, name, &global, sizeof global, NULL);
  if (!status && address) *address = global.address;
  if (!status && bytes) *bytes = global.bytes;
  return status;
}

/* ---- memory ---- */

lockstack_status_t lockstack_malloc(lockstack_t *l, uint64_t bytes, uint64_t *address) {
  wire_answer_t answer;
  const lockstack_status_t status =
      ask_server(l, &(wire_request_t){.op = WIRE_ALLOCATE, .a = {bytes}}, NULL, NULL, 0, &answer);
  if (!status) *address = answer.value;
  return status;
}

lockstack_status_t lockstack_free(lockstack_t *l, uint64_t address) {
  return ask_server(l, &(wire_request_t){.op = WIRE_RELEASE, .a = {address}}, NULL, NULL, 0, NULL);
}

/* In pieces, because a request is limited to WIRE_MOST. */
lockstack_status_t lockstack_write(lockstack_t *l, uint64_t to, const void *from, uint64_t bytes) {
  lockstack_status_t status = LOCKSTACK_DONE;
  for (uint64_t done = 0, n; done < bytes && !status; done += n) {
    n = bytes - done < PIECE ? bytes - done : PIECE;
    status = ask_server(l, &(wire_request_t){.op = WIRE_PUT, .size = (uint32_t)n, .a = {to + done, n, n, 1}},
                        (const char *)from + done, NULL, 0, NULL);
  }
  return status;
}

lockstack_status_t lockstack_read(lockstack_t *l, void *to, uint64_t from, uint64_t bytes) {
  lockstack_status_t status = LOCKSTACK_DONE;
  for (uint64_t done = 0, n; done < bytes && !status; done += n) {
    n = bytes - done < PIECE ? bytes - done : PIECE;
    status =
        ask_server(l, &(wire_request_t){.op = WIRE_GET, .a = {from + done, n, n, 1}}, NULL, (char *)to + done, n, NULL);
  }
  return status;
}

/* One row of `bytes` bytes of one value. */
lockstack_status_t lockstack_fill(lockstack_t *l, uint64_t to, uint8_t value, uint64_t bytes) {
  return bytes
             ? ask_server(l, &(wire_request_t){.op = WIRE_FILL, .a = {to, 0, bytes, 1, value, 1}}, NULL, NULL, 0, NULL)
             : LOCKSTACK_DONE;
}

/* ---- launches ---- */

typedef struct {
  wire_function_t head;
  wire_param_t param[];
} function_t;

/* What the simulator knows of a kernel, to be freed. NULL: *status says why. */
static function_t *ask_kernel(lockstack_t *l, lockstack_module_t module, const char *name, lockstack_status_t *status) {
  enum { PARAMS = 4096 };
  const size_t room = sizeof(function_t) + PARAMS * sizeof(wire_param_t);
  function_t *f = calloc(1, room);
  if (!f) {
    *status = out_of_memory(l);
    return NULL;
  }
  *status = ask_server(l, &(wire_request_t){.op = WIRE_FUNCTION, .size = (uint32_t)strlen(name), .a = {module}}, name,
                       f, room, NULL);
  if (!*status && f->head.params > PARAMS)
    *status = fail_call(l, LOCKSTACK_REFUSED, "a kernel has at most 4096 parameters");
  if (!*status) return f;
  free(f);
  return NULL;
}

lockstack_status_t lockstack_kernel(lockstack_t *l, lockstack_module_t module, const char *name,
                                    lockstack_kernel_t *kernel) {
  lockstack_status_t status;
  function_t *f = ask_kernel(l, module, name, &status);
  if (f)
    *kernel = (lockstack_kernel_t){f->head.params, f->head.param_bytes, f->head.registers, f->head.shared_bytes,
                                   f->head.local_bytes};
  free(f);
  return status;
}

static uint32_t at_least_one(uint32_t n) {
  return n ? n : 1;
}

/* Lays out the arguments as the kernel's parameters lie. */
static lockstack_status_t send_launch(lockstack_t *l, const lockstack_launch_t *of, const function_t *f,
                                      const void *const *args, lockstack_ran_t *ran) {
  wire_ran_t took;
  const size_t bytes = sizeof(wire_launch_t) + f->head.param_bytes;
  wire_launch_t *w = calloc(1, bytes);
  if (!w) return out_of_memory(l);
  *w = (wire_launch_t){.module = of->module,
                       .grid = {of->grid[0], at_least_one(of->grid[1]), at_least_one(of->grid[2])},
                       .block = {of->block[0], at_least_one(of->block[1]), at_least_one(of->block[2])},
                       .shared_bytes = of->shared_bytes,
                       .cooperative = of->cooperative,
                       .param_bytes = f->head.param_bytes};
  snprintf(w->kernel, sizeof w->kernel, "%s", of->kernel);
  for (uint32_t i = 0; i < f->head.params; i++)
    memcpy((char *)(w + 1) + f->param[i].offset, args[i], f->param[i].bytes);
  const lockstack_status_t status =
      ask_server(l, &(wire_request_t){.op = WIRE_LAUNCH, .size = (uint32_t)bytes}, w, &took, sizeof took, NULL);
  if (!status && ran) *ran = (lockstack_ran_t){took.cycles, took.warp_instructions, took.begin_ns, took.time_ns};
  free(w);
  return status;
}

/* Asks for the kernel's parameters at each launch; nothing is kept here. */
lockstack_status_t lockstack_launch(lockstack_t *l, const lockstack_launch_t *of, const void *const *args,
                                    lockstack_ran_t *ran) {
  lockstack_status_t status;
  function_t *f = ask_kernel(l, of->module, of->kernel, &status);
  if (!f) return status;
  if (f->head.params && !args) status = fail_call(l, LOCKSTACK_REFUSED, "the kernel has parameters, and args is NULL");
  else status = send_launch(l, of, f, args, ran);
  free(f);
  return status;
}

/* ---- what was counted ---- */

/* A request whose answer is text, to be freed. */
static lockstack_status_t ask_text(lockstack_t *l, uint32_t op, char **out) {
  wire_answer_t answer;
  enum { ROOM = WIRE_MOST + 1 };
  char *text = malloc(ROOM); /* pages that are not written take no memory */
  *out = NULL;
  if (!text) return out_of_memory(l);
  const lockstack_status_t status = ask_server(l, &(wire_request_t){.op = op}, NULL, text, ROOM - 1, &answer);
  if (status) {
    free(text);
    return status;
  }
  text[answer.size] = 0;
  char *less = realloc(text, answer.size + 1u);
  *out = less ? less : text;
  return status;
}

lockstack_status_t lockstack_printed(lockstack_t *l, char **text) {
  return ask_text(l, WIRE_PRINTED, text);
}

lockstack_status_t lockstack_report(lockstack_t *l, char **json) {
  return ask_text(l, WIRE_REPORT, json);
}

lockstack_status_t lockstack_count(lockstack_t *l, const char *expression, double *value) {
  return ask_server(l, &(wire_request_t){.op = WIRE_COUNT, .size = (uint32_t)strlen(expression)}, expression, value,
                    sizeof *value, NULL);
}
