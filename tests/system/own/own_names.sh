# SPDX-License-Identifier: Apache-2.0
#
# Names that Verilog allows and other languages keep for themselves: words of C, C++, Python and SystemC, members of
# Verilator's class, macros of C's library and of this tree, names with other characters. timeout: 1800
source "$(dirname "$0")/../lib.sh"

# model BLOCK OUTPUT=INPUT...: a register for each pair, named as `new` named it in n.json
model() {
  local block=$1 pair
  shift
  {
    printf '#include "%s_ports.h"\n#include <stdbool.h>\ntypedef struct {\n  %s_out_t out;\n} %s_t;\n' "$block" "$block" "$block"
    printf 'void %s_reset(%s_t *);\nvoid %s_eval(const %s_t *, const %s_in_t *, %s_out_t *);\n' \
      "$block" "$block" "$block" "$block" "$block" "$block"
    printf 'void %s_step(%s_t *, const %s_in_t *);\n' "$block" "$block" "$block"
  } >"$block/$block.h"
  {
    printf '#include "%s.h"\n#include <string.h>\nvoid %s_reset(%s_t *s) {\n  memset(s, 0, sizeof *s);\n}\n' "$block" "$block" "$block"
    printf 'void %s_eval(const %s_t *s, const %s_in_t *in, %s_out_t *o) {\n  (void)in;\n  *o = s->out;\n}\n' \
      "$block" "$block" "$block" "$block"
    printf 'void %s_step(%s_t *s, const %s_in_t *in) {\n' "$block" "$block" "$block"
    for pair; do printf '  s->out.%s = in->%s;\n' "${pair%%=*}" "${pair#*=}"; done
    printf '}\n'
  } >"$block/$block.c"
}

