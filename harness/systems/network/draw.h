/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of what a network did: gnuplot makes NAME.svg, NAME.png and NAME.pdf in a folder, and
 * NAME.csv holds their data. The curve also as text.
 *
 * Functions that take a trouble_t return false with it set: TROUBLE_INPUT for a folder,
 * TROUBLE_ENVIRONMENT for gnuplot or the disk.
 */
#ifndef DRAW_H
#define DRAW_H

#include <stdio.h>

#include "network_sweep.h"
#include "trouble.h"

bool draw_check(const char *folder, trouble_t *trouble); /* makes the folder and looks for gnuplot */

typedef struct draw_curve {
  const char *name; /* "base" */
  const network_sweep_t *sweep;
} draw_curve_t;

/* Mean latency (of a single curve p99, too) and accepted throughput over the offered load, with the
 * runs of the search near saturation. */
bool draw_curves(const char *folder, const char *name, const char *title, const draw_curve_t *curve, unsigned curves,
                 trouble_t *trouble);

/* Mean latency over the offered load as text. Writes nothing for fewer than two points. */
void draw_text(FILE *out, const draw_curve_t *curve, unsigned curves);

/* Congestion heat map (NUPIM paper, Fig. 5): routers, links and critical pairs.
 *
 *   NAME       colours each link by the share of cycles in which a flit could not go on it
 *   NAME-load  colours it by the share of cycles in which a flit went
 *   NAME.csv   has both
 *
 * `most` is the share at the end of NAME's scale, for pictures to be compared; 0: the largest there
 * is. */
typedef struct draw_heat {
  const char *name, *title;
  const topology_t *topology;
  const network_look_t *look;
  uint64_t cycles; /* in which its links were counted */
  double most;
} draw_heat_t;

bool draw_heat(const char *folder, const draw_heat_t *heat, trouble_t *trouble);
/* The largest share of stalled cycles of a link between routers: what `most` of 0 stands for. */
double draw_heat_most(const network_look_t *look, uint64_t cycles);

/* ---- the parts ---- */

typedef struct draw_place {
  double x, y;
} draw_place_t;

/* Where the routers are, neighbours about 1 apart: a mesh as a grid, a hypercube as nested cubes, a
 * full network as a circle, a tree around its root, any other by springs. place: [routers]. */
void draw_layout(const topology_t *t, draw_place_t *place);

/* Starts a gnuplot that reads a script; draw_close ends it. One at a time. NULL: it could not be
 * started. */
FILE *draw_open(void);
bool draw_no_gnuplot(trouble_t *trouble); /* false, and says so */

/* The kinds of pictures, which are endings of names: for (const char *const *kind = draw_kinds;
 * *kind; kind++). draw_kind: the kind of a path, NULL if it has none of these endings. */
extern const char *const draw_kinds[];
const char *draw_kind(const char *path);

/* Writes `set terminal` and `set output` for a file; the path's ending says its kind. Sizes are in
 * pixels of a screen. The file gets its name in draw_close, if it is whole. */
void draw_output(FILE *gnuplot, unsigned width, unsigned height, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Waits for gnuplot, then checks that each picture is there to its end. Pictures of a failed run
 * are removed. */
bool draw_close(FILE *gnuplot, trouble_t *trouble);

/* Colour and mark of a curve or a bar, the same in all pictures. They repeat after the eighth. */
const char *draw_colour(unsigned curve);
int draw_mark(unsigned curve); /* gnuplot's number of a filled or open mark */

/* Makes NAME.csv in a folder, whole or not at all. */
bool draw_csv(const char *folder, const char *name, void (*write)(FILE *out, const void *context), const void *context,
              trouble_t *trouble);

/* text without the characters that gnuplot's strings give a meaning to. Returns plain. */
const char *draw_plain(const char *text, char *plain, size_t size);

#endif
