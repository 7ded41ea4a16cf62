/* SPDX-License-Identifier: Apache-2.0
 *
 * Synthesises a block with Yosys onto standard cells or an FPGA's cells, and says its area and
 * longest path.
 *
 * The block's probes are dropped first. On standard cells, memories (rtl/lib/sram_*) stay black
 * boxes. Results are kept: a folder named by a hash of all inputs has what Yosys said
 * (area_key.h, area_keep.h). The same question is answered from that folder.
 */
#ifndef AREA_H
#define AREA_H

#include "cells.h"
#include "proof.h"
#include "yosys.h"

/* Limits of area_t's lists. A block with more macros or kinds of parts is refused (BAD). */
enum { AREA_MACROS = 512, AREA_PARTS = 64 };

/* What a block is mapped onto. */
typedef struct {
  const char *name;     /* "ice40", or the name of the cells' library */
  const cells_t *cells; /* open; NULL: an FPGA */
  /* For an FPGA: Yosys' command, and prefixes of cells' names, separated by blanks. */
  const char *synth, *luts, *flipflops, *rams, *dsps, *logic; /* logic: cells that count for a path */
} area_target_t;

const area_target_t *area_fpga(const char *name); /* NULL: no such FPGA */
bool area_is_fpga(const area_target_t *target);

/* A memory that stays a black box; name is its path in the block ("i_fifo.i_mem"), width in
 * bits. */
typedef struct {
  char name[256];
  unsigned long rows, width;
} area_macro_t;

/* A block that another one is made of: `count` times, each with these figures. */
typedef struct {
  char block[PROOF_NAME], params[PROOF_TEXT];
  unsigned count;
  unsigned long cells, flipflops;
  double area, flipflops_area;
} area_part_t;

typedef struct {
  unsigned long cells, flipflops; /* mapped cells, the flip-flops among them */
  /* area of the cells without macros, in the cells' unit (cells.h); 0 for an FPGA */
  double area;
  double flipflops_area;          /* area of the flip-flops among them */
  double path;                    /* longest combinational path, in the cells' unit; below 0: none */
  unsigned long luts, rams, dsps; /* for an FPGA */
  long path_levels;               /* for an FPGA: cells on the longest path; below 0: none */
  double seconds, cpu_seconds;    /* synthesis, parts included */
  bool cached;                    /* nothing was synthesised */
  bool by_parts;                  /* sum over parts, each synthesised alone; the path is within a part */
  area_macro_t macros[AREA_MACROS];
  area_part_t parts[AREA_PARTS];
  unsigned num_macros, num_parts;
} area_t;

typedef enum { AREA_USUAL, AREA_FLAT, AREA_BY_PARTS } area_method_t; /* usual: large blocks by parts */

typedef struct {
  const area_target_t *target;
  const char *source, *gen; /* the tree; generated packages */
  const char *family, *block;
  /* RTL of a block outside the tree, whose family is ""; NULL: a block of the tree */
  const rtl_t *own;
  const char *subject, *ports; /* how results name it; its port file */
  bool dram_die;               /* on a DRAM die, where logic is twice as large */
  const char *params;          /* "Depth=7 Width=100": those that differ from the port file's */
  bool part;                   /* part of another block: params are all that the instance sets */
  const char *cache;           /* folder */
  area_method_t method;
  double seconds; /* limit for one synthesis */
  bool (*stop)(void *context);
  void *context;
} area_job_t;

/* Measures the block, or reads a kept result. HOLDS: *area has the figures. BAD: the sources or
 * parameters are wrong. INFRA: Yosys, the disk, or more than job->seconds. STOPPED: stop() said
 * so. area_t is large (over 100 KB): allocate it. */
answer_t area_measure(const area_job_t *job, area_t *area, trouble_t *trouble);
bool area_by_parts(const area_job_t *job); /* the method that area will take */

#endif
