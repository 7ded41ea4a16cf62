/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups are JSON objects, by block and parameters: {never, absent, still, profiles, cycles,
 * ...} and the positions of their jobs. never, absent and still begin as the first job's lists.
 * Each further job takes out what it compared, had, or changed.
 */
#include "regress_union.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_at(const json_t *root, const char *key) {
  const char *text = json_string_value(json_object_get(root, key));
  return text ? text : "";
}

/* ---- a job */

/* The word behind this option; NULL: it is not given. */
static const char *option_value(const json_t *args, const char *name) {
  size_t i;
  json_t *word;
  json_array_foreach(args, i, word) if (!strcmp(json_string_value(word), name)) return json_string_value(
      json_array_get(args, i + 1));
  return NULL;
}

/* "flit[3]". */
static json_t *element_name(const char *name, json_int_t k) {
  char text[256];
  snprintf(text, sizeof text, "%.200s[%lld]", name, (long long)k);
  return json_string(text);
}

/* Names of the outputs in this state; an output with elements gives a name for each element. */
static json_t *outputs_in_state(const json_t *compared, const char *state) {
  json_t *list = json_array(), *one, *k;
  size_t i, j;
  json_array_foreach(json_object_get(compared, "outputs"), i, one) {
    const json_t *elements = json_object_get(one, "elements");
    if (strcmp(text_at(one, "state"), state) != 0) continue;
    if (!elements) json_array_append_new(list, json_string(text_at(one, "name")));
    json_array_foreach(elements, j, k)
        json_array_append_new(list, element_name(text_at(one, "name"), json_integer_value(k)));
  }
  return list;
}

static bool list_has(const json_t *list, const char *text) {
  size_t i;
  json_t *one;
  json_array_foreach(list, i, one) if (!strcmp(json_string_value(one), text)) return true;
  return false;
}

/* A list that has "flit" also has "flit[3]". */
static bool list_names(const json_t *list, const char *text) {
  char name[256];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "["), text);
  return list_has(list, text) || list_has(list, name);
}

/* An element counts as in both when one list has it and the other has the whole output. */
static json_t *in_both(const json_t *a, const json_t *b) {
  json_t *list = json_array(), *one;
  size_t i;
  json_array_foreach(a, i, one) if (list_names(b, json_string_value(one))) json_array_append(list, one);
  json_array_foreach(b, i, one) if (!list_has(list, json_string_value(one)) && list_names(a, json_string_value(one)))
      json_array_append(list, one);
  return list;
}

/* ---- groups */

typedef struct {
  json_t *groups;
} gather_t;

static json_t *parse_text(const char *text) {
  return text ? json_loads(text, 0, NULL) : NULL;
}

/* A finished check with nothing wrong, except perhaps for what it did not compare. One of two
 * devices keeps its own verdict: no model was compared, and an X is not in these lists. */
static bool is_judged_check(const results_job_t *job, const json_t *root) {
  const char *own = text_at(root, "outcome");
  if (strcmp(job->verb, "check") || strcmp(job->state, "done") ||
      (strcmp(job->outcome, "PASS") && strcmp(job->outcome, "FAIL")))
    return false;
  return json_object_get(root, "compared") && !json_object_get(root, "against") &&
         (!strcmp(own, "PASS") || !strcmp(own, "NOT_COMPARED"));
}

static unsigned count_inputs(const json_t *root) {
  unsigned n = 0;
  size_t i;
  json_t *port;
  json_array_foreach(json_object_get(root, "ports"), i, port) n += !strcmp(text_at(port, "dir"), "in");
  return n;
}

/* wanted, full_cycles and inputs are properties of the block, so the first job's document says
 * them for all. */
static json_t *new_group(const json_t *root, const char *rtl) {
  const json_t *compared = json_object_get(root, "compared");
  return json_pack("{s:s, s:s, s:s, s:O, s:I, s:I, s:I, s:i, s:{}, s:{}, s:[], s:O}", "block", text_at(root, "block"),
                   "params", text_at(root, "params"), "rtl", rtl, "wanted", json_object_get(compared, "profiles"),
                   "full_cycles", json_integer_value(json_object_get(compared, "full_cycles")), "cycles", (json_int_t)0,
                   "compared", (json_int_t)0, "inputs", (int)count_inputs(root), "profiles", "outputs", "jobs",
                   "parameters", json_object_get(compared, "parameters"));
}

static void add_to(json_t *object, const char *key, json_int_t more) {
  json_object_set_new(object, key, json_integer(json_integer_value(json_object_get(object, key)) + more));
}

