/* SPDX-License-Identifier: Apache-2.0
 *
 * The rig of tom_rig.h. Memory is read and written when a packet is due, at once for its
 * whole line.
 */
#include "tom_rig.h"

#include <stdio.h>
#include <stdlib.h>

#include "tom_engines.h"

static void mem_read(void *ctx, uint64_t paddr, void *data, size_t bytes) {
  memory_image_read(ctx, paddr, data, bytes);
}

static void mem_write(void *ctx, uint64_t paddr, const void *data, size_t bytes) {
  assert_true(memory_image_write(ctx, paddr, data, bytes));
}

/* A packet that is due after `delay` cycles, and not before the last one. */
static void add_to_way(rig_t *r, way_t *w, packet_t *p, uint64_t delay) {
  const unsigned last = (w->first + w->count + QUEUE - 1) % QUEUE;
  uint64_t due = r->now + delay;
  if (w->count && w->due[last] > due) due = w->due[last]; /* in order */
  assert_true(w->count < QUEUE);
  w->packet[(w->first + w->count) % QUEUE] = p;
  w->due[(w->first + w->count++) % QUEUE] = due;
}

/* The first packet of a way, if it is due. */
static packet_t *due_packet(const rig_t *r, const way_t *w) {
  return w->count && w->due[w->first] <= r->now ? w->packet[w->first] : NULL;
}

/* Behind due_packet(). */
static void drop_first(way_t *w) {
  w->first = (w->first + 1) % QUEUE;
  w->count--;
}

/* A READ or WRITE becomes its answer. */
static packet_t *access_memory(rig_t *r, packet_t *p) {
  const unsigned bytes = 1u << p->hdr.size;
  if (p->hdr.type == PKT_READ) {
    memcpy(p->data[0], memory_image_line(r->image, p->hdr.addr), PKT_LINE_BYTES);
    p->hdr.type = PKT_READ_RESP;
    return p;
  }
  assert_int_equal(p->hdr.type, PKT_WRITE);
  uint8_t *line = memory_image_line_to_write(r->image, p->hdr.addr);
  for (unsigned i = 0; i < 32; i++)
    if (p->hdr.mask >> i & 1) memcpy(line + (p->hdr.aligned ? i * bytes : p->hdr.offs[i]), &p->data[0][i], bytes);
  p->hdr.type = PKT_WRITE_ACK;
  return p;
}

/* Blocks overtake the GPU's accesses. */
static void step_gpu(rig_t *r, unsigned k) {
  packet_t *p = due_packet(r, &r->requests[k]);
  if (p) {
    assert_int_equal(tom_packet_of(p).kind, TOM_REQUEST);
    drop_first(&r->requests[k]);
    stack_sm_push(r->sm[k], p);
  }
  if ((p = due_packet(r, &r->from_gpu[k]))) {
    drop_first(&r->from_gpu[k]);
    add_to_way(r, &r->to_gpu[k], access_memory(r, p), 0);
  }
  if ((p = due_packet(r, &r->to_gpu[k])) && gpu_can_push(r->gpu, k)) {
    drop_first(&r->to_gpu[k]);
    gpu_push(r->gpu, k, p);
  }
  for (unsigned cls = 0; cls < 2; cls++)
    if (gpu_front(r->gpu, k, cls)) {
      p = gpu_pop(r->gpu, k, cls);
      assert_int_equal(p->dst, k);
      add_to_way(r, p->hdr.type == PACKET_OWN ? &r->requests[k] : &r->from_gpu[k], p,
                 r->latency + (p->hdr.type == PKT_WRITE ? r->write_latency : 0));
    }
}

