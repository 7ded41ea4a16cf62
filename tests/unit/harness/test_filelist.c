/* SPDX-License-Identifier: Apache-2.0
 *
 * File lists of other projects: what is taken of .f, .core and Bender.yml, what a Verilog text
 * declares and names, and what a module needs of a list or is missing.
 */
#include "file.h"
#include "file_list.h"
#include "needs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit_test.h"

static char top_folder[] = "/tmp/test_filelist.XXXXXX";

/* Writes a file below the folder of the test, which is the working folder. */
static void put(const char *path, const char *text) {
  char folder[256];
  snprintf(folder, sizeof folder, "%s", path);
  if (strrchr(folder, '/')) *strrchr(folder, '/') = 0, file_folder(folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* The words without the test's folder, with blanks between. */
static const char *joined(const words_t *words) {
  static char text[4096];
  size_t n = 0;
  *text = 0;
  for (size_t i = 0; i < words->count; i++) {
    const char *within = file_within(words->at[i], top_folder);
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? " " : "", within ? within : words->at[i]);
  }
  return text;
}

static bool read_list(const char *name, const char *target, file_list_t *list, trouble_t *trouble) {
  char path[4096];
  words_t targets = {0};
  *list = (file_list_t){0}, *trouble = (trouble_t){0};
  snprintf(path, sizeof path, "%s/%s", top_folder, name);
  if (target) words_add(&targets, "%s", target);
  const bool ok = file_list_read(path, &targets, list, trouble);
  words_free(&targets);
  return ok;
}

static void put_sources(void) {
  static const char *const sources[] = {"rtl/a.sv", "rtl/b.v", "rtl/sub/c.sv", "rtl/inc/d.svh", "lib/e.v", "spare/f.v"};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) put(sources[i], "\n");
}

/* Options, comments, variables, quotes, and lists within lists with the rules of their paths. */
static void takes_f(void **state) {
  (void)state;
  file_list_t list;
  trouble_t trouble;
  put_sources();
  put("rtl/nested.f", "sub/c.sv // beside the list\n");
  put("rtl/top.f",
      "# a comment\n/* and\n one */ +incdir+rtl/inc+rtl\n+define+FAST+W=4 -DX=1\n\"rtl/a.sv\" \\\n$ROOT/rtl/b.v "
      "${DIR}/e.v\n-y lib -v spare/f.v -F rtl/nested.f\n-Wno-WIDTH --top-module a --trace main.cpp\n");
  put("main.cpp", "");
  setenv("ROOT", top_folder, 1), setenv("DIR", "lib", 1);
  assert_true(read_list("rtl/top.f", NULL, &list, &trouble));
  assert_string_equal(joined(&list.files), "rtl/a.sv rtl/b.v lib/e.v rtl/sub/c.sv");
  assert_string_equal(joined(&list.spare), "spare/f.v");
  assert_string_equal(joined(&list.libraries), "lib");
  assert_string_equal(joined(&list.includes), "rtl/inc rtl");
  assert_string_equal(joined(&list.defines), "FAST W=4 X=1");
  assert_string_equal(joined(&list.flags), "-Wno-WIDTH");
  assert_int_equal(list.left_out.count, 3); /* --top-module, --trace, main.cpp */
  file_list_free(&list);
  /* -f starts at the working folder, and beside the list where that has no such file */
  put("rtl/beside.f", "a.sv\n");
  assert_true(read_list("rtl/beside.f", NULL, &list, &trouble));
  assert_string_equal(joined(&list.files), "rtl/a.sv");
  file_list_free(&list);
}

static void refuses_f(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } all[] = {{"rtl/a.sv\nrtl/none.sv\n", "/bad.f:2: no file rtl/none.sv, neither in the working folder"},
             {"$NOWHERE/a.sv\n", "/bad.f:1: $NOWHERE is not set"},
             {"-GW=4\n", "/bad.f:1: -GW=4: a parameter of the module: --set NAME=VALUE"},
             {"-f\n", "/bad.f:2: -f: its argument is missing"},
             {"-f bad.f\n", "lists name each other in a circle"}};
  file_list_t list;
  trouble_t trouble;
  put_sources();
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    put("bad.f", all[i].text);
    assert_false(read_list("bad.f", NULL, &list, &trouble));
    assert_int_equal(trouble.kind, TROUBLE_INPUT);
    if (!strstr(trouble.text, all[i].says)) fail_msg("'%s' says '%s'", all[i].text, trouble.text);
    file_list_free(&list);
  }
  /* of two files of the name nobody can tell */
  put("a.sv", "// another\n"), put("rtl/both.f", "a.sv\n");
  assert_false(read_list("rtl/both.f", NULL, &list, &trouble));
  assert_non_null(strstr(trouble.text, "a.sv is there twice"));
  file_list_free(&list);
  unlink("a.sv");
}

