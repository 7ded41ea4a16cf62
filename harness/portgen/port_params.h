/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists a block's parameters with their values, for tools that must be told each value. If a tool
 * is not told a value, the RTL's default applies.
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

/* All parameters in the port file's order, texts in quotes, or only those whose value differs
 * from the port file's. */
typedef enum { PORT_PARAMS_ALL, PORT_PARAMS_CHANGED } port_params_t;

/* settings: "Depth=4"; commas or blanks separate several, and the last one of a name counts. INPUT:
 * the port file cannot be read, a parameter is unknown, a value is out of range, or `text` is too
 * short. */
bool port_params(const char *root, const char *ports, const char *settings, port_params_t which, char *text,
                 size_t size, trouble_t *trouble);

#endif
