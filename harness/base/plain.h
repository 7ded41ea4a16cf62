/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths as cmake, Ninja, dependency files, shells, Yosys and abc take them: letters, digits and _ .
 * / -. A folder of another name is worked with by a link to it.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

enum { PLAIN_PATH = 4096, PLAIN_WORD = 4200 };

bool plain_path(const char *path);

/* A folder of a plain name for what may be made again: `first` (NULL: none), or where the user's
 * caches are, or the one for temporary files. False: none is ours to write; path is the last one
 * tried. */
bool plain_cache(const char *first, char path[PLAIN_PATH]);

/* What the user has set for Lockstack: a file or folder of this name in ~/.config/lockstack, or in
 * lockstack of $XDG_CONFIG_HOME. False: neither variable is set. */
bool plain_config(const char *name, char path[PLAIN_PATH]);

/* The folder (absolute) as it is, if its path is plain, else a link to it: one folder, one link, in
 * plain_cache(first). ENVIRONMENT: neither can be. */
bool plain_folder(const char *folder, const char *first, char *path, size_t size, trouble_t *trouble);

/* A path as a shell takes it for one word, for commands that somebody
 * may copy: in quotes where it is not plain. Returns buf. */
const char *plain_word(const char *path, char buf[PLAIN_WORD]);

/* In what is said, the folder's own name again. */
void plain_say(char *text, size_t size, const char *folder, const char *path);

#endif
