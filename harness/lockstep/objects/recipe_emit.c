/* SPDX-License-Identifier: Apache-2.0
 *
 * The RTL of a block outside of the tree as Verilog 2005 (harness/verify/emit), for a Yosys that
 * cannot read the RTL itself. Yosys tries the RTL first, as part of what the kind is made by. Where
 * that fails, and Yosys does not read the RTL for itself either, Verilator elaborates the design as
 * synthesis has it, and Yosys reads what is written of that:
 *
 *   RTL --Yosys--> read? --no--> Verilator --XML--> emitted.v --Yosys--> read? --no--> both reasons
 *
 * Kind emitted has Verilator's device of emitted.v: the lockstep holds the text against the model.
 */
#include "emit.h"
#include "file.h"
#include "recipe.h"
#include "xml_types.h"
#include "yosys_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a processor, for kind lint: what takes longer is taken for read. */
enum { CPU_SECONDS = 60 };

static const char name[] = "emitted.v";

/* Yosys takes an interface for something else where it reads one. */
static bool has_interfaces(recipe_t *r) {
  return r->flat && !trouble_set(r->trouble, TROUBLE_INPUT, "%s: Yosys reads no interfaces as ports", r->ask->rtl);
}

/* Yosys 0.23 reads no unpacked array as a port, and nobody knows what a later one makes of it:
 * false with the reason. */
static bool has_plain_ports(recipe_t *r) {
  return !recipe_has_arrays(r) || trouble_set(r->trouble, TROUBLE_INPUT, "%s: unpacked arrays as ports", r->ask->rtl);
}

/* Icarus, and the judgement of nets of what is simulated, have the text that simulators have. */
static bool is_simulated(recipe_t *r) {
  return (r->flat || recipe_is(r, "icarus")) && !recipe_of_gates(r) && !recipe_is(r, "cxxrtl") &&
         !recipe_is(r, "lint") && !recipe_is(r, "emitted");
}

/* Assertions are left out: `--assert` makes statements of them, with messages. */
static bool elaborate(recipe_t *r) {
  words_t command = {0}, design = {0};
  emit_command(&command, "emitted.xml");
  recipe_design(r, &design);
  for (size_t i = 0; i < design.count; i++)
    if (strcmp(design.at[i], "--assert")) words_add(&command, "%s", design.at[i]);
  /* the tree's memories are empty for synthesis */
  words_split(&command, recipe_in_tree(r) || is_simulated(r) ? "--Mdir elaborated" : "-DSYNTHESIS=1 --Mdir elaborated",
              " ");
  unlink(recipe_text(r, "%s/emitted.xml", r->work)); /* an earlier build's */
  const bool ok = recipe_tool(r, "verilator") && recipe_run(r, &command);
  words_free(&command), words_free(&design);
  return ok;
}

static bool says_struct(recipe_t *r) {
  bool any = false;
  for (size_t i = 0; i < r->ports_read.count && !any; i++) {
    char *text = file_read(r->ports_read.at[i]);
    any = text && (strstr(text, "struct") || strstr(text, "union"));
    free(text);
  }
  return any;
}

/* Yosys 0.23 reads an unpacked array of structs as one struct, without a word: false with the
 * reason, also where nobody can tell. */
static bool has_plain_arrays(recipe_t *r) {
  xml_types_t types;
  xml_place_t place = {0};
  if (!says_struct(r)) return true;
  if (!elaborate(r)) return r->trouble->kind == TROUBLE_INPUT ? (*r->trouble = (trouble_t){0}, true) : false;
  if (!xml_types_read(&types, recipe_text(r, "%s/emitted.xml", r->work))) return trouble_memory(r->trouble);
  const bool any = xml_types_struct_array(&types, &place);
  const char *file = any && types.files[place.file] ? recipe_text(r, "%s", types.files[place.file]) : r->ask->rtl;
  xml_types_free(&types);
  return !any || trouble_set(r->trouble, TROUBLE_INPUT,
                             "%s:%u: an unpacked array of structs, of which Yosys keeps one element", file, place.line);
}

/* Is the RTL what Yosys reads right, if it reads it? */
static bool suits_yosys(recipe_t *r) {
  return !has_interfaces(r) && has_plain_ports(r) && has_plain_arrays(r);
}

/* Slow is not refused: r->trouble is NONE then, and no ERROR is in r->said. */
static bool run_within(recipe_t *r, const words_t *command) {
  if (!recipe_is(r, "lint")) return recipe_run(r, command);
  if (recipe_run_within(r, CPU_SECONDS, command)) return true;
  const bool slow = r->trouble->kind == TROUBLE_INPUT && !strstr(r->said, "ERROR: ");
  if (slow) *r->trouble = (trouble_t){0};
  return slow;
}

