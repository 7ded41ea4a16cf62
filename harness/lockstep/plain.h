/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths as cmake, Ninja, dependency files, shells, Yosys and abc take them: letters, digits and _ . / -. A folder of another name is worked
 * with by a link to it.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include <stdbool.h>
#include <stddef.h>

bool plain_path(const char *path);

/* The folder (absolute) as it is, if its path is plain, else a link to it: one folder, one link, in `first` (NULL: none), or where the user's
 * caches are, or in the folder for temporary files. False: error says in a line why not. */
bool plain_folder(const char *folder, const char *first, char *path, size_t size, char *error, size_t error_size);

/* In what is said, the folder's own name again. */
void plain_say(char *text, size_t size, const char *folder, const char *path);

#endif
