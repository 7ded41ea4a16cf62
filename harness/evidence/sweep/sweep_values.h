/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of a setting, as they are typed:
 *
 *   16,32,64             a list; a comma in brackets is a value's own: nsu=model,nsu[0,3]=rtl
 *   1..16                1, 2, ... 16
 *   .1..1/.1             0.1, 0.2, ... 1: in steps
 *   1..64*2              1, 2, 4, ... 64: by a factor
 *   350..700/50 MHz      the same with what all of them end in
 */
#ifndef SWEEP_VALUES_H
#define SWEEP_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

/* True: `values` of them, at most `most`; free them with sweep_values_free. False: trouble says
 * which text is wrong. */
bool sweep_values(const char *text, unsigned most, char ***value, unsigned *values, trouble_t *trouble);
void sweep_values_free(char **value, unsigned values);

#endif
