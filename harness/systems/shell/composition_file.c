/* SPDX-License-Identifier: Apache-2.0
 *
 * A composition read from YAML. Two passes over the file's top level: parts, rival and help first,
 * then links, clocks and values, which need the parts.
 */
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "composition.h"
#include "nearest.h"
#include "part.h"
#include "yaml_file.h"

/* What is being read. Functions visit_X are called by yaml_file_each for each key of a mapping;
 * false ends the reading, and the file's trouble has the line. */
typedef struct {
  composition_t *c;
  bool own, skip;           /* a system's own file; what is not known is left out */
  composition_part_t *part; /* whose mapping is read */
  const char *section;
} reader_t;

static composition_place_t node_place(const yaml_node_t *node) {
  return (composition_place_t){(unsigned)node->start_mark.line + 1, (unsigned)node->start_mark.column + 1};
}

/* Names of parts, clocks and systems: letters, digits and _, no digit first. */
static bool is_name(const char *name) {
  const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return length && !name[length] && length < COMPOSITION_NAME && (name[0] < '0' || name[0] > '9');
}

/* ---- parts ---- */

/* NULL: there is no such kind. */
static const part_kind_t *find_kind(const char *name) {
  for (const part_kind_t *const *k = part_kinds; *k; k++)
    if (!strcmp((*k)->name, name)) return *k;
  return NULL;
}

/* Between the words of a list: "a, b and c". */
static const char *list_separator(size_t used, const void *next) {
  if (!used) return "";
  return next ? ", " : " and ";
}

