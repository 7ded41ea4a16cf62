/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilator elaborates the module up to two times before its text is known: with an instance of
 * each interface as it is by default, which tells the interface's parameters and ports, and with
 * those connected, which tells the types of its members.
 */
#include "flat.h"

#include "file.h"
#include "flat_header.h"
#include "flat_types.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is written for a port: entries of the head, and what stands in the module. */
typedef struct {
  char *head, *body;
} part_t;

typedef struct {
  const flat_job_t *job;
  char *text;
  const char *shown; /* the file's name in `line directives and messages */
  flat_header_t header;
  flat_tree_t tree;
  words_t texts;                   /* owns texts */
  const char *connect[FLAT_PORTS]; /* "#(.W(s_W)) s [2] (.clk(clk))" behind the interface's name */
  const char *params;              /* new ones of the module: ", parameter [31:0] s_W = 8" */
  bool again;                      /* the connections say more than the last elaboration had */
  trouble_t *trouble;
} flat_t;

static bool wrong(const flat_t *f, const flat_port_t *p, const char *what, const char *name, const char *right) {
  return trouble_set(f->trouble, TROUBLE_INPUT, "%s:%u: port %s.%s of %s %s%s%s", f->shown, p->line, p->interface,
                     p->modport, p->name, what, name, right);
}

/* What the packages of a port's types are called after. */
static const char *prefix_of(flat_t *f, const flat_port_t *p) {
  char name[2 * FLAT_NAME + 16];
  snprintf(name, sizeof name, "lockstack_%.100s_%.100s", f->job->module, p->name);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '_';
  return words_add(&f->texts, "%s", name);
}

/* ---- parameters that the module gets of its interfaces */

/* "W" of "s_W" for port s, unless the module has a parameter s_W itself; NULL: none of the port's.
 * */
static const char *param_of(const flat_t *f, const flat_port_t *p, const char *name) {
  const size_t n = strlen(p->name);
  if (strncmp(name, p->name, n) || name[n] != '_' || flat_header_has_param(&f->header, f->text, name)) return NULL;
  return name + n + 1;
}

/* Each NAME=VALUE of the job's parameters, and the port that it belongs to; NULL: the module.
 * False: no more. */
static bool next_param(flat_t *f, const char **at, char name[FLAT_NAME], char value[FLAT_NAME],
                       const flat_port_t **of) {
  if (!**at) return false;
  const size_t length = strcspn(*at, ","), n = strcspn(*at, "=");
  snprintf(name, FLAT_NAME, "%.*s", (int)n, *at);
  snprintf(value, FLAT_NAME, "%.*s", n < length ? (int)(length - n - 1) : 0, *at + n + 1);
  *at += length + ((*at)[length] == ',');
  *of = NULL;
  for (const flat_port_t *p = f->header.ports; p < f->header.ports + f->header.num_ports; p++)
    if (param_of(f, p, name)) *of = p;
  return true;
}

/* The parameters without those of the interfaces. */
static const char *own_params(flat_t *f) {
  const char *list = "", *at = f->job->params;
  char name[FLAT_NAME], value[FLAT_NAME];
  const flat_port_t *of;
  while (next_param(f, &at, name, value, &of))
    if (!of) list = words_add(&f->texts, "%s%s%s=%s", list, *list ? "," : "", name, value);
  return list;
}

/* At first the interface gets the values themselves: it may have parameters without a default. */
static void connect_values(flat_t *f) {
  for (unsigned i = 0; i < f->header.num_ports; i++) {
    const flat_port_t *p = &f->header.ports[i], *of;
    const char *list = "", *at = f->job->params;
    char name[FLAT_NAME], value[FLAT_NAME];
    while (next_param(f, &at, name, value, &of))
      if (of == p) list = words_add(&f->texts, "%s%s.%s(%s)", list, *list ? ", " : "", param_of(f, p, name), value);
    f->connect[i] =
        words_add(&f->texts, "%s%s%s \\%s %s ()", *list ? "#(" : "", list, *list ? ")" : "", p->name, p->range);
  }
  f->params = "";
}

