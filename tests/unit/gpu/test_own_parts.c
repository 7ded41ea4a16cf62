/* SPDX-License-Identifier: Apache-2.0
 *
 * An offload policy and an address map that are not in the tree: the GPU needs no change for them.
 *
 * The policy: what a warp of an odd block of threads has between its second load and its first
 * store is computed by the memory, in one go, some time later. The map: neighbouring lines are in
 * neighbouring stacks. Both give the right results.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_rig.h"
#include "ldst.h"
#include "simt_memory.h"
#include "sm_warp.h"
#include "stack_address.h"
#include "unit_test.h"

/* Cycles until the memory computes a block, and until it has room again. */
enum { LATER = 300, MOST_ACCESSES = 4 };

/* ---- The policy ------------------------------------------------------------------------------ */

typedef struct {
  const gpu_shared_t *sh;
  int32_t *first; /* the kernel's: where its block begins */
  uint32_t begin, end;
} late_die_t;

typedef struct {
  uint32_t mask;
  uint64_t due; /* 0: not at its end */
  struct {
    uint32_t mask;
    coalesce_t lines;
  } access[MOST_ACCESSES];
  unsigned accesses;
  bool had_room;
} late_warp_t;

typedef struct {
  late_die_t *die;
  offload_port_t port;
  late_warp_t warp[GPU_MAX_WARPS];
  uint64_t looked; /* warps that have taken their slot to look */
  uint64_t full;   /* warps that have no room for their first access */
  uint64_t room;   /* cycle of the room for them */
} late_sm_t;

static unsigned seen_blocks, seen_kept, seen_refused, seen_full; /* what the policy was asked, and what it put off */

static void *new_die(const gpu_shared_t *sh) {
  late_die_t *d = calloc(1, sizeof *d);
  if (d) d->sh = sh;
  return d;
}

static void free_die(void *die) {
  free(((late_die_t *)die)->first);
  free(die);
}

/* No block begins anywhere yet. */
static int late_load(void *die, const ptx_module_t *module, const void *blocks, trouble_t *err) {
  late_die_t *d = die;
  const ptx_func_t *f = &module->funcs[0];
  assert_null(blocks);
  assert_null(d->first);
  d->first = malloc(f->num_instrs * sizeof *d->first);
  if (!d->first) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  for (uint32_t i = 0; i < f->num_instrs; i++) d->first[i] = -1;
  return 0;
}

/* A load or a store of global memory. */
static bool is_global(const simt_op_t *op) {
  return (op->kind == SIMT_LOAD || op->kind == SIMT_STORE) && op->space == PTX_SPACE_GLOBAL;
}

/* The kernel's second load of global memory to its first store. */
static int late_launch(void *die, const int32_t **first, trouble_t *err) {
  late_die_t *d = die;
  const simt_kernel_t *k = d->sh->run->simt.kernel;
  unsigned loads = 0;
  (void)err;
  d->end = 0;
  for (uint32_t i = 0; i < k->num_ops && !d->end; i++) {
    if (!is_global(&k->ops[i])) continue;
    if (k->ops[i].kind == SIMT_STORE) d->end = i;
    else if (++loads == 2) d->begin = i;
  }
  assert_true(d->begin && d->end > d->begin);
  d->first[d->begin] = 0;
  *first = d->first;
  return 0;
}

/* Calls that this policy has no use for: no packets, no credits. */
static void late_tick(void *die) {
  (void)die;
}

static bool late_arrive(void *die, unsigned link, const packet_t *p) {
  (void)die, (void)link, (void)p;
  return false;
}

static gpu_credits_t late_credits(const void *die, unsigned link) {
  (void)die, (void)link;
  return (gpu_credits_t){0};
}

static void *late_attach(void *die, const offload_port_t *port) {
  late_sm_t *s = calloc(1, sizeof *s);
  if (s) s->die = die, s->port = *port;
  return s;
}

