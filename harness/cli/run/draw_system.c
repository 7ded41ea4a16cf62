/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of systems. A part stands in the column that is as far right as it is links away from
 * the part that takes kernels; links go from column to column; a colour is a clock.
 *
 *   column 0            column 1          column 2
 *   +-- gpu -----+      +-- net ----+     +-- stack ---+
 *   | host part  |------|           |-----|            |     thick line: many connections
 *   +------------+      +-----------+     +------------+     boxes behind: several of the part
 */
#include "draw_system.h"

#include <math.h>
#include <string.h>

#include "html.h"
#include "part.h"

/* Sizes in pixels. */
enum {
  BOX = 304,
  GAP = 190,
  BETWEEN = 40,
  MARGIN = 40,
  HEAD = 64,
  LINE = 22,
  TOP = 80,
  LEAST = 150,
  LEVEL = 4,
  TEXT = SYSTEM_NAME + 80
};

/* Where each part is; x and y are the box's upper left corner. */
typedef struct {
  const composition_t *c;
  unsigned column[COMPOSITION_PARTS], columns, height[COMPOSITION_PARTS];
  double x[COMPOSITION_PARTS], y[COMPOSITION_PARTS];
  double bottom;
} picture_t;

static const char *const colours[COMPOSITION_DOMAINS] = {"#3a6ea5", "#a3832a", "#3f8240", "#a5483a",
                                                         "#6a4c93", "#2a8f9c", "#7a7a2a", "#555555"};

/* ---- the same ends of a link in all three ---- */

/* An end of a link, as text and pictures have it: "stack.logic[4-7]"; without brackets if the end
 * is all of the port. */
static void end_text(const composition_t *c, const composition_end_t *end, char text[TEXT]) {
  const composition_part_t *part = &c->part[end->part];
  const part_port_t *port = &part->kind->port[end->port];
  const unsigned all = port->many ? composition_connections(c, end->part, end->port) : part->count;
  int used = snprintf(text, TEXT, "%s.%s", part->name, port->name);
  if (end->first == end->last && all > 1) snprintf(text + used, TEXT - (size_t)used, "[%d]", end->first);
  else if (end->first || end->last + 1 != (int)all)
    snprintf(text + used, TEXT - (size_t)used, "[%d-%d]", end->first, end->last);
}

/* How many connections a link stands for. */
static unsigned connections(const composition_link_t *link) {
  return (unsigned)(link->user.last - link->user.first + 1);
}

/* The clock domain that drives this clock of the part. */
static const composition_domain_t *domain_of(const composition_t *c, unsigned part, unsigned clock) {
  return &c->domain[composition_domain(c, c->part[part].clock[clock])];
}

/* Line i of the text in a part's box: "8 router: model, RTL or both", or "topology: hypercube:3" if
 * a text key decides the connections. Blocks without instances are left out. False: there are no
 * more lines. */
static bool line_text(const composition_t *c, unsigned part, unsigned i, char text[TEXT]) {
  const part_kind_t *kind = c->part[part].kind;
  char value[CONFIG_TEXT_SIZE];
  for (const part_family_t *f = kind->family; f && f->block; f++)
    if (f->count(c, part) && !i--)
      return snprintf(text, TEXT, "%u %s%s: model, RTL or both", f->count(c, part), f->block,
                      f->runs ? ", for firmware" : "") > 0;
  for (const config_key_t *key = kind->number ? kind->keys : NULL; key && key->key; key++) {
    if (key->type != CONFIG_TEXT || i--) continue;
    config_text(key, composition_kind_values_const(c, kind), value, sizeof value);
    return snprintf(text, TEXT, "%s: %.60s", strchr(key->key, '.') + 1, value) > 0;
  }
  return false;
}

/* ---- where things are ---- */

/* Puts b one column behind a if that is nearer than b was. False: nothing moved. */
static bool move_nearer(picture_t *p, unsigned a, unsigned b) {
  if (p->column[a] + 1 >= p->column[b]) return false;
  p->column[b] = p->column[a] + 1;
  return true;
}