/* The order of an output's states, from the weakest to "compared". */
static int state_rank(const char *state) {
  static const char *const states[] = {"absent", "never", "off", "compared"};
  for (int i = 0; i < 4; i++)
    if (!strcmp(state, states[i])) return i;
  return 0;
}

/* Sums cycles over the jobs; the strongest state wins. */
static void add_outputs(json_t *sums, const json_t *compared) {
  size_t i;
  json_t *one;
  json_array_foreach(json_object_get(compared, "outputs"), i, one) {
    const char *name = text_at(one, "name");
    if (!json_object_get(sums, name))
      json_object_set_new(sums, name,
                          json_pack("{s:s, s:I, s:s}", "name", name, "cycles", (json_int_t)0, "state", "absent"));
    json_t *sum = json_object_get(sums, name);
    add_to(sum, "cycles", json_integer_value(json_object_get(one, "cycles")));
    if (state_rank(text_at(one, "state")) > state_rank(text_at(sum, "state")))
      json_object_set(sum, "state", json_object_get(one, "state"));
  }
}

/* Keeps those entries of the group's list that this job's list has, too. Takes the reference. */
static void keep_common(json_t *group, const char *key, json_t *list) {
  const json_t *before = json_object_get(group, key);
  json_object_set_new(group, key, before ? in_both(before, list) : json_incref(list));
  json_decref(list);
}

/* Inputs with one value in the group and in this job. A null value means that no cycle counted. */
static void keep_still(json_t *group, const json_t *list) {
  const json_t *before = json_object_get(group, "still");
  json_t *both = json_array(), *a, *b;
  size_t i, k;
  json_array_foreach(before ? before : list, i, a) json_array_foreach(list, k, b) {
    const json_t *x = json_object_get(a, "value"), *y = json_object_get(b, "value");
    if (!strcmp(text_at(a, "name"), text_at(b, "name")) && (json_is_null(x) || json_is_null(y) || json_equal(x, y)))
      json_array_append(both, json_is_null(x) ? b : a);
  }
  json_object_set_new(group, "still", both);
}

/* Cycles of vectors do not count towards the length of a default check. */
static void join_group(json_t *group, const json_t *root, unsigned position) {
  const json_t *compared = json_object_get(root, "compared");
  const char *profile = text_at(root, "profile");
  json_t *never = outputs_in_state(compared, "never"), *absent = outputs_in_state(compared, "absent");
  json_array_extend(never, absent);
  keep_common(group, "never", never);
  keep_common(group, "absent", absent);
  keep_still(group, json_object_get(compared, "constant_inputs"));
  json_object_set_new(json_object_get(group, "profiles"), profile, json_true());
  if (strcmp(profile, "vectors")) add_to(group, "cycles", json_integer_value(json_object_get(root, "cycles")));
  add_to(group, "compared", json_integer_value(json_object_get(compared, "cycles")));
  add_outputs(json_object_get(group, "outputs"), compared);
  const bool ran = json_integer_value(json_object_get(compared, "cycles")) > 0;
  json_array_append_new(json_object_get(group, "jobs"), json_pack("{s:i, s:b}", "position", (int)position, "ran", ran));
}

/* Checks with the same block, parameters and --rtl are one group. */
static bool gather_job(void *context, const results_job_t *job) {
  gather_t *g = context;
  json_t *root = parse_text(job->result), *args = parse_text(job->args);
  if (is_judged_check(job, root)) {
    const char *rtl = option_value(args, "--rtl");
    char *values = json_dumps(json_object_get(json_object_get(root, "compared"), "parameters"),
                              JSON_COMPACT | JSON_SORT_KEYS),
         *key = NULL;
    if (values && asprintf(&key, "%s %s %s", text_at(root, "block"), values, rtl ? rtl : "") >= 0) {
      if (!json_object_get(g->groups, key)) json_object_set_new(g->groups, key, new_group(root, rtl ? rtl : ""));
      join_group(json_object_get(g->groups, key), root, job->position);
    }
    free(values);
    free(key);
  }
  json_decref(root);
  json_decref(args);
  return true;
}

/* ---- verdicts */

/* Probes that none of the devices has are no failure. */
static void drop_absent(json_t *group) {
  json_t *never = json_object_get(group, "never");
  for (size_t i = json_array_size(never); i-- > 0;)
    if (list_names(json_object_get(group, "absent"), json_string_value(json_array_get(never, i))))
      json_array_remove(never, i);
}

/* Has the group all profiles, and as many cycles as a check by default? */
static bool is_full(const json_t *group) {
  const json_t *profiles = json_object_get(group, "profiles");
  const json_int_t full = json_integer_value(json_object_get(group, "full_cycles"));
  bool all = true;
  size_t i;
  json_t *wanted;
  json_array_foreach(json_object_get(group, "wanted"), i, wanted) all &=
      json_object_get(profiles, json_string_value(wanted)) != NULL;
  all |= json_object_get(profiles, "all") || json_object_get(profiles, "guided");
  return all && full && json_integer_value(json_object_get(group, "cycles")) >= full;
}

