/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the RTL with Yosys, and builds kind cxxrtl: Yosys' C++ simulator of the block
 * (write_cxxrtl) behind cxxrtl_shim.cpp. Memories (sram_*) are black boxes for Yosys, and the shim
 * supplies them. A memory that is the block itself is read as RTL.
 *
 * Yosys looks for an image of $readmemh beside the source that names it. The `line directive makes
 * that the original's folder.
 */
#include "port_arrived.h"
#include "port_names.h"
#include "recipe.h"
#include "yosys_command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* names are identifiers */

/* Options of each read command: folders of `include, and defines. */
static const char *read_words(recipe_t *r) {
  const char *text = "";
  words_t defines = {0}, names = {0};
  /* as Verilator searches: recipe_design */
  recipe_folders(r, &r->folders, &names), recipe_folders(r, &r->includes, &names);
  for (size_t i = 0; i < names.count; i++) text = recipe_text(r, "%s -I%s", text, names.at[i]);
  words_free(&names);
  if (r->ask->read) words_split(&defines, r->ask->read->defines, "\n");
  for (size_t i = 0; i < defines.count; i++) text = recipe_text(r, "%s -D%s", text, defines.at[i]);
  words_free(&defines);
  return text;
}

const char *recipe_yosys_tree(recipe_t *r) {
  const char *text = recipe_in_tree(r) ? "verilog_defaults -add -Igen" : "verilog_defaults -add";
  for (size_t i = 0; recipe_in_tree(r) && i < r->lists.count; i++)
    text = recipe_text(r, "%s -I%s", text, recipe_copy(r, r->lists.at[i]));
  return text;
}

static bool is_verilog(const recipe_t *r, const char *file) {
  const size_t n = strlen(file);
  return r->ask->read && r->ask->read->verilog && n > 2 && strcmp(file + n - 2, ".v") == 0;
}

/* Yosys is told the language of a file; Verilator and Icarus derive it from the name. */
const char *recipe_yosys_reads(recipe_t *r) {
  const char *words = read_words(r), *text = "";
  if (r->emitted) return recipe_text(r, "read_verilog -defer %s\n", r->emitted);
  for (size_t i = 0; i < r->files.count; i++)
    text = recipe_text(r, "%sread_verilog -defer%s%s %s\n", text, is_verilog(r, r->files.at[i]) ? "" : " -sv", words,
                       recipe_copy(r, r->files.at[i]));
  return *words ? recipe_text(r, "%sverilog_defaults -add%s\n", text, words) : text;
}

const char *recipe_yosys_libraries(recipe_t *r) {
  const char *text = "";
  words_t names = {0};
  if (!r->emitted) recipe_folders(r, &r->folders, &names);
  for (size_t i = 0; i < names.count; i++) text = recipe_text(r, "%s -libdir %s", text, names.at[i]);
  words_free(&names);
  return r->cell_folder ? recipe_text(r, "%s -libdir %s", text, r->cell_folder) : text;
}

/* Every parameter of the port file with its value, whatever the RTL's default is. */
const char *recipe_yosys_parameters(recipe_t *r) {
  const char *text = "";
  char literal[PORT_LITERAL], name[PORT_NAME], verilog[PORT_NAME];
  for (size_t i = 0; i < r->values.count; i++) {
    const char *equals = strchr(r->values.at[i], '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - r->values.at[i]), r->values.at[i]);
    port_name_verilog(name, verilog);
    text = recipe_text(r, "%s%s.%s(%s)", text, i ? ", " : "", verilog, port_literal(equals + 1, -1, literal));
  }
  return text;
}

/* Elaborates the module through an instance, which passes values as Verilog does. chparam makes
 * each value unsigned, and elaborates the module with its defaults first. The module keeps its
 * name. */
const char *recipe_yosys_top(recipe_t *r, const char *module, const char *parameters) {
  char verilog[PORT_NAME];
  port_name_verilog(module, verilog);
  return recipe_text(r,
                     "read_verilog -sv <<EOT\nmodule lockstack_top; %s %s%s%s block (); endmodule\nEOT\n"
                     "hierarchy -check -top lockstack_top%s\n"
                     "select -set block lockstack_top/block %%M\nsetattr -mod -set top 1 @block\ndelete lockstack_top\n"
                     "rename -top %s\n",
                     verilog, *parameters ? "#(" : "", parameters, *parameters ? ")" : "", recipe_yosys_libraries(r),
                     module);
}

/* Turns "Warning: Yosys has only limited support for tri-state logic at the moment. (x.v:4)" into
 * an error: Yosys drops the tri-state logic. */
static bool bad_tristate(recipe_t *r) {
  const char *place = strstr(r->said, "tri-state");
  place += strcspn(place, "(\n");
  const char *begin = *place == '(' ? place + 1 : "";
  return trouble_set(r->trouble, TROUBLE_INPUT,
                     "%.*s: tri-state logic, which Yosys drops: devices rtl and icarus have it",
                     (int)strcspn(begin, ")\n"), *begin ? begin : r->ask->rtl);
}

/* Runs a script and checks that the file which the script writes last exists and is complete. */
bool recipe_yosys(recipe_t *r, const char *script, const char *deps, const char *made) {
  words_t command = {0};
  char path[2 * RECIPE_PATH];
  snprintf(path, sizeof path, "%s%s%s", *made == '/' ? "" : r->work, *made == '/' ? "" : "/", made);
  unlink(path);
  yosys_command(&command), words_add(&command, "-e"), words_add(&command, "implicitly declared");
  words_add(&command, "-E"), words_add(&command, "%s", deps);
  words_add(&command, "%s", script);
  bool ok = recipe_tool(r, "yosys") && recipe_tool(r, "yosys-abc") && recipe_run(r, &command);
  words_free(&command);
  if ((ok || r->trouble->kind == TROUBLE_INPUT) && strstr(r->said, "tri-state")) ok = bad_tristate(r);
  if (ok && access(path, R_OK))
    ok = trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "yosys ended without an error and did not write %s", path);
  return ok && recipe_deps(r, deps, &r->rtl_read);
}

