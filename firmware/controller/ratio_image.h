/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware that decides on the share of offloaded blocks, as words ready for ctrl_reset.
 * make_image.sh makes the image from ratio.c; check_image.sh compares the two.
 */
#ifndef RATIO_IMAGE_H
#define RATIO_IMAGE_H

#include <stdint.h>

extern const uint32_t ratio_image[];
extern const unsigned ratio_image_words;

#endif
