/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilog as tokens, for code that looks for few words in it and leaves the rest alone.
 */
#ifndef VERILOG_TOKEN_H
#define VERILOG_TOKEN_H

#include <stdbool.h>

/* A token: [begin, end); empty at the text's end. Blanks, comments and the `\` that continues a
 * `define are no tokens. */
typedef struct {
  char *begin, *end;
} token_t;

token_t token_next(char *p); /* the next one behind blanks and comments */
bool token_is(token_t t, const char *word);
bool token_is_word(token_t t);                          /* an identifier or a keyword */
bool token_is_one(token_t t, const char *const *words); /* of a list that ends with NULL */
char *token_brackets(char *p);                          /* behind the matching bracket; NULL: none */
char *token_comment(char *p);                           /* behind the comment that begins here */

#endif
