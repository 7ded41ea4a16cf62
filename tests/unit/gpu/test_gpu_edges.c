/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's parts at their edges: every stack, one page, a request of every warp, more ports than a
 * word has bits, sizes that do not divide, a block that just fits, values to the last byte, what is
 * said of a load that waits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coalesce.h"
#include "gpu.h"
#include "gpu_packet.h"
#include "memory_image.h"
#include "ndp_manager.h"
#include "offload.h"
#include "offload_nsu.h"
#include "page_table.h"
#include "simt.h"
#include "simt_memory.h"
#include "unit_test.h"
#include "xbar.h"

/* ---- Coalescer, page table, NDP buffer manager ----------------------------------------------- */

/* Of any two stacks: the one with two lines is the target. */
static void test_target(void **state) {
  (void)state;
  for (uint64_t s = 0; s < GPU_MAX_STACKS; s++)
    for (uint64_t t = 0; t < GPU_MAX_STACKS; t++) { /* two lines of s, one of t */
      coalesce_t c = {.count = 3, .line = {s << PKT_STACK_LSB, t << PKT_STACK_LSB | 256, s << PKT_STACK_LSB | 128}};
      assert_int_equal(coalesce_target(&c), s);
    }
}

/* One to 256 stacks, of whole pages, of 4 GB at most. */
static void test_page_table_sizes(void **state) {
  (void)state;
  static const struct {
    unsigned stacks;
    uint64_t bytes;
    bool taken;
  } row[] = {{1, 4096, true}, {256, 4096, true}, {8, 4ull << 30, true}, {1, 4095, false},
             {1, 0, false},   {0, 4096, false},  {257, 4096, false},    {8, 8ull << 30, false}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    page_table_t pt;
    if (!page_table_init(&pt, address_maps[GPU_MAP_pages],
                         &(address_map_shape_t){row[i].stacks, row[i].bytes, 1, 0, NULL}) != row[i].taken)
      fail_msg("row %u", i);
  }
  page_table_t pt, none;
  bool env;
  assert_int_equal(page_table_init(&pt, address_maps[GPU_MAP_pages], &(address_map_shape_t){2, 4096, 1, 0, NULL}),
                   0); /* one frame a stack, that of stack 0 is nobody's */
  uint64_t a = page_table_alloc(&pt, 1, &env);
  assert_true(a && stack_of(page_table_find(&pt, a)->frame) == 1);
  assert_int_equal(page_table_alloc(&pt, 1, &env), 0);
  page_table_deinit(&pt);
  memset(&none, 0, sizeof none);
  assert_memory_equal(&pt, &none, sizeof none); /* what is left can be ended again */
  page_table_deinit(&pt);
}

/* All addresses are too many, though the stacks have as much
 * memory: the page behind an allocation is nobody's. */
static void test_all_addresses(void **state) {
  (void)state;
  page_table_t pt;
  bool environment = true;
  assert_int_equal(
      page_table_init(&pt, address_maps[GPU_MAP_pages], &(address_map_shape_t){256, 4ull << 30, 1, 0, NULL}), 0);
  assert_int_equal(page_table_alloc(&pt, PAGE_VA_END - PAGE_VA_BASE, &environment), 0);
  assert_false(environment);
  page_table_deinit(&pt);
}

/* All warps of all SMs may wait for one stack. */
static void test_manager_full(void **state) {
  (void)state;
  gpu_config_t config = gpu_config_default();
  config.num_sms = 3;
  ndp_manager_t m;
  ndp_request_t r;
  enum { ALL = 3 * GPU_MAX_WARPS };
  assert_int_equal(ndp_manager_init(&m, &config), 0);
  for (unsigned round = 0; round < 2; round++) { /* from another place of the ring */
    for (uint16_t i = 0; i < ALL; i++)
      ndp_manager_request(&m, 1, (ndp_request_t){i / GPU_MAX_WARPS, i % GPU_MAX_WARPS, 1, 1});
    for (unsigned i = 0; i < ALL; i++) {
      assert_true(ndp_manager_grant(&m, 1, &r));
      assert_int_equal(r.sm * GPU_MAX_WARPS + r.warp, i);
      assert_true(ndp_manager_credit(&m, 1, 0, 1, 1, 1));
    }
    assert_false(ndp_manager_grant(&m, 1, &r));
    ndp_manager_request(&m, 1, (ndp_request_t){0, 0, 1, 1});
    assert_true(ndp_manager_grant(&m, 1, &r) && ndp_manager_credit(&m, 1, 0, 1, 1, 1));
  }
  ndp_manager_deinit(&m);
}