/* ---- connections by name */

static bool contains_any(const char *name, const char *const *parts) {
  for (; *parts; parts++)
    if (strcasestr(name, *parts)) return true;
  return false;
}

/* The module's port of this name; else its only clock, or its only reset, if the name is one. */
static const xml_node_t *port_like(const flat_t *f, const char *name) {
  static const char *const clocks[] = {"clk", "clock", NULL}, *const resets[] = {"rst", "reset", NULL};
  const char *const *parts = contains_any(name, clocks) ? clocks : resets;
  const xml_node_t *own = flat_var(f->tree.top, name), *found = NULL;
  if (own && xml_value(own, "dir")) return own;
  if (!contains_any(name, parts)) return NULL;
  for (const xml_node_t *var = f->tree.top->first; var; var = var->next) {
    if (!xml_is(var, "var") || !xml_value(var, "dir") || !contains_any(xml_value(var, "name"), parts)) continue;
    if (found) return NULL;
    found = var;
  }
  return found;
}

/* ".W(s_W)" for each parameter of the interface that is a whole number. */
static const char *connect_params(flat_t *f, const flat_port_t *p, const xml_node_t *interface) {
  const char *list = "";
  for (const xml_node_t *var = interface->first; var; var = var->next) {
    const char *name = xml_value(var, "name");
    const char *type = xml_is(var, "var") && xml_value(var, "param") ? flat_param_type(&f->tree, var) : NULL;
    if (!type) continue;
    const char *own = words_add(&f->texts, "%s_%s", p->name, name);
    const bool shared = flat_header_has_param(&f->header, f->text, name);
    list = words_add(&f->texts, "%s%s.%s(\\%s )", list, *list ? ", " : "", name, shared ? name : own);
    if (!shared)
      f->params = words_add(&f->texts, "%s%sparameter %s \\%s = %s", f->params, *f->params ? ", " : "", type, own,
                            xml_value(var->first, "name"));
  }
  return list;
}

/* ".clk(clk)" for each port of the interface. NULL: the module has nothing for it. */
static const char *connect_ports(flat_t *f, const flat_port_t *p, const xml_node_t *interface) {
  const char *list = "";
  for (const xml_node_t *var = interface->first; var; var = var->next) {
    if (!xml_is(var, "var") || !xml_value(var, "dir")) continue;
    const char *name = xml_value(var, "name");
    const xml_node_t *own = port_like(f, name);
    if (!own)
      return wrong(f, p, "needs what its interface has as port ", name, "; the module should have a port of that name"),
             NULL;
    list = words_add(&f->texts, "%s%s.%s(\\%s )", list, *list ? ", " : "", name, xml_value(own, "name"));
  }
  return list;
}

static bool connect_all(flat_t *f) {
  bool array;
  int left, right;
  f->again = false, f->params = "";
  for (unsigned i = 0; i < f->header.num_ports; i++) {
    const flat_port_t *p = &f->header.ports[i];
    const xml_node_t *interface = flat_interface(&f->tree, p->name, &array, &left, &right);
    if (!interface) return wrong(f, p, "is of no interface that Verilator knows", "", "");
    const char *params = connect_params(f, p, interface), *ports = connect_ports(f, p, interface);
    if (!ports) return false;
    f->again |= *params != 0;
    f->connect[i] = words_add(&f->texts, "%s%s%s \\%s %s (%s)", *params ? "#(" : "", params, *params ? ")" : "",
                              p->name, p->range, ports);
  }
  return true;
}

/* ---- members */

/* Names of all modports. */
static const char *modports_of(flat_t *f, const xml_node_t *interface) {
  const char *list = "";
  for (const xml_node_t *m = interface->first; m; m = m->next)
    if (xml_is(m, "modport")) list = words_add(&f->texts, "%s%s%s", list, *list ? ", " : "", xml_value(m, "name"));
  return list;
}

static const xml_node_t *modport_of(flat_t *f, const flat_port_t *p, const xml_node_t *interface) {
  const xml_node_t *m = interface->first;
  while (m && (!xml_is(m, "modport") || strcmp(xml_value(m, "name"), p->modport))) m = m->next;
  if (!m) wrong(f, p, "has no such modport; the interface has ", modports_of(f, interface), "");
  return m;
}

