/* SPDX-License-Identifier: Apache-2.0
 *
 * Table 1 of the NSU paper beside our compiler: for each workload of the table the sizes of its
 * offload blocks.
 */
#include "offload_count.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "published.h"
#include "workload.h"

enum { MAX_BLOCKS = 64 };

/* A workload of Table 1: the paper's sizes, and ours, in instructions. */
typedef struct {
  const published_t *paper;
  const workload_t *workload;
  uint32_t paper_count[MAX_BLOCKS], count[MAX_BLOCKS];
  unsigned paper_blocks, blocks;
  bool same; /* the same sizes, in whatever order */
  uint32_t sent, returned;
} row_t;

static int by_size(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Are the sizes the same, in whatever order? Sorts copies. */
static void compare_block_sizes(row_t *r) {
  uint32_t ours[MAX_BLOCKS], theirs[MAX_BLOCKS];
  memcpy(ours, r->count, sizeof ours);
  memcpy(theirs, r->paper_count, sizeof theirs);
  qsort(ours, r->blocks, sizeof *ours, by_size);
  qsort(theirs, r->paper_blocks, sizeof *theirs, by_size);
  r->same = r->blocks == r->paper_blocks && memcmp(ours, theirs, r->blocks * sizeof *ours) == 0;
}

/* Reads the paper's list of sizes, such as "1 1 16". */
static void read_paper(row_t *r) {
  for (const char *at = r->paper->value; *at && r->paper_blocks < MAX_BLOCKS;) {
    char *end;
    r->paper_count[r->paper_blocks++] = (uint32_t)strtoul(at, &end, 10);
    at = end;
  }
}

/* Our sizes stand in the order of the code; * marks a single indirect load. */
static void print_table1_row(FILE *out, const row_t *r, const offload_t *offload) {
  char here[256] = "";
  size_t n = 0;
  for (uint32_t k = 0; k < offload->num_kernels; k++)
    for (uint32_t b = 0; b < offload->kernels[k].num_blocks && n < sizeof here; b++)
      n += (size_t)snprintf(here + n, sizeof here - n, "%s%u%s", n ? " " : "", offload->kernels[k].blocks[b].count,
                            offload->kernels[k].blocks[b].indirect ? "*" : "");
  fprintf(out, "  %-8s %-10s %-12s %-9s %4u %9u\n", r->paper->workload, r->paper->value, n ? here : "-",
          r->same ? "the same" : "differs", r->sent, r->returned);
}

/* The paper's block sizes and ours, in instructions. `same` says whether they agree. */
static json_t *json_row(const row_t *r, const offload_t *offload) {
  json_t *paper = json_array(), *blocks = json_array();
  for (unsigned i = 0; i < r->paper_blocks; i++) json_array_append_new(paper, json_integer(r->paper_count[i]));
  for (uint32_t k = 0; k < offload->num_kernels; k++) {
    for (uint32_t i = 0; i < offload->kernels[k].num_blocks; i++) {
      const offload_block_t *b = &offload->kernels[k].blocks[i];
      json_array_append_new(blocks, json_pack("{s:s, s:i, s:b, s:i, s:i}", "kernel", offload->kernels[k].func->name,
                                              "count", (int)b->count, "indirect", (int)b->indirect, "sent",
                                              (int)b->num_sent, "returned", (int)b->num_returned));
    }
  }
  return json_pack("{s:s, s:s, s:o, s:o, s:b}", "workload", r->workload->name, "figure", r->paper->id, "paper", paper,
                   "blocks", blocks, "same", (int)r->same);
}

/* Compiles a workload, compares, prints a row and adds its JSON. False: out of memory. */
static bool do_row(cli_t *cli, row_t *r, json_t *rows) {
  ptx_error_t err;
  ptx_module_t *m =
      ptx_parse(r->workload->ptx, (size_t)(r->workload->ptx_end - r->workload->ptx), r->workload->ptx_file, &err);
  offload_t *offload = m ? offload_compile(m) : NULL;
  if (offload) {
    for (uint32_t k = 0; k < offload->num_kernels; k++) {
      for (uint32_t i = 0; i < offload->kernels[k].num_blocks && r->blocks < MAX_BLOCKS; i++) {
        r->count[r->blocks++] = offload->kernels[k].blocks[i].count;
        r->sent += offload->kernels[k].blocks[i].num_sent;
        r->returned += offload->kernels[k].blocks[i].num_returned;
      }
    }
    read_paper(r);
    compare_block_sizes(r);
    print_table1_row(cli->out, r, offload);
    json_array_append_new(rows, json_row(r, offload));
  }
  offload_free(offload);
  ptx_free(m);
  return offload != NULL;
}

/* The paper writes workloads in capitals. */
static const workload_t *workload_of(const char *name) {
  for (unsigned i = 0; workloads[i]; i++)
    if (strcasecmp(workloads[i]->name, name) == 0) return workloads[i];
  return NULL;
}

int offload_count(cli_t *cli) {
  json_t *rows = json_array(), *root = cli_json("offload", 1);
  unsigned same = 0, of = 0;
  fprintf(
      cli->out,
      "instructions of offload blocks for the NSU (NSU paper, Table 1), and registers that ours send and return, all "
      "blocks together\n"
      "  %-8s %-10s %-12s %-9s %4s %9s\n",
      "workload", "paper", "here", "", "sent", "returned");
  for (unsigned i = 0; i < published_count; i++) {
    row_t r = {.paper = &published[i]};
    if (strcmp(r.paper->system, "nsu") || strcmp(r.paper->section, "Table 1") ||
        !(r.workload = workload_of(r.paper->workload)))
      continue;
    if (!do_row(cli, &r, rows)) {
      json_decref(rows);
      json_decref(root);
      return cli_error(EXIT_ENV, "out of memory");
    }
    same += r.same;
    of++;
  }
  fprintf(cli->out,
          "%u of %u workloads have the paper's blocks. *: a single indirect load. Why the others differ is in "
          "firmware/compilers/offload/README.md.\n",
          same, of);
  json_object_set_new(root, "rule", json_string("nsu"));
  json_object_set_new(root, "table1", rows);
  return cli_finish(cli, root, EXIT_HELD);
}