/* Odd blocks of threads go. */
static bool late_decide(void *self, unsigned warp, unsigned block) {
  const sm_warp_t *w = &((late_sm_t *)self)->port.warps[warp];
  assert_int_equal(block, 0);
  assert_int_equal(w->blocks_met, 0);
  const bool yes = w->cta_index & 1;
  seen_blocks += yes, seen_kept += !yes;
  return yes;
}

/* All that the block reads. */
static uint64_t late_needs(const void *self, unsigned warp) {
  const late_sm_t *s = self;
  const simt_kernel_t *k = s->port.sh->run->simt.kernel;
  uint64_t when = 0;
  for (uint32_t i = s->die->begin; i <= s->die->end; i++)
    for (unsigned n = 0; n < k->ops[i].num_deps; n++)
      if (s->port.warps[warp].ready[k->ops[i].dep[n]] > when) when = s->port.warps[warp].ready[k->ops[i].dep[n]];
  return when;
}

/* Refuses each warp's first attempt. */
static bool late_begin(void *self, unsigned warp) {
  late_sm_t *s = self;
  late_warp_t *w = &s->warp[warp];
  if (!w->mask) {
    w->mask = simt_stack_mask(&s->port.warps[warp].stack);
    seen_refused++;
    return false;
  }
  w->accesses = 0;
  w->had_room = false;
  return true;
}

/* What the block does in the SM: its accesses are taken down, the rest is skipped. */
static offload_what_t late_what(const void *self, unsigned warp, const simt_op_t *op) {
  (void)self, (void)warp;
  return is_global(op) ? OFFLOAD_ACCESS : OFFLOAD_SKIP;
}

/* Refuses the first of each block; not to be asked again before there is room. */
static bool late_access(void *self, unsigned warp, const simt_op_t *op, uint32_t mask, const coalesce_t *lines) {
  late_sm_t *s = self;
  late_warp_t *w = &s->warp[warp];
  (void)op;
  assert_false(s->full >> warp & 1);
  if (!w->had_room) {
    w->had_room = true;
    s->full |= 1ull << warp;
    s->room = *s->port.now + LATER;
    *s->port.busy = true;
    seen_full++;
    return false;
  }
  assert_true(w->accesses < MOST_ACCESSES);
  w->access[w->accesses].mask = mask;
  w->access[w->accesses++].lines = *lines;
  return true;
}

/* Never called. */
static bool late_emit(void *self, ldst_access_t *a) {
  (void)self, (void)a;
  fail_msg("nothing of this policy is in the load/store unit");
  return true;
}

/* The store is the last one. */
static bool late_ends(const void *self, unsigned warp, uint32_t pc) {
  (void)warp;
  return pc == ((const late_sm_t *)self)->die->end;
}

/* The memory has all of the block. */
static void late_end(void *self, unsigned warp) {
  late_sm_t *s = self;
  s->warp[warp].due = *s->port.now + LATER;
  *s->port.busy = true;
}

/* A lane's load or store, in memory. */
static void do_access(const late_sm_t *s, simt_warp_t *registers, const simt_op_t *op, const coalesce_t *lines,
                      unsigned line, unsigned lane) {
  const gpu_memory_t *m = s->port.sh->memory;
  const uint64_t at = lines->line[line] + lines->offset[lane];
  uint8_t bytes[32];
  if (op->kind == SIMT_LOAD) {
    m->read(m->ctx, at, bytes, op->bytes);
    simt_write_element(registers, op, 0, lane, bytes);
    return;
  }
  simt_read_elements(registers, op, lane, bytes);
  m->write(m->ctx, at, bytes, op->bytes);
}

