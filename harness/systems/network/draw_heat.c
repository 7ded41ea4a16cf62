/* SPDX-License-Identifier: Apache-2.0
 *
 * Heat maps. The two directions of a link are drawn side by side, as traffic that keeps right. A
 * critical pair is a bow over its router, from the link that comes in to the link that goes out:
 *
 *      M1 ---> \      / ---> M2
 *               \ M0 /
 *                `--'
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

enum { BOW_STEPS = 16 };

typedef struct heat {
  const topology_t *t;
  const network_look_t *look;
  uint64_t cycles; /* in which its links were counted */
  bool load;       /* flits that went, not those that could not */
  draw_place_t *place;
  double x0, x1, y0, y1; /* what is seen */
  double radius, aside;  /* of a router; of a link from the line between centres */
  double most;           /* share of cycles, the end of the scale */
  FILE *out;
} heat_t;

/* Bounds of the picture with a margin, and the sizes of routers and gaps, in units of the layout.
 */
static void frame_layout(heat_t *h) {
  h->x0 = h->y0 = HUGE_VAL, h->x1 = h->y1 = -HUGE_VAL;
  for (unsigned r = 0; r < h->t->routers; r++) {
    h->x0 = fmin(h->x0, h->place[r].x), h->x1 = fmax(h->x1, h->place[r].x);
    h->y0 = fmin(h->y0, h->place[r].y), h->y1 = fmax(h->y1, h->place[r].y);
  }
  h->radius = 0.2, h->aside = 0.075;
  h->x0 -= 0.6, h->x1 += 0.6, h->y0 -= 0.6, h->y1 += 0.6;
}

static double share_of(uint64_t part, uint64_t cycles) {
  return cycles ? (double)part / (double)cycles : 0;
}

static double link_share(const heat_t *h, const network_link_t *l) {
  return share_of(h->load ? l->flits : l->stalls, h->cycles);
}

double draw_heat_most(const network_look_t *look, uint64_t cycles) {
  double most = 0;
  for (unsigned i = 0; i < look->router_links; i++) most = fmax(most, share_of(look->link[i].stalls, cycles));
  return most;
}

/* The two ends of a link's arrow: at the rims of both routers, shifted to the right of its
 * direction. */
static void link_ends(const heat_t *h, unsigned from, unsigned to, draw_place_t *a, draw_place_t *b) {
  draw_place_t p = h->place[from], q = h->place[to];
  double dx = q.x - p.x, dy = q.y - p.y, length = fmax(hypot(dx, dy), 1e-6);
  dx /= length, dy /= length;
  double gap = sqrt(fmax(h->radius * h->radius - h->aside * h->aside, 0)) + 0.01;
  *a = (draw_place_t){p.x + dx * gap + dy * h->aside, p.y + dy * gap - dx * h->aside};
  *b = (draw_place_t){q.x - dx * gap + dy * h->aside, q.y - dy * gap - dx * h->aside};
}

/* a at f = 0, b at f = 1. */
static draw_place_t point_between(draw_place_t a, draw_place_t b, double f) {
  return (draw_place_t){a.x + (b.x - a.x) * f, a.y + (b.y - a.y) * f};
}

static void write_links(const heat_t *h) {
  fprintf(h->out, "$links << END\n");
  for (unsigned i = 0; i < h->look->router_links; i++) {
    const network_link_t *l = &h->look->link[i];
    draw_place_t a, b;
    link_ends(h, l->router, l->peer, &a, &b);
    fprintf(h->out, "%.4f %.4f %.4f %.4f %.4f\n", a.x, a.y, b.x - a.x, b.y - a.y, 100 * link_share(h, l));
  }
  fprintf(h->out, "END\n");
}

static void write_routers(const heat_t *h) {
  fprintf(h->out, "$routers << END\n");
  for (unsigned r = 0; r < h->t->routers; r++) {
    char name[32];
    fprintf(h->out, "%.4f %.4f %.4f \"%s\"\n", h->place[r].x, h->place[r].y, h->radius,
            draw_plain(h->t->name[r], name, sizeof name));
  }
  fprintf(h->out, "END\n");
}

