/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain paths: letters, digits and _ . / - only. cmake, Ninja, dependency files, shells, Yosys and
 * abc take no others. A folder with another name gets a link with a plain name.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

enum { PLAIN_PATH = 4096, PLAIN_WORD = 4200 };

bool plain_path(const char *path); /* true if the path has only such characters */

/* Finds a writable folder with a plain name for files that can be made again. Tries `first` (may be
 * NULL), the user's cache folder, then the folder for temporary files. False: none is writable;
 * `path` is the last one tried. */
bool plain_cache(const char *first, char path[PLAIN_PATH]);

/* The path of the user's settings file or folder `name`: in ~/.config/lockstack, or in lockstack of
 * $XDG_CONFIG_HOME. False: neither variable is set. */
bool plain_config(const char *name, char path[PLAIN_PATH]);

/* The folder (absolute) itself if its path is plain, else a link to it in plain_cache(first). Each
 * folder has one link. ENVIRONMENT: no link can be made. */
bool plain_folder(const char *folder, const char *first, char *path, size_t size, trouble_t *trouble);

/* The file or folder (absolute, without links) itself if its path is plain, else a plain name for
 * it: of a file with a plain name in a link to its folder, of another one a link to itself. */
bool plain_file(const char *file, char *path, size_t size, trouble_t *trouble);

/* A path as one word of a shell, for commands that people copy: in quotes unless it is plain.
 * Returns buf. */
const char *plain_word(const char *path, char buf[PLAIN_WORD]);

/* Replaces the link `path` by the folder's own name in a message, in place. */
void plain_say(char *text, size_t size, const char *folder, const char *path);

/* Replaces each link that this process has used by what it leads to. */
void plain_say_all(char *text, size_t size);

#endif
