/* SPDX-License-Identifier: Apache-2.0
 *
 * Beds (a block's RTL and its golden model side by side), and the program around witnesses: every
 * RULE that is linked in is a test with its number as its name.
 *
 *   rules_X [R12 | 'R4*']     these alone
 *   rules_X --list            number, file, text, the blocks of its beds: a line each, tabs between
 *   rules_X --block fifo      witnesses that have a bed of this block
 *           --rtl FOLDER      the block's RTL is that of this folder, where it has a file
 *           --tree FOLDER     RTL and models are those of this tree
 *           --dut icarus      another device in the place of the RTL
 *
 * Which blocks a witness has is found by a rehearsal: it runs on beds without a block, which take
 * every input and show 0.
 */
#include "rule.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "unit_test.h"

enum { MOST_BEDS = 64, MOST_RULES = 256, MOST_REHEARSED = 1000000 };

struct bed {
  const dut_t *dut;
  char params[128];
  void *dev, *model;
  uint8_t *in, *held, *out, *rtl_out;
  bool fresh; /* out and rtl_out are those of in */
  unsigned cycle;
};

static bed_t beds[MOST_BEDS];
static unsigned num_beds;
static rule_t *current;
static rule_t *rules; /* in the order of their numbers */
static const char *tree = LOCKSTACK_SOURCE_DIR, *other_rtl, *only_block, *device = "rtl";
static bool rehearsal;
static unsigned rehearsed; /* calls of this witness; one that waits for a value ends here */

static int rule_number(const rule_t *rule) {
  return atoi(rule->id + 1);
}

void rule_add(rule_t *rule) {
  rule_t **place = &rules;
  while (*place &&
         ((*place)->id[0] < rule->id[0] || ((*place)->id[0] == rule->id[0] && rule_number(*place) < rule_number(rule))))
    place = &(*place)->next;
  rule->next = *place;
  *place = rule;
}

static void model_failed(void *context, const char *file, unsigned line, const char *text) {
  (void)context;
  fail_msg("%s: the golden model asserts at %s:%u: %s", current->id, file, line, text);
}

/* Objects of another tree are kept apart: those of this one are the default build's. */
static places_t rule_places(void) {
  const bool own = strcmp(tree, LOCKSTACK_SOURCE_DIR) == 0;
  return (places_t){tree, own ? LOCKSTACK_BINARY_DIR "/dut" : LOCKSTACK_BINARY_DIR "/other"};
}

/* The block's object with these parameters, built if necessary. NULL: trouble says why there is
 * none. --rtl replaces the RTL of --block's block; the other blocks of a witness stay. */
static const dut_t *load_object(const char *block, const char *params, trouble_t *trouble) {
  const places_t places = rule_places();
  char path[BUILD_PATH];
  block_t found;
  const dut_t *dut = NULL;
  const bool replaced = other_rtl && only_block && strcmp(block, only_block) == 0;
  bool good = block_find(&found, &places, block, params, trouble) &&
              (!replaced || block_instead(&found, other_rtl, trouble)) &&
              block_object(&found, &places, device, path, trouble) && dut_load(path, &dut, trouble);
  return good ? dut : NULL;
}

/* --- Rehearsal */

/* Adds a block to those of the current rule. */
static void note_block(const char *block) {
  char *list = current->blocks;
  const size_t used = strlen(list), n = strlen(block);
  for (const char *at = list; (at = strstr(at, block)); at += n)
    if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n])) return;
  if (used + n + 2 > sizeof current->blocks) fail_msg("%s: too many blocks", current->id);
  snprintf(list + used, sizeof current->blocks - used, "%s%s", used ? " " : "", block);
}

/* In a rehearsal a call on a bed does nothing. */
static bool rehearses(void) {
  if (rehearsal && ++rehearsed > MOST_REHEARSED) fail();
  return rehearsal;
}

