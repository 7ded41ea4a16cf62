/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the command's files are. Installed, they are beside the program: PREFIX/bin/lockstack,
 * PREFIX/share/lockstack, PREFIX/lib/lockstack. Otherwise they are in the source tree and in the
 * build folder that this program was built in.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path that was handed out. The list keeps it reachable until the program ends. */
typedef struct kept {
  struct kept *next;
  char path[];
} kept_t;

/* "a/b", kept until the program ends. Out of memory ends the program with EXIT_ENV. */
static char *join_path(const char *a, const char *b) {
  static kept_t *all;
  size_t room = strlen(a) + strlen(b) + 2;
  kept_t *kept = malloc(sizeof *kept + room);
  if (!kept) exit(cli_error(EXIT_ENV, "out of memory"));
  kept->next = all;
  all = kept;
  snprintf(kept->path, room, "%s/%s", a, b);
  return kept->path;
}

/* PREFIX if this program is PREFIX/bin/lockstack and PREFIX/share/lockstack exists, else NULL.
 * The first call looks; later calls know. */
static const char *installed_prefix(void) {
  static char prefix[4096];
  static bool known;
  if (known) return *prefix ? prefix : NULL;
  known = true;
  ssize_t n = readlink("/proc/self/exe", prefix, sizeof prefix - 1);
  prefix[n > 0 ? n : 0] = 0;
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(prefix, '/');
    if (slash) *slash = 0;
  }
  if (access(join_path(prefix, "share/lockstack"), R_OK)) *prefix = 0;
  return *prefix ? prefix : NULL;
}

const char *cli_data(const char *path) {
  const char *prefix = installed_prefix();
  if (!prefix) return join_path(LOCKSTACK_SOURCE_DIR, path);
  return join_path(join_path(prefix, "share/lockstack"), path);
}

const char *cli_objects(void) {
  const char *prefix = installed_prefix();
  return prefix ? join_path(prefix, "lib/lockstack") : LOCKSTACK_BINARY_DIR "/dut";
}

const char *cli_programs(void) {
  const char *prefix = installed_prefix();
  return prefix ? join_path(prefix, "lib/lockstack/exec") : LOCKSTACK_BINARY_DIR "/exec";
}

const char *cli_command(void) {
  return installed_prefix() ? "lockstack" : "./lockstack";
}

const char *cli_database(void) {
  return installed_prefix() ? "lockstack-out/lockstack.db" : join_path(LOCKSTACK_SOURCE_DIR, "build/lockstack.db");
}
