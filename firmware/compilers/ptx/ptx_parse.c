/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules of the PTX reader: recursive descent, one token ahead; and the calls of ptx.h that read.
 *
 *    ptx_read -> ptx_parse -> ptx_link -> parse_module -> parse_source ... -> finish_module
 *    parse_source: a loop of parse_toplevel, which reads a directive, a variable or a function
 *
 * Several sources share one parser and one table of names. Names without linkage are forgotten
 * after their source.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "judged.h"
#include "ptx_internal.h"

/* ---- Modules --------------------------------------------------------------------------------- */

/* The number at *at. Digits beyond what either part of a version may have are dropped. */
static unsigned version_part(const char **at, const char *end) {
  unsigned value = 0;
  for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
    if (value < 1000) value = value * 10 + (unsigned)(**at - '0');
  return value;
}

/* The text decides, not the number: 1.10 and 1.1 are different versions. Of linked sources the
 * highest counts. */
static void parse_version(parser_t *p) {
  token_t t = p->tok;
  ptx_module_t *m = &p->owner->module;
  const char *at = p->source + t.at, *end = p->source + t.end;
  if (p->seen_version) ptx_fail(p, &t, "second .version; a module has one");
  if (t.kind != TOK_F64 || !t.is_decimal)
    ptx_fail(p, &t, "%s after .version; write for example .version 6.0", tok_text(p, &t));
  const unsigned major = version_part(&at, end);
  const bool dot = at < end && *at++ == '.';
  const unsigned minor = version_part(&at, end);
  const unsigned version = major * 100 + minor;
  if (!dot || at != end || version < 100 || version > 901 || minor > 99)
    ptx_fail(p, &t, ".version %.*s is not one this reader knows; it reads 1.0 to 9.1", (int)(t.end - t.at),
             p->source + t.at);
  if (version > m->version_major * 100 + m->version_minor) m->version_major = major, m->version_minor = minor;
  p->seen_version = true;
  lex_next(p);
}

/* .target sm_35, map_f64_to_f32: the first source's is kept as it is written. */
static void parse_target(parser_t *p) {
  size_t from = p->tok.at, to;
  do {
    token_t t = expect_name(p, "a target such as sm_35");
    to = t.end;
  } while (tok_accept(p, ','));
  if (!p->owner->module.target) p->owner->module.target = arena_string(p, p->source + from, to - from);
  p->seen_target = true;
}

/* Without the directive addresses have 32 bits. */
static void parse_address_size(parser_t *p) {
  token_t t = p->tok;
  if (t.kind != TOK_INT || (t.integer != 32 && t.integer != 64))
    ptx_fail(p, &t, "%s after .address_size; write 32 or 64", tok_text(p, &t));
  p->address_bytes = (unsigned)t.integer / 8;
  lex_next(p);
}

/* .alias name, function; gives a declared name the other function's number. */
static void parse_alias(parser_t *p) {
  token_t name = expect_name(p, "an alias"), old;
  tok_expect(p, ',', "after an alias");
  old = expect_name(p, "a function");
  int32_t target = function_named(p, &old);
  symbol_t *s = symbol_find(p, name.text, name.length);
  if (s && s->kind == SYM_FUNC) s->index = target;
  else symbol_add(p, token_string(p, &name), SYM_FUNC, target, &name);
  tok_expect(p, ';', "after .alias");
}

/* # 12 "file": a line of the C preprocessor. */
static void skip_hash_line(parser_t *p) {
  token_t t = p->tok;
  lex_next(p);
  if (p->tok.kind != TOK_INT && !tok_is_name(p, "line"))
    ptx_fail(p, &t, "preprocessor directive; run the file through the C preprocessor first");
  lex_skip_line(p);
}

/* One directive, variable or function of a module. .version must be first. */
static void parse_toplevel(parser_t *p) {
  ptx_space_t space;
  token_t t = p->tok;
  if (accept_dot(p, "version")) {
    parse_version(p);
    return;
  }
  if (!p->seen_version && !tok_is(p, '#'))
    ptx_fail(p, &t, "%s before .version; a PTX file starts with .version and .target", tok_text(p, &t));
  if (accept_dot(p, "target")) {
    parse_target(p);
  } else if (accept_dot(p, "address_size")) {
    parse_address_size(p);
  } else if (tok_is(p, '#')) {
    skip_hash_line(p);
  } else if (tok_accept(p, ';') || skip_debug(p)) {
    return;
  } else if (accept_dot(p, "alias")) {
    parse_alias(p);
  } else {
    ptx_linkage_t linkage = accept_linkage(p);
    token_t at = p->tok;
    if (!p->seen_target) ptx_fail(p, &at, "%s before .target; write for example .target sm_35", tok_text(p, &at));
    if (accept_dot(p, "entry")) parse_function(p, true, linkage);
    else if (accept_dot(p, "func")) parse_function(p, false, linkage);
    else if (accept_dot(p, "tex")) parse_textures(p, linkage);
    else if (accept_space(p, &space) && space != PTX_SPACE_PARAM) parse_variables(p, space, linkage);
    else
      ptx_fail(p, &at, "%s at the top of a module; a directive, variable or function should stand there",
               tok_text(p, &at));
  }
}

/* Moves the lists into the arena. From here on they do not move, and shared memory can be laid
 * out. */
