/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware that decides on the share of offloaded blocks, ready for ctrl_reset. It is made of
 * ratio.c: make_image.sh.
 */
#ifndef RATIO_IMAGE_H
#define RATIO_IMAGE_H

#include <stdint.h>

extern const uint32_t ratio_image[];
extern const unsigned ratio_image_words;

#endif