/* The block as a whole, on the warp's own registers. */
static void compute_block(late_sm_t *s, unsigned warp) {
  late_warp_t *w = &s->warp[warp];
  sm_warp_t *own = &s->port.warps[warp];
  const simt_kernel_t *k = s->port.sh->run->simt.kernel;
  unsigned n = 0;
  for (uint32_t i = s->die->begin; i <= s->die->end; i++) {
    const simt_op_t *op = &k->ops[i];
    if (!is_global(op)) op->fn(op, &own->simt, w->mask);
    for (unsigned d = 0; d < op->num_dsts; d++) own->ready[op->dep[d]] = *s->port.now + 1;
    if (!is_global(op)) continue;
    for (unsigned line = 0; w->access[n].mask && line < w->access[n].lines.count; line++)
      for (uint32_t m = w->access[n].lines.lanes[line]; m; m &= m - 1)
        do_access(s, &own->simt, op, &w->access[n].lines, line, (unsigned)__builtin_ctz(m));
    n++;
  }
  assert_int_equal(n, w->accesses);
}

/* Room comes back, blocks that are due are computed. */
static void late_step(void *self) {
  late_sm_t *s = self;
  const uint64_t full = s->full;
  if (full && s->room <= *s->port.now) {
    s->full = 0;
    s->port.room(s->port.sm, full);
  }
  *s->port.busy = s->full != 0;
  for (unsigned i = 0; i < GPU_MAX_WARPS; i++) {
    late_warp_t *w = &s->warp[i];
    if (w->due && w->due <= *s->port.now) {
      compute_block(s, i);
      w->due = w->mask = 0;
      s->port.resume(s->port.sm, i);
    }
    *s->port.busy |= w->due != 0;
  }
}

static bool late_packet(void *self, packet_t *p) {
  (void)self, (void)p;
  return false;
}

static const offload_policy_t late = {.name = "late",
                                      .new = new_die,
                                      .free = free_die,
                                      .load = late_load,
                                      .launch = late_launch,
                                      .tick = late_tick,
                                      .arrive = late_arrive,
                                      .credits = late_credits,
                                      .attach = late_attach,
                                      .detach = free,
                                      .decide = late_decide,
                                      .needs = late_needs,
                                      .begin = late_begin,
                                      .what = late_what,
                                      .access = late_access,
                                      .emit = late_emit,
                                      .ends = late_ends,
                                      .end = late_end,
                                      .packet = late_packet,
                                      .step = late_step};

/* The same, but for warps that begin a CTA: such a block is looked
 * at for a slot, and stays. All that stay end by `kept`. */
static unsigned seen_looks, seen_stays, seen_ended;

/* Two looks: the first one takes a slot, the second one decides. */
static offload_look_t stays_look(void *self, unsigned warp) {
  late_sm_t *s = self;
  if (s->port.warps[warp].first_thread) return OFFLOAD_GO;
  const offload_look_t how = s->looked >> warp & 1 ? OFFLOAD_STAY : OFFLOAD_LOOKING;
  s->looked ^= 1ull << warp;
  seen_looks++, seen_stays += how == OFFLOAD_STAY;
  return how;
}

static void stays_kept(void *self, unsigned warp) {
  assert_int_equal(((late_sm_t *)self)->port.warps[warp].place, WARP_OUTSIDE);
  seen_ended++;
}

/* ---- The map --------------------------------------------------------------------------------- */

typedef struct {
  uint64_t pages, next; /* linear page 0 is nobody's */
  unsigned stacks;
} lines_t;

/* The first page is nobody's, so that address 0 is not. */
static void *new_lines(const address_map_shape_t *shape) {
  lines_t *m = calloc(1, sizeof *m);
  if (m) *m = (lines_t){shape->stacks * (shape->stack_bytes >> PAGE_SHIFT), 1, shape->stacks};
  return m;
}

static uint64_t next_pages(void *map, uint64_t number) {
  lines_t *m = map;
  if (m->pages - m->next < number) return 0;
  m->next += number;
  return (m->next - number) << PAGE_SHIFT;
}

static uint64_t pages_left(const void *map) {
  return ((const lines_t *)map)->pages - ((const lines_t *)map)->next;
}

/* Line i is in stack i modulo the stacks. */
static uint64_t line_at(const void *map, uint64_t linear) {
  const lines_t *m = map;
  const uint64_t line = linear / GPU_LINE_BYTES;
  return stack_address((unsigned)(line % m->stacks), line / m->stacks * GPU_LINE_BYTES + linear % GPU_LINE_BYTES);
}

