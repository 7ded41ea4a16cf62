/* SPDX-License-Identifier: Apache-2.0
 *
 * X_stim.c: a driver for each interface that was found, and all other inputs random
 * (protocol/random_traffic.h).
 */
#include "scaffold_inside.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* paces: of inputs of one bit, which are elements of an array. */
typedef struct {
  const scaffold_t *s;
  FILE *out;
  unsigned paces;
} writer_t;

/* ---- expressions */

const char *scaffold_width(const scaffold_t *s, int port, char text[2 * MODULE_EXPR + 4]) {
  const module_port_t *p = &s->module->ports[port];
  char expr[2 * MODULE_EXPR];
  if (!*p->expr) snprintf(text, 2 * MODULE_EXPR + 4, "%u", p->width);
  else {
    const char *here = scaffold_expr(s, p->expr, expr);
    const bool word = strcspn(here, " ?+-*/") == strlen(here);
    snprintf(text, 2 * MODULE_EXPR + 4, word ? "%s" : "(%s)", here);
  }
  return text;
}

const char *scaffold_lane(const scaffold_t *s, int port, const char *lanes, char text[2 * MODULE_EXPR + 4]) {
  const module_port_t *p = &s->module->ports[port];
  char expr[2 * MODULE_EXPR], width[2 * MODULE_EXPR + 4];
  const char *here = scaffold_expr(s, p->expr, expr);
  const size_t n = strlen(lanes);
  if (strcmp(here, lanes) == 0) return strcpy(text, "1");
  if (strncmp(here, lanes, n) == 0 && strncmp(here + n, " * ", 3) == 0 && !strpbrk(here + n + 3, " "))
    return strcpy(text, here + n + 3);
  snprintf(text, 2 * MODULE_EXPR + 4, "(%.250s / %.250s)", scaffold_width(s, port, width), lanes);
  return text;
}

const char *scaffold_bus(const scaffold_t *s, const interface_t *f, char text[PORT_NAME]) {
  (void)s;
  port_name_model(f->name, text);
  if (strcmp(text, "t") == 0 || strcmp(text, "pace") == 0) strcat(text, "_");
  return text;
}

const char *scaffold_value(const scaffold_t *s, int port, const char *inputs, const char *outputs,
                           char text[2 * PORT_NAME]) {
  if (port < 0) return strcpy(text, "0");
  const module_port_t *p = &s->module->ports[port];
  snprintf(text, 2 * PORT_NAME, "%s%s", p->output ? outputs : inputs, scaffold_field(s, p));
  return text;
}

/* ---- values */

/* Draws each field of a struct, and one of the labels of an enum. */
static void draw_leaves(writer_t *w, const module_port_t *p, const char *name, const char *indent) {
  const module_t *m = w->s->module;
  for (const module_leaf_t *l = m->leaves; l < m->leaves + m->num_leaves; l++) {
    if (&m->ports[l->port] != p) continue;
    fprintf(w->out, "%s", indent);
    if (l->num_labels)
      fprintf(w->out, "in->%s%s = traffic_label(t, (const uint64_t[]){%s}, %u);\n", name, l->path, l->labels,
              l->num_labels);
    else if (l->width > 64) fprintf(w->out, "traffic_field(t, in->%s%s, 0, %u);\n", name, l->path, l->width);
    else if (l->width == 1) fprintf(w->out, "in->%s%s = traffic_bit(t, &s->pace[%u]);\n", name, l->path, w->paces++);
    else fprintf(w->out, "in->%s%s = traffic_bits(t, in->%s%s, %u);\n", name, l->path, name, l->path, l->width);
  }
}

/* The same in each element. */
static void draw_array(writer_t *w, const module_port_t *p, const char *indent) {
  char element[SCAFFOLD_ELEMENT], deeper[64];
  const int dims = (int)p->array.num_dims, at = (int)strlen(indent);
  scaffold_loops(w->s, w->out, p, scaffold_field(w->s, p), at, element);
  snprintf(deeper, sizeof deeper, "%*s", at + 2 * dims, "");
  draw_leaves(w, p, element, deeper);
  for (int d = dims; d-- > 0;) fprintf(w->out, "%*s}\n", at + 2 * d, "");
}

static bool has(const char *name, const char *word) {
  for (const size_t n = strlen(word); *name; name++)
    if (strncasecmp(name, word, n) == 0) return true;
  return false;
}

