/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of a model in Python (model.h): a text. Define PYTHON_STATE before the include for more
 * room, in bytes.
 */
#ifndef PYTHON_STATE_H
#define PYTHON_STATE_H

#ifndef PYTHON_STATE
#define PYTHON_STATE 4096
#endif

typedef struct {
  char text[PYTHON_STATE];
} python_state_t;

#endif
