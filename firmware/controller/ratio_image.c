/* SPDX-License-Identifier: Apache-2.0
 *
 * The image of ratio.c as words; ratio_image.def is what make_image.sh printed.
 */
#include "ratio_image.h"

const uint32_t ratio_image[] = {
#include "ratio_image.def"
};
const unsigned ratio_image_words = sizeof ratio_image / sizeof *ratio_image;
