#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# power: counts of every net against a waveform that Icarus makes of the same netlist under the
# same inputs; of fifo, with resets at the end of windows, and of a block whose nets have odd
# names. Failures, bad input.
# timeout: 600
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

sed "s|@LIBERTY@|$source/synth/cells/ge.lib|; s|@MODELS@|cells.v|" "$source/synth/models.ys.in" >models.ys
runs 0 yosys -q models.ys
sed -i 's/^  reg \(.*\);/  reg \1 = 0;/' cells.v                                          # both power up with zeros

# waveform STEPS NAME... : the inputs at each time of a waveform of `check --wave`, a bit string a
# line
cat >inputs.awk <<'END'
/^\$scope/ { depth++ }
/^\$upscope/ { depth-- }
/^\$var/ && depth == 1 { for (i = 1; i <= n; i++) if ($5 == want[i]) { of[$4] = i; width[i] = $3 } }
/^\$/ { next }
/^#/ { if (started++) put(); next }
/^b/ { if ($2 in of) value[of[$2]] = substr($1, 2); next }
/^[01]/ { if (substr($0, 2) in of) value[of[substr($0, 2)]] = substr($0, 1, 1) }
BEGIN { n = split(names, want, " ") }
function put(   i, line, bits) {
  if (count++ >= steps) return
  line = ""
  for (i = 1; i <= n; i++) { bits = value[i]; while (length(bits) < width[i]) bits = "0" bits; line = line bits }
  print line
}
END

# Rises, falls, samples at 1 and those of them before an edge, of each bit below tb.dut in a
# waveform of Icarus, by the names that OpenSTA has; samples in which `reset` is 0 are not counted.
# A rise is a change of what is not 1 to 1. The clock is low before an edge.
cat >count.awk <<'AWK'
function sta(name,   i, c, text) {
  text = ""
  for (i = 1; i <= length(name); i++) { c = substr(name, i, 1); text = text (index("/[]\\", c) > 0 ? "\\" : "") c }
  return text
}
function plain(name) { sub(/^\\/, "", name); gsub(/\\\\/, "\\", name); return name }   # Icarus doubles a backslash inside of a name
function sample(   b, counts) {
  counts = bit[reset_code, 0] == 1
  for (b in moved) {
    if (counts && bit[b] == 1) rises[b] += was[b] != 1
    else if (counts) falls[b] += was[b] == 1
    was[b] = bit[b]
    if (bit[b] == 1) on[b]; else delete on[b]
  }
  split("", moved)
  if (counts) for (b in on) { high[b]++; edges[b] += bit[clock_code, 0] == 0 }
}
function set(code, value,   i, n, b, v) {
  if (!(code in width)) return
  n = length(value)
  for (i = 0; i < width[code]; i++) {
    b = code SUBSEP i
    v = i < n ? substr(value, n - i, 1) : (substr(value, 1, 1) == "1" ? 0 : substr(value, 1, 1))
    if (bit[b] != v) { bit[b] = v; moved[b] }
  }
}
function report(name, b) { print name "," rises[b] + 0 "," falls[b] + 0 "," sprintf("%.6f,%d", high[b] / samples, edges[b]) }
/^\$scope/ { scope[++depth] = plain($3); next }
/^\$upscope/ { depth--; next }
/^\$var/ && depth >= 2 {
  path = ""
  for (i = 3; i <= depth; i++) path = path sta(scope[i]) "/"
  width[$4] = $3
  code[++nets] = $4
  name[nets] = path sta(plain($5))
  bounds[nets] = $6 == "$end" ? "" : $6
  if (depth == 2 && plain($5) == reset) reset_code = $4
  if (depth == 2 && plain($5) == clock) clock_code = $4
  next
}
/^#/ { if (started++) sample(); next }
/^b/ { set($2, substr($1, 2)); next }
/^[01xz]/ { set(substr($0, 2), substr($0, 1, 1)) }
END {
  for (k = 1; k <= nets; k++) {
    if (bounds[k] == "") { report(name[k], code[k] SUBSEP 0); continue }
    split(substr(bounds[k], 2), ends, /[:\]]/)
    for (i = 0; i < width[code[k]]; i++) report(name[k] "[" (ends[1] + 0 >= ends[2] + 0 ? ends[2] + i : ends[2] - i) "]", code[k] SUBSEP i)
  }
}
AWK

# icarus TOP CLOCK RESET PINS: the waveform of netlist.v under the inputs of stim.txt, counted in
# icarus.csv; PINS are the port connections
icarus() {
  local bits steps
  bits=$(head -1 stim.txt | tr -d '\n' | wc -c) steps=$(wc -l <stim.txt)
  cat >tb.v <<END
module tb;
  reg [$((bits - 1)):0] now, steps[0:$((steps - 1))];
  integer i;
  $1 dut ($4);
  initial begin
    \$readmemb("stim.txt", steps);
    now = steps[0];
    \$dumpfile("tb.vcd");
    \$dumpvars(0, tb);
    for (i = 0; i < $steps; i = i + 1) begin now = steps[i]; #1; end
    \$finish;
  end
endmodule
END
  runs 0 iverilog -g2005 -o tb tb.v netlist.v cells.v
  runs 0 vvp -n tb
  awk -v clock="$2" -v reset="$3" -v samples="$(awk 'substr($0, 2, 1) == 1' stim.txt | wc -l)" -f count.awk tb.vcd |
    sort >icarus.csv
}