/* The function that draws a port of some bits. */
static const char *drawn_by(const module_port_t *p, const char *word) {
  if (strstr(word, "keep") || strstr(word, "strb") || strcmp(word, "sel") == 0) return "lanes";
  if (has(p->name, "addr") || strstr(word, "adr")) return "address";
  return "bits";
}

/* Draws a port. word: what its protocol calls it. */
static void draw_port(writer_t *w, int port, const char *word, const char *indent) {
  const module_port_t *p = &w->s->module->ports[port];
  const char *name = scaffold_field(w->s, p), *by = drawn_by(p, word);
  char width[2 * MODULE_EXPR + 4];
  scaffold_width(w->s, port, width);
  if (p->array.num_dims) {
    draw_array(w, p, indent);
    return;
  }
  if (*p->type) {
    draw_leaves(w, p, name, indent);
    return;
  }
  fprintf(w->out, "%s", indent);
  if (p->width > 64) fprintf(w->out, "traffic_field(t, in->%s, 0, %s);\n", name, width);
  else if (p->width == 1 && !*p->expr) fprintf(w->out, "in->%s = traffic_bit(t, &s->pace[%u]);\n", name, w->paces++);
  else if (strcmp(by, "lanes") == 0) fprintf(w->out, "in->%s = traffic_lanes(t, %s);\n", name, width);
  else fprintf(w->out, "in->%s = traffic_%s(t, in->%s, %s);\n", name, by, name, width);
}

static bool is_word(const char *word, const char *const list[], unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (strcmp(word, list[i]) == 0) return true;
  return false;
}

/* The payload of a channel, but for words that others draw. */
static void draw_payload(writer_t *w, const interface_channel_t *c, const char *const *others, unsigned num_others,
                         const char *indent) {
  for (unsigned i = 0; i < c->num_payload; i++)
    if (!is_word(c->word[i], others, num_others)) draw_port(w, c->payload[i], c->word[i], indent);
}

/* The port of a word; -1: the channel has none. */
static int port_of(const interface_channel_t *c, const char *word) {
  for (unsigned i = 0; i < c->num_payload; i++)
    if (strcmp(c->word[i], word) == 0) return c->payload[i];
  return -1;
}

static const char *field_of(const writer_t *w, int port) {
  return scaffold_field(w->s, &w->s->module->ports[port]);
}

/* in->NAME = what is printed then. */
static void assign(writer_t *w, int port, const char *indent) {
  fprintf(w->out, "%sin->%s = ", indent, field_of(w, port));
}

/* ---- streams */

static unsigned count_shared(const writer_t *w, const interface_channel_t *c) {
  unsigned count = 0;
  for (unsigned i = 0; i < c->num_payload; i++) count += interface_shared(w->s->module, c, i);
  return count;
}

/* A stream for each bit of valid, with its part of the payload. What they share stays while one of
 * them waits. */
static void drive_lanes(writer_t *w, const interface_t *f, const char *bus) {
  const interface_channel_t *c = &f->channel[0];
  char lanes[2 * MODULE_EXPR + 4], part[2 * MODULE_EXPR + 4], ready[2 * PORT_NAME];
  scaffold_width(w->s, c->valid, lanes);
  scaffold_value(w->s, c->ready, "in->", "last->", ready);
  const unsigned shared = count_shared(w, c);
  if (shared && f->role != INTERFACE_ASKS) fprintf(w->out, "  bool %s_waits = false; /* one of them */\n", bus);
  fprintf(w->out, "  for (unsigned k = 0; k < %s; k++) {\n", lanes);
  if (f->role == INTERFACE_ASKS) {
    fprintf(w->out,
            "    traffic_put(&in->%s, k, 1, traffic_accept(t, &s->%s[k], protocol_fold(&last->%s, k, 1)));\n  }\n",
            field_of(w, c->ready), bus, field_of(w, c->valid));
    return;
  }
  if (c->ready < 0) fprintf(w->out, "    if (traffic_offer(t, &s->%s[k], true, true)) {\n", bus);
  else fprintf(w->out, "    if (traffic_offer(t, &s->%s[k], protocol_fold(&%s, k, 1), true)) {\n", bus, ready);
  for (unsigned i = 0; i < c->num_payload; i++) {
    if (interface_shared(w->s->module, c, i)) continue;
    scaffold_lane(w->s, c->payload[i], lanes, part);
    fprintf(w->out, "      traffic_field(t, &in->%s, k * %s, %s);\n", field_of(w, c->payload[i]), part, part);
  }
  fprintf(w->out, "    }");
  if (shared) fprintf(w->out, " else %s_waits = true;", bus);
  fprintf(w->out, "\n    traffic_put(&in->%s, k, 1, s->%s[k].stream.valid);\n", field_of(w, c->valid), bus);
  if (f->role == INTERFACE_OVERHEARS)
    fprintf(w->out, "    traffic_put(&in->%s, k, 1, traffic_accept(t, &s->%s_ready[k], s->%s[k].stream.valid));\n",
            field_of(w, c->ready), bus, bus);
  fprintf(w->out, "  }\n");
  if (!shared) return;
  fprintf(w->out, "  if (!%s_waits) {\n", bus);
  for (unsigned i = 0; i < c->num_payload; i++)
    if (interface_shared(w->s->module, c, i)) draw_port(w, c->payload[i], c->word[i], "    ");
  fprintf(w->out, "  }\n");
}

