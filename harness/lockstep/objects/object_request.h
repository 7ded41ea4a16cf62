/* SPDX-License-Identifier: Apache-2.0
 *
 * What is asked of a build, as one line of text: the block, the kind of device, its parameters, and
 * the programs and variables that a build depends on.
 */
#ifndef OBJECT_REQUEST_H
#define OBJECT_REQUEST_H

#include "object.h"

/* The request as one line: everything but file contents that decides what is built. The tree's own
 * path is @ in it. NULL: no memory. The caller frees it. */
char *object_request_line(const object_request_t *ask);

#endif