# read_names: what the model calls each name, into the table `here_of`, from the list that `new` printed
declare -A here_of
read_names() {
  local rtl name
  here_of=()
  while IFS=$'\t' read -r rtl name; do here_of["is $rtl"]=$name; done < <(python3 -c 'import json
for n in json.load(open("n.json"))["renamed"]: print(n["rtl"], n["name"], sep="\t")')
}

# as_verilog NAME: escaped if it is no plain name, or marked with a backslash
as_verilog() { if [[ $1 == \\* ]]; then printf '%s ' "$1"; else printf '%s' "$1"; fi; }

# try BLOCK NAME...: the first half are inputs, the second outputs, each a register of one input
try() {
  local block=$1 half i a b pairs=()
  shift
  local names=("$@")
  half=$((${#names[@]} / 2))
  {
    printf 'module %s (input clk, input rst' "$block"
    for ((i = 0; i < half; i++)); do printf ', input [7:0] %s' "$(as_verilog "${names[i]}")"; done
    for ((i = half; i < 2 * half; i++)); do printf ', output reg [7:0] %s' "$(as_verilog "${names[i]}")"; done
    printf ');\n  always @(posedge clk)\n    if (rst) begin\n'
    for ((i = half; i < 2 * half; i++)); do printf '      %s <= 0;\n' "$(as_verilog "${names[i]}")"; done
    printf '    end else begin\n'
    for ((i = 0; i < half; i++)); do
      printf '      %s <= %s;\n' "$(as_verilog "${names[i + half]}")" "$(as_verilog "${names[i]}")"
    done
    printf '    end\nendmodule\n'
  } >"$block.v"
  runs 0 "$lockstack" new "$block" --from "$block.v" --json n.json
  [ -d "$block" ] || return
  read_names
  for ((i = 0; i < half; i++)); do
    a=${names[i + half]#\\} b=${names[i]#\\}
    pairs+=("${here_of["is $a"]-$a}=${here_of["is $b"]-$b}")
  done
  model "$block" "${pairs[@]}"
  runs 0 "$lockstack" check "$block" --cycles 2000 --no-wave
}

# --- words of C and C++, of Python, of SystemC
try words_a int char switch break short long float double struct union typedef auto const continue do enum extern goto \
  inline register return \\signed sizeof static \\unsigned void volatile bool true false
try words_b class new delete namespace template operator private public protected virtual friend throw catch typename \
  using explicit nullptr '\and' '\or' '\not' in is lambda def del elif except from global '\import' pass raise yield \
  None True False async await sc_in sensitive

# --- what Verilator's class, the shims and the tree's own macros have
try words_c name eval final trace contextp rootp vlSymsp top TOP hierName modelName threads eval_step eval_end_step \
  VL_IN8 CData IData Verilated std vlSelf VlWide a__b ___x _lead main tracep TOP__x vlSelfRef
try words_d IN OUT PARAM KIND CLOCK RESET IN_V OUT_N PROBE COVER ERROR OFF '\always' valid width in_t out_t device \
  BLOCK STR CAT PIN PIN_IN FIELD PORTS_FILE DUT_CLASS HAVE_COV put get same out last_in last_out any random state self \
  CLOG2 PORT_WORDS
try words_e errno NULL EOF stdin stdout assert linux unix major minor memset printf malloc FILE size_t uint8_t uint64_t \
  INT_MAX NAN offsetof isalpha exit abort environ index '\time' div abs log exp min max list map set vector string array \
  pair queue

# --- other characters
try words_f '\a+b' '\a-b' '\a.b' '\a[3]' '\3x' '\q"x' '\b\c' '\é' '\x,y' '\(p)' '\#h' '\=' '\%d' "\\a'b" '\<lt>' '\&amp' \
  '\~n' '\a/b' '\a;b' '\{c}' '\|' '\?' '\!' '\@' '\^' '\+' 'd$l' '_' '__' '\a:b'

# --- names that would meet when _i and _o are behind them
try words_g x x_i x_o y_i y z_o z_i z int int_ '\a+b' a_b

# --- every verb: clock, reset, ports, parameters and a register with such names, in a folder and a file with a blank
mkdir 'a földer'
cat >'a földer/odd one.v' <<'V'
module odd #(parameter IN = 8, parameter width = 3, parameter \p+q = 1) (
    input export, input \try! , input int, input [IN-1:0] name, input [7:0] \a+b , input [IN-1:0] \a[3] ,
    input [width-1:0] lambda, output reg [IN-1:0] errno, output reg [7:0] \q"x , output reg [IN-1:0] new,
    output reg [width-1:0] x_i, input [7:0] x, output reg [7:0] final);
  reg [7:0] \k+ ;
  always @(posedge export or negedge \try! )
    if (!\try! ) begin
      errno <= 0; \q"x <= 0; new <= 0; x_i <= 0; final <= 0; \k+ <= 0;
    end else if (int) begin
      errno <= name; \q"x <= \a+b ; new <= \a[3] ; x_i <= lambda; final <= x + \p+q ; \k+ <= x;
    end
endmodule
V
cd 'a földer' || exit 3
runs 0 "$lockstack" new odd --from 'odd one.v' --clock export --reset 'try!,low,async' --json n.json
matches "$out" 'names in C and Python: export is export_, try! is try_, int is int_, a\+b is a_b, ' 'the list'
for pair in renamed.0.rtl=export renamed.0.name=export_ renamed.1.rtl='try!'; do
  equal "$(json n.json "${pair%%=*}")" "${pair#*=}" "${pair%%=*}"
done
for line in 'CLOCK(export_)' 'RESET(try_, low, async)' 'IN(name, IN_, always)' 'IN(lambda_, width_, always)' \
  'OUT(q_x, 8, always)'; do
  grep -qxF "$line" odd/odd.ports || wrong "no line $line"
done
model odd errno_=name q_x=a_b new_=a_3_ x_i=lambda_ final=x
sed -i 's/^  s->out.errno_/  if (!in->int_) return;\n&/; s/in->x;/(in->x + p_q_) \& 255;/' odd/odd.c
runs 0 "$lockstack" check odd --cycles 2000
runs 0 "$lockstack" check odd --cycles 2000 --set IN_=16 --set width_=5 --set p_q_=3
for dut in netlist cxxrtl icarus; do runs 0 "$lockstack" check odd --cycles 500 --dut $dut; done
runs 0 "$lockstack" cover odd --cycles 2000
runs 0 "$lockstack" area odd
runs 0 "$lockstack" power odd --cycles 300
runs 0 "$lockstack" mutate odd --count 30 --json m.json
equal "$(json m.json score)" 1.0 'mutants'
runs 0 "$lockstack" faults odd --count 30 --jobs 1 --json f.json
equal "$(json f.json registers.#)" 6 'registers, of which two have escaped names'

# --- a divergence has the RTL's names, its replay and its waveform, too
mkdir changed
sed 's/errno <= name/errno <= name ^ (x == 3)/' 'odd one.v' >'changed/odd one.v'
runs 1 "$lockstack" check odd --rtl changed --json d.json
matches "$out" 'output errno \(8 bits\).*errno comes from errno' 'the port by its name in the RTL'
matches "$(cat lockstack-out/*.gtkw)" 'TOP\.odd\.errno\[7:0\]' 'its name in the waveform'
runs 1 "$lockstack" replay "$(json d.json replay)"
matches "$out" 'DIVERGED as recorded' 'the replay'

# prove --rtl takes the changed file, too
printf 'module one (input clk, input rst, input d, output q);\n  part p (.clk(clk), .rst(rst), .d(d), .q(q));\nendmodule\n' \
  >'one more.v'
printf 'module part (input clk, input rst, input d, output reg q);\n  always @(posedge clk)%s\nendmodule\n' \
  ' if (rst) q <= 0; else q <= d;' >part.v
runs 0 "$lockstack" new one --from 'one more.v'
cat >one/one_proof.sv <<'V'
module one_proof (input logic clk, input logic rst, input logic d);
  logic q, past = 0, known = 0;
  one u_dut (.clk, .rst, .d, .q);
  always_ff @(posedge clk) begin
    past  <= d && !rst;
    known <= 1;
    if (known) follows: assert (q == past);
    if (known) up: cover (q);
  end
endmodule
V
printf '%s\n' 'property follows pdr' 'cover up 5' 'broken stuck follows ../part.v' '- q <= d' '+ q <= 0' >one/one.prove
sed 's/d(d)/d(!d)/' 'one more.v' >'changed/one more.v'
runs 0 "$lockstack" prove one
runs 1 "$lockstack" prove one --rtl changed
matches "$out" 'follows +pdr +[0-9]+ +refuted' 'a changed file with a blank in its name'
cd "$here" || exit 3

# --- modules: words of C, what C's library has, and its types
for name in int main switch printf div Vdut; do
  plain=$name
  [ $name = int ] && plain='\int '
  printf 'module %s (input clk, input rst, input [7:0] d, output reg [7:0] q);\n' "$plain" >$name.v
  printf '  always @(posedge clk) if (rst) q <= 0; else q <= d;\nendmodule\n' >>$name.v
  runs 0 "$lockstack" new $name --from $name.v
  runs 1 "$lockstack" check ./$name --no-wave
done
matches "$(cat div/div.h)" 'void div__reset\(div__t \*state\)' 'a block whose X_t is a type of C'

# --- bad input
sed 's/IN(a_b, /IN(IN_V, /' 'a földer/odd/odd.ports' >odd.ports
cp odd.ports 'a földer/odd/odd.ports'
refuses 2 'odd.ports:[0-9]+: IN_V is a word of port files; IN\(IN_V_, ...\) here' "$lockstack" check 'a földer/odd'
