/* SPDX-License-Identifier: Apache-2.0
 *
 * The connection of this process to its simulator.
 *
 *   closed --device_open--> open --a kernel faults--> open, device.error set
 *     ^                      |                          |
 *     +---- device_close ----+--------------------------+
 *     |
 *     +---- fork: the child is closed for good (is_fork)
 */
#include "cuda_device.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_ABSENT = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The one device of this process. Requests hold `lock`. */
static struct {
  int socket; /* -1: none */
  bool is_fork, warned;
  CUresult error;
  wire_facts_t facts;
  double now_ns;
  const char *absent[MOST_ABSENT];
  unsigned absents;
} device = {.socket = -1};

/* A device belongs to one process, as in CUDA. Another thread of the parent may be in the middle of
 * a request, so the child never uses what it finds here. */
static void leave_device_in_fork(void) {
  pthread_mutex_init(&lock, NULL);
  if (device.socket < 0) return;
  close(device.socket);
  device.socket = -1;
  device.is_fork = true;
}

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(NULL, NULL, leave_device_in_fork);
}

/* ---- the connection ---- */

/* What the API calls a status of the simulator. */
static CUresult result_of_wire(uint32_t status) {
  static const CUresult results[] = {[WIRE_DONE] = CUDA_SUCCESS,
                                     [WIRE_REFUSED] = CUDA_ERROR_INVALID_VALUE,
                                     [WIRE_NO_MEMORY] = CUDA_ERROR_OUT_OF_MEMORY,
                                     [WIRE_NO_PTX] = CUDA_ERROR_NO_BINARY_FOR_GPU,
                                     [WIRE_BAD_IMAGE] = CUDA_ERROR_INVALID_PTX,
                                     [WIRE_NOT_FOUND] = CUDA_ERROR_NOT_FOUND,
                                     [WIRE_LIMIT] = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                                     [WIRE_TOO_MANY] = CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                                     [WIRE_UNSUPPORTED] = CUDA_ERROR_NOT_SUPPORTED,
                                     [WIRE_FAULT] = CUDA_ERROR_ILLEGAL_ADDRESS,
                                     [WIRE_MISALIGNED] = CUDA_ERROR_MISALIGNED_ADDRESS,
                                     [WIRE_ASSERTED] = CUDA_ERROR_ASSERT,
                                     [WIRE_BROKEN] = CUDA_ERROR_LAUNCH_FAILED};
  return status < sizeof results / sizeof *results ? results[status] : CUDA_ERROR_UNKNOWN;
}

/* The simulator is gone: all further calls fail. */
static CUresult lose_connection(void) {
  close(device.socket);
  device.socket = -1;
  return device.error = CUDA_ERROR_LAUNCH_FAILED;
}

/* One request, with `lock` held. A fault of a kernel stays the device's error until device_close.
 */
static CUresult ask_locked(const wire_request_t *request, const void *data, void *out, size_t out_size,
                           wire_answer_t *answer) {
  wire_answer_t a;
  if (device.socket < 0) return device.error ? device.error : CUDA_ERROR_NOT_INITIALIZED;
  if (!wire_ask(device.socket, request, data, out, out_size, &a, NULL)) return lose_connection();
  device.now_ns = a.now_ns;
  if (answer) *answer = a;
  const CUresult result = result_of_wire(a.status);
  if (a.status >= WIRE_FAULT) device.error = result;
  return result;
}

CUresult device_ask(const wire_request_t *request, const void *data, void *out, size_t out_size,
                    wire_answer_t *answer) {
  pthread_mutex_lock(&lock);
  const CUresult result = ask_locked(request, data, out, out_size, answer);
  pthread_mutex_unlock(&lock);
  return result;
}

/* ---- opening ---- */

/* The first request on a connection. */
static CUresult greet(void) {
  char name[WIRE_NAME] = "";
  const wire_request_t hello = {.op = WIRE_HELLO, .size = sizeof name, .a = {WIRE_VERSION, (uint64_t)getpid()}};
  snprintf(name, sizeof name, "%s", program_invocation_short_name);
  return ask_locked(&hello, name, &device.facts, sizeof device.facts, NULL);
}

/* Says once how to start a program. */
static CUresult refuse_without_exec(void) {
  if (!device.warned)
    fprintf(
        stderr,
        "lockstack: this libcuda.so.1 runs programs on simulated systems; `lockstack exec -- PROGRAM` starts one so\n");
  device.warned = true;
  return CUDA_ERROR_NO_DEVICE;
}

/* device_open with `lock` held. */
static CUresult open_locked(void) {
  const char *name = getenv(WIRE_VARIABLE);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (device.socket >= 0) return CUDA_SUCCESS;
  if (device.is_fork) return CUDA_ERROR_NOT_INITIALIZED;
  if (device.error) return device.error;
  if (!name || !*name || strlen(name) + 1 > sizeof address.sun_path) return refuse_without_exec();
  memcpy(address.sun_path + 1, name, strlen(name));
  device.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (device.socket < 0) return CUDA_ERROR_NO_DEVICE;
  if (!connect(device.socket, (struct sockaddr *)&address,
               (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))))
    return greet();
  close(device.socket);
  device.socket = -1;
  return refuse_without_exec();
}

CUresult device_open(void) {
  pthread_mutex_lock(&lock);
  const CUresult result = open_locked();
  pthread_mutex_unlock(&lock);
  return result;
}

/* The simulator ends with the connection. The error of a kernel is forgotten. */
void device_close(void) {
  pthread_mutex_lock(&lock);
  if (device.socket >= 0) close(device.socket);
  device.socket = -1;
  device.error = CUDA_SUCCESS;
  device.now_ns = 0;
  pthread_mutex_unlock(&lock);
}

bool device_is_open(void) {
  return device.socket >= 0 || device.error;
}

CUresult device_error(void) {
  return device.is_fork ? CUDA_ERROR_NOT_INITIALIZED : device.error;
}

const wire_facts_t *device_facts(void) {
  return &device.facts;
}

double device_now_ns(void) {
  return device.now_ns;
}

/* ---- functions that are not there ---- */

/* True: this name was not missed before. */
static bool note_absent(const char *name) {
  for (unsigned i = 0; i < device.absents; i++)
    if (!strcmp(device.absent[i], name)) return false;
  if (device.absents < MOST_ABSENT) device.absent[device.absents++] = name;
  return true;
}

CUresult device_absent(const char *name) {
  const wire_request_t note = {.op = WIRE_ABSENT, .size = (uint32_t)strlen(name)};
  pthread_mutex_lock(&lock);
  const bool new = note_absent(name);
  if (device.socket >= 0) ask_locked(&note, name, NULL, 0, NULL);
  pthread_mutex_unlock(&lock);
  if (new) fprintf(stderr, "lockstack: %s is not supported; the program is told so\n", name);
  return CUDA_ERROR_NOT_SUPPORTED;
}
