/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Reads in growing blocks, because pipes and files in /proc have no size to ask for. Each round
 * leaves a byte for the final zero. */
char *file_rest(FILE *file, size_t most, size_t *size) {
  size_t used = 0, room = 0;
  char *text = NULL, *longer;
  for (size_t n = 1; n; used += n) {
    if (room - used < 4096) {
      longer = used <= most ? realloc(text, room = room ? 2 * room : 8192) : NULL;
      if (!longer) return errno = used > most ? EFBIG : ENOMEM, free(text), NULL;
      text = longer;
    }
    n = fread(text + used, 1, room - used - 1, file);
  }
  if (ferror(file) || used > most) {
    if (!ferror(file)) errno = EFBIG;
    return free(text), NULL;
  }
  text[used] = 0;
  if (size) *size = used;
  return text;
}

char *file_read(const char *path) {
  FILE *file = fopen(path, "re");
  if (!file) return NULL;
  char *text = file_rest(file, FILE_MOST, NULL);
  int error = errno;
  fclose(file);
  errno = error;
  return text;
}

/* A pipe may deliver or accept fewer bytes than asked, and a signal may interrupt the call: both
 * loop. */
bool file_get(int descriptor, void *data, size_t size) {
  for (char *p = data; size;) {
    ssize_t n = read(descriptor, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    size -= (size_t)n;
  }
  return true;
}

bool file_put(int descriptor, const void *data, size_t size) {
  for (const char *p = data; size;) {
    ssize_t n = write(descriptor, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    size -= (size_t)n;
  }
  return true;
}

/* Makes each parent in turn and ignores errors: only the last mkdir decides. Another process may
 * make the same folder at the same time. */
bool file_folder(const char *path) {
  char *part = strdup(path);
  struct stat info;
  if (!part) return false;
  for (char *slash = part; *slash && (slash = strchr(slash + 1, '/'));) {
    *slash = 0;
    mkdir(part, 0777);
    *slash = '/';
  }
  bool there = mkdir(part, 0777) == 0 || (errno == EEXIST && stat(part, &info) == 0 && S_ISDIR(info.st_mode));
  if (!there && errno == EEXIST) errno = ENOTDIR;
  int error = errno;
  free(part);
  errno = error;
  return there;
}

/* For a missing file, resolves the parent folder and appends the file's name. */
char *file_whole_path(const char *path) {
  char *real = realpath(path, NULL), *whole = NULL;
  if (real || errno != ENOENT) return real;
  const char *slash = strrchr(path, '/');
  char *parent = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  real = parent ? realpath(parent, NULL) : NULL;
  if (real && asprintf(&whole, "%s/%s", real, slash ? slash + 1 : path) < 0) whole = NULL;
  free(real);
  free(parent);
  return whole;
}

/* `same` is the end of the longest common prefix that ends at a slash in both paths. Each folder
 * behind it becomes "../". */
char *file_way(const char *folder, const char *path) {
  size_t same = 0, n = 0;
  for (size_t i = 0; folder[i] == path[i] || (!folder[i] && path[i] == '/') || (!path[i] && folder[i] == '/'); i++) {
    if (!folder[i] || folder[i] == '/') same = i;
    if (!folder[i] || !path[i]) break;
  }
  char *way = malloc(3 * strlen(folder) + strlen(path) + 2);
  if (!way) return NULL;
  for (const char *p = folder + same; *p; p++)
    if (*p == '/' && p[1]) n += (size_t)sprintf(way + n, "../");
  const char *rest = path[same] == '/' ? path + same + 1 : path + same;
  if (*rest) strcpy(way + n, rest);
  else strcpy(way + n, n ? "" : ".");
  if (!*rest && n) way[n - 1] = 0;
  return way;
}

void file_drop(const char *path) {
  int error = errno;
  unlink(path);
  errno = error;
}

/* Callback of nftw, depth first, so a folder is empty when its turn comes. */
static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info;
  (void)kind;
  (void)where;
  return remove(path);
}

/* Links are removed, not followed. A file that another process removed meanwhile counts as gone. */
bool file_remove_all(const char *path) {
  return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 || access(path, F_OK) != 0;
}

const char *file_within(const char *path, const char *folder) {
  const size_t n = strlen(folder);
  return n && strncmp(path, folder, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

bool file_crc32(const char *path, uint32_t *crc) {
  unsigned char block[65536];
  uLong sum = crc32(0, NULL, 0);
  FILE *file = fopen(path, "rbe");
  for (size_t n; file && (n = fread(block, 1, sizeof block, file)) > 0;) sum = crc32(sum, block, (uInt)n);
  *crc = (uint32_t)sum;
  const bool whole = file && !ferror(file);
  if (file) fclose(file);
  return whole;
}
