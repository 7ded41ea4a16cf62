/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator of one program process: a machine that answers what the program's libcuda asks (wire.h), in a process of its own, and tells exec
 * what ran.
 *
 *   session_run(&options, listening, notes);      in a child: waits for a program, serves it until it has ended
 *
 * SystemC elaborates once a process, so a program process that asks for a second machine (cudaDeviceReset) gets a second session.
 */
#ifndef SESSION_H
#define SESSION_H

#include "instance.h"
#include "system.h"
#include "wire.h"

typedef struct {
  const system_options_t *system; /* prepared */
  const capture_t *capture;       /* replay files of instances that diverge */
  bool eager;                     /* the machine is made before a program asks for it */
} session_options_t;

typedef enum { NOTE_BEGIN, NOTE_LAUNCH, NOTE_ABSENT, NOTE_LINE, NOTE_END } note_kind_t;

/* What is told, on a pipe. */
typedef struct {
  note_kind_t kind;
  wire_launch_t launch; /* LAUNCH */
  wire_status_t status; /* LAUNCH, LINE */
  uint64_t cycles, warp_instructions;
  double time_ns, begin_ns;
  uint32_t cores;       /* LAUNCH: whose cycles these are */
  uint32_t parts;       /* LAUNCH: so many times SYSTEM_COUNTS counters are behind it, of this launch alone */
  uint64_t process;     /* BEGIN */
  char text[WIRE_TEXT]; /* BEGIN: the process' name; ABSENT: of a function; LINE: an error */
} note_t;               /* behind END: what system_stats_get reads */

_Noreturn void session_run(const session_options_t *options, int listening, int notes);

#endif
