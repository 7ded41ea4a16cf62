/* SPDX-License-Identifier: Apache-2.0
 *
 * The object lists the instances and their ports' values by name (dut.h: parts, states). An
 * instance's model is the model of the block with its module's name and parameters. The model comes
 * from the block's default object if the parameters match, else from an object of kind model.
 */
#include "inside.h"
#include "device_call.h"
#include "port_label.h"

#include "clock.h"
#include "guard.h"
#include "report.h"
#include "run.h"
#include "source_text.h"
#include "state_table.h"
#include "utf8.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Port names are short, and paths over PATH_MAX fail when they are opened. */
#pragma GCC diagnostic ignored "-Wformat-truncation"

enum { VALUE = 4096, NAME = 1024, TOLD = 4, SHORT = 44 };

/* A part and its model. */
typedef struct {
  const dut_part_t *part;
  const dut_t *dut;    /* NULL: not judged, or no longer */
  const dut_t *loaded; /* its object, also when it is no longer judged */
  char *model, *in, *out, *rtl;
  size_t *at; /* offset of each port in the bytes of state_get */
} leaf_t;

typedef struct {
  inside_t *inside;
  const dut_t *dut;
  const block_t *block;
  const places_t *places;
  leaf_t *leaves;
  unsigned num_leaves;
  char *bytes;    /* the bytes of state_get */
  size_t *offset; /* of each state */
  void *dev;
  bool dev_lost; /* a call into it did not return: it is neither used nor destroyed */
  uint64_t *in, *mask;
  FILE *unjudged;
  unsigned num_unjudged;
} look_t;

void inside_free(inside_t *inside) {
  for (size_t i = 0; i < inside->num_inputs; i++) {
    free(inside->inputs[i].value);
    free(inside->inputs[i].from);
  }
  free(inside->inputs);
  free(inside->unjudged);
  free(inside->rtl);
  free(inside->model);
  free(inside->also);
  memset(inside, 0, sizeof *inside);
}

/* --- which instances can be judged */

/* Notes why a part is not judged; the report names the first few. */
static void note_unjudged(look_t *l, const dut_part_t *part, const char *why) {
  if (l->num_unjudged++ < TOLD)
    fprintf(l->unjudged, "%s%s (%s: %s)", l->num_unjudged > 1 ? "; " : "", part->name, part->module, why);
}

/* True if the module's file is the block's own in the tree, or a file of block->instead. */
static bool is_of_tree(const look_t *l, const dut_part_t *part, const block_t *found) {
  char own[BUILD_PATH], file[BUILD_PATH];
  if (!realpath(part->file, file) || !realpath(found->rtl, own)) return false;
  size_t n = strlen(l->block->instead);
  if (strcmp(file, own) == 0) return true;
  return n && strncmp(file, l->block->instead, n) == 0 && file[n] == '/' && strchr(file + n + 1, '/') == NULL;
}

/* True if an object has these parameters, "Width=64,Depth=2". */
static bool has_params(const dut_t *dut, const char *params) {
  for (unsigned i = 0; i < dut->num_params; i++) {
    char is[96];
    size_t n = (size_t)snprintf(is, sizeof is, "%s=%lld", dut->params[i].name, (long long)dut->params[i].value);
    const char *p = strstr(params, is);
    while (p && ((p > params && p[-1] != ',') || (p[n] && p[n] != ','))) p = strstr(p + 1, is);
    if (!p) return false;
  }
  return true;
}

/* Loads the model of a part; NULL: `why` says why the part cannot be judged. */
static const dut_t *load_model(const look_t *l, const dut_part_t *part, trouble_t *why) {
  block_t found;
  const dut_t *dut;
  char path[BUILD_PATH];
  if (!block_find(&found, l->places, part->module, part->params, why) || *found.folder)
    return trouble_set(why, TROUBLE_INPUT, "not a block"), NULL;
  if (!is_of_tree(l, part, &found))
    return trouble_set(why, TROUBLE_INPUT, "another module than the block of this name"), NULL;
  snprintf(path, sizeof path, "%s/%s.so", l->places->objects, part->module);
  if (block_fresh(l->places, path) && dut_load(path, &dut, why) && has_params(dut, part->params)) return dut;
  return block_object(&found, l->places, "model", path, why) && dut_load(path, &dut, why) ? dut : NULL;
}

