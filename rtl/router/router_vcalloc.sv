// SPDX-License-Identifier: Apache-2.0
//
// router_vcalloc -- VC allocation: packets get free VCs at their output
// port, by iSLIP with one iteration.
//
//   req, out_port --> at: requests --> grant: an output VC --> accept: an input VC --> gnt, take
//                     per output       picks one (above)       takes one (vc_above)
//
// All outputs are valid in the cycle of the inputs. The round-robin pointers move at its end, and
// only those of partners that found each other. After reset input VC 0 and output VC 0 come first.
//
// An input VC asks for VCs of one port only, so it meets at most V pickers. Each output VC picks
// among the P * V input VCs. The accept step works on V vectors over all input VCs at once.
//
// A pointer is kept as the mask of all that lies above the last partner. An input
// VC's mask counts only while the VC asks for the port of its last partner. At
// another port no VC, or every VC, lies above.

`default_nettype none

module router_vcalloc #(
  parameter  int Ports   = 5,                      // ports, 2 to 16
  parameter  int NumVCs  = 2,                      // normal VCs of a port, all classes, 1 to 16
  parameter  int Classes = 1,                      // message classes, 1 or 2
  parameter  int Tr      = 0,                      // 1: a priority buffer per class
  parameter  int KeepVC  = 0,                      // 1: packets keep the number of their VC
  parameter  int PrioAcross = 0,                   // 1: priority buffers go first between ports, too
  localparam int V       = NumVCs + Tr * Classes,  // VCs of a port, at most 16
  localparam int N       = Ports * V,              // input VCs, and output VCs, at most 64
  localparam int PortW   = router_pkg::ROUTE_W,    // bits of a port's number
  localparam int VcW     = router_pkg::VC_W        // bits of a VC's number
) (
  input  wire logic               clk_i,        // router clock
  input  wire logic               rst_ni,       // asynchronous, active low
  // From the input ports
  input  wire logic [N-1:0]       req_i,        // bit i: the packet of input VC i has no output VC
  input  wire logic [N-1:0]       div_i,        // bit i: the packet is divergent
  input  wire logic [PortW*N-1:0] out_port_i,   // PortW an input VC: output that it wants
  input  wire logic [12*N-1:0]    level_i,      // 12 bits an input VC; higher wins
  // From the output ports
  input  wire logic [N-1:0]       taken_i,      // bit k: a packet holds output VC k
  input  wire logic [N-1:0]       space_i,      // bit k: output VC k has a credit
  // To the input ports
  output      logic [N-1:0]       elig_o,       // bit i: a candidate of i has a credit
  output      logic [N-1:0]       gnt_o,        // bit i: input VC i gets an output VC
  output      logic [N-1:0]       gnt_space_o,  // bit i: and that has a credit
  output      logic [VcW*N-1:0]   gnt_vc_o,     // VcW an input VC: its number; 0 without gnt_o
  // To the output ports
  output      logic [N-1:0]       take_o        // bit k: output VC k is given away
);

  localparam int PER_CLASS = NumVCs / Classes;  // normal VCs of a class
  localparam int LEVEL_BITS = 12;
  localparam int CHUNKS = (N + 15) / 16;      // of 16 input VCs, whose 4-bit numbers fill 64 bits

  initial if (Ports < 2 || Ports > 16 || V > 16 || N > 64)
    $fatal(1, "Ports is 2..16, VCs of a port at most 16, of all at most 64");
  initial if (Classes * PER_CLASS != NumVCs) $fatal(1, "Classes divides NumVCs");
  initial if (KeepVC != 0 && Tr != 0) $fatal(1, "KeepVC goes without Tr");
  initial if (PortW != 4 || VcW != 4) $fatal(1, "port and VC numbers have 4 bits: transpose and give shift by them");

  // Input VCs whose number is v, of all ports.
  function automatic logic [N-1:0] numbered(input int v);
    numbered = '0;
    for (int ip = 0; ip < Ports; ip++) numbered[ip * V + v] = 1'b1;
  endfunction

  // Input VCs of class c, of all ports.
  function automatic logic [N-1:0] of_class(input int c);
    of_class = '0;
    for (int i = 0; i < N; i++) if ((i % V < NumVCs ? i % V / PER_CLASS : i % V - NumVCs) == c) of_class[i] = 1'b1;
  endfunction

  // Bits 0, 4, 8 .. of x side by side, and back: wires in hardware, a few
  // operations on words in simulation.
  function automatic logic [15:0] gather(input logic [63:0] x);
    logic [63:0] y;
    y      = x & 64'h1111_1111_1111_1111;
    y      = (y | (y >> 3))  & 64'h0303_0303_0303_0303;
    y      = (y | (y >> 6))  & 64'h000f_000f_000f_000f;
    y      = (y | (y >> 12)) & 64'h0000_00ff_0000_00ff;
    gather = y[15:0] | y[39:24];
  endfunction

  function automatic logic [63:0] spread(input logic [15:0] x);
    spread = {24'd0, x[15:8], 24'd0, x[7:0]};
    spread = (spread | (spread << 12)) & 64'h000f_000f_000f_000f;
    spread = (spread | (spread << 6))  & 64'h0303_0303_0303_0303;
    spread = (spread | (spread << 3))  & 64'h1111_1111_1111_1111;
  endfunction

  // Those of some requesters that have the highest level: bit by bit, for all at once. If one that
  // is left has bit b, those without bit b drop out.
  function automatic logic [N-1:0] highest(input logic [N-1:0] who, input logic [LEVEL_BITS*N-1:0] level);
    // verilator no_inline_task
    logic [N-1:0] have;
    highest = who;
    for (int b = LEVEL_BITS - 1; b >= 0; b--) begin
      have = '0;
      for (int i = N - 1; i >= 0; i--) have = {have[N-2:0], level[LEVEL_BITS * i + b]};
      if (|(highest & have)) highest = highest & have;
    end
  endfunction

  // The pointers, as masks.
  logic [N*N-1:0] above_d, above_q;           // row = output VC: input VCs above its last partner
  logic [V*N-1:0] vc_above_d, vc_above_q;     // row = w: input VCs whose last partner is a VC below w
  logic [4*N-1:0] last_d, last_q;             // row = bit: port of each input VC's last partner

  // A priority buffer's bit counts inside its port only: a port's packet
  // without the bit gives way to one with it.
  localparam int  PRIO_BIT = 4;               // of a level (router_level)
  localparam bit  INSIDE   = Tr != 0 && PrioAcross == 0;
  logic [LEVEL_BITS*N-1:0] across;            // levels between ports
  logic [N-1:0]            prio;              // the level has the bit

  always_comb begin
    across = level_i;
    prio   = '0;
    for (int i = 0; i < N; i++) begin
      prio[i] = level_i[LEVEL_BITS * i + PRIO_BIT];
      if (INSIDE) across[LEVEL_BITS * i + PRIO_BIT] = 1'b0;
    end
  end

  // Per port: those with the bit, or all if none has it.
  function automatic logic [N-1:0] yielded(input logic [N-1:0] who, input logic [N-1:0] has);
    yielded = who;
    for (int ip = 0; ip < Ports; ip++) begin
      if (|(who[ip * V +: V] & has[ip * V +: V])) yielded[ip * V +: V] = who[ip * V +: V] & has[ip * V +: V];
    end
  endfunction

  // The output ports, transposed, so that a port is compared for all input VCs at once.
  logic [4*N-1:0] port;                       // row = bit of the output port, column = input VC

  logic [64*CHUNKS-1:0] ports_padded;
  always_comb begin : transpose
    port         = '0;
    ports_padded = (64 * CHUNKS)'(out_port_i);
    for (int b = 0; b < 4; b++) begin
      for (int k = 0; k < CHUNKS; k++)
        port[b * N +: N] = port[b * N +: N] | N'(64'(gather(ports_padded[64 * k +: 64] >> b)) << (16 * k));
    end
  end

  // Grant: the input VC that each output VC picks.
  logic [Ports*N-1:0] at;                     // row = output port: input VCs that ask for it
  logic [V*N-1:0]     picked;                 // row = w: input VCs picked by VC w of their port
  logic [N-1:0]       who, best, pick;
  logic               room;                   // the class's priority buffer is free and has a credit

  // Candidates of output VC w, their best, then the first at or above its pointer. Normal VCs of a
  // class have the same candidates, which are found once. With Tr a class's packets part by room:
  // all but the divergent ones go to the priority buffer alone while it has room, else all go to
  // the normal VCs. A priority buffer is given away only with a credit. A normal VC may be given
  // without one; its packet is active then, and waits.
  always_comb begin : grant
    for (int op = 0; op < Ports; op++) begin
      at[op * N +: N] = req_i & ~((port[0 +: N] ^ {N{op[0]}}) | (port[N +: N] ^ {N{op[1]}}) |
                                  (port[2 * N +: N] ^ {N{op[2]}}) | (port[3 * N +: N] ^ {N{op[3]}}));
    end
    picked = '0;
    elig_o = '0;
    who    = '0;
    best   = '0;
    pick   = '0;
    room   = 1'b0;
    for (int op = 0; op < Ports; op++) begin
      if (|at[op * N +: N]) begin
        for (int w = 0; w < V; w++) begin
          if (KeepVC != 0 || w >= NumVCs || w % PER_CLASS == 0) begin  // else the same as for the VC before
            who = at[op * N +: N];
            if (KeepVC != 0) begin
              who = who & numbered(w);
            end else if (w >= NumVCs) begin
              who = who & of_class(w - NumVCs) & ~div_i;
            end else begin
              if (Tr != 0) room = !taken_i[op * V + NumVCs + w / PER_CLASS] && space_i[op * V + NumVCs + w / PER_CLASS];
              who = who & of_class(w / PER_CLASS) & (div_i | {N{!room}});
            end
            best = who;
            if (|(who & (who - 1'b1)) && |level_i) begin
              best = highest(who, across);
              if (INSIDE) best = yielded(best, prio);
            end
          end
          if (!taken_i[op * V + w] && (w < NumVCs || space_i[op * V + w])) begin
            elig_o             = elig_o | (who & {N{space_i[op * V + w]}});
            pick               = best & above_q[(op * V + w) * N +: N];
            if (!(|pick)) pick = best;
            picked[w * N +: N] = picked[w * N +: N] | (pick & (~pick + 1'b1));
          end
        end
      end
    end
  end

  // Accept: of the VCs that picked it, every input VC takes the first above its
  // last partner. All input VCs do so at once. Row w of the new pointers has the input VCs whose
  // partner is below w, so those seen before w. An input VC without a partner keeps its bits.
  logic [N-1:0]   same;                       // asks for the port of its last partner
  logic [V*N-1:0] accept;                     // row = w
  logic [N-1:0]   late, seen, turn;

  always_comb begin : choose
    same = ~((port[0 +: N] ^ last_q[0 +: N]) | (port[N +: N] ^ last_q[N +: N]) |
             (port[2 * N +: N] ^ last_q[2 * N +: N]) |
             (port[3 * N +: N] ^ last_q[3 * N +: N]));
    late   = '0;                              // late: some picker lies above
    seen   = '0;
    turn   = '0;
    accept = '0;
    vc_above_d = vc_above_q;
    for (int w = 0; w < V; w++) late = late | (picked[w * N +: N] & vc_above_q[w * N +: N] & same);
    gnt_o = '0;
    for (int w = 0; w < V; w++) gnt_o = gnt_o | picked[w * N +: N];
    for (int w = 0; w < V; w++) begin
      turn = picked[w * N +: N] & ((vc_above_q[w * N +: N] & same) | ~late);
      accept[w * N +: N]     = turn & ~seen;
      vc_above_d[w * N +: N] = seen | (vc_above_q[w * N +: N] & ~gnt_o);
      seen = seen | turn;
    end
    for (int b = 0; b < 4; b++) last_d[b * N +: N] = (port[b * N +: N] & gnt_o) | (last_q[b * N +: N] & ~gnt_o);
  end

  // What is given: for each output VC the input VC that takes it, and the
  // numbers for the input VCs. Only an output VC that is accepted moves its pointer, so a pick in
  // vain costs nobody a turn.
  logic [N-1:0]         win;
  logic [16*CHUNKS-1:0] chosen;               // input VCs whose new VC has bit b in its number
  logic [64*CHUNKS-1:0] numbers;

  always_comb begin : give
    take_o      = '0;
    gnt_space_o = '0;
    above_d     = above_q;
    win         = '0;
    chosen      = '0;
    numbers     = '0;
    for (int w = 0; w < V; w++) begin
      if (|accept[w * N +: N]) begin
        for (int op = 0; op < Ports; op++) begin
          win = accept[w * N +: N] & at[op * N +: N];
          if (|win) begin
            take_o[op * V + w]             = 1'b1;
            gnt_space_o                    = gnt_space_o | (win & {N{space_i[op * V + w]}});
            above_d[(op * V + w) * N +: N] = ~(win | (win - 1'b1));
          end
        end
      end
    end
    for (int b = 0; b < 4; b++) begin
      chosen = '0;
      for (int w = 0; w < V; w++) if (w[b]) chosen = chosen | (16 * CHUNKS)'(accept[w * N +: N]);
      for (int k = 0; k < CHUNKS; k++)
        numbers[64 * k +: 64] = numbers[64 * k +: 64] | (spread(chosen[16 * k +: 16]) << b);
    end
    gnt_vc_o = (VcW * N)'(numbers);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      above_q    <= '0;
      vc_above_q <= '0;
      last_q     <= '0;
    end else begin
      above_q    <= above_d;
      vc_above_q <= vc_above_d;
      last_q     <= last_d;
    end
  end

`ifndef SYNTHESIS
  // Only requests are granted, and only free VCs are given away.
  always @(posedge clk_i) if (rst_ni) begin
    assert ((gnt_o & ~req_i) == '0);
    assert ((elig_o & ~req_i) == '0);
    assert ((gnt_space_o & ~gnt_o) == '0);
    assert ((take_o & taken_i) == '0);        // no VC is given twice
  end
`endif
endmodule

`default_nettype wire