/* True if the logic of the interface writes the signal: then it comes from there, and not from
 * outside. */
static bool is_driven(const xml_node_t *interface, const char *name) {
  for (xml_node_t *node = interface->first; node; node = xml_next(interface, node))
    if (xml_is(node, "varref") && strcmp(xml_value(node, "name"), name) == 0 && xml_is_written(node)) return true;
  return false;
}

/* Every member is a signal that goes one way. */
static bool check_member(flat_t *f, const flat_port_t *p, const xml_node_t *interface, const xml_node_t *member) {
  const char *name = xml_value(member, "name"), *file;
  const unsigned line = flat_line(&f->tree, member, &file);
  const char *what = NULL;
  if (!xml_is(member, "modportvarref")) what = "is a function or a task: a modport of signals would be right";
  else if (flat_member_dir(member) == FLAT_OTHER)
    what = "is an inout or a ref: an input, an output and an enable would be right";
  else if (!flat_var(interface, name)) what = "is no variable of its interface";
  return !what || trouble_set(f->trouble, TROUBLE_INPUT, "%s:%u: %s of modport %s.%s, of which %s is a port, %s", file,
                              line, name ? name : "a member", p->interface, p->modport, p->name, what);
}

/* Writes the members of one direction as a struct, and how they are connected for instance `of`.
 * Returns the list for a concatenation, "" if there are none; NULL: trouble. */
static const char *write_members(flat_t *f, const flat_port_t *p, const xml_node_t *interface,
                                 const xml_node_t *modport, flat_dir_t dir, FILE *packages) {
  const char *list = "", *prefix = prefix_of(f, p);
  char *members = NULL;
  size_t size;
  FILE *out = open_memstream(&members, &size);
  if (!out) return trouble_memory(f->trouble), NULL;
  for (const xml_node_t *m = modport->first; m && !f->trouble->kind; m = m->next) {
    if (!check_member(f, p, interface, m) || flat_member_dir(m) != dir) continue;
    const char *name = xml_value(m, "name");
    const xml_node_t *var = flat_var(interface, name);
    if (dir == FLAT_INPUT && is_driven(interface, name)) continue;
    const char *file;
    const unsigned line = flat_line(&f->tree, var, &file);
    if (!flat_write_member(&f->tree, var, prefix, packages, out))
      trouble_set(
          f->trouble, TROUBLE_INPUT,
          "%s:%u: %s, which is in port %s of %s, is an unpacked array or no vector: a packed one would be right", file,
          line, name, p->name, f->job->module);
    list = words_add(&f->texts, "%s%s%%s.\\%s ", list, *list ? ", " : "", name);
  }
  fclose(out);
  if (*list && !f->trouble->kind)
    fprintf(packages, "`line %u \"%s\" 0\npackage %s_%s; typedef struct packed {%s} %s_%s_t; endpackage\n", p->line,
            f->shown, prefix, dir == FLAT_INPUT ? "in" : "out", members, p->name, dir == FLAT_INPUT ? "in" : "out");
  free(members);
  return f->trouble->kind ? NULL : list;
}

/* A list with the instance's name in the place of each %s. */
static void write_list(FILE *out, const char *list, const char *instance) {
  for (const char *at; (at = strstr(list, "%s")); list = at + 2)
    fprintf(out, "%.*s%s", (int)(at - list), list, instance);
  fputs(list, out);
}

/* Ports of one instance: "\s.in " and "\s.out ", without points of coverage and signals of
 * waveforms. */
static void write_one(flat_t *f, const flat_port_t *p, const char *shown, const char *instance,
                      const char *const lists[2], FILE *head, FILE *body) {
  const char *prefix = prefix_of(f, p);
  if (*lists[0]) {
    fprintf(head, "%sinput %s_in::%s_in_t \\%s.in ", ftell(head) ? ", " : "", prefix, p->name, shown);
    fprintf(body, " assign {"), write_list(body, lists[0], instance), fprintf(body, "} = \\%s.in ;", shown);
  }
  if (*lists[1]) {
    fprintf(head, "%soutput %s_out::%s_out_t \\%s.out ", ftell(head) ? ", " : "", prefix, p->name, shown);
    fprintf(body, " assign \\%s.out = {", shown), write_list(body, lists[1], instance), fprintf(body, "};");
  }
}