static void drive_stream(writer_t *w, const interface_t *f, const char *bus) {
  const interface_channel_t *c = &f->channel[0];
  char ready[2 * PORT_NAME];
  if (!interface_single(w->s->module, c)) {
    drive_lanes(w, f, bus);
    return;
  }
  if (f->role == INTERFACE_ASKS) {
    if (c->ready < 0) return;
    assign(w, c->ready, "  ");
    fprintf(w->out, "traffic_accept(t, &s->%s, last->%s);\n", bus, field_of(w, c->valid));
    return;
  }
  scaffold_value(w->s, c->ready, "in->", "last->", ready);
  fprintf(w->out, "  if (traffic_offer(t, &s->%s, %s, true)) {\n", bus, c->ready < 0 ? "true" : ready);
  draw_payload(w, c, NULL, 0, "    ");
  fprintf(w->out, "  }\n");
  assign(w, c->valid, "  ");
  fprintf(w->out, "s->%s.stream.valid;\n", bus);
  if (f->role != INTERFACE_OVERHEARS) return;
  assign(w, c->ready, "  ");
  fprintf(w->out, "traffic_accept(t, &s->%s_ready, s->%s.stream.valid);\n", bus, bus);
}

/* ---- AXI */

static const char *const channel_names[CHANNELS] = {"aw", "w", "ar", "b", "r"};

/* A burst's address and length, of a manager. */
static void draw_burst(writer_t *w, const interface_t *f, unsigned channel, const char *bus) {
  static const char *const own[] = {"awlen", "awsize", "awburst", "awaddr", "arlen", "arsize", "arburst", "araddr"};
  const interface_channel_t *c = &f->channel[channel];
  const bool write = channel == CHANNEL_AW;
  const int address = port_of(c, write ? "awaddr" : "araddr"),
            data = write ? port_of(&f->channel[CHANNEL_W], "wdata") : port_of(&f->channel[CHANNEL_R], "rdata");
  char width[2 * MODULE_EXPR + 4] = "8", bytes[2 * MODULE_EXPR + 4];
  if (data >= 0) scaffold_width(w->s, data, width);
  fprintf(w->out, "    const axi_burst_t burst = traffic_burst(t, in->%s, %s / 8, %s);\n", field_of(w, address), width,
          scaffold_width(w->s, address, bytes));
  static const char *const parts[] = {"length", "size", "burst", "address"};
  for (unsigned i = 0; i < 4; i++) {
    const int port = port_of(c, own[i + (write ? 0 : 4)]);
    if (port < 0) continue;
    assign(w, port, "    ");
    fprintf(w->out, "burst.%s;\n", parts[i]);
  }
  draw_payload(w, c, own, 8, "    ");
  if (write) fprintf(w->out, "    if (s->%s.aw.stream.valid) axi_begin(&s->%s.writes, 0, burst.length);\n", bus, bus);
}

static void draw_write_data(writer_t *w, const interface_t *f, const char *bus) {
  static const char *const own[] = {"wlast"};
  const int last = port_of(&f->channel[CHANNEL_W], "wlast");
  draw_payload(w, &f->channel[CHANNEL_W], own, 1, "    ");
  if (last >= 0) {
    assign(w, last, "    ");
    fprintf(w->out, "axi_last(&s->%s.writes);\n", bus);
  }
  fprintf(w->out, "    if (s->%s.w.stream.valid) axi_beat(&s->%s.writes);\n", bus, bus);
}

