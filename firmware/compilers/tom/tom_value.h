/* SPDX-License-Identifier: Apache-2.0
 *
 * What registers hold, as sums of products of symbols: a kernel's parameters, special registers,
 * what a load gave, how often a loop has gone round. If the difference of two addresses has only
 * parameters and sizes of the launch, it is the same in every thread and instance.
 *
 *   values_t v;
 *   if (values_make(&v, kernel) && value_of_address(&v, access, &sum)) ... value_is_fixed(&v, &sum)
 *   ... values_free(&v);
 *
 * Integers are exact: address arithmetic is taken not to wrap round, nor what is widened.
 */
#ifndef TOM_VALUE_H
#define TOM_VALUE_H

#include "tom_internal.h"
#include "tom_sum.h"

typedef enum {
  SYMBOL_NONE,
  SYMBOL_PARAM,   /* a: variable, b: offset in it */
  SYMBOL_ADDRESS, /* a: variable */
  SYMBOL_SREG,    /* a: special register, b: component */
  SYMBOL_START,   /* a: register, as it is when the kernel begins */
  SYMBOL_OPAQUE,  /* a: place in kernel_t.list of what is written and not followed */
  SYMBOL_JOIN,    /* a: block where ways meet, b: register */
  SYMBOL_ENTRY,   /* a, b as JOIN: the register before a loop's first trip */
  SYMBOL_HEADER,  /* a, b as JOIN: the register at the header of `loop`, in each trip */
  SYMBOL_TRIPS,   /* the sum over the trips so far of `loop` of a product; without one, their number */
} symbol_kind_t;

typedef struct {
  uint32_t first, count; /* terms; count is NOWHERE: not worked out yet */
} kept_t;

typedef struct {
  symbol_kind_t kind;
  uint32_t a, b;
  uint32_t of[TERM_DEGREE]; /* TRIPS: the product; PARAM: the type */
  int32_t loop;             /* innermost loop in which it may differ from trip to trip; PTX_NONE: none */
  bool fixed;               /* the same in all threads of a launch, at all times */
  uint8_t known;            /* HEADER: is `value`? */
  kept_t value;             /* HEADER: made of the value at entry and of TRIPS */
} symbol_t;

typedef struct {
  uint32_t block, reg;
  kept_t value;
} at_entry_t;

typedef struct {
  kernel_t *k;
  symbol_t *symbols; /* from 1 on */
  uint32_t num_symbols, symbols_room;
  term_t *terms; /* terms of all sums that are kept */
  uint32_t num_terms, terms_room;
  kept_t *of_def;       /* by place in kernel_t.list */
  at_entry_t *of_entry; /* a hash table by block and register */
  uint32_t num_entries, entries_room;
  uint32_t *writers, *writer; /* for each register: the number of writers; one writer, by its place in the list */
  uint32_t *instr_of;         /* for each place in the list: its instruction */
  bool follows;               /* false: some circle is no natural loop, so nothing is followed */
  bool failed;                /* out of memory */
} values_t;

bool values_make(values_t *v, kernel_t *k); /* false: out of memory; values_free all the same */
void values_free(values_t *v);

/* The address of an access as a sum, with what loops add to it written out.
 * False: it cannot be told. */
bool value_of_address(values_t *v, uint32_t instr, sum_t *sum);

/* Are all symbols of the sum (of the term) the same in all threads of a launch, at all times? */
bool value_is_fixed(const values_t *v, const sum_t *sum);
bool value_symbols_are_fixed(const values_t *v, const uint32_t *symbols);
/* May a symbol be another value in the next trip of the loop? */
bool value_differs_in(const values_t *v, uint32_t s, int32_t loop);

#endif
