/* SPDX-License-Identifier: Apache-2.0
 *
 * The map of Fig. 5 of the NUPIM paper: routers, critical paths, and links coloured by
 * congestion. A link's colour says in which share of cycles a flit could not go on. The two
 * directions of a link are side by side, as in traffic on the right.
 */
#include "page.h"

#include "draw.h"
#include "html.h"
#include "topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, UNIT = 100, SHADES = 5, PATHS = 6, NAME = 16 };

typedef struct {
  FILE *out;
  char name[MOST][NAME];
  size_t routers;
  draw_place_t place[MOST];
  double x0, y0, width, height, radius, hottest;
} heat_t;

/* The router's number; -1: unknown, or the map is full. add: a new name gets a number. */
static int router_index(heat_t *h, const char *name, bool add) {
  for (size_t i = 0; i < h->routers; i++)
    if (strncmp(h->name[i], name, NAME - 1) == 0) return (int)i;
  if (!add || h->routers == MOST) return -1;
  snprintf(h->name[h->routers], NAME, "%s", name);
  return (int)h->routers++;
}

/* Links between routers; those to terminals are not drawn. */
static bool is_link(const json_t *link) {
  return !fact_true(link, "terminal") && fact_text(link, "from") && fact_text(link, "to");
}

/* ---- where routers are ---- */

/* What is before the ':' is the name of a form, so that no file is meant. */
static bool is_form(const char *spec) {
#define NAME(name, form, example) name,
  static const char *const names[] = {TOPOLOGY_FORMS(NAME)};
  const size_t length = strcspn(spec, ":");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && !strncmp(spec, names[i], length)) return true;
  return false;
}

/* Places the routers of a topology that its name describes. A topology from a file may be on
 * another machine: its links describe it again (place_by_links). */
static bool place_by_name(heat_t *h, const char *spec) {
  static draw_place_t place[TOPOLOGY_MAX_ROUTERS];
  topology_t t;
  trouble_t trouble = {0};
  if (!spec || !is_form(spec) || !topology_parse(&t, spec, &trouble)) return false;
  draw_layout(&t, place);
  for (unsigned r = 0; r < t.routers; r++) {
    int at = router_index(h, t.name[r], false);
    if (at >= 0) h->place[at] = place[r];
  }
  topology_free(&t);
  return true;
}

/* Gives the layout a topology with one port for each pair of routers. Only the links count
 * there. */
static void place_by_links(heat_t *h, const json_t *links) {
  topology_t t = {.kind = TOPOLOGY_FILE, .routers = (unsigned)h->routers, .ports = (unsigned)h->routers};
  size_t i;
  const json_t *link;
  t.port = calloc(h->routers * h->routers, sizeof *t.port);
  if (!t.port) return;
  json_array_foreach(links, i, link) {
    int from = is_link(link) ? router_index(h, fact_text(link, "from"), false) : -1,
        to = from >= 0 ? router_index(h, fact_text(link, "to"), false) : -1;
    if (to >= 0)
      t.port[(size_t)from * h->routers + (size_t)to] = (topology_port_t){.kind = PORT_LINK, .peer = (uint16_t)to};
  }
  draw_layout(&t, h->place);
  free(t.port);
}

/* Turns y upwards, and fits the frame around the routers. */
static void set_frame(heat_t *h) {
  double x1 = -HUGE_VAL, y1 = -HUGE_VAL;
  h->x0 = h->y0 = HUGE_VAL;
  for (size_t r = 0; r < h->routers; r++) {
    h->place[r].y = -h->place[r].y; /* up is up */
    h->x0 = fmin(h->x0, h->place[r].x), x1 = fmax(x1, h->place[r].x);
    h->y0 = fmin(h->y0, h->place[r].y), y1 = fmax(y1, h->place[r].y);
  }
  h->radius = 0.22;
  h->x0 -= 0.45, h->y0 -= 0.45;
  h->width = fmax(x1 - h->x0 + 0.45, 2.4), h->height = y1 - h->y0 + 0.45;
}

/* ---- drawing ---- */

static double px(const heat_t *h, double x) {
  return (x - h->x0) * UNIT;
}
static double py(const heat_t *h, double y) {
  return (y - h->y0) * UNIT;
}

/* Where a link's arrow begins and ends, to the right of the line between the routers. */
static void arrow_ends(const heat_t *h, int from, int to, draw_place_t *a, draw_place_t *b) {
  const double aside = 0.075;
  draw_place_t p = h->place[from], q = h->place[to];
  double dx = q.x - p.x, dy = q.y - p.y, length = fmax(hypot(dx, dy), 1e-6),
         gap = sqrt(h->radius * h->radius - aside * aside) + 0.02;
  dx /= length, dy /= length;
  *a = (draw_place_t){p.x + dx * gap - dy * aside, p.y + dy * gap + dx * aside};
  *b = (draw_place_t){q.x - dx * (gap + 0.06) - dy * aside, q.y - dy * (gap + 0.06) + dx * aside};
}

/* From which share of the hottest link's each shade is. */
static const double shade_from[SHADES] = {0, 0.02, 0.1, 0.35, 0.7};

/* 0 is cold, SHADES - 1 is hottest. A hottest link under 1 % does not count as hot. */
static int heat_class(const heat_t *h, double share) {
  double part = share / fmax(h->hottest, 0.01);
  int i = 0;
  while (i + 1 < SHADES && !(part < shade_from[i + 1])) i++;
  return i;
}

