/* SPDX-License-Identifier: Apache-2.0 */
#include "named_tools.h"

#include "content.h"
#include "file.h"
#include "plain.h"
#include "surroundings.h"
#include "yaml_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

/* Endings of companion programs. A companion that is not beside the named program is hidden, if one
 * of another release would not fit. */
static const struct {
  const char *variable, *name;
  struct {
    const char *suffix;
    bool hidden;
  } parts[4];
} tools[] = {{"LOCKSTACK_YOSYS", "yosys", {{"", false}, {"-abc", false}, {"-smtbmc", false}, {"-config", true}}},
             {"LOCKSTACK_VERILATOR", "verilator", {{"", false}, {"_bin", true}, {"_coverage", false}, {NULL, false}}}};

enum { TOOLS = sizeof tools / sizeof *tools, PARTS = sizeof tools->parts / sizeof *tools->parts };

/* ---- what the user says */

typedef struct {
  const char *said[TOOLS];                                /* NULL: nothing */
  char where[TOOLS][PLAIN_PATH], kept[TOOLS][PLAIN_PATH]; /* "LOCKSTACK_YOSYS", "FILE:LINE" */
} choice_t;

static bool visit_tool_key(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                           const yaml_node_t *value) {
  choice_t *c = context;
  const char *text = yaml_scalar(value);
  for (size_t i = 0; i < TOOLS; i++) {
    if (strcmp(name, tools[i].name)) continue;
    if (!text || !*text)
      return yaml_file_wrong(f, value, "%s: should be a program, such as /opt/eda/bin/%s", name, name);
    snprintf(c->kept[i], sizeof c->kept[i], "%s", text);
    snprintf(c->where[i], sizeof c->where[i], "%s:%zu", f->path, key->start_mark.line + 1);
    c->said[i] = c->kept[i];
    return true;
  }
  return yaml_file_wrong(f, key, "'%s' should be yosys or verilator", name);
}

static bool read_config(choice_t *c, trouble_t *trouble) {
  char path[PLAIN_PATH];
  yaml_file_t f;
  if (!plain_config("config.yaml", path) || access(path, F_OK)) return true;
  if (!yaml_file_open(&f, path, trouble)) return false;
  const bool good = yaml_file_each(&f, yaml_file_root(&f), visit_tool_key, c);
  yaml_file_close(&f);
  return good;
}

static void read_environment(choice_t *c) {
  for (size_t i = 0; i < TOOLS; i++) {
    const char *value = getenv(tools[i].variable);
    if (!value || !*value) continue;
    c->said[i] = value;
    snprintf(c->where[i], sizeof c->where[i], "%s", tools[i].variable);
  }
}

/* ---- links */

static bool find_program(const char *said, char path[PLAIN_PATH]) {
  struct stat info;
  if (!strchr(said, '/')) return surroundings_find(said, path);
  return realpath(said, path) && stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* Makes a link; a link that is right already stays. */
static bool link_to(const char *target, const char *link) {
  char now[PLAIN_PATH];
  const ssize_t n = readlink(link, now, sizeof now - 1);
  if (n > 0 && (now[n] = 0, strcmp(now, target) == 0)) return true;
  char part[PLAIN_PATH + 32];
  snprintf(part, sizeof part, "%s.%ld", link, (long)getpid());
  return symlink(target, part) == 0 && rename(part, link) == 0;
}

static bool link_parts(size_t tool, const char *path, const char *folder) {
  char part[PLAIN_PATH + 16], link[PLAIN_PATH + 64];
  for (size_t i = 0; i < PARTS && tools[tool].parts[i].suffix; i++) {
    snprintf(part, sizeof part, "%s%s", path, tools[tool].parts[i].suffix);
    snprintf(link, sizeof link, "%s/%s%s", folder, tools[tool].name, tools[tool].parts[i].suffix);
    const bool there = access(part, X_OK) == 0;
    if (!there && !tools[tool].parts[i].hidden) unlink(link);
    else if (!link_to(there ? part : "/bin/false", link)) return false;
  }
  return true;
}

static bool put_first(const char *folder) {
  const char *old = getenv("PATH");
  char *all = NULL;
  const bool ok = asprintf(&all, "%s%s%s", folder, old ? ":" : "", old ? old : "") > 0 && setenv("PATH", all, 1) == 0;
  free(all);
  return ok;
}

static bool use_tool(const choice_t *c, size_t tool, trouble_t *trouble) {
  char path[PLAIN_PATH], sum[CONTENT_SUM], folder[2 * PLAIN_PATH], cache[PLAIN_PATH];
  if (!find_program(c->said[tool], path))
    return trouble_set(trouble, TROUBLE_INPUT, "%s: %s is no program", c->where[tool], c->said[tool]);
  content_sum_bytes(path, strlen(path), sum);
  const bool plain = plain_cache(NULL, cache);
  snprintf(folder, sizeof folder, "%s/tools/%.16s", cache, sum);
  if (plain && file_folder(folder) && link_parts(tool, path, folder) && put_first(folder)) return true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", folder, strerror(errno));
}

bool named_tools_choose(trouble_t *trouble) {
  choice_t *c = calloc(1, sizeof *c);
  bool ok = c && read_config(c, trouble);
  if (ok) read_environment(c);
  for (size_t i = 0; ok && i < TOOLS; i++)
    if (c->said[i]) ok = use_tool(c, i, trouble);
  free(c);
  return ok;
}