static bool has_block(const rule_t *rule, const char *block) {
  char list[sizeof rule->blocks];
  snprintf(list, sizeof list, "%s", rule->blocks);
  for (char *rest = list, *word; (word = strsep(&rest, " "));)
    if (strcmp(word, block) == 0) return true;
  return false;
}

static void bed_close(bed_t *b) {
  if (b->dev) b->dut->destroy(b->dev);
  free(b->model);
  free(b->in);
  free(b->held);
  free(b->out);
  free(b->rtl_out);
  memset(b, 0, sizeof *b);
}

/* An assertion of the RTL ends the witness, a device that could not go on the program. */
static void check_dut(bed_t *b, bool good) {
  if (good) return;
  if (strncmp(b->dut->failure(b->dev), "environment: ", 13) == 0) {
    print_error(RULE_TROUBLE "%d: %s: %s\n", TROUBLE_ENVIRONMENT, b->dut->block, b->dut->failure(b->dev));
    exit(TROUBLE_ENVIRONMENT);
  }
  fail_msg("%s: %s: the RTL asserts in cycle %u: %s", current->id, b->dut->block, b->cycle, b->dut->failure(b->dev));
}

void restart(bed_t *b) {
  if (rehearses()) return;
  b->dut->model_reset(b->model, NULL);
  b->dut->reset(b->dev, NULL);
  b->fresh = false;
}

bed_t *bed(const char *block, const char *params) {
  assert_true(num_beds < MOST_BEDS);
  bed_t *b = &beds[num_beds++];
  trouble_t trouble;
  note_block(block);
  if (rehearsal) return b;
  b->dut = load_object(block, params, &trouble);
  if (!b->dut) {
    print_error(RULE_TROUBLE "%d: %s\n", (int)trouble.kind, trouble.text);
    exit(trouble.kind);
  }
  snprintf(b->params, sizeof b->params, "%s", params);
  b->model = calloc(1, b->dut->model_size);
  b->in = calloc(1, b->dut->in_size);
  b->held = calloc(1, b->dut->in_size);
  b->out = calloc(1, b->dut->out_size);
  b->rtl_out = calloc(1, b->dut->out_size);
  b->dev = b->dut->create();
  if (!b->dev || !b->model || !b->in || !b->held || !b->out || !b->rtl_out)
    fail_msg("%s: %s does not start", current->id, block);
  b->dut->on_model_assert(model_failed, NULL);
  restart(b);
  return b;
}

void expect_refused(const char *block, const char *params, const char *words) {
  trouble_t trouble;
  note_block(block);
  if (rehearsal) return;
  if (load_object(block, params, &trouble)) fail_msg("%s: %s with %s is not refused", current->id, block, params);
  if (!strstr(trouble.text, words))
    fail_msg("%s: %s with %s is not refused for '%s': %s", current->id, block, params, words, trouble.text);
}

/* --- Fields by name */

/* Some bits of an input or output structure. */
typedef struct {
  uint8_t *bytes;
  unsigned lsb, width;
} place_t;

static const dut_field_t *struct_field(const dut_t *dut, const dut_port_t *port, const char *name, size_t length) {
  for (unsigned s = 0; s < dut->num_structs; s++) {
    const dut_struct_t *type = &dut->structs[s];
    if (!port->type || strcmp(type->name, port->type)) continue;
    for (unsigned f = 0; f < type->num_fields; f++)
      if (strlen(type->fields[f].name) == length && !strncmp(type->fields[f].name, name, length))
        return &type->fields[f];
  }
  return NULL;
}

/* The place of "port", "port.field" or "port.field[3]"; with a width, element `index` of so many
 * bits. */
