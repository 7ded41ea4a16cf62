/* SPDX-License-Identifier: Apache-2.0
 *
 * Kind icarus: the RTL compiled by Icarus Verilog in a testbench that is expanded from the port
 * file, the VPI module that transports its ports, and the shim that runs vvp.
 *
 *   engine <--> icarus_shim.cpp <--socket--> icarus_vpi.c <--> testbench, RTL      (in vvp)
 *
 * Delays are taken out of the compiled design (vvp_text.h): they take no time in the other devices.
 *
 * Assertions are switched off. An assertion about data that was never written fails on X, even if
 * its port is not valid. An X that reaches valid outputs is seen there.
 *
 * The object opens the compiled design and the VPI module at run time. Both are named by their
 * content, so an object never opens another object's files.
 */
#include "recipe.h"
#include "vvp_text.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

/* What Verilator elaborated, without the places that Icarus would miscount. */
static bool add_text(recipe_t *r, words_t *command) {
  static const char line[] = "`line ";
  char *text = recipe_read(r, r->emitted);
  for (char *p = text; p && (p = strstr(p, line));) memcpy(p, "//    ", sizeof line - 1);
  const bool ok = text && recipe_write(r, "icarus_text.v", text);
  words_add(command, "icarus_text.v");
  free(text);
  return ok;
}

/* Icarus 11 has one language for all files; a directive switches a file to the keywords of Verilog
 * 2005. */
static bool add_files(recipe_t *r, words_t *command) {
  if (r->emitted) return add_text(r, command);
  for (size_t i = 0; i < r->files.count; i++) {
    const char *file = r->files.at[i], *copy = recipe_copy(r, file);
    const size_t n = strlen(file);
    if (r->ask->read && r->ask->read->verilog && n > 2 && strcmp(file + n - 2, ".v") == 0) {
      const char *wrapped = recipe_text(r, "icarus_%zu.v", i);
      if (!recipe_write(r, wrapped,
                        recipe_text(r, "`begin_keywords \"1364-2005\"\n`include \"%s\"\n`end_keywords\n", copy)))
        return false;
      copy = wrapped;
    }
    words_add(command, "%s", copy);
  }
  return true;
}

static void add_folders(recipe_t *r, words_t *command, const char *option, const words_t *folders, bool apart) {
  words_t names = {0};
  recipe_folders(r, folders, &names);
  for (size_t i = 0; i < names.count; i++) {
    if (apart) words_add(command, "%s", option);
    words_add(command, "%s%s", apart ? "" : option, names.at[i]);
  }
  words_free(&names);
}

/* What counts is the clock's edge, in this device as in the others. */
static bool remove_delays(recipe_t *r) {
  char *text = recipe_read(r, "icarus.vvp"), *undelayed = NULL;
  size_t size;
  FILE *to = text ? open_memstream(&undelayed, &size) : NULL;
  bool made = to && vvp_text_undelayed(to, text);
  if (to && fclose(to)) made = false;
  if (text && !made) trouble_memory(r->trouble);
  const bool ok = made && recipe_write(r, "icarus.vvp", undelayed);
  free(text), free(undelayed);
  return ok;
}

static bool compile_design(recipe_t *r) {
  words_t command = {0}, defines = {0};
  /* -Ttyp: without it, Icarus warns of each `#(1:2:3)` */
  words_split(&command, "iverilog -g2012 -gno-assertions -Ttyp -Y .sv", " ");
  if (!r->emitted) add_folders(r, &command, "-I", &r->folders, false); /* in Verilator's order: recipe_design */
  if (recipe_in_tree(r)) words_add(&command, "-Igen"), add_folders(r, &command, "-I", &r->lists, false);
  add_folders(r, &command, "-I", &r->includes, false);
  if (r->ask->read) words_split(&defines, r->ask->read->defines, "\n");
  for (size_t i = 0; i < defines.count; i++) words_add(&command, "-D%s", defines.at[i]);
  if (!r->emitted) add_folders(r, &command, "-y", &r->folders, true);
  words_split(&command, "-s lockstack_bench -M icarus.list -o icarus.vvp", " ");
  if (!r->emitted) words_add_all(&command, &r->packages);
  bool ok = recipe_ports(r, "icarus.sv", true, "icarus_bench.sv") && add_files(r, &command);
  words_add(&command, "icarus_bench.sv");
  ok = ok && recipe_run(r, &command) && remove_delays(r) && recipe_deps_lines(r, "icarus.list", &r->rtl_read) &&
       (r->emitted || recipe_same_files(r, &r->rtl_read, "Icarus"));
  words_free(&command), words_free(&defines);
  return ok;
}

static bool compile_module(recipe_t *r) {
  words_t command = {0};
  words_split(&command, "gcc -shared -fPIC -O2 -Wall -MD -MF icarus_vpi.d -I/usr/include/iverilog -o lockstack.vpi",
              " ");
  words_add(&command, "-I%s", recipe_copy(r, recipe_text(r, "%s/harness/lockstep/dut", r->ask->tree)));
  words_add(&command, "%s", recipe_copy(r, recipe_text(r, "%s/harness/lockstep/dut/icarus_vpi.c", r->ask->tree)));
  const bool ok = recipe_run(r, &command) && recipe_deps(r, "icarus_vpi.d", &r->c_read);
  words_free(&command);
  return ok;
}

/* Names the made file by its content. Files of earlier builds stay for a while, since processes may
 * have them open. */
static const char *keep(recipe_t *r, const char *made, const char *ending) {
  char sum[CONTENT_SUM], from[2 * RECIPE_PATH], to[2 * RECIPE_PATH];
  snprintf(from, sizeof from, "%s/%s", r->work, made);
  if (!content_sum(from, sum))
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: %s", from, strerror(errno)), NULL;
  snprintf(to, sizeof to, "%s/lockstack-%.16s%s", r->work, sum, ending);
  unlink(to);
  if (link(from, to)) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: %s", to, strerror(errno)), NULL;
  words_add_new(&r->keep, to);
  return recipe_text(r, "%s", to);
}

static void add_programs(recipe_t *r) {
  glob_t found;
  if (glob("/usr/lib/*/ivl/*", 0, NULL, &found) && glob("/usr/lib/ivl/*", 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; i++)
    if (strstr(found.gl_pathv[i], "/ivl/ivl") || strstr(found.gl_pathv[i], "vvp") ||
        strstr(found.gl_pathv[i], "system.vpi"))
      words_add_new(&r->read, found.gl_pathv[i]);
  globfree(&found);
}

bool recipe_icarus(recipe_t *r) {
  if (!recipe_tool(r, "iverilog") || !recipe_tool(r, "vvp")) return false;
  add_programs(r);
  if (!recipe_emit_ports(r) || !compile_design(r) || !compile_module(r)) return false;
  const char *vvp = keep(r, "icarus.vvp", ".vvp"), *vpi = vvp ? keep(r, "lockstack.vpi", ".vpi") : NULL;
  if (!vpi) return false;
  const char *name = strrchr(vpi, '/') + 1;
  r->device = recipe_copy(r, recipe_text(r, "%s/harness/lockstep/dut/icarus_shim.cpp", r->ask->tree));
  r->device_flags =
      recipe_text(r, "-DICARUS_TREE='\"%s\"' -DICARUS_VVP='\"%s\"' -DICARUS_FOLDER='\"%s\"' -DICARUS_MODULE='\"%.*s\"'",
                  r->ask->tree, vvp, r->work, (int)strlen(name) - 4, name);
  return true;
}
