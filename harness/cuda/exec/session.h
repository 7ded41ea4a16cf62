/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator of one program process: a machine that answers what the program's libcuda or
 * liblockstack asks (wire.h), in a process of its own.
 *
 *   session_run(&options, listening, notes);      in a child of exec: waits for a program, serves
 *                                                 it to its end, and tells exec what ran
 *   session_serve(&options, program, &last, &trouble);
 *                                                 in this process, on a connection that is there
 *
 * SystemC elaborates once a process. A program process that asks for a second machine
 * (cudaDeviceReset) therefore gets a second session.
 */
#ifndef SESSION_H
#define SESSION_H

#include "json_sure.h"

#include "instance.h"
#include "system.h"
#include "trouble.h"
#include "wire.h"

enum { SESSION_ARCH = 75 /* if nobody says otherwise */ };

/* What exec or serve gives a session. It is kept by address. */
typedef struct {
  const system_options_t *system; /* after system_prepare */
  const capture_t *capture;       /* replay files of instances that diverge */
  /* 10 times the compute capability that a program is told. The PTX for it is taken out of a fat
   * binary. */
  unsigned arch;
  bool eager; /* the machine is made before a program asks for it */
  /* Makes what WIRE_REPORT and WIRE_COUNT answer, as JSON. NULL: trouble says why. Without the
   * function both are refused. */
  json_t *(*report)(void *ctx, const system_stats_t *stats, trouble_t *trouble);
  void *report_ctx;
} session_options_t;

/* What a session tells exec: a program has connected; a launch has ended; a function is missing; an
 * error; the session has ended. */
typedef enum { NOTE_BEGIN, NOTE_LAUNCH, NOTE_ABSENT, NOTE_LINE, NOTE_END } note_kind_t;

/* A note, as it lies in the pipe. Members that a kind does not name are 0. */
typedef struct {
  note_kind_t kind;
  wire_launch_t launch; /* LAUNCH */
  wire_status_t status; /* LAUNCH, LINE */
  uint64_t cycles, warp_instructions;
  double time_ns, begin_ns;
  uint32_t cores;       /* LAUNCH: cores that `cycles` are of */
  uint32_t parts;       /* LAUNCH: behind it are parts * SYSTEM_COUNTS counters, of this launch alone */
  uint64_t process;     /* BEGIN */
  char text[WIRE_TEXT]; /* BEGIN: name of the process; ABSENT: of the function; LINE: the error */
} note_t;               /* behind END comes what system_stats_get reads */

/* listening: the socket for programs; notes: the pipe to exec. Never returns. */
_Noreturn void session_run(const session_options_t *options, int listening, int notes);

/* Serves `program`, a connected socket, until the program has ended or closed it. Once a process.
 * *last: what WIRE_REPORT would answer then, owned by the caller. False: trouble says why. */
bool session_serve(const session_options_t *options, int program, json_t **last, trouble_t *trouble);

#endif