/* No input ever changed. */
static bool sends_nothing(const json_t *group) {
  const json_int_t all = json_integer_value(json_object_get(group, "inputs"));
  return all && (json_int_t)json_array_size(json_object_get(group, "still")) == all;
}

/* "check fifo: NOT_COMPARED sum, flit[3], by none of its checks". NULL: all was compared. The
 * caller frees it. */
static char *union_verdict(const json_t *group) {
  const json_t *never = json_object_get(group, "never");
  char *text = NULL, list[300] = "";
  size_t i, n = 0;
  json_t *one;
  if (!json_array_size(never) && !sends_nothing(group)) return NULL;
  json_array_foreach(never, i, one) if (n < sizeof list) n +=
      (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", json_string_value(one));
  if (!json_array_size(never)) snprintf(list, sizeof list, "no input ever changed");
  const char *block = text_at(group, "block"), *slash = strrchr(block, '/');
  return asprintf(&text, "check %s: NOT_COMPARED %s, by none of its checks", slash ? slash + 1 : block, list) < 0
             ? NULL
             : text;
}

/* Gives all checks of the group its verdict. */
static trouble_kind_t judge_group(results_t *results, int64_t run, const json_t *group) {
  char *signature = union_verdict(group);
  trouble_kind_t status = TROUBLE_NONE;
  size_t i;
  json_t *one;
  json_array_foreach(json_object_get(group, "jobs"), i, one) {
    if (!signature && !json_is_true(json_object_get(one, "ran"))) continue; /* in reset all the time */
    const results_job_t job = {.run = run,
                               .position = (unsigned)json_integer_value(json_object_get(one, "position")),
                               .outcome = signature ? "FAIL" : "PASS",
                               .exit_code = signature != NULL,
                               .signature = signature};
    if (!status) status = results_judge_job(results, &job);
  }
  free(signature);
  return status;
}

/* An output whose elements several checks compared together is compared. One that a proof
 * switches off is "off". */
static const char *state_of(const json_t *group, const json_t *output) {
  const char *state = text_at(output, "state"), *name = text_at(output, "name");
  size_t i;
  json_t *one;
  if (strcmp(state, "never") != 0) return state;
  json_array_foreach(json_object_get(group, "never"), i, one) {
    const char *text = json_string_value(one);
    if (!strncmp(text, name, strlen(name)) && (!text[strlen(name)] || text[strlen(name)] == '[')) return state;
  }
  return json_integer_value(json_object_get(output, "cycles")) ? "compared" : "off";
}

/* One entry of `compared` in docs/json.md. It shares the group's values and changes their
 * states. */
static json_t *group_json(const json_t *group) {
  json_t *outputs = json_array(), *one;
  const char *name;
  json_object_foreach(json_object_get(group, "outputs"), name, one) {
    json_object_set_new(one, "state", json_string(state_of(group, one)));
    json_array_append(outputs, one);
  }
  return json_pack("{s:O, s:O, s:i, s:O, s:O, s:b, s:o, s:O, s:O}", "block", json_object_get(group, "block"),
                   "parameters", json_object_get(group, "parameters"), "checks",
                   (int)json_array_size(json_object_get(group, "jobs")), "lockstep_cycles",
                   json_object_get(group, "cycles"), "cycles", json_object_get(group, "compared"), "full",
                   is_full(group), "outputs", outputs, "never", json_object_get(group, "never"), "constant_inputs",
                   json_object_get(group, "still"));
}

/* The verdict waits for the end of the run: a check that is still to come may compare what the
 * others did not. `off` is asked only then, and only about outputs that are left, because it
 * runs a prover. */
trouble_kind_t regress_union(results_t *results, int64_t run, bool ended, regress_off_t *off, void *context,
                             json_t **compared) {
  gather_t g = {json_object()};
  const char *key;
  json_t *group;
  trouble_kind_t status = results_jobs(results, run, gather_job, &g);
  *compared = json_array();
  json_object_foreach(g.groups, key, group) {
    json_t *never = json_object_get(group, "never");
    drop_absent(group);
    if (!status && ended && is_full(group)) {
      if (json_array_size(never))
        off(context, text_at(group, "block"), text_at(group, "params"), text_at(group, "rtl"), never);
      status = judge_group(results, run, group);
    }
    json_array_append_new(*compared, group_json(group));
  }
  json_decref(g.groups);
  return status;
}
