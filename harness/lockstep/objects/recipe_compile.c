/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles an object with one Ninja file. Ninja compiles in parallel and finds unchanged files by
 * their times (a changed copy is a new file). ccache, if installed, finds unchanged results by
 * content.
 */
#include "port_names.h"
#include "recipe.h"

#include "file.h"
#include "hash.h"
#include "plain.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths over PATH_MAX fail when they are opened */

/* Bytes of C++ that are compiled as one file. */
enum { TOGETHER = 600000, SMALL = 200000 };

const char *recipe_ccache(recipe_t *r) {
  char path[RECIPE_PATH];
  if (!surroundings_find("ccache", path)) return "";
  return recipe_text(
      r,
      "CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 CCACHE_COMPILERCHECK=content "
      "%s ",
      path);
}

/* ---- flags */

/* Flags for all of an object: hidden symbols, and the original names of files in messages. */
static const char *hidden_flags(recipe_t *r) {
  return recipe_text(
      r, "-fPIC -fvisibility=hidden -g1 -ffp-contract=off -ffile-prefix-map=src/tree=%s -ffile-prefix-map=src/at=",
      r->ask->tree);
}

/* Include folders. For C++ the folders of sources come behind the machine's. All C++ belongs to the
 * harness or a tool, and no source may hide a header of the C++ library. */
static const char *include_flags(recipe_t *r, const char *option) {
  const char *text = "-I. -Igen";
  for (size_t i = 0; i < r->c_folders.count; i++)
    text = recipe_text(r, "%s %s%s", text, option, recipe_copy(r, r->c_folders.at[i]));
  return text;
}

/* Models copy and clear structs of some hundred bytes: inline code is faster than `rep movs`. */
static const char *copy_flags(void) {
  struct utsname machine;
  if (uname(&machine) || strcmp(machine.machine, "x86_64")) return "";
  return "-mmemcpy-strategy=unrolled_loop:256:noalign,libcall:-1:noalign "
         "-mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign";
}

/* An index behind the end of a port's array would be another port: variant.c ends the call. The
 * tree's own blocks run without. */
static const char *bounds_flags(const recipe_t *r) {
  const bool checked = !recipe_in_tree(r) && !strstr(r->ask->cflags, "-fsanitize");
  return checked ? " -fsanitize=bounds-strict -fno-sanitize-recover=bounds-strict" : "";
}

static const char *c_flags(recipe_t *r) {
  return recipe_text(r, "-std=gnu11 %s -O3 %s -Wall -Wextra%s %s -include variant.h %s", hidden_flags(r), copy_flags(),
                     bounds_flags(r), r->ask->cflags, include_flags(r, "-I"));
}

static const char *cxx_flags(recipe_t *r) {
  if (!r->verilated)
    return recipe_text(r, "-std=gnu++17 %s -fno-gnu-unique -w %s", hidden_flags(r),
                       r->device_flags ? r->device_flags : "");
  return recipe_text(
      r,
      "-std=gnu++17 %s -fno-gnu-unique -faligned-new -w -fpch-preprocess %s -I%s/include -I%s/include/vltstd "
      "-DVM_COVERAGE=0 -DVM_SC=0 "
      "-DVM_TRACE=%d -DVM_TRACE_FST=%d -DVM_TRACE_VCD=0 -DVL_PRINTF=dut_printf -DVL_USER_STOP -DVL_USER_FATAL "
      "-DVL_USER_FINISH -DVL_USER_WARN",
      hidden_flags(r),
      r->covers || r->toggles ? recipe_text(r, "-I%s/harness/lockstep/dut/toggle", recipe_copy(r, r->ask->tree)) : "",
      r->verilator_root, r->verilator_root, r->waves, r->waves);
}

static const char *optimisation(const recipe_t *r) {
  if (r->waves || r->covers || r->gates || recipe_is(r, "icarus")) return "-O1"; /* vvp is what takes the time */
  /* one function is the whole block, and -O1 takes three times as long */
  return recipe_is(r, "cxxrtl") ? "-Og" : "-O3";
}

/* ---- sources */

static void add_object(recipe_t *r, const char *rule, const char *source, const char *flags) {
  const char *name = recipe_text(r, "%s.%06x.o", strrchr(source, '/') ? strrchr(source, '/') + 1 : source,
                                 (unsigned)(hash_text(HASH_EMPTY, source) & 0xffffff));
  words_add(&r->objects, "build %s: %s %s\n  flags = %s\n", name, rule, source, flags);
  words_add(&r->compiled, "%s", name);
}

