/* SPDX-License-Identifier: Apache-2.0
 *
 * The sections `dump` and `compare`: buffers that are written into files, and buffers that are
 * compared with what they should hold.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch_parts.h"

/* ---- dump ---- */

/* Does the file's folder exist, and can it be written to? Asked before the simulation, which
 * may take hours. */
static bool check_folder(launch_reader_t *r, const yaml_node_t *node, const char *path) {
  char folder[LAUNCH_PATH];
  struct stat is;
  const char *slash = strrchr(path, '/');
  if (!*path || strlen(path) >= sizeof folder || (slash && !slash[1]))
    return launch_wrong(r, node, "dump: '%.80s' is no file's name", path);
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  if (access(folder, W_OK)) return launch_wrong(r, node, "dump: the folder of %.200s: %s", path, strerror(errno));
  return stat(path, &is) || !S_ISDIR(is.st_mode) || launch_wrong(r, node, "dump: %.200s is a folder", path);
}

/* buffer: file.npy. Two dumps must not have one file. */
static bool read_dump(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                      const yaml_node_t *value) {
  launch_reader_t *r = context;
  launch_file_t *l = r->file;
  launch_dump_t *d = &l->dump[l->dumps];
  const char *path = yaml_scalar(value);
  (void)f, (void)name;
  if (!launch_buffer_named(r, key, &d->buffer)) return false;
  if (!path) return launch_wrong(r, value, "dump: a file's name would be right");
  if (!check_folder(r, value, path)) return false;
  for (unsigned i = 0; i < l->dumps; i++)
    if (!strcmp(l->dump[i].path, path)) return launch_wrong(r, value, "dump: %.200s is already another buffer's", path);
  if (!(d->path = strdup(path))) return launch_no_memory(r, value);
  d->npy = launch_is_npy(path);
  l->dumps++;
  return true;
}

bool launch_read_dump(launch_reader_t *r, const yaml_node_t *node) {
  if (node->type != YAML_MAPPING_NODE) return launch_wrong(r, node, "dump: 'buffer: file.npy' would be right");
  if (!(r->file->dump = calloc(LAUNCH_BUFFERS, sizeof *r->file->dump))) return launch_no_memory(r, node);
  return yaml_file_each(&r->yaml, node, read_dump, r);
}

/* ---- compare ---- */

/* A number from 0 to below `most`. */
static bool read_tolerance(launch_reader_t *r, const yaml_node_t *node, const char *what, double most, double *value) {
  trouble_t trouble = {0};
  const char *text = yaml_scalar(node);
  const bool good =
      text && element_read(element_find("f64"), text, false, value, &trouble) && *value >= 0 && *value < most;
  return good ||
         launch_wrong(r, node, "%s: '%.40s' should be a number from 0 to below %g", what, text ? text : "..", most);
}

/* The largest useful number of steps. Beyond it a comparison says nothing: floating numbers a
 * factor of 2 apart, or half of a whole type's range, would count as equal. */
static uint64_t most_ulps(const element_t *t) {
  static const unsigned fraction[] = {[2] = 10, [4] = 23, [8] = 52};
  return ((uint64_t)1 << (t->kind == 'f' ? fraction[t->bytes] : 8 * t->bytes - 1)) - 1;
}

/* The largest number of a floating type; half of the range of a whole type. */
static double most_absolute(const element_t *t) {
  static const double largest[] = {[2] = 65504, [4] = __FLT_MAX__, [8] = __DBL_MAX__};
  return t->kind == 'f' ? largest[t->bytes] : (double)most_ulps(t);
}

/* Which elements of the buffer are compared, and as which type. */
static bool read_part(launch_reader_t *r, const yaml_node_t *type, const yaml_node_t *first, launch_compare_t *c) {
  const launch_buffer_t *b = &r->file->buffer[c->buffer];
  c->type = b->array.type;
  if (type && !launch_type(r, type, &c->type)) return false;
  const uint64_t all = b->bytes / c->type->bytes;
  if (b->bytes % c->type->bytes)
    return launch_wrong(r, type, "%s has %" PRIu64 " bytes, which are no whole %s", b->name, b->bytes, c->type->name);
  if (first && !launch_uint(r, first, "first", 0, all - 1, &c->first)) return false;
  c->count = all - c->first;
  return true;
}

