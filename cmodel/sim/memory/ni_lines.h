/* SPDX-License-Identifier: Apache-2.0
 *
 * An NSU's read-only lines: words of lines that RDF responses of the GPU's caches have brought, for
 * those that come without data. They are at the NSU's end of its port.
 *
 * No tags, no valid bits: the GPU knows what is in them and says in each response which line it is,
 * and where in it each thread's word is; this end does as it is told, in the order in which
 * responses come. Which lines these may be, and why no word is old, gpu/read_only.h says. NSU
 * paper, section 6: "a small read-only cache" in each NSU; how it works is ours.
 */
#ifndef NI_LINES_H
#define NI_LINES_H

#include "packet.h"

enum { NI_LINES = 64 };

typedef struct {
  uint32_t word[NI_LINES][PKT_LINE_BYTES / 4];
  uint64_t hits, fills; /* responses that got their words here; whose words were kept */
} ni_lines_t;

void ni_lines_take(ni_lines_t *lines, packet_t *response); /* a plain one: nothing; else it is one then */

#endif
