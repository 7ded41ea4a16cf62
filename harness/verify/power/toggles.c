/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts come from the device as an array. Nets are names for its elements, sorted twice: by
 * name, and by what OpenSTA shows.
 */
#include "toggles.h"

#include "csv.h"
#include "file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool toggles_open(toggles_t *t, unsigned windows) {
  *t = (toggles_t){.windows = calloc(windows, sizeof *t->windows), .num_windows = windows};
  return t->windows;
}

void toggles_close(toggles_t *t) {
  for (unsigned i = 0; i < t->num_nets; i++) {
    if (t->nets[i].shown != t->nets[i].name) free((char *)(uintptr_t)t->nets[i].shown); /* NULL: it came to no more */
    free(t->nets[i].name);
  }
  for (unsigned i = 0; i < t->num_windows; i++) free(t->windows[i].toggles);
  free(t->nets), free(t->by_shown), free(t->all), free(t->windows), free(t->taken);
  *t = (toggles_t){0};
}

/* ---- names */

/* OpenSTA drops Verilog's backslash and blank around an escaped name. It puts a backslash before
 * each '/', bracket and backslash of the name. */
static void put_name(FILE *to, const char *name, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (strchr("/[]\\", name[i])) putc('\\', to);
    putc(name[i], to);
  }
}

/* "TOP lsu i_coalesce " gives "i_coalesce ". NULL: the wrapper around the block, which repeats
 * its ports. */
static const char *below_block(const char *scope) {
  const char *block = strchr(scope, ' '), *below = block ? strchr(block + 1, ' ') : NULL;
  return below ? below + 1 : NULL;
}

char *toggles_name(const dut_signal_t *s, unsigned bit) {
  char *text = NULL;
  size_t size = 0;
  const char *scope = below_block(s->scope);
  FILE *to = scope ? open_memstream(&text, &size) : NULL;
  if (!to) return NULL;
  for (size_t n; *scope; scope += n + (scope[n] == ' ')) {
    n = strcspn(scope, " ");
    put_name(to, scope, n);
    putc('/', to);
  }
  put_name(to, s->name, strlen(s->name));
  if (s->ranged) fprintf(to, "[%d]", s->right + s->step * (int)bit);
  if (fclose(to)) return free(text), NULL;
  return text;
}

/* The name without OpenSTA's backslashes. Returns name itself when it has none; NULL: no memory. */
static const char *shown_name(const char *name) {
  if (!strchr(name, '\\')) return name;
  char *text = malloc(strlen(name) + 1), *to = text;
  for (const char *at = name; text && *at; at++) {
    const bool own = *at == '\\' && at[1] == '\\';
    if (own) *to++ = *at++; /* two, as OpenSTA shows it */
    else if (*at == '\\') at++;
    *to++ = *at;
  }
  if (text) *to = 0;
  return text;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const toggles_net_t *)a)->name, ((const toggles_net_t *)b)->name);
}

static int compare_shown(const void *a, const void *b, void *toggles) {
  const toggles_net_t *nets = ((const toggles_t *)toggles)->nets;
  return strcmp(nets[*(const unsigned *)a].shown, nets[*(const unsigned *)b].shown);
}

/* Fills and sorts both orders; nets[] has names and counts by now. */
static bool order_nets(toggles_t *t) {
  for (unsigned i = 0; i < t->num_nets; i++)
    if (!(t->nets[i].shown = shown_name(t->nets[i].name))) return false;
  qsort(t->nets, t->num_nets, sizeof *t->nets, compare_names);
  for (unsigned i = 0; i < t->num_nets; i++) t->by_shown[i] = i;
  qsort_r(t->by_shown, t->num_nets, sizeof *t->by_shown, compare_shown, t);
  return true;
}

