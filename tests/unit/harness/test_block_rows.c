/* SPDX-License-Identifier: Apache-2.0
 *
 * The README's table of blocks and the rows it is made of (CSV); and the checksum that tells that a
 * row is stale, because a file that it was measured on has changed.
 */
#include "block_content.h"
#include "block_rows.h"
#include "block_table.h"
#include "file.h"
#include "fingerprint.h"
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/block_rows.XXXXXX";

/* Writes a file of this text into the block's folder; its path is valid until the next call. */
static const char *write_in_folder(const char *name, const char *text) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return path;
}

static const char header[] =
    "block,cover_sources,points,hit,waived,proved,"
    "mutate_sources,mutants,killed,equivalent,undecided,area_sources,cells,ge,prove_sources,properties,check_sources,cycles\n";

/* Two blocks as `list` gives them; the second has no proof. The caller frees them. */
static json_t *two_blocks(void) {
  return json_loads(
      "[{\"name\": \"one\", \"rtl\": \"rtl/x/one.sv\", \"model\": \"m.c\", \"ports\": \"p\", \"test\": \"t.c\", "
      "\"proof\": \"f.sv\"},"
      " {\"name\": \"two\", \"rtl\": \"rtl/x/two.sv\", \"model\": \"m.c\", \"ports\": \"p\", \"test\": \"t.c\", "
      "\"proof\": null}]",
      0, NULL);
}

/* A row with too few columns, with a word for a number, or without a block; then a wrong header. */
static void a_broken_file_names_its_line(void **state) {
  (void)state;
  trouble_t trouble;
  static const char *const wrong[] = {"one,a,1,2\n", "one,a,1,2,x,0,b,1,1,1,1,c,1,1,d,1,e,1\n",
                                      ",a,1,2,3,0,b,1,1,1,1,c,1,1,d,1,e,1\n"};
  for (unsigned i = 0; i < 3; i++) {
    char text[512];
    snprintf(text, sizeof text, "%sone,a,1,2,3,0,b,1,1,1,1,c,1,1,d,1,e,1\n%s", header, wrong[i]);
    assert_null(block_rows_read(write_in_folder("b.csv", text), &trouble));
    assert_non_null(strstr(trouble.text, "b.csv:3: "));
  }
  assert_null(block_rows_read(write_in_folder("b.csv", "block,points\n"), &trouble));
  assert_non_null(strstr(trouble.text, "b.csv:1: "));
  json_t *none = block_rows_read("/tmp/there/is/no/such.csv", &trouble);
  assert_int_equal(json_object_size(none), 0);
  json_decref(none);
}

/* The rows as a file's text. */
static char *written(const json_t *rows, const json_t *blocks) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  block_rows_write(out, rows, blocks);
  fclose(out);
  return text;
}

/* New results replace their columns. Results with other parameters, of some proofs only, or of
 * unknown origin are left out, and a block that is gone loses its row. In the file 99.6 GE are
 * 100, without macros; only the lockstep with RTL counts cycles. What is written is read back
 * the same. */
