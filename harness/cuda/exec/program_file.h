/* SPDX-License-Identifier: Apache-2.0
 *
 * A program's file before it is started: does it exist, and can it be given libraries?
 */
#ifndef PROGRAM_FILE_H
#define PROGRAM_FILE_H

#include <stdbool.h>

#include "trouble.h"

enum { PROGRAM_PATH = 4096, PROGRAM_NEEDS = 8, PROGRAM_LIBRARY = 64 };

typedef struct {
  char path[PROGRAM_PATH];
  unsigned needs;                            /* how many libraries of CUDA it names */
  char need[PROGRAM_NEEDS][PROGRAM_LIBRARY]; /* "libcudart.so.12" */
  bool first_path;                           /* it has a path of its own that goes before LD_LIBRARY_PATH (DT_RPATH) */
} program_file_t;

/* Finds a program by name as a shell does, and reads which libraries of CUDA it names. False: there
 * is no such program, it is linked statically, or it names a library that the folder `libraries`
 * lacks; trouble says which. */
bool program_file_find(const char *name, const char *libraries, program_file_t *file, trouble_t *trouble);

#endif