/* A request goes to the NSU of the stack where fewest wait and most command entries are free: also
 * if it is one with all free, and more wait at another than it has free. */
static void test_manager_balance(void **state) {
  (void)state;
  gpu_config_t config = gpu_config_default();
  config.num_sms = config.num_stacks = 1;
  config.nsu_units[0] = 3, config.nsu_cmd_entries = 2;
  ndp_manager_t m;
  ndp_request_t r;
  assert_int_equal(ndp_manager_init(&m, &config), 0);
  for (uint16_t i = 0; i < 6; i++) {
    ndp_manager_request(&m, 0, (ndp_request_t){0, i, 1, 1});
    assert_int_equal(ndp_manager_unit(&m, 0, i), i % 2);
  }
  /* one waits at each, no entry is free */
  for (unsigned i = 0; i < 4; i++) assert_true(ndp_manager_grant(&m, i % 2, &r));
  assert_true(ndp_manager_credit(&m, 0, 0, 1, 1, 1) && ndp_manager_grant(&m, 0, &r) &&
              ndp_manager_credit(&m, 0, 0, 2, 2, 2));
  ndp_manager_request(&m, 0, (ndp_request_t){0, 6, 1, 1});
  assert_int_equal(ndp_manager_unit(&m, 0, 6), 0);
  ndp_manager_deinit(&m);
}

/* Every stack has an NSU, its logic layer's first unit. */
static void test_default_units(void **state) {
  (void)state;
  const gpu_config_t config = gpu_config_default();
  for (unsigned s = 0; s < GPU_MAX_NSU_STACKS; s++) assert_int_equal(config.nsu_units[s], 1);
}

/* ---- Crossbar -------------------------------------------------------------------------------- */

typedef struct {
  packet_pool_t *pool;
  xbar_t *x;
} xbar_bed_t;

/* A crossbar alone, with a pool for its packets. */
static xbar_bed_t xbar_bed(const gpu_config_t *config) {
  xbar_bed_t b = {packet_pool_new(), calloc(1, sizeof *b.x)};
  assert_true(b.pool && b.x);
  assert_int_equal(xbar_init(b.x, config), 0);
  return b;
}

static void xbar_bed_free(xbar_bed_t *b) {
  xbar_deinit(b->x);
  free(b->x);
  packet_pool_free(b->pool);
}

/* Round robin over ports 0 to num_sms + 7, also where they are more
 * than bits of one or two words: after 66 comes the next, not 3. */
static void xbar_ports(unsigned num_sms) {
  const unsigned ports[] = {3, num_sms - 1, num_sms, num_sms + 2, num_sms + 6, num_sms + 7};
  enum { PORTS = sizeof ports / sizeof *ports, EACH = 4, OUT = 5 };
  gpu_config_t config = gpu_config_default();
  config.num_sms = num_sms;
  xbar_bed_t b = xbar_bed(&config);
  for (unsigned k = 0; k < EACH; k++)
    for (unsigned i = 0; i < PORTS; i++) {
      packet_t *p = packet_new(b.pool, PKT_READ_RESP);
      p->tag = ports[i];
      xbar_send(b.x, ports[i], 1, OUT, p);
    }
  unsigned got = 0;
  for (unsigned t = 0; t < 400; t++) {
    xbar_tick(b.x);
    if (!xbar_front(b.x, OUT, 1)) continue;
    packet_t *p = xbar_pop(b.x, OUT, 1);
    if (p->tag != ports[got % PORTS]) fail_msg("packet %u is of port %u", got, p->tag);
    got++;
    packet_free(b.pool, p);
  }
  assert_int_equal(got, EACH * PORTS);
  xbar_bed_free(&b);
}