static const address_map_t lines = {
    .name = "lines", .new = new_lines, .pages = next_pages, .left = pages_left, .line = line_at};

/* ---- Tests ----------------------------------------------------------------------------------- */

enum { CTAS = 8, THREADS = 96, N = CTAS * THREADS };

/* r5 comes of a load before the block; the block adds 7 r6 to it and
 * stores it but for two threads; what it made is used behind it. */
static const char kernel[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %d<8>;\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r1, %r2, %r3, %r4;\n"
    "mul.wide.u32 %d1, %r1, 4;\nld.param.u64 %d2, [a];\nadd.s64 %d3, %d2, %d1;\nsetp.gt.u32 %p1, %r4, 1;\n"
    "ld.global.u32 %r5, [%d3];\n"
    "ld.global.u32 %r6, [%d3+4096];\nmul.lo.s32 %r7, %r6, 7;\nadd.s32 %r8, %r7, %r5;\n"
    "@%p1 st.global.u32 [%d3+8192], %r8;\n"
    "xor.b32 %r9, %r8, 85;\nst.global.u32 [%d3+12288], %r9;\nret;\n}\n";

typedef struct {
  gpu_stats_t stats;
  uint64_t reads, writes;
} result_t;

/* Every word of the buffer, which begins on the first page, is where the map says. */
static void check_places(const gpu_rig_t *r, const uint32_t *data, unsigned words) {
  const lines_t map = {.stacks = r->config.num_stacks};
  for (unsigned i = 0; i < words; i++) {
    uint32_t word;
    memory_image_read(r->image, line_at(&map, PAGE_BYTES + i * sizeof word), &word, sizeof word);
    assert_int_equal(word, data[i]);
  }
}

/* The kernel once, against the host. */
static result_t run_late_kernel(const gpu_config_t *c, const gpu_parts_t *parts) {
  uint32_t data[4096] = {0}, want[4096];
  uint64_t seed = 3, a;
  gpu_rig_t *r = rig_new_of(c, parts, kernel, sizeof kernel - 1, "late.ptx", false);
  if (r->err.kind) fail_msg("%s", r->err.text);
  for (unsigned i = 0; i < 2048; i++) data[i] = (uint32_t)test_random(&seed);
  a = gpu_malloc(r->gpu, sizeof data, &r->err);
  gpu_copy_in(r->gpu, a, data, sizeof data, &r->err);
  const gpu_launch_t l = {.grid = {CTAS, 1, 1}, .block = {THREADS, 1, 1}, .params = &a, .param_bytes = sizeof a};
  if (rig_run(r, &l, 100000)) fail_msg("%s", r->err.text);
  if (r->broken) fail_msg("%s", r->broken);
  memcpy(want, data, sizeof want);
  for (unsigned i = 0; i < N; i++) {
    const uint32_t sum = data[i] + 7 * data[1024 + i];
    if (i % THREADS > 1) want[2048 + i] = sum;
    want[3072 + i] = sum ^ 85;
  }
  gpu_copy_out(r->gpu, data, a, sizeof data, &r->err);
  assert_memory_equal(data, want, sizeof data);
  if (parts->map == &lines) check_places(r, data, 4096);
  const gpu_stats_t s = gpu_stats(r->gpu);
  rig_free(r);
  return (result_t){s, s.sent_packets[PKT_READ], s.sent_packets[PKT_WRITE]};
}

/* Two SMs, all stacks. */
static gpu_config_t two_sms(unsigned policy) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 2;
  c.offload_policy = policy;
  return c;
}

/* Of 8 CTAs of three warps half are odd: 12 warps go. The block
 * skips a product and a sum, and keeps a READ and a WRITE in the SM. */
