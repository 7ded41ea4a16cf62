/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems as files (YAML): what is made of a good one, and for each kind of bad one the line that
 * says what is wrong, where, and what would be right.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "composition.h"
#include "gpu_config.h"
#include "network.h"
#include "part.h"
#include "unit_test.h"

static char folder[] = "/tmp/test_composition_XXXXXX", path[64], other[64];
static composition_t c;

/* Writes a file of this text. */
static void write_to(const char *file, const char *text) {
  FILE *out = fopen(file, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

/* Reads this text as the file x.yaml. */
static bool load_text(const char *text, trouble_t *trouble) {
  write_to(path, text);
  return composition_load(&c, path, trouble);
}

/* A good one in pieces, so that one of them can be exchanged. */
#define GPU "  gpu: {part: gpu}\n"
#define STACK "  stack: {part: stack, count: 4}\n"
#define NET "  net: {part: network}\n"
#define NSU "  nsu: {part: nsu, count: stack}\n"
#define PARTS "parts:\n" GPU STACK NSU NET
#define LINKS "links:\n  - gpu.link - stack.gpu\n  - stack.logic - nsu.port\n  - stack.net - net.terminal\n"
#define CLOCKS "clocks: {core: 700 MHz, xbar: 1250 MHz, link: 1250 MHz, dram: 1.5 ns, nsu: 350 MHz}\n"
#define VALUES "network: {topology: mesh:2x2}\n"

/* The text is a system. */
static void expect_taken(const char *text) {
  trouble_t trouble = {0};
  if (!load_text(text, &trouble) || !composition_settle(&c, &trouble)) fail_msg("%s", trouble.text);
}

/* The text is refused at "LINE:COLUMN" of the file, with one line that contains `says`. */
static void expect_refused(const char *text, const char *place, const char *says) {
  trouble_t trouble = {0};
  char where[96];
  if (load_text(text, &trouble) && composition_settle(&c, &trouble)) fail_msg("taken, and should say '%s'", says);
  snprintf(where, sizeof where, "%s:%s: ", path, place);
  if (strncmp(trouble.text, where, strlen(where))) fail_msg("'%s' does not begin with '%s'", trouble.text, where);
  if (!strstr(trouble.text, says) || strchr(trouble.text, '\n')) fail_msg("'%s' does not say '%s'", trouble.text, says);
}

/* Names, counts and families of a system: GPU hardware first, then parts in the order of the
 * file. */
static void test_good(void **state) {
  (void)state;
  expect_taken("help: one\n" PARTS LINKS CLOCKS VALUES);
  assert_string_equal(c.name, "x");
  assert_string_equal(c.help, "one");
  assert_int_equal(c.parts, 4);
  assert_int_equal(c.part[2].count, 4);
  assert_int_equal(composition_connections(&c, 0, 0), 4);
  system_family_t family;
  assert_true(system_family(&c, 0, &family));
  assert_string_equal(family.block, "ofld_ratio");
  assert_string_equal(family.name, "ratio");
  assert_string_equal(family.path, "gpu.ratio");
  assert_int_equal(family.count, 0); /* the static policy has none */
  assert_true(system_family(&c, 1, &family));
  assert_string_equal(family.name, "score");
  assert_true(system_family(&c, 2, &family));
  assert_string_equal(family.name, "credits");
  assert_true(system_family(&c, GPU_HARDWARE, &family)); /* the GPU's come first */
  assert_string_equal(family.name, "nsu");
  assert_string_equal(family.path, "nsu");
  assert_true(system_family(&c, GPU_HARDWARE + 1, &family));
  assert_string_equal(family.name, "router");
  assert_string_equal(family.path, "net.router");
  assert_int_equal(family.count, 4);
  assert_false(system_family(&c, GPU_HARDWARE + 2, &family));
  assert_string_equal(system_machine(&c), "gpu");
  /* The order of its sections does not matter, nor which end of a
   * link comes first; without NSUs a stack's logic layer is free. */
  expect_taken(VALUES CLOCKS
               "links:\n  - stack.gpu - gpu.link\n  - stack.logic - nsu.port\n  - net.terminal - stack.net\n" PARTS);
  expect_taken("parts:\n" GPU STACK NET "links:\n  - gpu.link - stack.gpu\n  - stack.net - net.terminal\n"
               "clocks: {core: 700 MHz, xbar: 1250 MHz, link: 1250 MHz, dram: 1.5 ns}\n" VALUES);
}

/* Ranges of connections, several parts of a kind, clocks by other names. Engines are set for a
 * part's instance, for a block in all parts, and refused where a number could be that of several
 * parts. */
static void test_ranges(void **state) {
  (void)state;
  unsigned peer, port, connection;
  expect_taken("parts:\n" GPU STACK NET "  a: {part: nsu, clocks: {nsu: core}}\n  b: {part: nsu, count: 2}\n"
               "links:\n  - gpu.link - stack.gpu\n  - stack.net - net.terminal\n  - a.port - stack.logic[3]\n"
               "  - b.port - stack.logic[0-1]\n" CLOCKS VALUES);
  assert_true(composition_peer(&c, 3, 0, 0, &peer, &port, &connection));
  assert_true(peer == 1 && port == 1 && connection == 3);
  assert_true(composition_peer(&c, 1, 1, 1, &peer, &port, &connection));
  assert_true(peer == 4 && port == 0 && connection == 1);
  assert_false(composition_peer(&c, 1, 1, 2, &peer, &port, &connection));
  assert_true(composition_mhz(&c, 3, 0) == 700 && composition_mhz(&c, 4, 0) == 350);
  system_options_t o = {.composition = c}; /* families: the GPU's, routers, a, b */
  enum { ROUTERS = GPU_HARDWARE, A, B };
  trouble_t trouble = {0};
  assert_true(system_make_engines(&o));
  assert_true(system_set_engine(&o, "b[1]=lockstep", &trouble));
  assert_true(o.engine[B][1] == ENGINE_LOCKSTEP && o.engine[B][0] == ENGINE_MODEL && o.engine[A][0] == ENGINE_MODEL);
  assert_true(system_set_engine(&o, "nsu=rtl", &trouble)); /* all of the block */
  assert_true(o.engine[A][0] == ENGINE_RTL && o.engine[B][0] == ENGINE_RTL && o.engine[B][1] == ENGINE_RTL);
  assert_true(system_set_engine(&o, "net.router[2]=rtl", &trouble) &&
              system_set_engine(&o, "router[3]=lockstep", &trouble));
  assert_true(o.engine[ROUTERS][2] == ENGINE_RTL && o.engine[ROUTERS][3] == ENGINE_LOCKSTEP &&
              o.engine[ROUTERS][1] == ENGINE_MODEL);
  assert_false(system_set_engine(&o, "nsu[0]=rtl", &trouble));
  assert_string_equal(
      trouble.text,
      "several parts have instances of nsu; router[0] to router[3] or a[0] to a[0] or b[0] to b[1] would be right");
  assert_false(system_set_engine(&o, "c=rtl", &trouble));
  assert_string_equal(trouble.text,
                      "no instance 'c'; router[0] to router[3] or a[0] to a[0] or b[0] to b[1] would be right");
  system_free_engines(&o);
}

/* Mistakes in `parts`: kinds, names, counts, circles, and how many parts take kernels. */
static void test_parts(void **state) {
  (void)state;
  expect_refused("parts:\n  gpu: {part: gpv}\n", "2:15",
                 "no part is called 'gpv'; there are gpu, stack, network, ni, nsu, stack_sm, mpu and mesh");
  expect_refused("parts:\n  gpu: {count: 1}\n", "2:8", "gpu: which part? {part: KIND} would be right");
  expect_refused("parts:\n  gpu: gpu\n", "2:8", "gpu: {part: KIND, count: NUMBER} would be right");
  expect_refused("parts:\n  gpu: {part: gpu, sms: 8}\n", "2:20", "'sms' is not part, count or clocks");
  expect_refused("parts:\n  g-u: {part: gpu}\n", "2:3", "a part's name has letters, digits and _");
  expect_refused("parts:\n" GPU GPU, "3:3", "'gpu' is already set above; give it once"); /* two parts of one name */
  expect_refused("parts:\n  gpu: {part: gpu, count: 0}\n", "2:27",
                 "count: a number from 1 to 256 or the name of a part would be right");
  expect_refused("parts:\n  gpu: {part: gpu, count: 257}\n", "2:27", "count: a number");
  expect_refused("parts: {}\n", "1:1", "a system has parts");
  expect_refused("parts: 3\n", "1:8", "parts: NAME: {part: KIND} would be right");
  expect_refused("help: x\n", "1:1", "a system has parts");
  expect_refused("parts:\n" GPU "  stack: {part: stack, count: nsu}\n" NSU NET LINKS CLOCKS VALUES, "3:3",
                 "parts count each other in a circle");
  expect_refused("parts:\n" GPU "  stack: {part: stack, count: many}\n" NSU NET LINKS CLOCKS VALUES, "3:3",
                 "stack: count: no part 'many'");
#define PLAIN                                                        \
  "links:\n  - gpu.link - stack.gpu\n  - stack.net - net.terminal\n" \
  "clocks: {core: 700 MHz, xbar: 1250 MHz, link: 1250 MHz, dram: 1.5 ns}\n"
  expect_refused("parts:\n  gpu: {part: gpu, count: 2}\n" STACK NET PLAIN VALUES, "2:3",
                 "2 parts take kernels; one part gpu or mpu would be right");
  expect_refused("parts:\n" STACK NET
                 "links:\n  - stack.net - net.terminal\nclocks: {link: 1250 MHz, dram: 1.5 ns}\n" VALUES,
                 "1:1", "0 parts take kernels; one part gpu or mpu would be right");
  expect_refused("parts:\n" GPU STACK NET "links:\n  - gpu.link[0-1] - stack.gpu[0-1]\n  - stack.net - net.terminal\n"
                 "clocks: {core: 700 MHz, xbar: 1250 MHz, link: 1250 MHz, dram: 1.5 ns}\n" VALUES,
                 "3:3", "stack.gpu[2] is not linked");
  expect_refused("parts:\n" GPU "  stack: {part: stack, count: 5}\n" NET PLAIN "network: {topology: full:5}\n", "2:3",
                 "gpu: the number of stacks must be a power of two, 1 to 256");
  expect_refused("parts:\n" GPU STACK NET PLAIN "network: {topology: rings:4}\n", "4:3", "net: rings:4");
  expect_refused(PARTS LINKS CLOCKS VALUES "dram: {tRFC: 65536}\n", "3:3",
                 "stack: tREFI leaves no time between refreshes");
}

/* Mistakes in `links`: ports that do not fit, ranges, connections left over or used twice. A
 * row's place is the line of the link, or of the part that is not linked. */
static void test_links(void **state) {
  (void)state;
#define LINK(text) PARTS "links:\n  - gpu.link - stack.gpu\n  - stack.net - net.terminal\n  - " text "\n" CLOCKS VALUES
  expect_refused(LINK("nsu.port - stack.gpu[0-3]"), "9:5", "stack.gpu[0] is already linked above");
  expect_refused(
      LINK("nsu.port - net.terminal"), "9:5",
      "nsu.port (uses packets) does not fit net.terminal (offers terminal); stack.gpu, stack.logic would be right");
  expect_refused(LINK("nsu.port - gpu.link"), "9:5", "nsu.port (uses packets) does not fit gpu.link (uses packets)");
  expect_refused(LINK("nsu.prt - stack.logic"), "9:5", "nsu has no port 'prt'; there are nsu.port");
  expect_refused(LINK("nsv.port - stack.logic"), "9:5", "no part 'nsv'; did you mean nsu?");
  expect_refused(LINK("nsu.port stack.logic"), "9:5", "a link is PART.PORT - PART.PORT");
  expect_refused(
      LINK("nsu.port - stack.logic[0-1]"), "9:5",
      "nsu.port has 4 connections here, stack.logic 2; ranges such as nsu.port[0-1], or another count, would be right");
  expect_refused(LINK("nsu.port - stack.logic[2-5]"), "9:5",
                 "stack.logic[5] is not there: stack.logic has 4 connections");
  expect_refused(LINK("nsu.port - stack.logic[3-2]"), "9:5", "a link is PART.PORT - PART.PORT, each with a range");
  expect_refused(LINK("{a: b}"), "9:5", "a link is PART.PORT - PART.PORT");
  expect_refused(PARTS "links: 3\n", "6:8", "a list of links would be right");
  expect_refused(PARTS "links:\n  - gpu.link - stack.gpu\n  - stack.net - net.terminal\n" CLOCKS VALUES, "4:3",
                 "nsu.port[0] is not linked");
  expect_refused(PARTS "links:\n  - nsu.port - stack.logic\n  - stack.net - net.terminal\n" CLOCKS VALUES, "2:3",
                 "gpu.link is not linked; a line such as '- gpu.link - PART.PORT'");
  expect_refused(
      PARTS LINKS CLOCKS "network: {topology: hypercube:3}\n", "9:5",
      "stack.net has 4 connections here, net.terminal 8; ranges such as net.terminal[0-3], or another count, would be "
      "right");
}

/* A GPU without links of its own to stacks is at the network's first terminals, the stacks at
 * the others. */
static void test_network_interfaces(void **state) {
  (void)state;
#define NEAR(links, values) "parts:\n" GPU "  ni: {part: ni, count: 4}\n" STACK NSU NET "links:\n" links CLOCKS values
#define INTO "  - gpu.link - ni.gpu\n  - ni.net - net.terminal[0-3]\n"
#define NEAR_STACKS "  - nsu.port - stack.logic\n  - stack.net - net.terminal[4-7]\n"
#define EIGHT "network: {topology: mesh:4x2, local_ports: 1}\n"
  expect_taken(NEAR(INTO NEAR_STACKS, EIGHT));
  const network_config_t *net = composition_kind_values_const(&c, &part_network);
  const gpu_config_t *gpu = composition_kind_values_const(&c, &part_gpu);
  assert_int_equal(net->gpu_ports, 4);
  assert_true(net->sink_flits * net->flit_bytes >= 1024);
  assert_true(gpu->networked);
  assert_int_equal(gpu->num_stacks, 4);
  expect_refused(
      NEAR("  - gpu.link - ni.gpu\n  - ni.net - net.terminal[4-7]\n  - nsu.port - stack.logic\n"
           "  - stack.net - net.terminal[0-3]\n",
           EIGHT),
      "2:3", "gpu: gpu.link[0] leads to ni[0] at net.terminal[4]; the same number of link and terminal would be right");
  expect_refused(
      NEAR("  - gpu.link[0-3] - ni.gpu\n  - ni.net[0-2] - net.terminal[0-2]\n  - ni.net[3] - net.terminal[7]\n"
           "  - nsu.port - stack.logic\n"
           "  - stack.net - net.terminal[3-6]\n",
           EIGHT),
      "2:3", "gpu: gpu.link[3] leads to ni[3] at net.terminal[7]");
  expect_refused(NEAR(INTO NEAR_STACKS, "network: {topology: mesh:4x2}\n"), "6:3",
                 "network.local_ports=1 would be right");
  expect_refused(NEAR(INTO NEAR_STACKS, "network: {topology: mesh:4x2, local_ports: 1, subnets: 2, order: guard}\n"),
                 "2:3", "path would be right");
  expect_refused("parts:\n" GPU "  ni: {part: ni, count: 2}\n  stack: {part: stack, count: 6}\n" NET
                 "links:\n  - gpu.link - ni.gpu\n  - ni.net - net.terminal[0-1]\n"
                 "  - stack.net - net.terminal[2-7]\n"
                 "clocks: {core: 700 MHz, xbar: 1250 MHz, link: 1250 MHz, dram: 1.5 ns}\n" EIGHT,
                 "5:3",
                 "net: 8 terminals, 2 of them the GPU's; half of them, and a stack at each other, would be right");
  expect_refused("parts:\n" GPU "  ni: {part: ni, count: 2}\n" STACK NET
                 "links:\n  - gpu.link[0-1] - ni.gpu\n  - gpu.link[2-5] - stack.gpu\n"
                 "  - ni.net - net.terminal[0-1]\n  - stack.net - net.terminal[2-5]\n"
                 "clocks: {core: 700 MHz, xbar: 1250 MHz, link: 1250 MHz, dram: 1.5 ns}\n"
                 "network: {topology: full:6, local_ports: 1}\n",
                 "2:3", "some links lead to stacks and some into a network");
}

/* A stack's logic layer takes any number of links, and their order tells which is which. In a
 * system with NSUs that offload where the data are, a stack without one is refused. */
static void test_shared(void **state) {
  (void)state;
#define TWO(links)                                                                             \
  "parts:\n" GPU STACK NET                                                                     \
  "  a: {part: nsu, count: 4}\n  b: {part: nsu, count: 2}\nlinks:\n  - gpu.link - stack.gpu\n" \
  "  - stack.net - net.terminal\n" links CLOCKS VALUES
  expect_taken(TWO("  - a.port - stack.logic\n  - stack.logic[1-2] - b.port\n"));
  assert_true(composition_sharers(&c, 1, 1, 0) == 1 && composition_sharers(&c, 1, 1, 1) == 2 &&
              composition_sharers(&c, 1, 1, 3) == 1);
  assert_true(composition_which(&c, 3, 0, 1) == 0 && composition_which(&c, 4, 0, 0) == 1 &&
              composition_which(&c, 4, 0, 1) == 1);
  expect_taken(TWO("  - b.port - stack.logic[2-3]\n  - a.port - stack.logic\n"));
  assert_true(composition_which(&c, 3, 0, 1) == 0 && composition_which(&c, 3, 0, 2) == 1 &&
              composition_which(&c, 4, 0, 1) == 0);
  /* two of one part */
  expect_taken(
      TWO("  - a.port[0-1] - stack.logic[0-1]\n  - a.port[2-3] - stack.logic[0-1]\n  - b.port - stack.logic[2-3]\n"));
  assert_true(composition_which(&c, 3, 0, 1) == 0 && composition_which(&c, 3, 0, 3) == 1);
  expect_refused(TWO("  - a.port[0-1] - stack.logic[0-1]\n  - a.port[2-3] - stack.logic[0-1]\n"
                     "  - b.port - stack.logic[1-2]\n") "offload: {ratio: 1}\n",
                 "2:3",
                 "gpu: stack 3 has no NSU and blocks are offloaded where their data are; one at each would be right");
  expect_refused(TWO("  - a.port - stack.logic\n  - a.port[0-1] - stack.logic[2-3]\n  - b.port - stack.logic[0-1]\n"),
                 "11:5", "a.port[0] is already linked above");
  expect_refused(
      "parts:\n" GPU STACK NET
      "links:\n  - gpu.link[0-1] - stack.gpu[2-3]\n  - gpu.link[2-3] - stack.gpu[0-1]\n  - stack.net - net.terminal\n"
      "clocks: {core: 700 MHz, xbar: 1250 MHz, link: 1250 MHz, dram: 1.5 ns}\n" VALUES,
      "2:3", "gpu.link[0] leads to stack[2] at net.terminal[2]; the same number of link and terminal would be right");
}

/* Each clock of a part must be given, be a clock, and belong to some part. 1 MHz to 10 GHz: 99
 * ps is above it, 0.9 MHz below. */
static void test_clocks(void **state) {
  (void)state;
  expect_refused(PARTS LINKS "clocks: {core: 700 MHz, xbar: 1250 MHz, link: 1250 MHz, dram: 1.5 ns}\n" VALUES, "4:3",
                 "nsu has no clock: clocks: {nsu: 1000 MHz} would be right");
  expect_refused(PARTS LINKS "clocks: {core: 700}\n", "10:16",
                 "clocks.core: '700' is not a clock of 1 MHz to 10 GHz; such as 700 MHz or 1.5 ns would be right");
  expect_refused(PARTS LINKS "clocks: {core: 0.9 MHz}\n", "10:16", "is not a clock");
  expect_refused(PARTS LINKS "clocks: {core: 99 ps}\n", "10:16", "is not a clock");
  expect_refused(
      PARTS LINKS
      "clocks: {core: 700 MHz, xbar: 1250 MHz, link: 1250 MHz, dram: 1.5 ns, nsu: 350 MHz, sparc: 1 GHz}\n" VALUES,
      "10:85", "no part has the clock 'sparc'");
  expect_refused("parts:\n  nsu: {part: nsu, clocks: {core: x}}\n", "2:29",
                 "nsu has no clock 'core'; the first is nsu");
  expect_refused("parts:\n  nsu: {part: nsu, clocks: {nsu: [x]}}\n", "2:34",
                 "the name of one of `clocks` would be right");
}

/* Mistakes in values of parts: keys, ranges, and parts that the system has not. */
static void test_values(void **state) {
  (void)state;
  expect_refused(PARTS LINKS CLOCKS "gpu: {smz: 3}\n", "11:12",
                 "unknown key 'gpu.smz'; `lockstack run x --print-config` lists them; did you mean gpu.sms?");
  expect_refused(PARTS LINKS CLOCKS "gpu: {sms: 129}\n", "11:12",
                 "gpu.sms: 129 is out of range; from 1 to 128 would be right");
  expect_refused(PARTS LINKS CLOCKS "mpu: {warps: 8}\n", "11:14", "unknown key 'mpu.warps'"); /* no such part */
  expect_refused(PARTS LINKS CLOCKS "gpv: 3\n", "11:6", "unknown key 'gpv'");
  expect_refused("help: \"a\\nb\"\n" PARTS, "1:7", "help: one line");
}

/* A rival is a file next to this one or a system of the folder. A cycle of rivals is refused,
 * also a long one. */
static void test_rivals(void **state) {
  (void)state;
  static composition_t rival;
  trouble_t trouble = {0};
  char where[128];
  write_to(other, PARTS LINKS CLOCKS VALUES "gpu: {sms: 3}\n");
  expect_taken("rival: other.yaml\n" PARTS LINKS CLOCKS VALUES);
  assert_true(composition_rival(&c, "/nowhere", &rival, &trouble));
  assert_string_equal(rival.name, "other");
  expect_taken("rival: other\n" PARTS LINKS CLOCKS VALUES);
  assert_true(composition_rival(&c, folder, &rival, &trouble));
  snprintf(where, sizeof where, "%s:1:8: rival: /nowhere/other.yaml: No such file", path);
  assert_false(composition_rival(&c, "/nowhere", &rival, &trouble));
  if (strncmp(trouble.text, where, strlen(where))) fail_msg("%s", trouble.text);
  write_to(other, "rival: x.yaml\n" PARTS LINKS CLOCKS VALUES);
  assert_false(composition_rival(&c, folder, &rival, &trouble));
  assert_non_null(strstr(trouble.text, "x.yaml:1:8: rival: a cycle of rivals"));
  expect_taken("rival: x\n" PARTS LINKS CLOCKS VALUES); /* itself */
  assert_false(composition_rival(&c, folder, &rival, &trouble));
  assert_non_null(strstr(trouble.text, "a cycle of rivals"));
}

/* What is printed is the same system: reading it and printing it again gives the same text.
 * Clocks of a part's own and ranges of links are in it. */
static void test_printed(void **state) {
  (void)state;
  static composition_t again;
  trouble_t trouble = {0};
  char *one = NULL, *two = NULL;
  size_t size;
  expect_taken("help: one\nrival: baseline\nparts:\n" GPU STACK NET
               "  a: {part: nsu, clocks: {nsu: core}}\n  b: {part: nsu, count: 2}\n"
               "links:\n  - gpu.link - stack.gpu\n  - stack.net - net.terminal\n  - a.port - stack.logic[3]\n"
               "  - b.port - stack.logic[0-1]\n" CLOCKS VALUES "gpu: {sms: 3}\n");
  FILE *out = open_memstream(&one, &size);
  composition_print(&c, out);
  fclose(out);
  write_to(other, one);
  if (!composition_load(&again, other, &trouble) || !composition_settle(&again, &trouble)) fail_msg("%s", trouble.text);
  out = open_memstream(&two, &size);
  composition_print(&again, out);
  fclose(out);
  assert_string_equal(one, two);
  assert_non_null(strstr(one, "  a: {part: nsu, clocks: {nsu: core}}"));
  assert_non_null(strstr(one, "  - a.port - stack.logic[3]\n  - b.port - stack.logic[0-1]\n"));
  free(one);
  free(two);
}

/* The folder of the two files that all tests write. */
static int make_files(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/x.yaml", folder);
  snprintf(other, sizeof other, "%s/other.yaml", folder);
  return 0;
}

static int remove_files(void **state) {
  (void)state;
  return unlink(path) | unlink(other) | rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good),   cmocka_unit_test(test_ranges),  cmocka_unit_test(test_parts),
      cmocka_unit_test(test_links),  cmocka_unit_test(test_clocks),  cmocka_unit_test(test_values),
      cmocka_unit_test(test_rivals), cmocka_unit_test(test_printed), cmocka_unit_test(test_network_interfaces),
      cmocka_unit_test(test_shared)};
  return cmocka_run_group_tests(tests, make_files, remove_files);
}
