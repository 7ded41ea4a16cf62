/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_paths.h"

#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

void replay_paths_folder(const char *file, char folder[REPLAY_PATH]) {
  char *real = file_whole_path(file), *slash = real ? strrchr(real, '/') : NULL;
  snprintf(folder, REPLAY_PATH, "%.*s", slash ? (int)(slash - real) + (slash == real) : 0, real ? real : "");
  free(real);
}

void replay_paths_write(const char *folder, const char *path, char way[REPLAY_PATH]) {
  char *from_folder = *folder && *path == '/' ? file_way(folder, path) : NULL;
  snprintf(way, REPLAY_PATH, "%s", from_folder ? from_folder : path);
  free(from_folder);
}

static bool is_there(const char *path, const char *block) {
  char file[2 * REPLAY_PATH];
  if (block) snprintf(file, sizeof file, "%s/%s.ports", path, block);
  else snprintf(file, sizeof file, "%s", path);
  return access(file, F_OK) == 0;
}

/* Joins both, without links and dots where there is such a folder. */
static bool join(const char *folder, const char *way, char path[REPLAY_PATH]) {
  char joined[2 * REPLAY_PATH];
  snprintf(joined, sizeof joined, "%s/%s", folder, way);
  char *real = file_whole_path(joined);
  const int n = snprintf(path, REPLAY_PATH, "%s", real ? real : joined);
  free(real);
  return n < REPLAY_PATH;
}

bool replay_paths_find(const char *folder, const char *written, const char *block, const char *way,
                       char path[REPLAY_PATH]) {
  char other[REPLAY_PATH];
  if (*way == '/') return snprintf(path, REPLAY_PATH, "%s", way) < REPLAY_PATH;
  if (!join(folder, way, path)) return false;
  if (!is_there(path, block) && *written && join(written, way, other) && is_there(other, block)) strcpy(path, other);
  return true;
}
