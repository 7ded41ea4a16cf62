/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a block's files are, and its loadable object, built when there is none of just these files.
 */
#ifndef BUILD_H
#define BUILD_H

#include "lockstep.h"
#include "rtl.h"

enum { BUILD_PATH = 4096 };

typedef struct {
  const char *source;  /* the tree, or where its files were installed */
  const char *objects; /* folder of the objects that the default build makes */
} places_t;

typedef struct {
  char name[64];
  /* of a block outside the tree, absolute; "" in the tree */
  char folder[BUILD_PATH];
  char rtl[BUILD_PATH], ports[BUILD_PATH], model[BUILD_PATH], stim[BUILD_PATH]; /* stim "": none */
  /* "NumReq=8,Depth=2": what differs from the defaults */
  char params[1024];
  /* RTL files of this folder are taken before the block's own; "": none */
  char instead[BUILD_PATH];
  /* with it: the folder of the block's own RTL */
  char beside[BUILD_PATH];
  /* X.yaml of a block outside the tree (own.h); "": none */
  char map[BUILD_PATH];
  /* of a block outside the tree: what its RTL is read from */
  rtl_t read;
  /* of device netlist: a choice of harness/base/cells.h */
  char cells[RTL_LIST];
} block_t;

/* A block of the tree by name, or one in a folder: X.ports, X.sv, X.c, X.h and, if there is one,
 * X_stim.c. INPUT: what is missing. */
bool block_find(block_t *block, const places_t *places, const char *name_or_folder, const char *params,
                trouble_t *trouble);

/* How a result names it: a block outside the tree is its folder. */
const char *block_subject(const block_t *block);

/* RTL of a folder instead of the block's own, file by file; modules that are not there come from
 * where they were. INPUT: no such folder. */
bool block_instead(block_t *block, const char *folder, trouble_t *trouble);

#define BLOCK_DEVICES(X) X("rtl") X("netlist") X("cxxrtl") X("icarus")
#define BLOCK_KINDS "rtl, netlist, cxxrtl or icarus"

/* The kinds of device that a block can be checked on: the
 * name as a constant, NULL when it is none of them. */
const char *block_kind(const char *name);

/* Path of the object of a kind (those, "rtl+wave", "model"). Says on standard error when it has to
 * build. INPUT: the sources do not build or a parameter is wrong; ENVIRONMENT: a tool is
 * missing. */
bool block_object(const block_t *block, const places_t *places, const char *kind, char *path, trouble_t *trouble);

/* The same; warned: the object that has the tools' warnings (warnings.h),
 * which is another one where a device's own tools see less. */
bool block_object_warned(const block_t *block, const places_t *places, const char *kind, char *path, char *warned,
                         trouble_t *trouble);

/* Is the RTL of a block outside of the tree with these parameters ("A=1 B=2") one that each tool
 * reads as the same circuit? For verbs that build no object. clock: who takes each register's clock
 * for a rising edge of the same one ("mutants do"), and is refused others; NULL: nobody. Trouble
 * as of block_object. */
bool block_lint(const block_t *block, const places_t *places, const char *params, const char *clock,
                trouble_t *trouble);

/* Is this object there, and each file that it was made of as it was? */
bool block_fresh(const places_t *places, const char *object);

#endif