/* Its accesses do not wait behind the GPU's. */
static void step_sm(rig_t *r, unsigned k) {
  packet_t *p;
  while (stack_sm_front(r->sm[k], 0)) {
    p = stack_sm_pop(r->sm[k], 0);
    assert_int_equal(p->src, k);
    assert_int_equal(p->dst, r->config.tom.free == TOM_FREE_ALL ? k : stack_of(p->hdr.addr));
    assert_true(p->hdr.type == PKT_READ || p->quiet);
    add_to_way(r, &r->from_sm[k], p, r->latency + (p->quiet ? r->block_latency : 0));
  }
  if ((p = due_packet(r, &r->from_sm[k])) && stack_sm_can_push(r->sm[k])) {
    drop_first(&r->from_sm[k]);
    stack_sm_push(r->sm[k], access_memory(r, p));
  }
  for (packet_t *direct; (direct = gpu_direct_pop(r->gpu, k));) {
    assert_int_equal(r->config.tom.free, TOM_FREE_ALL);
    stack_sm_push(r->sm[k], direct);
  }
  while (stack_sm_front(r->sm[k], 1)) {
    p = stack_sm_pop(r->sm[k], 1);
    if (r->config.tom.free == TOM_FREE_ALL) {
      gpu_direct_push(r->gpu, k, p);
      continue;
    }
    tom_packet_t t = tom_packet_of(p);
    assert_true(t.lines <= TOM_LIST_LINES && p->dst == PKT_GPU && p->cls == 1);
    /* a header of 16 bytes, five for each line, and what the block returns */
    assert_int_equal(p->bytes, 16 + 5 * t.lines +
                                   (t.kind == TOM_DONE ? 128 * t.job->block->returned_size.words +
                                                             4 * t.job->block->returned_size.predicates
                                                       : 0));
    t.lines -= t.lines < r->lose_lines ? t.lines : r->lose_lines;
    memcpy(p->data, &t, sizeof t);
    add_to_way(r, &r->to_gpu[k], p, r->latency);
  }
}

/* All clocks at the same rate. */
void rig_tick(rig_t *r) {
  r->now++;
  gpu_tick_core(r->gpu);
  for (unsigned k = 0; k < STACKS; k++) stack_sm_tick_core(r->sm[k]);
  gpu_tick_l2(r->gpu);
  gpu_tick_xbar(r->gpu);
  for (unsigned k = 0; k < STACKS; k++) {
    stack_sm_tick_link(r->sm[k]);
    step_gpu(r, k);
    step_sm(r, k);
  }
}

/* Two SMs of the GPU, two stacks, a small L2. There is no control: all that may go goes. */
gpu_config_t rig_config(void) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 2, c.num_stacks = STACKS, c.l2.bytes = 1 << 20;
  c.offload_policy = GPU_OFFLOAD_tom;
  c.tom_control = false, c.tom.queue = 0; /* all that may go does, when a warp is free there */
  return c;
}

/* The GPU's hardware is golden models (tom_engines.h). */
rig_t *rig_make(const gpu_config_t *c, const char *body) {
  static const char head[] =
      ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n"
      "{\n"
      ".reg .pred %p<8>;\n.reg .b32 %r<64>;\n.reg .b64 %d<16>;\n"
      "ld.param.u64 %d1, [a];\nld.param.u64 %d2, [b];\nld.param.u32 %r9, [n];\n"
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.s32 %r4, %r2, %r3, %r1;\n"
      "mul.wide.u32 %d3, %r4, 4;\nadd.s64 %d4, %d1, %d3;\nadd.s64 %d5, %d2, %d3;\n";
  rig_t *r = test_calloc(1, sizeof *r);
  ptx_error_t wrong = {0};
  r->config = *c, r->latency = 50;
  r->image = memory_image_new(), r->pool = packet_pool_new();
  const gpu_memory_t memory = {r->image, mem_read, mem_write};
  gpu_parts_t parts = gpu_parts_of(c);
  parts.engine[GPU_HARDWARE_tom_ctrl] = tom_ctrl_engines, parts.engine[GPU_HARDWARE_tom_gate] = tom_gate_engines,
  parts.engine[GPU_HARDWARE_tom_busy] = tom_busy_engines;
  parts.engine[GPU_HARDWARE_tom_map] = tom_map_engines, parts.engine[GPU_HARDWARE_tom_ranges] = tom_ranges_engines;
  if (!(r->gpu = gpu_new_of(c, &parts, &memory, r->pool, &r->err))) fail_msg("%s", r->err.text);
  for (unsigned k = 0; k < STACKS; k++) assert_non_null(r->sm[k] = stack_sm_new(c, k, r->pool, tom_stack_engines, k));
  snprintf(r->ptx, sizeof r->ptx, "%s%sret;\n}\n", head, body);
  if (!(r->module = ptx_parse(r->ptx, strlen(r->ptx), "t.ptx", &wrong))) fail_msg("%s", wrong.trouble.text);
  r->blocks = tom_compile_module(r->module, c);
  if (gpu_load(r->gpu, r->module, r->blocks, &r->err)) fail_msg("%s", r->err.text);
  return r;
}