static void what_is_measured_anew_replaces_the_row(void **state) {
  (void)state;
  char text[1024];
  trouble_t trouble;
  json_t *blocks = two_blocks();
  snprintf(text, sizeof text,
           "%sone,aa,10,9,1,1,bb,5,3,1,1,cc,7,70,pp,2,kk,500\ngone,aa,10,9,1,,bb,5,3,1,1,cc,7,70,,2,,\n", header);
  json_t *rows = block_rows_read(write_in_folder("b.csv", text), &trouble);
  assert_non_null(rows);
  json_t *facts = json_loads(
      "{\"blocks\": [{\"name\": \"one\", \"listed\": true, \"mutation\": {\"sources\": \"dd\", \"mutants\": 8, "
      "\"killed\": 6,"
      " \"equivalent\": 2, \"undecided\": 0},"
      " \"check\": {\"failed\": 0, \"sources\": \"kk\", \"duts\": [{\"dut\": \"rtl\", \"cycles\": 300}]},"
      " \"area\": {\"sources\": \"ee\", \"params\": \"Depth=3\", \"cells\": 1, \"um2\": 1},"
      " \"proofs\": {\"properties\": [{\"status\": \"proved\"}]}},"
      " {\"name\": \"two\", \"listed\": true, \"area\": {\"sources\": \"ee\", \"target\": \"ge\", \"cells\": 4, "
      "\"ge\": 99.6,"
      " \"macros\": [{\"um2\": 60.4}]}, \"coverage\": {\"params\": \"\"},"
      " \"proofs\": {\"sources\": \"ff\", \"properties\": [{\"status\": \"proved\"}, {\"status\": \"unknown\"}]},"
      " \"check\": {\"failed\": 0, \"sources\": \"nn\", \"duts\": [{\"dut\": \"rtl\", \"cycles\": 700}, {\"dut\": "
      "\"netlist\", \"cycles\": 9}]}}]}",
      0, NULL);
  assert_non_null(facts);
  block_rows_update(rows, facts);
  char *out = written(rows, blocks);
  /* area: of other parameters; proofs: of some of them */
  assert_non_null(strstr(out, "\none,aa,10,9,1,1,dd,8,6,2,0,cc,7,70,pp,2,kk,500\n"));
  /* coverage that does not say of what is not taken */
  assert_non_null(strstr(out, "\ntwo,,,,,,,,,,,ee,4,100,ff,1,nn,700\n"));
  assert_null(strstr(out, "gone"));
  json_t *again = block_rows_read(write_in_folder("b.csv", out), &trouble);
  char *out2 = written(again, blocks);
  assert_string_equal(out, out2);
  free(out);
  free(out2);
  json_decref(again);
  json_decref(facts);
  json_decref(rows);
  json_decref(blocks);
}

/* Text outside of the marks stays. 999 of 1000 points are hit (1005 less 5 waived ones), 6 of 6
 * mutants killed (8 less 2 equivalent ones). */
static void the_table_stands_between_its_marks(void **state) {
  (void)state;
  char text[1024];
  trouble_t trouble;
  json_t *blocks = two_blocks();
  snprintf(text, sizeof text, "%sone,aa,1005,999,5,4,bb,8,6,2,0,cc,7,2345678,pp,2,kk,204000000\n", header);
  json_t *rows = block_rows_read(write_in_folder("b.csv", text), &trouble);
  char *made = block_table_in(
      "before\n<!-- blocks: made by `lockstack report --blocks` -->\nold\n<!-- end of blocks -->\nafter\n", BLOCK_TABLE,
      blocks, rows);
  assert_non_null(made);
  assert_non_null(strstr(
      made, "| one | [sv](../rtl/x/one.sv) | [c](../m.c) | [ports](../p) | [c](../t.c) | [2](../f.sv) | 204.00 M |"
            " 99.9 % | 0.3 % | 0 % | 100 % | 8 (few) | 0 | 7 | 2.35 M |\n"));
  assert_non_null(strstr(
      made,
      "| two | [sv](../rtl/x/two.sv) | [c](../m.c) | [ports](../p) | [c](../t.c) | – | – | – | – | – | – | – | – | – "
      "| – |\n"));
  assert_null(strstr(made, "old"));
  assert_memory_equal(made, "before\n", 7);
  assert_string_equal(made + strlen(made) - 6, "after\n");
  char *again = block_table_in(made, BLOCK_TABLE, blocks, rows);
  assert_string_equal(made, again);
  assert_null(block_table_in("no marks\n", BLOCK_TABLE, blocks, rows));
  free(again);
  free(made);
  json_decref(rows);
  json_decref(blocks);
}

/* Two blocks, the second without mutants: 999 + 40 of 1005 - 5 + 40 points hit, rounded down; 6
 * of 8 - 2 mutants killed. */
