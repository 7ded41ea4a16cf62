/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that no parameter may have. A parameter is a macro for the model: one called NDEBUG takes
 * the model's assertions away, one called EOF has libc's value.
 */
#ifndef PORT_TAKEN_H
#define PORT_TAKEN_H

#include <stdbool.h>

bool port_is_word_of_c(const char *name); /* "while" */

/* Whose name it is: "assert.h's, which ..."; NULL:
 * nobody's. Kinds of port files are not looked at. */
const char *port_taken(const char *name);

#endif
