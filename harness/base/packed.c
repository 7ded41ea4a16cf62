/* SPDX-License-Identifier: Apache-2.0 */
#include "packed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST = 1 << 30 };

/* gzread also reads plain files, so one loop serves both. A gzip file that is cut off shows only
 * when the file is closed. */
char *packed_read(const char *path, const char *shown, const char *kind, trouble_t *trouble) {
  size_t size = 0, room = 1 << 16;
  char *text = malloc(room), *more = text;
  int got = 1, code = Z_OK;
  errno = 0;
  gzFile file = gzopen(path, "rb");
  if (!file)
    return free(text),
           trouble_set(trouble, errno == ENOMEM ? TROUBLE_ENVIRONMENT : TROUBLE_INPUT, "%s: %s", shown,
                       strerror(errno)),
           NULL;
  while (more && size < MOST && (got = gzread(file, text + size, (unsigned)(room - size - 1))) > 0) {
    size += (size_t)got;
    if (size + 1 < room) continue;
    if ((more = realloc(text, room *= 2))) text = more;
  }
  gzerror(file, &code);
  const int closed = gzclose(file);
  if (!more) trouble_memory(trouble);
  else if (size >= MOST) trouble_set(trouble, TROUBLE_INPUT, "%s: more than a gigabyte", shown);
  else if (got < 0 && code == Z_ERRNO) trouble_set(trouble, TROUBLE_INPUT, "%s: %s", shown, strerror(errno));
  else if (got < 0 || closed != Z_OK || code == Z_BUF_ERROR)
    trouble_set(trouble, TROUBLE_INPUT, "%s: is cut off or damaged: gzip cannot read it", shown);
  else if (strlen(memset(text + size, 0, 1) ? text : "") != size)
    trouble_set(trouble, TROUBLE_INPUT, "%s: no %s: it has bytes that are no text", shown, kind);
  else return text;
  return free(text), NULL;
}

bool packed_there(const char *path, trouble_t *trouble) {
  struct stat info;
  if (access(path, R_OK) || stat(path, &info))
    return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  if (S_ISDIR(info.st_mode)) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(EISDIR));
  return S_ISREG(info.st_mode) ||
         trouble_set(trouble, TROUBLE_INPUT, "%s: is no regular file, and is read more than once", path);
}
