/* SPDX-License-Identifier: Apache-2.0
 *
 * What this process judges: the files that its verdict is about, each by the content it had, and
 * the tools that it asked. Whoever opens an input says so just before; a result then carries the
 * list (harness/evidence/results/content_json.h).
 *
 *   judged_begin()                          somebody wants to know; until then the calls below do
 *                                           nothing
 *   judged_file("rtl/lib/fifo.sv")          is about to be read
 *   judged_none("rtl/nsu/fifo.sv")          would be read instead, if it were there
 *   judged_tool("yosys")                    has a say in it
 *   judged_all(&content)                    all of it, also what forked copies of this process have
 *                                           said since
 *
 * A file is summed before it is read: one that changes in between differs from its sum the next
 * time somebody looks, so the verdict is not taken for the new content's. Not for more than one
 * thread.
 */
#ifndef JUDGED_H
#define JUDGED_H

#include "content.h"

enum { JUDGED_TOOLS = 8, JUDGED_VERSION = 80 };

bool judged_begin(void); /* false: errno; then nothing is known, and judged_all says so */
bool judged_wanted(void);

/* A file that cannot be read counts as none: that it comes to be there is a change. "lib/": where a
 * folder leads. */
void judged_file(const char *path);
/* The same of a file that the command names, such as a library, constraints or vectors: no checksum
 * of a block's sources has it. */
void judged_option(const char *path);
bool judged_is_option(const char *path); /* as judged_all has it */
void judged_none(const char *path);
void judged_add(const content_t *content);
void judged_unknown(void); /* there is more that is not known: the list is not whole */
/* with its surroundings (surroundings.h), as files named "$PATH/gcc" and "$CPATH" */
void judged_tool(const char *name);

/* All files that were said; false: not begun, or the list is not whole. */
bool judged_all(content_t *into);

/* The tools, after judged_all also those of forked copies; NULL: no more. */
const char *judged_tool_at(unsigned index);

/* The program's own sum: its build ID in hexadecimal, or that of its file. */
const char *judged_program(void);

/* What a tool on the PATH calls itself, "5.006"; "": it is not there or does not say. A version is
 * asked once and kept in the user's cache folder with the tool's size, inode and times: versions
 * are shown, nothing is decided by them. */
const char *judged_version(const char *tool, char version[JUDGED_VERSION]);

#endif