static const char *harness_file(recipe_t *r, const char *name) {
  return recipe_copy(r, recipe_text(r, "%s/harness/lockstep/dut/%s", r->ask->tree, name));
}

/* How sources include the port file, and the names of the block's functions. */
static const char *stem_flags(recipe_t *r) {
  char stem[PORT_NAME];
  port_name_stem(r->ask->block, stem);
  return recipe_text(r, "-DBLOCK=%s -DBLOCK_NAME='\"%s\"' -DPORTS_FILE='\"%s\"' -DPORTS_HEADER='\"%s_ports.h\"'", stem,
                     r->ask->block, r->has_types ? "as_read.h" : recipe_copy(r, r->ask->ports), r->ask->block);
}

/* Writes where the port file is, for reports. */
static bool write_place(recipe_t *r) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  if (!to) return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "out of memory");
  fputs("#define PORTS_PLACE ", to);
  recipe_c_text(to, r->ask->ports, strlen(r->ask->ports));
  fputs("\n", to);
  fclose(to);
  const bool ok = recipe_write(r, "place.h", text);
  free(text);
  return ok;
}

static void add_c(recipe_t *r) {
  const char *stem = stem_flags(r);
  for (size_t i = 0; i < r->c_sources.count; i++) add_object(r, "cc", recipe_copy(r, r->c_sources.at[i]), "");
  add_object(r, "cc", harness_file(r, "variant.c"),
             recipe_text(
                 r, "%s -DMODEL_HEADER='\"%s.h\"' -DDUT_KIND='\"%s\"' -DHAVE_STIM=%d -DHAVE_DEVICE=%d -DHAVE_PROBES=%d",
                 stem, r->ask->block, r->ask->kind, *r->ask->stim != 0, !recipe_is(r, "model"), r->probes));
  add_object(r, "cc", harness_file(r, "images.c"), "-D_GNU_SOURCE -O1");
  if (r->device)
    add_object(
        r, "cxx", r->device,
        recipe_text(r, "%s %s -DHAVE_PROBES=%d %s", optimisation(r), stem, r->probes, include_flags(r, "-idirafter ")));
}

/* ---- Verilator's C++ */

static const char *shim_flags(recipe_t *r) {
  return recipe_text(
      r,
      "%s -DHAVE_FAULTS=%d -DHAVE_COV=%d -DHAVE_TOGGLES=%d -DHAVE_PROBES=%d -DOF_GATES=%d -DDUT_CLASS=Vdut_%s "
      "-Iverilated "
      "-DDUT_HEADER='\"Vdut_%s.h\"' "
      "-DDUT_SYMS_HEADER='\"Vdut_%s__Syms.h\"' %s",
      stem_flags(r), r->faults || r->waves, r->covers, r->toggles, r->probes, r->gates, r->ask->block, r->ask->block,
      r->ask->block, include_flags(r, "-idirafter "));
}

/* True for waveform code, which is compiled with less optimisation. In kind netlist+toggles it runs
 * in each cycle and is not slow. */
static bool is_slow(const recipe_t *r, const char *name) {
  const size_t n = strlen(name), m = strlen("__Slow.cpp");
  return (n > m && strcmp(name + n - m, "__Slow.cpp") == 0) || strstr(name, "__Syms.cpp") ||
         (strstr(name, "__Trace") && !r->toggles);
}

static size_t bytes_of(const recipe_t *r, const char *name) {
  char path[2 * RECIPE_PATH];
  struct stat info;
  snprintf(path, sizeof path, "%s%s%s", *name == '/' ? "" : r->work, *name == '/' ? "" : "/", name);
  return stat(path, &info) ? 0 : (size_t)info.st_size;
}

/* The files that this run of Verilator made. Files of earlier runs may still be there. */
static bool generated_files(recipe_t *r, words_t *files) {
  char name[2 * RECIPE_PATH];
  const char *list = recipe_text(r, "verilated/Vdut_%s__ver.d", r->ask->block);
  char *text = recipe_read(r, list), *end = text ? strstr(text, " : ") : NULL;
  words_t made = {0};
  if (!text) return false;
  if (end) *end = 0;
  words_split(&made, text, " \n\\");
  for (size_t i = 0; i < made.count; i++) {
    const char *base = strrchr(made.at[i], '/') ? strrchr(made.at[i], '/') + 1 : made.at[i];
    snprintf(name, sizeof name, "verilated/%s", base);
    if (strlen(base) > 4 && strcmp(base + strlen(base) - 4, ".cpp") == 0) words_add_new(files, name);
  }
  words_free(&made);
  free(text);
  return files->count || trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s: Verilator made no C++", list);
}

