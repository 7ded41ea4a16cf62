/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

#include "file.h"
#include "hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

bool plain_path(const char *path) {
  return path[strspn(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-")] == 0;
}

static bool cache_in(const char *base, const char *beneath, char *path) {
  if (!base || *base != '/') return false;
  snprintf(path, PLAIN_PATH, "%s%s", base, beneath);
  return plain_path(path) && file_folder(path) && access(path, W_OK) == 0;
}

bool plain_cache(const char *first, char path[PLAIN_PATH]) {
  char own[40];
  snprintf(own, sizeof own, "/lockstack-%u", (unsigned)getuid());
  return cache_in(first, "", path) || cache_in(getenv("XDG_CACHE_HOME"), "/lockstack", path) ||
         cache_in(getenv("HOME"), "/.cache/lockstack", path) || cache_in(getenv("TMPDIR"), own, path) ||
         cache_in("/tmp", own, path);
}

bool plain_config(const char *name, char path[PLAIN_PATH]) {
  const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  if (folder && *folder) snprintf(path, PLAIN_PATH, "%s/lockstack/%s", folder, name);
  else if (home) snprintf(path, PLAIN_PATH, "%s/.config/lockstack/%s", home, name);
  return (folder && *folder) || home;
}

static bool is_link_to(const char *path, const char *folder) {
  char there[PLAIN_PATH];
  const ssize_t n = readlink(path, there, sizeof there);
  return n >= 0 && (size_t)n == strlen(folder) && memcmp(there, folder, (size_t)n) == 0;
}

bool plain_folder(const char *folder, const char *first, char *path, size_t size, trouble_t *trouble) {
  char links[PLAIN_PATH];
  if (plain_path(folder)) {
    snprintf(path, size, "%s", folder);
    return true;
  }
  if (!plain_cache(first, links))
    return trouble_set(
        trouble, TROUBLE_ENVIRONMENT,
        "%s: tools take letters, digits and _ . - in a path, and there is no folder of such a name for a link to it; "
        "name it otherwise",
        folder);
  snprintf(path, size, "%s/folder-%016llx", links, (unsigned long long)hash_text(HASH_EMPTY, folder));
  if (symlink(folder, path) == 0 || (errno == EEXIST && is_link_to(path, folder))) return true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot make this link to %s: %s", path, folder,
                     strerror(errno));
}

const char *plain_word(const char *path, char buf[PLAIN_WORD]) {
  size_t n = 0;
  if (*path && *path != '-' && plain_path(path)) {
    snprintf(buf, PLAIN_WORD, "%s", path);
    return buf;
  }
  if (*path == '-') buf[n++] = '.', buf[n++] = '/'; /* not an option */
  buf[n++] = '\'';
  for (const char *c = path; *c && n + 8 < PLAIN_WORD; c++) {
    if (*c == '\'') memcpy(buf + n, "'\\'", 3), n += 3;
    buf[n++] = *c;
  }
  buf[n++] = '\'';
  buf[n] = 0;
  return buf;
}

void plain_say(char *text, size_t size, const char *folder, const char *path) {
  char rest[2048];
  const size_t n = strlen(folder);
  if (!*path || !strcmp(path, folder)) return;
  for (char *at = text; (at = strstr(at, path)) && (size_t)(at - text) + n < size; at += n) {
    snprintf(rest, sizeof rest, "%s", at + strlen(path));
    snprintf(at, size - (size_t)(at - text), "%s%s", folder, rest);
  }
}