/* Shortest distances from the host part, by relaxation until nothing moves. */
static void set_columns(picture_t *p) {
  const composition_t *c = p->c;
  for (unsigned i = 0; i < c->parts; i++) p->column[i] = c->part[i].kind->host ? 0 : COMPOSITION_PARTS;
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned i = 0; i < c->links; i++)
      moved |= move_nearer(p, c->link[i].user.part, c->link[i].offer.part) |
               move_nearer(p, c->link[i].offer.part, c->link[i].user.part);
  }
  for (unsigned i = 0; i < c->parts; i++) {
    if (p->column[i] == COMPOSITION_PARTS) p->column[i] = 0; /* linked with nothing */
    if (p->column[i] + 1 > p->columns) p->columns = p->column[i] + 1;
  }
}

/* The next of the part's clocks, from k on, whose domain none of its earlier clocks has; the number
 * of clocks: none. */
static unsigned next_clock(const composition_t *c, unsigned part, unsigned k) {
  for (; c->part[part].kind->clock[k].name; k++) {
    unsigned earlier = 0;
    while (earlier < k && domain_of(c, part, earlier) != domain_of(c, part, k)) earlier++;
    if (earlier == k) break;
  }
  return k;
}

/* The box's height, from its lines of text. */
static unsigned height_of(const composition_t *c, unsigned part) {
  char text[TEXT];
  unsigned lines = 0;
  for (unsigned k = 0; c->part[part].kind->clock[k = next_clock(c, part, k)].name; k++) lines++;
  for (unsigned f = 0; line_text(c, part, f, text); f++) lines++;
  return HEAD + LINE * lines;
}

/* Parts stand in rows as high as the tallest box; columns are centred on the longest one. */
static void set_places(picture_t *p) {
  const composition_t *c = p->c;
  unsigned rows[COMPOSITION_PARTS] = {0}, row[COMPOSITION_PARTS] = {0}, most = 0;
  double tallest = LEAST;
  for (unsigned i = 0; i < c->parts; i++) {
    p->height[i] = height_of(c, i);
    tallest = fmax(tallest, p->height[i]);
    if (++rows[p->column[i]] > most) most = rows[p->column[i]];
  }
  const double pitch = tallest + BETWEEN;
  for (unsigned i = 0; i < c->parts; i++) {
    p->x[i] = MARGIN + p->column[i] * (double)(BOX + GAP);
    p->y[i] = TOP + pitch * ((most - rows[p->column[i]]) / 2.0 + row[p->column[i]]++) + (tallest - p->height[i]) / 2.0;
  }
  p->bottom = TOP + pitch * (double)most;
}

/* ---- as a picture ---- */

/* A part: its name and text, its blocks, its clocks with their colours. Up to two boxes behind it
 * say that there are several. */
static void draw_box(const picture_t *p, unsigned i, FILE *out) {
  const composition_part_t *part = &p->c->part[i];
  char text[TEXT];
  for (int behind = part->count > 2 ? 2 : (int)part->count - 1; behind >= 0; behind--)
    html(out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%u\" rx=\"8\" fill=\"#ffffff\" stroke=\"#555555\"/>\n",
         p->x[i] + 5 * behind, p->y[i] - 5 * behind, BOX, p->height[i]);
  html(out, "<text class=\"t\" x=\"%.0f\" y=\"%.0f\">%s", p->x[i] + 14, p->y[i] + 26, part->name);
  if (part->count > 1) html(out, " \u00d7 %u", part->count);
  html(out, "</text>\n<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", p->x[i] + 14, p->y[i] + 46, part->kind->text);
  double y = p->y[i] + HEAD + 10;
  for (unsigned f = 0; line_text(p->c, i, f, text); f++, y += LINE)
    html(out, "<text class=\"b\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", p->x[i] + 14, y, text);
  for (unsigned k = 0; part->kind->clock[k = next_clock(p->c, i, k)].name; k++, y += LINE) {
    const composition_domain_t *d = domain_of(p->c, i, k);
    html(out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"10\" height=\"10\" rx=\"2\" fill=\"%s\"/>\n", p->x[i] + 14, y - 9,
         colours[d - p->c->domain]);
    html(out, "<text x=\"%.0f\" y=\"%.0f\">%s, %s</text>\n", p->x[i] + 30, y, d->name, d->text);
  }
}

