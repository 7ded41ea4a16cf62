/* SPDX-License-Identifier: Apache-2.0
 *
 * Which registers no reset reaches: those that several devices, powered up with other values each,
 * still have other values of behind a reset.
 */
#ifndef UNRESET_H
#define UNRESET_H

#include "dut.h"

#include <stdio.h>

/* Prints a line with their names, if there are some. dut: an object of kind rtl+wave. Changes what
 * devices begin with (dut.h: power_up). */
void unreset_print(FILE *out, const dut_t *dut);

#endif
