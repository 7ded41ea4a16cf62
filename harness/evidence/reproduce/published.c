/* SPDX-License-Identifier: Apache-2.0
 *
 * The list, and how to find a figure in it.
 */
#include "published.h"

#include <stddef.h>
#include <string.h>

const published_t published[] = {
#define PUBLISHED(...) {__VA_ARGS__},
#include "published.def"
};
const unsigned published_count = sizeof published / sizeof *published;

const published_t *published_find(const char *id) {
  for (unsigned i = 0; i < published_count; i++)
    if (!strcmp(published[i].id, id)) return &published[i];
  return NULL;
}

bool published_system(const char *system) {
  for (unsigned i = 0; i < published_count; i++)
    if (!strcmp(published[i].system, system)) return true;
  return false;
}