static place_t find_place(const bed_t *b, const char *name, bool in, uint8_t *base, unsigned width, unsigned index) {
  char port_name[64];
  size_t length = strcspn(name, ".");
  snprintf(port_name, sizeof port_name, "%.*s", (int)length, name);
  int number = dut_find_port(b->dut, port_name, in);
  if (number < 0) fail_msg("%s: %s has no %s %s", current->id, b->dut->block, in ? "input" : "output", port_name);
  const dut_port_t *port = &b->dut->ports[number];
  place_t place = {base + port->offset, index * width, width ? width : port->width};
  if (name[length] == '.') {
    const char *rest = name + length + 1;
    const dut_field_t *field = struct_field(b->dut, port, rest, strcspn(rest, "["));
    if (!field) fail_msg("%s: %s has no field %s", current->id, b->dut->block, name);
    const char *bracket = strchr(rest, '[');
    place.lsb = field->lsb + field->width * (bracket ? (unsigned)atoi(bracket + 1) : 0);
    place.width = field->width;
  }
  if (place.width > 64 || place.lsb + place.width > port->width)
    fail_msg("%s: %s is %u bits, and %u of them from bit %u were asked for", current->id, name, port->width,
             place.width, place.lsb);
  return place;
}

static uint64_t get_bits(place_t p) {
  uint64_t value = 0;
  for (unsigned i = 0; i < p.width; i++) value |= (uint64_t)(p.bytes[(p.lsb + i) / 8] >> (p.lsb + i) % 8 & 1) << i;
  return value;
}

static void set_bits(place_t p, uint64_t value) {
  for (unsigned i = 0; i < p.width; i++) {
    unsigned bit = p.lsb + i;
    p.bytes[bit / 8] = (uint8_t)((p.bytes[bit / 8] & ~(1u << bit % 8)) | (value >> i & 1) << bit % 8);
  }
}

/* Sets the bits; a value that needs more of them fails the witness. */
static void put_place(bed_t *b, place_t place, uint64_t value, const char *name) {
  if (place.width < 64 && value >> place.width)
    fail_msg("%s: %s has %u bits, too few for %#lx", current->id, name, place.width, (unsigned long)value);
  set_bits(place, value);
  b->fresh = false;
}

void drive_input_at(bed_t *b, const char *name, unsigned width, unsigned index, uint64_t value) {
  if (rehearses()) return;
  put_place(b, find_place(b, name, true, b->in, width, index), value, name);
}

void hold_at(bed_t *b, const char *name, unsigned width, unsigned index, uint64_t value) {
  if (rehearses()) return;
  drive_input_at(b, name, width, index, value);
  put_place(b, find_place(b, name, true, b->held, width, index), value, name);
}

void drive_input(bed_t *b, const char *name, uint64_t value) {
  drive_input_at(b, name, 0, 0, value);
}
void hold(bed_t *b, const char *name, uint64_t value) {
  hold_at(b, name, 0, 0, value);
}

/* --- Cycles */

/* Evaluates both sides for the inputs of this cycle, unless that is done. */
static void settle_bed(bed_t *b) {
  if (b->fresh) return;
  b->dut->model_eval(b->model, b->in, b->out);
  b->dut->canonical(b->out);
  b->dut->set_inputs(b->dev, b->in);
  check_dut(b, b->dut->eval(b->dev));
  b->dut->get_outputs(b->dev, b->rtl_out);
  b->fresh = true;
}

void tick(bed_t *b) {
  if (rehearses()) return;
  settle_bed(b);
  b->dut->model_step(b->model, b->in);
  check_dut(b, b->dut->step(b->dev));
  memcpy(b->in, b->held, b->dut->in_size);
  b->fresh = false;
  b->cycle++;
}

void ticks(bed_t *b, unsigned cycles) {
  while (cycles--) tick(b);
}

/* The value of an output on both sides. */
static void get_both(bed_t *b, const char *name, unsigned width, unsigned index, uint64_t *rtl, uint64_t *model) {
  settle_bed(b);
  *rtl = get_bits(find_place(b, name, false, b->rtl_out, width, index));
  *model = get_bits(find_place(b, name, false, b->out, width, index));
}