/* ---- cxxrtl */

static bool find_headers(recipe_t *r) {
  words_t command = {0};
  words_add(&command, "yosys-config"), words_add(&command, "--datdir/include");
  const bool ok = recipe_ask(r, &command);
  words_free(&command);
  const char *folder = ok ? recipe_text(r, "%.*s", (int)strcspn(r->said, "\n"), r->said) : "";
  const char *runtime = recipe_text(r, "%s/backends/cxxrtl/runtime", folder); /* of later Yosys */
  const bool there = ok && (access(recipe_text(r, "%s/cxxrtl/cxxrtl.h", runtime), R_OK) == 0 ||
                            access(recipe_text(r, "%s/backends/cxxrtl/cxxrtl.h", folder), R_OK) == 0);
  if (!there) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "yosys-dev is not installed");
  /* A read beyond a memory gives an unusable value, as in every Verilog simulator, and outputs show
   * it. C++'s assert() would end the run instead. */
  r->device_flags = recipe_text(r, "-I%s -I%s -I. -DCXXRTL_NDEBUG", folder, runtime);
  return true;
}

static const char memory_boxes[] = "setattr -mod -set cxxrtl_blackbox 1 =sram_1r1w\n"
                                   "setattr -mod -set cxxrtl_template \"Width Depth LaneBits\" =sram_1r1w\n"
                                   "setattr -set cxxrtl_edge \"p\" =sram_1r1w/w:clk_i\n"
                                   "setattr -set cxxrtl_sync 1 =sram_1r1w/w:rd_data_o\n"
                                   "setattr -set cxxrtl_width \"Width\" =sram_1r1w/w:*_data_*\n"
                                   "setattr -set cxxrtl_width \"sram_bits(Depth)\" =sram_1r1w/w:*_addr_i\n"
                                   "setattr -set cxxrtl_width \"Width / LaneBits\" =sram_1r1w/w:wr_mask_i\n";

/* Division by 0 gives x, which is 0 in a two-state device. cxxrtl.h would loop forever. */
static bool write_divisions(recipe_t *r) {
  static const char *const cells[] = {"$div", "$mod", "$divfloor", "$modfloor"};
  const char *text = "";
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
    text = recipe_text(
        r,
        "%s(* techmap_celltype = \"%s\" *)\n"
        "module lockstack_%s (input [A_WIDTH-1:0] A, input [B_WIDTH-1:0] B, output [Y_WIDTH-1:0] Y);\n"
        "  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;\n"
        "  parameter _TECHMAP_CONSTMSK_B_ = 0, _TECHMAP_CONSTVAL_B_ = 0;\n"
        "  wire _TECHMAP_FAIL_ = &_TECHMAP_CONSTMSK_B_ && |_TECHMAP_CONSTVAL_B_;\n"
        "  wire [B_WIDTH-1:0] by = |B ? B : {{B_WIDTH{1'b0}}, 1'b1};\n"
        "  wire [Y_WIDTH-1:0] result;\n"
        "  \\%s #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))\n"
        "    divide (.A(A), .B(by), .Y(result));\n"
        "  assign Y = |B ? result : {Y_WIDTH{1'b0}};\n"
        "endmodule\n",
        text, cells[i], cells[i] + 1, cells[i]);
  return recipe_write(r, "divisions.v", text);
}

