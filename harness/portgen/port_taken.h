/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that no parameter may have. The model sees each parameter as a macro. A parameter NDEBUG
 * would disable the model's assertions, and a parameter EOF would have libc's value.
 */
#ifndef PORT_TAKEN_H
#define PORT_TAKEN_H

#include <stdbool.h>

bool port_is_word_of_c(const char *name); /* "while" */

/* Says what already has the name: "assert.h's, which ..."; NULL: nothing. Does not check the kinds
 * of port files. */
const char *port_taken(const char *name);

#endif