static void the_sums_are_of_all_blocks(void **state) {
  (void)state;
  char text[1024];
  trouble_t trouble;
  json_t *blocks = two_blocks();
  snprintf(
      text, sizeof text,
      "%sone,aa,1005,999,5,4,bb,8,6,2,0,cc,7,2345678,pp,2,kk,204000000\ntwo,aa,40,40,0,0,,,,,,,,,pp,30,kk,7000000\n",
      header);
  json_t *rows = block_rows_read(write_in_folder("b.csv", text), &trouble);
  char *made = block_table_in("<!-- blocks: made by `lockstack report --blocks` -->\n<!-- end of blocks -->\n",
                              BLOCK_SUMS, blocks, rows);
  assert_non_null(made);
  assert_non_null(strstr(made, "| `check` | 2 of 2 | 211 million cycles in lockstep |\n"));
  assert_non_null(strstr(
      made,
      "| `cover` | 2 of 2 | 99.9 % of 1040 points hit; besides them 4 are proved unreachable, 1 waived by hand with a "
      "reason |\n"));
  assert_non_null(strstr(
      made,
      "| `mutate` | 1 of 2 | 100 % of 6 mutants killed; besides them 2 are proved equivalent; 0 of those left are "
      "undecided |\n"));
  assert_non_null(strstr(made, "| `prove` | 2 of 2 | 32 properties hold |\n"));
  free(made);
  json_decref(rows);
  json_decref(blocks);
}

/* --- fingerprints, of a block in a folder */

/* The checksum of the block in the folder, for one kind of evidence and with these parameters. */
static void fingerprint_with(char *text, fingerprint_of_t of, const char *params) {
  const places_t places = {folder, folder};
  trouble_t trouble;
  block_t block;
  assert_true(block_find(&block, &places, folder, params, &trouble));
  assert_true(block_fingerprint(&block, &places, of, text, &trouble));
}

/* The checksum with the block's own parameters. */
static void fingerprint_of(char *text, fingerprint_of_t of) {
  fingerprint_with(text, of, NULL);
}

/* The checksum of coverage, with the block's own parameters. */
static void fingerprint(char *text) {
  fingerprint_of(text, FINGERPRINT_COVER);
}

/* Comments and blanks in any source change nothing, a token does; a file that is not used does
 * not count. Each row's file is first written the same in other words, then with another token. */
static void only_what_counts_changes_the_checksum(void **state) {
  (void)state;
  char first[FINGERPRINT_TEXT], now[FINGERPRINT_TEXT];
  static const struct {
    const char *file, *same, *other;
  } cases[] = {{"x.sv", "module x; // a comment\n  part u ();  endmodule\n", "module x; part u (1); endmodule\n"},
               {"part.sv", "/* a\n comment */ module part; endmodule\n", "module part; wire a; endmodule\n"},
               {"x.ports", "KIND( moore )\n", "KIND(mealy)\n"},
               {"x.c", "#include  \"x.h\"\nint x;\n", "#include \"x.h\"\nint y;\n"},
               {"x.h", "/* nothing */ int x;\n", "long x;\n"}};
  write_in_folder("unused.sv", "module unused; endmodule\n");
  write_in_folder("x.sv", "module x; part u (); endmodule\n");
  write_in_folder("part.sv", "module part; endmodule\n");
  write_in_folder("x.ports", "KIND(moore)\n");
  write_in_folder("x.c", "#include \"x.h\"\nint x;\n");
  write_in_folder("x.h", "int x;\n");
  fingerprint(first);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_in_folder(cases[i].file, cases[i].other);
    fingerprint(now);
    assert_string_not_equal(first, now);
    write_in_folder(cases[i].file, cases[i].same);
    fingerprint(now);
    assert_string_equal(first, now);
  }
  write_in_folder("unused.sv", "module unused; wire b; endmodule\n");
  fingerprint(now);
  assert_string_equal(first, now);
}

/* nsu_pkg is made of lists in rtl/nsu. Here that folder has only the list that the test writes,
 * and the list counts while the RTL names the package. */