/* A channel that the stimulus offers. may: when there may be a new beat. */
static void offer_channel(writer_t *w, const interface_t *f, unsigned channel, const char *bus, const char *may) {
  const interface_channel_t *c = &f->channel[channel];
  fprintf(w->out, "  if (traffic_offer(t, &s->%s.%s, last->%s, %s)) {\n", bus, channel_names[channel],
          field_of(w, c->ready), may);
}

static void close_channel(writer_t *w, const interface_t *f, unsigned channel, const char *bus) {
  fprintf(w->out, "  }\n");
  assign(w, f->channel[channel].valid, "  ");
  fprintf(w->out, "s->%s.%s.stream.valid;\n", bus, channel_names[channel]);
}

static void accept_channel(writer_t *w, const interface_t *f, unsigned channel, const char *bus, const char *may) {
  const interface_channel_t *c = &f->channel[channel];
  assign(w, c->ready, "  ");
  fprintf(w->out, "%straffic_accept(t, &s->%s.%s, last->%s);\n", may, bus, channel_names[channel],
          field_of(w, c->valid));
}

/* The block is the subordinate. */
static void drive_manager(writer_t *w, const interface_t *f, const char *bus) {
  const bool full = f->kind == INTERFACE_AXI;
  char may[2 * PORT_NAME] = "true";
  for (unsigned k = 0; k < CHANNELS; k++) {
    if (f->channel[k].valid < 0) continue;
    if (k == CHANNEL_B || k == CHANNEL_R) {
      accept_channel(w, f, k, bus, "");
      continue;
    }
    if (full && k == CHANNEL_AW) snprintf(may, sizeof may, "axi_room(&s->%s.writes)", bus);
    else if (full && k == CHANNEL_W) snprintf(may, sizeof may, "s->%s.writes.count", bus);
    else strcpy(may, "true");
    offer_channel(w, f, k, bus, may);
    if (full && k != CHANNEL_W) draw_burst(w, f, k, bus);
    else if (full) draw_write_data(w, f, bus);
    else draw_payload(w, &f->channel[k], NULL, 0, "    ");
    close_channel(w, f, k, bus);
  }
}

/* Requests that the block's subordinate took in the last cycle. */
static void take_requests(writer_t *w, const interface_t *f, const char *bus) {
  const interface_channel_t *c = f->channel;
  const struct {
    unsigned channel;
    const char *id, *length, *to;
  } of[] = {{CHANNEL_AW, "awid", "awlen", "writes"}, {CHANNEL_AR, "arid", "arlen", "reads"}};
  char id[2 * PORT_NAME], length[2 * PORT_NAME];
  for (unsigned i = 0; i < 2; i++) {
    const interface_channel_t *a = &c[of[i].channel];
    if (a->valid < 0) continue;
    fprintf(w->out, "  if (in->%s && last->%s) axi_begin(&s->%s.%s, %s, %s);\n", field_of(w, a->ready),
            field_of(w, a->valid), bus, of[i].to, scaffold_value(w->s, port_of(a, of[i].id), "in->", "last->", id),
            scaffold_value(w->s, port_of(a, of[i].length), "in->", "last->", length));
  }
  if (c[CHANNEL_W].valid < 0) return;
  const int wlast = port_of(&c[CHANNEL_W], "wlast");
  fprintf(w->out, "  s->%s.ended += in->%s && last->%s", bus, field_of(w, c[CHANNEL_W].ready),
          field_of(w, c[CHANNEL_W].valid));
  if (wlast >= 0) fprintf(w->out, " && last->%s", field_of(w, wlast));
  fprintf(w->out, ";\n");
}

static void draw_answer(writer_t *w, const interface_t *f, unsigned channel, const char *bus) {
  static const char *const own[] = {"bid", "rid", "rlast"};
  const interface_channel_t *c = &f->channel[channel];
  const char *to = channel == CHANNEL_B ? "writes" : "reads";
  const int id = port_of(c, channel == CHANNEL_B ? "bid" : "rid"), last = port_of(c, "rlast");
  draw_payload(w, c, own, 3, "    ");
  if (id >= 0) assign(w, id, "    "), fprintf(w->out, "axi_id(&s->%s.%s);\n", bus, to);
  if (last >= 0) assign(w, last, "    "), fprintf(w->out, "axi_last(&s->%s.%s);\n", bus, to);
  if (channel == CHANNEL_B)
    fprintf(w->out, "    if (s->%s.b.stream.valid) axi_end(&s->%s.writes), s->%s.ended--;\n", bus, bus, bus);
  else fprintf(w->out, "    if (s->%s.r.stream.valid) axi_beat(&s->%s.reads);\n", bus, bus);
}

