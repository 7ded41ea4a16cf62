/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of interfaces: of the inputs in X_stim.c, where they keep a shrunk stimulus legal, and of
 * the block's own outputs in the model.
 */
#include "scaffold_inside.h"

#include <string.h>

/* of_inputs: the inputs' rules, else the outputs'. inputs, outputs: "in->", "out->"; watch: what
 * goes before an interface's watch. */
typedef struct {
  const scaffold_t *s;
  FILE *out;
  bool of_inputs;
  const char *inputs, *outputs, *watch;
  const char *indent; /* of the watches' members */
} rules_t;

enum { WORDS_A_LINE = 3 };

typedef struct {
  const char *type, *header; /* NULL: nothing to watch */
} watch_type_t;

static bool is_stream(const interface_t *f) {
  return f->kind == INTERFACE_AXI_STREAM || f->kind == INTERFACE_HANDSHAKE;
}

static bool is_axi(const interface_t *f) {
  return f->kind == INTERFACE_AXI || f->kind == INTERFACE_AXI_LITE;
}

/* Does the side that is watched ask, or offer the stream? */
static bool side_asks(const interface_t *f, bool of_inputs) {
  return of_inputs ? f->role != INTERFACE_ASKS : f->role == INTERFACE_ASKS;
}

static watch_type_t watch_of(const interface_t *f, bool of_inputs) {
  const bool asks = side_asks(f, of_inputs), stall = f->channel[0].ready >= 0;
  if (is_axi(f)) return (watch_type_t){"", "axi"};
  if (f->kind == INTERFACE_WISHBONE)
    return (watch_type_t){stall ? "wishbone_pipelined_t" : "wishbone_watch_t", "wishbone"};
  if (f->kind == INTERFACE_APB) return (watch_type_t){asks ? "apb_watch_t" : NULL, "apb"};
  if (f->kind == INTERFACE_HANDSHAKE && !of_inputs) return (watch_type_t){0}; /* nobody promised it */
  return (watch_type_t){asks && f->channel[0].ready >= 0 ? "stream_watch_t" : NULL, "stream"};
}

/* ---- payload */

static void payload_word(const rules_t *r, int port, const char *lanes) {
  const module_port_t *p = &r->s->module->ports[port];
  char value[2 * PORT_NAME], width[2 * MODULE_EXPR + 4];
  scaffold_value(r->s, port, r->inputs, r->outputs, value);
  scaffold_width(r->s, port, width);
  if (lanes) {
    char part[2 * MODULE_EXPR + 4];
    scaffold_lane(r->s, port, lanes, part);
    fprintf(r->out, "protocol_fold(&%s, k * %s, %s)", value, part, part);
  } else if (*p->type) fprintf(r->out, "protocol_fold(&%s, 0, 8 * sizeof %s)", value, value);
  else if (p->width > 64) fprintf(r->out, "protocol_fold(%s, 0, %s)", value, width);
  else fprintf(r->out, "%s", value);
}

/* "(uint64_t[]){in->a, in->b}, 2", on a line of its own, which more than a few words break. lanes:
 * the number of them, of which k is meant; NULL: one. */
static void write_payload(const rules_t *r, const interface_channel_t *c, const char *lanes) {
  fprintf(r->out, "\n          (uint64_t[]){");
  for (unsigned i = 0; i < c->num_payload; i++) {
    if (i) fprintf(r->out, i % WORDS_A_LINE ? ", " : ",\n                       ");
    payload_word(r, c->payload[i], lanes && !interface_shared(r->s->module, c, i) ? lanes : NULL);
  }
  fprintf(r->out, c->num_payload ? "}, %u" : "0}, 1", c->num_payload);
}

/* ---- one rule */

static void begin_rule(const rules_t *r, const char *indent) {
  fprintf(r->out, r->of_inputs ? "%sif (" : "%sPROTOCOL(", indent);
}

static void end_rule(const rules_t *r, unsigned index) {
  if (r->of_inputs) fprintf(r->out, ") return %u;\n", index);
  else fprintf(r->out, ");\n");
}

static const char *value(const rules_t *r, int port, char text[2 * PORT_NAME]) {
  return scaffold_value(r->s, port, r->inputs, r->outputs, text);
}