/* A net for each bit of each signal inside the block. */
static bool list_nets(toggles_t *t, const dut_t *dut) {
  const dut_signal_t *signals;
  const unsigned n = dut->signals(&signals);
  unsigned bits = 0;
  for (unsigned i = 0; i < n; i++) bits += below_block(signals[i].scope) ? signals[i].width : 0;
  t->nets = calloc(bits + 1, sizeof *t->nets);
  t->by_shown = calloc(bits + 1, sizeof *t->by_shown);
  if (!t->nets || !t->by_shown) return false;
  for (unsigned i = 0; i < n; i++)
    for (unsigned bit = 0; bit < signals[i].width && below_block(signals[i].scope); bit++) {
      char *name = toggles_name(&signals[i], bit);
      if (!name) return false;
      t->nets[t->num_nets++] = (toggles_net_t){.name = name, .count = signals[i].first + bit};
    }
  return order_nets(t);
}

const toggles_net_t *toggles_find(const toggles_t *t, const char *name) {
  const toggles_net_t key = {.name = (char *)(uintptr_t)name};
  return t->num_nets ? bsearch(&key, t->nets, t->num_nets, sizeof *t->nets, compare_names) : NULL;
}

const toggles_net_t *toggles_find_shown(const toggles_t *t, const char *name) {
  unsigned low = 0, high = t->num_nets;
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (strcmp(t->nets[t->by_shown[middle]].shown, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low < t->num_nets && strcmp(t->nets[t->by_shown[low]].shown, name) == 0 ? &t->nets[t->by_shown[low]] : NULL;
}

const toggles_net_t *toggles_find_either(const toggles_t *t, const char *text) {
  const toggles_net_t *net = toggles_find_shown(t, text);
  return net ? net : toggles_find(t, text);
}

/* ---- counts */

/* At the first call only: the device says how many counts there are. */
static bool begin_counting(toggles_t *t, const dut_t *dut, void *dev) {
  if (t->nets) return true;
  t->num_counts = dut->num_counts(dev);
  t->all = calloc(t->num_counts + 1, sizeof *t->all);
  t->taken = calloc(t->num_counts + 1, sizeof *t->taken);
  return t->all && t->taken && list_nets(t, dut);
}

bool toggles_take(toggles_t *t, const dut_t *dut, void *dev, unsigned window) {
  dut_counted_t counted;
  toggles_window_t *w = &t->windows[window];
  if (!begin_counting(t, dut, dev)) return false;
  if (!w->toggles) w->toggles = calloc(t->num_counts + 1, sizeof *w->toggles);
  if (!w->toggles) return false;
  dut->take_counts(dev, t->taken, &counted);
  t->cycles += counted.cycles, t->in_reset += counted.in_reset, w->cycles += counted.cycles;
  for (uint32_t i = 0; i < t->num_counts; i++) {
    const dut_count_t *c = &t->taken[i];
    t->all[i].rises += c->rises, t->all[i].falls += c->falls, t->all[i].high += c->high, t->all[i].edges += c->edges;
    w->toggles[i] += c->rises + c->falls;
  }
  return true;
}

/* ---- a run of any length */

enum { FIRST_WINDOW = 64 }; /* cycles */

bool toggles_open_run(toggles_t *t) {
  if (!toggles_open(t, TOGGLES_MOST)) return false;
  t->num_windows = 0, t->window = FIRST_WINDOW;
  return true;
}

/* Windows 2k and 2k + 1 become window k. */
static void merge_pairs(toggles_t *t) {
  for (unsigned k = 0; k < t->num_windows; k += 2) {
    toggles_window_t *first = &t->windows[k], *second = first + 1;
    first->cycles += second->cycles;
    for (uint32_t i = 0; i < t->num_counts; i++) first->toggles[i] += second->toggles[i];
    free(second->toggles);
    *second = (toggles_window_t){0};
    if (k) t->windows[k / 2] = *first, *first = (toggles_window_t){0};
  }
  t->num_windows /= 2, t->window *= 2;
}

uint64_t toggles_next(toggles_t *t, const dut_t *dut, void *dev) {
  if (!toggles_end(t, dut, dev)) return 0;
  if (t->num_windows == TOGGLES_MOST) merge_pairs(t);
  return t->window;
}

bool toggles_end(toggles_t *t, const dut_t *dut, void *dev) {
  toggles_window_t *w = &t->windows[t->num_windows++];
  if (!toggles_take(t, dut, dev, t->num_windows - 1)) return false;
  if (w->cycles) return true;
  free(w->toggles); /* a window of no cycle is none */
  *w = (toggles_window_t){0}, t->num_windows--;
  return true;
}

/* ---- between processes */

static bool put_text(const char *text, int fd) {
  const uint32_t length = (uint32_t)strlen(text);
  return file_put(fd, &length, sizeof length) && file_put(fd, text, length);
}

static char *get_text(int fd) {
  uint32_t length;
  char *text = file_get(fd, &length, sizeof length) ? calloc(1, (size_t)length + 1) : NULL;
  if (!text || file_get(fd, text, length)) return text;
  return free(text), NULL;
}

/* Sends the struct, then what it points to. The receiver ignores the pointers in the struct. */
bool toggles_put(const toggles_t *t, int fd) {
  const size_t bytes = t->num_counts * sizeof *t->windows->toggles;
  bool good = file_put(fd, t, sizeof *t) && file_put(fd, t->all, t->num_counts * sizeof *t->all);
  for (unsigned i = 0; good && i < t->num_nets; i++)
    good = put_text(t->nets[i].name, fd) && file_put(fd, &t->nets[i].count, sizeof t->nets[i].count);
  for (unsigned i = 0; good && i < t->num_windows; i++)
    good =
        file_put(fd, &t->windows[i].cycles, sizeof t->windows[i].cycles) && file_put(fd, t->windows[i].toggles, bytes);
  return good;
}

static bool get_nets(toggles_t *t, unsigned count, int fd) {
  t->nets = calloc(count + 1, sizeof *t->nets);
  t->by_shown = calloc(count + 1, sizeof *t->by_shown);
  while (t->nets && t->by_shown && t->num_nets < count) {
    toggles_net_t *net = &t->nets[t->num_nets];
    if (!(net->name = get_text(fd))) return false;
    net->shown = net->name, t->num_nets++;
    if (!file_get(fd, &net->count, sizeof net->count)) return false;
  }
  return t->nets && t->by_shown && order_nets(t);
}

static bool get_window(toggles_t *t, int fd) {
  toggles_window_t *w = &t->windows[t->num_windows++];
  w->toggles = calloc(t->num_counts + 1, sizeof *w->toggles);
  return w->toggles && file_get(fd, &w->cycles, sizeof w->cycles) &&
         file_get(fd, w->toggles, t->num_counts * sizeof *w->toggles);
}

bool toggles_get(toggles_t *t, int fd) {
  toggles_t sent;
  *t = (toggles_t){0};
  if (!file_get(fd, &sent, sizeof sent)) return false;
  t->num_counts = sent.num_counts, t->cycles = sent.cycles, t->in_reset = sent.in_reset, t->window = sent.window;
  t->all = calloc(sent.num_counts + 1, sizeof *t->all);
  t->windows = calloc(sent.num_windows + 1, sizeof *t->windows);
  bool good =
      t->all && t->windows && file_get(fd, t->all, sent.num_counts * sizeof *t->all) && get_nets(t, sent.num_nets, fd);
  while (good && t->num_windows < sent.num_windows) good = get_window(t, fd);
  return good;
}

double toggles_mean(const toggles_t *t, int window) {
  double sum = 0;
  const toggles_window_t *w = window < 0 ? NULL : &t->windows[window];
  const uint64_t cycles = w ? w->cycles : t->cycles;
  for (unsigned i = 0; i < t->num_nets && cycles; i++) {
    const uint32_t at = t->nets[i].count;
    sum += w ? (double)w->toggles[at] : (double)t->all[at].rises + (double)t->all[at].falls;
  }
  return sum > 0 ? sum / t->num_nets / (double)cycles : 0;
}

void toggles_csv(const toggles_t *t, FILE *out) {
  fputs("net,rises,falls,high,edges\n", out);
  for (unsigned i = 0; i < t->num_nets; i++) {
    const toggles_count_t *c = &t->all[t->nets[i].count];
    csv_text(out, t->nets[i].name);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%.6f,%" PRIu64 "\n", c->rises, c->falls,
            t->cycles ? (double)c->high / (double)t->cycles / 2 : 0, c->edges);
  }
}
