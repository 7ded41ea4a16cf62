/* SPDX-License-Identifier: Apache-2.0
 *
 * Loadable objects (harness/lockstep/dut/dut.h), built of a block's files when there is none of
 * just these bytes.
 *
 * The key of an object is the content of all that its build read: sources, tools, flags,
 * environment. The list comes from the tools themselves. A build reads copies of the sources, taken
 * once; if a tool read a file that was not copied and may have changed meanwhile, the build begins
 * again. Object and manifest are one file, published by one rename.
 */
#ifndef OBJECT_H
#define OBJECT_H

#include "content.h"
#include "rtl.h"
#include "trouble.h"

typedef struct {
  const char *tree;    /* where rtl, cmodel and harness are */
  const char *portgen; /* the program */
  const char *cache;   /* a folder of a plain name (plain.h) that is ours to write */
  const char *object;  /* where the object is to be; NULL: in the cache */
  /* objects of `object` came with the tree: tools of
   * the machine that built them may be missing here */
  bool installed;

  const char *block,
      /* "fifo"; "rtl", "rtl+wave", "rtl+cov", "rtl+faults", "model", "netlist",
       * "netlist+toggles", "gates", "cxxrtl", "icarus", "lint", "lint+ports" */
      *kind;
  const char *folder;                     /* of a block outside of the tree, else "" */
  const char *rtl, *ports, *model, *stim; /* files; stim "": none */
  const char *params;                     /* "Depth=2,Width=8": what differs from the defaults */
  /* RTL files of this folder go before the block's own, which are in the other one; "": none */
  const char *instead, *beside;
  const char *map;    /* X.yaml of a block outside of the tree; "" */
  const rtl_t *read;  /* of a block outside of the tree: what its RTL is read from */
  const char *cells;  /* of kinds netlist: a choice of harness/base/cells.h, of others "" */
  const char *cflags; /* for all that is compiled */
} object_request_t;

enum { OBJECT_PATH = 4096 };

/* The object's path, built when there is none that is fresh. INPUT: sources do not build or a
 * parameter is wrong; ENVIRONMENT: a tool is missing, no room. */
bool object_get(const object_request_t *ask, char path[OBJECT_PATH], trouble_t *trouble);

/* Is this object of the default build there, and each file that
 * it was made of as it was? tree: where its sources are. */
bool object_fresh(const char *object, const char *tree, bool installed);

/* Does a file belong to the machine's tools and libraries,
 * and not to a block (own: its folder, or "")? */
bool object_is_of_machine(const char *path, const char *own);

/* All files that an object was made of, the machine's tools
 * and headers too. False: it has no whole manifest. */
bool object_inputs(const char *object, const char *tree, content_t *inputs);

/* The key of an object, and the tools that made it, in a
 * line, to be freed. False: it has no whole manifest. */
bool object_key(const char *object, const char *tree, char key[CONTENT_SUM], char **tools);

/* A side file of an object ("signals.xml" of kind rtl+cov; "whole.v", "cells.lib"
 * of kinds netlist+toggles and gates), to be freed; NULL: it has none. */
char *object_side(const char *object, const char *name);

#endif