static void watch_stream(const rules_t *r, const interface_channel_t *c, const char *bus, const char *part,
                         unsigned index) {
  char valid[2 * PORT_NAME], ready[2 * PORT_NAME], lanes[2 * MODULE_EXPR + 4];
  value(r, c->valid, valid), value(r, c->ready, ready);
  const bool single = interface_single(r->s->module, c);
  if (!single) fprintf(r->out, "  for (unsigned k = 0; k < %s; k++)\n", scaffold_width(r->s, c->valid, lanes));
  begin_rule(r, single ? "  " : "    ");
  if (single) fprintf(r->out, "stream_watch(&%s%s%s, %s, %s,", r->watch, bus, part, valid, ready);
  else
    fprintf(r->out, "stream_watch(&%s%s[k], protocol_fold(&%s, k, 1), protocol_fold(&%s, k, 1),", r->watch, bus, valid,
            ready);
  write_payload(r, c, single ? NULL : lanes);
  fprintf(r->out, ")");
  end_rule(r, index);
}

/* ---- AXI */

static const char *const channel_parts[CHANNELS] = {".aw", ".w", ".ar", ".b", ".r"};

static int word_port(const interface_channel_t *c, const char *word) {
  for (unsigned i = 0; i < c->num_payload; i++)
    if (strcmp(c->word[i], word) == 0) return c->payload[i];
  return -1;
}

/* valid && ready of a channel, && its last beat; "0" where there is none. */
static void write_taken(const rules_t *r, const interface_channel_t *c, const char *last) {
  char text[2 * PORT_NAME];
  if (c->valid < 0) {
    fprintf(r->out, "0");
    return;
  }
  fprintf(r->out, "%s && ", value(r, c->valid, text));
  fprintf(r->out, "%s", value(r, c->ready, text));
  const int port = word_port(c, last);
  if (port >= 0) fprintf(r->out, " && %s", value(r, port, text));
}

static void watch_answers(const rules_t *r, const interface_t *f, const char *bus, unsigned index) {
  static const unsigned order[] = {CHANNEL_AW, CHANNEL_W, CHANNEL_AR, CHANNEL_B, CHANNEL_R};
  static const char *const last[] = {"", "wlast", "", "", "rlast"};
  char b[2 * PORT_NAME], rv[2 * PORT_NAME];
  begin_rule(r, "  ");
  fprintf(r->out, "axi_answers_watch(&%s%s.answers, %s, %s,\n                             (axi_taken_t){", r->watch,
          bus, value(r, f->channel[CHANNEL_B].valid, b), value(r, f->channel[CHANNEL_R].valid, rv));
  for (unsigned i = 0; i < CHANNELS; i++) {
    if (i) fprintf(r->out, ",\n                                           ");
    write_taken(r, &f->channel[order[i]], last[i]);
  }
  fprintf(r->out, "})");
  end_rule(r, index);
}

/* Data of a manager in the order of its addresses; before the channels' own watches. */
static void watch_data(const rules_t *r, const interface_t *f, const char *bus, unsigned index) {
  const interface_channel_t *aw = &f->channel[CHANNEL_AW], *w = &f->channel[CHANNEL_W];
  char a[2 * PORT_NAME], n[2 * PORT_NAME], d[2 * PORT_NAME], l[2 * PORT_NAME];
  const int last = word_port(w, "wlast"), length = word_port(aw, "awlen");
  if (aw->valid < 0 || last < 0 || length < 0) return;
  begin_rule(r, "  ");
  fprintf(r->out, "axi_data_watch(&%s%s.writes, %s && !%s%s.aw.waits, %s, %s && !%s%s.w.waits, %s)", r->watch, bus,
          value(r, aw->valid, a), r->watch, bus, value(r, length, n), value(r, w->valid, d), r->watch, bus,
          value(r, last, l));
  end_rule(r, index);
}

static void watch_axi(const rules_t *r, const interface_t *f, const char *bus, unsigned index) {
  const bool asks = side_asks(f, r->of_inputs);
  if (asks && r->of_inputs) watch_data(r, f, bus, index);
  for (unsigned k = 0; k < CHANNELS; k++)
    if (f->channel[k].valid >= 0 && asks == (k != CHANNEL_B && k != CHANNEL_R))
      watch_stream(r, &f->channel[k], bus, channel_parts[k], index);
  if (!asks) watch_answers(r, f, bus, index);
}