/* SMs and eight stacks: around 64 and 128 ports, and the most there are. */
static void test_xbar_ports(void **state) {
  (void)state;
  static const unsigned sms[] = {8, 56, 57, 63, 64, 65, 72, 120, 121, 127, 128};
  for (unsigned i = 0; i < sizeof sms / sizeof *sms; i++) xbar_ports(sms[i]);
}

/* As many ports as a word has bits, and one or two more
 * or less: the last port's packet comes to the first. */
static void test_xbar_last_port(void **state) {
  (void)state;
  for (unsigned ports = 62; ports <= 67; ports++) {
    gpu_config_t config = gpu_config_default();
    config.num_sms = ports - 2, config.num_stacks = 2;
    xbar_bed_t b = xbar_bed(&config);
    packet_t *p = packet_new(b.pool, PKT_READ_RESP);
    xbar_send(b.x, ports - 1, 1, 0, p);
    for (unsigned t = 0; t < 400 && !xbar_front(b.x, 0, 1); t++) xbar_tick(b.x);
    if (xbar_front(b.x, 0, 1) != p) fail_msg("%u ports", ports);
    packet_free(b.pool, xbar_pop(b.x, 0, 1));
    xbar_bed_free(&b);
  }
}

/* packet_bytes / xbar.bytes cycles, rounded up, and then the latency. */
static void test_xbar_widths(void **state) {
  (void)state;
  static const struct {
    unsigned width, cycles; /* of the 144 bytes of a READ_RESP */
  } row[] = {{1, 144}, {11, 14}, {13, 12}, {16, 9}, {48, 3}, {143, 2}, {144, 1}, {256, 1}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    gpu_config_t config = gpu_config_default();
    config.xbar.bytes = row[i].width;
    xbar_bed_t b = xbar_bed(&config);
    packet_t *p = packet_new(b.pool, PKT_READ_RESP);
    assert_int_equal(packet_bytes(p), 144);
    xbar_send(b.x, 64, 1, 7, p);
    unsigned t = 0;
    for (; t < 400 && !xbar_front(b.x, 7, 1); t++) xbar_tick(b.x);
    if (t != 1 + row[i].cycles + config.xbar.latency) fail_msg("%u bytes a cycle: there in cycle %u", row[i].width, t);
    packet_free(b.pool, xbar_pop(b.x, 7, 1));
    xbar_bed_free(&b);
  }
}

/* ---- Launch ---------------------------------------------------------------------------------- */

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

typedef struct {
  gpu_t *gpu;
  memory_image_t *image;
  packet_pool_t *pool;
  ptx_module_t *module;
  offload_t *offload;
  trouble_t err;
} bed_t;

static void image_read(void *ctx, uint64_t paddr, void *data, size_t bytes) {
  memory_image_read(ctx, paddr, data, bytes);
}
static void image_write(void *ctx, uint64_t paddr, const void *data, size_t bytes) {
  assert_true(bytes && bytes <= 4096 - paddr % 4096); /* never over a page */
  assert_true(memory_image_write(ctx, paddr, data, bytes));
}

/* A GPU whose memory is an image, with a module loaded. */
static bed_t bed_new(const char *ptx, const gpu_config_t *config) {
  bed_t b = {.image = memory_image_new(), .pool = packet_pool_new()};
  ptx_error_t bad = {0};
  gpu_memory_t memory = {b.image, image_read, image_write};
  b.gpu = gpu_new(config, &memory, b.pool, &b.err);
  if (!b.gpu) fail_msg("%s", b.err.text);
  b.module = ptx_parse(ptx, strlen(ptx), "edges.ptx", &bad);
  if (!b.module) fail_msg("%s", bad.trouble.text);
  if (config->nsu.ratio > 0) b.offload = offload_compile(b.module);
  if (gpu_load(b.gpu, b.module, b.offload, &b.err)) fail_msg("%s", b.err.text);
  return b;
}

static void bed_free(bed_t *b) {
  gpu_free(b->gpu);
  if (b->offload) offload_free(b->offload);
  ptx_free(b->module);
  packet_pool_free(b->pool);
  memory_image_free(b->image);
}