static void lists_of_a_package_count(void **state) {
  (void)state;
  char first[FINGERPRINT_TEXT], now[FINGERPRINT_TEXT], path[512];
  snprintf(path, sizeof path, "%s/rtl", folder);
  assert_int_equal(mkdir(path, 0777), 0);
  snprintf(path, sizeof path, "%s/rtl/nsu", folder);
  assert_int_equal(mkdir(path, 0777), 0);
  write_in_folder("rtl/nsu/nsu_packet.def", "FIELD(a, 1)\n");
  write_in_folder("x.sv", "module x; wire [nsu_pkg::A-1:0] a; part u (); endmodule\n");
  fingerprint_of(first, FINGERPRINT_HARDWARE);
  write_in_folder("rtl/nsu/nsu_packet.def", "FIELD(a, 2)\n");
  fingerprint_of(now, FINGERPRINT_HARDWARE);
  assert_string_not_equal(first, now);
  write_in_folder("x.sv", "module x; part u (); endmodule\n");
  fingerprint_of(first, FINGERPRINT_HARDWARE);
  write_in_folder("rtl/nsu/nsu_packet.def", "FIELD(a, 3)\n");
  fingerprint_of(now, FINGERPRINT_HARDWARE);
  assert_string_equal(first, now);
}

/* Waivers are a part of coverage, the formal environment is a part of mutation, each of one
 * alone. */
static void waivers_count_for_coverage_alone(void **state) {
  (void)state;
  char cover[2][FINGERPRINT_TEXT], mutate[2][FINGERPRINT_TEXT];
  for (unsigned i = 0; i < 2; i++) {
    fingerprint_of(cover[i], FINGERPRINT_COVER);
    fingerprint_of(mutate[i], FINGERPRINT_MUTATE);
    write_in_folder("x.waive", "line x.sv:3 it cannot run\n");
  }
  assert_string_not_equal(cover[0], cover[1]);
  assert_string_equal(mutate[0], mutate[1]);
  write_in_folder("x.env.sv", "module x_env; endmodule\n");
  fingerprint_of(cover[0], FINGERPRINT_COVER);
  fingerprint_of(mutate[0], FINGERPRINT_MUTATE);
  assert_string_equal(cover[0], cover[1]);
  assert_string_not_equal(mutate[0], mutate[1]);
}

/* Area depends on the RTL alone, not on the model or the port file. */
static void software_is_no_part_of_the_hardware(void **state) {
  (void)state;
  char first[FINGERPRINT_TEXT], now[FINGERPRINT_TEXT];
  fingerprint_of(first, FINGERPRINT_HARDWARE);
  write_in_folder("x.c", "int nothing;\n");
  write_in_folder("x.ports", "KIND(mealy)\n");
  fingerprint_of(now, FINGERPRINT_HARDWARE);
  assert_string_equal(first, now);
  write_in_folder("part.sv", "module part; wire c; endmodule\n");
  fingerprint_of(now, FINGERPRINT_HARDWARE);
  assert_string_not_equal(first, now);
}

/* The same block with other parameters is another measurement. */
static void parameters_count(void **state) {
  (void)state;
  char text[3][FINGERPRINT_TEXT];
  static const char *const params[] = {"", "Depth=8", "Depth=9"};
  for (unsigned i = 0; i < 3; i++) fingerprint_with(text[i], FINGERPRINT_COVER, params[i]);
  for (unsigned i = 0; i < 3; i++) assert_string_not_equal(text[i], text[(i + 1) % 3]);
}

/* Files of a proof count as soon as the proof names them, and text under `ifdef FORMAL counts.
 * Coverage does not depend on any of them. */