/* Joins small files of one optimisation level up to some size, because most of their compile time
 * goes into the C++ library's headers. */
static bool add_together(recipe_t *r, const words_t *files, int part_of, const char *level, const char *flags) {
  const char *text = "";
  size_t bytes = 0;
  unsigned part = 0;
  for (size_t i = 0; i < files->count; i++) {
    bytes += bytes_of(r, files->at[i]);
    text = recipe_text(r, "%s#include \"%s\"\n", text, files->at[i]);
    if (bytes <= TOGETHER && i + 1 < files->count) continue;
    const char *file = recipe_text(r, "all_%d_%u.cpp", part_of, part++);
    if (!recipe_write(r, file, text)) return false;
    add_object(r, "cxx", file, recipe_text(r, "-include %s/early%s.h %s %s", r->runtime, level, level, flags));
    text = "", bytes = 0;
  }
  return true;
}

static bool add_verilated(recipe_t *r) {
  /* one function saves every net: that of nsu did not end in 20 min of -O1 */
  const char *slow = r->gates ? "-O0" : "-O1", *flags = shim_flags(r);
  words_t generated = {0}, first = {0}, second = {0}, levels = {0};
  size_t bytes = 0;
  if (!generated_files(r, &generated)) return false;
  for (size_t i = 0; i < generated.count; i++) bytes += bytes_of(r, generated.at[i]);
  /* a small block of a user is compiled for longer than it runs: -O3 saves 0.5 s in 20 M cycles,
   * and costs 0.3 s */
  const char *fast = bytes < SMALL && !recipe_in_tree(r) ? "-O1" : optimisation(r);
  words_add(&first, "%s", harness_file(r, "verilated_shim.cpp"));
  for (size_t i = 0; i < generated.count; i++)
    words_add(bytes >= SMALL && strcmp(fast, slow) && is_slow(r, generated.at[i]) ? &second : &first, "%s",
              generated.at[i]);
  words_add(&levels, "%s", fast);
  if (second.count) words_add(&levels, "%s", slow);
  bool ok = recipe_runtime(r, &levels, cxx_flags(r));
  if (ok && r->covers) {
    add_object(r, "cc", harness_file(r, "points.c"),
               recipe_text(r, "%s -DMODEL_HEADER='\"%s.h\"'", stem_flags(r), r->ask->block));
    add_object(r, "cxx", harness_file(r, "verilated_cov.cpp"),
               recipe_text(r, "-include %s/early%s.h %s %s", r->runtime, fast, fast, flags));
  }
  ok = ok && add_together(r, &first, 0, fast, flags) && add_together(r, &second, 1, slow, flags);
  words_free(&generated), words_free(&first), words_free(&second), words_free(&levels);
  return ok;
}

/* ---- the build */

/* The linker's options. */
#define WRAP(name) " -Wl,--wrap=" #name
#define UNKNOWN(type, name, parameters, arguments) WRAP(name)
static const char wraps[] =
#include "../dut/wraps.h"
    ;

static bool has_assembly_word(const char *text) {
  for (const char *p = text; (p = strstr(p, "asm")); p += 3)
    if ((p == text || !isalnum((unsigned char)p[-1])) && !isalnum((unsigned char)p[3])) return true;
  return false;
}

/* True if a source has assembly. ccache recognises .incbin and .include in one spelling only. The
 * harness' own assembly includes nothing. */
static bool has_assembly(recipe_t *r) {
  static const char harness[] = "src/tree/harness/";
  bool found = false;
  for (size_t i = 0; i < r->snapshot.copies.count && !found; i++) {
    const char *name = r->snapshot.copies.at[i], *dot = strrchr(name, '.');
    if (strncmp(name, harness, sizeof harness - 1) == 0 ||
        (dot && (strncmp(dot, ".sv", 3) == 0 || strncmp(dot, ".v", 2) == 0)))
      continue;
    char *text = file_read(recipe_text(r, "%s/%s", r->work, name));
    found = text && has_assembly_word(text);
    free(text);
  }
  return found;
}

/* Files that assembly names lie beside the sources, and are copied once the assembler has read
 * them. */
static const char *assembly_flags(recipe_t *r) {
  const char *text = "";
  for (size_t i = 0; i < r->c_folders.count; i++)
    if (plain_path(r->c_folders.at[i])) text = recipe_text(r, "%s -Wa,-I,%s", text, r->c_folders.at[i]);
  return text;
}