static bool unknown_kind(yaml_file_t *f, const yaml_node_t *node, const char *name) {
  char names[200] = "";
  size_t used = 0;
  for (const part_kind_t *const *k = part_kinds; *k; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", list_separator(used, k[1]), (*k)->name);
  return yaml_file_wrong(f, node, "no part is called '%.60s'; there are %s", name, names);
}

/* Which domain a clock of the part is in. */
static bool visit_part_clock(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                             const yaml_node_t *value) {
  composition_part_t *part = ((reader_t *)context)->part;
  for (unsigned k = 0; part->kind->clock[k].name; k++) {
    if (strcmp(part->kind->clock[k].name, name) != 0) continue;
    const char *domain = yaml_scalar(value);
    if (!domain || !is_name(domain)) return yaml_file_wrong(f, value, "the name of one of `clocks` would be right");
    snprintf(part->clock[k], sizeof part->clock[k], "%s", domain);
    return true;
  }
  return yaml_file_wrong(f, key, "%s has no clock '%.60s'%s%s", part->kind->name, name,
                         part->kind->clock[0].name ? "; the first is " : "",
                         part->kind->clock[0].name ? part->kind->clock[0].name : "");
}

/* The first pass over a part: its kind must be known before its clocks are read. */
static bool visit_part_kind(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                            const yaml_node_t *value) {
  composition_part_t *part = ((reader_t *)context)->part;
  (void)key;
  if (strcmp(name, "part") != 0) return true;
  const char *kind = yaml_scalar(value);
  if (!kind || !(part->kind = find_kind(kind))) return unknown_kind(f, value, kind ? kind : "");
  for (unsigned k = 0; part->kind->clock[k].name; k++)
    snprintf(part->clock[k], sizeof part->clock[k], "%s", part->kind->clock[k].name);
  return true;
}

/* A number from 1 to COMPOSITION_INSTANCES, without leading zeros. */
static bool is_count(const char *text) {
  const size_t length = strspn(text, "0123456789");
  return length && length < 4 && !text[length] && *text != '0' && atoi(text) <= COMPOSITION_INSTANCES;
}

/* The second pass over a part. */
static bool visit_part_field(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                             const yaml_node_t *value) {
  composition_part_t *part = ((reader_t *)context)->part;
  const char *text = yaml_scalar(value);
  if (!strcmp(name, "part")) return true;
  if (!strcmp(name, "clocks") && value->type == YAML_MAPPING_NODE)
    return yaml_file_each(f, value, visit_part_clock, context);
  if (strcmp(name, "count") != 0) return yaml_file_wrong(f, key, "'%.60s' is not part, count or clocks", name);
  if (!text || !(is_count(text) || is_name(text)))
    return yaml_file_wrong(f, value, "count: a number from 1 to %d or the name of a part would be right",
                           COMPOSITION_INSTANCES);
  snprintf(part->counted, sizeof part->counted, "%s", text);
  return true;
}

/* One part: NAME: {part: KIND, ...}. */
static bool visit_part(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                       const yaml_node_t *value) {
  reader_t *r = context;
  if (!is_name(name))
    return yaml_file_wrong(f, key, "a part's name has letters, digits and _, at most %d", COMPOSITION_NAME - 1);
  if (r->c->parts == COMPOSITION_PARTS) return yaml_file_wrong(f, key, "more than %d parts", COMPOSITION_PARTS);
  if (value->type != YAML_MAPPING_NODE)
    return yaml_file_wrong(f, value, "%s: {part: KIND, count: NUMBER} would be right", name);
  r->part = &r->c->part[r->c->parts];
  *r->part = (composition_part_t){.counted = "1", .place = node_place(key)};
  snprintf(r->part->name, sizeof r->part->name, "%s", name);
  if (!yaml_file_each(f, value, visit_part_kind, r)) return false;
  if (!r->part->kind) return yaml_file_wrong(f, value, "%s: which part? {part: KIND} would be right", name);
  r->c->parts++;
  return yaml_file_each(f, value, visit_part_field, r);
}

/* ---- links ---- */

static unsigned find_part(const composition_t *c, const char *name) {
  unsigned i = 0;
  while (i < c->parts && strcmp(c->part[i].name, name)) i++;
  return i;
}

/* Bad input, with the part that is nearest in spelling. */
static bool unknown_part(const composition_t *c, yaml_file_t *f, const yaml_node_t *node, const char *name) {
  nearest_t near;
  nearest_start(&near, name);
  for (unsigned i = 0; i < c->parts; i++) nearest_try(&near, c->part[i].name);
  return yaml_file_wrong(f, node, "no part '%.60s'%s", name, nearest_text(&near));
}

static bool unknown_port(const composition_part_t *part, yaml_file_t *f, const yaml_node_t *node, const char *name) {
  char names[120] = "";
  size_t used = 0;
  for (const part_port_t *p = part->kind->port; p->name; p++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s.%s", list_separator(used, p[1].name), part->name,
                             p->name);
  return yaml_file_wrong(f, node, "%s has no port '%.60s'; there are %s", part->name, name, names);
}

/* One end of a link: "stack.logic" or "stack.logic[4-7]". */
static bool read_end(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const char *text, composition_end_t *end) {
  char part[64], port[64];
  int used = 0;
  *end = (composition_end_t){.first = -1, .last = -1};
  const char *const shape =
      "a link is PART.PORT - PART.PORT, each with a range if it is not all of it, such as stack.logic[4-7]";
  if (sscanf(text, "%63[A-Za-z0-9_].%63[A-Za-z0-9_]%n", part, port, &used) != 2)
    return yaml_file_wrong(f, node, "%s", shape);
  text += used;
  if (*text) {
    int one = 0, two = 0;
    if (sscanf(text, "[%3d]%n", &end->first, &one) == 1 && one) end->last = end->first;
    else sscanf(text, "[%3d-%3d]%n", &end->first, &end->last, &two);
    const bool good = one + two && !text[one + two] && end->first >= 0 && end->last >= end->first &&
                      end->last < COMPOSITION_INSTANCES;
    if (!good) return yaml_file_wrong(f, node, "%s", shape);
  }
  if ((end->part = find_part(r->c, part)) == r->c->parts) return unknown_part(r->c, f, node, part);
  const part_port_t *ports = r->c->part[end->part].kind->port;
  while (ports[end->port].name && strcmp(ports[end->port].name, port)) end->port++;
  return ports[end->port].name || unknown_port(&r->c->part[end->part], f, node, port);
}

/* The port that an end of a link is at. */
static const part_port_t *port_of(const composition_t *c, const composition_end_t *end) {
  return &c->part[end->part].kind->port[end->port];
}

/* Bad input, with the ports that would fit a's. */
static bool refuse_misfit(reader_t *r, yaml_file_t *f, const yaml_node_t *node, const composition_end_t *a,
                          const composition_end_t *b) {
  char names[200] = "";
  size_t used = 0;
  const part_port_t *port = port_of(r->c, a), *other = port_of(r->c, b);
  for (unsigned i = 0; i < r->c->parts; i++)
    for (const part_port_t *p = r->c->part[i].kind->port; p->name; p++)
      if (!strcmp(p->protocol, port->protocol) && p->offers != port->offers && used < sizeof names)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s.%s", used ? ", " : "", r->c->part[i].name,
                                 p->name);
  return yaml_file_wrong(f, node, "%s.%s (%s %s) does not fit %s.%s (%s %s); %s would be right",
                         r->c->part[a->part].name, port->name, port->offers ? "offers" : "uses", port->protocol,
                         r->c->part[b->part].name, other->name, other->offers ? "offers" : "uses", other->protocol,
                         *names ? names : "no part here");
}

