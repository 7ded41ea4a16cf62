/* SPDX-License-Identifier: Apache-2.0
 *
 * Replay files: a failing run as text with a format version and a checksum, gzip-compressed when
 * long.
 *
 *   lockstack-replay 6
 *   block arb_rr
 *   written /abs/path             the folder of this file when it was written, if a path follows
 *   folder ../accum               of a block outside the tree
 *   params NumReq=4,...           every parameter with its value ("-": none); older files have only
 *                                 values that differ from the port file's
 *   rtl ../try                    RTL files that replaced the block's own (only with `check --rtl`)
 *   dut netlist                   the device, if not the RTL
 *   against icarus                the device that stood in the model's place (against.h)
 *   cells osu018                  its cells, if not the default; or, each on a line,
 *   liberty ../cells.lib          the Liberty files of the cells
 *   seed 7  profile hold          origin of the inputs
 *   power-up 42                   what registers without a value began with (dut.h: power_up), if
 *                                 not 0 (from version 6)
 *   outcome DIVERGED
 *   port probe_mask               DIVERGED: the port
 *   differs 0123456789abcdef      DIVERGED: failure_t's checksum (not in version 1)
 *   text ...                      other outcomes: the assertion
 *   commit 0123abcd               of the tree that wrote the file
 *   content 0123456789abcdef      of block and object, if known (again.h; from version 3, and from
 *                                 version 5 the same wherever the block lies)
 *   inputs req:4 update:1         inputs of the block and widths (from version 4); other
 *                                 inputs are an error
 *   cycles 13                     length of the recording; the failure is in the last cycle
 *   @0 req=5 update=1             inputs that are not zero, hexadecimal; cycles without a line are
 *                                 idle
 *   @4 reset
 *   end crc32=89abcdef            of everything above this line
 *
 * Paths start at the folder of this file (replay_paths.h). Versions 1 to 4 have absolute ones, and
 * either `block` or `folder`.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "build.h"
#include "replay_paths.h"
#include "run.h"

enum { REPLAY_VERSION = 6, REPLAY_PORTABLE = 5 }; /* written; older versions are read, too */

/* Paths are absolute. folder "": a block of the tree. block "": unknown, of a folder in an older
 * file. */
typedef struct {
  unsigned version; /* read; replay_write writes the newest */
  char written[REPLAY_PATH];
  char block[64], folder[REPLAY_PATH], rtl[REPLAY_PATH], dut[32], against[32], params[8192], profile[64], commit[64];
  char port[64], text[512];
  char cells[RTL_LIST];
  uint64_t seed, power_up, cycles;
  uint64_t differs; /* 0: unknown */
  uint64_t content; /* 0: unknown */
  outcome_t outcome;
} replay_t;

/* INPUT: the file cannot be created. ENVIRONMENT: the disk is full. */
bool replay_write(const char *path, const replay_t *replay, const dut_t *dut, const trace_t *trace, trouble_t *trouble);

/* Reads the header alone (`dut` and `trace` NULL), or the whole file. INPUT: file, line and what is
 * wrong. */
bool replay_read(const char *path, replay_t *replay, const dut_t *dut, trace_t *trace, trouble_t *trouble);

/* Finds the recorded block with its recorded parameters. INPUT: its folder is gone or has another
 * block; or the port file lacks a parameter now, or no longer allows its value. */
bool replay_block(const replay_t *replay, const places_t *places, block_t *block, trouble_t *trouble);

const char *replay_kind(const replay_t *replay); /* kind of the recorded device */

/* True if a failure of this kind of device is the recorded one (run.h). The checksum of all that
 * differ is compared only if the file has it and the kind is the recorded one: other kinds have no
 * probes. */
bool replay_same(const replay_t *replay, const dut_t *dut, const char *kind, const failure_t *failure);

#endif