static void finish_module(parser_t *p) {
  ptx_module_t *m = &p->owner->module;
  m->num_vars = p->vars.count;
  m->vars = arena_copy(p, p->vars.data, p->vars.count * sizeof *p->vars.data);
  m->num_funcs = p->funcs.count;
  m->funcs = arena_copy(p, p->funcs.data, p->funcs.count * sizeof *p->funcs.data);
  shared_layout(p);
}

/* One source from its start to its end. Names of the sources before stay declared. */
static void parse_source(parser_t *p, const ptx_source_t *of) {
  p->file = arena_string(p, of->file, strlen(of->file)); /* functions keep it */
  p->source = of->text, p->size = of->size;
  p->pos = p->prev_end = p->line_start = 0;
  p->line = 1;
  p->func = PTX_NONE;
  p->seen_version = p->seen_target = false;
  p->address_bytes = 4;
  lex_next(p);
  while (p->tok.kind != TOK_END) parse_toplevel(p);
  if (!p->seen_version) ptx_fail(p, &p->tok, "file without .version; a PTX file starts with .version and .target");
  if (!p->seen_target) ptx_fail(p, &p->tok, "file without .target; write for example .target sm_35 after .version");
}

/* All sources in order; their addresses must be equally wide. */
static void parse_module(parser_t *p, const ptx_source_t *source, unsigned count) {
  ptx_module_t *m = &p->owner->module;
  m->file = arena_string(p, p->file, strlen(p->file));
  for (unsigned i = 0; i < count; i++) {
    parse_source(p, &source[i]);
    if (!i) m->address_bytes = p->address_bytes;
    if (p->address_bytes != m->address_bytes)
      ptx_fail(p, &p->tok, "addresses have %u bits, those of %s %u", p->address_bytes * 8, source->file,
               m->address_bytes * 8);
    scope_forget_locals(p);
  }
  finish_module(p);
}

/* The vectors are the parser's own; the module has copies in its arena. */
static void free_parser(parser_t *p) {
  free(p->vars.data);
  free(p->funcs.data);
  free(p->regs.data);
  free(p->instrs.data);
  free(p->before.data);
  free(p->behind.data);
  free(p->elements.data);
  free(p->labels.data);
  free(p->tables.data);
  free(p->fixups.data);
  free(p->names.data);
  free(p->params.data);
  free(p->relocs.data);
  free(p);
}

void ptx_free(ptx_module_t *module) {
  ptx_owner_t *owner = (ptx_owner_t *)module;
  if (!owner) return;
  for (arena_chunk_t *c = owner->chunks, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  free(owner);
}

/* An error that has no line. Returns NULL. */
static ptx_module_t *fail_alone(ptx_error_t *err, trouble_kind_t kind, const char *file, const char *why) {
  *err = (ptx_error_t){.line = 0};
  return trouble_set(&err->trouble, kind, "%s: %s", file, why), NULL;
}

/* setjmp catches every ptx_fail. p does not change behind it, so p is defined after the jump. */
ptx_module_t *ptx_link(const ptx_source_t *source, unsigned count, const char *file, ptx_error_t *err) {
  parser_t *p = calloc(1, sizeof *p);
  ptx_owner_t *owner = calloc(1, sizeof *owner);
  memset(err, 0, sizeof *err);
  if (!p || !owner) {
    free(p);
    free(owner);
    return fail_alone(err, TROUBLE_ENVIRONMENT, file, "out of memory");
  }
  p->owner = owner;
  p->err = err;
  p->file = file;
  if (setjmp(p->on_error)) {
    ptx_free(&p->owner->module);
    free_parser(p);
    return NULL;
  }
  parse_module(p, source, count);
  ptx_module_t *module = &p->owner->module;
  free_parser(p);
  return module;
}

ptx_module_t *ptx_parse(const char *text, size_t size, const char *file, ptx_error_t *err) {
  return ptx_link(&(ptx_source_t){text, size, file}, 1, file, err);
}

ptx_module_t *ptx_read(const char *path, ptx_error_t *err) {
  judged_file(path);
  FILE *f = fopen(path, "rb");
  char why[128];
  char *text = NULL;
  size_t size = 0;
  if (!f) {
    snprintf(why, sizeof why, "%s; give the path of a PTX file", strerror(errno));
    return fail_alone(err, TROUBLE_INPUT, path, why);
  }
  text = file_rest(f, MAX_FILE_BYTES, &size);
  if (!text && errno == ENOMEM) {
    fclose(f);
    return fail_alone(err, TROUBLE_ENVIRONMENT, path, "out of memory");
  }
  snprintf(why, sizeof why, "%s; give the path of a PTX file", errno == EFBIG ? "larger than 256 MB" : strerror(errno));
  fclose(f);
  ptx_module_t *module = !text ? fail_alone(err, TROUBLE_INPUT, path, why) : ptx_parse(text, size, path, err);
  free(text);
  return module;
}

/* Prototypes do not count. */
uint64_t ptx_block_most(const ptx_func_t *kernel) {
  const uint32_t *n = kernel->reqntid[0] ? kernel->reqntid : kernel->maxntid;
  const uint64_t plane = (uint64_t)n[0] * n[1];
  return n[2] && plane > UINT64_MAX / n[2] ? UINT64_MAX : plane * n[2];
}

const ptx_func_t *ptx_find_kernel(const ptx_module_t *module, const char *name) {
  const ptx_func_t *found = NULL;
  for (uint32_t i = 0; i < module->num_funcs; i++) {
    const ptx_func_t *f = &module->funcs[i];
    if (!f->is_kernel || !f->defined || (name && strcmp(f->name, name) != 0)) continue;
    if (found) return NULL;
    found = f;
  }
  return found;
}