/* The offset of a part's port in the state's bytes. SIZE_MAX: not visible, or another width. */
static size_t find_state(const look_t *l, const dut_part_t *part, const dut_port_t *port) {
  char name[NAME];
  snprintf(name, sizeof name, "%s.%s", part->name, port->pin);
  for (unsigned i = 0; i < l->dut->num_states; i++)
    if (strcmp(l->dut->states[i].name, name) == 0)
      return l->dut->states[i].width == port->width ? l->offset[i] : SIZE_MAX;
  return SIZE_MAX;
}

/* Memory of a part: the model's struct and outputs between guard pages, since its model may be
 * wrong. */
static bool leaf_memory(leaf_t *leaf) {
  const dut_t *dut = leaf->dut;
  leaf->model = guard_memory(dut->model_size);
  leaf->in = calloc(1, dut->in_size + 8);
  leaf->out = guard_memory(dut->out_size);
  leaf->rtl = calloc(1, dut->out_size + 8);
  leaf->at = calloc(dut->num_ports + 1, sizeof *leaf->at);
  return leaf->model && leaf->in && leaf->out && leaf->rtl && leaf->at;
}

/* Prepares one part: its model, its memory, and the offsets of its ports. */
static void open_leaf(look_t *l, leaf_t *leaf) {
  trouble_t why;
  leaf->dut = leaf->loaded = load_model(l, leaf->part, &why);
  if (!leaf->dut) {
    note_unjudged(l, leaf->part, why.text);
    return;
  }
  bool seen = leaf_memory(leaf);
  for (unsigned i = 0; seen && i < leaf->dut->num_ports; i++) {
    leaf->at[i] = find_state(l, leaf->part, &leaf->dut->ports[i]);
    seen = leaf->at[i] != SIZE_MAX;
    if (!seen)
      trouble_set(&why, TROUBLE_INPUT, "its port %s has another width or cannot be seen", leaf->dut->ports[i].name);
  }
  if (seen) l->inside->judged++;
  else {
    note_unjudged(l, leaf->part, why.text);
    leaf->dut = NULL;
  }
}

/* Prepares all parts. False: no part can be judged. */
static bool open_look(look_t *l) {
  const dut_t *dut = l->dut;
  l->leaves = calloc(dut->num_parts + 1, sizeof *l->leaves);
  l->offset = state_offsets(dut);
  l->bytes = calloc(1, dut->state_size + 8);
  l->in = calloc(1, dut->in_size + 8);
  l->mask = calloc(1, dut->in_size + 8);
  if (!l->leaves || !l->offset || !l->bytes || !l->in || !l->mask) return false;
  dut_input_mask(dut, l->mask);
  l->num_leaves = dut->num_parts;
  for (unsigned i = 0; i < l->num_leaves; i++) {
    l->leaves[i].part = &dut->parts[i];
    open_leaf(l, &l->leaves[i]);
  }
  return l->inside->judged > 0;
}

static void close_look(look_t *l) {
  if (l->dev && !l->dev_lost) l->dut->destroy(l->dev);
  for (unsigned i = 0; i < l->num_leaves; i++) {
    leaf_t *leaf = &l->leaves[i];
    if (leaf->loaded) {
      guard_free(leaf->model, leaf->loaded->model_size);
      guard_free(leaf->out, leaf->loaded->out_size);
    }
    free(leaf->in);
    free(leaf->rtl);
    free(leaf->at);
  }
  free(l->leaves);
  free(l->offset);
  free(l->bytes);
  free(l->in);
  free(l->mask);
}

/* --- a cycle */

static jmp_buf asserted;
static char assertion[512];

static void on_assert(void *context, const char *file, unsigned line, const char *text) {
  (void)context;
  if (file) snprintf(assertion, sizeof assertion, "%s:%u: %s", basename(file), line, text);
  else snprintf(assertion, sizeof assertion, "%s", text); /* a crash */
  utf8_clean(assertion);
  _longjmp(asserted, 1);
}