/* cxxrtl.h is correct only for unsigned right shifts, and for left shifts by whole chunks. All
 * other shifts are built from these. Otherwise bits above the width remain, or a sign lands in the
 * wrong place. */
static const char shifts[] =
    "(* techmap_celltype = \"$shl $sshl $shr $sshr $shift $shiftx\" *)\n"
    "module lockstack_shift (input [A_WIDTH-1:0] A, input [B_WIDTH-1:0] B, output [Y_WIDTH-1:0] Y);\n"
    "  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1, _TECHMAP_CELLTYPE_ = \"\";\n"
    "  localparam LEFT = _TECHMAP_CELLTYPE_ == \"$shl\" || _TECHMAP_CELLTYPE_ == \"$sshl\";\n"
    "  localparam TURNS = B_SIGNED && (_TECHMAP_CELLTYPE_ == \"$shift\" || _TECHMAP_CELLTYPE_ == \"$shiftx\");\n"
    "  localparam FILLS = A_SIGNED && _TECHMAP_CELLTYPE_ == \"$sshr\";\n"
    "  localparam M = A_WIDTH > Y_WIDTH ? A_WIDTH : Y_WIDTH, W = (M + 31) / 32 * 32;\n"
    "  wire _TECHMAP_FAIL_ = !A_SIGNED && !B_SIGNED && (!LEFT || Y_WIDTH % 32 == 0);\n"
    "  wire sign = A[A_WIDTH-1], turn = B[B_WIDTH-1];\n"
    "  wire [M-1:0] extended;\n"
    "  wire [W-1:0] a, left, right;\n"
    "  wire [B_WIDTH-1:0] by;\n"
    "  generate\n"
    "    if (A_SIGNED) assign extended = {{M{sign}}, A}; else assign extended = A;\n"
    "    if (FILLS) assign a = {W{sign}} ^ {{W{sign}}, extended}; else assign a = extended;\n"
    "    if (TURNS) assign by = turn ? -B : B; else assign by = B;\n"
    "    if (LEFT || TURNS) \\$shl #(.A_SIGNED(0), .B_SIGNED(0), .A_WIDTH(W), .B_WIDTH(B_WIDTH), .Y_WIDTH(W))\n"
    "      to_left (.A(a), .B(by), .Y(left));\n"
    "    if (!LEFT) \\$shr #(.A_SIGNED(0), .B_SIGNED(0), .A_WIDTH(W), .B_WIDTH(B_WIDTH), .Y_WIDTH(W))\n"
    "      to_right (.A(a), .B(by), .Y(right));\n"
    "    if (LEFT) assign Y = left; else if (TURNS) assign Y = turn ? left : right;\n"
    "    else if (FILLS) assign Y = {W{sign}} ^ right; else assign Y = right;\n"
    "  endgenerate\n"
    "endmodule\n";

/* True if sram_1r1w is the user's own module, which is RTL as any other. */
static bool has_own_memory(recipe_t *r) {
  const char *ours = recipe_text(r, "%s/rtl/lib/sram_1r1w.sv", r->ask->tree);
  return !recipe_in_tree(r) && r->ask->read && rtl_finds(r->ask->read, "sram_1r1w", ours);
}

static const char *cxxrtl_script(recipe_t *r) {
  const bool memory = recipe_in_tree(r) && strncmp(r->ask->block, "sram_", 5) == 0;
  const char *boxes = memory || has_own_memory(r) ? "" : memory_boxes;
  const char *text = recipe_text(r, "%s%s\n", recipe_yosys_tree(r), memory ? " -nosynthesis" : "");
  for (size_t i = 0; i < r->packages.count; i++)
    text = recipe_text(r, "%sread_verilog -sv %s\n", text, r->packages.at[i]);
  text = recipe_text(r, "%s%s", text, recipe_yosys_reads(r));
  text = recipe_text(r, "%s%sproc\nflatten\nclean\nchformal -remove\ndelete t:$print\n", text,
                     recipe_yosys_top(r, r->ask->block, recipe_yosys_parameters(r)));
  text = recipe_text(r, "%stee -q -o latches.txt select -list t:$dlatch t:$adlatch t:$dlatchsr t:$sr\n", text);
  return recipe_text(r, "%stechmap -max_iter 1 -map divisions.v -map shifts.v\n%swrite_cxxrtl -g0 -header design.cc\n",
                     text, boxes);
}

/* The C++ name of a port: a_b becomes p_a__b. */
static const char *mangled(recipe_t *r, const char *name) {
  char text[PORT_NAME];
  port_name_cxxrtl(name, text);
  return recipe_text(r, "p_%s", text);
}

