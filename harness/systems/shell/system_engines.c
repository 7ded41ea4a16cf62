/* SPDX-License-Identifier: Apache-2.0
 *
 * Which instances of blocks a system has, and what computes each: engines, and gates whose activity
 * is counted (system.h).
 *
 * A family is all instances of one block in one part. It is called by its block ("router[3]"), or
 * by its path ("net.router[3]") where several parts have instances of that block.
 */
#include "system_engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which instances there are ---- */

static const part_kind_t *host_kind(const composition_t *c) {
  for (unsigned i = 0; i < c->parts; i++)
    if (c->part[i].kind->host) return c->part[i].kind;
  return NULL;
}

const char *system_machine(const composition_t *c) {
  return host_kind(c)->name;
}

/* Family number f, counted through all parts in order. NULL: there are fewer. */
static const part_family_t *find_family(const composition_t *c, unsigned f, unsigned *part, unsigned *index) {
  for (*part = 0; *part < c->parts; ++*part)
    for (*index = 0; c->part[*part].kind->family && c->part[*part].kind->family[*index].block; ++*index)
      if (!f--) return &c->part[*part].kind->family[*index];
  return NULL;
}

/* How many families are of this block. */
static unsigned count_same_blocks(const composition_t *c, const char *block) {
  unsigned sum = 0, part, index;
  const part_family_t *other;
  for (unsigned f = 0; f < SYSTEM_FAMILIES && (other = find_family(c, f, &part, &index)); f++)
    sum += !strcmp(other->block, block);
  return sum;
}

bool system_family(const composition_t *c, unsigned f, system_family_t *family) {
  unsigned part, index;
  const part_family_t *found = f < SYSTEM_FAMILIES ? find_family(c, f, &part, &index) : NULL;
  if (!found) return false;
  *family = (system_family_t){.part = part,
                              .index = index,
                              .block = found->block,
                              .called = found->name ? found->name : found->block,
                              .count = found->count(c, part),
                              .firmware = found->firmware,
                              .runs = found->runs};
  const char *name = c->part[part].name;
  if (!strcmp(c->part[part].kind->name, found->block)) snprintf(family->path, sizeof family->path, "%s", name);
  else snprintf(family->path, sizeof family->path, "%s.%s", name, family->called);
  snprintf(family->name, sizeof family->name, "%s",
           count_same_blocks(c, found->block) > 1 ? family->path : family->called);
  return true;
}

static bool any_firmware(const system_options_t *o, unsigned f, unsigned count) {
  for (unsigned k = 0; o->engine[f] && k < count; k++)
    if (o->engine[f][k] == ENGINE_FIRMWARE) return true;
  return false;
}

/* For a family that executes firmware: is an instance of the family that it executes for firmware?
 */
static bool firmware_runs(const system_options_t *o, const system_family_t *family) {
  system_family_t other;
  for (unsigned f = 0; system_family(&o->composition, f, &other); f++)
    if (other.part == family->part && !strcmp(other.called, family->runs)) return any_firmware(o, f, other.count);
  return false;
}

unsigned system_instances(const system_options_t *o, unsigned f) {
  system_family_t family;
  return system_family(&o->composition, f, &family) && (!family.runs || firmware_runs(o, &family)) ? family.count : 0;
}

/* ---- engines ---- */

bool system_make_engines(system_options_t *o) {
  bool good = true;
  system_family_t family;
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    const unsigned count = system_family(&o->composition, f, &family) ? family.count : 0;
    o->engine[f] = calloc(count + 1, sizeof *o->engine[f]); /* 0 is ENGINE_MODEL */
    good &= o->engine[f] != NULL;
  }
  return good;
}

void system_free_engines(system_options_t *o) {
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    free(o->engine[f]);
    o->engine[f] = NULL;
  }
}

/* For messages: "nsu[0] to nsu[7] or router[0] to router[7]". */
static void list_instances(const composition_t *c, char *text, size_t size) {
  system_family_t family;
  size_t used = 0;
  *text = 0;
  for (unsigned f = 0; system_family(c, f, &family); f++)
    if (family.count && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s[0] to %s[%u]", used ? " or " : "", family.name,
                               family.name, family.count - 1);
}

/* The setting names an instance by its block, and several families are of that block. "[*]" is all
 * of them. */
static bool is_ambiguous(const composition_t *c, const char *setting, const system_family_t *family) {
  const char *behind = setting + strlen(family->called);
  return count_same_blocks(c, family->block) > 1 && !engine_names(setting, family->path) && *behind == '[' &&
         strncmp(behind, "[*]", 3) != 0;
}

/* By which of its names a setting means the family; NULL: by none. */
static const char *called_in(const char *setting, const system_family_t *family) {
  if (engine_names(setting, family->path)) return family->path;
  return engine_names(setting, family->called) ? family->called : NULL;
}

/* A setting may concern several families: router[*] of two networks. */
bool system_set_engine(system_options_t *o, const char *setting, trouble_t *trouble) {
  const composition_t *c = &o->composition;
  system_family_t family;
  char instances[256];
  unsigned set = 0;
  list_instances(c, instances, sizeof instances);
  for (unsigned f = 0; system_family(c, f, &family); f++) {
    const char *name = called_in(setting, &family);
    if (!name || !family.count) continue;
    if (is_ambiguous(c, setting, &family))
      return trouble_set(trouble, TROUBLE_INPUT, "several parts have instances of %s; %s would be right", family.called,
                         instances);
    if (!engine_assign(setting, name, o->engine[f], family.count, family.firmware, trouble)) return false;
    set++;
  }
  return set || trouble_set(trouble, TROUBLE_INPUT, "no instance '%.*s'; %s would be right", (int)strcspn(setting, "="),
                            setting, instances);
}