/* One block; its parameter is a null pointer. 0, or b->err says why not. */
static int launch_block(bed_t *b, unsigned threads, uint32_t shared_bytes) {
  uint64_t param = 0;
  gpu_launch_t l = {.grid = {1, 1, 1},
                    .block = {threads, 1, 1},
                    .shared_bytes = shared_bytes,
                    .params = &param,
                    .param_bytes = sizeof param};
  b->err = (trouble_t){0};
  return gpu_launch(b->gpu, &l, &b->err);
}

/* Two SMs, two stacks. */
static gpu_config_t small_config(void) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = c.num_stacks = 2;
  return c;
}

/* a[i] += a[i + 1] + a[i + 2]. */
static const char sums[] =
    HEAD ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<9>; .reg .b64 %d<9>;\nld.param.u64 %d1, [a];\n"
         "mov.u32 %r1, %tid.x;\n"
         "mad.wide.u32 %d2, %r1, 4, %d1;\nld.global.u32 %r2, [%d2];\nld.global.u32 %r3, [%d2+4];\n"
         "ld.global.u32 %r4, [%d2+8];\nadd.u32 %r2, %r2, %r3;\n"
         "add.u32 %r2, %r2, %r4;\nst.global.u32 [%d2], %r2;\nret;\n}\n";

/* A block needs registers for whole warps: of all its threads, 32 a warp. */
static void test_registers(void **state) {
  (void)state;
  trouble_t err = {0};
  gpu_config_t c = small_config();
  bed_t first = bed_new(sums, &c);
  simt_kernel_t *k = simt_decode(first.module, ptx_find_kernel(first.module, NULL), &err);
  assert_non_null(k);
  unsigned registers = k->hw_regs;
  simt_kernel_free(k);
  bed_free(&first);
  for (unsigned threads = 1; threads <= 320; threads += 29)
    for (int more = -1; more <= 1; more++) {
      c.sm.registers = (unsigned)((int)(registers * ((threads + 31) / 32 * 32)) + more);
      bed_t b = bed_new(sums, &c);
      if (!launch_block(&b, threads, 0) != (more >= 0))
        fail_msg("%u threads of %u registers, %u in an SM: '%s'", threads, registers, c.sm.registers, b.err.text);
      if (more < 0) assert_int_equal(b.err.kind, 2);
      bed_free(&b);
    }
}

/* So it does of an SM's threads. */
static void test_threads(void **state) {
  (void)state;
  gpu_config_t c = small_config();
  for (c.sm.threads = 992; c.sm.threads <= 1024; c.sm.threads += 32) {
    bed_t b = bed_new(sums, &c);
    if (!launch_block(&b, 993, 0) != (c.sm.threads == 1024))
      fail_msg("993 threads, %u in an SM: '%s'", c.sm.threads, b.err.text);
    bed_free(&b);
  }
}

/* A module may have functions that are no kernels: they are not decoded,
 * whatever they have, and nothing is there of them to be freed. */
static void test_helper(void **state) {
  (void)state;
  static const char text[] = HEAD ".func helper()\n{\n.reg .b32 %r<3>;\nmov.u32 %r1, 1;\nret;\n}\n"
                                  ".visible .entry k(.param .u64 a)\n{\nret;\n}\n.func last()\n{\nret;\n}\n";
  const gpu_config_t c = small_config();
  bed_t b = bed_new(text, &c);
  if (launch_block(&b, 32, 0)) fail_msg("%s", b.err.text);
  bed_free(&b);
}

/* A kernel that the SMs cannot execute is refused when it is launched;
 * the others of its module run, with an instruction cache too. */
static void test_refused_alone(void **state) {
  (void)state;
  static const char text[] =
      HEAD ".visible .entry bad(.param .u64 a)\n{\n.reg .b32 %r<3>;\nmov.u32 %r1, %pm0;\nret;\n}\n"
           ".visible .entry k(.param .u64 a)\n{\nret;\n}\n";
  const uint64_t a = 0;
  for (unsigned cache = 0; cache < 2; cache++) {
    gpu_config_t c = small_config();
    c.l1i.ideal = !cache;
    bed_t b = bed_new(text, &c);
    gpu_launch_t l = {.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .params = &a, .param_bytes = sizeof a};
    if (gpu_launch(b.gpu, &l, &b.err)) fail_msg("%s", b.err.text);
    l.kernel = "bad";
    for (unsigned again = 0; again < 2; again++) {
      trouble_t err = {0};
      assert_int_equal(gpu_launch(b.gpu, &l, &err), -1);
      assert_int_equal(err.kind, 2);
      if (!strstr(err.text, ":7:1: kernel bad: 'mov.u32' is not executed")) fail_msg("%s", err.text);
    }
    bed_free(&b);
  }
}

