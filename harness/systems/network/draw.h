/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of what a network did, as SVG and PNG by gnuplot: NAME.svg and NAME.png in a folder; and
 * the curve as text.
 */
#ifndef DRAW_H
#define DRAW_H

#include <stdio.h>

#include "network_sweep.h"
#include "trouble.h"

bool draw_check(const char *folder, trouble_t *trouble); /* makes the folder; is gnuplot there? */

typedef struct draw_curve {
  const char *name; /* "base" */
  const network_sweep_t *sweep;
} draw_curve_t;

/* Mean latency (and p99 of a single curve) and accepted throughput over the
 * offered load, with the runs of the search near saturation; NAME.csv, too. */
bool draw_curves(const char *folder, const char *name, const char *title, const draw_curve_t *curve, unsigned curves,
                 trouble_t *trouble);

/* Mean latency over the offered load, in columns of text. Nothing with fewer than two points. */
void draw_text(FILE *out, const draw_curve_t *curve, unsigned curves);

/* Congestion heat map (NUPIM paper, Fig. 5): routers, every link by the share of cycles in which a
 * flit on it could not go, critical pairs; as NAME-load the same by the share of cycles in which
 * one went; NAME.csv has both of each link. `most`: the share at the end of the first one's scale,
 * for pictures that are compared; 0: the largest there is. */
typedef struct draw_heat {
  const char *name, *title;
  const topology_t *topology;
  const network_look_t *look;
  uint64_t cycles; /* in which its links were counted */
  double most;
} draw_heat_t;

bool draw_heat(const char *folder, const draw_heat_t *heat, trouble_t *trouble);
double draw_heat_most(const network_look_t *look, uint64_t cycles);

/* ---- the parts ---- */

typedef struct draw_place {
  double x, y;
} draw_place_t;

/* Where the routers are, neighbours about 1 apart: meshes as a grid, hypercubes as nested cubes,
 * full ones as a circle, trees around their root, others by springs. */
void draw_layout(const topology_t *t, draw_place_t *place);

/* A gnuplot that reads a script. NULL: it could not be started. */
FILE *draw_open(void);
bool draw_no_gnuplot(trouble_t *trouble); /* false, and says so */

/* What pictures are made as: for (const char *const *kind = draw_kinds;
 * *kind; kind++). A name's is what it ends in; NULL: none of them. */
extern const char *const draw_kinds[];
const char *draw_kind(const char *path);

/* `set terminal` and `set output` of a file, which has its kind's ending, that
 * draw_close finds whole or takes away. Sizes are in pixels of a screen. */
void draw_output(FILE *gnuplot, unsigned width, unsigned height, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool draw_close(FILE *gnuplot, trouble_t *trouble);

/* A curve's or a bar's own, the same in all pictures; they begin again after the eighth. */
const char *draw_colour(unsigned curve);
int draw_mark(unsigned curve); /* gnuplot's number of a filled or open mark */

/* NAME.csv in a folder, whole or not at all. */
bool draw_csv(const char *folder, const char *name, void (*write)(FILE *out, const void *context), const void *context,
              trouble_t *trouble);

/* For titles and keys: gnuplot's marks taken out. */
const char *draw_plain(const char *text, char *plain, size_t size);

#endif