/* Cores depend on others of the tree; conditions, include files, and macros of a target. */
static void takes_core(void **state) {
  (void)state;
  file_list_t list;
  trouble_t trouble;
  put_sources();
  put("lib/lib.core",
      "CAPI=2:\nname: \"us:ip:lib:1.0\"\nfilesets:\n  rtl:\n    files: [e.v]\n    file_type: verilogSource\n"
      "targets:\n  default:\n    filesets: [rtl]\n");
  put("rtl/top.core",
      "CAPI=2:\nname: \"us:ip:top:0.1\"\nfilesets:\n  rtl:\n    depend:\n      - \">=us:ip:lib:0.9\"\n"
      "      - \"tool_vivado ? (us:ip:board)\"\n      - us:ip:gone\n    files:\n      - a.sv\n"
      "      - inc/d.svh: {is_include_file: true}\n      - b.v: {file_type: verilogSource}\n"
      "      - \"tool_verilator ? (sub/c.sv)\"\n      - x.tcl: {file_type: tclSource}\n"
      "      - y.vhd: {file_type: vhdlSource}\n    file_type: systemVerilogSource\n"
      "  sim:\n    files: [none.sv]\nparameters:\n  FAST: {datatype: bool, paramtype: vlogdefine, default: true}\n"
      "  WIDE: {datatype: int, paramtype: vlogdefine}\n  Depth: {datatype: int, paramtype: vlogparam}\n"
      "targets:\n  default: &d\n    filesets: [rtl]\n    parameters: [FAST, WIDE=8, Depth=3]\n"
      "  sim:\n    filesets: [rtl, sim]\n");
  assert_true(read_list("rtl/top.core", NULL, &list, &trouble));
  assert_string_equal(joined(&list.files), "lib/e.v rtl/a.sv rtl/b.v rtl/sub/c.sv");
  assert_string_equal(joined(&list.includes), "rtl/inc");
  assert_string_equal(joined(&list.defines), "FAST WIDE=8");
  assert_string_equal(joined(&list.absent), "us:ip:gone");
  assert_int_equal(list.left_out.count, 2); /* y.vhd, Depth */
  file_list_free(&list);
  put("spare/lib.core", "CAPI=2:\nname: us:ip:other\nvirtual: [\"us:ip:lib\"]\n");
  assert_true(read_list("rtl/top.core", NULL, &list, &trouble));
  assert_string_equal(joined(&list.files), "rtl/a.sv rtl/b.v rtl/sub/c.sv"); /* two cores are us:ip:lib */
  assert_int_equal(list.left_out.count, 3);
  file_list_free(&list);
  unlink("spare/lib.core");
  assert_false(read_list("rtl/top.core", "sim", &list, &trouble));
  assert_non_null(strstr(trouble.text, "rtl/top.core:18: no file "));
  file_list_free(&list);
  put("rtl/two.core", "CAPI=2:\nname: us:ip:two\ntargets:\n  synth: {filesets: []}\n");
  assert_false(read_list("rtl/two.core", NULL, &list, &trouble));
  assert_non_null(strstr(trouble.text, "there is no target default; --target NAME, of synth, would be right"));
  file_list_free(&list);
  assert_true(read_list("rtl/two.core", "synth", &list, &trouble));
  file_list_free(&list);
}

/* Groups with targets, defines and include folders; packages by path and of `.bender`. */
static void takes_bender(void **state) {
  (void)state;
  file_list_t list;
  trouble_t trouble;
  put_sources();
  put("lib/Bender.yml", "package: {name: lib}\nexport_include_dirs: [.]\nsources: [e.v]\n");
  put(".bender/git/checkouts/far-1234/Bender.yml", "package: {name: far}\nsources: [far.sv]\n");
  put(".bender/git/checkouts/far-1234/far.sv", "\n");
  put("Bender.yml",
      "package: {name: top}\ndependencies:\n  lib: {path: lib}\n  far: {git: \"https://x\", version: 1}\n"
      "  gone: {git: \"https://y\", version: 1}\nsources:\n  - rtl/a.sv\n  - include_dirs: [rtl/inc]\n"
      "    defines: {FAST: ~, W: 4}\n    files:\n      - rtl/b.v\n      - target: any(fpga, not(verilator))\n"
      "        files: [rtl/none.sv]\n      - files: [rtl/sub/*.sv]\n  - target: test\n    files: [tb.sv]\n");
  assert_true(read_list("Bender.yml", NULL, &list, &trouble));
  assert_string_equal(joined(&list.files),
                      "lib/e.v .bender/git/checkouts/far-1234/far.sv rtl/a.sv rtl/b.v rtl/sub/c.sv");
  assert_string_equal(joined(&list.includes), "lib rtl/inc");
  assert_string_equal(joined(&list.defines), "FAST W=4");
  assert_string_equal(joined(&list.absent), "gone");
  file_list_free(&list);
  assert_false(read_list("Bender.yml", "test", &list, &trouble));
  assert_non_null(strstr(trouble.text, "no file "));
  file_list_free(&list);
  unlink("Bender.yml"), unlink("lib/Bender.yml");
}