static void test_another_rule(void **state) {
  (void)state;
  const gpu_config_t c = two_sms(GPU_OFFLOAD_none);
  const unsigned warps = CTAS / 2 * THREADS / 32;
  const gpu_parts_t own = {.map = gpu_parts_of(&c).map, .policy = &late}, listed = gpu_parts_of(&c);
  const result_t none = run_late_kernel(&c, &listed), odd = run_late_kernel(&c, &own);
  assert_int_equal(seen_blocks, warps);
  assert_int_equal(seen_kept, warps);
  assert_int_equal(seen_refused, warps);
  assert_int_equal(seen_full, warps);
  assert_int_equal(none.stats.nsu_skipped, 0);
  assert_int_equal(odd.stats.nsu_skipped, 2 * warps);
  /* Begin takes a slot, two instructions are not done here;
   * lines of odd blocks' accesses do not leave the SM. */
  assert_int_equal(odd.stats.warp_instructions, none.stats.warp_instructions - warps);
  assert_int_equal(none.reads - odd.reads, warps);
  assert_int_equal(none.writes - odd.writes, warps);
  assert_true(odd.stats.core_cycles > LATER);
}

/* The first warp of each odd block stays after two looks: 4 of 12. */
static void test_stays(void **state) {
  (void)state;
  const gpu_config_t c = two_sms(GPU_OFFLOAD_none);
  const unsigned warps = CTAS / 2 * THREADS / 32;
  offload_policy_t looks = late;
  looks.look = stays_look, looks.kept = stays_kept;
  const gpu_parts_t own = {.map = gpu_parts_of(&c).map, .policy = &looks};
  const result_t odd = run_late_kernel(&c, &own);
  assert_int_equal(seen_stays, CTAS / 2);
  assert_int_equal(seen_looks, 2 * seen_stays);
  assert_int_equal(seen_ended, warps + CTAS / 2); /* those never chosen, and those that stayed after all */
  assert_int_equal(odd.stats.nsu_skipped, 2 * (warps - CTAS / 2));
}

/* Without blocks, a policy that could offload and the one that cannot are the same. */
static void test_none(void **state) {
  (void)state;
  const gpu_config_t none = two_sms(GPU_OFFLOAD_none), nsu = two_sms(GPU_OFFLOAD_static);
  const gpu_parts_t with_none = gpu_parts_of(&none), with_nsu = gpu_parts_of(&nsu);
  const result_t a = run_late_kernel(&none, &with_none), b = run_late_kernel(&nsu, &with_nsu);
  assert_memory_equal(&a, &b, sizeof a);
}

/* As many packets as with pages, and the same results, with the other policy too. */
static void test_another_map(void **state) {
  (void)state;
  const gpu_config_t c = two_sms(GPU_OFFLOAD_none);
  const gpu_parts_t listed = gpu_parts_of(&c), own = {.map = &lines, .policy = listed.policy},
                    both = {.map = &lines, .policy = &late};
  const result_t pages = run_late_kernel(&c, &listed), spread = run_late_kernel(&c, &own);
  assert_int_equal(spread.reads, pages.reads);
  assert_int_equal(spread.writes, pages.writes);
  run_late_kernel(&c, &both);
}

/* NSU code is in whole pages of one stack. */
static void test_no_place_for_nsu_code(void **state) {
  (void)state;
  const gpu_config_t c = two_sms(GPU_OFFLOAD_static);
  const gpu_parts_t parts = {.map = &lines, .policy = gpu_parts_of(&c).policy};
  gpu_rig_t *r = rig_new_of(&c, &parts, kernel, sizeof kernel - 1, "late.ptx", true);
  assert_int_equal(r->err.kind, 2);
  assert_string_equal(
      r->err.text,
      "offloading to NSUs: an address map that takes pages apart (lines) has no place for NSU code; pages would be "
      "right");
  rig_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_another_rule), cmocka_unit_test(test_stays),
                                     cmocka_unit_test(test_none), cmocka_unit_test(test_another_map),
                                     cmocka_unit_test(test_no_place_for_nsu_code)};
  return cmocka_run_group_tests_name("own_parts", tests, NULL, NULL);
}
