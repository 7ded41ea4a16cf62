/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks memory images of the RTL before a device reads them. Simulators and Yosys go on with an
 * image that does not fit, each in a different way.
 *
 *   if (!images_judge(dut, &lines, &trouble)) ...
 *
 * Errors are: a word that is too wide, words beyond the end of the memory, a character that is no
 * digit, a missing file. An image with fewer words than the memory gives a line for warnings.h:
 * "IMAGE PATH: 3 of 4 words of ...".
 */
#ifndef IMAGE_CHECK_H
#define IMAGE_CHECK_H

#include "dut.h"
#include "trouble.h"

/* INPUT: an image does not fit. *partial: "" or lines of warnings, which the caller frees;
 * `partial` may be NULL. */
bool images_judge(const dut_t *dut, char **partial, trouble_t *trouble);

/* The same for an object of kind lint; `text` is its images.txt and is modified. */
bool images_judge_lines(char *text, trouble_t *trouble);

#endif
