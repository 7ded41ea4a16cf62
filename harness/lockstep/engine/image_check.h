/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory images of the RTL, before a device reads them: simulators and Yosys go on with an image
 * that does not fit, each in its own way.
 *
 *   if (!images_judge(dut, &lines, &trouble)) ...
 *
 * A word that is too wide, words behind the memory's end, a sign that is no digit and a missing
 * file are wrong. An image of fewer words than the memory is a line for warnings.h: "IMAGE PATH: 3
 * of 4 words of ...".
 */
#ifndef IMAGE_CHECK_H
#define IMAGE_CHECK_H

#include "dut.h"
#include "trouble.h"

/* INPUT: one does not fit. *partial: "", or lines, to be freed; may be NULL. */
bool images_judge(const dut_t *dut, char **partial, trouble_t *trouble);

/* The same of an object of kind lint: its images.txt, which is cut into pieces. */
bool images_judge_lines(char *text, trouble_t *trouble);

#endif
