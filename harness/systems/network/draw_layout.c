/* SPDX-License-Identifier: Apache-2.0
 *
 * Places of routers in a picture, by kind of topology.
 */
#include <math.h>
#include <stdlib.h>

#include "draw.h"

static const double full_circle = 6.283185307179586;

static void lay_mesh(const topology_t *t, draw_place_t *place) {
  for (unsigned r = 0; r < t->routers; r++) place[r] = (draw_place_t){r % t->width, -(double)(r / t->width)};
}

static void lay_circle(const topology_t *t, draw_place_t *place) {
  const double radius = fmax(0.5, t->routers / full_circle);
  for (unsigned r = 0; r < t->routers; r++)
    place[r] = (draw_place_t){radius * cos(full_circle * r / t->routers), radius * sin(full_circle * r / t->routers)};
}

/* A ring as a circle. Two dimensions as a grid, and further ones as grids side by side. */
static void lay_torus(const topology_t *t, draw_place_t *place) {
  if (t->dims == 1) {
    lay_circle(t, place);
    return;
  }
  const unsigned width = t->size[0], height = t->size[1];
  for (unsigned r = 0; r < t->routers; r++) {
    const unsigned grid = r / (width * height);
    place[r] = (draw_place_t){r % width + (double)grid * (width + 1), -(double)(r / width % height)};
  }
}

/* Three dimensions make a cube in the usual slanted view. The next three make a cube of such
 * cubes at twice the scale. */
static void lay_hypercube(const topology_t *t, draw_place_t *place) {
  static const draw_place_t way[3] = {{1.5, 0}, {0, 1.5}, {0.62, 0.52}};
  for (unsigned r = 0; r < t->routers; r++) {
    place[r] = (draw_place_t){0, 0};
    for (unsigned d = 0; d < t->dims; d++) {
      double scale = pow(2.0, d / 3);
      if (r >> d & 1) place[r].x += way[d % 3].x * scale, place[r].y += way[d % 3].y * scale;
    }
  }
}

/* ---- trees: each router gets a share of the circle by its leaves ---- */

typedef struct tree_lay {
  const topology_t *t;
  unsigned leaves[TOPOLOGY_MAX_ROUTERS], depth[TOPOLOGY_MAX_ROUTERS], deepest;
  double from[TOPOLOGY_MAX_ROUTERS], share[TOPOLOGY_MAX_ROUTERS], taken[TOPOLOGY_MAX_ROUTERS];
} tree_lay_t;

/* Each router gets a share of the circle in proportion to its leaves. Parents have lower numbers
 * than their children: a loop downwards adds up leaves, loops upwards place the routers. */
static void lay_tree(const topology_t *t, draw_place_t *place) {
  static tree_lay_t lay;
  lay = (tree_lay_t){.t = t};
  for (unsigned r = t->routers; r-- > 0;) {
    if (!lay.leaves[r]) lay.leaves[r] = 1;
    if (r) lay.leaves[t->parent[r]] += lay.leaves[r];
  }
  double ring = lay.leaves[0] * 0.9 / full_circle;
  for (unsigned r = 1; r < t->routers; r++) {
    lay.depth[r] = lay.depth[t->parent[r]] + 1;
    if (lay.depth[r] > lay.deepest) lay.deepest = lay.depth[r];
  }
  ring = lay.deepest ? fmax(1.3, ring / lay.deepest) : 1;
  lay.from[0] = full_circle / 4;
  lay.share[0] = full_circle;
  place[0] = (draw_place_t){0, 0};
  for (unsigned r = 1; r < t->routers; r++) {
    unsigned above = t->parent[r];
    lay.share[r] = lay.share[above] * lay.leaves[r] / lay.leaves[above];
    lay.from[r] = lay.from[above] - lay.taken[above];
    lay.taken[above] += lay.share[r];
    double angle = lay.from[r] - lay.share[r] / 2, radius = ring * lay.depth[r];
    place[r] = (draw_place_t){radius * cos(angle), radius * sin(angle)};
  }
}

/* ---- anything else: springs along links, all routers
 * push each other away (Fruchterman, Reingold) */

static void push_apart(draw_place_t *force, const draw_place_t *place, unsigned a, unsigned b) {
  double dx = place[a].x - place[b].x, dy = place[a].y - place[b].y, square = fmax(dx * dx + dy * dy, 1e-4);
  force[a].x += dx / square, force[a].y += dy / square;
  force[b].x -= dx / square, force[b].y -= dy / square;
}

static void pull_towards(draw_place_t *force, const draw_place_t *place, unsigned a, unsigned b) {
  double dx = place[b].x - place[a].x, dy = place[b].y - place[a].y, length = sqrt(dx * dx + dy * dy);
  force[a].x += dx * length, force[a].y += dy * length;
}

/* The step shrinks to 0, so that the layout comes to rest. */
static void lay_springs(const topology_t *t, draw_place_t *place) {
  enum { STEPS = 300 };
  draw_place_t *force = calloc(t->routers, sizeof *force);
  double radius = 0.3 * sqrt(t->routers) + 0.5;
  for (unsigned r = 0; r < t->routers; r++)
    place[r] = (draw_place_t){radius * cos(full_circle * r / t->routers), radius * sin(full_circle * r / t->routers)};
  for (unsigned step = 0; force && step < STEPS; step++) {
    double most = 0.3 * (1 - (double)step / STEPS);
    for (unsigned a = 0; a < t->routers; a++) {
      for (unsigned b = a + 1; b < t->routers; b++) push_apart(force, place, a, b);
      for (unsigned p = 0; p < t->ports; p++)
        if (topology_port(t, a, p)->kind == PORT_LINK) pull_towards(force, place, a, topology_port(t, a, p)->peer);
    }
    for (unsigned r = 0; r < t->routers; r++) {
      double length = hypot(force[r].x, force[r].y), scale = length > most ? most / length : 1;
      place[r].x += force[r].x * scale, place[r].y += force[r].y * scale;
      force[r] = (draw_place_t){0, 0};
    }
  }
  free(force);
}

void draw_layout(const topology_t *t, draw_place_t *place) {
  switch (t->kind) {
  case TOPOLOGY_MESH: lay_mesh(t, place); break;
  case TOPOLOGY_TORUS: lay_torus(t, place); break;
  case TOPOLOGY_HYPERCUBE: lay_hypercube(t, place); break;
  case TOPOLOGY_FULL: lay_circle(t, place); break;
  case TOPOLOGY_TREE: lay_tree(t, place); break;
  case TOPOLOGY_FILE: lay_springs(t, place); break;
  }
}
