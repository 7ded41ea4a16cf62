#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# RTL in VHDL, which ghdl synthesises: a counter of three files in a library of its own, through
# every verb, and what is wrong with VHDL in one line. Operators of VHDL against a model in C.
# timeout: 900
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
foreign=$source/tests/foreign
cp -r "$foreign/vhdl_counter/rtl" .

# --- without ghdl
mkdir no_ghdl && ln -s /usr/bin/* no_ghdl/ && rm -f no_ghdl/ghdl*
refuses 3 '^lockstack: ghdl is not installed: package ghdl has it$' \
  env "PATH=$PWD/no_ghdl" "$lockstack" new vhdl_counter --from rtl/vhdl_counter.vhd
command -v ghdl >/dev/null || skip 'ghdl is not installed'

# --- new: packages and entities in their order, generics as parameters, fields of a record as ports
runs 0 "$lockstack" new vhdl_counter --from rtl/vhdl_counter.vhd --json n.json
matches "$out" '8 ports, 4 parameters, clock Clk, reset Rst_N \(low, async\), outputs moore' 'what it is'
matches "$out" 'parameter LABEL_OF is of type string: no PARAM' 'a generic that is no number'
matches "$(tr -d '\n' <vhdl_counter/vhdl_counter.yaml)" 'counter_pkg.vhd.*phases.vhd.*vhdl_counter.vhd' 'the order of the files'
matches "$(cat vhdl_counter/vhdl_counter.ports)" 'PARAM\(SATURATE, 0, 0, 1, ' 'a boolean'
matches "$(cat vhdl_counter/vhdl_counter.ports)" 'OUT\(count, WIDTH, always\)' 'a width by a generic'
matches "$(cat vhdl_counter/vhdl_counter.ports)" 'IN\(Command_value, 8, always\)' 'a field of a record'
runs 1 "$lockstack" check vhdl_counter --no-wave --json c.json
equal "$(json c.json outcome)" MODEL_ASSERT 'a model that is not written'

printf 'rtl/vhdl_counter.vhd\nrtl/phases.vhd\n' >list.f
runs 0 "$lockstack" new Phases --filelist list.f --set LIMIT=5
matches "$out" 'what the entity needs of 2 files of VHDL' 'a list'

# --- an assertion of the VHDL: the scaffold's stimulus loads what it forbids
mv vhdl_counter/vhdl_counter_stim.c random_stim.c
cp "$foreign"/vhdl_counter/block/* vhdl_counter && mv vhdl_counter/vhdl_counter_stim.c written_stim.c
cp random_stim.c vhdl_counter/vhdl_counter_stim.c
runs 1 "$lockstack" check vhdl_counter --no-wave --json a.json
equal "$(json a.json outcome)" DUT_ASSERT 'an assertion'
matches "$out" 'vhdl_counter\.vhd:45' 'its line'

# --- every verb
cp written_stim.c vhdl_counter/vhdl_counter_stim.c
runs 0 "$lockstack" check vhdl_counter --cycles 20000
runs 0 "$lockstack" check vhdl_counter --cycles 20000 --set WIDTH=5 --set STEP=-3 --set SATURATE=1 --set START=9
for dut in netlist icarus; do runs 0 "$lockstack" check vhdl_counter --cycles 4000 --dut $dut; done
runs 0 "$lockstack" prove vhdl_counter --first
matches "$out" 'broken +too_far / phases .*refuted' 'a fault that the proof sees'
runs 0 "$lockstack" cover vhdl_counter --json v.json
matches "$out" 'lines of VHDL are not measured' 'lines'
equal "$(json v.json line.points)" 0 'lines'
[ "$(json v.json toggle.points)" -gt 30 ] || wrong 'bits of signals'
"$lockstack" mutate vhdl_counter --set WIDTH=4 --count 12 --json m.json >/dev/null 2>&1 # a slow machine proves fewer
equal "$(json m.json survived)" 0 'mutants that survive'
matches "$(json m.json mutants.0.source)" 'rtl/[a-z_]*\.vhd:[0-9]+' 'the place of a mutant'
runs 0 "$lockstack" area vhdl_counter
runs 0 "$lockstack" faults vhdl_counter --count 40 --jobs 1 --json f.json
matches "$out" 'counts\.' 'a register by its instance'

# --- a fault in the VHDL: its names, its file
mkdir changed && sed 's/now = LIMIT - 1/now = LIMIT - 2/' rtl/phases.vhd >changed/phases.vhd
runs 1 "$lockstack" check vhdl_counter --rtl changed --json d.json
equal "$(json d.json failure.port)" phase 'the wrong port'
matches "$out" 'phase comes from counts\.phase .*phases\.vhd' 'what drives it'
runs 1 "$lockstack" replay "$(json d.json replay)"

# --- an edit is seen
cp rtl/phases.vhd phases.kept && cp changed/phases.vhd rtl/phases.vhd
runs 1 "$lockstack" check vhdl_counter --cycles 20000 --no-wave --json d.json
equal "$(json d.json outcome)" DIVERGED 'an edited file'
cp phases.kept rtl/phases.vhd
runs 0 "$lockstack" check vhdl_counter --cycles 20000

# --- operators, constants, memories and selections, by the rules of VHDL
mkdir ops && cp "$foreign"/vhdl_ops/rtl/* "$foreign"/vhdl_ops/block/* ops
printf 'suffixes: none\n' >ops/vhdl_ops.yaml
for dut in rtl icarus; do runs 0 "$lockstack" check ops --cycles 4000 --dut $dut; done

# --- what is wrong, in one line
says() { # says PATTERN WHAT ARGUMENTS...
  refuses 2 "$1" "$lockstack" "${@:3}"
}
mkdir bad && cp rtl/* bad
says 'phases\.vhd: has no entity stages; there are phases' 'another name' new stages --from bad/phases.vhd
says 'phases\.vhd:[0-9]+: generic LIMIT has no value; --set LIMIT=VALUE would be right' 'a generic without a value' \
  new phases --from bad/phases.vhd
says 'phases\.vhd:[0-9]+: LIMIT = 0 is no value of generic LIMIT \(positive\)' 'a value that the type does not have' \
  new phases --from bad/phases.vhd --set LIMIT=0
says 'set DEPTH: module phases has no such parameter' 'no such generic' \
  new phases --from bad/phases.vhd --set LIMIT=3 --set DEPTH=0
sed -i 's/now <= now + 1;/now <= now + ;/' bad/phases.vhd
says "phases\.vhd:$(grep -n 'now + ;' bad/phases.vhd | cut -d: -f1): " 'a syntax error' \
  new phases --from bad/phases.vhd --set LIMIT=3
rm bad/counter_pkg.vhd
says 'vhdl_counter\.vhd:[0-9]+: no file that is read has counters\.counter_pkg; --file FILE' 'a missing package' \
  new Vhdl_Counter --from bad/vhdl_counter.vhd --no-find
mkdir elsewhere && sed 's/package counter_pkg/-- another one\n&/' rtl/counter_pkg.vhd >elsewhere/counter_pkg.vhd
says 'has counters\.counter_pkg, and two of .* have it: --file .*/elsewhere/counter_pkg\.vhd or --file .*/rtl/counter_pkg' \
  'two of them' new Vhdl_Counter --from bad/vhdl_counter.vhd