/* One end offers and one uses, in either order. */
static bool read_link(reader_t *r, yaml_file_t *f, const yaml_node_t *node) {
  char text[160], *dash;
  composition_end_t a, b;
  const char *scalar = yaml_scalar(node);
  if (!scalar || strlen(scalar) >= sizeof text || !strstr(scalar, " - "))
    return yaml_file_wrong(f, node, "a link is PART.PORT - PART.PORT, such as gpu.link - stack.gpu");
  if (r->c->links == COMPOSITION_LINKS) return yaml_file_wrong(f, node, "more than %d links", COMPOSITION_LINKS);
  snprintf(text, sizeof text, "%s", scalar);
  dash = strstr(text, " - ");
  *dash = 0;
  if (!read_end(r, f, node, text, &a) || !read_end(r, f, node, dash + 3, &b)) return false;
  const part_port_t *port = port_of(r->c, &a), *other = port_of(r->c, &b);
  if (strcmp(port->protocol, other->protocol) != 0 || port->offers == other->offers)
    return refuse_misfit(r, f, node, &a, &b);
  r->c->link[r->c->links++] =
      (composition_link_t){.user = port->offers ? b : a, .offer = port->offers ? a : b, .place = node_place(node)};
  return true;
}

static bool read_links(reader_t *r, yaml_file_t *f, const yaml_node_t *list) {
  const yaml_node_t *item;
  bool good = true;
  if (list->type != YAML_SEQUENCE_NODE)
    return yaml_file_wrong(f, list, "a list of links would be right: - PART.PORT - PART.PORT");
  for (size_t i = 0; good && (item = yaml_file_item(f, list, i)); i++) good = read_link(r, f, item);
  return good;
}

/* ---- clocks, rival, values ---- */

/* SECTION: {NAME: value}, set as the key SECTION.NAME. */
static bool visit_value(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                        const yaml_node_t *value) {
  const reader_t *r = context;
  char full[128];
  trouble_t wrong = {0};
  const char *text = yaml_scalar(value);
  snprintf(full, sizeof full, "%.60s.%.60s", r->section, name);
  if (!text) return yaml_file_wrong(f, key, "'%.100s' takes one value; 'key: value' would be right", full);
  if (r->skip && !composition_knows(r->c, full)) return true;
  return composition_set(r->c, full, text, &wrong) || yaml_file_wrong(f, value, "%s", wrong.text);
}

/* A clock. A system's own file defines clocks; other files may only set them. */
static bool visit_domain(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                         const yaml_node_t *value) {
  const reader_t *r = context;
  composition_t *c = r->c;
  if (!is_name(name))
    return yaml_file_wrong(f, key, "a clock's name has letters, digits and _, at most %d", COMPOSITION_NAME - 1);
  if (c->domains == COMPOSITION_DOMAINS) return yaml_file_wrong(f, key, "more than %d clocks", COMPOSITION_DOMAINS);
  composition_domain_t *d = &c->domain[c->domains++];
  *d = (composition_domain_t){.place = node_place(key)};
  snprintf(d->name, sizeof d->name, "%s", name);
  return visit_value(context, f, name, key, value);
}

/* A word is the name of one of the tree's systems. Anything else is a file, seen from this file's
 * folder. */
static bool read_rival(composition_t *c, yaml_file_t *f, const yaml_node_t *node) {
  const char *text = yaml_scalar(node);
  char copy[COMPOSITION_PATH];
  if (!text || !*text || strlen(text) > 400 || strlen(f->path) > 400)
    return yaml_file_wrong(f, node, "a system's name or a file would be right");
  snprintf(copy, sizeof copy, "%s", f->path);
  if (is_name(text) || text[0] == '/') snprintf(c->rival, sizeof c->rival, "%s", text);
  else snprintf(c->rival, sizeof c->rival, "%.400s/%.400s", dirname(copy), text);
  c->rival_place = node_place(node);
  return true;
}

/* The first pass over the file: what a system consists of. */
static bool visit_structure(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                            const yaml_node_t *value) {
  reader_t *r = context;
  const bool mapping = value->type == YAML_MAPPING_NODE;
  (void)key;
  if (!strcmp(name, "parts") && !mapping) return yaml_file_wrong(f, value, "parts: NAME: {part: KIND} would be right");
  if (!strcmp(name, "parts")) return yaml_file_each(f, value, visit_part, r);
  if (!strcmp(name, "rival")) return read_rival(r->c, f, value);
  if (strcmp(name, "help") != 0) return true;
  const char *text = yaml_scalar(value);
  if (!text || strlen(text) >= sizeof r->c->help || strpbrk(text, "\n\"\\"))
    return yaml_file_wrong(f, value, "help: one line of at most %d characters without \" and \\", COMPOSITION_HELP - 1);
  snprintf(r->c->help, sizeof r->c->help, "%s", text);
  return true;
}

