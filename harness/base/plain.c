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

/* Tries base/beneath as a cache folder. Relative folders do not count: the current folder must not
 * matter. */
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

/* True if the link exists and leads to this folder. */
static bool is_link_to(const char *path, const char *folder) {
  char there[PLAIN_PATH];
  const ssize_t n = readlink(path, there, sizeof there);
  return n >= 0 && (size_t)n == strlen(folder) && memcmp(there, folder, (size_t)n) == 0;
}

/* Links that this process has used, for plain_say_all. Messages keep the plain name of any further
 * link. */
enum { LINKS = 64 };
static struct { char *link, *real; } used[LINKS];
static unsigned num_used;

static void note_link(const char *link, const char *real) {
  for (unsigned i = 0; i < num_used; i++)
    if (!strcmp(used[i].link, link)) return;
  if (num_used == LINKS) return;
  used[num_used].link = strdup(link), used[num_used].real = strdup(real);
  num_used += used[num_used].link && used[num_used].real;
}

void plain_say_all(char *text, size_t size) {
  for (unsigned i = 0; i < num_used; i++) plain_say(text, size, used[i].real, used[i].link);
}

/* Makes a link with a plain name and this ending. The name is a hash of the path that it leads to,
 * so a second call finds the link of the first. */
static bool link_in_cache(const char *folder, const char *first, const char *ending, char *path, size_t size,
                          trouble_t *trouble) {
  char links[PLAIN_PATH];
  if (!plain_cache(first, links))
    return trouble_set(
        trouble, TROUBLE_ENVIRONMENT,
        "%s: tools take letters, digits and _ . - in a path, and there is no folder of such a name for a link to it; "
        "name it otherwise",
        folder);
  snprintf(path, size, "%s/folder-%016llx%s", links, (unsigned long long)hash_text(HASH_EMPTY, folder), ending);
  if (symlink(folder, path) == 0 || (errno == EEXIST && is_link_to(path, folder))) return note_link(path, folder), true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot make this link to %s: %s", path, folder,
                     strerror(errno));
}

bool plain_folder(const char *folder, const char *first, char *path, size_t size, trouble_t *trouble) {
  if (plain_path(folder)) return snprintf(path, size, "%s", folder), true;
  return link_in_cache(folder, first, "", path, size, trouble);
}

bool plain_file(const char *file, char *path, size_t size, trouble_t *trouble) {
  const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
  char folder[PLAIN_PATH], link[PLAIN_PATH];
  if (plain_path(file)) return snprintf(path, size, "%s", file), true;
  if (slash && slash[1] && plain_path(slash)) {
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - file), file);
    return plain_folder(folder, NULL, link, sizeof link, trouble) && snprintf(path, size, "%s%s", link, slash) > 0;
  }
  return link_in_cache(file, NULL, dot && dot > slash && plain_path(dot) ? dot : "", path, size, trouble);
}

/* Puts a path that is not plain in single quotes; a single quote in the path becomes '\''. */
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
