/* SPDX-License-Identifier: Apache-2.0
 *
 * A top module whose ports are interfaces, as one whose ports are vectors: no tool takes interfaces
 * there. The text of the module's file is changed where the port stands and behind the head, within
 * lines, so that all else is where it was, and no level of hierarchy is added:
 *
 *   module slave (input clk, bus_if.slave s);
 *
 *   module slave (input clk, input s_in_t \s.in , output s_out_t \s.out );
 *     bus_if s (); assign {s.valid, s.addr} = \s.in ; assign \s.out = {s.ready};
 *
 * The types are structs with the members of the modport, in its order. A parameter W of the
 * interface is the module's own W, else a new parameter s_W of the module. A port of the interface
 * is the module's port of its name. Of an array of interfaces each element is a port: \s.0.in .
 *
 *   flat_job_t job = {...};
 *   if (flat_make(&job, &trouble) == FLAT_MADE) ... tools read job.to in the place of job.file ...
 */
#ifndef FLAT_H
#define FLAT_H

#include "trouble.h"

#include <stdbool.h>

/* Makes Verilator elaborate the design with `to` in the place of the file and these parameters, and
 * write its tree into the job's xml. */
typedef bool flat_elaborate_t(void *context, const char *params, trouble_t *trouble);

typedef struct {
  const char *file;  /* declares the module */
  const char *shown; /* its name in messages and `line directives */
  const char *module;
  const char *params; /* "W=4,s_W=8", by the RTL's names */
  const char *to, *xml;
  flat_elaborate_t *elaborate;
  void *context;
} flat_job_t;

/* NONE: no port of the module is an interface; nothing was written. */
typedef enum { FLAT_NONE, FLAT_MADE, FLAT_FAILED } flat_answer_t;

flat_answer_t flat_make(const flat_job_t *job, trouble_t *trouble);

/* True if some port of the module is an interface. */
bool flat_wanted(const char *file, const char *module);

#endif
