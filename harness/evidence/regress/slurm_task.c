/* SPDX-License-Identifier: Apache-2.0
 *
 * The side of a task, on its node. It needs only the array's file and the program.
 */
#include "clock.h"
#include "slurm.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* A text that is not UTF-8 gets '?' for its bytes above 127. */
static json_t *text_or_null(const char *text) {
  json_t *value = text ? json_string(text) : NULL; /* NULL too for invalid UTF-8 */
  if (value || !text) return value ? value : json_null();
  char *plain = strdup(text);
  for (char *p = plain; p && *p; p++)
    if ((unsigned char)*p >= 0x80) *p = '?';
  value = plain ? json_string(plain) : json_null();
  free(plain);
  return value;
}

static json_t *result_json(const results_job_t *r) {
  return json_pack("{s:s, s:i, s:s, s:s, s:f, s:f, s:I, s:o, s:o, s:o, s:s}", "outcome", r->outcome, "exit_code",
                   r->exit_code, "started", r->started, "ended", r->ended, "seconds", r->seconds, "cpu_seconds",
                   r->cpu_seconds, "peak_rss_bytes", (json_int_t)r->peak_rss_bytes, "signature",
                   text_or_null(r->signature), "output", text_or_null(r->output), "result", text_or_null(r->result),
                   "node", r->node);
}

/* Writes under a name of its own and links it to path. link fails where the name exists, so the
 * first result stays. */
static bool publish(const json_t *root, const char *path) {
  char part[4300];
  snprintf(part, sizeof part, "%.4200s.%ld-%s", path, (long)getpid(),
           getenv("SLURMD_NODENAME") ? getenv("SLURMD_NODENAME") : "");
  FILE *file = root ? fopen(part, "w") : NULL;
  if (!file) return false;
  bool ok = json_dumpf(root, file, JSON_COMPACT) == 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
  ok = fclose(file) == 0 && ok;
  ok = ok && (link(part, path) == 0 || errno == EEXIST);
  int error = errno;
  unlink(part);
  errno = error;
  return ok;
}

/* The job's texts are those of `from`. */
static bool load_job(plan_job_t *job, const json_t *from) {
  const char *key = json_string_value(json_object_get(from, "key")),
             *verb = json_string_value(json_object_get(from, "verb")),
             *subject = json_string_value(json_object_get(from, "subject"));
  if (!key || !verb || !subject) return false;
  *job = (plan_job_t){.position = (unsigned)json_integer_value(json_object_get(from, "position")),
                      .key = (char *)key,
                      .verb = (char *)verb,
                      .subject = (char *)subject,
                      .args = json_object_get(from, "args"),
                      .limit = json_number_value(json_object_get(from, "limit"))};
  return true;
}

/* False: interrupted, so there is no result. */
static bool run_job(const plan_job_t *job, const task_place_t *place, bool (*interrupted)(void),
                    results_job_t *result) {
  task_t task;
  if (!task_start(&task, place, job)) {
    task_not_started(job, errno, result);
    return true;
  }
  while (!task_ended(&task, result)) {
    if (interrupted()) {
      task_stop(&task);
      return false;
    }
    clock_pause(20);
  }
  /* the step's processes are told to stop one after the other, this one perhaps last */
  if (!task_cut_short(result)) return true;
  task_free_result(result);
  return false;
}

static bool write_result(const results_job_t *result, const char *path, trouble_t *trouble) {
  json_t *root = result_json(result);
  const bool written = publish(root, path);
  if (!written) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
  json_decref(root);
  return written;
}

/* A result that exists already is good: Slurm ran the task a second time. Its job does not run
 * again. */
bool slurm_task(const char *folder, unsigned array, unsigned index, const char *program, bool (*interrupted)(void),
                trouble_t *trouble) {
  char path[4200], tag[4200];
  plan_job_t job;
  results_job_t result;
  prctl(PR_SET_PDEATHSIG, SIGTERM); /* no job outlives its node's daemon */
  snprintf(path, sizeof path, "%.4000s/slurm/submit-%u.json", folder, array);
  json_t *jobs = json_load_file(path, 0, NULL);
  if (!load_job(&job, json_array_get(jobs, index))) {
    json_decref(jobs);
    return trouble_set(trouble, TROUBLE_INPUT, "%s: no job %u in it", path, index);
  }
  snprintf(path, sizeof path, "%.4000s/slurm/result-%u.json", folder, job.position);
  snprintf(tag, sizeof tag, "slurm:%.4000s", folder);
  const task_place_t place = {program, folder, tag};
  bool good = access(path, F_OK) == 0;
  if (!good && run_job(&job, &place, interrupted, &result)) {
    good = write_result(&result, path, trouble);
    task_free_result(&result);
  } else if (!good) trouble_set(trouble, TROUBLE_ENVIRONMENT, "interrupted: %s", job.key);
  json_decref(jobs);
  return good;
}
