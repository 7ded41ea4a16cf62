/* SPDX-License-Identifier: Apache-2.0
 *
 * What `exec` keeps of a program's processes while they run: a row for each launch, errors,
 * functions that are missing.
 */
#ifndef EXEC_LAUNCHES_H
#define EXEC_LAUNCHES_H

#include "json_sure.h"

#include "program.h"
#include "trouble.h"

/* Traffic in bytes over links (over TSVs in an MPU) and to and from DRAM; energy in nJ. */
typedef struct {
  double links, dram, energy_nj;
} exec_traffic_t;

/* A launch. Cycles are those of the cores' clock; times are simulated. */
typedef struct {
  char *kernel, *error; /* error "": it ran to its end */
  uint32_t grid[3], block[3], shared_bytes;
  uint64_t cycles, warp_instructions;
  double time_ns, begin_ns;
  exec_traffic_t traffic;
} exec_launch_t;

/* A function of CUDA that the program called and that is missing. */
typedef struct {
  char *name;
  unsigned calls;
} exec_absent_t;

/* A process of the program. Sums are over its launches. */
typedef struct {
  uint64_t pid;
  char name[WIRE_NAME];
  exec_launch_t *launch;
  exec_absent_t *absent;
  unsigned launches, absents;
  json_t *result; /* of all launches: what `run` has of one; NULL: the simulation was ended */
  exec_traffic_t traffic;
  uint64_t cycles, warp_instructions, compared, divergences;
  bool lockstep; /* an instance was to be compared */
  double time_ns, cpu_seconds;
  uint64_t peak_rss_bytes;
} exec_process_t;

/* All processes. Zero it, set `system` and `settings` (which it then owns), and give it to
 * program_t. */
typedef struct {
  const system_options_t *system;
  json_t *settings;
  exec_process_t *process;
  unsigned processes;
  bool failed;          /* a launch that the machine cannot do, or not to its end; or a simulation did not */
  bool bad_image;       /* a module cannot be read, or has no PTX */
  char last[WIRE_TEXT]; /* the last line that was said */
  trouble_t trouble;
} exec_launches_t;

/* The callbacks of program_t: a process says something, a process ends. Out of memory is kept in
 * `trouble`. */
void exec_launches_note(void *launches, unsigned process, const note_t *note, const uint64_t (*counts)[SYSTEM_COUNTS]);
void exec_launches_end(void *launches, unsigned process, const program_end_t *end);

void exec_launches_free(exec_launches_t *launches);

#endif