static bool is_structure(const char *name) {
  return !strcmp(name, "parts") || !strcmp(name, "links") || !strcmp(name, "rival") || !strcmp(name, "help");
}

/* The second pass over the file: links, clocks and values. */
static bool visit_root(void *context, yaml_file_t *f, const char *name, const yaml_node_t *key,
                       const yaml_node_t *value) {
  reader_t *r = context;
  if (is_structure(name)) {
    if (!r->own)
      return yaml_file_wrong(
          f, key, "'%s' is of a system's own file, which `lockstack run FILE` takes; here are only values", name);
    return strcmp(name, "links") != 0 || read_links(r, f, value);
  }
  if (value->type != YAML_MAPPING_NODE)
    return yaml_file_wrong(f, value, "unknown key '%.60s'; a section with indented 'key: value' lines would be right",
                           name);
  r->section = name;
  return yaml_file_each(f, value, r->own && !strcmp(name, "clocks") ? visit_domain : visit_value, r);
}

/* Values need their defaults first, and these the parts. */
static bool read_document(reader_t *r, yaml_file_t *f) {
  const yaml_node_t *root = yaml_file_root(f);
  bool good = true;
  if (root->type != YAML_MAPPING_NODE)
    return yaml_file_wrong(f, root, "sections expected; 'gpu:' and indented 'key: value' lines would be right");
  if (r->own) {
    good = yaml_file_each(f, root, visit_structure, r);
    if (good && !r->c->parts)
      return yaml_file_wrong(f, root, "a system has parts; parts: {NAME: {part: KIND}} would be right");
    for (unsigned i = 0; good && i < r->c->parts; i++) {
      const part_kind_t *kind = r->c->part[i].kind;
      if (kind->defaults) kind->defaults(composition_kind_values(r->c, kind));
    }
  }
  return good && yaml_file_each(f, root, visit_root, r);
}

static bool read_file(reader_t *r, const char *path, trouble_t *trouble) {
  yaml_file_t f;
  if (!yaml_file_open(&f, path, trouble)) return false;
  const bool good = read_document(r, &f);
  yaml_file_close(&f);
  return good;
}

static void set_defaults(composition_t *values) {
#define KEYS_AS_DEFAULTS
#include "key_list.h"
#include "system_keys.def"
}

bool composition_load(composition_t *c, const char *path, trouble_t *trouble) {
  reader_t r = {.c = c, .own = true};
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
  memset(c, 0, sizeof *c);
  set_defaults(c);
  snprintf(c->name, sizeof c->name, "%.*s", (int)strcspn(file, "."), file);
  snprintf(c->path, sizeof c->path, "%s", path);
  return read_file(&r, path, trouble);
}

bool composition_values_of(composition_t *c, const char *path, bool skip_unknown, trouble_t *trouble) {
  reader_t r = {.c = c, .skip = skip_unknown};
  return read_file(&r, path, trouble);
}

/* ---- the rival ---- */

/* The rival's file. */
static void rival_path(const composition_t *c, const char *systems, char path[COMPOSITION_PATH]) {
  if (is_name(c->rival)) snprintf(path, COMPOSITION_PATH, "%.900s/%.60s.yaml", systems, c->rival);
  else snprintf(path, COMPOSITION_PATH, "%s", c->rival);
}

/* By what the paths lead to, symbolic links resolved. */
static bool same_file(const char *a, const char *b) {
  char real_a[PATH_MAX], real_b[PATH_MAX];
  return realpath(a, real_a) && realpath(b, real_b) && !strcmp(real_a, real_b);
}

/* A rival's rival does not run. Still a cycle of rivals is refused: its author meant something
 * else. */
bool composition_rival(const composition_t *c, const char *systems, composition_t *rival, trouble_t *trouble) {
  enum { LONGEST = 16 };
  char path[COMPOSITION_PATH];
  trouble_t wrong = {0};
  composition_t *next = malloc(sizeof *next);
  rival_path(c, systems, path);
  bool good = next ? composition_load(rival, path, &wrong) : trouble_memory(&wrong);
  if (good) *next = *rival;
  for (unsigned i = 0; good && *next->rival; i++) {
    rival_path(next, systems, path);
    if (same_file(path, c->path) || i == LONGEST)
      good = trouble_set(&wrong, TROUBLE_INPUT,
                         "a cycle of rivals: it leads back to this file; a rival without a rival would be right");
    else good = composition_load(next, path, &wrong);
  }
  free(next);
  return good || trouble_set(trouble, wrong.kind, "%s:%u:%u: rival: %s", c->path, c->rival_place.line,
                             c->rival_place.column, wrong.text);
}
