/* SPDX-License-Identifier: Apache-2.0
 *
 * A composition as a picture, as text and as JSON: parts, links, clocks. The composition has been
 * settled (composition_settle).
 */
#ifndef DRAW_SYSTEM_H
#define DRAW_SYSTEM_H

#include "json_sure.h"
#include <stdio.h>

#include "composition.h"

/* The picture, an SVG document of its own, and the text print the same facts. */
void draw_system_svg(const composition_t *composition, FILE *out);
void draw_system_text(const composition_t *composition, FILE *out);

/* {parts: [{name, part, text, count, clocks, instances}], links: [{from, to, connections}], clocks:
 * [{name, clock, period_ns}], rival} */
json_t *draw_system_json(const composition_t *composition);

#endif