static bool write_port(flat_t *f, unsigned i, FILE *packages, FILE *head, FILE *body) {
  const flat_port_t *p = &f->header.ports[i];
  bool array;
  int left, right;
  const xml_node_t *interface = flat_interface(&f->tree, p->name, &array, &left, &right);
  const xml_node_t *modport = interface ? modport_of(f, p, interface) : NULL;
  if (!modport) return false;
  const char *const lists[2] = {write_members(f, p, interface, modport, FLAT_INPUT, packages),
                                f->trouble->kind ? "" : write_members(f, p, interface, modport, FLAT_OUTPUT, packages)};
  if (f->trouble->kind) return false;
  if (!*lists[0] && !*lists[1]) return wrong(f, p, "has no signals", "", "");
  const int low = left < right ? left : right, high = left < right ? right : left;
  if (!array) write_one(f, p, p->name, words_add(&f->texts, "\\%s ", p->name), lists, head, body);
  for (int k = low; array && k <= high; k++)
    write_one(f, p, words_add(&f->texts, "%s.%d", p->name, k), words_add(&f->texts, "\\%s [%d]", p->name, k), lists,
              head, body);
  return true;
}

/* ---- the text */

/* The ports of the first elaborations: one that nothing is connected to. */
static part_t without_members(flat_t *f, unsigned i) {
  part_t part = {0};
  if (asprintf(&part.head, "input \\%s.in ", f->header.ports[i].name) < 0) part.head = NULL;
  part.body = strdup("");
  return part;
}

static part_t with_members(flat_t *f, unsigned i, FILE *packages) {
  part_t part = {0};
  size_t size;
  FILE *head = open_memstream(&part.head, &size), *body = open_memstream(&part.body, &size);
  if (!head || !body) trouble_memory(f->trouble);
  else write_port(f, i, packages, head, body);
  if (head) fclose(head);
  if (body) fclose(body);
  return part;
}

/* New parameters of the module, behind its own. */
static void write_params(const flat_t *f, FILE *out, size_t *at) {
  const flat_header_t *h = &f->header;
  const size_t end = h->params_end ? h->params_end : h->name_end;
  if (!*f->params) return;
  fwrite(f->text + *at, 1, end - *at, out), *at = end;
  const size_t blank = strspn(f->text + h->params_begin, " \t\r\n");
  const bool empty = h->params_end && h->params_begin + blank >= h->params_end;
  if (h->params_end) fprintf(out, "%s%s", empty ? "" : ", ", f->params);
  else fprintf(out, " #(%s)", f->params);
}

static void write_text(const flat_t *f, const part_t *parts, FILE *out) {
  size_t at = 0;
  write_params(f, out, &at);
  for (unsigned i = 0; i < f->header.num_ports; i++) {
    const flat_port_t *p = &f->header.ports[i];
    fwrite(f->text + at, 1, p->begin - at, out), at = p->end;
    fprintf(out,
            "/*verilator coverage_off*/ /*verilator tracing_off*/ %s /*verilator tracing_on*/ "
            "/*verilator coverage_on*/",
            parts[i].head);
  }
  fwrite(f->text + at, 1, f->header.body - at, out), at = f->header.body;
  for (unsigned i = 0; i < f->header.num_ports; i++)
    fprintf(out, "\n`line %u \"%s\" 0\n%s %s;%s", f->header.ports[i].line, f->shown, f->header.ports[i].interface,
            f->connect[i], parts[i].body);
  fprintf(out, "\n`line %u \"%s\" 0\n%s", f->header.body_line, f->shown, f->text + at);
}