static void axi_state(const rules_t *r, const interface_t *f) {
  const bool asks = side_asks(f, r->of_inputs);
  fprintf(r->out, "%sstruct {\n%s  stream_watch_t %s;\n", r->indent, r->indent, asks ? "aw, w, ar" : "b, r");
  if (!asks) fprintf(r->out, "%s  axi_answers_t answers;\n", r->indent);
  if (asks && r->of_inputs && f->kind == INTERFACE_AXI) fprintf(r->out, "%s  axi_bursts_t writes;\n", r->indent);
  fprintf(r->out, "%s}", r->indent);
}

/* ---- APB and Wishbone */

static void watch_apb(const rules_t *r, const interface_t *f, const char *bus, unsigned index) {
  char sel[2 * PORT_NAME], enable[2 * PORT_NAME], ready[2 * PORT_NAME];
  value(r, f->channel[0].valid, sel), value(r, f->enable, enable), value(r, f->channel[0].ready, ready);
  begin_rule(r, "  ");
  /* a completer sees the penable of transfers with others, too */
  fprintf(r->out, "apb_watch(&%s%s, %s, %s%s%s, %s,", r->watch, bus, sel, r->of_inputs ? sel : "",
          r->of_inputs ? " && " : "", enable, f->channel[0].ready < 0 ? "1" : ready);
  write_payload(r, &f->channel[CHANNEL_REQUEST], NULL);
  fprintf(r->out, ")");
  end_rule(r, index);
}

static void write_ended(const rules_t *r, const interface_t *f) {
  const int by[] = {f->ack, f->error, f->retry};
  char text[2 * PORT_NAME];
  fprintf(r->out, "(");
  for (unsigned i = 0; i < 3; i++)
    if (by[i] >= 0) fprintf(r->out, "%s%s", i ? " || " : "", value(r, by[i], text));
  fprintf(r->out, ")");
}

/* One side is watched: answers count for the other one, and are not looked at. */
static void watch_wishbone(const rules_t *r, const interface_t *f, const char *bus, unsigned index) {
  const bool asks = side_asks(f, r->of_inputs), stall = f->channel[0].ready >= 0;
  const interface_channel_t none = {.num_payload = 0};
  char cyc[2 * PORT_NAME], stb[2 * PORT_NAME], ready[2 * PORT_NAME];
  value(r, f->cycle < 0 ? f->channel[0].valid : f->cycle, cyc), value(r, f->channel[0].valid, stb);
  begin_rule(r, "  ");
  fprintf(r->out, "wishbone_%s(&%s%s, %s, %s%s%s, ", stall ? "pipelined_watch" : "watch", r->watch, bus, cyc,
          asks ? "" : cyc, asks ? "" : " && ", stb);
  if (stall) fprintf(r->out, "%s, ", value(r, f->channel[0].ready, ready));
  if (asks && stall) fprintf(r->out, "0");
  else write_ended(r, f);
  if (asks && !stall) fprintf(r->out, " && %s && %s", cyc, stb);
  fprintf(r->out, ",");
  write_payload(r, asks ? &f->channel[CHANNEL_REQUEST] : &none, NULL);
  fprintf(r->out, ")");
  end_rule(r, index);
}

/* ---- all of them */

static void watch(const rules_t *r, const interface_t *f, unsigned index) {
  char bus[PORT_NAME];
  scaffold_bus(r->s, f, bus);
  if (is_axi(f)) watch_axi(r, f, bus, index);
  else if (f->kind == INTERFACE_APB) watch_apb(r, f, bus, index);
  else if (f->kind == INTERFACE_WISHBONE) watch_wishbone(r, f, bus, index);
  else watch_stream(r, &f->channel[0], bus, "", index);
}