rm elsewhere/counter_pkg.vhd
# What one file of the project around has is found: a package, and the entity of a component that the
# netlist has; not of one that it has not.
cat >elsewhere/outer.vhd <<'END'
library ieee; use ieee.std_logic_1164.all; use work.widths.all;
entity outer is
  port (clk : in std_logic; d : in std_logic_vector(W - 1 downto 0); q : out std_logic_vector(W - 1 downto 0));
end;
architecture rtl of outer is
  component inner is port (clk, d : in std_logic; q : out std_logic); end component;
  component absent is port (clk : in std_logic); end component;
begin
  bits : for i in d'range generate u : inner port map (clk, d(i), q(i)); end generate;
  never : if W = 0 generate u : absent port map (clk); end generate;
end;
END
mkdir elsewhere/deep elsewhere/vendor
echo 'package widths is constant W : natural := 3; end package;' >elsewhere/deep/widths.vhd
cat >elsewhere/deep/inside.vhdl <<'END'
library ieee; use ieee.std_logic_1164.all;
entity inner is port (clk, d : in std_logic; q : out std_logic); end;
architecture rtl of inner is begin q <= d when rising_edge(clk); end;
END
cat >elsewhere/vendor/absent.vhd <<'END'
library ieee, vendor; use ieee.std_logic_1164.all; use vendor.cells.all;
entity absent is port (clk : in std_logic); end;
END
runs 0 "$lockstack" new outer --from elsewhere/outer.vhd
matches "$out" 'found: widths in .*/elsewhere/deep/widths\.vhd' 'a package of the project'
matches "$out" 'found: inner in .*/elsewhere/deep/inside\.vhdl' 'an entity of the project'
matches "$(cat outer/outer.ports)" 'IN\(d, 3, always\)' 'the width that the package says'
rm -r outer
says 'outer\.vhd:1: no file that is read has work\.widths; --file FILE' 'not found by itself' new outer --from elsewhere/outer.vhd --no-find
echo 'module other; endmodule' >bad/other.v
says 'other\.v: is Verilog, and other files of the block are VHDL' 'two languages' \
  new phases --from bad/phases.vhd --file bad/other.v --set LIMIT=3
cat >bad/bus.vhd <<'END'
library ieee; use ieee.std_logic_1164.all;
entity bus_of is port (clk, drive : in std_logic; wire_io : inout std_logic; seen : out std_logic); end;
architecture rtl of bus_of is begin
  wire_io <= '1' when drive = '1' else 'Z';
  seen <= wire_io;
end;
END
says 'bus\.vhd:[0-9]+: .*inout' 'a port of both directions' new bus_of --from bad/bus.vhd
cat >bad/latch.vhd <<'END'
library ieee; use ieee.std_logic_1164.all;
entity latch is port (en, d : in std_logic; q : out std_logic); end;
architecture rtl of latch is begin
  process (all) begin if en = '1' then q <= d; end if; end process;
end;
END
says 'latch\.vhd:4: latch infered' 'a latch' new latch --from bad/latch.vhd
equal "$(ls -A -d bus_of latch phases stages .*.* 2>/dev/null)" '' 'nothing half-written'