/* From the middle of the link in, over the router by a cubic Bezier curve, to the middle of the
 * link out. Where a pair's other side is a terminal, the bow begins or ends at the router. */
static void write_bow(const heat_t *h, const critical_pair_t *pair) {
  const topology_port_t *in = topology_port(h->t, pair->router, pair->in),
                        *out = topology_port(h->t, pair->router, pair->out);
  draw_place_t centre = h->place[pair->router], a = centre, b = centre, c = centre, d = centre;
  if (in->kind == PORT_LINK) link_ends(h, in->peer, pair->router, &a, &b);
  if (out->kind == PORT_LINK) link_ends(h, pair->router, out->peer, &c, &d);
  draw_place_t from = point_between(a, b, 0.7), to = point_between(c, d, 0.3), in_bend = point_between(b, centre, 0.6),
               out_bend = point_between(c, centre, 0.6);
  draw_place_t start = point_between(a, b, 0.5), end = point_between(c, d, 0.45);
  fprintf(h->out, "%.4f %.4f\n", start.x, start.y);
  for (unsigned i = 0; i <= BOW_STEPS; i++) {
    double f = (double)i / BOW_STEPS;
    draw_place_t x = point_between(from, in_bend, f), y = point_between(in_bend, out_bend, f),
                 z = point_between(out_bend, to, f);
    draw_place_t p = point_between(point_between(x, y, f), point_between(y, z, f), f);
    fprintf(h->out, "%.4f %.4f\n", p.x, p.y);
  }
  fprintf(h->out, "%.4f %.4f\n\n\n", end.x, end.y);
}

/* $pairs: the bows; $heads: an arrow head at each bow's end. */
static void write_pairs(const heat_t *h) {
  fprintf(h->out, "$pairs << END\n");
  for (unsigned i = 0; i < h->look->pairs; i++) write_bow(h, &h->look->pair[i]);
  fprintf(h->out, "END\n$heads << END\n");
  for (unsigned i = 0; i < h->look->pairs; i++) {
    const critical_pair_t *pair = &h->look->pair[i];
    const topology_port_t *out = topology_port(h->t, pair->router, pair->out);
    draw_place_t c, d;
    if (out->kind != PORT_LINK) continue;
    link_ends(h, pair->router, out->peer, &c, &d);
    draw_place_t from = point_between(c, d, 0.40), to = point_between(c, d, 0.48);
    fprintf(h->out, "%.4f %.4f %.4f %.4f\n", from.x, from.y, to.x - from.x, to.y - from.y);
  }
  fprintf(h->out, "END\n");
}

/* At most 170. A wide layout gets fewer, so that the picture stays within about 1500 x 1100 pixels.
 */
static double pixels_per_unit(const heat_t *h) {
  double unit = fmin(1500 / (h->x1 - h->x0), 1100 / (h->y1 - h->y0));
  return fmin(unit, 170);
}

