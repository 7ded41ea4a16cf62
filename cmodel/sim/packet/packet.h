/* SPDX-License-Identifier: Apache-2.0
 *
 * A packet in the full systems: an envelope, which is all that links, networks and logic layers
 * look at to bring it where it goes, around a protocol's own header and payload; and how many bytes
 * it is on a link.
 *
 * The header is the one that NSUs understand (nsu_packet.def); an NSU's port alone packs it for
 * wires, where a node has four bits. Packets of type PACKET_OWN are of another protocol: their
 * envelope says class and bytes, and nobody looks into them but who sends and who receives. data[k]
 * is payload line k, one 32-bit word per thread (RDF responses, writes, command and acknowledgement
 * registers) or 128 bytes of a cache line (fills, read responses). Packets come from a pool, are
 * passed by pointer and owned by whoever holds them last.
 */
#ifndef PACKET_H
#define PACKET_H

#include <stdbool.h>

#include "nsu_packet.h"

/* PKT_GPU: src and dst of the GPU; stacks are 0..255 */
enum { PKT_GPU = 0xffff, PACKET_MAX_STACKS = 256, PACKET_OWN = 0 };

/* Of an SM and a slice of the L2 alone, behind the types of nsu_packet.def:
 *   PACKET_ATOM       addr, mask, offs; seq the operation (ptx_mod_t), count the type (ptx_type_t),
 *                     tag the access; data[0], data[1] operand b (low, high word), data[2], data[3]
 *                     operand c of cas
 *   PACKET_ATOM_RESP  back: data[0], data[1] the old value
 *   PACKET_FORGET     the line at addr is not as in memory any more */
enum { PACKET_ATOM = 16, PACKET_ATOM_RESP = 17, PACKET_FORGET = 18, PACKET_TYPES };

/* Of an RDF_RESP of the GPU's: what it does with the NSU's read-only lines
 * (ni_lines.h). All but the first have the threads' offsets in their line. */
typedef enum {
  PACKET_PLAIN,
  PACKET_MAY_KEEP, /* inside of the GPU: it has not been decided */
  PACKET_KEEPS,    /* the NSU's end keeps its words */
  PACKET_NAMES,    /* has no data: the NSU's end has them */
} packet_kept_t;

typedef struct packet {
  uint16_t src, dst; /* nodes: stacks, or PKT_GPU */
  /* which of a stack's near-data parts src, dst and hdr.target mean; 0 where there is none */
  uint8_t src_unit, dst_unit, target_unit;
  uint8_t cls;    /* PACKET_OWN: message class */
  uint16_t bytes; /* PACKET_OWN: on a link */
  /* RDF_RESP: packet_kept_t; unless plain, which of the NSU's read-only lines */
  uint8_t kept, line;
  bool divergent; /* one of several accesses of its instruction, or an answer to one */
  bool quiet;     /* WRITE: who writes tells the GPU itself, there is no INVAL */
  /* READ, WRITE: its line counts as one of the stack that it goes to, in an ideal machine */
  bool anywhere;
  pkt_hdr_t hdr;       /* whose src and dst count on an NSU's wires and in the GPU alone */
  struct packet *next; /* free for the holder: queues */
  uint64_t born;       /* tick of creation, for latencies */
  uint32_t tag;        /* free for whoever made a READ: comes back with the READ_RESP */
  uint32_t data[PKT_MAX_CMD_REGS][PKT_WARP_WIDTH];
} packet_t;

typedef struct packet_pool packet_pool_t;
packet_pool_t *packet_pool_new(void);
void packet_pool_free(packet_pool_t *pool);               /* with all its packets, returned or not */
packet_t *packet_new(packet_pool_t *pool, unsigned type); /* header zeroed but for type; NULL: out of memory */
void packet_free(packet_pool_t *pool, packet_t *packet);
uint64_t packet_pool_live(const packet_pool_t *pool); /* packets taken and not returned */

/* Bytes on a link: a 16-byte header flit (Fig. 4's fields up to the target NSU id take 14 bytes)
 * and what the type adds:
 *   CMD        5 (constant base) + 4 a register and active thread
 *   RDF, WTA   4 if the instruction's mask differs from the packet's; 7 bits an active thread if
 *              misaligned
 *   RDF_RESP   as RDF but offsets, + size an active thread (only words asked for travel); unless it
 *              is plain, as RDF, and without data if it names words. Which line and what is done
 *              with it are a byte of the header flit that is free
 *   WRITE      7 bits an active thread if misaligned, + size an active thread; lmask not carried
 *   OFLD_ACK   4 a register and active thread
 *   READ_RESP, IFILL, CFILL  128
 *   ATOM, ATOM_RESP  12 an active thread: offset, operands or old value, rounded up
 * Links carry whole flits: packet_flits rounds up. */
enum { PACKET_FLIT_BYTES = 16 };
unsigned packet_bytes(const packet_t *packet);
const char *packet_type_name(unsigned type); /* "READ"; "OWN" for PACKET_OWN, "?" for an unknown type */
int packet_class(const packet_t *packet);    /* 0 request, 1 response, -1 unknown type */
unsigned packet_flits(const packet_t *packet);
void packet_make_plain(packet_t *response);    /* an RDF_RESP: as NSUs get them, its data are there */
unsigned packet_lines(const packet_t *packet); /* beats: 1, or count for CMD and OFLD_ACK when it is more */

#endif