/* True if Yosys reads and elaborates the design. Else r->trouble; ENVIRONMENT: nobody knows. */
static bool yosys_reads(recipe_t *r, const char *file) {
  const char *script = recipe_text(r, "%s\n%s%sproc\n", recipe_yosys_tree(r), recipe_yosys_reads(r),
                                   recipe_yosys_top(r, r->ask->block, recipe_yosys_parameters(r)));
  words_t command = {0};
  yosys_command(&command), words_add(&command, "-e"), words_add(&command, "implicitly declared");
  words_add(&command, "%s", file);
  const bool ok = recipe_tool(r, "yosys") && recipe_write(r, file, script) && run_within(r, &command);
  words_free(&command);
  return ok;
}

const char *recipe_emit_text(recipe_t *r) {
  const char *path = recipe_text(r, "%s/%s", r->work, name);
  unlink(path);
  return elaborate(r) && emit_verilog(recipe_text(r, "%s/emitted.xml", r->work), path, r->trouble) ? name : NULL;
}

/* The last line of a run says that this is not the RTL's own text. */
static bool note(recipe_t *r, const trouble_t *first) {
  char *before = recipe_read(r, "warnings.txt");
  const char *all = recipe_text(r, "%sEMITTED %s\n", before ? before : "", first->text);
  free(before);
  words_add_new(&r->sides, name);
  return recipe_write(r, "warnings.txt", all);
}

/* Yosys' own reason, then the place of what cannot be written. */
static bool refuse(recipe_t *r, const trouble_t *first) {
  char *said = snapshot_say(&r->snapshot, r->trouble->text);
  const char *second = recipe_text(r, "%s", said ? said : r->trouble->text);
  free(said);
  return trouble_set(r->trouble, TROUBLE_INPUT, "%.280s; and not as Verilog 2005: %.200s", first->text, second);
}

/* Yosys gets the text, for the reason that is in r->trouble. */
static bool emit_instead(recipe_t *r) {
  const trouble_t first = *r->trouble;
  if (first.kind == TROUBLE_ENVIRONMENT) return false;
  *r->trouble = (trouble_t){0};
  r->emitted = recipe_emit_text(r);
  if (r->emitted && yosys_reads(r, "text.ys")) {
    *r->trouble = (trouble_t){0};
    return note(r, &first);
  }
  r->emitted = NULL;
  return r->trouble->kind == TROUBLE_ENVIRONMENT ? false : refuse(r, &first);
}

bool recipe_emit(recipe_t *r) {
  if (recipe_in_tree(r)) return true;
  return (suits_yosys(r) && yosys_reads(r, "own.ys")) || emit_instead(r);
}

/* What Icarus 11 does not read as a port, or reads wrong: of two arrays it connects elements by
 * index where the language says by position. NULL: nothing. */
static const char *odd_ports(recipe_t *r) {
  if (r->flat) return "interfaces as ports";
  return !recipe_in_tree(r) && recipe_has_arrays(r) ? "unpacked arrays as ports" : NULL;
}

bool recipe_emit_ports(recipe_t *r) {
  if (!odd_ports(r)) return true;
  r->emitted = recipe_emit_text(r);
  return r->emitted;
}

bool recipe_emit_note(recipe_t *r) {
  const char *odd = odd_ports(r);
  if (!odd) return true;
  char *before = recipe_read(r, "warnings.txt");
  const char *all = recipe_text(r, "%sPORTS %s: %s\n", before ? before : "", r->ask->rtl, odd);
  free(before);
  return recipe_write(r, "warnings.txt", all);
}

bool recipe_by_yosys(recipe_t *r, bool (*make)(recipe_t *r)) {
  const bool suits = recipe_in_tree(r) || suits_yosys(r);
  if (suits && make(r)) return true;
  const trouble_t first = *r->trouble;
  if (first.kind != TROUBLE_INPUT || recipe_in_tree(r) || r->lacks_cell) return false;
  if (suits) {
    *r->trouble = (trouble_t){0};
    if (yosys_reads(r, "own.ys")) return *r->trouble = first, false; /* it is no matter of the text */
  }
  return emit_instead(r) && make(r);
}

bool recipe_emitted(recipe_t *r) {
  r->emitted = recipe_emit_text(r);
  if (!r->emitted) return false;
  words_free(&r->files), words_free(&r->packages), words_free(&r->folders), words_free(&r->includes);
  words_add(&r->files, name);
  r->gates = true, r->probes = true;
  return true;
}
