/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts copies into requests of about PIECE bytes.
 *
 *   rows that follow each other at both ends   join_rows: one long row
 *   rows of PIECE bytes or more                copy_in_pieces: a row in pieces
 *   shorter rows                               copy_in_packs: packed, many rows a request
 */
#include "copy.h"

#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"
#include "heap.h"

enum { PIECE = 4 << 20 /* bytes of one request */ };

/* At least one. */
static uint64_t rows_per_request(uint64_t width, uint64_t rows) {
  const uint64_t fit = width < PIECE ? PIECE / width : 1;
  return fit < rows ? fit : rows;
}

/* Rows that follow each other at both ends become one. */
static void join_rows(uint64_t to_pitch, uint64_t from_pitch, uint64_t *width, uint64_t *rows) {
  if (to_pitch != *width || from_pitch != *width) return;
  *width *= *rows;
  *rows = 1;
}

/* One request: rows at `device`, `pitch` bytes apart, from or into `host`, where they are packed.
 */
typedef CUresult (*piece_t)(uint64_t device, uint64_t pitch, char *host, uint64_t width, uint64_t rows);

/* put_piece and get_piece need width * rows to be at most WIRE_MOST. */
static CUresult put_piece(uint64_t device, uint64_t pitch, char *host, uint64_t width, uint64_t rows) {
  return device_ask(
      &(wire_request_t){.op = WIRE_PUT, .size = (uint32_t)(width * rows), .a = {device, pitch, width, rows}}, host,
      NULL, 0, NULL);
}

static CUresult get_piece(uint64_t device, uint64_t pitch, char *host, uint64_t width, uint64_t rows) {
  return device_ask(&(wire_request_t){.op = WIRE_GET, .a = {device, pitch, width, rows}}, NULL, host, width * rows,
                    NULL);
}

/* One row of any length. */
static CUresult copy_in_pieces(piece_t piece, uint64_t device, char *host, uint64_t bytes) {
  CUresult result = CUDA_SUCCESS;
  for (uint64_t done = 0, n; done < bytes && !result; done += n) {
    n = bytes - done < PIECE ? bytes - done : PIECE;
    result = piece(device + done, n, host + done, n, 1);
  }
  return result;
}

static void move_rows(char *to, uint64_t to_pitch, const char *from, uint64_t from_pitch, uint64_t width,
                      uint64_t rows) {
  for (uint64_t r = 0; r < rows; r++) memcpy(to + r * to_pitch, from + r * from_pitch, width);
}

/* Rows that lie apart on the host go through a buffer. */
static CUresult copy_in_packs(piece_t piece, uint64_t device, uint64_t device_pitch, char *host, uint64_t pitch,
                              uint64_t width, uint64_t rows) {
  char *packed = malloc(width * rows_per_request(width, rows));
  CUresult result = packed ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  for (uint64_t r = 0, n; r < rows && !result; r += n) {
    n = rows_per_request(width, rows - r);
    if (piece == put_piece) move_rows(packed, width, host + r * pitch, pitch, width, n);
    result = piece(device + r * device_pitch, device_pitch, packed, width, n);
    if (piece == get_piece && !result) move_rows(host + r * pitch, pitch, packed, width, width, n);
  }
  free(packed);
  return result;
}

/* Between host and device, in the direction of `piece`. */
static CUresult copy_rows(piece_t piece, uint64_t device, uint64_t device_pitch, char *host, uint64_t pitch,
                          uint64_t width, uint64_t rows) {
  CUresult result = CUDA_SUCCESS;
  join_rows(device_pitch, pitch, &width, &rows);
  if (!width || !rows) return result;
  if (rows > 1 && width < PIECE) return copy_in_packs(piece, device, device_pitch, host, pitch, width, rows);
  for (uint64_t r = 0; r < rows && !result; r++)
    result = copy_in_pieces(piece, device + r * device_pitch, host + r * pitch, width);
  return result;
}

CUresult copy_in(uint64_t to, uint64_t to_pitch, const void *from, uint64_t from_pitch, uint64_t width, uint64_t rows) {
  return copy_rows(put_piece, to, to_pitch, (char *)(uintptr_t)from, from_pitch, width, rows);
}

CUresult copy_out(void *to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width, uint64_t rows) {
  return copy_rows(get_piece, from, from_pitch, to, to_pitch, width, rows);
}

/* The simulator moves each row itself. */
static CUresult copy_on_device(uint64_t to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width,
                               uint64_t rows) {
  CUresult result = CUDA_SUCCESS;
  join_rows(to_pitch, from_pitch, &width, &rows);
  for (uint64_t r = 0; r < rows && width && !result; r++)
    result = device_ask(&(wire_request_t){.op = WIRE_MOVE, .a = {to + r * to_pitch, from + r * from_pitch, width}},
                        NULL, NULL, 0, NULL);
  return result;
}

/* memmove, because both ends may be in one array of the host. */
CUresult copy_any(uint64_t to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width, uint64_t rows) {
  const bool to_device = heap_on_device(to), from_device = heap_on_device(from);
  if (!width || !rows) return CUDA_SUCCESS;
  if (to_device && from_device) return copy_on_device(to, to_pitch, from, from_pitch, width, rows);
  if (to_device) return copy_in(to, to_pitch, (const void *)(uintptr_t)from, from_pitch, width, rows);
  if (from_device) return copy_out((void *)(uintptr_t)to, to_pitch, from, from_pitch, width, rows);
  for (uint64_t r = 0; r < rows; r++)
    memmove((char *)(uintptr_t)to + r * to_pitch, (const char *)(uintptr_t)from + r * from_pitch, width);
  return CUDA_SUCCESS;
}

CUresult copy_fill(uint64_t to, uint64_t pitch, unsigned value, unsigned element, uint64_t width, uint64_t rows) {
  const uint64_t bytes = width * element;
  if (!width || !rows) return CUDA_SUCCESS;
  if (heap_on_device(to))
    return device_ask(&(wire_request_t){.op = WIRE_FILL, .a = {to, pitch, bytes, rows, value, element}}, NULL, NULL, 0,
                      NULL);
  for (uint64_t r = 0; r < rows; r++)
    for (uint64_t i = 0; i < width; i++) memcpy((char *)(uintptr_t)to + r * pitch + i * element, &value, element);
  return CUDA_SUCCESS;
}
