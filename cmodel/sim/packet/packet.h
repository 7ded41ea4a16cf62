/* SPDX-License-Identifier: Apache-2.0
 *
 * A packet of the full systems, and its size on a link.
 *
 *   envelope   src, dst, units, class     links, networks and logic layers read only this
 *   header     hdr (nsu_packet.def)       the protocol of NSUs, or of the GPU's own parts
 *   payload    data[k], line k            a 32-bit word for each of 32 threads, or 128 bytes
 *
 * Threads' words are the payload of RDF_RESP, WRITE, CMD and OFLD_ACK; a cache line is the payload
 * of fills and READ_RESP. Only an NSU's port packs the header for wires, where a node has 4 bits.
 * PACKET_OWN packets belong to another protocol: the envelope has class and bytes, and only sender
 * and receiver look inside.
 *
 * Packets come from a pool and are passed by pointer. The last holder owns a packet and frees it.
 */
#ifndef PACKET_H
#define PACKET_H

#include <stdbool.h>

#include "nsu_packet.h"

/* Nodes: stacks are 0 to PACKET_MAX_STACKS - 1, the GPU is PKT_GPU. PACKET_OWN is a type. */
enum { PKT_GPU = 0xffff, PACKET_MAX_STACKS = 256, PACKET_OWN = 0 };

/* Types between an SM and an L2 slice only, behind those of nsu_packet.def:
 *   PACKET_ATOM       addr, mask, offs; seq: the operation (ptx_mod_t); count: the type
 *                     (ptx_type_t); tag: the access; data[0], data[1]: operand b (low, high word);
 *                     data[2], data[3]: operand c of cas
 *   PACKET_ATOM_RESP  the same packet back; data[0], data[1]: the old value
 *   PACKET_FORGET     the line at addr has changed in memory: the L2 drops it */
enum { PACKET_ATOM = 16, PACKET_ATOM_RESP = 17, PACKET_FORGET = 18, PACKET_TYPES };

/* What an RDF_RESP of the GPU does with the NSU's read-only lines (ni_lines.h). All but plain ones
 * carry the threads' offsets in their line. */
typedef enum {
  PACKET_PLAIN,
  PACKET_MAY_KEEP, /* inside the GPU: not decided yet */
  PACKET_KEEPS,    /* with data, which the NSU keeps */
  PACKET_NAMES,    /* without data: the NSU has them */
} packet_kept_t;

typedef struct packet {
  uint16_t src, dst; /* nodes */
  /* near-data units in the stacks src, dst and hdr.target; 0 if a stack has none */
  uint8_t src_unit, dst_unit, target_unit;
  uint8_t cls;    /* PACKET_OWN: message class */
  uint16_t bytes; /* PACKET_OWN: size on a link */
  /* RDF_RESP: packet_kept_t; number of the NSU's read-only line, unless plain */
  uint8_t kept, line;
  bool divergent;      /* its instruction accesses several lines; also set in the answer */
  bool quiet;          /* WRITE: the writer tells the GPU itself, so the stack sends no INVAL */
  bool anywhere;       /* READ, WRITE: the stack serves a line of any stack (an ideal machine) */
  pkt_hdr_t hdr;       /* its src and dst count only inside the GPU and on an NSU's wires */
  struct packet *next; /* the holder's, for queues */
  uint64_t born;       /* cycle of the maker's clock */
  uint32_t tag;        /* the maker's of a READ; the READ_RESP has the same one */
  uint32_t data[PKT_MAX_CMD_REGS][PKT_WARP_WIDTH];
} packet_t;

typedef struct packet_pool packet_pool_t;
packet_pool_t *packet_pool_new(void);       /* NULL: out of host memory */
void packet_pool_free(packet_pool_t *pool); /* also frees packets that nobody has returned */
/* Envelope and header are 0 but for hdr.type; the payload is undefined. NULL: no host memory. */
packet_t *packet_new(packet_pool_t *pool, unsigned type);
void packet_free(packet_pool_t *pool, packet_t *packet);
uint64_t packet_pool_live(const packet_pool_t *pool); /* packets that are not returned */

/* Bytes on a link. The header is a flit of 16 bytes; in Fig. 4 of the NSU paper the fields up to
 * the target NSU take 14. Each type adds:
 *
 *   CMD                      5 (constant base), and 4 a register and active thread
 *   RDF, WTA                 mask, offsets
 *   RDF_RESP                 mask; offsets unless plain; data unless it names a line
 *   WRITE                    offsets, data
 *   OFLD_ACK                 4 a register and active thread
 *   READ_RESP, IFILL, CFILL  128
 *   ATOM, ATOM_RESP          12 an active thread: offset, operands or old value, rounded up
 *   PACKET_OWN               `bytes` is the whole size
 *
 *   mask      4 bytes, if the instruction's mask differs from the packet's
 *   offsets   7 bits an active thread, if the access is not aligned
 *   data      the access's size an active thread
 *
 * What an RDF_RESP does with a read-only line takes a free byte of the header flit. */
enum { PACKET_FLIT_BYTES = 16 };
unsigned packet_bytes(const packet_t *packet);
const char *packet_type_name(unsigned type);   /* "READ"; "OWN" for PACKET_OWN, "?" for an unknown type */
int packet_class(const packet_t *packet);      /* 0: request, 1: response, -1: unknown type */
unsigned packet_flits(const packet_t *packet); /* bytes in whole flits, which links carry */
void packet_make_plain(packet_t *response);    /* an RDF_RESP with its data: the form that NSUs expect */
unsigned packet_lines(const packet_t *packet); /* beats at an NSU's port: 1, or the count of a CMD or OFLD_ACK */

#endif