/* Writes build.ninja. For C, ccache must run the preprocessor: its own list of headers would miss a
 * header that now comes first. The assembler reports files of .incbin; without -pipe it would name
 * a deleted temporary file. */
static bool write_ninja(recipe_t *r) {
  const char *cache = recipe_ccache(r);
  const bool assembly = has_assembly(r), cc_cached = *cache && !assembly;
  const bool ask = getenv("CPATH") || getenv("CPLUS_INCLUDE_PATH");
  const char *text =
      recipe_text(r,
                  "ninja_required_version = 1.5\n"
                  "rule cc\n  command = %s%sgcc %s $flags -MD -MF $out.d -pipe -Wa,--MD,$out.as%s -c $in -o $out\n"
                  "  depfile = $out.d\n"
                  "rule cxx\n  command = %s%sg++ %s $flags -MD -MF $out.d -c $in -o $out\n  depfile = $out.d\n"
                  "rule link\n  command = %s -shared -Wl,-Bsymbolic -Wl,--no-undefined%s -Wl,--version-script=%s "
                  "-Wl,--dependency-file=link.d %s -o $out $in -lz -lm -pthread\n",
                  cc_cached ? "CCACHE_NODIRECT=1 " : "", cc_cached ? cache : "", c_flags(r),
                  assembly ? assembly_flags(r) : "", ask && *cache ? "CCACHE_NODIRECT=1 " : "", cache, cxx_flags(r),
                  recipe_is(r, "model") ? "gcc" : "g++", wraps, harness_file(r, "dut.map"), r->ask->cflags);
  for (size_t i = 0; i < r->objects.count; i++) text = recipe_text(r, "%s%s", text, r->objects.at[i]);
  text = recipe_text(r, "%sbuild %s.so: link", text, r->ask->block);
  for (size_t i = 0; i < r->compiled.count; i++) text = recipe_text(r, "%s %s", text, r->compiled.at[i]);
  for (size_t i = 0; i < r->link.count; i++) text = recipe_text(r, "%s %s", text, r->link.at[i]);
  return recipe_write(r, "build.ninja", recipe_text(r, "%s\n", text));
}

/* Removes Ninja's command lines from the compiler's messages. */
static void drop_commands(char *text) {
  char *to = text;
  for (char *line = text; *line;) {
    char *end = strchrnul(line, '\n');
    const size_t n = (size_t)(end - line) + (*end != 0);
    const bool command = strncmp(line, "FAILED:", 7) == 0 || strncmp(line, "ninja:", 6) == 0 ||
                         strncmp(line, "CCACHE_", 7) == 0 || strncmp(line, "gcc -", 5) == 0 ||
                         strncmp(line, "g++ -", 5) == 0;
    if (!command) memmove(to, line, n), to += n;
    line += n;
  }
  *to = 0;
}

static bool run_ninja(recipe_t *r) {
  words_t command = {0};
  words_split(&command, "ninja -j 2 --quiet", " ");
  bool ok = recipe_run(r, &command);
  words_free(&command);
  if (ok || r->trouble->kind != TROUBLE_INPUT) return ok;
  const char *failed = strstr(r->said, "g++ -") ? "g++" : "gcc";
  drop_commands(r->said);
  /* what is wrong with a source is called one */
  if (!strstr(r->said, "rror") && !strstr(r->said, "undefined reference"))
    return trouble_set(r->trouble, TROUBLE_ENVIRONMENT, "%s failed: %s", failed,
                       *r->said ? r->said : "it said nothing");
  return recipe_bad_text(r, r->said);
}

/* Adds what the compiler read. C from ccache has no list of the assembler: such C has
 * no assembly. */
static bool add_compiled(recipe_t *r, const char *object) {
  const char *by_assembler = recipe_text(r, "%s.as", object);
  const bool c = strncmp(object + strcspn(object, "."), ".cpp.", 5) != 0;
  if (!recipe_deps(r, recipe_text(r, "%s.d", object), c ? &r->c_read : &r->cxx_read)) return false;
  if (access(recipe_text(r, "%s/%s", r->work, by_assembler), R_OK)) return true;
  words_t read = {0};
  const bool ok = recipe_deps(r, by_assembler, &read);
  for (size_t i = 0; i < read.count; i++) /* not "{standard input}" */
    if (*read.at[i] == '/' || strncmp(read.at[i], "src/", 4) == 0) words_add_new(&r->c_read, read.at[i]);
  words_free(&read);
  return ok;
}

