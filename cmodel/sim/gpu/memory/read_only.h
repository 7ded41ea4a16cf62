/* SPDX-License-Identifier: Apache-2.0
 *
 * What NSUs have in their read-only lines (memory/ni_lines.h), kept by the GPU, which alone says
 * what goes into them and comes out. NSU paper, section 6: BPROP "can benefit from adding a small
 * read-only cache to each NSU"; how it works is ours.
 *
 * Where an answer of the L1s or of the L2 to an RDF leaves over the link of the NSU's stack, its
 * line is looked up among those that this NSU has, with the words of each. All of its words are
 * there: it goes without data, and names the line. Else it goes with data that the NSU keeps: in
 * the line that it has words of, or in the one used least recently. Links and ports keep the order
 * of responses, so the NSU's end has at each what the GPU had decided before it. Only words of four
 * bytes, and of these only answers that are shorter by a flit without data. RDFs that the caches
 * have not are not looked up: their answers come from a vault.
 *
 * Coherence. A line may be there as long as nothing in its page (4 KB of a stack) has been written
 * since the launch began. Who writes: stores and atomics of SMs and stores of blocks at NSUs, all
 * of whose lines an SM knows at issue, before any cache or memory has what they write; and the
 * host. Each marks its page then, on all the die at once, as the bit of a page table that says so
 * would (translations are at hand everywhere, too): all NSUs' lines of that page are given up, and
 * none is kept until the next launch. At a launch all marks and lines are cleared.
 *
 * So as long as a page has no mark each copy of its lines (L1s, L2, packets, NSUs' lines, memory)
 * is what memory had when the launch began, or the page came from the host: L1s are empty then, and
 * the L2 has what memory has. A line is named only while its page has no mark, and then what the
 * NSU has kept of it and what the packet had, which a cache gave it before, are the same. Packets
 * under way when a page is marked do not matter: one that names a line stands for what it had
 * itself, and comes before all that could take the line's place; one that has data still, and is
 * kept only where it leaves, finds the mark there. What is moved when it has been learnt where data
 * should be is moved before any NSU has a block. What SMs of stacks write the GPU hears of when a
 * block ends, so where they get blocks there are no read-only lines.
 */
#ifndef READ_ONLY_H
#define READ_ONLY_H

#include "gpu_config.h"
#include "gpu_stats.h"

typedef struct read_only read_only_t;

read_only_t *read_only_new(const gpu_config_t *config, gpu_stats_t *stats); /* NULL: out of host memory */
void read_only_free(read_only_t *r);
void read_only_launch(read_only_t *r);

/* Before anything is written there: at this physical address; in these lines, by an SM. */
void read_only_write(read_only_t *r, uint64_t paddr);
void read_only_store(read_only_t *r, const uint64_t *line, unsigned count);

/* An RDF becomes the answer with data of its line. NULL: a plain one. */
void read_only_answer(const read_only_t *r, packet_t *rdf, const uint32_t *words);
int read_only_leave(read_only_t *r, packet_t *answer); /* one that may be kept; by how many bytes it is longer now */

#endif
