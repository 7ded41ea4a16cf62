/* SPDX-License-Identifier: Apache-2.0
 *
 * A system as a file: parts, what is linked to what, clocks, values.
 *
 *   help: one line
 *   parts:
 *     gpu: {part: gpu}
 *     stack: {part: stack, count: net}               as many as net has terminals; or a number; 1
 *                                                    if nothing is said
 *     slow: {part: nsu, count: 4, clocks: {nsu: half}}   its clock nsu is the domain half
 *   links:
 *     - gpu.link - stack.gpu                         connection k of the one with connection k of
 *                                                    the other
 *     - slow.port - stack.logic[4-7]                 some of them; a stack's logic layer takes any
 *                                                    number of links
 *   clocks: {core: 700 MHz, dram: 1.5 ns, half: 175 MHz}
 *   rival: baseline                                  runs beside it for comparison: a system's
 *                                                    name, or a file as seen from this one
 *   gpu: {sms: 64}                                   and values of the parts' keys, by section
 *
 *   composition_t c;
 *   if (!composition_load(&c, path, &trouble)) ...   then any number of
 *   composition_values_of(&c, path, false, &trouble), composition_set(&c, "gpu.sms", "8",
 *   &trouble), and last if (!composition_settle(&c, &trouble)) ...
 *
 * Errors name file, line and column (or the setting), what is wrong and what would be right.
 */
#ifndef COMPOSITION_H
#define COMPOSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config.h"

enum {
  COMPOSITION_PARTS = 16,
  COMPOSITION_LINKS = 32,
  COMPOSITION_DOMAINS = 8,
  COMPOSITION_NAME = 32,
  COMPOSITION_PATH = 1024,
  COMPOSITION_HELP = 160,
  COMPOSITION_INSTANCES = 256,
  COMPOSITION_VALUES = 2048,
  COMPOSITION_CLOCKS = 3
};

typedef struct part_kind part_kind_t;

typedef struct {
  unsigned line, column;
} composition_place_t;

typedef struct {
  char name[COMPOSITION_NAME];
  const part_kind_t *kind;
  char counted[COMPOSITION_NAME];                   /* the text in the file: a number or a part's name */
  unsigned count;                                   /* instances; known after composition_settle */
  char clock[COMPOSITION_CLOCKS][COMPOSITION_NAME]; /* the domain of each of its kind's clocks */
  composition_place_t place;
} composition_part_t;

typedef struct {
  unsigned part, port;
  int first, last; /* -1 is all of them; a range after composition_settle */
} composition_end_t;

typedef struct {
  composition_end_t user, offer;
  composition_place_t place;
} composition_link_t;

typedef struct {
  char name[COMPOSITION_NAME], text[COMPOSITION_NAME]; /* "core", "700 MHz" */
  uint64_t num, den;                                   /* the period is num / den ns */
  composition_place_t place;
} composition_domain_t;

typedef struct composition {
  char name[COMPOSITION_NAME]; /* "nsu": the file's name without its ending */
  char path[COMPOSITION_PATH], help[COMPOSITION_HELP];
  char rival[COMPOSITION_PATH]; /* a system's name or a file; "": none */
  composition_place_t rival_place;
  unsigned parts, links, domains;
  composition_part_t part[COMPOSITION_PARTS];
  composition_link_t link[COMPOSITION_LINKS];
  composition_domain_t domain[COMPOSITION_DOMAINS];
#define KEYS_AS_FIELDS
#include "key_list.h"
#include "system_keys.def"
  _Alignas(16) unsigned char values[COMPOSITION_VALUES]; /* a struct for each kind, one behind the other */
} composition_t;

/* Reads a system's own file. Values start as the kinds' defaults. False: bad input. */
bool composition_load(composition_t *c, const char *path, trouble_t *trouble);
/* Reads a file of values and clocks alone. skip_unknown: keys that this system does not have are
 * left out; else they are bad input. */
bool composition_values_of(composition_t *c, const char *path, bool skip_unknown, trouble_t *trouble);
/* Sets a key, "gpu.sms", or a clock, "clocks.core", from text. */
bool composition_set(composition_t *c, const char *key, const char *value, trouble_t *trouble);
/* Resolves counts, links and clocks, then lets each part settle its values. False: something does
 * not fit together. */
bool composition_settle(composition_t *c, trouble_t *trouble);

/* Loads the rival. systems: the folder with the files of systems that have a name. */
bool composition_rival(const composition_t *c, const char *systems, composition_t *rival, trouble_t *trouble);

/* Is this a key or a clock of this system? */
bool composition_knows(const composition_t *c, const char *key);

/* Key number i of this composition, in the order of its parts, and the struct of its values. NULL:
 * no more keys. */
const config_key_t *composition_key(const composition_t *c, unsigned i, const void **values);

/* Writes a file that composition_load takes, each value with its meaning as a comment. */
void composition_print(const composition_t *c, FILE *out);

/* ---- for parts ---- */

/* Values of a kind, a struct of kind->values_size bytes. NULL: the composition has no such part. */
void *composition_kind_values(composition_t *c, const part_kind_t *kind);
const void *composition_kind_values_const(const composition_t *c, const part_kind_t *kind);
unsigned composition_number(const composition_t *c, unsigned part);                     /* what `count: PART` gives */
unsigned composition_connections(const composition_t *c, unsigned part, unsigned port); /* linked connections */
double composition_mhz(const composition_t *c, unsigned part, unsigned clock);
/* The clock has the domain of the one that it is `like`, because the composition says nothing else.
 */
bool composition_clock_follows(const composition_t *c, unsigned part, unsigned clock);
unsigned composition_domain(const composition_t *c, const char *name); /* COMPOSITION_DOMAINS: none */

/* The other end of a connection. False: it is not linked. Where several links share the connection,
 * the peer is the first one's. */
bool composition_peer(const composition_t *c, unsigned part, unsigned port, unsigned connection, unsigned *peer,
                      unsigned *peer_port, unsigned *peer_connection);

/* How many links are at a connection that is offered; more than one only at a shared port.
 * composition_which: which of these a user's connection is, from 0, in the order of the file. */
unsigned composition_sharers(const composition_t *c, unsigned part, unsigned port, unsigned connection);
unsigned composition_which(const composition_t *c, unsigned part, unsigned port, unsigned connection);

/* All kinds, ends with NULL. */
extern const part_kind_t *const part_kinds[];

#endif
