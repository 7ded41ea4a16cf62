/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of a composition, and how a composition is written as a file. composition_file.c reads
 * one; composition_settle.c fits its parts together.
 */
#include "composition.h"

#include <assert.h>
#include <string.h>

#include "clocks.h"
#include "nearest.h"
#include "part.h"

static const char *const energies[] = {"papers", "v100", NULL};

#define KEYS_OF composition_t
#define KEYS_IN
#define KEYS_AS_TABLE
#include "key_list.h"

static const config_key_t system_keys[] = {
#include "system_keys.def"
    {0},
};

/* ---- values: each kind's, one behind the other ---- */

/* Where the values of a kind are in c->values: one kind behind the other, at multiples of 16. */
static size_t offset_of(const part_kind_t *kind) {
  size_t offset = 0;
  for (const part_kind_t *const *k = part_kinds; *k != kind; k++) offset += ((*k)->values_size + 15) / 16 * 16;
  assert(offset + kind->values_size <= COMPOSITION_VALUES);
  return offset;
}

/* Does the composition have a part of this kind? */
static bool has_kind(const composition_t *c, const part_kind_t *kind) {
  for (unsigned i = 0; i < c->parts; i++)
    if (c->part[i].kind == kind) return true;
  return false;
}

void *composition_kind_values(composition_t *c, const part_kind_t *kind) {
  return has_kind(c, kind) ? c->values + offset_of(kind) : NULL;
}

const void *composition_kind_values_const(const composition_t *c, const part_kind_t *kind) {
  return has_kind(c, kind) ? c->values + offset_of(kind) : NULL;
}

/* The first part of its kind; keys are listed once a kind. */
static bool is_first_of_kind(const composition_t *c, unsigned part) {
  for (unsigned i = 0; i < part; i++)
    if (c->part[i].kind == c->part[part].kind) return false;
  return true;
}

const config_key_t *composition_key(const composition_t *c, unsigned i, const void **values) {
  *values = c;
  for (const config_key_t *key = system_keys; key->key; key++)
    if (!i--) return key;
  for (unsigned p = 0; p < c->parts; p++) {
    const part_kind_t *kind = c->part[p].kind;
    if (!kind->keys || !is_first_of_kind(c, p)) continue;
    *values = c->values + offset_of(kind);
    for (const config_key_t *key = kind->keys; key->key; key++)
      if (!i--) return key;
  }
  return NULL;
}

/* NULL: the composition has no such key. *values: the struct that the key is in. */
static const config_key_t *find_key(const composition_t *c, const char *name, const void **values) {
  const config_key_t *key;
  for (unsigned i = 0; (key = composition_key(c, i, values)); i++)
    if (!strcmp(key->key, name)) return key;
  return NULL;
}

unsigned composition_domain(const composition_t *c, const char *name) {
  for (unsigned d = 0; d < c->domains; d++)
    if (!strcmp(c->domain[d].name, name)) return d;
  return COMPOSITION_DOMAINS;
}

static const char clocks[] = "clocks.";

bool composition_knows(const composition_t *c, const char *name) {
  const void *values;
  if (!strncmp(name, clocks, strlen(clocks))) return composition_domain(c, name + strlen(clocks)) < COMPOSITION_DOMAINS;
  return find_key(c, name, &values) != NULL;
}

/* Bad input, with the key or clock that is nearest in spelling. */
static bool unknown_key(const composition_t *c, const char *name, trouble_t *trouble) {
  static nearest_t near;
  const config_key_t *key;
  const void *values;
  char domain[COMPOSITION_NAME + sizeof clocks];
  nearest_start(&near, name);
  for (unsigned i = 0; (key = composition_key(c, i, &values)); i++) nearest_try(&near, key->key);
  for (unsigned d = 0; d < c->domains; d++) {
    snprintf(domain, sizeof domain, "%s%s", clocks, c->domain[d].name);
    nearest_try(&near, domain);
  }
  return trouble_set(trouble, TROUBLE_INPUT, "unknown key '%.100s'; `lockstack run %s --print-config` lists them%s",
                     name, c->name, nearest_text(&near));
}

/* A clock's frequency or period from text. */
static bool set_domain(composition_domain_t *d, const char *value, trouble_t *trouble) {
  if (!clocks_parse(value, &d->num, &d->den)) {
    return trouble_set(trouble, TROUBLE_INPUT,
                       "clocks.%s: '%.60s' is not a clock of 1 MHz to 10 GHz; such as 700 MHz or 1.5 ns would be right",
                       d->name, value);
  }
  snprintf(d->text, sizeof d->text, "%s", value);
  return true;
}

