/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes signals inside of the RTL accessible by name. Verilator's own view of the design decides
 * what is a register and what is a part, so names, generate loops and dialect of the RTL do not
 * matter.
 *
 *   rtl+faults   every register is public in Verilator, so that a bit can be flipped between cycles
 *   rtl+wave     the same, and the ports of every instance can be read; lines.txt says where each
 *                register is written
 */
#include "recipe.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

static bool write_xml(recipe_t *r) {
  words_t command = {0};
  words_add(&command, "verilator"), words_add(&command, "--xml-only"), words_add(&command, "--xml-output"),
      words_add(&command, "design.xml");
  recipe_design(r, &command);
  const bool ok = recipe_run(r, &command);
  words_free(&command);
  return ok;
}

/* A program of harness/lockstep/dut. */
static void add_program(recipe_t *r, words_t *command, const char *program) {
  const char *script = recipe_copy(r, recipe_text(r, "%s/harness/lockstep/dut/%s", r->ask->tree, program));
  words_add_new(&r->read, script);
  words_add(command, "-f"), words_add(command, "%s", script);
}

/* Runs an awk program, behind xml.awk unless that is NULL; its output becomes a file of the working
 * folder. */
static bool run_awk(recipe_t *r, const char *xml, const char *program, const char *setting, const words_t *inputs,
                    const char *file) {
  words_t command = {0};
  words_add(&command, "awk");
  if (setting) words_add(&command, "-v"), words_add(&command, "%s", setting);
  if (xml) add_program(r, &command, xml);
  add_program(r, &command, program);
  words_add_all(&command, inputs);
  const bool ok = recipe_tool(r, "awk") && recipe_ask(r, &command) && recipe_write(r, file, r->said);
  words_free(&command);
  return ok;
}

bool recipe_registers(recipe_t *r, words_t *command) {
  words_t inputs = {0};
  words_add(&inputs, "design.xml");
  const bool ok = write_xml(r) && run_awk(r, "xml.awk", "registers.awk", NULL, &inputs, "registers.vlt") &&
                  (!r->waves || run_awk(r, "xml.awk", "lines.awk", NULL, &inputs, "lines.txt"));
  if (r->waves) words_add_new(&r->sides, "lines.txt");
  words_add(command, "registers.vlt");
  words_free(&inputs);
  return ok;
}

/* Call this after recipe_registers, which has Verilator write the design. */
bool recipe_parts(recipe_t *r, words_t *command) {
  words_t inputs = {0};
  words_add(&inputs, "design.xml");
  const bool ok = run_awk(r, "xml.awk", "parts.awk", "want=public", &inputs, "parts.vlt") &&
                  run_awk(r, "xml.awk", "parts.awk", "want=table", &inputs, "insides.def");
  words_add(command, "parts.vlt");
  words_free(&inputs);
  return ok;
}

/* Call this after Verilator: lists the public variables for verilated_state.h. */
bool recipe_states(recipe_t *r) {
  char pattern[2 * RECIPE_PATH];
  words_t inputs = {0};
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/verilated/Vdut_%s__Syms*.cpp", r->work, r->ask->block);
  if (glob(pattern, 0, NULL, &found))
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: Verilator should have written it", pattern);
  for (size_t i = 0; i < found.gl_pathc; i++) words_add(&inputs, "%s", found.gl_pathv[i] + strlen(r->work) + 1);
  globfree(&found);
  const bool ok = run_awk(r, NULL, "states.awk", NULL, &inputs, "states.def");
  words_free(&inputs);
  return ok;
}