/* The block is the manager. */
static void drive_subordinate(writer_t *w, const interface_t *f, const char *bus) {
  char may[3 * PORT_NAME];
  take_requests(w, f, bus);
  for (unsigned k = 0; k < CHANNELS; k++) {
    if (f->channel[k].valid < 0) continue;
    if (k == CHANNEL_B || k == CHANNEL_R) {
      if (k == CHANNEL_B) snprintf(may, sizeof may, "s->%s.writes.count && s->%s.ended", bus, bus);
      else snprintf(may, sizeof may, "s->%s.reads.count", bus);
      offer_channel(w, f, k, bus, may);
      draw_answer(w, f, k, bus);
      close_channel(w, f, k, bus);
    } else {
      snprintf(may, sizeof may, "axi_room(&s->%s.%s) && ", bus, k == CHANNEL_AW ? "writes" : "reads");
      accept_channel(w, f, k, bus, k == CHANNEL_W ? "" : may);
    }
  }
}

/* ---- APB */

static void drive_apb(writer_t *w, const interface_t *f, const char *bus) {
  const interface_channel_t *c = f->channel;
  if (f->role == INTERFACE_ASKS) { /* a completer: wait states, and any answer */
    if (c[0].ready >= 0) draw_port(w, c[0].ready, "", "  ");
    draw_payload(w, &c[CHANNEL_ANSWER], NULL, 0, "  ");
    return;
  }
  if (c[0].ready < 0) fprintf(w->out, "  if (traffic_apb(t, &s->%s, true)) {\n", bus);
  else fprintf(w->out, "  if (traffic_apb(t, &s->%s, last->%s)) {\n", bus, field_of(w, c[0].ready));
  draw_payload(w, &c[CHANNEL_REQUEST], NULL, 0, "    ");
  fprintf(w->out, "  }\n");
  assign(w, c[0].valid, "  ");
  fprintf(w->out, "s->%s.bus.sel;\n", bus);
  assign(w, f->enable, "  ");
  fprintf(w->out, "traffic_penable(t, &s->%s);\n", bus);
}

/* ---- Wishbone */

/* Was there an answer in the last cycle? */
static void write_ended(writer_t *w, const interface_t *f, const char *of) {
  const int by[] = {f->ack, f->error, f->retry};
  for (unsigned i = 0; i < 3; i++)
    if (by[i] >= 0) fprintf(w->out, "%s%s->%s", i ? " || " : "", of, field_of(w, by[i]));
}

static void drive_master(writer_t *w, const interface_t *f, const char *bus) {
  const interface_channel_t *c = &f->channel[0];
  if (c->ready < 0) fprintf(w->out, "  if (traffic_wishbone(t, &s->%s, ", bus);
  else fprintf(w->out, "  if (traffic_wishbone_pipelined(t, &s->%s, last->%s, ", bus, field_of(w, c->ready));
  write_ended(w, f, "last");
  fprintf(w->out, ")) {\n");
  draw_payload(w, c, NULL, 0, "    ");
  fprintf(w->out, "  }\n");
  if (f->cycle >= 0) assign(w, f->cycle, "  "), fprintf(w->out, "s->%s.bus.cyc;\n", bus);
  assign(w, c->valid, "  ");
  fprintf(w->out, "s->%s.bus.stb;\n", bus);
}