/* Collects inputs and outputs of a part from the state's bytes, with invalid fields zero. */
static void gather_part(const look_t *l, leaf_t *leaf) {
  const dut_t *dut = leaf->dut;
  memset(leaf->in, 0, dut->in_size);
  memset(leaf->rtl, 0, dut->out_size);
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    memcpy((p->dir == DUT_IN ? leaf->in : leaf->rtl) + p->offset, l->bytes + leaf->at[i], (p->width + 7) / 8);
  }
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir == DUT_IN && !dut_port_valid(dut, p, leaf->in)) memset(leaf->in + p->offset, 0, p->size);
  }
  dut->canonical(leaf->rtl);
}

/* Calls a part's model: eval, or with `edge` step. False: the model asserted or crashed, and the
 * part is no longer judged. */
static bool ask_part_model(look_t *l, leaf_t *leaf, bool edge) {
  leaf->dut->on_model_assert(on_assert, NULL);
  if (_setjmp(asserted)) {
    note_unjudged(l, leaf->part, assertion);
    l->inside->judged--;
    leaf->dut = NULL;
    return false;
  }
  if (edge) leaf->dut->model_step(leaf->model, leaf->in);
  else {
    memset(leaf->out, 0, leaf->dut->out_size);
    leaf->dut->model_eval(leaf->model, leaf->in, leaf->out);
    leaf->dut->canonical(leaf->out);
  }
  return true;
}

/* True if the outputs of the part's model differ from those of the RTL. */
static bool is_wrong(const leaf_t *leaf) {
  return leaf->dut && memcmp(leaf->out, leaf->rtl, leaf->dut->out_size) != 0;
}

/* Compares all parts after eval. True: some part is wrong. */
static bool any_wrong(look_t *l) {
  bool wrong = false;
  l->dut->state_get(l->dev, l->bytes);
  for (unsigned i = 0; i < l->num_leaves; i++) {
    leaf_t *leaf = &l->leaves[i];
    if (!leaf->dut) continue;
    gather_part(l, leaf);
    wrong |= ask_part_model(l, leaf, false) && is_wrong(leaf);
  }
  return wrong;
}

/* A call that does not return ends the search, as its time does. */
static bool take_call(look_t *l, const char *lost) {
  l->dev_lost = lost;
  l->inside->cut |= l->dev_lost;
  return !l->dev_lost;
}

static bool call_device(look_t *l, device_call_t call) {
  return take_call(l, device_call(l->dut, l->dev, call, NULL));
}

static bool reset_parts(look_t *l, const void *in) {
  if (!take_call(l, device_reset(l->dut, l->dev, in))) return false;
  for (unsigned i = 0; i < l->num_leaves; i++)
    if (l->leaves[i].dut) l->leaves[i].dut->model_reset(l->leaves[i].model, NULL);
  return true;
}

static void put_inputs(look_t *l, const trace_cycle_t *cycle) {
  for (uint32_t i = 0; i < l->dut->in_size / 8; i++) l->in[i] = cycle->in ? cycle->in[i] & l->mask[i] : 0;
  l->dut->set_inputs(l->dev, l->in);
}

/* Plays the recording. True: a part is wrong in inside->cycle. RTL assertions are ignored here. */
static bool play_recording(look_t *l, const trace_t *trace, double seconds) {
  double deadline = clock_seconds() + seconds;
  for (size_t i = 0; i < trace->count; i++) {
    l->inside->cycle = i;
    if (trace->cycles[i].reset) {
      if (!reset_parts(l, trace->cycles[i].in)) return false;
      continue;
    }
    put_inputs(l, &trace->cycles[i]);
    if (!call_device(l, DEVICE_EVAL)) return false;
    if (any_wrong(l)) return true;
    for (unsigned k = 0; k < l->num_leaves; k++)
      if (l->leaves[k].dut) ask_part_model(l, &l->leaves[k], true);
    if (!call_device(l, DEVICE_STEP)) return false;
    l->inside->cut = clock_seconds() > deadline;
    if (l->inside->cut) return false;
  }
  return false;
}

/* --- what was found */

/* True if the instance `inner` lies below `outer` in the hierarchy. */
static bool is_inside(const dut_part_t *inner, const dut_part_t *outer) {
  size_t n = strlen(outer->name);
  return strncmp(inner->name, outer->name, n) == 0 && inner->name[n] == '.';
}

