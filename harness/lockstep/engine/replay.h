/* SPDX-License-Identifier: Apache-2.0
 *
 * Replay files: a failing run as text, gzip-compressed when long, with a format version and a
 * checksum.
 *
 *   lockstack-replay 4
 *   block arb_rr                       or: folder /abs/path of a block outside the tree
 *   params NumReq=4,...                every parameter with its value ("-": none); older files have
 *                                      those alone that were not the port file's
 *   rtl /abs/path                      RTL files that were taken before the block's own (only with
 *                                      `check --rtl`)
 *   dut netlist                        the device, when it was not the RTL
 *   cells osu018                       its cells, when they were not the default's; or, each on a
 *                                      line,
 *   liberty /abs/path                  the files that they are of
 *   seed 7  profile hold               where it came from
 *   outcome DIVERGED
 *   port probe_mask                    DIVERGED: the port
 *   differs 0123456789abcdef           and failure_t's checksum of all that differ (version 1 has
 *                                      none)
 *   text ...                           otherwise: the assertion
 *   commit 0123abcd                    of the tree that wrote it
 *   content 0123456789abcdef           of block and object, where it is known (again.h; versions 1
 *                                      and 2 have none)
 *   inputs req:4 update:1              all inputs of the block and their widths (not before version
 *                                      4); other ones are an error
 *   cycles 13                          of the recording; the failure is in the last one
 *   @0 req=5 update=1                  inputs that are not zero, hexadecimal; cycles without a line
 *                                      are idle
 *   @4 reset
 *   end crc32=89abcdef                 of everything above this line
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "build.h"
#include "run.h"

enum { REPLAY_VERSION = 4 }; /* what is written; those before are read, too */

typedef struct {
  char block[64], folder[4096], rtl[4096], dut[32], params[8192], profile[64], commit[64];
  char port[64], text[512];
  char cells[RTL_LIST];
  uint64_t seed, cycles;
  uint64_t differs; /* 0: not known */
  uint64_t content; /* 0: not known */
  outcome_t outcome;
} replay_t;

/* INPUT: cannot be created; ENVIRONMENT: disk full. */
bool replay_write(const char *path, const replay_t *replay, const dut_t *dut, const trace_t *trace, trouble_t *trouble);

/* The header alone (dut NULL, trace NULL), or all of it.
 * INPUT: file, line and what is wrong. */
bool replay_read(const char *path, replay_t *replay, const dut_t *dut, trace_t *trace, trouble_t *trouble);

/* The block that it was recorded of, with the parameters that it had. INPUT:
 * one of them is not in the port file any more, or its value may not be. */
bool replay_block(const replay_t *replay, const places_t *places, block_t *block, trouble_t *trouble);

const char *replay_kind(const replay_t *replay); /* the kind of device that it was recorded on */

/* Is a failure of this kind of device the recorded one, as run.h has it? What differs beside the
 * port is compared where the file says it, and on the kind of device that it was recorded on alone:
 * others have no probes. */
bool replay_same(const replay_t *replay, const dut_t *dut, const char *kind, const failure_t *failure);

#endif