static void drive_slave(writer_t *w, const interface_t *f, const char *bus) {
  const interface_channel_t *c = &f->channel[0];
  const char *cyc = field_of(w, f->cycle < 0 ? c->valid : f->cycle), *stb = field_of(w, c->valid);
  fprintf(w->out, "  const bool %s_answers = traffic_wishbone_answer%s(t, &s->%s, last->%s, last->%s, ", bus,
          c->ready < 0 ? "" : "s", bus, cyc, stb);
  if (c->ready >= 0) fprintf(w->out, "in->%s, ", field_of(w, c->ready));
  write_ended(w, f, "in");
  fprintf(w->out, ");\n");
  if (f->error >= 0) assign(w, f->error, "  "), fprintf(w->out, "%s_answers && rng_chance(&t->rng, 1, 16);\n", bus);
  if (f->retry >= 0) {
    assign(w, f->retry, "  ");
    fprintf(w->out, "%s_answers && rng_chance(&t->rng, 1, 16)", bus);
    if (f->error >= 0) fprintf(w->out, " && !in->%s", field_of(w, f->error));
    fprintf(w->out, ";\n");
  }
  assign(w, f->ack, "  ");
  fprintf(w->out, "%s_answers", bus);
  if (f->error >= 0) fprintf(w->out, " && !in->%s", field_of(w, f->error));
  if (f->retry >= 0) fprintf(w->out, " && !in->%s", field_of(w, f->retry));
  fprintf(w->out, ";\n");
  if (c->ready >= 0)
    assign(w, c->ready, "  "), fprintf(w->out, "rng_chance(&t->rng, 8 - pace_rate(t, &s->%s.stall), 8);\n", bus);
  draw_payload(w, &f->channel[CHANNEL_ANSWER], NULL, 0, "  ");
}

/* ---- the file */

static void drive(writer_t *w, const interface_t *f) {
  char bus[PORT_NAME], text[64];
  scaffold_bus(w->s, f, bus);
  fprintf(w->out, "\n  /* %s: %s */\n", f->name, interface_text(f, text));
  const bool asks = f->role == INTERFACE_ASKS;
  switch (f->kind) {
  case INTERFACE_AXI:
  case INTERFACE_AXI_LITE: (asks ? drive_subordinate : drive_manager)(w, f, bus); break;
  case INTERFACE_APB: drive_apb(w, f, bus); break;
  case INTERFACE_WISHBONE: (asks ? drive_slave : drive_master)(w, f, bus); break;
  default: drive_stream(w, f, bus); break;
  }
}

static const char *driver_type(const interface_t *f) {
  const bool asks = f->role == INTERFACE_ASKS;
  switch (f->kind) {
  case INTERFACE_AXI:
  case INTERFACE_AXI_LITE: return asks ? "traffic_subordinate_t" : "traffic_manager_t";
  case INTERFACE_APB: return asks ? NULL : "traffic_apb_t";
  case INTERFACE_WISHBONE: return asks ? "traffic_answers_t" : "traffic_wishbone_t";
  default: return asks ? "traffic_sink_t" : "traffic_source_t";
  }
}

/* The driver's member of state_t. */
static void write_driver(writer_t *w, const interface_t *f) {
  char bus[PORT_NAME], lanes[2 * MODULE_EXPR + 8] = "", width[2 * MODULE_EXPR + 4];
  const char *type = driver_type(f);
  const bool stream = f->kind == INTERFACE_AXI_STREAM || f->kind == INTERFACE_HANDSHAKE;
  const interface_channel_t *c = &f->channel[0];
  if (!type || (stream && f->role == INTERFACE_ASKS && c->ready < 0)) return;
  scaffold_bus(w->s, f, bus);
  if (stream && !interface_single(w->s->module, c))
    snprintf(lanes, sizeof lanes, "[%s]", scaffold_width(w->s, c->valid, width));
  fprintf(w->out, "  %s %s%s;\n", type, bus, lanes);
  if (f->role == INTERFACE_OVERHEARS) fprintf(w->out, "  traffic_sink_t %s_ready%s;\n", bus, lanes);
}

/* Inputs of no interface. */
static void drive_others(writer_t *w) {
  static bool driven[MODULE_PORTS];
  const module_t *m = w->s->module;
  memset(driven, 0, sizeof driven);
  for (const interface_t *f = w->s->interfaces->all; f < w->s->interfaces->all + w->s->interfaces->count; f++) {
    const int own[] = {f->enable, f->cycle, f->ack, f->error, f->retry};
    for (unsigned i = 0; i < 5; i++)
      if (own[i] >= 0) driven[own[i]] = true;
    for (const interface_channel_t *c = f->channel; c < f->channel + CHANNELS; c++) {
      if (c->valid >= 0) driven[c->valid] = true;
      if (c->ready >= 0) driven[c->ready] = true;
      for (unsigned i = 0; i < c->num_payload; i++) driven[c->payload[i]] = true;
    }
  }
  bool first = w->s->interfaces->count;
  for (unsigned i = 0; i < m->num_ports; i++) {
    if (driven[i] || m->ports[i].output || !scaffold_is_data(w->s, &m->ports[i])) continue;
    if (first) fprintf(w->out, "\n");
    first = false;
    draw_port(w, (int)i, "", "  ");
  }
}

