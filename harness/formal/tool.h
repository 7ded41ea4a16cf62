/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program with its output in a file, for a limited time.
 */
#ifndef TOOL_H
#define TOOL_H

#include <stdbool.h>
#include <stddef.h>

enum { TOOL_NOT_STARTED = 127, TOOL_TIMEOUT = 1000, TOOL_STOPPED };

/* Standard output and error go to `log`. Its exit status, 128 when a signal ended it, or one of the above; what runs
 * when the time is over or stop(context) says so is killed with all that it started. */
int tool_run(char *const argv[], const char *log, double seconds, bool (*stop)(void *context), void *context);

bool tool_there(const char *name); /* on the PATH */

/* A whole text file, to be freed; NULL with errno when it cannot be read. */
char *tool_read(const char *path);

bool tool_folder(const char *path);
void tool_remove(const char *path); /* a file that could not be written; errno stays */ /* makes it and those above; true if it is there then */

#endif
