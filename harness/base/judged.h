/* SPDX-License-Identifier: Apache-2.0
 *
 * What this process judges: the files that its verdict depends on, each with its content, and the
 * tools that it ran. Code that opens an input reports the file just before. The result then carries
 * the list (harness/evidence/results/content_json.h).
 *
 *   judged_begin()                    starts the list; before, the calls below do nothing
 *   judged_file("rtl/lib/fifo.sv")    is about to be read
 *   judged_none("rtl/nsu/fifo.sv")    would be read instead, if it existed
 *   judged_tool("yosys")              affects the result
 *   judged_all(&content)              the whole list, with what forked copies of this process
 *                                     reported since
 *
 * Files are summed before they are read. If a file changes in between, its sum differs from the new
 * content, so nobody takes the verdict for the new content's. Not thread-safe.
 */
#ifndef JUDGED_H
#define JUDGED_H

#include "content.h"

enum { JUDGED_TOOLS = 8, JUDGED_VERSION = 80 };

bool judged_begin(void);  /* False: errno; the list is then unknown, and judged_all returns false. */
bool judged_wanted(void); /* true after judged_begin */

/* Adds a file. A file that cannot be read counts as absent: its later appearance is a change.
 * "lib/" adds the resolved path of a folder. */
void judged_file(const char *path);
/* Adds a file that the command line names, such as a library, constraints or vectors. The checksum
 * of a block's sources does not cover such a file. */
void judged_option(const char *path);
bool judged_is_option(const char *path);   /* true for a file of judged_option, after judged_all */
void judged_none(const char *path);        /* adds a file that does not exist and would be read */
void judged_add(const content_t *content); /* adds all files of a list */
void judged_unknown(void);                 /* a further input is unknown: the list is incomplete */
/* Adds a tool with its surroundings (surroundings.h), as files named "$PATH/gcc" and "$CPATH". */
void judged_tool(const char *name);

/* Adds all reported files to `into`. False: judged_begin was not called, or the list
 * is incomplete. */
bool judged_all(content_t *into);

/* The tools in turn, after judged_all also those of forked copies. NULL: no more. */
const char *judged_tool_at(unsigned index);

/* The sum of this program: its build ID in hexadecimal, or the checksum of its file. */
const char *judged_program(void);

/* The version that a tool on the PATH reports, "5.006"; "": the tool is missing or reports none.
 * The user's cache folder keeps each version with the tool's size, inode and times. Versions are
 * only shown; no decision depends on them. */
const char *judged_version(const char *tool, char version[JUDGED_VERSION]);

#endif
