/* SPDX-License-Identifier: Apache-2.0
 *
 * What a model in Python (model.h) remembers: its state as text. PYTHON_STATE, defined before, is
 * room for more.
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