/* ---- gates that count */

/* How many instances a setting concerns, and the last of them. -1: trouble says why. */
static int find_instances(const system_options_t *o, const char *setting, system_gates_t *gates, trouble_t *trouble) {
  int found = -1;
  system_family_t family;
  system_options_t *alone = malloc(sizeof *alone);
  if (!alone) return trouble_memory(trouble), -1;
  *alone = *o;
  if (!system_make_engines(alone)) trouble_memory(trouble);
  else if (system_set_engine(alone, setting, trouble)) found = 0;
  for (unsigned f = 0; found >= 0 && system_family(&o->composition, f, &family); f++)
    for (unsigned k = 0; k < family.count; k++)
      if (alone->engine[f][k] == ENGINE_LOCKSTEP) found++, gates->family = f, gates->instance = k;
  system_free_engines(alone);
  free(alone);
  return found;
}

/* The gates of one instance. They run in lockstep with the instance's model. */
bool system_set_gates(system_options_t *o, const char *instance, trouble_t *trouble) {
  char setting[SYSTEM_NAME * 2];
  if (strchr(instance, '=') || strlen(instance) + sizeof "=lockstep" > sizeof setting)
    return trouble_set(trouble, TROUBLE_INPUT, "'%.100s' should be an instance, such as nsu[0]", instance);
  snprintf(setting, sizeof setting, "%s=lockstep", instance);
  const int found = find_instances(o, setting, &o->gates, trouble);
  if (found < 0) return false;
  if (found != 1)
    return trouble_set(trouble, TROUBLE_INPUT, "%s are %d instances; one alone would be right, such as %.*s[0]",
                       instance, found, (int)strcspn(instance, "["), instance);
  engine_t *engine = &o->engine[o->gates.family][o->gates.instance];
  if (*engine == ENGINE_RTL || *engine == ENGINE_FIRMWARE)
    return trouble_set(trouble, TROUBLE_INPUT, "%s is %s by --engine; its gates run in lockstep with its model",
                       instance, engine_name(*engine));
  *engine = ENGINE_LOCKSTEP;
  return o->gates.wanted = true;
}

const part_family_t *system_engines_family(const system_options_t *o, const system_family_t *family) {
  return &o->composition.part[family->part].kind->family[family->index];
}

/* Fills in what all families have, then calls the family's own `engines`. */
bool system_engines_of(const system_options_t *o, unsigned f, const system_family_t *family, engines_gates_t *gates,
                       engines_config_t *config, trouble_t *trouble) {
  *config = (engines_config_t){.places = &o->places,
                               .rtl = o->rtl[f],
                               .engine = o->engine[f],
                               .count = system_instances(o, f),
                               .seed = o->composition.seed};
  snprintf(config->name, sizeof config->name, "%s", family->name);
  if (o->gates.wanted && o->gates.family == f) {
    gates->instance = o->gates.instance, gates->cells = o->gates.cells;
    config->gates = gates;
  }
  return system_engines_family(o, family)->engines(&o->composition, config, trouble);
}

/* The period is in ns, of the clock that the instance runs at. */
bool system_gates_facts(const system_options_t *o, system_gates_facts_t *facts, trouble_t *trouble) {
  engines_config_t config;
  engines_gates_t gates = {0};
  system_family_t family;
  *facts = (system_gates_facts_t){.period = 0};
  if (!system_family(&o->composition, o->gates.family, &family))
    return trouble_set(trouble, TROUBLE_ENVIRONMENT, "no such gates");
  const bool good = system_engines_of(o, o->gates.family, &family, &gates, &config, trouble) &&
                    engines_gates_object(&config, facts->object, trouble);
  snprintf(facts->name, sizeof facts->name, "%s[%u]", family.name, o->gates.instance);
  snprintf(facts->block, sizeof facts->block, "%s", family.block);
  snprintf(facts->params, sizeof facts->params, "%s", config.params);
  facts->period = 1000 / composition_mhz(&o->composition, family.part, system_engines_family(o, &family)->clock);
  engines_discard(&config);
  return good;
}

/* An engine was chosen for an instance that does not exist, because nothing runs firmware. */
static bool check_useful(const system_options_t *o, unsigned f, const system_family_t *family, trouble_t *trouble) {
  for (unsigned k = system_instances(o, f); o->engine[f] && k < family->count; k++)
    if (o->engine[f][k] != ENGINE_MODEL)
      return trouble_set(
          trouble, TROUBLE_INPUT,
          "--engine: %s[%u] executes firmware, and no %s is that; --engine %s=firmware besides would be right",
          family->name, k, family->runs, family->runs);
  return true;
}

/* Builds the objects that the chosen engines need, before a simulation begins. */
bool system_prepare(const system_options_t *options, trouble_t *trouble) {
  system_family_t family;
  bool good = true;
  for (unsigned f = 0; good && system_family(&options->composition, f, &family); f++) {
    engines_config_t config;
    engines_gates_t gates = {0};
    if (!check_useful(options, f, &family, trouble)) return false;
    good = system_engines_of(options, f, &family, &gates, &config, trouble) && engines_build(&config, trouble);
    engines_discard(&config);
  }
  return good;
}

bool system_model_object(const system_options_t *options, unsigned f, char *path) {
  engines_config_t config;
  engines_gates_t gates = {0};
  trouble_t trouble = {0};
  system_family_t family;
  if (!system_family(&options->composition, f, &family) ||
      !system_engines_of(options, f, &family, &gates, &config, &trouble))
    return false;
  const bool found = engines_object(&config, ENGINE_MODEL, path, &trouble);
  engines_discard(&config);
  return found;
}
