/* SPDX-License-Identifier: Apache-2.0
 *
 * The waveform around a divergence: a `window` of lockstack.check/1 as SVG.
 */
#ifndef WAVEFORM_H
#define WAVEFORM_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdio.h>

/* Signals that differ come first, RTL above model, wrong values marked. Then come signals that
 * change; the others are named in a line of text. False: the window has nothing to draw, and
 * nothing was written. */
bool waveform_draw(FILE *out, const json_t *window, const char *wrong_port);

#endif
