/* SPDX-License-Identifier: Apache-2.0
 *
 * Synthesis of a block onto standard cells by Yosys and abc. The probes are dropped first; memories (rtl/lib/sram_*)
 * stay black boxes. What Yosys said is kept in a folder named by a hash of all that went into it, and read again when
 * the same is asked for.
 */
#ifndef AREA_H
#define AREA_H

#include "proof.h"
#include "yosys.h"

enum { AREA_MACROS = 64 };

typedef struct {
  const char *name, *package; /* osu018; the Debian package that has it */
  const char *liberty, *lef;
  unsigned nm;
} area_target_t;

extern const area_target_t area_targets[]; /* the last one's name is NULL */

typedef struct {
  char name[256];
  unsigned long rows, width;
} area_macro_t;

typedef struct {
  unsigned long cells, flipflops; /* mapped cells, the flip-flops among them */
  double um2;                     /* of the cells, without macros */
  double path_ns;                 /* longest combinational path; below 0: there is none */
  double seconds;                 /* of synthesis */
  bool cached;
  area_macro_t macros[AREA_MACROS];
  unsigned num_macros;
} area_t;

typedef struct {
  const area_target_t *target;
  const char *source, *gen; /* the tree; generated packages */
  const char *family, *block;
  const char *params; /* "Depth=7 Width=100" */
  const char *cache;  /* folder */
  bool (*stop)(void *context);
  void *context;
} area_job_t;

answer_t area_measure(const area_job_t *job, area_t *area, char *error, size_t size);

#endif