void rule_see(bed_t *b, const char *name, unsigned width, unsigned index, uint64_t value, const char *file, int line) {
  uint64_t rtl, model;
  char where[80];
  if (rehearses()) return;
  get_both(b, name, width, index, &rtl, &model);
  if (rtl == value && model == value) return;
  snprintf(where, sizeof where, width ? "%s[%u]" : "%s", name, index);
  print_error("%s:%d: %s: %s%s%s: %s in cycle %u is %#lx (RTL), %#lx (golden model); the rule says %#lx\n  \"%s\"\n",
              file, line, current->id, b->dut->block, *b->params ? " with " : "", b->params, where, b->cycle,
              (unsigned long)rtl, (unsigned long)model, (unsigned long)value, current->text);
  fail();
}

uint64_t rule_shown(bed_t *b, const char *name, unsigned width, unsigned index, const char *file, int line) {
  uint64_t rtl, model;
  if (rehearses()) return 0;
  get_both(b, name, width, index, &rtl, &model);
  rule_see(b, name, width, index, model, file, line);
  return model;
}

unsigned rule_await(bed_t *b, const char *name, uint64_t value, unsigned most, const char *file, int line) {
  if (rehearses()) return 0;
  for (unsigned i = 0; i < most; i++) {
    uint64_t rtl, model;
    get_both(b, name, 0, 0, &rtl, &model);
    if (rtl == value || model == value) {
      rule_see(b, name, 0, 0, value, file, line);
      return i;
    }
    tick(b);
  }
  rule_see(b, name, 0, 0, value, file, line);
  return most;
}

/* --- The program */

static void run_witness(void **state) {
  current = *state;
  rehearsed = 0;
  current->witness();
}

static int close_beds(void **state) {
  (void)state;
  while (num_beds) bed_close(&beds[--num_beds]);
  return 0;
}

/* The chosen rules as tests; how many. -1: too many. */
static int choose_rules(struct CMUnitTest *tests, const char *block) {
  int n = 0;
  for (rule_t *rule = rules; rule; rule = rule->next) {
    if (block && !has_block(rule, block)) continue;
    if (n == MOST_RULES) return -1;
    tests[n++] = (struct CMUnitTest){rule->id, run_witness, NULL, close_beds, rule};
  }
  return n;
}

/* Fills in the blocks of all rules, in silence. */
static void rehearse(struct CMUnitTest *tests, int n) {
  const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), none = open("/dev/null", O_WRONLY | O_CLOEXEC);
  fflush(NULL);
  dup2(none, STDOUT_FILENO);
  dup2(none, STDERR_FILENO);
  rehearsal = true;
  _cmocka_run_group_tests("rehearsal", tests, (size_t)n, NULL, NULL);
  rehearsal = false;
  fflush(NULL);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  close(out), close(err), close(none);
}

static int list_rules(void) {
  for (rule_t *rule = rules; rule; rule = rule->next)
    printf("%s\t%s\t%s\t%s\n", rule->id, rule->file, rule->text, rule->blocks);
  return 0;
}

int main(int argc, char **argv) {
  static struct CMUnitTest tests[MOST_RULES];
  int n = choose_rules(tests, NULL);
  if (n < 0) return 2;
  if (argc == 2 && !strcmp(argv[1], "--list")) return rehearse(tests, n), list_rules();
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    const char **option = NULL;
    if (!strcmp(argv[i], "--block")) option = &only_block;
    if (!strcmp(argv[i], "--rtl")) option = &other_rtl;
    if (!strcmp(argv[i], "--tree")) option = &tree;
    if (!strcmp(argv[i], "--dut")) option = &device;
    if (option && !value) return 2;
    if (option) *option = value, i++;
    else cmocka_set_test_filter(argv[i]);
  }
  if (only_block) rehearse(tests, n), n = choose_rules(tests, only_block);
  return _cmocka_run_group_tests("rules", tests, (size_t)n, NULL, NULL);
}
