/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that objects open for reading while they run: memory images of the RTL. One place finds
 * and reads them for all devices and notes what was read, so that a verdict names these bytes, too.
 *
 * A relative name is looked for beside the source that names it, then beside the other sources of
 * the RTL; nowhere else: the folder that a command runs in decides nothing.
 */
#ifndef FILES_H
#define FILES_H

#include "content.h"
#include "dut.h"

/* Serves an object that was loaded. */
void files_serve(const dut_t *dut);

/* What was read so far, by all objects: each path with the checksum of the bytes. A file that
 * changed in between is there once for each content. */
const content_t *files_read(void);

/* The file of this name as text, to be freed, and where it is, until the next call. */
bool files_find(const dut_t *dut, const char *name, char **bytes, const char **path);

#endif