static void write_state(const rules_t *r) {
  const interfaces_t *found = r->s->interfaces;
  char bus[PORT_NAME], width[2 * MODULE_EXPR + 4];
  for (const interface_t *f = found->all; f < found->all + found->count; f++) {
    const watch_type_t type = watch_of(f, r->of_inputs);
    if (!type.type) continue;
    if (is_axi(f)) axi_state(r, f);
    else fprintf(r->out, "%s%s", r->indent, type.type);
    fprintf(r->out, " %s", scaffold_bus(r->s, f, bus));
    if (is_stream(f) && !interface_single(r->s->module, &f->channel[0]))
      fprintf(r->out, "[%s]", scaffold_width(r->s, f->channel[0].valid, width));
    fprintf(r->out, ";\n");
  }
}

static unsigned count_watches(const scaffold_t *s, bool of_inputs) {
  unsigned count = 0;
  for (unsigned i = 0; i < s->interfaces->count; i++) count += watch_of(&s->interfaces->all[i], of_inputs).type != NULL;
  return count;
}

static unsigned write_rules(const rules_t *r) {
  unsigned index = 0;
  for (unsigned i = 0; i < r->s->interfaces->count; i++) {
    const interface_t *f = &r->s->interfaces->all[i];
    if (watch_of(f, r->of_inputs).type) watch(r, f, index++);
  }
  return index;
}

bool scaffold_write_legal(const scaffold_t *s, FILE *out) {
  const rules_t r = {
      .s = s, .out = out, .of_inputs = true, .inputs = "in->", .outputs = "out->", .watch = "l->", .indent = "  "};
  const unsigned count = count_watches(s, true);
  char c[PORT_NAME], text[64];
  if (!count) return false;
  port_name_stem(s->name, c);
  fprintf(out, "/* What a shrunk stimulus keeps to. */\ntypedef struct {\n");
  write_state(&r);
  fprintf(out, "} legal_state_t;\n\nstatic const char *const rules[] = {\n");
  for (unsigned i = 0; i < s->interfaces->count; i++) {
    const interface_t *f = &s->interfaces->all[i];
    interface_text(f, text);
    if (watch_of(f, true).type) fprintf(out, "    \"%s is no %.*s\",\n", f->name, (int)strcspn(text, ","), text);
  }
  fprintf(
      out,
      "};\n\nstatic int broken(void *state, const void *inputs, const void *outputs) {\n  legal_state_t *l = state;\n"
      "  const %s_in_t *in = inputs;\n  const %s_out_t *out = outputs;\n  (void)out;\n",
      c, c);
  write_rules(&r);
  fprintf(out,
          "  return -1;\n}\n\nstatic const legal_t legal = {\n    .rules = rules, .num_rules = %u, "
          ".state_size = sizeof(legal_state_t), .broken = broken};\n\n",
          count);
  return true;
}

void scaffold_write_watch_headers(const scaffold_t *s, FILE *out) {
  static const char *const headers[] = {"apb", "axi", "stream", "wishbone"};
  for (unsigned h = 0; h < 4; h++) {
    bool used = false;
    for (unsigned i = 0; i < s->interfaces->count; i++) {
      const interface_t *f = &s->interfaces->all[i];
      const watch_type_t type = watch_of(f, false);
      if (type.type) used |= strcmp(type.header, headers[h]) == 0 || (is_axi(f) && strcmp(headers[h], "stream") == 0);
    }
    if (used) fprintf(out, "#include \"protocol/%s.h\"\n", headers[h]);
  }
}

void scaffold_write_watch_state(const scaffold_t *s, FILE *out) {
  const rules_t r = {.s = s, .out = out, .indent = "    "};
  if (!count_watches(s, false)) return;
  fprintf(out, "  struct { /* rules that its own outputs keep */\n");
  write_state(&r);
  fprintf(out, "  } watch;\n");
}

bool scaffold_write_watches(const scaffold_t *s, FILE *out) {
  const rules_t r = {.s = s, .out = out, .inputs = "in->", .outputs = "out.", .watch = "state->watch."};
  char c[PORT_NAME];
  if (!count_watches(s, false)) return false;
  port_name_stem(s->name, c);
  fprintf(out, "  %s_out_t out = {0};\n  %s_eval(state, in, &out);\n", c, c);
  fprintf(out, "  /* Its outputs keep to their protocols. Take a line out that asks what it does not promise. */\n");
  write_rules(&r);
  return true;
}
