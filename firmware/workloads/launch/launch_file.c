/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a launch file: its sections in order, and what they have in common (keys, numbers, files).
 *
 *    launch_file_read -> read_launch -> read_sections -> read_module
 *                                                -> launch_read_buffers, _textures, _steps ...
 *
 * Every file that is read goes into one SHA-256 with its length before it. So the digest stands for
 * all that a run depends on.
 */
#include "launch_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "judged.h"
#include "launch_run.h"
#include "nearest.h"

/* ---- what the sections have in common ---- */

/* What take_key needs. */
typedef struct {
  launch_reader_t *reader;
  const char *what;
  const launch_key_t *keys;
} keys_t;

/* Puts the value into its key's node. An unknown key is refused with the nearest known one. */
static bool take_key(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                     const yaml_node_t *value) {
  const keys_t *k = context;
  nearest_t near;
  nearest_start(&near, name);
  for (const launch_key_t *one = k->keys; one->name; one++) {
    if (!strcmp(one->name, name)) return *one->node = value, true;
    nearest_try(&near, one->name);
  }
  char all[256] = "";
  for (const launch_key_t *one = k->keys; one->name; one++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", one == k->keys ? "" : ", ", one->name);
  return yaml_file_wrong(f, key, "%s has no key '%.60s'; it has %s%s", k->what, name, all, nearest_text(&near));
}

bool launch_keys(launch_reader_t *r, const yaml_node_t *mapping, const char *what, const launch_key_t *keys) {
  keys_t context = {r, what, keys};
  for (const launch_key_t *one = keys; one->name; one++) *one->node = NULL;
  if (mapping->type != YAML_MAPPING_NODE)
    return launch_wrong(r, mapping, "%s is a list of 'key: value'; %s: .. would be right", what, keys->name);
  return yaml_file_each(&r->yaml, mapping, take_key, &context);
}

bool launch_uint(launch_reader_t *r, const yaml_node_t *node, const char *what, uint64_t least, uint64_t most,
                 uint64_t *value) {
  const char *text = yaml_scalar(node);
  trouble_t trouble = {0};
  const bool good =
      text && element_read(element_find("u64"), text, false, value, &trouble) && *value >= least && *value <= most;
  if (good) return true;
  return launch_wrong(r, node, "%s: '%.40s' should be a whole number from %" PRIu64 " to %" PRIu64, what,
                      text ? text : "..", least, most);
}

bool launch_type(launch_reader_t *r, const yaml_node_t *node, const element_t **type) {
  const char *text = yaml_scalar(node);
  *type = text ? element_find(text) : NULL;
  return *type ||
         launch_wrong(r, node, "type: '%.40s' is none; %s would be right", text ? text : "..", element_names());
}

/* Reports the lack of memory at the node, as a fault of the environment. Always false. */
bool launch_no_memory(launch_reader_t *r, const yaml_node_t *node) {
  launch_wrong(r, node, "out of memory");
  r->yaml.trouble->kind = TROUBLE_ENVIRONMENT;
  return false;
}

int launch_find_buffer(const launch_reader_t *r, const char *name) {
  for (unsigned i = 0; i < r->file->buffers; i++)
    if (!strcmp(r->file->buffer[i].name, name)) return (int)i;
  return -1;
}

bool launch_buffer_named(launch_reader_t *r, const yaml_node_t *node, unsigned *number) {
  const char *name = yaml_scalar(node);
  nearest_t near;
  const int found = name ? launch_find_buffer(r, name) : -1;
  if (found >= 0) return *number = (unsigned)found, true;
  nearest_start(&near, name ? name : "");
  for (unsigned i = 0; i < r->file->buffers; i++) nearest_try(&near, r->file->buffer[i].name);
  return launch_wrong(r, node, "no buffer '%.60s'; a name of the section buffers would be right%s", name ? name : "..",
                      nearest_text(&near));
}

bool launch_is_npy(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && !strcmp(dot, ".npy");
}

/* ---- files that it names ---- */

char *launch_beside(const launch_reader_t *r, const char *path) {
  const char *slash = *path == '/' ? NULL : strrchr(r->file->path, '/');
  const size_t folder = slash ? (size_t)(slash + 1 - r->file->path) : 0, room = folder + strlen(path) + 1;
  char *all = malloc(room);
  if (all) snprintf(all, room, "%.*s%s", (int)folder, r->file->path, path);
  return all;
}

/* Reads a whole file of at most FILE_MOST bytes into *text, to be freed, and adds it to the
 * digest. */
static bool read_named_file(launch_reader_t *r, const yaml_node_t *node, const char *path, char **text, size_t *size) {
  judged_file(path);
  FILE *file = fopen(path, "rb");
  *text = NULL;
  if (!file) return launch_wrong(r, node, "%.300s: %s", path, strerror(errno));
  errno = 0;
  *text = file_rest(file, FILE_MOST, size);
  const int why = errno;
  fclose(file);
  if (!*text) return launch_wrong(r, node, "%.300s: %s", path, why ? strerror(why) : "cannot be read");
  const uint64_t length = *size;
  SHA256Update(&r->digest, (const uint8_t *)&length, sizeof length);
  SHA256Update(&r->digest, (const uint8_t *)*text, *size);
  return true;
}

/* "3 x 4"; "" without dimensions. */
static void list_shape(const launch_array_t *a, char text[96]) {
  size_t used = 0;
  *text = 0;
  for (unsigned i = 0; i < a->dims && used < 90; i++)
    used += (size_t)snprintf(text + used, 96 - used, "%s%" PRIu64, i ? " x " : "", a->shape[i]);
}

/* Compares the file's type and shape with what is known of the array, then fills in the array. One
 * dimension in the launch file fits any shape of as many elements. */
static bool take_npy(launch_reader_t *r, const yaml_node_t *node, const npy_t *npy, launch_array_t *a) {
  launch_array_t of = {npy->type, npy->dims, {0}, npy->count};
  memcpy(of.shape, npy->shape, sizeof of.shape);
  char has[96], wanted[96];
  if (a->type && a->type != npy->type)
    return launch_wrong(r, node, "%s: it has %s, not %s", yaml_scalar(node), npy->type->name, a->type->name);
  list_shape(&of, has);
  list_shape(a, wanted);
  if (a->dims && (a->count != of.count ||
                  (a->dims > 1 && (a->dims != of.dims || memcmp(a->shape, of.shape, a->dims * sizeof *a->shape)))))
    return launch_wrong(r, node, "%s: it has %s elements, not %s", yaml_scalar(node), has, wanted);
  if (!of.dims) of.dims = 1, of.shape[0] = 1; /* one number */
  if (!of.count) return launch_wrong(r, node, "%s: it has no elements", yaml_scalar(node));
  *a = of;
  return true;
}

/* As take_npy, for a file of plain bytes: the size alone can be compared. */
static bool take_raw(launch_reader_t *r, const yaml_node_t *node, size_t size, launch_array_t *a) {
  if (!a->type) a->type = element_find("u8");
  const uint64_t wanted = a->dims ? a->count * a->type->bytes : size;
  if (!size || size != wanted || size % a->type->bytes)
    return launch_wrong(r, node, "%s: it has %zu bytes, not %" PRIu64 "%s", yaml_scalar(node), size, wanted,
                        size % a->type->bytes ? " or whole elements" : "");
  if (!a->dims) a->dims = 1, a->shape[0] = a->count = size / a->type->bytes;
  return true;
}

/* The elements move to the front of the file's memory, so that *data can be freed. */
bool launch_data(launch_reader_t *r, const yaml_node_t *node, launch_array_t *a, uint8_t **data) {
  char *path = yaml_scalar(node) ? launch_beside(r, yaml_scalar(node)) : NULL, *text = NULL;
  trouble_t trouble = {0};
  size_t size = 0;
  npy_t npy = {0};
  *data = NULL;
  if (!yaml_scalar(node)) return launch_wrong(r, node, "a file's name would be right");
  if (!path) return launch_no_memory(r, node);
  const bool is_npy = launch_is_npy(path);
  bool good = read_named_file(r, node, path, &text, &size);
  free(path);
  if (good && is_npy && !npy_parse(&npy, text, size, &trouble))
    good = launch_wrong(r, node, "%s: %s", yaml_scalar(node), trouble.text);
  if (good) good = is_npy ? take_npy(r, node, &npy, a) : take_raw(r, node, size, a);
  if (good) memmove(text, text + npy.at, size - npy.at), *data = (uint8_t *)text;
  else free(text);
  return good;
}

bool launch_values(launch_reader_t *r, const yaml_node_t *list, const element_t *type, uint64_t *count,
                   uint8_t **data) {
  const yaml_node_t *item;
  *data = NULL;
  if (list->type != YAML_SEQUENCE_NODE) return launch_wrong(r, list, "values: a list such as [1, 2, 3] would be right");
  for (*count = 0; yaml_file_item(&r->yaml, list, *count); ++*count) continue;
  if (!*count) return launch_wrong(r, list, "values: the list is empty");
  if (!(*data = malloc(*count * type->bytes))) return launch_no_memory(r, list);
  for (uint64_t i = 0; (item = yaml_file_item(&r->yaml, list, i)); i++) {
    const char *text = yaml_scalar(item);
    trouble_t trouble = {.text = "a number would be right"};
    if (text && element_read(type, text, false, *data + i * type->bytes, &trouble)) continue;
    free(*data);
    *data = NULL;
    return launch_wrong(r, item, "values: %s", trouble.text);
  }
  return true;
}

/* ---- the file ---- */

bool launch_file_is_named(const char *text) {
  const char *dot = strrchr(text, '.');
  return strchr(text, '/') || (dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml")));
}

/* The module that the file names, or `instead`. Launches are compared with it, so it is read
 * first. */
static bool read_module(launch_reader_t *r, const yaml_node_t *node, const char *instead) {
  ptx_error_t err;
  size_t size = 0;
  launch_file_t *l = r->file;
  if (!yaml_scalar(node)) return launch_wrong(r, node, "module: a PTX file's name would be right");
  if (!(l->module_path = instead ? strdup(instead) : launch_beside(r, yaml_scalar(node))))
    return launch_no_memory(r, node);
  if (!read_named_file(r, node, l->module_path, &l->text, &size)) return false;
  if (!(l->module = ptx_parse(l->text, size, l->module_path, &err))) {
    *r->yaml.trouble = err.trouble;
    return false;
  }
  l->workload.ptx_file = l->module_path, l->workload.ptx = l->text, l->workload.ptx_end = l->text + size;
  return true;
}

/* The order matters: textures name buffers, launches name both, comparisons look at dumps. */
static bool read_sections(launch_reader_t *r, const char *instead) {
  const yaml_node_t *root = yaml_file_root(&r->yaml), *help, *module, *buffers, *textures, *launches, *dump, *compare;
  const launch_key_t keys[] = {
      {"module", &module}, {"buffers", &buffers}, {"textures", &textures}, {"launches", &launches},
      {"dump", &dump},     {"compare", &compare}, {"help", &help},         {0}};
  if (!launch_keys(r, root, "a launch file", keys)) return false;
  if (!module) return launch_wrong(r, root, "module is missing; 'module: kernels.ptx' would be right");
  if (!launches)
    return launch_wrong(
        r, root, "launches is missing; a list of '- {kernel: .., grid: .., block: .., args: [..]}' would be right");
  if (help && !yaml_scalar(help)) return launch_wrong(r, help, "help: one line of text would be right");
  r->file->help = strdup(help ? yaml_scalar(help) : "a launch file");
  r->file->workload.text = r->file->help;
  if (!r->file->help) return launch_no_memory(r, root);
  if (!read_module(r, module, instead)) return false;
  if (buffers && !launch_read_buffers(r, buffers)) return false;
  if (textures && !launch_read_textures(r, textures)) return false;
  if (!launch_read_steps(r, launches)) return false;
  if (dump && !launch_read_dump(r, dump)) return false;
  return !compare || launch_read_compare(r, compare);
}

/* The launch file itself is the first part of the digest. */
static bool read_launch(launch_reader_t *r, const char *instead, trouble_t *trouble) {
  char *text = NULL;
  size_t size = 0;
  if (!yaml_file_open(&r->yaml, r->file->path, trouble)) return false;
  SHA256Init(&r->digest);
  bool good = read_named_file(r, yaml_file_root(&r->yaml), r->file->path, &text, &size);
  free(text);
  if (good) good = read_sections(r, instead);
  yaml_file_close(&r->yaml);
  SHA256End(&r->digest, r->file->digest);
  r->file->workload.digest = r->file->digest;
  return good;
}

launch_file_t *launch_file_read(const char *path, const char *ptx, trouble_t *trouble) {
  static const workload_param_t none[] = {{0}};
  launch_file_t *l = calloc(1, sizeof *l);
  launch_reader_t r = {.file = l};
  if (!l || !(l->path = strdup(path))) {
    free(l);
    return trouble_memory(trouble), NULL;
  }
  l->workload = launch_run_workload;
  const char *slash = strrchr(l->path, '/');
  l->workload.name = slash ? slash + 1 : l->path, l->workload.params = none;
  if (read_launch(&r, ptx, trouble)) return l;
  launch_file_free(l);
  return NULL;
}

/* Groups are trees of steps. */
static void free_steps(launch_step_t *step, unsigned steps) {
  for (unsigned i = 0; i < steps; i++) {
    free_steps(step[i].step, step[i].steps);
    free(step[i].params);
    free(step[i].patch);
  }
  free(step);
}

void launch_file_free(launch_file_t *l) {
  if (!l) return;
  for (unsigned i = 0; i < l->buffers; i++) free(l->buffer[i].data);
  for (unsigned i = 0; i < l->dumps; i++) free(l->dump[i].path);
  for (unsigned i = 0; i < l->compares; i++) free(l->compare[i].want);
  free_steps(l->step, l->steps);
  free(l->buffer);
  free(l->texture);
  free(l->dump);
  free(l->compare);
  ptx_free(l->module);
  free(l->module_path);
  free(l->text);
  free(l->help);
  free(l->path);
  free(l);
}

const workload_t *launch_file_workload(const launch_file_t *l) {
  return &l->workload;
}
