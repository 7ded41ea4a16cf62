#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# A port file that is not its RTL's is refused in one line, with file and line of both, by every
# kind of device; a block that is not what KIND says, too. Files that come or go beside a block are
# seen by its next check. Each difference is shown to one kind, each kind one of them; with ALL=1
# (own_ports_all.sh) each to all.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# own FOLDER: a block `twice` of two registers, one of each width
own() {
  mkdir -p "$1"
  cat >"$1/twice.ports" <<'EOF'
KIND(moore)
CLOCK(clk)
RESET(rst, high, sync)
PARAM(Bits, 6, 1, 64, "bits")
IN(req, 1, always)
IN(cost, Bits, req)
OUT(sum, Bits, always)
OUT_V(wide, 2 * Bits + 100, always)
PROBE(probe_req, 1, always)
EOF
  cat >"$1/twice.sv" <<'EOF'
module twice #(parameter int Bits = 6) (
  input  wire logic clk,
  input  wire logic rst,
  input  wire logic req_i,
  input  wire logic [Bits-1:0] cost_i,
  output logic [Bits-1:0] sum_o,
  output logic [2*Bits+99:0] wide_o,
  output logic probe_req_o
);
  always_ff @(posedge clk) begin
    probe_req_o <= !rst && req_i;
    if (rst) sum_o <= '0;
    else if (req_i) sum_o <= sum_o + cost_i;
  end
  assign wide_o = (2*Bits+100)'(sum_o);
endmodule
EOF
  echo '#include "twice_ports.h"
typedef struct { uint64_t sum, req; } twice_t;
void twice_reset(twice_t *);
void twice_eval(const twice_t *, const twice_in_t *, twice_out_t *);
void twice_step(twice_t *, const twice_in_t *);' >"$1/twice.h"
  echo '#include "twice.h"
void twice_reset(twice_t *t) { *t = (twice_t){0}; }
void twice_eval(const twice_t *t, const twice_in_t *in, twice_out_t *out) {
  (void)in;
  out->sum = t->sum, out->probe_req = t->req;
  out->wide[0] = (uint32_t)t->sum, out->wide[1] = (uint32_t)(t->sum >> 32);
}
void twice_step(twice_t *t, const twice_in_t *in) {
  t->req = in->req;
  if (in->req) t->sum = (t->sum + in->cost) & ((uint64_t)-1 >> (64 - Bits));
}' >"$1/twice.c"
}

# with KIND: a check of the folder `bad` on this kind of device
with() {
  case $1 in
    cov) "$lockstack" cover bad ;;
    faults) "$lockstack" faults bad ;;
    mutants) "$lockstack" mutate bad ;;
    *) "$lockstack" check bad --dut "$1" --cycles 1000 --no-wave ;;
  esac
}
kinds='rtl netlist cxxrtl icarus cov faults mutants'

# differs KIND REGEX FILE EDIT...: the edit of twice.FILE is refused by this kind, in these words
differs() {
  local regex=$2 file=$3 kind=$1
  [ -n "${ALL-}" ] || local kinds=$kind
  shift 3
  rm -rf bad && own bad && sed -i "$@" "bad/twice.$file"
  for kind in $kinds; do refuses 2 "$regex" with "$kind"; done
}

own good
runs 0 "$lockstack" check good --cycles 2000
runs 0 "$lockstack" check good --cycles 2000 --set Bits=64
runs 0 "$lockstack" check good --cycles 2000 --dut icarus

differs netlist 'twice.ports:6: IN\(cost, ...\): cost_i has 7 bits here and 6 in twice.sv:5' ports \
  's/cost, Bits/cost, 7/'
differs cxxrtl 'twice.ports:7: OUT\(sum, ...\): sum_o has 4 bits here and 6 in twice.sv:6' ports 's/sum, Bits/sum, 4/'
differs icarus 'twice.sv:9: input ghost_i is not in twice.ports; add an entry' sv \
  's/probe_req_o$/&,\n  input wire logic [2:0] ghost_i/'
differs cov 'twice.ports:10: OUT\(ghost, ...\): module twice has no port ghost_o' ports '$aOUT(ghost, 3, always)'
differs faults 'twice.ports:5: IN\(req, ...\): req_i is an inout in twice.sv:4; it should be an input' sv \
  's/input  wire logic req_i/inout wire req_i/'
differs mutants 'twice.ports:3: RESET\(rst_i, ...\): module twice has no port rst_i; did you mean its rst \(twice.sv:3\)' ports 's/(rst/(rst_i/'
differs rtl 'twice.ports:2: CLOCK\(clk_i\): module twice has no port clk_i; did you mean its clk \(twice.sv:2\)' ports \
  's/(clk)/(clk_i)/'