/* Always false. */
static bool sizes_differ(launch_reader_t *r, const yaml_node_t *node, const launch_compare_t *c, uint64_t count) {
  return launch_wrong(r, node, "compare: %" PRIu64 " elements of %s with %" PRIu64, c->count,
                      r->file->buffer[c->buffer].name, count);
}

/* Refuses a file that this launch file's own dump writes: it holds what an earlier run wrote, so
 * the comparison would say nothing. */
static bool check_own(launch_reader_t *r, const yaml_node_t *node) {
  struct stat file, dump;
  const launch_file_t *l = r->file;
  char *path = launch_beside(r, yaml_scalar(node));
  const bool there = path && !stat(path, &file);
  free(path);
  for (unsigned i = 0; there && i < l->dumps; i++)
    if (!stat(l->dump[i].path, &dump) && dump.st_dev == file.st_dev && dump.st_ino == file.st_ino)
      return launch_wrong(
          r, node,
          "compare: %.200s is written by this file's dump of %s; a file that no run of it writes would be right",
          yaml_scalar(node), l->buffer[l->dump[i].buffer].name);
  return true;
}

/* What the buffer should hold: a file, a list, or another buffer at the end of the run. */
static bool read_want(launch_reader_t *r, const yaml_node_t *file, const yaml_node_t *values, const yaml_node_t *with,
                      launch_compare_t *c) {
  uint64_t count;
  unsigned other;
  c->with = -1;
  if (file) {
    launch_array_t array = {.type = c->type};
    if (!launch_data(r, file, &array, &c->want)) return false;
    return array.count == c->count ? check_own(r, file) : sizes_differ(r, file, c, array.count);
  }
  if (values) {
    if (!launch_values(r, values, c->type, &count, &c->want)) return false;
    if (count > c->count) return sizes_differ(r, values, c, count);
    c->count = count; /* the first of them */
    return true;
  }
  if (!launch_buffer_named(r, with, &other)) return false;
  if (other == c->buffer)
    return launch_wrong(
        r, with, "compare: %s with itself, which always holds; another buffer, or file or values, would be right",
        yaml_scalar(with));
  const launch_buffer_t *o = &r->file->buffer[other];
  c->with = (int)other;
  return o->bytes == c->count * c->type->bytes || sizes_differ(r, with, c, o->bytes / c->type->bytes);
}

/* Without ulps, absolute or relative the comparison is bit for bit. */
static bool read_compare(launch_reader_t *r, const yaml_node_t *node, launch_compare_t *c) {
  const yaml_node_t *buffer, *file, *values, *with, *type, *first, *ulps, *absolute, *relative;
  const launch_key_t keys[] = {
      {"buffer", &buffer}, {"file", &file}, {"values", &values},     {"with", &with},         {"type", &type},
      {"first", &first},   {"ulps", &ulps}, {"absolute", &absolute}, {"relative", &relative}, {0}};
  if (!launch_keys(r, node, "a comparison", keys)) return false;
  if (!buffer || !!file + !!values + !!with != 1)
    return launch_wrong(r, node, "a comparison has buffer and one of file, values and with (another buffer)");
  if (!launch_buffer_named(r, buffer, &c->buffer) || !read_part(r, type, first, c)) return false;
  c->tolerance.exact = !ulps && !absolute && !relative;
  if (ulps && !launch_uint(r, ulps, "ulps", 0, most_ulps(c->type), &c->tolerance.ulps)) return false;
  if (absolute && !read_tolerance(r, absolute, "absolute", most_absolute(c->type), &c->tolerance.absolute))
    return false;
  if (relative && !read_tolerance(r, relative, "relative", 1, &c->tolerance.relative)) return false;
  return read_want(r, file, values, with, c);
}

bool launch_read_compare(launch_reader_t *r, const yaml_node_t *node) {
  const yaml_node_t *item;
  launch_file_t *l = r->file;
  size_t count = 0;
  if (node->type != YAML_SEQUENCE_NODE)
    return launch_wrong(r, node, "compare: a list of '- {buffer: y, file: want.npy}' would be right");
  while (yaml_file_item(&r->yaml, node, count)) count++;
  if (!(l->compare = calloc(count + 1, sizeof *l->compare))) return launch_no_memory(r, node);
  bool good = true;
  while (good && (item = yaml_file_item(&r->yaml, node, l->compares)))
    good = read_compare(r, item, &l->compare[l->compares++]);
  return good;
}