/* True if the part is wrong and no part inside of it is. */
static bool is_innermost(const look_t *l, const leaf_t *leaf) {
  if (!is_wrong(leaf)) return false;
  for (unsigned i = 0; i < l->num_leaves; i++)
    if (is_wrong(&l->leaves[i]) && is_inside(l->leaves[i].part, leaf->part)) return false;
  return true;
}

/* The first port of this direction that differs. */
static const dut_port_t *wrong_port(const leaf_t *leaf, dut_dir_t dir) {
  for (unsigned i = 0; i < leaf->dut->num_ports; i++) {
    const dut_port_t *p = &leaf->dut->ports[i];
    if (p->dir == dir && memcmp(leaf->out + p->offset, leaf->rtl + p->offset, p->size)) return p;
  }
  return NULL;
}

/* Stores the valid inputs of the wrong part, with the outputs that drive them. */
static void keep_inputs(inside_t *inside, const look_t *l, const leaf_t *leaf) {
  inside->inputs = calloc(leaf->dut->num_ports + 1, sizeof *inside->inputs);
  for (unsigned i = 0; inside->inputs && i < leaf->dut->num_ports; i++) {
    const dut_port_t *p = &leaf->dut->ports[i];
    char value[VALUE];
    if (p->dir != DUT_IN || !dut_port_valid(leaf->dut, p, leaf->in)) continue;
    inside_input_t *input = &inside->inputs[inside->num_inputs++];
    snprintf(input->name, sizeof input->name, "%s", p->name);
    input->value = strdup(report_value(p, leaf->in, value, sizeof value));
    const char *from = inside_drivers(l->dut, leaf->part->name, p->pin);
    input->from = from ? strdup(from) : NULL;
  }
}

/* Stores the wrong part, its first wrong port (probes first) and both values. */
static void keep_part(look_t *l, const leaf_t *leaf) {
  inside_t *inside = l->inside;
  char value[VALUE];
  inside->kind = INSIDE_PART;
  inside->part = leaf->part;
  inside->port = wrong_port(leaf, DUT_PROBE);
  if (!inside->port) inside->port = wrong_port(leaf, DUT_OUT);
  inside->ports_file = leaf->dut->ports_file;
  inside->rtl = strdup(report_value(inside->port, leaf->rtl, value, sizeof value));
  inside->model = strdup(report_value(inside->port, leaf->out, value, sizeof value));
  keep_inputs(inside, l, leaf);
}

/* Stores the innermost wrong part. Other wrong parts of the same cycle, neither around it nor
 * inside of it, go into `also`. */
static void keep_wrong(look_t *l) {
  size_t size;
  FILE *also = open_memstream(&l->inside->also, &size);
  for (unsigned i = 0; also && i < l->num_leaves; i++) {
    const leaf_t *leaf = &l->leaves[i];
    if (!is_innermost(l, leaf)) continue;
    if (!l->inside->part) keep_part(l, leaf);
    else fprintf(also, "%s%s (%s)", ftell(also) ? ", " : "", leaf->part->name, leaf->part->module);
  }
  if (also) fclose(also);
  if (l->inside->also && !*l->inside->also) {
    free(l->inside->also);
    l->inside->also = NULL;
  }
}

void inside_find(inside_t *inside, const dut_t *dut, const block_t *block, const places_t *places, const trace_t *trace,
                 double seconds) {
  look_t l = {.inside = inside, .dut = dut, .block = block, .places = places};
  size_t size;
  memset(inside, 0, sizeof *inside);
  inside->parts = dut->num_parts;
  if (!dut->num_parts || !dut->state_get) return;
  l.unjudged = open_memstream(&inside->unjudged, &size);
  if (l.unjudged && open_look(&l) && (l.dev = dut->create())) {
    if (reset_parts(&l, NULL) && play_recording(&l, trace, seconds)) keep_wrong(&l);
    else inside->kind = INSIDE_OWN;
  }
  if (l.num_unjudged > TOLD) fprintf(l.unjudged, "; and %u more", l.num_unjudged - TOLD);
  if (l.unjudged) fclose(l.unjudged);
  if (!l.num_unjudged) {
    free(inside->unjudged);
    inside->unjudged = NULL;
  }
  close_look(&l);
}

/* --- what a person reads */

