/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds loadable objects (harness/lockstep/dut/dut.h) from a block's files, unless an object of
 * exactly these bytes exists.
 *
 * The key of an object is the content of everything that its build read: sources, tools, flags,
 * environment. The tools themselves report what they read. A build reads copies of the sources,
 * taken once. If a tool read an original that may have changed meanwhile, the build starts again.
 * Object and manifest are one file, published by one rename.
 *
 *   object_get --> fresh object in place? --yes--> its path
 *                     |no
 *                     v
 *                  copy sources --> tools --> read a file that was not copied? --yes--> again
 *                                               |no
 *                                               v
 *                                            object + manifest --rename--> path
 */
#ifndef OBJECT_H
#define OBJECT_H

#include "content.h"
#include "rtl.h"
#include "trouble.h"

typedef struct {
  const char *tree;    /* the folder with rtl, cmodel and harness */
  const char *portgen; /* path of the program */
  const char *cache;   /* a writable folder with a plain name (plain.h) */
  const char *object;  /* path of the object; NULL: in the cache */
  /* Objects of `object` came with an installed tree: the tools that built them may be
   * missing here. */
  bool installed;

  const char *block,
      /* "fifo"; "rtl", "rtl+wave", "rtl+cov", "rtl+faults", "model", "netlist",
       * "netlist+toggles", "gates", "cxxrtl", "icarus", "lint", "lint+ports", "ports" */
      *kind;
  const char *folder;                     /* of a block outside of the tree, else "" */
  const char *rtl, *ports, *model, *stim; /* files of the block; stim "": none */
  const char *params;                     /* parameters that differ from the defaults: "Depth=2,Width=8" */
  /* instead: RTL files of this folder replace the block's own; "": none. beside: the folder of the
   * block's own RTL. */
  const char *instead, *beside;
  const char *map;    /* X.yaml of a block outside of the tree, else "" */
  const rtl_t *read;  /* RTL sources of a block outside of the tree */
  const char *cells;  /* Kinds netlist: a choice of harness/base/cells.h; other kinds: "". */
  const char *cflags; /* compiler flags for all C and C++ */
} object_request_t;

enum { OBJECT_PATH = 4096 };

/* How the line ends when it is the RTL that raises an error at elaboration ($fatal in a
 * `generate`). */
#define OBJECT_REFUSED " of the RTL, for these parameters)"

/* Writes the path of the object and builds it unless a fresh one exists. INPUT: the sources do not
 * build or a parameter is wrong. ENVIRONMENT: a tool is missing, or the device is full. */
bool object_get(const object_request_t *ask, char path[OBJECT_PATH], trouble_t *trouble);

/* "generators 0123456789abcdef": the sum of the C that makes objects, the last word of the tools
 * that an object names (cmake/generators.cmake). */
const char *object_generators(void);

/* True if an object of the default build exists, every file that it was made of is unchanged, and
 * the same C would make it. `tree`: where its sources are. */
bool object_fresh(const char *object, const char *tree, bool installed);

/* True if a file belongs to the machine's tools and libraries, and not to a block. own: the block's
 * folder, or "". */
bool object_is_of_machine(const char *path, const char *own);

/* All files that an object was made of, with the machine's tools and headers. False: the object has
 * no valid manifest. */
bool object_inputs(const char *object, const char *tree, content_t *inputs);

/* The key of an object, and the tools that made it in one line, which the caller frees. False: the
 * object has no valid manifest. */
bool object_key(const char *object, const char *tree, char key[CONTENT_SUM], char **tools);

/* A checksum of what an object was made of that is the same wherever the block lies: its key
 * without the folders. False: the object has no valid manifest. */
bool object_content(const char *object, const char *tree, char sum[CONTENT_SUM]);

/* A side file of an object, which the caller frees; NULL: none. Kind rtl+cov has "signals.xml";
 * kinds netlist+toggles and gates have "whole.v" and "cells.lib". */
char *object_side(const char *object, const char *name);

#endif