/* values points into c; the arithmetic gives it back without const. */
bool composition_set(composition_t *c, const char *name, const char *value, trouble_t *trouble) {
  const void *values;
  const config_key_t *key = find_key(c, name, &values);
  const unsigned domain =
      strncmp(name, clocks, strlen(clocks)) ? COMPOSITION_DOMAINS : composition_domain(c, name + strlen(clocks));
  if (domain < COMPOSITION_DOMAINS) return set_domain(&c->domain[domain], value, trouble);
  if (!key) return unknown_key(c, name, trouble);
  return config_store(key, (unsigned char *)c + ((const unsigned char *)values - (const unsigned char *)c), value,
                      trouble);
}

/* ---- as a file ---- */

/* A count of 1 and clocks in their own domains go without saying. */
static void print_parts(const composition_t *c, FILE *out) {
  fprintf(out, "parts:\n");
  for (unsigned i = 0; i < c->parts; i++) {
    const composition_part_t *p = &c->part[i];
    const char *comma = "";
    fprintf(out, "  %s: {part: %s", p->name, p->kind->name);
    if (strcmp(p->counted, "1") != 0) fprintf(out, ", count: %s", p->counted);
    for (unsigned k = 0; k < COMPOSITION_CLOCKS && p->kind->clock[k].name; k++) {
      if (!strcmp(p->clock[k], p->kind->clock[k].name) || composition_clock_follows(c, i, k)) continue;
      fprintf(out, "%s%s: %s", *comma ? comma : ", clocks: {", p->kind->clock[k].name, p->clock[k]);
      comma = ", ";
    }
    fprintf(out, "%s}%*s # %s\n", *comma ? "}" : "", *comma ? 1 : 12, "", p->kind->text);
  }
}

/* The range only where it is not all of the port. */
static void print_end(const composition_t *c, const composition_end_t *end, FILE *out) {
  const composition_part_t *part = &c->part[end->part];
  const part_port_t *port = &part->kind->port[end->port];
  fprintf(out, "%s.%s", part->name, port->name);
  const unsigned all = port->many ? composition_connections(c, end->part, end->port) : part->count;
  if (end->first < 0 || (end->first == 0 && end->last + 1 == (int)all)) return;
  if (end->first == end->last) fprintf(out, "[%d]", end->first);
  else fprintf(out, "[%d-%d]", end->first, end->last);
}

static void print_links(const composition_t *c, FILE *out) {
  fprintf(out, "\nlinks:\n");
  for (unsigned i = 0; i < c->links; i++) {
    fprintf(out, "  - ");
    print_end(c, &c->link[i].user, out);
    fprintf(out, " - ");
    print_end(c, &c->link[i].offer, out);
    fprintf(out, "\n");
  }
}

/* A key is SECTION.NAME. */
static bool same_section(const config_key_t *a, const config_key_t *b) {
  const size_t length = (size_t)(strchr(a->key, '.') - a->key) + 1;
  return !strncmp(a->key, b->key, length);
}

/* All keys of the section of key number `first`, whatever parts they belong to. */
static void print_section(const composition_t *c, unsigned first, FILE *out) {
  const void *values;
  const config_key_t *key, *of = composition_key(c, first, &values);
  char value[CONFIG_TEXT_SIZE];
  fprintf(out, "\n%.*s:\n", (int)(strchr(of->key, '.') - of->key), of->key);
  for (unsigned i = first; (key = composition_key(c, i, &values)); i++) {
    if (!same_section(of, key)) continue;
    const char *name = strchr(key->key, '.') + 1;
    config_text(key, values, value, sizeof value);
    fprintf(out, "  %s: %-*s # %s", name, strlen(name) < 24 ? (int)(24 - strlen(name)) : 1, value, key->text);
    fprintf(out, *key->source ? " (%s)\n" : "%s\n", key->source);
  }
}

/* Sections in the order of their first keys. */
void composition_print(const composition_t *c, FILE *out) {
  const config_key_t *key;
  const void *values;
  fprintf(out, "help: \"%s\"\n\n", c->help);
  print_parts(c, out);
  print_links(c, out);
  fprintf(out, "\nclocks:\n");
  for (unsigned d = 0; d < c->domains; d++) fprintf(out, "  %s: %s\n", c->domain[d].name, c->domain[d].text);
  if (*c->rival) fprintf(out, "\nrival: %s\n", c->rival);
  for (unsigned i = 0; (key = composition_key(c, i, &values)); i++) {
    unsigned before = 0;
    while (before < i && !same_section(composition_key(c, before, &values), key)) before++;
    if (before == i) print_section(c, i, out);
  }
}