/* Dynamic shared memory begins at the next 16 bytes behind the kernel's own. */
static void test_shared(void **state) {
  (void)state;
  static const struct {
    const char *own;
    uint32_t dynamic;
    bool fits;
  } row[] = {{"1", 1008, true},   {"1", 1009, false}, {"1", 1023, false}, {"16", 1008, true},
             {"16", 1009, false}, {"17", 992, true},  {"17", 993, false}, {"1024", 0, true},
             {"1024", 1, false},  {"1009", 0, true},  {"1025", 0, false}};
  gpu_config_t c = small_config();
  c.sm.shared_bytes = 1024;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    char text[600];
    snprintf(text, sizeof text,
             HEAD ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %%r<9>;\n.shared .align 1 .b8 own[%s];\n"
                  "ld.shared.u8 %%r1, [own];\n"
                  "st.shared.u8 [own], %%r1;\nret;\n}\n",
             row[i].own);
    bed_t b = bed_new(text, &c);
    if (!launch_block(&b, 32, row[i].dynamic) != row[i].fits)
      fail_msg("%s bytes and %u: '%s'", row[i].own, row[i].dynamic, b.err.text);
    bed_free(&b);
  }
}

/* What a warp had under way when it ended is nobody's: three blocks after each other in one place
 * take as long, whether their last instruction writes a register of its own, the predicate or the
 * 64-bit register that the next block's first instructions write, soon or late. */
static void test_restart(void **state) {
  (void)state;
  static const char *const last[] = {"cvt.u32.u64 %r2, %d1;", "setp.gt.u64 %p2, %d1, 4;", "rem.u64 %d2, %d1, 5;"};
  uint64_t cycles[3];
  for (unsigned i = 0; i < 3; i++) {
    char text[600];
    snprintf(
        text, sizeof text,
        HEAD
        ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %%r<9>; .reg .b64 %%d<9>; .reg .pred %%p<9>;\n"
        "setp.lt.u32 %%p1, 5, 7;\nmov.u64 %%d4, 3;\nmov.u64 %%d1, 4;\nmov.u32 %%r3, 8;\n@%%p1 add.u32 %%r3, %%r3, 1;\n"
        "add.s64 %%d1, %%d1, %%d4;\n"
        "add.s64 %%d1, %%d1, 1;\nadd.s64 %%d1, %%d1, 1;\n%s\nret;\n}\n",
        last[i]);
    gpu_config_t c = small_config();
    c.num_sms = 1, c.sm.ctas = 1;
    bed_t b = bed_new(text, &c);
    uint64_t param = 0;
    gpu_launch_t l = {.grid = {3, 1, 1}, .block = {32, 1, 1}, .params = &param, .param_bytes = sizeof param};
    if (gpu_launch(b.gpu, &l, &b.err)) fail_msg("%s", b.err.text);
    for (unsigned t = 0; t < 10000 && gpu_running(b.gpu); t++) {
      gpu_tick_core(b.gpu);
      gpu_tick_l2(b.gpu);
    }
    assert_false(gpu_running(b.gpu));
    cycles[i] = gpu_stats(b.gpu).core_cycles;
    bed_free(&b);
  }
  assert_int_equal(cycles[0], cycles[1]);
  assert_int_equal(cycles[0], cycles[2]);
}

/* A shared access that has its bank at once may be used after
 * shared_latency: a cycle more of it is a cycle more of the run. */
