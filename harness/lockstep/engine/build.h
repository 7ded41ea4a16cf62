/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds a block's files, and its loadable object. The object is built unless one exists of exactly
 * these files.
 */
#ifndef BUILD_H
#define BUILD_H

#include "lockstep.h"
#include "rtl.h"

enum { BUILD_PATH = 4096 };

typedef struct {
  const char *source;  /* the tree, or its installed files */
  const char *objects; /* folder with the objects of the default build */
} places_t;

typedef struct {
  char name[64];
  /* The absolute folder of a block outside of the tree; "" for a block of the tree. */
  char folder[BUILD_PATH];
  /* Files of the block; stim "": none. */
  char rtl[BUILD_PATH], ports[BUILD_PATH], model[BUILD_PATH], stim[BUILD_PATH];
  /* Parameters that differ from the defaults: "NumReq=8,Depth=2". */
  char params[1024];
  /* RTL files of this folder replace the block's own; "": none. */
  char instead[BUILD_PATH];
  /* With `instead`: the folder of the block's own RTL. */
  char beside[BUILD_PATH];
  /* X.yaml of a block outside of the tree (own.h); "": none. */
  char map[BUILD_PATH];
  /* The RTL sources of a block outside of the tree. */
  rtl_t read;
  /* Cells of device netlist: a choice of harness/base/cells.h. */
  char cells[RTL_LIST];
} block_t;

/* Finds a block of the tree by name, or a block in a folder: X.ports, X.sv, X.c, X.h and optionally
 * X_stim.c. INPUT: what is missing. */
bool block_find(block_t *block, const places_t *places, const char *name_or_folder, const char *params,
                trouble_t *trouble);

/* The block's name in a result. A block outside of the tree is named by its folder. */
const char *block_subject(const block_t *block);

/* Replaces the block's RTL file by file with the RTL of a folder. Modules that the folder lacks
 * stay the block's. INPUT: no such folder. */
bool block_instead(block_t *block, const char *folder, trouble_t *trouble);

#define BLOCK_DEVICES(X) X("rtl") X("netlist") X("cxxrtl") X("icarus") X("emitted")
#define BLOCK_KINDS "rtl, netlist, cxxrtl, icarus or emitted"

/* A device kind of BLOCK_DEVICES as a constant; NULL: `name` is none of them. */
const char *block_kind(const char *name);

/* Writes the path of the object of a kind: a device kind, "rtl+wave", "model" and so on. If the
 * object must be built, a line on standard error says so. INPUT: the sources do not build or a
 * parameter is wrong. ENVIRONMENT: a tool is missing. */
bool block_object(const block_t *block, const places_t *places, const char *kind, char *path, trouble_t *trouble);

/* The same. `warned` gets the path of the object with the tools' warnings (warnings.h), which is
 * another object where the device's own tools see less. */
bool block_object_warned(const block_t *block, const places_t *places, const char *kind, char *path, char *warned,
                         trouble_t *trouble);

/* block_lint (below), and what Yosys is to read of the block: `read` gets the block's own sources,
 * or, where Yosys cannot read them, a file of Verilog 2005 with the same modules, places and values
 * for these parameters alone. A line on standard error says so. */
bool block_text(const block_t *block, const places_t *places, const char *params, const char *clock, rtl_t *read,
                trouble_t *trouble);

/* Checks that every tool reads the RTL of a block outside of the tree, with these parameters ("A=1
 * B=2"), as the same circuit. For verbs that build no object. `clock`: the caller assumes that all
 * registers wait for a rising edge of one clock, and names itself for the error ("mutants do");
 * NULL: no such assumption. Errors as of block_object. */
bool block_lint(const block_t *block, const places_t *places, const char *params, const char *clock,
                trouble_t *trouble);

/* True if the object exists and every file that it was made of is unchanged. */
bool block_fresh(const places_t *places, const char *object);

#endif