static bool keep(flat_t *f, const char *packages, const part_t *parts) {
  FILE *out = fopen(f->job->to, "w");
  if (out) {
    if (*packages) fprintf(out, "`line 1 \"%s\" 0\n%s", f->shown, packages);
    if (strncmp(f->text, "`line ", 6)) fprintf(out, "`line 1 \"%s\" 0\n", f->shown);
    write_text(f, parts, out);
  }
  const bool good = out && !ferror(out);
  if (out && fclose(out) == 0 && good) return true;
  return trouble_set(f->trouble, TROUBLE_ENVIRONMENT, "%s: %s", f->job->to, strerror(errno));
}

/* members: with the types that the last elaboration had. */
static bool write_file(flat_t *f, bool members) {
  part_t parts[FLAT_PORTS] = {{0}};
  char *packages = NULL;
  size_t size;
  FILE *out = open_memstream(&packages, &size);
  if (!out) return trouble_memory(f->trouble);
  for (unsigned i = 0; i < f->header.num_ports && !f->trouble->kind; i++)
    parts[i] = members ? with_members(f, i, out) : without_members(f, i);
  fclose(out);
  const bool ok = !f->trouble->kind && keep(f, packages, parts);
  for (unsigned i = 0; i < f->header.num_ports; i++) free(parts[i].head), free(parts[i].body);
  free(packages);
  return ok;
}

/* ---- the steps */

static bool elaborate(flat_t *f, const char *params) {
  flat_tree_free(&f->tree);
  return write_file(f, false) && f->job->elaborate(f->job->context, params, f->trouble) &&
         flat_tree_read(&f->tree, f->job->xml, f->trouble);
}

/* "...never given value...: 'W'" of an interface is about a parameter that the module gets: 's_W'.
 * */
static bool without_value(flat_t *f) {
  char name[FLAT_NAME], *quote = strstr(f->trouble->text, "never given value");
  if (!(quote = quote ? strchr(quote, '\'') : NULL) || sscanf(quote, "'%127[^']'", name) != 1) return false;
  if (flat_header_has_param(&f->header, f->text, name)) return false;
  for (unsigned i = 0; i < f->header.num_ports; i++) {
    const char *own = words_add(&f->texts, "%s_%s", f->header.ports[i].name, name);
    if (strstr(f->job->params, words_add(&f->texts, "%s=", own))) continue;
    const char *text = words_add(&f->texts, "%.*s'%s'%s", (int)(quote - f->trouble->text), f->trouble->text, own,
                                 quote + strlen(name) + 2);
    return trouble_set(f->trouble, f->trouble->kind, "%s", text);
  }
  return false;
}

static bool make(flat_t *f) {
  connect_values(f);
  if (!elaborate(f, own_params(f))) return without_value(f);
  if (!connect_all(f)) return false;
  if (f->again && !elaborate(f, f->job->params)) return false;
  return write_file(f, true);
}

/* A copy's first line has the name that tools accept. */
static const char *shown_name(flat_t *f) {
  char name[4096];
  return sscanf(f->text, "`line 1 \"%4095[^\"]\"", name) == 1 ? words_add(&f->texts, "%s", name) : f->job->shown;
}

flat_answer_t flat_make(const flat_job_t *job, trouble_t *trouble) {
  flat_t f = {.job = job, .trouble = trouble, .text = file_read(job->file)};
  *trouble = (trouble_t){0};
  if (!f.text) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", job->file, strerror(errno)), FLAT_FAILED;
  flat_answer_t answer = FLAT_FAILED;
  f.shown = shown_name(&f);
  if (flat_header_read(&f.header, f.text, job->module, f.shown, trouble))
    answer = !f.header.num_ports ? FLAT_NONE : make(&f) ? FLAT_MADE : FLAT_FAILED;
  flat_tree_free(&f.tree);
  words_free(&f.texts);
  free(f.text);
  return answer;
}

bool flat_wanted(const char *file, const char *module) {
  flat_header_t header;
  trouble_t trouble = {0};
  char *text = file_read(file);
  const bool wanted = text && (!flat_header_read(&header, text, module, file, &trouble) || header.num_ports);
  free(text);
  return wanted;
}
