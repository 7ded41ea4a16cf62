/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TYPED_REG_H
#define TYPED_REG_H

#include <stdbool.h>

#include "typed_reg_ports.h"

typedef struct typed_reg {
  typed_reg_word_t kept[16]; /* the newest first */
  unsigned steps;
} typed_reg_t;

void typed_reg_reset(typed_reg_t *state);
void typed_reg_eval(const typed_reg_t *state, const typed_reg_in_t *in, typed_reg_out_t *out);
void typed_reg_step(typed_reg_t *state, const typed_reg_in_t *in);

#endif
