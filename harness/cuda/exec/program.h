/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program on a simulated system, with all processes that it starts. The program finds our
 * libcuda and libcudart before any other. Each process that asks for a machine gets a session
 * (session.h). What the program reads and writes is its own.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "program_file.h"
#include "session.h"

/* Of a session that has ended. */
typedef struct {
  system_stats_t *stats; /* NULL: the session ended without counts */
  double cpu_seconds;
  uint64_t peak_rss_bytes;
} program_end_t;

/* What to run, and whom to tell. libraries: the folder of our libcuda.so.1 and libcudart.so. */
typedef struct {
  const program_file_t *file;
  char *const *argv;
  const char *libraries;
  const session_options_t *session;
  const volatile sig_atomic_t *interrupted;
  /* What sessions tell, each by its number, from 0 in the order in which they
   * began; counts: of a launch. Those that no program asked have no number. */
  void (*note)(void *ctx, unsigned session, const note_t *note, const uint64_t (*counts)[SYSTEM_COUNTS]);
  void (*end)(void *ctx, unsigned session, const program_end_t *end);
  void *ctx;
} program_t;

/* Runs until the program and all sessions have ended. *status: the program's exit status; 128 and
 * more: a signal ended it. False: the program could not be started, or no machine could be made. */
bool program_run(const program_t *program, int *status, trouble_t *trouble);

#endif