static bool has_axi(const scaffold_t *s) {
  for (const interface_t *f = s->interfaces->all; f < s->interfaces->all + s->interfaces->count; f++)
    if (f->kind == INTERFACE_AXI || f->kind == INTERFACE_AXI_LITE) return true;
  return false;
}

static void write_head(const scaffold_t *s, FILE *out) {
  char text[64];
  fprintf(out, "/* Inputs of %s: a pure function of seed and profile. Without this file they are all random.\n",
          s->name);
  for (const interface_t *f = s->interfaces->all; f < s->interfaces->all + s->interfaces->count; f++)
    fprintf(out, " * %s: %s.\n", f->name, interface_text(f, text));
  for (unsigned i = 0; i < s->interfaces->num_left; i++) fprintf(out, " * %s: random.\n", s->interfaces->left[i]);
  fprintf(out, " * Profiles, and how values are drawn: protocol/random_traffic.h. */\n#include \"%s.h\"\n", s->name);
  fprintf(out, "#include \"protocol/random_traffic.h\"\n%s\n",
          has_axi(s) ? "#include \"protocol/random_traffic_axi.h\"\n" : "");
}

static void write_state(const scaffold_t *s, FILE *out, const char *c, unsigned paces) {
  writer_t w = {.s = s, .out = out};
  fprintf(out, "typedef struct {\n  traffic_t t;\n  %s_in_t in; /* of the last cycle: what waits is kept */\n", c);
  if (paces) fprintf(out, "  pace_t pace[%u]; /* of inputs of one bit */\n", paces);
  for (const interface_t *f = s->interfaces->all; f < s->interfaces->all + s->interfaces->count; f++)
    write_driver(&w, f);
  fprintf(out, "} state_t;\n\n");
}

static void write_end(const scaffold_t *s, FILE *out, const char *c) {
  fprintf(out, "static bool reset(void *state, uint64_t cycle) {\n  state_t *s = state;\n  (void)cycle;\n"
               "  if (!traffic_reset(&s->t)) return false;\n"
               "  *s = (state_t){.t = s->t}; /* what was under way is forgotten */\n  return true;\n}\n\n");
  const bool legal = scaffold_write_legal(s, out);
  fprintf(out,
          "const stim_t %s_stim = {\n    .profiles = traffic_profiles,\n    .num_profiles = TRAFFIC_PROFILES,\n"
          "    .state_size = sizeof(state_t),\n    .init = init,\n    .next = next,\n    .reset = reset,\n%s};\n",
          c, legal ? "    .legal = &legal,\n" : "");
}

void scaffold_write_stim(const scaffold_t *s, FILE *out) {
  char c[PORT_NAME], *body = NULL;
  size_t size;
  writer_t w = {.s = s, .out = open_memstream(&body, &size)};
  if (!w.out) return;
  port_name_stem(s->name, c);
  for (const interface_t *f = s->interfaces->all; f < s->interfaces->all + s->interfaces->count; f++) drive(&w, f);
  drive_others(&w);
  const bool closed = fclose(w.out) == 0;
  write_head(s, out);
  write_state(s, out, c, w.paces);
  fprintf(out, "static void init(void *state, uint64_t seed, unsigned profile) {\n"
               "  traffic_init(&((state_t *)state)->t, seed, profile);\n}\n\n"
               "/* out: the model's outputs of the last cycle. */\n"
               "static void next(void *state, uint64_t cycle, const void *out, void *inputs) {\n"
               "  state_t *s = state;\n  traffic_t *t = &s->t;\n");
  fprintf(out, "  const %s_out_t *last = out;\n  %s_in_t *in = &s->in;\n  (void)cycle, (void)last, (void)t;\n", c, c);
  if (closed) fputs(body, out);
  fprintf(out, "%s  *(%s_in_t *)inputs = *in;\n}\n\n", s->interfaces->count ? "\n" : "", c);
  write_end(s, out, c);
  free(body);
}