differs rtl 'twice.c:5:.*no member named|output probe_req_o is not in twice.ports; add an entry for it' ports '/PROBE/d'
differs rtl 'twice.ports:8: OUT_V\(wide, ...\): wide_o has 113 bits here and 112' ports 's/+ 100/+ 101/'
differs rtl 'twice.ports:6: IN\(cost, ...\): cost_i has 6 bits here and 7 elements of 1 bits in twice.sv:5' \
  sv 's/\[Bits-1:0\] cost_i/cost_i [Bits:0]/; s/sum_o + cost_i/sum_o + cost_i[0]/'

# Lines in messages: after a bracket that is not closed, of an entry that is not at its line's
# beginning, of one that a macro makes
differs rtl 'twice.ports:4: RESET\(rst, up, sync\): level low or high' ports -e '1i// half open [0, 3; a list' \
  -e 's/high/up/'
differs cxxrtl 'twice.ports:3: RESET\(rst, up, sync\): level low or high' ports 's/RESET(rst, high/  RESET( rst, up/'
differs icarus 'twice.ports:9: .PROB.*is not a port-file entry' ports -e '1s/^/ /' -e 's/^PROBE/  PROB/'
differs rtl 'twice.ports:4: RESET\(rst, up, sync\): level low or high' ports \
  's/^RESET.*/#define RESETS RESET(rst, up, sync)\nRESETS/'
differs netlist 'twice.ports:6: IN takes 3 arguments, IN.name, width, valid.; here are 2: a comma may be missing' \
  ports 's/cost, Bits/cost Bits/'
differs cov 'twice.ports:6: IN\(cost, ...\): the width should be a number: Bit is no parameter of this file' ports \
  's/cost, Bits/cost, Bit/'
differs rtl 'twice.ports:7: OUT\(sum, ...\): 11 \* Bits is 66: a scalar port has 1 to 64 bits; OUT_V is for more' \
  ports 's/sum, Bits/sum, 11 * Bits/'
differs faults 'twice.ports:1: the comment that begins here is not closed' ports '1s|^|/* no end |'
rm -rf bad && own bad && sed -i 's/"bits"/"bits, [1, 64"/' bad/twice.ports
refuses 2 'Bits = 65: from 1 to 64 ..bits, .1, 64' "$lockstack" check bad --set Bits=65

# Elements of one shape: one that is not valid may have any value, on either side; one that is may
# not
elements() {
  mkdir -p "$1"
  printf '%s\n' 'KIND(moore)' 'CLOCK(clk)' 'RESET(rst, high, sync)' 'PARAM(Ports, 3, 1, 8, "ports")' \
    'IN(come, Ports, always)' \
    'IN_N(data, Ports, 40, come)' 'OUT(go, Ports, always)' 'OUT_N(next, Ports, 40, go)' \
      'PROBE_N(probe_next, Ports, 40, go)' >"$1/row.ports"
  echo 'module row #(parameter int Ports = 3) (input wire logic clk, input wire logic rst, input wire logic [Ports-1:0] come_i,
  input wire logic [Ports*40-1:0] data_i, output logic [Ports-1:0] go_o, output logic [Ports*40-1:0] next_o, output logic [Ports*40-1:0] probe_next_o);
  always_ff @(posedge clk) begin
    go_o <= rst ? 0 : come_i;
    next_o <= data_i;
  end
  assign probe_next_o = next_o;
endmodule' >"$1/row.sv"
  echo '#include "row_ports.h"
typedef struct { row_out_t now; } row_t;
void row_reset(row_t *);
void row_eval(const row_t *, const row_in_t *, row_out_t *);
void row_step(row_t *, const row_in_t *);' >"$1/row.h"
  echo '#include "row.h"
#include <string.h>
void row_reset(row_t *r) { memset(r, 0, sizeof *r); }
void row_eval(const row_t *r, const row_in_t *in, row_out_t *out) { (void)in, *out = r->now; }
void row_step(row_t *r, const row_in_t *in) {
  memset(r, 0, sizeof *r);
  r->now.go = in->come;
  for (unsigned bit = 0; bit < Ports * 40; bit++)
    if (in->come >> bit / 40 & 1) r->now.next[bit / 32] |= in->data[bit / 32] & 1u << bit % 32;
  memcpy(r->now.probe_next, r->now.next, sizeof r->now.next);
}' >"$1/row.c"
}
elements row
kinds='rtl icarus cxxrtl'
[ -z "${ALL-}" ] || kinds="$kinds netlist"              # all that check takes; what the other kinds do is no comparison
for kind in $kinds; do runs 0 "$lockstack" check row --dut "$kind" --cycles 1000; done
runs 0 "$lockstack" check row --set Ports=8 --cycles 1000
sed -i 's/next_o <= data_i/next_o <= data_i ^ {{(Ports*40-1){1'"'"'b0}}, come_i == 1} << 39/' row/row.sv
for kind in $kinds; do runs 1 "$lockstack" check row --dut "$kind" --cycles 1000 --no-wave; done
sed -i 's/next, Ports/next, 4/' row/row.ports
refuses 2 'row.ports:8: next is qualified by go, which has 3 bits; a scalar port with a bit for each of 4 elements' \
  "$lockstack" check row