/* Takes the next member of the block's struct, "value<8> name"; the state is among the members. */
static bool take_member(const char **at, char shape[8], char name[512]) {
  static const char *const shapes[] = {"value<", "wire<", "memory<"};
  for (int i = 0; i < 3; i++) {
    const char *p = *at;
    const size_t n = strlen(shapes[i]);
    if (strncmp(p, shapes[i], n)) continue;
    p += n;
    p += strspn(p, "0123456789");
    if (strncmp(p, "> ", 2)) return false;
    size_t k = 0;
    for (p += 2; (isalnum((unsigned char)*p) || *p == '_') && k + 1 < 512; p++) name[k++] = *p;
    name[k] = 0;
    for (k = 0; k + 1 < n; k++) shape[k] = (char)toupper((unsigned char)shapes[i][k]);
    shape[k] = 0;
    *at = p;
    return *name;
  }
  return false;
}

static const char *state_members(recipe_t *r, const char *members) {
  const char *text = "";
  for (const char *line = strstr(members, "\n\t"); line; line = strstr(line, "\n\t")) {
    char shape[8], name[512];
    line += 2;
    if (strncmp(line, "/*", 2) == 0 && strstr(line, "*/ ")) line = strstr(line, "*/ ") + 3;
    if (take_member(&line, shape, name)) text = recipe_text(r, "%s \\\n  %s(%s)", text, shape, name);
  }
  return text;
}

/* Memories are std::unique_ptr<bb_p_sram__1r1w<8, 4, 8>> cell_x, with the parameter's name as a
 * comment before each number. */
static const char *state_memories(recipe_t *r, const char *members, const char **srams) {
  static const char begin[] = "bb_p_sram__1r1w<";
  const char *text = "";
  words_t shapes = {0};
  *srams = "";
  for (const char *p = members; (p = strstr(p, begin)); p++) {
    char name[512];
    unsigned width, depth, lane;
    if (sscanf(p, "bb_p_sram__1r1w</*Width=*/%u, /*Depth=*/%u, /*LaneBits=*/%u>> cell_%500[A-Za-z0-9_]", &width, &depth,
               &lane, name) != 4)
      continue;
    text = recipe_text(r, "%s \\\n  CELL(cell_%s, %u, %u, %u)", text, name, width, depth, lane);
    if (words_add_new(&shapes, recipe_text(r, "SRAM(%u, %u, %u)", width, depth, lane)))
      *srams = recipe_text(r, "%s \\\n  %s", *srams, shapes.at[shapes.count - 1]);
  }
  words_free(&shapes);
  return text;
}

static bool write_names(recipe_t *r) {
  words_t pins = {0};
  const char *class = mangled(r, r->ask->block), *srams;
  const char *text = recipe_text(r, "/* Generated: names of ports and members. */\n#define DUT_CLASS %s\n", class);
  if (!recipe_ports_lines(r, "pins.txt", true, &pins)) return false;
  for (size_t i = 0; i < pins.count; i++) {
    const char *equals = strchr(pins.at[i], '=');
    if (equals)
      text = recipe_text(r, "%s#define PORT_%.*s %s\n", text, (int)(equals - pins.at[i]), pins.at[i],
                         mangled(r, equals + 1));
  }
  words_free(&pins);
  char *header = recipe_read(r, "design.h");
  const char *members = header ? strstr(header, recipe_text(r, "struct %s : public module", class)) : NULL;
  const char *state = members ? state_members(r, members) : "",
             *memories = members ? state_memories(r, members, &srams) : "";
  free(header);
  if (!members) return header ? trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "yosys wrote no struct %s", class) : false;
  char *latches = recipe_read(r, "latches.txt");
  if (!latches) return false;
  if (*latches) text = recipe_text(r, "%s#define HAVE_LATCHES 1\n", text);
  free(latches);
  if (*srams) text = recipe_text(r, "%s#define SRAMS%s\n", text, srams);
  return recipe_write(r, "design_names.h", recipe_text(r, "%s#define STATE%s%s\n", text, state, memories));
}

bool recipe_cxxrtl(recipe_t *r) {
  if (!recipe_tool(r, "yosys-config") || !find_headers(r) || !write_divisions(r) ||
      !recipe_write(r, "shifts.v", shifts) || !recipe_write(r, "cxxrtl.ys", cxxrtl_script(r)))
    return false;
  if (!recipe_yosys(r, "cxxrtl.ys", "cxxrtl.d", "design.cc") ||
      !(r->emitted || recipe_same_files(r, &r->rtl_read, "Yosys")) || !write_names(r))
    return false;
  r->device = recipe_copy(r, recipe_text(r, "%s/harness/lockstep/dut/cxxrtl_shim.cpp", r->ask->tree));
  return true;
}
