/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory images of the RTL, before a device reads them: simulators and Yosys go on with an image
 * that does not fit, each in its own way.
 *
 *   const char *bad = images_judge(dut, &lines);
 *
 * A word that is too wide, words behind the memory's end, a sign that is no digit and a missing
 * file are wrong. An image of fewer words than the memory is a line for warnings.h: "IMAGE PATH: 3
 * of 4 words of ...".
 */
#ifndef IMAGE_CHECK_H
#define IMAGE_CHECK_H

#include "dut.h"

/* NULL: all fit. Else one line, which stays until the next call; it begins
 * with DUT_INPUT. *partial: "", or lines, to be freed; may be NULL. */
const char *images_judge(const dut_t *dut, char **partial);

/* The same of an object of kind lint: its images.txt, which is cut into pieces. */
const char *images_judge_lines(char *text);

#endif