static void a_proof_is_its_wrapper_its_parts_and_what_formal_sees(void **state) {
  (void)state;
  char last[FINGERPRINT_TEXT], now[FINGERPRINT_TEXT], cover[2][FINGERPRINT_TEXT];
  static const struct {
    const char *file, *text;
  } changes[] = {
      {"x.prove", "property all pdr\n"},
      {"x.prove", "property all bmc 5\n"},
      {"tests/formal/parts/rules.svh", "wire more;\n"},
      {"x.sv", "`include \"parts/rules.svh\"\nmodule x; part u (); endmodule\n"},
      {"tests/formal/parts/rules.svh", "wire none;\n"},
      {"x.sv", "`include \"parts/rules.svh\"\nmodule x; part u ();\n`ifdef FORMAL\nwire f;\n`endif\nendmodule\n"}};
  char path[128];
  for (const char *const *sub = (const char *const[]){"tests", "tests/formal", "tests/formal/parts", NULL}; *sub;
       sub++) {
    snprintf(path, sizeof path, "%s/%s", folder, *sub);
    assert_int_equal(mkdir(path, 0777), 0);
  }
  fingerprint_of(last, FINGERPRINT_PROVE);
  fingerprint_of(cover[0], FINGERPRINT_COVER);
  for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
    write_in_folder(changes[i].file, changes[i].text);
    fingerprint_of(now, FINGERPRINT_PROVE);
    if (i == 2) assert_string_equal(last, now); /* nothing names it yet */
    else assert_string_not_equal(last, now);
    memcpy(last, now, sizeof last);
    if (i == 2) fingerprint_of(cover[1], FINGERPRINT_COVER);
  }
  assert_string_equal(cover[0], cover[1]); /* a proof is no part of the block */
}

/* Makes these folders in the test's folder, unless they are there. */
static void make_folders(const char *const *names) {
  char path[160];
  for (; *names; names++) {
    snprintf(path, sizeof path, "%s/%s", folder, *names);
    if (access(path, F_OK)) assert_int_equal(mkdir(path, 0777), 0);
  }
}

/* Each file of the list is a part of the block because another file names it, directly or not.
 * The test writes it, changes it, and changes it back. */
static void whatever_is_read_counts(void **state) {
  (void)state;
  static const struct {
    const char *file, *text, *other;
    fingerprint_of_t of; /* for which it counts */
  } files[] = {
      {"rom.hex", "00 01\n", "00 02\n", FINGERPRINT_HARDWARE},              /* of $readmemh, beside the RTL */
      {"img/far.mem", "1\n", "0\n", FINGERPRINT_HARDWARE},                  /* in a folder */
      {"defs.inc", "`define A 1\n", "`define A 2\n", FINGERPRINT_HARDWARE}, /* `include of any name */
      {"inc/more.vh", "`define B 1\n", "`define B 2\n", FINGERPRINT_HARDWARE},
      {"inc/deep.svh", "wire d;\n", "wire e;\n", FINGERPRINT_HARDWARE}, /* an include of an include */
      {"vendor/CELL.v", "module CELL; endmodule\n", "module CELL; wire a; endmodule\n", FINGERPRINT_HARDWARE},
      /* a name of one letter */
      {"b.sv", "module b; endmodule\n", "module b; wire a; endmodule\n", FINGERPRINT_HARDWARE},
      {"x.yaml", "files: [x.sv]\nlibraries: vendor\nincludes: inc\ndefines: A=1\n",
       "files: [x.sv]\nlibraries: vendor\nincludes: inc\ndefines: A=2\n", FINGERPRINT_HARDWARE},
      {"more/far.h", "#define FAR 1\n", "#define FAR 2\n", FINGERPRINT_CHECK}, /* of the model, in a folder */
      {"helper.c", "int f;\n", "int g;\n", FINGERPRINT_CHECK},                 /* beside helper.h: compiled in */
      {"helper.h", "/* */ int h(void);\n", "int h(int);\n", FINGERPRINT_CHECK},
      {"table.inc", "1, 2\n", "1, 3\n", FINGERPRINT_CHECK},
      {"angle.h", "int q;\n", "int r;\n", FINGERPRINT_CHECK}, /* #include < > */
      {"sine.bin", "a\n", "b\n", FINGERPRINT_CHECK},          /* that the model opens */
  };
  make_folders((const char *const[]){"img", "inc", "vendor", "more", NULL});
  write_in_folder("x.sv", "`include \"defs.inc\"\n`include \"more.vh\"\nmodule x; part u (); CELL v (); b w ();\n"
                          "initial begin $readmemh(\"rom.hex\", m); $readmemb(\"img/far.mem\", n); end endmodule\n");
  write_in_folder("inc/more.vh", "`include \"deep.svh\"\n");
  write_in_folder(
      "x.c",
      "#include \"x.h\"\n#include \"more/far.h\"\n#include \"helper.h\"\nint t[] = {\n#include \"table.inc\"\n};\n"
      "#include <angle.h>\nFILE *f = fopen(\"sine.bin\", \"r\");\n");
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
    char include[256];
    snprintf(include, sizeof include, "%s%s", strcmp(files[i].file, "inc/more.vh") ? "" : "`include \"deep.svh\"\n",
             files[i].text);
    write_in_folder(files[i].file, include);
  }
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
    char first[FINGERPRINT_TEXT], now[FINGERPRINT_TEXT], *was;
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, files[i].file);
    assert_non_null(was = file_read(path));
    fingerprint_of(first, files[i].of);
    write_in_folder(files[i].file, files[i].other);
    fingerprint_of(now, files[i].of);
    if (strcmp(first, now) == 0) fail_msg("%s does not count", files[i].file);
    write_in_folder(files[i].file, was);
    fingerprint_of(now, files[i].of);
    assert_string_equal(first, now);
    free(was);
  }
}

