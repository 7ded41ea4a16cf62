/* SPDX-License-Identifier: Apache-2.0
 *
 * Serves the files that objects open while they run: memory images of the RTL. One place finds and
 * reads them for all devices and notes the contents, so a verdict names them, too.
 *
 * A relative name is looked for beside the source that names it, then beside the other RTL sources.
 * The current folder plays no role.
 */
#ifndef FILES_H
#define FILES_H

#include "content.h"
#include "dut.h"

/* Sets the file functions of a loaded object. */
void files_serve(const dut_t *dut);

/* All files that any object has read, each with the checksum of its bytes. A file that changed
 * between reads is listed once for each content. */
const content_t *files_read(void);

/* Finds the file `name` and reads it. The caller frees *bytes; *path is valid until the
 * next call. */
bool files_find(const dut_t *dut, const char *name, char **bytes, const char **path);

#endif
