/* SPDX-License-Identifier: Apache-2.0
 *
 * SYSTEM on a command line: a name of `list systems`, or a file of the user's own.
 */
#ifndef SYSTEM_ARGUMENT_H
#define SYSTEM_ARGUMENT_H

#include "composition.h"

const char *system_folder(void); /* of the systems that have a name */

/* Loads the system, without settling it. 0, or the exit code after a line. */
int system_argument(const char *text, composition_t *composition);

#endif
