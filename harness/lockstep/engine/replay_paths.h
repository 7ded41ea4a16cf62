/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths in a replay file start at the folder of that file, so that a project can be moved or copied
 * with its replays. A replay file that was copied alone finds them from the folder where it was
 * written.
 */
#ifndef REPLAY_PATHS_H
#define REPLAY_PATHS_H

#include <stdbool.h>

enum { REPLAY_PATH = 4096 };

/* The folder of the replay file `file`, without links; "": none. */
void replay_paths_folder(const char *file, char folder[REPLAY_PATH]);

/* The path to write for the absolute `path` into a file of `folder` ("": as it is). */
void replay_paths_write(const char *folder, const char *path, char way[REPLAY_PATH]);

/* What a path of a replay file in `folder` leads to. `written`: the folder where the file was
 * written, or "". block: the path is the folder of this block, and has its port file; NULL: any
 * path. Without such a path it is the one from `folder`. False: longer than REPLAY_PATH. */
bool replay_paths_find(const char *folder, const char *written, const char *block, const char *way,
                       char path[REPLAY_PATH]);

#endif