static void test_shared_latency(void **state) {
  (void)state;
  static const char text[] =
      HEAD ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<9>;\n.shared .u32 s[32];\nmov.u32 %r1, s;\n"
           "ld.shared.u32 %r2, [%r1];\n"
           "add.u32 %r3, %r2, 1;\nst.shared.u32 [%r1], %r3;\nret;\n}\n";
  gpu_config_t c = small_config();
  c.num_sms = 1;
  uint64_t last = 0;
  for (c.sm.shared_latency = c.sm.alu_latency; c.sm.shared_latency < c.sm.alu_latency + 4; c.sm.shared_latency++) {
    bed_t b = bed_new(text, &c);
    if (launch_block(&b, 32, 0)) fail_msg("%s", b.err.text);
    for (unsigned t = 0; t < 1000 && gpu_running(b.gpu); t++) {
      gpu_tick_core(b.gpu);
      gpu_tick_l2(b.gpu);
    }
    uint64_t cycles = gpu_stats(b.gpu).core_cycles;
    if (last) assert_int_equal(cycles, last + 1);
    last = cycles;
    bed_free(&b);
  }
}

/* Constants that the NSUs see, of more than one page: parameters first, then the const segment. */
static void test_large_constants(void **state) {
  (void)state;
  static const char text[] = HEAD
      ".const .u32 far[1500] = {7, 8, 9};\n.visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n"
      "ld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %d2, %r1, 4, %d1;\nld.const.u32 %r4, [far+5996];\n"
      "bar.sync 0;\nld.global.u32 %r2, [%d2];\n"
      "ld.global.u32 %r3, [%d2+4096];\nadd.u32 %r2, %r2, %r3;\nadd.u32 %r2, %r2, %r4;\nst.global.u32 [%d2], %r2;\n"
      "bar.sync 0;\nret;\n}\n";
  gpu_config_t c = small_config();
  c.nsu.ratio = 1;
  bed_t b = bed_new(text, &c);
  assert_true(b.offload->num_kernels == 1 && b.offload->kernels[0].num_blocks); /* else there is nothing to place */
  if (launch_block(&b, 32, 0)) fail_msg("%s", b.err.text);
  bed_free(&b);
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* A predicate that a block returns is that lane's alone, whatever was there. */
static void test_returned_predicate(void **state) {
  (void)state;
  uint32_t file;
  simt_reg_t reg = {.bytes = 1};
  const simt_kernel_t k = {.regs = &reg};
  const offload_reg_t r = {.reg = 0};
  simt_warp_t w = {.base = {(uint8_t *)&file}};
  for (unsigned lane = 0; lane < 32; lane++)
    for (unsigned all = 0; all < 2; all++)
      for (unsigned word = 0; word < 2; word++) {
        file = all ? ~0u : 0;
        nsu_word_returned(&k, &w, &r, lane, word);
        const uint32_t before = all ? ~0u : 0, bit = 1u << lane;
        assert_int_equal(file, word ? before | bit : before & ~bit);
      }
}

/* An atomic of shared memory gives the old value, all eight bytes of it. */
static void test_shared_atomic(void **state) {
  (void)state;
  static const char text[] = HEAD
      ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %d<9>;\n.shared .align 8 .b8 s[256];\nld.param.u64 %d1, [a];\n"
      "atom.shared.exch.b64 %d2, [s], %d1;\nst.shared.u64 [s], %d2;\nret;\n}\n";
  static uint64_t file[1024], memory[32], at[32];
  ptx_error_t bad = {0};
  trouble_t err = {0};
  simt_wrong_t wrong;
  ptx_module_t *module = ptx_parse(text, strlen(text), "edges.ptx", &bad);
  if (!module) fail_msg("%s", bad.trouble.text);
  simt_kernel_t *k = simt_decode(module, ptx_find_kernel(module, NULL), &err);
  if (!k) fail_msg("%s", err.text);
  assert_true(k->reg_bytes <= sizeof file);
  simt_warp_t w = {.base = {(uint8_t *)file}};
  const simt_op_t *op = k->ops;
  while (op->kind != SIMT_ATOM) op++;
  for (unsigned i = 0; i < 32; i++) {
    at[i] = 8 * i;
    memory[i] = 0x0123456789abcdefull * (2 * i + 1);
    ((uint64_t *)simt_dst(&w, op->b))[i] = ~memory[i];
  }
  assert_int_equal(simt_access(&w, op, ~0u, at, (simt_memory_t){(uint8_t *)memory, sizeof memory, 0}, &wrong), 0);
  for (unsigned i = 0; i < 32; i++) {
    assert_true(((const uint64_t *)simt_src(&w, op->v[0]))[i] == 0x0123456789abcdefull * (2 * i + 1));
    assert_true(memory[i] == ~(0x0123456789abcdefull * (2 * i + 1)));
  }
  simt_kernel_free(k);
  ptx_free(module);
}

/* A module with 32-bit addresses has pointers of 4 bytes: a block
 * with such of 8 is refused, before it becomes wrong results. */
static void test_pointers_of_32_bits(void **state) {
  (void)state;
  gpu_config_t c = small_config();
  bed_t b = bed_new(
      ".version 1.4\n.target sm_10\n.entry k(.param .u32 p, .param .u32 q)\n{\n.reg .u32 %r<9>; .reg .pred %p<2>;\n"
      "ld.param.u32 %r1, [p];\nld.param.u32 %r2, [q];\nmad.lo.u32 %r3, %r1, 3, %r2;\nsetp.ne.u32 %p1, %r3, 37;\n"
      "@%p1 trap;\nexit;\n}\n",
      &c);
  const uint64_t wide[2] = {10, 7};
  const uint32_t narrow[2] = {10, 7};
  gpu_launch_t l = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .params = wide, .param_bytes = sizeof wide};
  assert_int_equal(gpu_launch(b.gpu, &l, &b.err), -1);
  assert_int_equal(b.err.kind, 2);
  assert_string_equal(b.err.text, "kernel k: 16 bytes of parameters were given, it has 8");
  b.err = (trouble_t){0};
  l.params = narrow;
  l.param_bytes = sizeof narrow;
  if (gpu_launch(b.gpu, &l, &b.err)) fail_msg("%s", b.err.text);
  for (unsigned t = 0; t < 10000 && gpu_running(b.gpu); t++) {
    gpu_tick_core(b.gpu);
    gpu_tick_l2(b.gpu);
  }
  assert_false(gpu_running(b.gpu));
  assert_null(gpu_fault(b.gpu));
  bed_free(&b);
}