# same WHAT: each net of nets.csv is in icarus.csv, with the same numbers
same() {
  tail -n +2 nets.csv | sort >ours.csv
  equal "$(comm -23 ours.csv icarus.csv | head -5)" '' "$1: nets that count otherwise than in Icarus' waveform"
}

# --- fifo, whose profile pulls the reset every 40 cycles: windows of 20 cycles end with it
runs 0 "$lockstack" check fifo --profile abuse --cycles 1000 --resets none --wave in.vcd
runs 0 "$lockstack" power fifo --profile abuse --cycles 1000 --nets nets.csv --netlist netlist.v --json fifo.json
equal "$(json fifo.json activity.cycles) $(json fifo.json activity.in_reset) $(json fifo.json activity.windows.#)" \
  '975 52 50' 'what is counted'
{ for clk in 0 1 0 1; do printf '%s0%034d\n' $clk 0; done
  awk -v names='clk_i rst_ni push_i wdata_i pop_i' -v steps=$((2 * (975 + 50))) -f inputs.awk in.vcd; } >stim.txt
icarus fifo clk_i rst_ni '.clk_i(now[35]), .rst_ni(now[34]), .push_i(now[33]), .wdata_i(now[32:1]), .pop_i(now[0])'
same fifo
equal "$(json fifo.json activity.nets)" "$(tail -n +2 nets.csv | wc -l)" 'nets of fifo'
[ "$(json fifo.json activity.nets)" -gt 400 ] || wrong 'nets of fifo are missing'
equal "$(awk -F, 'NR > 1 { sum += $2 + $3 } END { printf "%.9f", sum / (NR - 1) / 975 }' nets.csv)" \
  "$(printf %.9f "$(json fifo.json activity.toggles_per_cycle)")" 'the mean'
awk -F, -v OFS=, '$1 == "push_i" { $2++ } { print }' nets.csv >one &&
  mv one nets.csv       # the comparison sees one toggle
[ -n "$(comm -23 <(tail -n +2 nets.csv | sort) icarus.csv)" ] || wrong 'a count that is one too high is not seen'

# --- nets of odd names: generate blocks, parts, escaped names, vectors that do not begin at 0, that go up, of one bit, of more than 64
mkdir odd
cat >odd/odd.sv <<'END'
module odd_part (input wire clk, input wire rst_n, input wire go, input wire [3:0] d, output wire [1:0] sum);
  reg [2:1] r;
  always @(posedge clk or negedge rst_n) if (!rst_n) r <= 2'd0; else if (go) r <= r + {^d, d[0]};
  assign sum = {r[2] ^ r[1], ~r[1]};
endmodule

