# SPDX-License-Identifier: Apache-2.0
#
# RTL that Yosys cannot read: it reads Verilog 2005 of what Verilator elaborated, on each device and
# in each verb that needs Yosys, and says so. timeout: 900
source "$(dirname "$0")/../lib.sh"

cp -r "$source/tests/foreign/burst/rtl" .
runs 0 "$lockstack" new burst --from rtl/burst.sv
cp "$source"/tests/foreign/burst/block/* burst
yosys -q -p 'read_verilog -sv rtl/burst.sv' >/dev/null 2>&1 && { echo 'this Yosys reads it all'; exit 0; }

# --- the text is the RTL: Verilator's device of it, Yosys' gates and Yosys' simulator of it
for dut in netlist cxxrtl; do
  runs 0 "$lockstack" check burst --cycles 4000 --dut $dut
  matches "$(tail -n 1 <<<"$out")" '^PASS burst: .*, read by Yosys as Verilog 2005, ' "the verdict on $dut"
  matches "$out" 'EMITTED .*/rtl/burst.sv:[0-9]+: an unpacked array of structs, of which Yosys keeps one element' "the reason on $dut"
done
runs 0 "$lockstack" check burst --cycles 4000 --dut netlist --set Depth=7

# --- verbs that give Yosys the RTL; mutants have lines of the RTL
runs 0 "$lockstack" area burst
matches "$out$err" 'Yosys reads burst as Verilog 2005 of what Verilator elaborated \(.*burst.sv:[0-9]+: an unpacked array' 'area says so'
runs 0 "$lockstack" mutate burst --count 20 --json m.json
equal "$(json m.json score)" 1.0 'mutants'
matches "$(json m.json mutants.0.source)" '/rtl/burst.sv:[0-9]+$' "a mutant's line"

# --- a wrong text is seen: the device is built of it, not of the RTL
mkdir changed
sed 's/if (bits\[i\]) return/if (!bits[i]) return/' rtl/burst.sv >changed/burst.sv
for dut in emitted netlist; do
  runs 1 "$lockstack" check burst --rtl changed --cycles 4000 --dut $dut --no-wave
  matches "$out" 'first' "the port that is wrong on $dut"
done

# --- the clock of such RTL is judged by the text: an edge that Yosys' devices do not take is no divergence
sed 's/always_ff @(posedge clk/always_ff @(negedge clk/' rtl/burst.sv >changed/burst.sv
refuses 2 'burst.sv:[0-9:]+ this register waits for the falling edge of the clock, which device netlist does not take' \
  "$lockstack" check burst --rtl changed --cycles 100 --dut netlist
sed 's/assign send_o  = /assign send_o = clk \&\& /' rtl/burst.sv >changed/burst.sv
refuses 2 "burst.sv:[0-9:]+ output send_o depends on the clock's level" \
  "$lockstack" check burst --rtl changed --cycles 100 --dut netlist

# --- what neither can read: the reason, and the place of what cannot be written
sed 's/always_comb turned_o = .*/always_comb turned_o = 4'"'"'($urandom);/' rtl/burst.sv >changed/burst.sv
runs 2 "$lockstack" check burst --rtl changed --cycles 100 --dut netlist
matches "$err" 'burst.sv:[0-9]+: an unpacked array of structs.*; and not as Verilog 2005: .*burst.sv:[0-9]+: .* cannot be written' 'both reasons'

# --- FORMAL of a project's own code is none of the mutants'
mkdir formal
cat >formal/plain.sv <<'EOF'
module plain (input logic clk, input logic rst, input logic d_i, output logic q_o);
  always_ff @(posedge clk) q_o <= !rst && d_i;
`ifdef FORMAL
  initial $finish;
`endif
endmodule
EOF
runs 0 "$lockstack" new plain --from formal/plain.sv
sed -i '/assert(!"/d; s/out->q = 0;/out->q = state->q;/' plain/plain.c
sed -i 's/state->cycles++;/state->q = in->d;/; s/(void)in;//' plain/plain.c
sed -i 's/uint64_t cycles;.*/bool q;/' plain/plain.h
runs 0 "$lockstack" mutate plain --count 10
