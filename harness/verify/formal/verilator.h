/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilator's view of RTL outside of the tree, as XML, and whether parameters reach that RTL.
 */
#ifndef VERILATOR_H
#define VERILATOR_H

#include "rtl.h"
#include "trouble.h"
#include "yosys.h"

typedef struct {
  const rtl_t *rtl;
  const char *source;          /* the tree, for port files; NULL: none is read */
  const char *library;         /* one more library; "": none */
  const char *module, *params; /* "Depth=4,Width=8"; "": the RTL's own */
  const char *work, *xml;      /* an existing folder; the file to write */
} verilator_xml_t;

/* Writes job->xml. False: trouble says why, and *said (said NULL: not wanted) is all that
 * Verilator printed. Set *said to NULL before, and free it. */
bool verilator_xml(const verilator_xml_t *job, char **said, trouble_t *trouble);

/* Do all values of the port file reach the RTL's parameters? params: the values that are set,
 * "Depth=4". HOLDS: yes, or Verilator does not read the RTL whatever the values are. BAD: no;
 * trouble says it in one line. */
answer_t verilator_arrived(const verilator_xml_t *job, const char *ports, const char *params, trouble_t *trouble);

#endif