/* The script behind the data: title, colours, scale, and the layers from links to names. */
static void write_plot(const heat_t *h, const char *title) {
  double unit = pixels_per_unit(h), shaft = fmax(1, unit / 28);
  bool pairs = h->look->pairs > 0 && !h->load, heads = false, names = unit > 40;
  for (unsigned i = 0; i < h->look->pairs && pairs; i++)
    heads = heads || topology_port(h->t, h->look->pair[i].router, h->look->pair[i].out)->kind == PORT_LINK;
  fprintf(h->out, "set xrange [%.3f:%.3f]\nset yrange [%.3f:%.3f]\nset size ratio -1\n", h->x0, h->x1, h->y0, h->y1);
  fprintf(h->out, "unset border\nunset tics\n");
  fprintf(h->out, "set title \"%s\" font ',14'\n", title);
  fprintf(h->out, "set palette defined (%s)\n",
          h->load ? "0 '#d8dce0', 0.1 '#c6dbef', 0.45 '#4292c6', 1 '#08306b'"
                  : "0 '#d8dce0', 0.1 '#ffe08a', 0.45 '#fd8d3c', 1 '#a50026'");
  fprintf(h->out, "set cbrange [0:%.4f]\n", fmax(1, 100 * h->most)); /* less than 1 % is not heat */
  fprintf(h->out,
          "set rmargin at screen 0.8\nset cblabel 'cycles in which a flit %s, %%' offset 1\nset cbtics\n"
          "set style fill solid 1.0\n",
          h->load ? "went" : "could not go");
  fprintf(h->out, "%s\n", pairs ? "set key below" : "unset key");
  fprintf(h->out, "plot $links using 1:2:3:4:5 with vectors head filled size graph %.4f,20 lw %.1f lc palette notitle",
          2.5 * shaft / (unit * (h->x1 - h->x0)), shaft);
  fprintf(h->out,
          ", $routers using 1:2:3 with circles fc rgb '#f4f6f8' fs solid border lc rgb '#30343a' lw 1.5 notitle");
  if (pairs)
    fprintf(h->out, ", $pairs using 1:2 with lines lc rgb '#1040a0' lw %.1f title 'critical pair: from link to link'",
            fmax(1.2, shaft / 2));
  if (heads)
    fprintf(h->out,
            ", $heads using 1:2:3:4 with vectors head filled size graph 0.012,25 lc rgb '#1040a0' lw %.1f notitle",
            fmax(1.2, shaft / 2));
  if (names) fprintf(h->out, ", $routers using 1:2:4 with labels font ',%d' notitle", unit > 90 ? 13 : 8);
  fprintf(h->out, "\n");
}

static bool prepare_heat(heat_t *h) {
  h->place = calloc(h->t->routers, sizeof *h->place);
  if (!h->place) return false;
  draw_layout(h->t, h->place);
  frame_layout(h);
  return true;
}

static void write_table(FILE *out, const void *context) {
  const draw_heat_t *d = context;
  fprintf(out, "from,to,port,flits,stalls,flit_share,stall_share,critical,width_divisor\n");
  for (unsigned i = 0; i < d->look->router_links; i++) {
    const network_link_t *l = &d->look->link[i];
    fprintf(out, "%s,%s,%u,%llu,%llu,%.6g,%.6g,%d,%u\n", d->topology->name[l->router], d->topology->name[l->peer],
            l->port, (unsigned long long)l->flits, (unsigned long long)l->stalls, share_of(l->flits, d->cycles),
            share_of(l->stalls, d->cycles), l->critical, l->width);
  }
}

static void write_pictures(heat_t *h, const char *folder, const draw_heat_t *d) {
  char title[256], place[1024];
  const double unit = pixels_per_unit(h);
  const unsigned width = (unsigned)fmax(640, unit * (h->x1 - h->x0) + 230),
                 height = (unsigned)fmax(420, unit * (h->y1 - h->y0) + 110);
  draw_plain(d->title, title, sizeof title);
  draw_plain(folder, place, sizeof place);
  write_links(h);
  write_routers(h);
  write_pairs(h);
  for (const char *const *kind = draw_kinds; *kind; kind++) {
    draw_output(h->out, width, height, "%s/%s%s.%s", place, d->name, h->load ? "-load" : "", *kind);
    write_plot(h, title);
  }
}

/* The share of cycles at the end of the scale. */
static double scale_end(const draw_heat_t *d, bool load) {
  if (load) return 1;
  return d->most > 0 ? d->most : draw_heat_most(d->look, d->cycles);
}

static bool draw_one(const char *folder, const draw_heat_t *d, bool load, trouble_t *trouble) {
  heat_t h = {.t = d->topology, .look = d->look, .cycles = d->cycles, .load = load, .most = scale_end(d, load)};
  if (!prepare_heat(&h)) return trouble_memory(trouble);
  if ((h.out = draw_open())) write_pictures(&h, folder, d);
  free(h.place);
  return h.out ? draw_close(h.out, trouble) : draw_no_gnuplot(trouble);
}

bool draw_heat(const char *folder, const draw_heat_t *d, trouble_t *trouble) {
  return draw_one(folder, d, false, trouble) && draw_one(folder, d, true, trouble) &&
         draw_csv(folder, d->name, write_table, d, trouble);
}
