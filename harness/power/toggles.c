/* SPDX-License-Identifier: Apache-2.0 */
#include "toggles.h"

#include "csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool toggles_open(toggles_t *t, unsigned windows) {
  *t = (toggles_t){.windows = calloc(windows, sizeof *t->windows), .num_windows = windows};
  return t->windows;
}

void toggles_close(toggles_t *t) {
  for (unsigned i = 0; i < t->num_nets; i++) {
    if (t->nets[i].shown != t->nets[i].name) free((char *)(uintptr_t)t->nets[i].shown);
    free(t->nets[i].name);
  }
  for (unsigned i = 0; i < t->num_windows; i++) free(t->windows[i].toggles), free(t->windows[i].high);
  free(t->nets), free(t->by_shown), free(t->all), free(t->windows), free(t->taken);
  *t = (toggles_t){0};
}

/* ---- names */

/* OpenSTA has names without Verilog's backslash and blank, and a backslash before what it takes for more than a letter: '/' between instances,
 * brackets of a bit, and the backslash itself. */
static void put_name(FILE *to, const char *name, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (strchr("/[]\\", name[i])) putc('\\', to);
    putc(name[i], to);
  }
}

/* "TOP lsu i_coalesce " -> "i_coalesce "; NULL: of the wrapper around the block, which has its ports again. */
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

/* The same without backslashes but those of the name itself. */
static const char *shown(const char *name) {
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

static int compare(const void *a, const void *b) {
  return strcmp(((const toggles_net_t *)a)->name, ((const toggles_net_t *)b)->name);
}

static int compare_shown(const void *a, const void *b, void *toggles) {
  const toggles_net_t *nets = ((const toggles_t *)toggles)->nets;
  return strcmp(nets[*(const unsigned *)a].shown, nets[*(const unsigned *)b].shown);
}

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
      t->by_shown[t->num_nets] = t->num_nets;
      t->nets[t->num_nets++] = (toggles_net_t){name, shown(name), signals[i].first + bit};
      if (!t->nets[t->num_nets - 1].shown) return false;
    }
  qsort(t->nets, t->num_nets, sizeof *t->nets, compare);
  qsort_r(t->by_shown, t->num_nets, sizeof *t->by_shown, compare_shown, t);
  return true;
}

const toggles_net_t *toggles_find(const toggles_t *t, const char *name) {
  const toggles_net_t key = {.name = (char *)(uintptr_t)name};
  return t->num_nets ? bsearch(&key, t->nets, t->num_nets, sizeof *t->nets, compare) : NULL;
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

/* ---- counts */

static bool begin(toggles_t *t, const dut_t *dut, void *dev) {
  if (t->nets) return true;
  t->num_counts = dut->num_counts(dev);
  t->all = calloc(t->num_counts + 1, sizeof *t->all);
  t->taken = calloc(t->num_counts + 1, sizeof *t->taken);
  return t->all && t->taken && list_nets(t, dut);
}

bool toggles_take(toggles_t *t, const dut_t *dut, void *dev, unsigned window) {
  dut_counted_t counted;
  toggles_window_t *w = &t->windows[window];
  if (!begin(t, dut, dev)) return false;
  if (!w->toggles) w->toggles = calloc(t->num_counts + 1, sizeof *w->toggles);
  if (!w->high) w->high = calloc(t->num_counts + 1, sizeof *w->high);
  if (!w->toggles || !w->high) return false;
  dut->take_counts(dev, t->taken, &counted);
  t->cycles += counted.cycles, t->in_reset += counted.in_reset, w->cycles += counted.cycles;
  for (uint32_t i = 0; i < t->num_counts; i++) {
    const dut_count_t *c = &t->taken[i];
    t->all[i].rises += c->rises, t->all[i].falls += c->falls, t->all[i].high += c->high;
    w->toggles[i] += c->rises + c->falls, w->high[i] += (uint32_t)c->high;
  }
  return true;
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
  fputs("net,rises,falls,high\n", out);
  for (unsigned i = 0; i < t->num_nets; i++) {
    const toggles_count_t *c = &t->all[t->nets[i].count];
    csv_text(out, t->nets[i].name);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%.6f\n", c->rises, c->falls, t->cycles ? (double)c->high / (double)t->cycles / 2 : 0);
  }
}
