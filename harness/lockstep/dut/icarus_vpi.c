/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of a block in Icarus Verilog that runs inside vvp: system tasks of the generated
 * testbench (gen/icarus_sv.in). They transport the ports over a socket, file descriptor ICARUS_FD,
 * to icarus_shim.cpp. The shim controls everything, and vvp ends when the shim is gone.
 *
 *   $lockstack_drive(clock, reset, inputs...)   waits for a frame and drives it
 *   $lockstack_read(outputs...)                 returns the settled values
 *
 * A frame consists of 32-bit words, (width + 31) / 32 for each port, lowest first. To vvp:
 * ICARUS_ALL and all ports of drive, or ICARUS_CLOCK alone for a rising clock edge. From vvp: the
 * number of words that follow. After ICARUS_ALL these are the values of all ports of read, then a
 * mask of their X and Z bits. After ICARUS_CLOCK there are none.
 */
#include "icarus_frame.h"
#include "icarus_random.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <vpi_user.h>

typedef struct {
  vpiHandle handle;
  uint32_t words;
} port_t;

typedef struct {
  port_t *ports;
  uint32_t count, words;
  uint32_t *frame, *last; /* last: the present values of the ports */
} list_t;

static list_t drive, sample;
static uint32_t order; /* the last one */

static void gone(void) {
  _exit(0);
}

static void receive(void *bytes, size_t size) {
  char *at = bytes;
  while (size) {
    ssize_t n = read(ICARUS_FD, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) gone();
    at += n, size -= (size_t)n;
  }
}

static void deliver(const void *bytes, size_t size) {
  const char *at = bytes;
  while (size) {
    ssize_t n = write(ICARUS_FD, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) gone();
    at += n, size -= (size_t)n;
  }
}

/* Finds the task's arguments on its first call. */
static void find_ports(list_t *list) {
  vpiHandle call = vpi_handle(vpiSysTfCall, NULL), arguments = vpi_iterate(vpiArgument, call), one;
  while (arguments && (one = vpi_scan(arguments))) {
    list->ports = realloc(list->ports, (list->count + 1) * sizeof *list->ports);
    if (!list->ports) gone();
    port_t port = {one, ((uint32_t)vpi_get(vpiSize, one) + 31) / 32};
    list->ports[list->count++] = port;
    list->words += port.words;
  }
  list->frame = calloc(2 * list->words + 2, sizeof *list->frame);
  list->last = calloc(list->words + 1, sizeof *list->last);
  if (!list->frame || !list->last) gone();
  memset(list->last, 0xff, list->words * sizeof *list->last); /* so that the first frame sets every port */
}

static void put(const port_t *port, const uint32_t *words) {
  s_vpi_vecval bits[port->words];
  for (uint32_t w = 0; w < port->words; w++) bits[w].aval = (PLI_INT32)words[w], bits[w].bval = 0;
  s_vpi_value value = {.format = vpiVectorVal, .value.vector = bits};
  vpi_put_value(port->handle, &value, NULL, vpiNoDelay);
}

static PLI_INT32 on_drive(PLI_BYTE8 *unused) {
  (void)unused;
  if (!drive.ports) find_ports(&drive);
  receive(&order, sizeof order);
  if (order == ICARUS_CLOCK) {
    drive.last[0] = 1;
    put(&drive.ports[0], drive.last);
    return 0;
  }
  receive(drive.frame, drive.words * sizeof *drive.frame);
  uint32_t at = 0;
  for (uint32_t i = 0; i < drive.count; at += drive.ports[i++].words)
    if (memcmp(drive.frame + at, drive.last + at, drive.ports[i].words * sizeof *drive.frame))
      put(&drive.ports[i], drive.frame + at);
  memcpy(drive.last, drive.frame, drive.words * sizeof *drive.frame);
  return 0;
}

static PLI_INT32 on_read(PLI_BYTE8 *unused) {
  (void)unused;
  if (!sample.ports) find_ports(&sample);
  uint32_t at = 1;
  vpi_flush(); /* messages of assertions come first */
  for (uint32_t i = 0; order == ICARUS_ALL && i < sample.count; i++) {
    const port_t *port = &sample.ports[i];
    s_vpi_value value = {.format = vpiVectorVal};
    vpi_get_value(port->handle, &value);
    for (uint32_t w = 0; w < port->words; w++) {
      sample.frame[at + w] = (uint32_t)value.value.vector[w].aval;
      sample.frame[at + port->words + w] = (uint32_t)value.value.vector[w].bval;
    }
    at += 2 * port->words;
  }
  sample.frame[0] = at - 1;
  deliver(sample.frame, at * sizeof *sample.frame);
  return 0;
}

/* $finish and $stop of the RTL count as a failure in this cycle, and the simulation goes on, as in
 * Verilator's device. */
static PLI_INT32 on_end(PLI_BYTE8 *name) {
  vpiHandle call = vpi_handle(vpiSysTfCall, NULL);
  vpi_printf((PLI_BYTE8 *)"ERROR: %s:%d: %s\n", vpi_get_str(vpiFile, call), (int)vpi_get(vpiLineNo, call), name);
  return 0;
}

static void register_task(const char *name, PLI_INT32 (*on_call)(PLI_BYTE8 *)) {
  s_vpi_systf_data task = {
      .type = vpiSysTask, .tfname = (PLI_BYTE8 *)name, .calltf = on_call, .user_data = (PLI_BYTE8 *)name};
  vpi_register_systf(&task);
}

static void register_tasks(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* also in a loop without an end, where it reads nothing */
  register_task("$lockstack_drive", on_drive);
  register_task("$lockstack_read", on_read);
  register_task("$finish", on_end); /* defined before vvp's own, which is then ignored */
  register_task("$finish_and_return", on_end);
  register_task("$stop", on_end);
  register_random();
}

void (*vlog_startup_routines[])(void) = {register_tasks, NULL};