static bool add_read(recipe_t *r) {
  r->last = recipe_is(r, "model") ? "gcc" : "g++"; /* Ninja does not report whether it compiled anything */
  bool ok = recipe_deps(r, "link.d", NULL);
  for (size_t i = 0; ok && i < r->compiled.count; i++) ok = add_compiled(r, r->compiled.at[i]);
  return ok;
}

/* Notes the programs that the compiler driver starts (cc1, as, ld). */
static bool note_compilers(recipe_t *r) {
  static const char *const names[] = {"cc1", "cc1plus", "as", "ld", "collect2"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[4 * 1024], name[64];
    words_t command = {0};
    snprintf(name, sizeof name, "-print-prog-name=%s", names[i]);
    words_add(&command, "gcc"), words_add(&command, "%s", name);
    const bool ok = recipe_ask(r, &command);
    words_free(&command);
    if (!ok) return false;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(r->said, "\n"), r->said);
    if (*path == '/') words_add_new(&r->compilers, path);
    else if (!surroundings_find(names[i], path)) continue;
    else words_add_new(&r->compilers, path);
  }
  words_add_all(&r->read, &r->compilers);
  return true;
}

/* ---- files outside of the copies, whose times Ninja must not trust; and files of the assembler,
 * which Ninja does not know */

static void note_assembled(recipe_t *r, const char *list, content_t *files) {
  const words_t kept = r->read;
  r->read = (words_t){0};
  recipe_deps(r, list, NULL);
  for (size_t i = 0; i < r->read.count; i++) {
    char sum[CONTENT_SUM];
    const char *path = *r->read.at[i] == '/' ? r->read.at[i] : recipe_text(r, "%s/%s", r->work, r->read.at[i]);
    content_note_sum(files, r->read.at[i], content_sum(path, sum) ? sum : CONTENT_NONE);
  }
  words_free(&r->read);
  r->read = kept;
}

/* One checksum of everything that the last compilation read outside of the copies; "": none. */
static const char *outside_key(recipe_t *r) {
  const words_t kept = r->read;
  content_t files = {0};
  char key[CONTENT_SUM] = "";
  bool all = r->compiled.count > 0;
  r->read = (words_t){0};
  for (size_t i = 0; all && i < r->compiled.count; i++) {
    const char *deps = recipe_text(r, "%s.d", r->compiled.at[i]);
    all = access(recipe_text(r, "%s/%s", r->work, deps), R_OK) == 0 && recipe_deps(r, deps, NULL);
    deps = recipe_text(r, "%s.as", r->compiled.at[i]);
    if (access(recipe_text(r, "%s/%s", r->work, deps), R_OK) == 0) note_assembled(r, deps, &files);
  }
  for (size_t i = 0; i < r->read.count; i++) {
    char sum[CONTENT_SUM];
    content_stamp_t stamp;
    if (*r->read.at[i] == '/')
      content_note_sum(&files, r->read.at[i], recipe_outside(r, r->read.at[i], sum, &stamp) ? sum : CONTENT_NONE);
  }
  /* a new one may go before */
  for (size_t i = 0; i < r->snapshot.copies.count; i++)
    content_note_sum(&files, r->snapshot.copies.at[i], CONTENT_NONE);
  if (all) content_key(&files, key);
  content_free(&files);
  words_free(&r->read);
  r->read = kept;
  return recipe_text(r, "%s", key);
}

static void forget_objects(recipe_t *r) {
  const char *file = recipe_text(r, "%s/outside.key", r->work), *is = outside_key(r);
  char *was = file_read(file);
  for (size_t i = 0; (r->shadowed || !was || strcmp(was, is)) && i < r->compiled.count; i++) {
    unlink(recipe_text(r, "%s/%s", r->work, r->compiled.at[i]));
    unlink(recipe_text(r, "%s/%s.as", r->work, r->compiled.at[i]));
  }
  unlink(recipe_text(r, "%s/%s.so", r->work, r->ask->block)); /* libraries, too */
  unlink(file);
  free(was);
}

bool recipe_compile(recipe_t *r) {
  const bool device = !recipe_is(r, "model");
  if (!recipe_tool(r, "ninja") || !note_compilers(r) || (device && !recipe_tool(r, "g++")) || !write_place(r) ||
      !recipe_images(r))
    return false;
  add_c(r);
  if (r->verilated && !add_verilated(r)) return false;
  if (!write_ninja(r)) return false;
  forget_objects(r);
  return run_ninja(r) && recipe_write(r, "outside.key", outside_key(r)) && add_read(r);
}