/* The part at the other end of a link that touches `part`; `part` itself when the link does not,
 * or ends there twice. */
static unsigned other_part(const composition_link_t *link, unsigned part) {
  if (link->user.part == part) return link->offer.part;
  return link->offer.part == part ? link->user.part : part;
}

/* The height at which the link meets this side of the part: the links of a side share it evenly. */
static double place_at(const picture_t *p, const composition_link_t *link, unsigned part, bool right) {
  unsigned count = 0, which = 0;
  for (unsigned i = 0; i < p->c->links; i++) {
    const composition_link_t *l = &p->c->link[i];
    const unsigned other = other_part(l, part);
    if (other == part || (p->column[other] > p->column[part]) != right) continue;
    if (l == link) which = count;
    count++;
  }
  return p->y[part] + p->height[part] * (which + 1.0) / (count + 1.0);
}

/* Draws a link's line (labels false), or its labels. Labels are drawn when all lines are there, so
 * that no line crosses them. */
static void draw_link(const picture_t *p, const composition_link_t *link, bool labels, FILE *out) {
  const bool user_left = p->column[link->user.part] < p->column[link->offer.part];
  const composition_end_t *a = user_left ? &link->user : &link->offer, *b = user_left ? &link->offer : &link->user;
  char from[TEXT], to[TEXT];
  const double x1 = p->x[a->part] + BOX + (p->c->part[a->part].count > 1 ? 10 : 0), x2 = p->x[b->part];
  const double y1 = place_at(p, link, a->part, true), y2 = place_at(p, link, b->part, false), middle = (x1 + x2) / 2;
  if (!labels) {
    html(out,
         "<path d=\"M%.0f,%.0f C%.0f,%.0f %.0f,%.0f %.0f,%.0f\" fill=\"none\" stroke=\"#555555\" "
         "stroke-width=\"%.1f\"/>\n",
         x1, y1, middle, y1, middle, y2, x2, y2, connections(link) > 1 ? 3.0 : 1.5);
    return;
  }
  end_text(p->c, a, from);
  end_text(p->c, b, to);
  /* Labels stand where the line is not: the line comes to its end from above if it falls, and it is
   * steep in the middle unless it is level. */
  const bool falls = y2 > y1 + LEVEL, level = fabs(y2 - y1) <= LEVEL;
  int below = falls ? -2 : 12; /* the count's baseline, below the middle of the line */
  if (level) below = 18;
  html(out, "<text class=\"p\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", x1 + 8, y1 - 8, strchr(from, '.') + 1);
  html(out, "<text class=\"p\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n", x2 - 8, y2 + (falls ? 18 : -8),
       strchr(to, '.') + 1);
  if (connections(link) > 1)
    html(out, "<text class=\"p\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">\u00d7 %u</text>\n",
         level ? middle : middle + 14, (y1 + y2) / 2 + below, level ? "middle" : "start", connections(link));
}