module odd (input wire clk, input wire rst_n, input wire go_i, input wire [11:0] d_i, output wire [11:0] q_o,
            output reg [5:0] r_o);
  reg [7:4] down;
  reg [0:3] up;
  reg [0:0] one;
  reg [99:1] wide;
  reg \a/b[2]\c$d ;
  wire [5:0] sums;
  genvar i;
  generate for (i = 0; i < 3; i = i + 1) begin : g
    odd_part i_part (.clk(clk), .rst_n(rst_n), .go(go_i), .d(d_i[i*4 +: 4]), .sum(sums[i*2 +: 2]));
  end endgenerate
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      down <= 0; up <= 0; r_o <= 0; one <= 0; wide <= 0; \a/b[2]\c$d <= 0;
    end else if (go_i) begin
      r_o <= {2'b0, d_i[1], 1'b0, d_i[0], 1'b0}; // registers and constants: OpenSTA takes no concatenation of these
      down <= d_i[3:0]; up <= d_i[7:4]; one <= d_i[8]; wide <= {wide[98:1], ^d_i}; \a/b[2]\c$d <= ~\a/b[2]\c$d ;
    end
  assign q_o = {up ^ down, sums, \a/b[2]\c$d ^ wide[99], one ^ wide[1]};
endmodule
END
cat >odd/odd.ports <<'END'
KIND(moore)
CLOCK(clk)
RESET(rst_n, low, async)
IN(go, 1, always)
IN(d, 12, always)
OUT(q, 12, always)
OUT(r, 6, always)
END
cat >odd/odd.h <<'END'
#include "odd_ports.h"
typedef struct odd { uint64_t r, down, up, one, odd, sum[3], age, old[99]; } odd_t;
void odd_reset(odd_t *o);
void odd_eval(const odd_t *o, const odd_in_t *in, odd_out_t *out);
void odd_step(odd_t *o, const odd_in_t *in);
END
cat >odd/odd.c <<'END'
#include "odd.h"
#include <string.h>
void odd_reset(odd_t *o) { memset(o, 0, sizeof *o); }
void odd_eval(const odd_t *o, const odd_in_t *in, odd_out_t *out) {
  (void)in;
  out->q = (o->up ^ o->down) << 8 | (o->odd ^ o->old[o->age]) << 1 | (o->one ^ o->old[(o->age + 98) % 99]);
  for (int i = 0; i < 3; i++) out->q |= ((o->sum[i] ^ o->sum[i] << 1) & 2) << (2 * i + 2) | (~o->sum[i] & 1) << (2 * i + 2);
  out->r = o->r;
}
void odd_step(odd_t *o, const odd_in_t *in) {
  if (!in->go) return;
  o->r = (in->d & 2) << 2 | (in->d & 1) << 1;
  o->down = in->d & 15, o->up = in->d >> 4 & 15, o->one = in->d >> 8 & 1, o->odd ^= 1;
  for (int i = 0; i < 3; i++) o->sum[i] = (o->sum[i] + 2 * (unsigned)__builtin_parity(in->d >> 4 * i & 15) + (in->d >> 4 * i & 1)) & 3;
  o->old[o->age] = (unsigned)__builtin_parity((unsigned)in->d), o->age = (o->age + 1) % 99;
}
END
cat >odd/odd_stim.c <<'END'
#include "odd.h"
#include "stim.h"
static const stim_profile_t profiles[] = {{"only", "numbers that a line of awk makes again"}};
static void init(void *state, uint64_t seed, unsigned profile) { (void)state, (void)seed, (void)profile; }
static void next(void *state, uint64_t cycle, const void *out, void *bytes) {
  odd_in_t *in = bytes;
  (void)state, (void)out;
  in->go = cycle % 5 != 1, in->d = (cycle * cycle * 7 + cycle / 3) & 4095;
}
static bool reset(void *state, uint64_t cycle) { (void)state; return cycle % 251 == 250; }
const stim_t odd_stim = {.profiles = profiles, .num_profiles = 1, .state_size = 1, .init = init, .next = next, .reset = reset};
END
runs 0 "$lockstack" power odd --cycles 1000 --windows 7 --nets nets.csv --netlist netlist.v --json odd.json
awk 'function bits(v, n,   text) { text = ""; while (n--) { text = v % 2 text; v = int(v / 2) } return text }
     function reset(   i) { for (i = 0; i < 4; i++) print i % 2 "0" bits(0, 13) }
     function cycle(c,   k) { for (k = 0; k < 2; k++) print k "1" (c % 5 != 1) bits(c * c * 7 + int(c / 3), 12) }
     BEGIN { reset(); for (c = 0; c < 1000; c++) if (c % 251 == 250) reset(); else cycle(c) }' >stim.txt
icarus odd clk rst_n '.clk(now[14]), .rst_n(now[13]), .go_i(now[12]), .d_i(now[11:0])'
same odd
for net in 'down[4]' 'up[0]' 'up[3]' 'wide[1]' 'wide[99]' 'a\/b\[2\]\\c$d' 'g\[1\].i_part.r[2]'; do
  equal "$(cut -d, -f1 nets.csv | grep -cFx -- "$net")" 1 "the net $net"
done
matches $'\n'"$(cut -d, -f1 nets.csv)" $'\none(\\[0\\])?\n' 'a vector of one bit, which Yosys may write without bounds'

# --- gates that do not do what the model does have no activity: the failure as `check --dut netlist` has it
mkdir broken
sed "s/overflow_q  *<= overflow_d/overflow_q <= 1'b0/" "$source/rtl/lib/fifo.sv" >broken/fifo.sv
runs 1 "$lockstack" power fifo --rtl broken --set Width=2 --profile abuse --cycles 2000 --nets gone.csv \
  --json broken.json
equal "$(json broken.json outcome) $(json broken.json failure.port) $(json broken.json dut)" \
  'DIVERGED overflow netlist' 'the failure'
equal "$(json broken.json activity 2>/dev/null)" '' 'no activity'
[ ! -e gone.csv ] || wrong 'nets of gates that are wrong'
matches "$out" 'lockstack check fifo .*--dut netlist --resets none --seed 1 --profile abuse' 'the command that shows it again'
[ -f "$(json broken.json replay)" ] || wrong 'no replay file'

# --- bad input, one line each
refuses 2 "no block 'nosuch'" "$lockstack" power nosuch
refuses 2 'a BLOCK or a folder is missing' "$lockstack" power
refuses 2 "has no profile 'nosuch'" "$lockstack" power fifo --profile nosuch
refuses 2 '--windows: .*0' "$lockstack" power fifo --windows 0
refuses 2 'sram_1r1w is a memory macro: it has no gates' "$lockstack" power sram_1r1w
refuses 2 "--cells: no library 'nosuch'" "$lockstack" power fifo --cells nosuch
refuses 2 '--liberty: nosuch.lib: No such file' "$lockstack" power fifo --liberty nosuch.lib