static void see(void *context, unit_t kind, const char *name, unsigned line) {
  static const char *const kinds[] = {"module", "package", "a", "of", "include"};
  words_add(context, "%s %s %u;", kinds[kind], name, line);
}

static void sees_units(void **state) {
  (void)state;
  words_t macros = {0}, seen = {0};
  put("u.sv",
      "// module no;\n`include \"x.svh\"\npackage automatic p; endpackage\nmodule m import q::*; #(parameter W = r::W) (input clk);\n"
      "`ifdef NONE\n  gone u (clk);\n`elsif ALSO\n`else\n  here #(.W(W), .T(s::t)) u_here [1:0] (.clk);\n`endif\n"
      "  logic [3:0] word = \"module\"; and g (a, b);\n  function automatic p::t f (input x); return x; endfunction\n"
      "  if (W) begin : g_x\n    inner i_inner (clk);\n"
      "  end else deep d (clk);  if (W > 9) begin : bad $error(\"no\"); end\n  always @(*) f (1);\n"
      "  (* keep *) virtual interface v_if vif; assert property (x);\nendmodule\ninterface i; endinterface\n"
      "`define MAKE another u (clk);\n");
  assert_true(rtl_units_read("u.sv", &macros, see, &seen));
  assert_string_equal(joined(&seen),
                      "include x.svh 2; package p 3; module m 4; of q 4; of r 4; a here 9; of s 9; of p 12; "
                      "a inner 14; a deep 15; module i 19;");
  assert_true(words_has(&macros, "MAKE"));
  words_free(&macros), words_free(&seen);
}

/* Of a list the module's files; what is missing, found once, and found twice. */
static void finds_needs(void **state) {
  (void)state;
  words_t files = {0}, none = {0};
  rtl_index_t index;
  put("n/pkg.sv", "package p; endpackage\n"), put("n/other.sv", "module other; endmodule\n");
  put("n/macros.sv", "`define M\n");
  put("n/top.sv",
      "`include \"far.svh\"\nmodule top import p::*; #(parameter W = q::W) ();\n two u (); leaf l (); gone g ();\nendmodule\n");
  put("n/more/q.sv", "package q; import base::*; endpackage\n"), put("n/more/base.sv", "package base; endpackage\n");
  put("n/more/leaf.sv", "module leaf; endmodule\n"), put("n/inc/far.svh", "\n");
  put("n/more/two.sv", "module two; endmodule\n"), put("n/inc/two.sv", "module two; wire x; endmodule\n");
  put("n/copy/leaf.sv", "module leaf; endmodule\n");
  static const char *const given[] = {"n/macros.sv", "n/other.sv", "n/pkg.sv", "n/top.sv"};
  for (size_t i = 0; i < 4; i++) words_add(&files, "%s/%s", top_folder, given[i]);
  char root[4096], top[4096];
  snprintf(root, sizeof root, "%s/n", top_folder), snprintf(top, sizeof top, "%s/n/top.sv", top_folder);
  rtl_index_open(&index, root);
  needs_t n = {.files = &files, .libraries = &none, .includes = &none, .defines = &none, .index = &index};
  needs_find(&n, top);
  assert_string_equal(joined(&n.used), "n/macros.sv n/pkg.sv n/top.sv");
  assert_string_equal(joined(&n.found), "n/more/base.sv n/more/q.sv n/copy/leaf.sv");
  assert_string_equal(joined(&n.folders), "n/inc");
  static const struct {
    const char *name;
    size_t in;
  } missing[] = {{"far.svh", 1}, {"q", 1}, {"base", 1}, {"two", 2}, {"leaf", 1}, {"gone", 0}};
  assert_int_equal(n.count, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_string_equal(n.missing[i].name, missing[i].name);
    assert_int_equal(n.missing[i].in.count, missing[i].in);
  }
  assert_non_null(strstr(n.missing[5].place, "n/top.sv:3"));
  needs_free(&n), rtl_index_close(&index), words_free(&files);
}

static int begin(void **state) {
  (void)state;
  return mkdtemp(top_folder) && chdir(top_folder) == 0 ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  return chdir("/") == 0 && file_remove_all(top_folder) ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(takes_f),    cmocka_unit_test(refuses_f),
                                     cmocka_unit_test(takes_core), cmocka_unit_test(takes_bender),
                                     cmocka_unit_test(sees_units), cmocka_unit_test(finds_needs)};
  return cmocka_run_group_tests(tests, begin, end);
}
