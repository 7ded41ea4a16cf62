/* SPDX-License-Identifier: Apache-2.0
 *
 * Read-only lines at NSUs, as the GPU tracks them (NSU side: memory/ni_lines.h). NSU paper, section
 * 6: BPROP "can benefit from adding a small read-only cache to each NSU". The mechanism is ours.
 * The GPU alone decides what enters and leaves the lines.
 *
 * Look-up. When a cache's answer to an RDF leaves over the link of the NSU's stack, the GPU looks
 * up its line among the lines of that NSU. If all words are present, the answer goes without data
 * and names the line. Otherwise the answer carries data, and the NSU keeps them: in the same line,
 * or in place of the least recently used one. Links and ports keep the order of responses. The NSU
 * therefore has, at each answer, the state that the GPU assumed. Only answers of 4-byte words
 * count, and only if they are a flit shorter without data. RDFs that miss are not looked up: a
 * vault answers them.
 *
 * Coherence. A line may stay as long as nothing in its 4 KB page has been written since the launch.
 * Writers are SMs (stores, atomics), blocks at NSUs (stores), and the host. An SM knows all lines
 * of a store when it issues, before any cache or memory changes. Each write marks the page for the
 * whole die at once, like a bit in the page table. A mark drops all lines of the page at all NSUs,
 * and none is kept until the next launch. A launch clears all marks and lines.
 *
 * Why the data are right:
 * - While a page has no mark, all copies of its lines (L1, L2, packets, NSUs, memory) are equal.
 *   They have the values of the launch, or what has come from the host since. At the launch the L1s
 *   are empty, and the L2 has what memory has.
 * - A line is named only while its page has no mark. Then the NSU's words and the packet's words,
 *   which a cache supplied before, are equal.
 * - A packet under way when its page is marked is harmless. A packet that names a line stands for
 *   its own data, and precedes anything that could replace the line. A packet with data is kept
 *   only when it leaves, and then finds the mark.
 * - Data that move after learning move before any NSU has a block.
 * - The GPU learns of writes of stacks' SMs only when a block ends. Machines with such SMs have no
 *   read-only lines.
 */
#ifndef READ_ONLY_H
#define READ_ONLY_H

#include "gpu_config.h"
#include "gpu_stats.h"

typedef struct read_only read_only_t;

read_only_t *read_only_new(const gpu_config_t *config, gpu_stats_t *stats); /* NULL: out of host memory */
void read_only_free(read_only_t *r);
void read_only_launch(read_only_t *r); /* clears marks and lines */

/* Marks pages, before the data change: of a physical address; of the lines that an SM writes. */
void read_only_write(read_only_t *r, uint64_t paddr);
void read_only_store(read_only_t *r, const uint64_t *line, unsigned count);

/* Turns an RDF into its response with data of its line. r NULL: a plain response. */
void read_only_answer(const read_only_t *r, packet_t *rdf, const uint32_t *words);
/* At the link, for an answer that may be kept. Returns by how many bytes the packet grew
 * (negative: shrank). */
int read_only_leave(read_only_t *r, packet_t *answer);

#endif