const char *inside_drivers(const dut_t *dut, const char *part, const char *port) {
  for (unsigned i = 0; i < dut->num_wires; i++)
    if (strcmp(dut->wires[i].part, part) == 0 && strcmp(dut->wires[i].port, port) == 0) return dut->wires[i].from;
  return NULL;
}

const dut_part_t *inside_part_of(const dut_t *dut, const char *name, size_t length) {
  while (length && name[length - 1] != '.') length--;
  for (unsigned i = 0; length && i < dut->num_parts; i++)
    if (strlen(dut->parts[i].name) == length - 1 && strncmp(dut->parts[i].name, name, length - 1) == 0)
      return &dut->parts[i];
  return NULL;
}

/* The first names of a list, and how many there are besides. */
static void print_names(FILE *out, const dut_t *dut, const char *names, bool modules) {
  unsigned n = 0;
  for (size_t length; *names; names += length + (names[length] != 0)) {
    length = strcspn(names, " ");
    const dut_part_t *part = modules ? inside_part_of(dut, names, length) : NULL;
    if (n < TOLD) fprintf(out, "%s%.*s", n ? ", " : "", (int)length, names);
    if (n++ < TOLD && part) fprintf(out, " (%s, %s)", part->module, source_short(part->file));
  }
  if (n > TOLD) fprintf(out, " and %u more", n - TOLD);
}

void inside_print_drivers(FILE *out, const dut_t *dut, const dut_port_t *port) {
  const char *from = inside_drivers(dut, "", port->pin);
  char label[PORT_NAME];
  if (!from) return;
  fprintf(out, "  %s comes from ", port_label(port, label));
  print_names(out, dut, from, true);
  fprintf(out, "\n");
}

static void print_input(FILE *out, const inside_input_t *input, const dut_t *dut) {
  const char *value = input->value ? input->value : "?";
  size_t n = strlen(value);
  fprintf(out, "      %-14s %.*s%s", input->name, n > SHORT ? SHORT : (int)n, value, n > SHORT ? "..." : "");
  if (input->from) {
    fprintf(out, "  from ");
    print_names(out, dut, input->from, false);
  }
  fprintf(out, "\n");
}

static void print_part(FILE *out, const inside_t *inside, const dut_t *dut) {
  char rule[SOURCE_TEXT];
  const dut_part_t *part = inside->part;
  fprintf(out, "  first wrong inside: %s (%s, %s), cycle %llu, %s %s\n", part->name, part->module,
          source_short(part->file), (unsigned long long)inside->cycle,
          inside->port->dir == DUT_PROBE ? "probe" : "output", inside->port->name);
  fprintf(out, "    rtl    %s\n    model  %s\n", inside->rtl, inside->model);
  if (source_line(inside->ports_file, inside->port->line, rule))
    fprintf(out, "    rule   %s:%u \"%s\"\n", source_short(inside->ports_file), inside->port->line, rule);
  if (inside->also) fprintf(out, "    wrong in the same cycle: %s\n", inside->also);
  if (inside->num_inputs) fprintf(out, "    its inputs in that cycle:\n");
  for (size_t i = 0; i < inside->num_inputs; i++) print_input(out, &inside->inputs[i], dut);
}

/* Without a divergence, RTL and model agree on all outputs. The fault may then be in the model, or
 * in the source of the inputs. */
static void print_own(FILE *out, const inside_t *inside, const dut_t *dut, bool diverged) {
  fprintf(out, "  inside: each of %u parts does what its model does%s", inside->judged,
          inside->unjudged ? ", of those that have one" : "");
  if (diverged)
    fprintf(out, ": the fault is in %s's own lines%s", dut->block, inside->unjudged ? " or in another part" : "");
  fprintf(out, "\n");
}

void inside_print(FILE *out, const inside_t *inside, const dut_t *dut, bool diverged) {
  if (inside->kind == INSIDE_PART) print_part(out, inside, dut);
  else if (inside->kind == INSIDE_OWN && inside->cut)
    fprintf(out, "  inside: no part was wrong up to cycle %llu, when the time was over\n",
            (unsigned long long)inside->cycle);
  else if (inside->kind == INSIDE_OWN) print_own(out, inside, dut, diverged);
  if (inside->unjudged && inside->kind != INSIDE_NOTHING) fprintf(out, "    not judged: %s\n", inside->unjudged);
}
