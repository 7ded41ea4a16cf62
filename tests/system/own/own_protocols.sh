#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two blocks of other styles with ready-made stimulus: an AXI-Stream FIFO that drops frames, a
# timer on APB; as docs/own-block.md has them. A model that breaks its protocol is told by the
# rule; divergences shrink to inputs that keep to it. Then the stimulus that `new` writes: it finds
# interfaces by their names, and keeps to their protocols.
# timeout: 900
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

own() { # own NAME: the folder as `new` makes it of the RTL, then the files that are written by hand
  mkdir -p "$1.rtl" && cp "$source/tests/foreign/$1"/rtl/* "$1.rtl"
  runs 0 "$lockstack" new "$1" --from "$1.rtl/$1.v"
  cp "$1/$1_stim.c" "$1.written" && cp "$1/$1.ports" "$1.ports.written"
  cp "$source/tests/foreign/$1"/block/* "$1"
}
own axis_drop_fifo
matches "$out" 'clock aclk, reset aresetn \(low, sync\), outputs moore' 'the FIFO'
matches "$out" 's_axis: AXI-Stream, the block takes.*m_axis: AXI-Stream, the block offers' 'its streams'
grep -qxF 'OUT(m_axis_tdata, DATA_WIDTH, m_axis_tvalid)' axis_drop_fifo.ports.written || wrong 'when data has a meaning'
own apb_timer
matches "$out" 'psel: APB, the block serves' 'its bus'
matches "$out" 'clock pclk, reset presetn \(low, async\), outputs mealy' 'the timer'

for block in axis_drop_fifo apb_timer; do
  runs 0 "$lockstack" check $block --cycles 50000
done
for set in "1 8" "2 64" "8 1"; do
  runs 0 "$lockstack" check axis_drop_fifo --cycles 20000 --set ADDR_WIDTH=${set% *} --set DATA_WIDTH=${set#* }
done
for set in WIDTH=1 WIDTH=2 WIDTH=31; do runs 0 "$lockstack" check apb_timer --cycles 20000 --set $set; done
runs 0 "$lockstack" cover axis_drop_fifo --set ADDR_WIDTH=2 --set DATA_WIDTH=3
runs 0 "$lockstack" cover apb_timer --set WIDTH=6 --prove
runs 0 "$lockstack" mutate axis_drop_fifo --set ADDR_WIDTH=2 --set DATA_WIDTH=3 --count 60 --json m.json
equal "$(json m.json survived)" 0 'mutants of the FIFO'
runs 0 "$lockstack" mutate apb_timer --set WIDTH=4 --count 60 --json m.json
equal "$(json m.json survived)" 0 'mutants of the timer'
equal "$(json m.json environment.0)" access_selects 'what its neighbours keep to'

# A model that takes its word back: the rule is the text of the failure.
cp -r axis_drop_fifo fickle && cd fickle && for file in axis_drop_fifo*; do
  mv "$file" "${file/axis_drop_fifo/fickle}"; done
sed -i 's/axis_drop_fifo_\([a-z]\)/fickle_\1/g; s/"axis_drop_fifo\.h"/"fickle.h"/; s/struct axis_drop_fifo/struct fickle/' fickle.[ch] fickle_stim.c
cd .. && sed 's/module axis_drop_fifo/module fickle/' axis_drop_fifo.rtl/axis_drop_fifo.v >axis_drop_fifo.rtl/fickle.v
sed -i 's/axis_drop_fifo\.v/fickle.v/' fickle/fickle.yaml
runs 0 "$lockstack" check fickle --cycles 5000
sed -i 's/out->m_axis_tvalid = f->used > f->fresh;/out->m_axis_tvalid = f->used > f->fresh \&\& !f->dropped;/' \
  fickle/fickle.c
runs 1 "$lockstack" check fickle --cycles 5000 --no-wave
matches "$out" 'MODEL_ASSERT|DIVERGED' 'a model that breaks the protocol'
sed -i 's/assign m_axis_tvalid = used != fresh;/assign m_axis_tvalid = used != fresh \&\& !dropped;/' \
  axis_drop_fifo.rtl/fickle.v
runs 1 "$lockstack" check fickle --cycles 5000 --no-wave
matches "$out" 'MODEL_ASSERT.*stream: valid falls before ready' 'the rule that both break'

# A fault in the RTL, shrunk: what is left is still AXI-Stream.
mkdir changed && sed 's/fresh <= good ? 0/fresh <= good \&\& !give ? 0/' \
  axis_drop_fifo.rtl/axis_drop_fifo.v >changed/axis_drop_fifo.v
runs 1 "$lockstack" check axis_drop_fifo --rtl changed --no-wave --json d.json
equal "$(json d.json outcome)" DIVERGED 'a fault of the RTL'
[ "$(json d.json shrunk_cycles)" -le 20 ] || wrong "shrunk to $(json d.json shrunk_cycles) cycles only"
runs 1 "$lockstack" replay "$(json d.json replay)"

# --- the stimulus that `new` writes
cp axis_drop_fifo.written axis_drop_fifo/axis_drop_fifo_stim.c && cp apb_timer.written apb_timer/apb_timer_stim.c
runs 0 "$lockstack" check apb_timer --cycles 20000 --set WIDTH=4
runs 0 "$lockstack" check axis_drop_fifo --cycles 20000 --set ADDR_WIDTH=2 --set DATA_WIDTH=3
runs 0 "$lockstack" mutate axis_drop_fifo --set ADDR_WIDTH=2 --set DATA_WIDTH=3 --count 60 --json m.json
equal "$(json m.json survived)" 0 'mutants of the FIFO, as new wrote its stimulus'
runs 1 "$lockstack" check axis_drop_fifo --rtl changed --no-wave --json d.json
[ "$(json d.json shrunk_cycles)" -le 20 ] || wrong "shrunk to $(json d.json shrunk_cycles) cycles only, as new wrote its rules"

# Interfaces of each kind, several of one, both sides; the RTL says which of them changes what waits.
cat >hub.v <<'END'
module hub #(parameter N = 2, parameter W = 8, parameter FICKLE = 0) (
  input clk, input rst,
  input [N*W-1:0] s_axis_tdata, input [N-1:0] s_axis_tlast, input [N-1:0] s_axis_tvalid, output [N-1:0] s_axis_tready,
  output [99:0] m_axis_tdata, output m_axis_tvalid, input m_axis_tready,
  input [99:0] in_data, input [3:0] in_tag, input in_valid, output in_ready,
  input [7:0] s_axi_awid, input [15:0] s_axi_awaddr, input [7:0] s_axi_awlen, input s_axi_awvalid, output s_axi_awready,
  input [31:0] s_axi_wdata, input s_axi_wlast, input s_axi_wvalid, output s_axi_wready,
  output [7:0] s_axi_bid, output [1:0] s_axi_bresp, output s_axi_bvalid, input s_axi_bready,
  output [7:0] m_axil_araddr, output m_axil_arvalid, input m_axil_arready,
  input [31:0] m_axil_rdata, input [1:0] m_axil_rresp, input m_axil_rvalid, output m_axil_rready,
  input psel, input penable, input pwrite, input [7:0] paddr, input [31:0] pwdata, output pready, output [31:0] prdata,
  input i_wb_cyc, input i_wb_stb, input i_wb_we, input [7:0] i_wb_addr, output o_wb_stall, output o_wb_ack,
  output wbm_cyc_o, output wbm_stb_o, output wbm_we_o, output [7:0] wbm_adr_o, input [7:0] wbm_dat_i, input wbm_ack_i,
  input half_psel, input [2:0] mode,
  output reg [6:0] bad
);
  reg [7:0] count;
  wire go = count[2];
  assign s_axis_tready = {N{go}}, in_ready = go, s_axi_awready = go, s_axi_wready = go, pready = go, o_wb_stall = ~go;
  assign m_axis_tdata = 0, m_axis_tvalid = FICKLE ? count[0] : 1'b0;
  assign s_axi_bid = 0, s_axi_bresp = 0, s_axi_bvalid = 0, m_axil_araddr = 0, m_axil_arvalid = 0, m_axil_rready = go;
  assign prdata = 0, o_wb_ack = 0, wbm_cyc_o = 0, wbm_stb_o = 0, wbm_we_o = 0, wbm_adr_o = 0;

  // What waits stays, and does not change.
  reg [7:0] waits;
  reg [W:0] lane;
  reg [103:0] in_was;
  reg [31:0] aw_was;
  reg [32:0] w_was;
  reg [41:0] p_was;
  reg [8:0] wb_was;
  always @(posedge clk)
    if (rst) begin
      count <= 0; waits <= 0; bad <= 0;
    end else begin
      count <= count + 1;
      waits <= {wbm_ack_i, m_axil_rvalid, i_wb_stb, psel & penable, s_axi_wvalid, s_axi_awvalid, in_valid, s_axis_tvalid[N-1]} & {8{~go}};
      lane <= {s_axis_tlast[N-1], s_axis_tdata[N*W-1 -: W]};
      in_was <= {in_data, in_tag};
      aw_was <= {s_axi_awid, s_axi_awaddr, s_axi_awlen};
      w_was <= {s_axi_wdata, s_axi_wlast};
      p_was <= {penable, pwrite, paddr, pwdata};
      wb_was <= {i_wb_we, i_wb_addr};
      if (waits[0] & {1'b1, lane} != {s_axis_tvalid[N-1], s_axis_tlast[N-1], s_axis_tdata[N*W-1 -: W]}) bad[0] <= 1;
      if (waits[1] & {1'b1, in_was} != {in_valid, in_data, in_tag}) bad[1] <= 1;
      if (waits[2] & {1'b1, aw_was} != {s_axi_awvalid, s_axi_awid, s_axi_awaddr, s_axi_awlen}) bad[2] <= 1;
      if (waits[3] & {1'b1, w_was} != {s_axi_wvalid, s_axi_wdata, s_axi_wlast}) bad[3] <= 1;
      if (waits[4] & {1'b1, p_was} != {psel, penable, pwrite, paddr, pwdata}) bad[4] <= 1;
      if (waits[5] & {1'b1, wb_was} != {i_wb_stb, i_wb_we, i_wb_addr}) bad[5] <= 1;
      if (i_wb_stb & ~i_wb_cyc) bad[5] <= 1;
      if (m_axil_rvalid | wbm_ack_i) bad[6] <= 1; // nobody asked
    end
endmodule
END
runs 0 "$lockstack" new hub --from hub.v --json n.json
equal "$(for i in 0 1 2 3 4 5 6 7; do printf '%s: %s\n' "$(json n.json interfaces.$i.name)" "$(json n.json interfaces.$i.protocol)"; done)" \
  's_axi: AXI4, the block serves
m_axil: AXI4-Lite, the block asks
s_axis: AXI-Stream, the block takes
m_axis: AXI-Stream, the block offers
psel: APB, the block serves
wb: Wishbone, the block serves
wbm: Wishbone, the block asks
in: ready/valid, the block takes' 'interfaces'
matches "$out" 'half: looks like APB, and lacks signals of it.*: its inputs are random' 'a select without an enable'
for line in 'IN(s_axi_wdata, 32, s_axi_wvalid)' 'OUT_V(m_axis_tdata, 100, m_axis_tvalid)' 'IN(s_axis_tdata, N * W, always)' \
  'OUT(prdata, 32, pready)' 'OUT(wbm_adr_o, 8, wbm_stb_o)' 'IN(in_tag, 4, always)' 'IN(half_psel, 1, always)'; do
  grep -qxF "$line" hub/hub.ports || wrong "no line $line in $(cat hub/hub.ports)"
done
runs 1 "$lockstack" check hub --no-wave --cycles 100
matches "$out" 'hub_eval in hub.c is to be written' 'the model that is to be written'
[[ $err != *warning* ]] || wrong "a warning of what is written: $err"
sed -i '/assert(!"/d; s/\(out->[a-z_]*ready\) = 0;/\1 = state->cycles >> 2 \& 1;/
  s/\(out->s_axis_tready\) = .*/\1 = (state->cycles >> 2 \& 1) * ((1 << N) - 1);/
  s/\(out->o_wb_stall\) = 0/\1 = !(state->cycles >> 2 \& 1)/
  s/\(out->m_axis_tvalid\) = 0/\1 = FICKLE \&\& state->cycles \& 1/' hub/hub.c
runs 0 "$lockstack" check hub --cycles 30000
runs 1 "$lockstack" check hub --no-wave --set FICKLE=1
matches "$out" 'MODEL_ASSERT.*stream: valid falls before ready' 'an output that takes its word back'
sed -i 's/if (traffic_offer(t, &s->in_, last->in_ready, true))/traffic_offer(t, \&s->in_, last->in_ready, true);/' hub/hub_stim.c
runs 1 "$lockstack" check hub --no-wave
matches "$out" 'output bad .*rtl +0x02' 'a stimulus that changes what waits'
