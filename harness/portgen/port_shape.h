/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the fields and labels of a port file's types with those of the RTL, as Verilator's XML
 * of the RTL has them.
 */
#ifndef PORT_SHAPE_H
#define PORT_SHAPE_H

#include "port_file.h"

/* A port that is a plain vector in the RTL may be described by fields: then there is nothing to
 * compare. INPUT: a field or label differs, with the lines of both. */
bool port_shape(const port_file_t *file, const char *xml, trouble_t *trouble);

#endif
