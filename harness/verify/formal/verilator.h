/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilator's view of RTL outside of the tree, as XML.
 */
#ifndef VERILATOR_H
#define VERILATOR_H

#include "rtl.h"
#include "trouble.h"
#include "yosys.h"

typedef struct {
  const rtl_t *rtl;
  const char *gen;             /* generated packages, which are read first; NULL: none */
  const char *source;          /* the tree, whose folders of lists `include finds; NULL: none */
  const char *library;         /* one more; "": none */
  const char *module, *params; /* "Depth=4,Width=8"; "": the RTL's own */
  const char *work, *xml;      /* a folder that is there; the file that is written */
} verilator_xml_t;

/* False: trouble; said, if it is not NULL, is all that Verilator said then, to be freed. */
bool verilator_xml(const verilator_xml_t *job, char **said, trouble_t *trouble);

/* Do all values of the port file arrive in the RTL? params: "Depth=4", those that are set. HOLDS:
 * yes, or Verilator does not read the RTL whatever the values are. BAD: no, with one line in
 * trouble. */
answer_t verilator_arrived(const verilator_xml_t *job, const char *ports, const char *params, trouble_t *trouble);

#endif
