/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters of a block with their values, for tools that are to be told each of them: what a tool
 * is not told, the RTL's own default decides.
 *
 *   port_params(root, "X.ports", "Depth=4", PORT_PARAMS_ALL, text, sizeof text, &trouble)
 *   text: "Width=32,Depth=4"
 */
#ifndef PORT_PARAMS_H
#define PORT_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

enum { PORT_PARAMS_TEXT = 8192 };

/* All, in the order of the port file; or those whose value is another one than the port file's. */
typedef enum { PORT_PARAMS_ALL, PORT_PARAMS_CHANGED } port_params_t;

/* settings: "Depth=4", several with commas or blanks between; the last one of a name counts. INPUT:
 * the port file cannot be read, it has no such parameter, a value is out of its range, or the text
 * does not fit. */
bool port_params(const char *root, const char *ports, const char *settings, port_params_t which, char *text,
                 size_t size, trouble_t *trouble);

#endif