void draw_system_svg(const composition_t *c, FILE *out) {
  picture_t p = {.c = c};
  set_columns(&p);
  set_places(&p);
  double width = 2 * MARGIN + p.columns * (double)BOX + (p.columns - 1) * (double)GAP + 12;
  if (width < 120 + 7.2 * (double)strlen(c->help)) width = 120 + 7.2 * (double)strlen(c->help);
  html(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\"", width,
       p.bottom + 30, width, p.bottom + 30);
  html(out, " font-family=\"sans-serif\" font-size=\"13\">\n");
  html(out, "<title>%s: %s</title>\n", c->name, c->help);
  html(
      out,
      "<style>text{fill:#222222}.t{font-size:16px;font-weight:600}.b{fill:#3a6ea5}.p{font-size:12px;fill:#666666;stroke:#ffffff;stroke-width:4px;"
      "paint-order:stroke}</style>\n");
  html(out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n", width, p.bottom + 30);
  html(out, "<text class=\"t\" x=\"%d\" y=\"36\">%s</text>\n<text x=\"%d\" y=\"56\">%s</text>\n", MARGIN, c->name,
       MARGIN, c->help);
  for (unsigned i = 0; i < 2 * c->links; i++) draw_link(&p, &c->link[i % c->links], i >= c->links, out);
  for (unsigned i = 0; i < c->parts; i++) draw_box(&p, i, out);
  if (*c->rival)
    html(out, "<text class=\"p\" x=\"%d\" y=\"%.0f\">compared with %s</text>\n", MARGIN, p.bottom + 10, c->rival);
  fprintf(out, "</svg>\n");
}

/* ---- as text ---- */

void draw_system_text(const composition_t *c, FILE *out) {
  char text[TEXT], other[TEXT];
  fprintf(out, "%s: %s\nparts\n", c->name, c->help);
  for (unsigned i = 0; i < c->parts; i++) {
    fprintf(out, "  %-12s %4u  %s", c->part[i].name, c->part[i].count, c->part[i].kind->text);
    for (unsigned f = 0; line_text(c, i, f, text); f++) fprintf(out, "; %s", text);
    fprintf(out, "\n");
  }
  fprintf(out, "links\n");
  for (unsigned i = 0; i < c->links; i++) {
    end_text(c, &c->link[i].user, text);
    end_text(c, &c->link[i].offer, other);
    fprintf(out, "  %-24s - %-24s %u\n", text, other, connections(&c->link[i]));
  }
  fprintf(out, "clocks\n");
  for (unsigned d = 0; d < c->domains; d++) fprintf(out, "  %-12s %s\n", c->domain[d].name, c->domain[d].text);
  if (*c->rival) fprintf(out, "compared with %s\n", c->rival);
}

/* ---- as JSON ---- */

/* A part of the system: its clocks, and how many instances of each block it has. */
static json_t *json_part(const composition_t *c, unsigned i) {
  const composition_part_t *part = &c->part[i];
  json_t *clocks = json_object(), *instances = json_object();
  for (unsigned k = 0; part->kind->clock[k].name; k++)
    json_object_set_new(clocks, part->kind->clock[k].name, json_string(part->clock[k]));
  for (const part_family_t *f = part->kind->family; f && f->block; f++)
    json_object_set_new(instances, f->block, json_integer((json_int_t)f->count(c, i)));
  return json_pack("{s:s, s:s, s:s, s:i, s:o, s:o}", "name", part->name, "part", part->kind->name, "text",
                   part->kind->text, "count", (int)part->count, "clocks", clocks, "instances", instances);
}

json_t *draw_system_json(const composition_t *c) {
  char from[TEXT], to[TEXT];
  json_t *parts = json_array(), *links = json_array(), *clocks = json_array();
  for (unsigned i = 0; i < c->parts; i++) json_array_append_new(parts, json_part(c, i));
  for (unsigned i = 0; i < c->links; i++) {
    end_text(c, &c->link[i].user, from);
    end_text(c, &c->link[i].offer, to);
    json_array_append_new(
        links, json_pack("{s:s, s:s, s:i}", "from", from, "to", to, "connections", (int)connections(&c->link[i])));
  }
  for (unsigned d = 0; d < c->domains; d++)
    json_array_append_new(clocks, json_pack("{s:s, s:s, s:f}", "name", c->domain[d].name, "clock", c->domain[d].text,
                                            "period_ns", (double)c->domain[d].num / (double)c->domain[d].den));
  return json_pack("{s:o, s:o, s:o, s:o}", "parts", parts, "links", links, "clocks", clocks, "rival",
                   *c->rival ? json_string(c->rival) : json_null());
}
