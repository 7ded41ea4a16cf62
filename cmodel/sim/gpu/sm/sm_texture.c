/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces at issue: the textures behind the handles, the places of texels, and
 * faults.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "page_profile.h"
#include "pager.h"
#include "simt_memory.h"
#include "sm.h"
#include "texels.h"
#include "texture_decode.h"

static uint32_t operand_word(const simt_warp_t *w, uint32_t at, unsigned lane) {
  return ((const uint32_t *)simt_src(w, at))[lane];
}

static uint64_t operand_handle(const simt_warp_t *w, uint32_t at, unsigned lane) {
  return ((const uint64_t *)simt_src(w, at))[lane];
}

static int fault_texture(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports a thread's faulty access; returns -1. */
static int fault_texture(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, const char *format, ...) {
  const simt_run_t *run = &sm->sh->run->simt;
  const sm_warp_t *w = &sm->warps[warp];
  const ptx_instr_t *in = sm_instr(sm, op);
  char thread[96], what[200];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  simt_block_thread(&sm->ctas[w->cta].block, run, w->first_thread + lane, thread, sizeof thread);
  return trouble_fail(sm->sh->fault, TROUBLE_INPUT, "%s:%d: kernel %s: %s %s ('%s')", sm_func(sm, op)->file, in->line,
                      run->kernel->func->name, thread, what, in->text);
}

/* ---- whose handle it is ---------------------------------------------------------------------- */

/* Shape in the form of simt_op_t.src_bytes. */
static unsigned shape_of(const rt_texture_t *t) {
  return rt_texture_dims(t) | (t->layers ? TEXTURE_LAYERED : 0);
}

static const char *shape_name(unsigned shape) {
  static const char *const names[] = {
      [1] = "1d", [2] = "2d", [3] = "3d", [1 | TEXTURE_LAYERED] = "a1d", [2 | TEXTURE_LAYERED] = "a2d"};
  return names[shape];
}

/* Entry of a thread's handle. NULL: faulted. what: "texture", "surface" or "sampler". */
static const rt_texture_t *find_named(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint32_t at,
                                      const char *what) {
  const uint64_t h = operand_handle(&sm->warps[warp].simt, at, lane);
  const rt_texture_t *t = texture_table_find(sm->sh->textures, h);
  if (t) return t;
  if (h) fault_texture(sm, warp, op, lane, "uses handle 0x%" PRIx64 ", which is no %s's", h, what);
  else fault_texture(sm, warp, op, lane, "uses a %s that is bound to nothing", what);
  return NULL;
}

/* A thread's texture, of the instruction's shape. NULL: faulted. */
static const rt_texture_t *texture_of(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane) {
  const rt_texture_t *t = find_named(sm, warp, op, lane, op->base, "texture");
  if (!t) return NULL;
  if (t->kind > RT_TEXTURE_PITCH)
    fault_texture(sm, warp, op, lane, "reads a %s as a texture", t->kind == RT_SURFACE ? "surface" : "sampler");
  else if (shape_of(t) != op->src_bytes)
    fault_texture(sm, warp, op, lane, "reads a %s texture as %s", shape_name(shape_of(t)), shape_name(op->src_bytes));
  else if (t->kind == RT_TEXTURE_LINEAR && !(op->flags & SIMT_SIGNED))
    fault_texture(sm, warp, op, lane, "reads linear memory at a coordinate that is no whole number");
  else return t;
  return NULL;
}

/* ---- tex, tld4 ------------------------------------------------------------------------------- */

/* Texels of a thread. */
static void locate_texels(const simt_warp_t *w, const simt_op_t *op, unsigned lane, texels_t *t) {
  texture_point_t p = {.whole = op->flags & SIMT_SIGNED};
  if (op->src_bytes & TEXTURE_LAYERED) p.layer = operand_word(w, op->v[TEXTURE_LAYER], lane);
  for (unsigned i = 0; i < (op->src_bytes & TEXTURE_DIMS); i++) {
    const uint32_t x = operand_word(w, op->v[TEXTURE_X + i], lane);
    const uint32_t offset = (const uint32_t[3]){op->d, op->e, op->x}[i];
    memcpy(&p.x.i[i], &x, 4);
    if (offset != SIMT_NO_OPERAND) p.offset[i] = (int32_t)operand_word(w, offset, lane);
  }
  texture_locate(t->texture[lane], t->sampler[lane], &p, op->sub == TEXTURE_GATHER, &t->fetch[lane]);
}

/* Textures, samplers and virtual addresses of all threads. -1: faulted. */
static int find_texels(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, texels_t *t) {
  t->mask = mask, t->lines = 0;
  for (; mask; mask &= mask - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(mask);
    if (!(t->texture[lane] = texture_of(sm, warp, op, lane))) return -1;
    t->sampler[lane] = op->c == SIMT_NO_OPERAND ? t->texture[lane] : find_named(sm, warp, op, lane, op->c, "sampler");
    if (!t->sampler[lane]) return -1;
    if (t->sampler[lane]->filter == RT_FILTER_LINEAR && !t->texture[lane]->unit &&
        rt_texel_kind(t->texture[lane]->format) != 'f')
      return fault_texture(sm, warp, op, lane, "filters whole numbers");
    locate_texels(&sm->warps[warp].simt, op, lane, t);
  }
  return 0;
}

/* Physical place of a texel. -1: faulted. */
static int place_texel(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, unsigned tap, texels_t *t) {
  const uint64_t vaddr = t->fetch[lane].at[tap];
  const page_table_t *pages = sm->sh->pages;
  const page_entry_t *page = page_table_find(pages, vaddr);
  if (!page || (vaddr & (PAGE_BYTES - 1)) + rt_texture_texel(t->texture[lane]) > page->valid)
    return fault_texture(sm, warp, op, lane,
                         "reads a texel at address 0x%" PRIx64 ", which is out of bounds of every allocation", vaddr);
  const uint64_t frame = page->frame | (vaddr & (PAGE_BYTES - 1)),
                 paddr = pages->map->line ? page_table_physical(pages, frame) : frame;
  if (sm->sh->profile && !page_profile_access(sm->sh->profile, sm->sh->nodes->of_sm[sm->id], 1, pages, &vaddr, &paddr))
    return trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for the profile of pages");
  texels_place(t, lane, tap, paddr);
  return 0;
}

/* A fetch goes to the load/store unit, unless all texels are outside. */
static int issue_fetch(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  const gpu_config_t *c = sm->sh->config;
  sm_warp_t *w = &sm->warps[warp];
  texels_t t;
  if (find_texels(sm, warp, op, mask, &t)) return -1;
  for (uint32_t m = mask; m; m &= m - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(m);
    for (unsigned k = 0; k < t.fetch[lane].taps; k++)
      if (texels_wants(&t, lane, k) && place_texel(sm, warp, op, lane, k, &t)) return -1;
  }
  sm->sh->stats->texture_fetches++;
  if (!t.lines) texels_write(&t, op, &w->simt); /* all is outside */
  else if (ldst_issue_texture(&sm->ldst, warp, &w->simt, op, &t))
    return trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for textures");
  for (unsigned i = 0; i < op->num_dsts; i++)
    w->ready[op->dep[i]] = t.lines ? SM_NEVER : sm->now + c->l1.latency + c->sm.texture_latency;
  return 0;
}

/* ---- txq, suq -------------------------------------------------------------------------------- */

static int issue_query(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  sm_warp_t *w = &sm->warps[warp];
  for (; mask; mask &= mask - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(mask);
    const rt_texture_t *t = find_named(sm, warp, op, lane, op->base, "texture");
    if (!t) return -1;
    if (op->v[0] != SIMT_NO_OPERAND) ((uint32_t *)simt_dst(&w->simt, op->v[0]))[lane] = texture_query(t, op->round);
  }
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = sm->now + sm->sh->config->sm.alu_latency;
  return 0;
}

int sm_issue_texture(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  if (!mask) {
    for (unsigned i = 0; i < op->num_dsts; i++)
      sm->warps[warp].ready[op->dep[i]] = sm->now + sm->sh->config->sm.alu_latency;
    return 0;
  }
  return op->sub == TEXTURE_QUERY ? issue_query(sm, warp, op, mask) : issue_fetch(sm, warp, op, mask);
}

/* ---- surfaces -------------------------------------------------------------------------------- */

/* Clamps a coordinate, if the instruction says so. false: outside. */
static bool clamp_coordinate(int64_t *x, int64_t size, int64_t last, bool clamp) {
  if (*x >= 0 && *x < size) return true;
  if (clamp) *x = *x < 0 ? 0 : last;
  return clamp;
}

/* Address of a thread's access. 1: at *vaddr; 0: outside, so a load gives zeros and a store does
 * nothing; -1: faulted. */
static int surface_address(const sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane, uint64_t *vaddr) {
  const simt_warp_t *w = &sm->warps[warp].simt;
  const unsigned dims = op->src_bytes & TEXTURE_DIMS, bytes = op->bytes * op->vec;
  const bool clamp = op->round == SURFACE_CLAMP, layered = op->src_bytes & TEXTURE_LAYERED;
  const rt_texture_t *t = find_named(sm, warp, op, lane, op->base, "surface");
  if (!t) return -1;
  if (t->kind != RT_SURFACE) return fault_texture(sm, warp, op, lane, "uses a texture as a surface");
  if (shape_of(t) != op->src_bytes)
    return fault_texture(sm, warp, op, lane, "uses a %s surface as %s", shape_name(shape_of(t)),
                         shape_name(op->src_bytes));
  const int64_t row = (int64_t)t->width * rt_texture_texel(t), deep = layered ? t->layers : t->depth;
  int64_t x = (int32_t)operand_word(w, op->a, lane), y = dims > 1 ? (int32_t)operand_word(w, op->b, lane) : 0, z = 0;
  if (layered) z = operand_word(w, op->d, lane);
  else if (dims > 2) z = (int32_t)operand_word(w, op->c, lane);
  if (x % bytes)
    return fault_texture(sm, warp, op, lane,
                         "is at byte %" PRId64 " of a surface's row, which is misaligned for %u bytes", x, bytes);
  const bool in = clamp_coordinate(&x, row - bytes + 1, (row - bytes) / bytes * bytes, clamp) &&
                  (dims < 2 || clamp_coordinate(&y, t->height, t->height - 1, clamp)) &&
                  (!deep || clamp_coordinate(&z, deep, deep - 1, clamp));
  if (!in && op->round == SURFACE_TRAP)
    return fault_texture(
        sm, warp, op, lane,
        "is at byte %" PRId64 ", row %" PRId64 ", slice %" PRId64 " of a surface, which is outside of it", x, y, z);
  *vaddr = t->at + (uint64_t)z * t->slice + (uint64_t)y * t->pitch + (uint64_t)x;
  return in;
}

/* Addresses of all threads; *lanes are those that access memory. -1: faulted. */
static int surface_addresses(const sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask, uint64_t vaddr[32],
                             uint32_t *lanes) {
  for (*lanes = 0; mask; mask &= mask - 1) {
    const int in = surface_address(sm, warp, op, (unsigned)__builtin_ctz(mask), &vaddr[__builtin_ctz(mask)]);
    if (in < 0) return -1;
    if (in) *lanes |= mask & -mask;
  }
  return 0;
}

int sm_issue_surface(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  static const uint8_t zeros[32];
  sm_warp_t *w = &sm->warps[warp];
  uint64_t vaddr[32];
  uint32_t lanes;
  if (surface_addresses(sm, warp, op, mask, vaddr, &lanes)) return -1;
  for (uint32_t m = op->kind == SIMT_LOAD ? mask & ~lanes : 0; m; m &= m - 1)
    for (unsigned k = 0; k < op->vec; k++) simt_write_element(&w->simt, op, k, (unsigned)__builtin_ctz(m), zeros);
  for (unsigned i = 0; i < op->num_dsts; i++) w->ready[op->dep[i]] = sm->now + sm->sh->config->sm.alu_latency;
  if (mask) sm->sh->stats->surface_accesses++;
  return lanes ? sm_issue_global(sm, warp, op, lanes, vaddr) : 0;
}

/* ---- pages that come from the host ----------------------------------------------------------- */

/* Asks for all missing pages of a texture or surface access. */
bool sm_need_texels(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  texels_t t;
  uint64_t vaddr[32];
  uint32_t lanes;
  bool all = true;
  if (!sm->sh->pager || (op->kind == SIMT_TEXTURE && op->sub == TEXTURE_QUERY)) return true;
  if (op->kind != SIMT_TEXTURE) {
    if (surface_addresses(sm, warp, op, mask, vaddr, &lanes)) return true; /* faulted */
    for (; lanes; lanes &= lanes - 1) all &= pager_need(sm->sh->pager, vaddr[__builtin_ctz(lanes)]);
    return all;
  }
  if (find_texels(sm, warp, op, mask, &t)) return true;
  for (; mask; mask &= mask - 1)
    for (unsigned lane = (unsigned)__builtin_ctz(mask), k = 0; k < t.fetch[lane].taps; k++)
      if (texels_wants(&t, lane, k)) all &= pager_need(sm->sh->pager, t.fetch[lane].at[k]);
  return all;
}