/* Content compares bytes, so a comment counts. A file that would be read instead of another
 * counts, too, as soon as it appears. */
static void content_is_bytes(void **state) {
  (void)state;
  static const char *const edits[] = {"x.sv",          "part.sv",    "rom.hex", "inc/deep.svh",
                                      "vendor/CELL.v", "x.yaml",     "x.ports", "x.c",
                                      "helper.c",      "more/far.h", NULL};
  static const char *const comes[] = {"x_stim.c", "vendor/part.sv", NULL};
  const places_t places = {folder, folder};
  char path[256];
  block_t block;
  content_t content = {0};
  trouble_t trouble;
  assert_true(block_find(&block, &places, folder, NULL, &trouble));
  assert_true(block_content(&block, &places, "rtl", &content, &trouble));
  assert_null(content_changed(&content, NULL));
  for (const char *const *file = edits; *file; file++) {
    snprintf(path, sizeof path, "%s/%s", folder, *file);
    char *was = file_read(path), more[8192];
    snprintf(more, sizeof more, "%s\n", was);
    write_in_folder(*file, more);
    if (!content_changed(&content, NULL)) fail_msg("%s does not count", *file);
    write_in_folder(*file, was);
    assert_null(content_changed(&content, NULL));
    free(was);
  }
  for (const char *const *file = comes; *file; file++) {
    snprintf(path, sizeof path, "%s/%s", folder, *file);
    write_in_folder(*file, "/* new */\n");
    if (!content_changed(&content, NULL)) fail_msg("%s does not count when it comes", *file);
    assert_int_equal(unlink(path), 0);
  }
  content_free(&content);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_broken_file_names_its_line),
      cmocka_unit_test(what_is_measured_anew_replaces_the_row),
      cmocka_unit_test(the_table_stands_between_its_marks),
      cmocka_unit_test(the_sums_are_of_all_blocks),
      cmocka_unit_test(only_what_counts_changes_the_checksum),
      cmocka_unit_test(lists_of_a_package_count),
      cmocka_unit_test(waivers_count_for_coverage_alone),
      cmocka_unit_test(software_is_no_part_of_the_hardware),
      cmocka_unit_test(parameters_count),
      cmocka_unit_test(a_proof_is_its_wrapper_its_parts_and_what_formal_sees),
      cmocka_unit_test(whatever_is_read_counts),
      cmocka_unit_test(content_is_bytes),
  };
  if (!mkdtemp(folder)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) ? 1 : failed;
}