/* Nothing may be left: no block, no packet. */
void rig_done(rig_t *r) {
  gpu_free(r->gpu);
  for (unsigned k = 0; k < STACKS; k++) {
    assert_true(r->err.kind || stack_sm_idle(r->sm[k]));
    stack_sm_free(r->sm[k]);
  }
  tom_discard_module(r->blocks);
  ptx_free(r->module);
  if (!r->err.kind) assert_int_equal(packet_pool_live(r->pool), 0);
  packet_pool_free(r->pool);
  memory_image_free(r->image);
  test_free(r);
}

uint64_t rig_room(rig_t *r, unsigned words, const uint32_t *data) {
  const uint64_t at = gpu_malloc(r->gpu, words * sizeof *data, &r->err);
  assert_true(at && (!data || !gpu_copy_in(r->gpu, at, data, words * sizeof *data, &r->err)));
  return at;
}

/* Parameters are two addresses and a word: 20 bytes. */
bool rig_begin(rig_t *r, unsigned ctas, unsigned threads, uint64_t a, uint64_t b, uint32_t n) {
  struct {
    uint64_t a, b;
    uint32_t n;
  } params = {a, b, n};
  const gpu_launch_t l = {
      .kernel = r->kernel, .grid = {ctas, 1, 1}, .block = {threads, 1, 1}, .params = &params, .param_bytes = 20};
  return gpu_launch(r->gpu, &l, &r->err) == 0;
}

/* A fault of the GPU or of a stack ends it, in r->err. */
void rig_launch(rig_t *r, unsigned ctas, unsigned threads, uint64_t a, uint64_t b, uint32_t n) {
  if (!rig_begin(r, ctas, threads, a, b, n)) return;
  const uint64_t end = r->now + MOST_CYCLES;
  while (gpu_running(r->gpu)) {
    if (r->now == end) {
      char text[4096];
      gpu_describe_waits(r->gpu, text, sizeof text);
      fail_msg("not done:\n%s", text);
    }
    rig_tick(r);
    for (unsigned k = 0; k < STACKS; k++)
      if (stack_sm_fault(r->sm[k])) {
        r->err = *stack_sm_fault(r->sm[k]);
        return;
      }
  }
  if (gpu_fault(r->gpu)) r->err = *gpu_fault(r->gpu);
}

/* Words from b on, as the host gets them. */
uint32_t *rig_result(rig_t *r, uint64_t b, unsigned words) {
  uint32_t *out = test_calloc(words, sizeof *out);
  if (r->err.kind) fail_msg("%s", r->err.text);
  gpu_copy_out(r->gpu, out, b, words * sizeof *out, &r->err);
  return out;
}

gpu_stats_t rig_counts(const rig_t *r) {
  const gpu_stats_t s = gpu_stats(r->gpu);
  assert_int_equal(s.tom_instances, s.tom_offloaded + s.tom_kept_condition + s.tom_kept_channel + s.tom_kept_full +
                                        s.tom_kept_no_access + s.tom_kept_learning);
  uint64_t blocks = 0;
  for (unsigned k = 0; k < STACKS; k++) blocks += stack_sm_stats(r->sm[k]).blocks;
  assert_int_equal(blocks, s.tom_offloaded);
  return s;
}
