/* SPDX-License-Identifier: Apache-2.0
 *
 * An NSU's read-only lines, at the NSU's end of its port: words that RDF responses of the GPU's
 * caches have brought, for responses that come without data.
 *
 * No tags, no valid bits: the GPU knows what the lines hold. Each response says which line it
 * uses and where in the line each thread's word is. This end does as it is told, in the order in
 * which responses come. gpu/read_only.h says which lines these may be, and why no word is out of
 * date. NSU paper, section 6: "a small read-only cache" in each NSU; how it works is ours.
 */
#ifndef NI_LINES_H
#define NI_LINES_H

#include "packet.h"

enum { NI_LINES = 64 };

typedef struct {
  uint32_t word[NI_LINES][PKT_LINE_BYTES / 4];
  uint64_t hits, fills; /* responses: that got their words here; whose words were kept here */
} ni_lines_t;

/* Keeps or fills in a response's words, as packet.kept says, and makes it a plain one. A plain
 * one stays as it is. */
void ni_lines_take(ni_lines_t *lines, packet_t *response);

#endif
