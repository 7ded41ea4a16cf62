// SPDX-License-Identifier: Apache-2.0
//
// move_engine -- register move engine of a subcore: copies registers between the far-bank and the
// near-bank register file (MPU paper, IV-B1).
//
// One move at a time, row by row:
//
//         to near       frf_gnt      a cycle       dn_take        cp_valid
//   IDLE --------> FETCH -----> ROW ------> SEND -----> LANDS ----------------> over
//    |                                       ^            |  mr_valid, to far
//    +---------------------------------------+            +----> STORE --fwr_gnt--> over
//      to far, and for the LSU                            |  mr_valid, for the LSU
//                                                         +----> IDLE, with dt_valid_o
//
//   over: IDLE with done_o; or a wide register's second row, from FETCH (near) or SEND (far)
//
// SEND shows REGW (to near) or RMV. done_o or dt_valid_o is high for one cycle, in which the engine
// is IDLE. gnt_o is high in the cycle of the request.

`default_nettype none

module move_engine #(
  parameter int MoveId = 255  // message id of moves, used by nothing else, 0 to 255
) (
  input  wire logic                          clk_i,        // core clock
  input  wire logic                          rst_ni,       // asynchronous, active low
  input  wire logic [lsu_pkg::NBU_W-1:0]     nbu_id_i,     // near-bank unit of this subcore; constant
  // From the offload engine
  input  wire logic                          mv_req_i,     // a move; stays until gnt_o[0]
  input  wire logic [lsu_pkg::WARP_W-1:0]    mv_warp_i,    // its warp
  input  wire logic [lsu_pkg::REG_W-1:0]     mv_reg_i,     // its (first) register
  input  wire logic                          mv_wide_i,    // 1: two rows, mv_reg_i and the next
  input  wire logic                          mv_near_i,    // 1: to the near-bank file, 0: to the far one
  // From the LSU
  input  wire logic                          need_data_i,  // a near-bank row is wanted, until dt_valid_o
  input  wire logic [lsu_pkg::WARP_W-1:0]    need_warp_i,  // its warp
  input  wire logic [lsu_pkg::REG_W-1:0]     need_reg_i,   // its register
  // To both: 0 the offload engine, 1 the LSU
  output      logic [1:0]                    gnt_o,        // same cycle: the move begins in the next one
  // To the offload engine and the track table
  output      logic                          done_o,       // one cycle: a move of the offload engine is over
  output      logic [lsu_pkg::WARP_W-1:0]    done_warp_o,  // its warp
  output      logic [lsu_pkg::REG_W-1:0]     done_reg_o,   // its first register
  output      logic                          done_near_o,  // 1: the near-bank copy is new
  // To the LSU
  output      logic                          dt_valid_o,   // one cycle: the LSU's row
  output      logic [lsu_pkg::ROW_BITS-1:0]  dt_data_o,    // 32 words
  // Far-bank register file: read
  output      logic                          frf_req_o,    // a row is wanted, until frf_gnt_i
  output      logic [lsu_pkg::WARP_W-1:0]    frf_warp_o,   // its warp
  output      logic [lsu_pkg::REG_W-1:0]     frf_reg_o,    // its register
  input  wire logic                          frf_gnt_i,    // same cycle: the row comes in the next one
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  frf_data_i,   // the row
  // Far-bank register file: write
  output      logic                          fwr_valid_o,  // a row to write, until fwr_gnt_i
  output      logic [lsu_pkg::WARP_W-1:0]    fwr_warp_o,   // its warp
  output      logic [lsu_pkg::REG_W-1:0]     fwr_reg_o,    // its register
  output      logic [lsu_pkg::ROW_BITS-1:0]  fwr_data_o,   // 32 words
  input  wire logic                          fwr_gnt_i,    // the row is written
  // To and from the near-bank unit
  output      logic                          dn_valid_o,   // a message; stays until dn_take_i
  output      logic [lsu_pkg::BEAT_BITS-1:0] dn_hdr_o,     // REGW or RMV, id MoveId
  output      logic [lsu_pkg::ROW_BITS-1:0]  dn_data_o,    // REGW: the row; RMV: 0
  input  wire logic                          dn_take_i,    // takes the message
  input  wire logic                          cp_valid_i,   // a CPL with id MoveId: the row has landed
  input  wire logic                          mr_valid_i,   // an MVR with id MoveId: the row comes
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  mr_data_i     // 32 words
);

  localparam logic [2:0] IDLE = 3'd0, FETCH = 3'd1, ROW = 3'd2, SEND = 3'd3, LANDS = 3'd4, STORE = 3'd5;

  // The move under way.
  logic [2:0]                   phase_d, phase_q;
  logic                         lsu_d, lsu_q;             // the move is the LSU's
  logic [lsu_pkg::WARP_W-1:0]   warp_d, warp_q;
  logic [lsu_pkg::REG_W-1:0]    reg_d, reg_q, row_reg;
  logic                         near_d, near_q, wide_d, wide_q;
  logic                         second_d, second_q;       // the row is that of reg_q + 1
  logic                         done_d, done_q, dt_d, dt_q;
  logic [lsu_pkg::ROW_BITS-1:0] row_d, row_q;
  logic                         begins, row_over;

  // The offload engine goes first. In the cycle of dt_valid the LSU's request is still the old one.
  assign gnt_o[0] = phase_q == IDLE && mv_req_i;
  assign gnt_o[1] = phase_q == IDLE && !mv_req_i && need_data_i && !dt_q;
  assign begins   = |gnt_o;

  // The fields of the move stay until it is over.
  assign lsu_d  = begins ? gnt_o[1] : lsu_q;
  assign warp_d = gnt_o[0] ? mv_warp_i : gnt_o[1] ? need_warp_i : warp_q;
  assign reg_d  = gnt_o[0] ? mv_reg_i : gnt_o[1] ? need_reg_i : reg_q;
  assign near_d = begins ? gnt_o[0] && mv_near_i : near_q;
  assign wide_d = begins ? gnt_o[0] && mv_wide_i : wide_q;

  // A row is over when it is where it was to go. A row for the LSU is over when it comes.
  assign row_over = (phase_q == LANDS && near_q && cp_valid_i) || (phase_q == STORE && fwr_gnt_i);
  assign second_d = !begins && (second_q || row_over);
  assign done_d   = row_over && (!wide_q || second_q);
  assign dt_d     = phase_q == LANDS && lsu_q && mr_valid_i;

  // The phases. A CPL or a row counts in LANDS only: it belongs to the
  // message that was taken before.
  always_comb begin
    phase_d = phase_q;
    case (phase_q)
      IDLE:    if (begins) phase_d = near_d ? FETCH : SEND;
      FETCH:   if (frf_gnt_i) phase_d = ROW;
      ROW:     phase_d = SEND;
      SEND:    if (dn_take_i) phase_d = LANDS;
      LANDS:   if (!near_q && mr_valid_i) phase_d = lsu_q ? IDLE : STORE;
      default: phase_d = phase_q;
    endcase
    if (row_over) phase_d = done_d ? IDLE : near_q ? FETCH : SEND;
  end

  // The row waits here for its message or for the write port.
  always_comb begin
    row_d = row_q;
    if (phase_q == ROW)                                row_d = frf_data_i;
    if (phase_q == LANDS && !near_q && mr_valid_i)     row_d = mr_data_i;
  end

  assign row_reg     = reg_q + 8'(second_q);
  assign frf_req_o   = phase_q == FETCH;
  assign frf_warp_o  = warp_q;
  assign frf_reg_o   = row_reg;
  assign fwr_valid_o = phase_q == STORE;
  assign fwr_warp_o  = warp_q;
  assign fwr_reg_o   = row_reg;
  assign fwr_data_o  = row_q;
  assign dn_valid_o  = phase_q == SEND;
  assign dn_data_o   = near_q ? row_q : '0;
  assign done_o      = done_q;
  assign done_warp_o = warp_q;
  assign done_reg_o  = reg_q;
  assign done_near_o = near_q;
  assign dt_valid_o  = dt_q;
  assign dt_data_o   = row_q;

  // The header of lsu_msg.def. A REGW of a move is for all threads, so there is no mask here.
  assign dn_hdr_o = ((near_q ? 64'(lsu_pkg::MSG_REGW) : 64'(lsu_pkg::MSG_RMV)) << lsu_pkg::TYPE_LSB)
                    | (64'(nbu_id_i) << lsu_pkg::NBU_LSB) | (64'd2 << lsu_pkg::SIZE_LSB)
                    | (64'(warp_q) << lsu_pkg::WARP_LSB) | (64'(row_reg) << lsu_pkg::REG_LSB)
                    | (64'(MoveId) << lsu_pkg::ID_LSB);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q  <= IDLE;
      lsu_q    <= '0;
      warp_q   <= '0;
      reg_q    <= '0;
      near_q   <= '0;
      wide_q   <= '0;
      second_q <= '0;
      done_q   <= '0;
      dt_q     <= '0;
      row_q    <= '0;
    end else begin
      phase_q  <= phase_d;
      lsu_q    <= lsu_d;
      warp_q   <= warp_d;
      reg_q    <= reg_d;
      near_q   <= near_d;
      wide_q   <= wide_d;
      second_q <= second_d;
      done_q   <= done_d;
      dt_q     <= dt_d;
      row_q    <= row_d;
    end
  end

  initial if (MoveId < 0 || MoveId > 255) $fatal(1, "move_engine: MoveId must be 0 to 255");

`ifndef SYNTHESIS
  // The end of a move is told in IDLE. A move for the LSU is one row, from the near-bank file.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(done_o && dt_valid_o));
    assert (!(done_o || dt_valid_o) || phase_q == IDLE);
    assert (!(lsu_q && (near_q || wide_q)));
  end
`endif
endmodule

`default_nettype wire
