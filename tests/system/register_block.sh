# shellcheck shell=bash disable=SC2016,SC2034
# SPDX-License-Identifier: Apache-2.0
#
# For tests that source it: small blocks of one's own, a register behind whatever logic.

# block NAME MODULE-BODY MODEL-STEP: q is a register of 8 bits with a synchronous reset, y is wired.
block() {
  mkdir -p "$1"
  printf 'module %s(input logic clk, input logic rst, input logic en_i, input logic [7:0] a_i, output logic [7:0] q_o);\n%s\nendmodule\n' "$1" "$2" >"$1/$1.sv"
  printf 'KIND(moore)\nCLOCK(clk)\nRESET(rst, high, %s)\nIN(en, 1, always)\nIN(a, 8, en)\nOUT(q, 8, always)\n' \
    "${4:-sync}" >"$1/$1.ports"
  cat >"$1/$1.h" <<END
#include "$1_ports.h"
typedef struct $1 { uint64_t q; } $1_t;
void $1_reset($1_t *s);
void $1_eval(const $1_t *s, const $1_in_t *in, $1_out_t *out);
void $1_step($1_t *s, const $1_in_t *in);
END
  cat >"$1/$1.c" <<END
#include "$1.h"
void $1_reset($1_t *s) { s->q = 0; }
void $1_eval(const $1_t *s, const $1_in_t *in, $1_out_t *out) { (void)in, out->q = s->q; }
void $1_step($1_t *s, const $1_in_t *in) { if (in->en) s->q = ($3) & 255; }
END
}
register='  always_ff @(posedge clk) if (rst) q_o <= 0; else if (en_i) q_o <='
