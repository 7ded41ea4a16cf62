/* SPDX-License-Identifier: Apache-2.0
 *
 * Each kind has a table of signals. A port's name is taken apart at `_`; the part that is a signal
 * leaves a key, which all ports of an interface share:
 *
 *   s_axis_tvalid   tvalid of s_axis_*       i_wb_stb   stb of wb_*, as the port is an input
 *
 * The first round takes i, o, in and out off where they say the port's direction, the second one
 * leaves them on (i_tvalid, i_tready), the third one finds streams without tready.
 */
#include "interfaces.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef enum { VALID, READY, PAYLOAD, ENABLE, CYCLE, ACK, ERROR, RETRY } slot_t;

/* asked: driven by the side that asks. */
typedef struct {
  const char *name;
  interface_kind_t kind;
  unsigned channel;
  slot_t slot;
  bool asked;
} signal_t;

/* clang-format off */
static const signal_t signals[] = {
    {"awvalid", INTERFACE_AXI, CHANNEL_AW, VALID, true},
    {"awready", INTERFACE_AXI, CHANNEL_AW, READY, false},
    {"awaddr", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awprot", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awid", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awlen", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awsize", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awburst", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awlock", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awcache", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awqos", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awregion", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"awuser", INTERFACE_AXI, CHANNEL_AW, PAYLOAD, true},
    {"wvalid", INTERFACE_AXI, CHANNEL_W, VALID, true},
    {"wready", INTERFACE_AXI, CHANNEL_W, READY, false},
    {"wdata", INTERFACE_AXI, CHANNEL_W, PAYLOAD, true},
    {"wstrb", INTERFACE_AXI, CHANNEL_W, PAYLOAD, true},
    {"wlast", INTERFACE_AXI, CHANNEL_W, PAYLOAD, true},
    {"wuser", INTERFACE_AXI, CHANNEL_W, PAYLOAD, true},
    {"bvalid", INTERFACE_AXI, CHANNEL_B, VALID, false},
    {"bready", INTERFACE_AXI, CHANNEL_B, READY, true},
    {"bresp", INTERFACE_AXI, CHANNEL_B, PAYLOAD, false},
    {"bid", INTERFACE_AXI, CHANNEL_B, PAYLOAD, false},
    {"buser", INTERFACE_AXI, CHANNEL_B, PAYLOAD, false},
    {"arvalid", INTERFACE_AXI, CHANNEL_AR, VALID, true},
    {"arready", INTERFACE_AXI, CHANNEL_AR, READY, false},
    {"araddr", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"arprot", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"arid", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"arlen", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"arsize", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"arburst", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"arlock", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"arcache", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"arqos", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"arregion", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"aruser", INTERFACE_AXI, CHANNEL_AR, PAYLOAD, true},
    {"rvalid", INTERFACE_AXI, CHANNEL_R, VALID, false},
    {"rready", INTERFACE_AXI, CHANNEL_R, READY, true},
    {"rdata", INTERFACE_AXI, CHANNEL_R, PAYLOAD, false},
    {"rresp", INTERFACE_AXI, CHANNEL_R, PAYLOAD, false},
    {"rid", INTERFACE_AXI, CHANNEL_R, PAYLOAD, false},
    {"rlast", INTERFACE_AXI, CHANNEL_R, PAYLOAD, false},
    {"ruser", INTERFACE_AXI, CHANNEL_R, PAYLOAD, false},

    {"tvalid", INTERFACE_AXI_STREAM, CHANNEL_REQUEST, VALID, true},
    {"tready", INTERFACE_AXI_STREAM, CHANNEL_REQUEST, READY, false},
    {"tdata", INTERFACE_AXI_STREAM, CHANNEL_REQUEST, PAYLOAD, true},
    {"tkeep", INTERFACE_AXI_STREAM, CHANNEL_REQUEST, PAYLOAD, true},
    {"tstrb", INTERFACE_AXI_STREAM, CHANNEL_REQUEST, PAYLOAD, true},
    {"tlast", INTERFACE_AXI_STREAM, CHANNEL_REQUEST, PAYLOAD, true},
    {"tid", INTERFACE_AXI_STREAM, CHANNEL_REQUEST, PAYLOAD, true},
    {"tdest", INTERFACE_AXI_STREAM, CHANNEL_REQUEST, PAYLOAD, true},
    {"tuser", INTERFACE_AXI_STREAM, CHANNEL_REQUEST, PAYLOAD, true},

    {"psel", INTERFACE_APB, CHANNEL_REQUEST, VALID, true},
    {"penable", INTERFACE_APB, CHANNEL_REQUEST, ENABLE, true},
    {"pready", INTERFACE_APB, CHANNEL_REQUEST, READY, false},
    {"paddr", INTERFACE_APB, CHANNEL_REQUEST, PAYLOAD, true},
    {"pwrite", INTERFACE_APB, CHANNEL_REQUEST, PAYLOAD, true},
    {"pwdata", INTERFACE_APB, CHANNEL_REQUEST, PAYLOAD, true},
    {"pstrb", INTERFACE_APB, CHANNEL_REQUEST, PAYLOAD, true},
    {"pprot", INTERFACE_APB, CHANNEL_REQUEST, PAYLOAD, true},
    {"prdata", INTERFACE_APB, CHANNEL_ANSWER, PAYLOAD, false},
    {"pslverr", INTERFACE_APB, CHANNEL_ANSWER, PAYLOAD, false},

    {"stb", INTERFACE_WISHBONE, CHANNEL_REQUEST, VALID, true},
    {"cyc", INTERFACE_WISHBONE, CHANNEL_REQUEST, CYCLE, true},
    {"stall", INTERFACE_WISHBONE, CHANNEL_REQUEST, READY, false},
    {"we", INTERFACE_WISHBONE, CHANNEL_REQUEST, PAYLOAD, true},
    {"adr", INTERFACE_WISHBONE, CHANNEL_REQUEST, PAYLOAD, true},
    {"addr", INTERFACE_WISHBONE, CHANNEL_REQUEST, PAYLOAD, true},
    {"dat", INTERFACE_WISHBONE, CHANNEL_REQUEST, PAYLOAD, true},
    {"data", INTERFACE_WISHBONE, CHANNEL_REQUEST, PAYLOAD, true},
    {"sel", INTERFACE_WISHBONE, CHANNEL_REQUEST, PAYLOAD, true},
    {"cti", INTERFACE_WISHBONE, CHANNEL_REQUEST, PAYLOAD, true},
    {"bte", INTERFACE_WISHBONE, CHANNEL_REQUEST, PAYLOAD, true},
    {"lock", INTERFACE_WISHBONE, CHANNEL_REQUEST, PAYLOAD, true},
    {"dat", INTERFACE_WISHBONE, CHANNEL_ANSWER, PAYLOAD, false},
    {"data", INTERFACE_WISHBONE, CHANNEL_ANSWER, PAYLOAD, false},
    {"ack", INTERFACE_WISHBONE, CHANNEL_ANSWER, ACK, false},
    {"err", INTERFACE_WISHBONE, CHANNEL_ANSWER, ERROR, false},
    {"rty", INTERFACE_WISHBONE, CHANNEL_ANSWER, RETRY, false},
};
/* clang-format on */
enum { NUM_SIGNALS = sizeof signals / sizeof *signals, TOKENS = 24 };

static const char *const kind_names[] = {"AXI4", "AXI4-Lite", "AXI-Stream", "APB", "Wishbone", "ready/valid"};

/* ---- names */

/* A port's name in small letters, apart at `_`. `in`, `out`, `i` and `o` that say its direction are
 * not in it where they are taken off. */
typedef struct {
  char text[MODULE_NAME];
  const char *token[TOKENS];
  unsigned count;
} words_t;

static bool says_direction(const char *token, bool output, bool leads) {
  if (strcmp(token, output ? "o" : "i") == 0) return true;
  return !leads && strcmp(token, output ? "out" : "in") == 0;
}

static void split(const module_port_t *p, bool strip, words_t *w) {
  w->count = 0;
  snprintf(w->text, sizeof w->text, "%s", p->name);
  for (char *at = w->text, *rest = at; rest && w->count < TOKENS; at = rest) {
    if ((rest = strchr(at, '_'))) *rest++ = 0;
    for (char *c = at; *c; c++) *c = (char)tolower((unsigned char)*c);
    if (*at) w->token[w->count++] = at;
  }
  if (strip && w->count > 1 && says_direction(w->token[w->count - 1], p->output, false)) w->count--;
  if (strip && w->count > 1 && says_direction(w->token[0], p->output, true))
    memmove(w->token, w->token + 1, --w->count * sizeof *w->token);
}

/* The name with `*` for its token `at`, or for the end of it: "s_axis_*", "in_w*". */
static void key_of(const words_t *w, unsigned at, size_t kept, char key[MODULE_NAME]) {
  size_t n = 0;
  *key = 0;
  for (unsigned i = 0; i < w->count && n < MODULE_NAME; i++) {
    const char *before = i ? "_" : "";
    if (i == at) n += (size_t)snprintf(key + n, MODULE_NAME - n, "%s%.*s*", before, (int)kept, w->token[i]);
    else n += (size_t)snprintf(key + n, MODULE_NAME - n, "%s%s", before, w->token[i]);
  }
}

/* What an interface is called: its key without the `*`; without a key, as its valid. */
static void name_of(const module_t *m, const char *key, int valid, char name[MODULE_NAME]) {
  const char *rtl = m->ports[valid].name, *star = strchr(key, '*');
  size_t n = 0;
  for (const char *at = key; *at; at++)
    if (at != star && !(*at == '_' && (at + 1 == star || (at == star + 1 && !n)))) name[n++] = *at;
  name[n] = 0;
  const bool glued = star > key && star[-1] != '_'; /* of `w*` there is no word of its own */
  if (!n || glued) snprintf(name, MODULE_NAME, "%s", rtl);
}

/* ---- what is looked at */

typedef struct {
  const module_t *m;
  interfaces_t *found;
  bool taken[MODULE_PORTS]; /* clocks, resets, and ports of interfaces that were found */
  bool strip;
} search_t;

static const module_port_t *port_at(const search_t *s, int port) {
  return &s->m->ports[port];
}

static bool is_bit(const search_t *s, int port) {
  return port < 0 || (port_at(s, port)->width == 1 && !*port_at(s, port)->expr && !*port_at(s, port)->type);
}

static void begin(interface_t *f, interface_kind_t kind, interface_role_t role) {
  *f = (interface_t){.kind = kind, .role = role, .enable = -1, .cycle = -1, .ack = -1, .error = -1, .retry = -1};
  for (unsigned i = 0; i < CHANNELS; i++) f->channel[i].valid = f->channel[i].ready = -1;
}

static int *slot_of(interface_t *f, const signal_t *signal) {
  interface_channel_t *c = &f->channel[signal->channel];
  switch (signal->slot) {
  case VALID: return &c->valid;
  case READY: return &c->ready;
  case ENABLE: return &f->enable;
  case CYCLE: return &f->cycle;
  case ACK: return &f->ack;
  case ERROR: return &f->error;
  case RETRY: return &f->retry;
  default: return c->num_payload < CHANNEL_PAYLOAD ? &c->payload[c->num_payload] : NULL;
  }
}

/* Is the port driven by the side that drives the signal? */
static bool fits_role(const module_port_t *p, const signal_t *signal, interface_role_t role) {
  if (role == INTERFACE_OVERHEARS) return !p->output;
  return p->output == (signal->asked == (role == INTERFACE_ASKS));
}

static void put_signal(interface_t *f, const signal_t *signal, int port) {
  int *slot = slot_of(f, signal);
  if (!slot || (signal->slot != PAYLOAD && *slot >= 0)) return;
  *slot = port;
  interface_channel_t *c = &f->channel[signal->channel];
  if (signal->slot == PAYLOAD) c->word[c->num_payload++] = signal->name;
}

/* Puts a port where its name has a signal of the kind and the key. True: it has one, with any
 * direction. */
static bool put_port(const search_t *s, interface_t *f, const char *key, int port) {
  words_t w;
  char other[MODULE_NAME];
  bool named = false;
  split(port_at(s, port), s->strip, &w);
  for (unsigned at = 0; at < w.count; at++)
    for (const signal_t *signal = signals; signal < signals + NUM_SIGNALS; signal++) {
      if (signal->kind != f->kind || strcmp(signal->name, w.token[at]) != 0) continue;
      key_of(&w, at, 0, other);
      if (strcmp(key, other) != 0) continue;
      named = true;
      if (!fits_role(port_at(s, port), signal, f->role)) continue;
      put_signal(f, signal, port);
      return true;
    }
  return named;
}

/* ---- what is complete */

static bool has_channel(const interface_t *f, unsigned channel) {
  return f->channel[channel].valid >= 0 && f->channel[channel].ready >= 0;
}

static bool has_word(const module_t *m, const interface_channel_t *c, const char *word) {
  for (unsigned i = 0; i < c->num_payload; i++) {
    const char *name = m->ports[c->payload[i]].name;
    for (size_t n = strlen(word); *name; name++)
      if (strncasecmp(name, word, n) == 0) return true;
  }
  return false;
}

static bool complete_axi(const search_t *s, interface_t *f) {
  const interface_channel_t *c = f->channel;
  const bool write = has_channel(f, CHANNEL_AW) && has_channel(f, CHANNEL_W) && has_channel(f, CHANNEL_B) &&
                     has_word(s->m, &c[CHANNEL_AW], "awaddr");
  const bool read = has_channel(f, CHANNEL_AR) && has_channel(f, CHANNEL_R) && has_word(s->m, &c[CHANNEL_AR], "araddr");
  const bool part_write = c[CHANNEL_AW].valid >= 0 || c[CHANNEL_B].valid >= 0 || c[CHANNEL_AW].num_payload;
  const bool part_read = c[CHANNEL_AR].valid >= 0 || c[CHANNEL_AR].num_payload;
  if ((part_write && !write) || (part_read && !read) || (!read && !write)) return false;
  for (unsigned i = 0; i < CHANNELS; i++)
    if (!is_bit(s, c[i].valid) || !is_bit(s, c[i].ready)) return false;
  const bool bursts = has_word(s->m, &c[CHANNEL_AW], "awlen") || has_word(s->m, &c[CHANNEL_AR], "arlen") ||
                      has_word(s->m, &c[CHANNEL_W], "wlast") || has_word(s->m, &c[CHANNEL_R], "rlast");
  f->kind = bursts ? INTERFACE_AXI : INTERFACE_AXI_LITE;
  return true;
}

/* Valid and ready have as many bits as each other, at all parameters. */
static bool fits_ready(const search_t *s, const interface_channel_t *c) {
  const module_port_t *valid = port_at(s, c->valid), *ready = port_at(s, c->ready);
  return valid->width == ready->width && valid->width <= 64 && strcmp(valid->expr, ready->expr) == 0;
}

static bool complete_stream(const search_t *s, const interface_t *f, bool open) {
  const interface_channel_t *c = &f->channel[0];
  if (c->valid < 0 || *port_at(s, c->valid)->type || port_at(s, c->valid)->width > 64) return false;
  if (open) return c->ready < 0 && c->num_payload && f->role != INTERFACE_OVERHEARS;
  return c->ready >= 0 && fits_ready(s, c);
}

static bool complete_apb(const search_t *s, const interface_t *f) {
  const interface_channel_t *c = f->channel;
  return c[0].valid >= 0 && f->enable >= 0 && (has_word(s->m, &c[0], "paddr") || has_word(s->m, &c[0], "pwrite")) &&
         (c[0].ready >= 0 || has_word(s->m, &c[1], "prdata")) && is_bit(s, c[0].valid) && is_bit(s, f->enable) &&
         is_bit(s, c[0].ready);
}

static bool complete_wishbone(const search_t *s, const interface_t *f) {
  const interface_channel_t *c = f->channel;
  return c[0].valid >= 0 && f->ack >= 0 && c[0].num_payload && is_bit(s, c[0].valid) && is_bit(s, c[0].ready) &&
         is_bit(s, f->ack) && is_bit(s, f->cycle) && is_bit(s, f->error) && is_bit(s, f->retry);
}

static bool is_complete(const search_t *s, interface_t *f, bool open) {
  if (f->kind != INTERFACE_AXI_STREAM && (open || f->role == INTERFACE_OVERHEARS)) return false;
  switch (f->kind) {
  case INTERFACE_AXI: return complete_axi(s, f);
  case INTERFACE_AXI_STREAM: return complete_stream(s, f, open);
  case INTERFACE_APB: return complete_apb(s, f);
  default: return complete_wishbone(s, f);
  }
}

/* ---- the search */

static void claim(search_t *s, interface_t *f) {
  const int own[] = {f->enable, f->cycle, f->ack, f->error, f->retry};
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    if (own[i] >= 0) s->taken[own[i]] = true;
  for (const interface_channel_t *c = f->channel; c < f->channel + CHANNELS; c++) {
    if (c->valid >= 0) s->taken[c->valid] = true;
    if (c->ready >= 0) s->taken[c->ready] = true;
    for (unsigned i = 0; i < c->num_payload; i++) s->taken[c->payload[i]] = true;
  }
}

static int first_valid(const interface_t *f) {
  for (unsigned i = 0; i < CHANNELS; i++)
    if (f->channel[i].valid >= 0) return f->channel[i].valid;
  return f->cycle;
}

/* Looks for an interface of the kind, the key and the role. */
static void try_key(search_t *s, interface_kind_t kind, const char *key, interface_role_t role, bool open) {
  interfaces_t *found = s->found;
  if (found->count == INTERFACE_MOST) return;
  interface_t *f = &found->all[found->count];
  begin(f, kind, role);
  for (unsigned i = 0; i < s->m->num_ports; i++)
    if (!s->taken[i]) put_port(s, f, key, (int)i);
  if (!is_complete(s, f, open)) return;
  name_of(s->m, key, first_valid(f), f->name);
  claim(s, f);
  found->count++;
}

/* The first signal of the kind that the port's name has; NULL: none. */
static const signal_t *signal_of(const search_t *s, interface_kind_t kind, unsigned port, char key[MODULE_NAME]) {
  words_t w;
  split(&s->m->ports[port], s->strip, &w);
  for (unsigned at = w.count; at-- > 0;)
    for (const signal_t *signal = signals; signal < signals + NUM_SIGNALS; signal++)
      if (signal->kind == kind && strcmp(signal->name, w.token[at]) == 0) return key_of(&w, at, 0, key), signal;
  return NULL;
}

static void find_kind(search_t *s, interface_kind_t kind, bool strip, bool open) {
  char key[MODULE_NAME];
  s->strip = strip;
  for (unsigned i = 0; i < s->m->num_ports; i++) {
    const signal_t *signal = s->taken[i] ? NULL : signal_of(s, kind, i, key);
    if (!signal || signal->slot != VALID) continue;
    for (interface_role_t role = INTERFACE_SERVES; role <= INTERFACE_OVERHEARS; role++)
      if (!s->taken[i]) try_key(s, kind, key, role, open);
  }
}

/* ---- ready and valid */

/* Two words that belong together, at the end of a part of a name. */
static const char *const pairs[][2] = {
    {"valid", "ready"}, {"vld", "rdy"}, {"valid", "rdy"}, {"vld", "ready"}, {"val", "rdy"}};
enum { NUM_PAIRS = sizeof pairs / sizeof *pairs };

/* Words of payload. Where names of an interface have nothing in common, only these belong to it. */
static const char *const payloads[] = {"data", "dat",  "payload", "last", "user", "id",   "dest", "keep", "strb",
                                       "addr", "info", "tag",     "mask", "size", "sop",  "eop",  "err",  "error",
                                       "cmd",  "op",   "usr",     "beat", "word", "flit", "pkt",  "elem"};

static bool ends_in(const char *token, const char *word, size_t *kept) {
  const size_t n = strlen(token), m = strlen(word);
  *kept = n - m;
  return n >= m && strcmp(token + n - m, word) == 0;
}

/* The key of a port whose name has the word; false: it has not. */
static bool handshake_key(const search_t *s, unsigned port, const char *word, char key[MODULE_NAME]) {
  words_t w;
  size_t kept;
  if (s->taken[port] || *s->m->ports[port].type) return false;
  split(&s->m->ports[port], s->strip, &w);
  for (unsigned at = w.count; at-- > 0;)
    if (ends_in(w.token[at], word, &kept)) return key_of(&w, at, kept, key), true;
  return false;
}

static int find_ready(const search_t *s, unsigned valid, const char *word, const char *key) {
  char other[MODULE_NAME];
  for (unsigned i = 0; i < s->m->num_ports; i++) {
    const interface_channel_t c = {.valid = (int)valid, .ready = (int)i};
    if (s->m->ports[i].output != s->m->ports[valid].output && handshake_key(s, i, word, other) &&
        strcmp(key, other) == 0 && fits_ready(s, &c))
      return (int)i;
  }
  return -1;
}

static void find_pairs(search_t *s, bool strip, char keys[INTERFACE_MOST][MODULE_NAME]) {
  interfaces_t *found = s->found;
  char key[MODULE_NAME];
  s->strip = strip;
  for (unsigned p = 0; p < NUM_PAIRS; p++)
    for (unsigned i = 0; i < s->m->num_ports && found->count < INTERFACE_MOST; i++) {
      const int ready = handshake_key(s, i, pairs[p][0], key) ? find_ready(s, i, pairs[p][1], key) : -1;
      if (ready < 0) continue;
      interface_t *f = &found->all[found->count];
      begin(f, INTERFACE_HANDSHAKE, s->m->ports[i].output ? INTERFACE_ASKS : INTERFACE_SERVES);
      f->channel[0].valid = (int)i, f->channel[0].ready = ready;
      name_of(s->m, key, (int)i, f->name);
      snprintf(keys[found->count++], MODULE_NAME, "%c%.100s", strip ? 's' : 'w', key);
      claim(s, f);
    }
}

static bool is_payload_word(const char *word) {
  for (unsigned i = 0; i < sizeof payloads / sizeof *payloads; i++)
    if (strcmp(word, payloads[i]) == 0) return true;
  return strstr(word, "data") != NULL;
}

/* How well a port's name fits the key of a pair: letters in common, or 0. `key` begins with s where
 * directions are taken off. */
static size_t fits_key(const search_t *s, unsigned port, const char *key) {
  char name[MODULE_NAME], last[MODULE_NAME];
  words_t w;
  split(&s->m->ports[port], *key++ == 's', &w);
  key_of(&w, w.count, 0, name);
  const size_t words = strlen(key);
  if (words > 2 && strcmp(key + words - 2, "_*") == 0 && strncmp(name, key, words - 2) == 0 && !name[words - 2])
    return words - 1; /* `req` of req_valid */
  const size_t before = (size_t)(strchr(key, '*') - key), behind = strlen(key) - before - 1, n = strlen(name);
  if (n <= before + behind || strncmp(name, key, before) != 0 || strcmp(name + n - behind, key + before + 1) != 0)
    return 0;
  snprintf(last, sizeof last, "%.*s", (int)(n - before - behind), name + before);
  last[strcspn(last, "_")] = 0;
  const bool glued = before && key[before - 1] != '_'; /* the first letter of `wdata` says little */
  const bool alone = !behind && (!before || (glued && !memchr(key, '_', before)));
  if ((alone || glued) && !is_payload_word(last)) return 0;
  return before + behind + 1;
}

/* Gives each port that is left to the pair whose key fits best. */
static void find_payloads(search_t *s, unsigned first, char keys[INTERFACE_MOST][MODULE_NAME]) {
  for (unsigned i = 0; i < s->m->num_ports; i++) {
    interface_channel_t *best = NULL;
    size_t most = 0;
    for (unsigned k = first; k < s->found->count && !s->taken[i]; k++) {
      interface_channel_t *c = &s->found->all[k].channel[0];
      const size_t fit = port_at(s, c->valid)->output == s->m->ports[i].output ? fits_key(s, i, keys[k]) : 0;
      if (fit > most && c->num_payload < CHANNEL_PAYLOAD) best = c, most = fit;
    }
    if (!best) continue;
    best->word[best->num_payload] = "", best->payload[best->num_payload++] = (int)i;
    s->taken[i] = true;
  }
}

static void find_handshakes(search_t *s) {
  static char keys[INTERFACE_MOST][MODULE_NAME];
  const unsigned first = s->found->count;
  find_pairs(s, true, keys);
  find_pairs(s, false, keys);
  find_payloads(s, first, keys);
}

/* ---- what looks like an interface and is none */

static bool is_left(const interfaces_t *found, const char *line) {
  for (unsigned i = 0; i < found->num_left; i++)
    if (strcmp(found->left[i], line) == 0) return true;
  return false;
}

/* Signals by which a kind is known; others have names that all blocks use. */
static bool is_telling(const signal_t *signal) {
  if (signal->kind == INTERFACE_WISHBONE) return signal->slot == VALID || signal->slot == CYCLE;
  if (signal->kind == INTERFACE_AXI)
    return signal->slot == VALID && (signal->channel == CHANNEL_AW || signal->channel == CHANNEL_AR);
  return signal->slot == VALID || signal->slot == ENABLE;
}

static void find_left(search_t *s) {
  char key[MODULE_NAME], name[MODULE_NAME], line[2 * MODULE_NAME];
  interfaces_t *found = s->found;
  s->strip = true;
  for (interface_kind_t kind = INTERFACE_AXI; kind < INTERFACE_HANDSHAKE; kind++)
    for (unsigned i = 0; i < s->m->num_ports && found->num_left < INTERFACE_LEFT; i++) {
      const signal_t *signal = s->taken[i] ? NULL : signal_of(s, kind, i, key);
      if (!signal || !is_telling(signal)) continue;
      name_of(s->m, key, (int)i, name);
      snprintf(line, sizeof line, "%.100s: looks like %s, and lacks signals of it or has them otherwise", name,
               kind_names[kind]);
      if (!is_left(found, line)) snprintf(found->left[found->num_left++], 2 * MODULE_NAME, "%s", line);
    }
}

/* Two interfaces of one name, as `valid_i` and `valid_o`: that of their valids. */
static void name_apart(const module_t *m, interfaces_t *found) {
  for (unsigned i = 0; i < found->count; i++)
    for (unsigned k = i + 1; k < found->count; k++) {
      interface_t *f = &found->all[i], *g = &found->all[k];
      if (strcmp(f->name, g->name) != 0) continue;
      snprintf(f->name, MODULE_NAME, "%s", m->ports[first_valid(f)].name);
      snprintf(g->name, MODULE_NAME, "%s", m->ports[first_valid(g)].name);
    }
}

void interfaces_find(const module_t *module, const look_pins_t *pins, interfaces_t *found) {
  static search_t s;
  s = (search_t){.m = module, .found = found};
  memset(found, 0, sizeof *found);
  for (unsigned i = 0; i < module->num_ports; i++)
    s.taken[i] = look_is_clock(pins, module->ports[i].name) || look_is_reset(pins, module->ports[i].name);
  for (interface_kind_t kind = INTERFACE_AXI; kind < INTERFACE_HANDSHAKE; kind++) {
    find_kind(&s, kind, true, false);
    find_kind(&s, kind, false, false);
    find_kind(&s, kind, true, true);
  }
  find_handshakes(&s);
  find_left(&s);
  name_apart(module, found);
}

/* ---- asked of what was found */

const char *interface_text(const interface_t *f, char text[64]) {
  static const char *const streams[] = {"the block takes", "the block offers", "the block overhears"};
  static const char *const buses[] = {"the block serves", "the block asks", "the block overhears"};
  const bool stream = f->kind == INTERFACE_AXI_STREAM || f->kind == INTERFACE_HANDSHAKE;
  snprintf(text, 64, "%s%s, %s", kind_names[f->kind],
           f->kind == INTERFACE_AXI_STREAM && f->channel[0].ready < 0 ? " without tready" : "",
           (stream ? streams : buses)[f->role]);
  return text;
}

bool interface_single(const module_t *m, const interface_channel_t *c) {
  return m->ports[c->valid].width == 1 && !*m->ports[c->valid].expr;
}

bool interface_shared(const module_t *m, const interface_channel_t *c, unsigned payload) {
  const module_port_t *valid = &m->ports[c->valid], *p = &m->ports[c->payload[payload]];
  return p->width % valid->width != 0 || *p->type || (*valid->expr && !*p->expr);
}

/* The signal that says when the payload of a channel has a meaning. */
static int meaning_of(const interface_t *f, unsigned channel) {
  if (channel == CHANNEL_ANSWER && f->kind == INTERFACE_APB) return f->channel[0].ready;
  if (channel == CHANNEL_ANSWER && f->kind == INTERFACE_WISHBONE) return f->ack;
  return f->channel[channel].valid;
}

int interface_qualifier(const interfaces_t *found, const module_t *m, unsigned port) {
  for (const interface_t *f = found->all; f < found->all + found->count; f++)
    for (unsigned c = 0; c < CHANNELS && f->kind != INTERFACE_HANDSHAKE; c++)
      for (unsigned i = 0; i < f->channel[c].num_payload; i++) {
        const int by = meaning_of(f, c);
        if (f->channel[c].payload[i] != (int)port || by < 0) continue;
        return m->ports[by].width == 1 && !*m->ports[by].expr ? by : -1;
      }
  return -1;
}