kinds='rtl netlist cxxrtl icarus cov faults mutants'

# A width that is right for the default alone
rm -rf bad && own bad && sed -i 's/IN(cost, Bits/IN(cost, 6/' bad/twice.ports
runs 0 with rtl
refuses 2 'cost_i has 6 bits here and 9 in twice.sv:5' "$lockstack" check bad --set Bits=9 --cycles 100

# The same of a block of the tree whose RTL is another
mkdir rtl && sed 's/\[NumReq-1:0\] gnt_o/[NumReq:0] gnt_o/' "$source/rtl/lib/arb_rr.sv" >rtl/arb_rr.sv
refuses 2 'arb_rr.ports:[0-9]+: OUT\(gnt, ...\): gnt_o has 4 bits here and 5 in arb_rr.sv:[0-9]+' "$lockstack" check \
  arb_rr --rtl rtl --cycles 100

# Files that come and go: what is searched first is taken at the next check, as if it had always
# been there
rm -rf bad && own bad
sed -i 's/^  assign wide_o.*/  half #(.N(Bits)) part (.in_i(sum_o), .out_o(wide_o));/' bad/twice.sv
half() { # half FILE VALUE: module half, whose output is VALUE
  printf 'module half #(parameter int N = 4) (input wire logic [N-1:0] in_i, output logic [2*N+99:0] out_o);
  assign out_o = %s;\nendmodule\n' "$2" >"$1"
}
half bad/half.sv "(2*N+100)'(in_i)"
runs 0 with rtl
half bad/half.v "(2*N+100)'(~in_i)"                                     # Verilator takes the .v of the two
runs 1 with rtl
rm bad/half.v
runs 0 with rtl
echo '#include "twice_ports.h"
#include "stim.h"
#include <string.h>
static const stim_profile_t profiles[] = {{"alone", "the only one"}};
static void init(void *s, uint64_t seed, unsigned profile) { (void)s, (void)seed, (void)profile; }
static void next(void *s, uint64_t cycle, const void *out, void *in) { (void)s, (void)cycle, (void)out, (void)in; }
const stim_t twice_stim = {.profiles = profiles, .num_profiles = 1, .state_size = 1, .init = init, .next = next};' \
  >bad/twice_stim.c
runs 0 with rtl                                                         # a stimulus that is new
matches "$out" ' 1 profiles?,' 'the new stimulus'
rm bad/twice_stim.c
runs 0 with rtl                                                         # and gone
matches "$out" ' [2-9] profiles,' 'the stimulus from the port file again'
echo '#define STIM_H' >bad/twice_extra.h
echo '#include "twice_extra.h"' >>bad/twice.h
runs 0 with rtl
echo '#error "a second file of the model"' >bad/twice_extra.c            # beside a header that is included
refuses 2 'twice_extra.c:1:.*a second file of the model' with rtl
mkdir over && cp "$source/rtl/lib/fifo.sv" over/ \
  # --rtl: a part of the block, later the block's own file
runs 0 "$lockstack" check fifo --rtl over --cycles 1000
rm bad/twice_extra.c
cp bad/twice.c kept.c \
  # another one in its place, from before: as times go nothing is new
sed 's/sum + in->cost/sum - in->cost/' kept.c >bad/twice.c
touch -d '2001-01-01' bad/twice.c
runs 1 with rtl
cp kept.c bad/twice.c
runs 0 with rtl
touch -d '2001-01-01' bad/half.sv && runs 0 with rtl
half bad/half.sv "(2*N+100)'(~in_i)"
touch -d '2001-01-01' bad/half.sv
runs 1 with rtl
half bad/half.sv "(2*N+100)'(in_i)"
half over/half.sv "(2*N+100)'(in_i)"
runs 0 "$lockstack" check bad --rtl over --cycles 1000
sed 's/sum_o + cost_i/sum_o - cost_i/' bad/twice.sv >over/twice.sv
runs 1 "$lockstack" check bad --rtl over --cycles 1000 --no-wave

# KIND(moore), and an output that answers within the cycle: of the RTL, of the model
quick() { sed -i 's/^  assign wide_o.*/  assign wide_o = (2*Bits+100)'"'"'(req_i \& ~rst);/' bad/twice.sv; }
moves='twice.ports: the port file says KIND\(moore\), but the (RTL|model).s output wide_o changes with the inputs within cycle'
rm -rf bad && own bad && quick
sed -i 's/out->wide.0. = .*/out->wide[0] = (uint32_t)in->req;/' bad/twice.c
[ -n "${ALL-}" ] || kinds='rtl icarus cov faults mutants'
for kind in $kinds; do refuses 2 "$moves" with "$kind"; done
sed -i 's/moore/mealy/' bad/twice.ports
runs 0 with rtl
rm -rf bad && own bad
sed -i 's/out->probe_req = t->req/out->probe_req = in->req/' bad/twice.c
refuses 2 "the model's output probe_req_o changes" with rtl