/* A line as wide as the link, with a tip and the exact share as its title. */
static void draw_link(const heat_t *h, const json_t *link, int from, int to) {
  draw_place_t a, b;
  double share = fact_number(link, "stall_rate"), divisor = fact_number(link, "width_divisor");
  arrow_ends(h, from, to, &a, &b);
  double dx = b.x - a.x, dy = b.y - a.y, length = fmax(hypot(dx, dy), 1e-6), ux = dx / length * UNIT,
         uy = dy / length * UNIT;
  html(h->out, "<path class=\"heat%d\" d=\"M%.1f %.1fL%.1f %.1f\" stroke-width=\"%.1f\"/>", heat_class(h, share),
       px(h, a.x), py(h, a.y), px(h, b.x), py(h, b.y), divisor > 1 ? 5.0 / divisor + 1 : 6.0);
  html(h->out,
       "<path class=\"heat%d tip\" d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fz\"><title>%s to %s: %.1f %% of cycles without a "
       "credit</title></path>\n",
       heat_class(h, share), px(h, b.x) + ux * 0.07, py(h, b.y) + uy * 0.07, -ux * 0.12 - uy * 0.06,
       -uy * 0.12 + ux * 0.06, uy * 0.12, -ux * 0.12, fact_text(link, "from"), fact_text(link, "to"),
       100 * (isfinite(share) ? share : 0));
}

/* A link from a router to itself has no direction, so it is left out. */
static void draw_links(heat_t *h, const json_t *list) {
  size_t i;
  const json_t *link;
  json_array_foreach(list, i, link) {
    int from = is_link(link) ? router_index(h, fact_text(link, "from"), false) : -1,
        to = from >= 0 ? router_index(h, fact_text(link, "to"), false) : -1;
    if (to >= 0 && to != from) draw_link(h, link, from, to);
  }
}

/* The first PATHS paths, bent around their routers. */
static void draw_critical_paths(heat_t *h, const json_t *run) {
  size_t i, k;
  const json_t *path, *hop;
  json_array_foreach(json_object_get(run, "critical_paths"), i, path) {
    if (i == PATHS) break;
    json_array_foreach(json_object_get(path, "hops"), k, hop) {
      const char *names[3] = {fact_text(hop, "from"), fact_text(hop, "router"), fact_text(hop, "to")};
      int at[3];
      for (int n = 0; n < 3; n++) at[n] = names[n] ? router_index(h, names[n], false) : -1;
      if (at[0] < 0 || at[1] < 0 || at[2] < 0 || at[0] == at[1] || at[1] == at[2]) continue;
      draw_place_t a, b, c, d, m = h->place[at[1]];
      arrow_ends(h, at[0], at[1], &a, &b);
      arrow_ends(h, at[1], at[2], &c, &d);
      html(h->out, "<path class=\"pair\" d=\"M%.1f %.1fL%.1f %.1fQ%.1f %.1f %.1f %.1fL%.1f %.1f\"/>\n",
           px(h, (a.x + b.x) / 2), py(h, (a.y + b.y) / 2), px(h, b.x), py(h, b.y), px(h, m.x), py(h, m.y), px(h, c.x),
           py(h, c.y), px(h, (c.x + d.x) / 2), py(h, (c.y + d.y) / 2));
    }
  }
}

/* Routers come last, over the links' ends. */
static void draw_routers(const heat_t *h) {
  for (size_t r = 0; r < h->routers; r++) {
    html(h->out, "<circle class=\"router\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", px(h, h->place[r].x),
         py(h, h->place[r].y), h->radius * UNIT);
    html(h->out, "<text class=\"router\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
         px(h, h->place[r].x), py(h, h->place[r].y) + 5.5, h->name[r]);
  }
}

static void draw_scale(const heat_t *h) {
  html(h->out, "<ul class=\"legend\">");
  for (int i = 0; i < SHADES; i++)
    html(h->out, "<li><i class=\"heat%d\"></i>%s %.2g %%</li>", i, i ? "from" : "under",
         100 * fmax(h->hottest, 0.01) * (i ? shade_from[i] : shade_from[1]));
  html(h->out, "<li class=\"note\">of cycles in which a flit could not go</li></ul>\n");
}

/* Shades are shares of the hottest link, so that a lightly loaded network also shows where it is
 * busiest. The scale below the map says the percentages. */
bool heat_draw(FILE *out, const json_t *network, const json_t *run) {
  static heat_t h;
  size_t i;
  const json_t *link, *list = fact_list(run, "links");
  h = (heat_t){.out = out};
  json_array_foreach(list, i, link) {
    if (!is_link(link)) continue;
    if (router_index(&h, fact_text(link, "from"), true) < 0 || router_index(&h, fact_text(link, "to"), true) < 0)
      return false;
    double share = fact_number(link, "stall_rate");
    if (isfinite(share)) h.hottest = fmax(h.hottest, fmin(share, 1));
  }
  if (h.routers < 2) return false;
  if (!place_by_name(&h, fact_text(network, "topology"))) place_by_links(&h, list);
  set_frame(&h);
  html(out, "<svg class=\"map\" role=\"img\" viewBox=\"0 0 %.0f %.0f\"><title>Congestion of %s</title>", h.width * UNIT,
       h.height * UNIT, fact_text(network, "topology"));
  html(out, "<desc>Routers and links; links are darker the more often a flit on them could not go. Lines over them: "
            "critical paths.</desc>\n");
  draw_links(&h, list);
  draw_critical_paths(&h, run);
  draw_routers(&h);
  html(out, "</svg>\n");
  draw_scale(&h);
  return true;
}