/* ---- What it says ---------------------------------------------------------------------------- */

/* A warp waits for its loads: the first one's packet
 * is in the crossbar, whose clock stands still. */
static void test_waits(void **state) {
  (void)state;
  gpu_config_t c = small_config();
  char text[4096];
  bool seen = false;
  bed_t b = bed_new(sums, &c);
  uint64_t param = gpu_malloc(b.gpu, 4096, &b.err);
  gpu_launch_t l = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .params = &param, .param_bytes = sizeof param};
  if (!param || gpu_launch(b.gpu, &l, &b.err)) fail_msg("%s", b.err.text);
  for (unsigned t = 0; t < 200; t++) {
    gpu_tick_core(b.gpu);
    gpu_tick_l2(b.gpu);
    const size_t used = gpu_describe_waits(b.gpu, text, sizeof text);
    assert_int_equal(used, strlen(text));
    seen |= strstr(text, "SM 0: 1 warps live") && strstr(text, "\ncrossbar: 1 packets inside, 1 of them not granted\n");
  }
  if (!seen) fail_msg("at last: %s", text);
  bed_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_target),
                                     cmocka_unit_test(test_pointers_of_32_bits),
                                     cmocka_unit_test(test_page_table_sizes),
                                     cmocka_unit_test(test_manager_full),
                                     cmocka_unit_test(test_xbar_ports),
                                     cmocka_unit_test(test_xbar_widths),
                                     cmocka_unit_test(test_registers),
                                     cmocka_unit_test(test_shared),
                                     cmocka_unit_test(test_large_constants),
                                     cmocka_unit_test(test_restart),
                                     cmocka_unit_test(test_shared_latency),
                                     cmocka_unit_test(test_manager_balance),
                                     cmocka_unit_test(test_default_units),
                                     cmocka_unit_test(test_all_addresses),
                                     cmocka_unit_test(test_xbar_last_port),
                                     cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_helper),
                                     cmocka_unit_test(test_refused_alone),
                                     cmocka_unit_test(test_returned_predicate),
                                     cmocka_unit_test(test_shared_atomic),
                                     cmocka_unit_test(test_waits)};
  return cmocka_run_group_tests_name("gpu_edges", tests, NULL, NULL);
}
