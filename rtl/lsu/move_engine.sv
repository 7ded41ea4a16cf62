// SPDX-License-Identifier: Apache-2.0
//
// move_engine -- register move engine of a subcore: copies registers between the far-bank and the near-bank register file (MPU paper, IV-B1).
//
// One move at a time. To near, row by row: FETCH asks the far-bank register file, the row comes in ROW, SEND shows it as REGW, LANDS waits for
// its CPL. To far and for the LSU: SEND shows RMV, LANDS waits for the row, STORE writes it (not for the LSU). The second row of a wide
// register begins in the cycle after the first. done_o or dt_valid_o is high for one cycle, in which the engine is IDLE; gnt_o is high in
// the cycle of the request.

`default_nettype none

module move_engine #(
  parameter int MoveId = 255                              // message id of moves, used by nothing else, 0 to 255
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [lsu_pkg::NBU_W-1:0]     nbu_id_i,
  // From the offload engine
  input  wire logic                          mv_req_i,
  input  wire logic [lsu_pkg::WARP_W-1:0]    mv_warp_i,
  input  wire logic [lsu_pkg::REG_W-1:0]     mv_reg_i,
  input  wire logic                          mv_wide_i,
  input  wire logic                          mv_near_i,
  // From the LSU
  input  wire logic                          need_data_i,
  input  wire logic [lsu_pkg::WARP_W-1:0]    need_warp_i,
  input  wire logic [lsu_pkg::REG_W-1:0]     need_reg_i,
  // To both: 0 the offload engine, 1 the LSU
  output      logic [1:0]                    gnt_o,
  // To the offload engine and the track table
  output      logic                          done_o,
  output      logic [lsu_pkg::WARP_W-1:0]    done_warp_o,
  output      logic [lsu_pkg::REG_W-1:0]     done_reg_o,
  output      logic                          done_near_o,
  // To the LSU
  output      logic                          dt_valid_o,
  output      logic [lsu_pkg::ROW_BITS-1:0]  dt_data_o,
  // Far-bank register file: read
  output      logic                          frf_req_o,
  output      logic [lsu_pkg::WARP_W-1:0]    frf_warp_o,
  output      logic [lsu_pkg::REG_W-1:0]     frf_reg_o,
  input  wire logic                          frf_gnt_i,
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  frf_data_i,
  // Far-bank register file: write
  output      logic                          fwr_valid_o,
  output      logic [lsu_pkg::WARP_W-1:0]    fwr_warp_o,
  output      logic [lsu_pkg::REG_W-1:0]     fwr_reg_o,
  output      logic [lsu_pkg::ROW_BITS-1:0]  fwr_data_o,
  input  wire logic                          fwr_gnt_i,
  // To and from the near-bank unit
  output      logic                          dn_valid_o,
  output      logic [lsu_pkg::BEAT_BITS-1:0] dn_hdr_o,
  output      logic [lsu_pkg::ROW_BITS-1:0]  dn_data_o,
  input  wire logic                          dn_take_i,
  input  wire logic                          cp_valid_i,
  input  wire logic                          mr_valid_i,
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  mr_data_i
);

  localparam logic [2:0] IDLE = 3'd0, FETCH = 3'd1, ROW = 3'd2, SEND = 3'd3, LANDS = 3'd4, STORE = 3'd5;

  logic [2:0]                   phase_d, phase_q;
  logic                         lsu_d, lsu_q;             // the move is the LSU's
  logic [lsu_pkg::WARP_W-1:0]   warp_d, warp_q;
  logic [lsu_pkg::REG_W-1:0]    reg_d, reg_q, row_reg;
  logic                         near_d, near_q, wide_d, wide_q;
  logic                         second_d, second_q;       // the row is that of reg_q + 1
  logic                         done_d, done_q, dt_d, dt_q;
  logic [lsu_pkg::ROW_BITS-1:0] row_d, row_q;
  logic                         begins, row_over;

  assign gnt_o[0] = phase_q == IDLE && mv_req_i;
  assign gnt_o[1] = phase_q == IDLE && !mv_req_i && need_data_i && !dt_q;
  assign begins   = |gnt_o;

  assign lsu_d  = begins ? gnt_o[1] : lsu_q;
  assign warp_d = gnt_o[0] ? mv_warp_i : gnt_o[1] ? need_warp_i : warp_q;
  assign reg_d  = gnt_o[0] ? mv_reg_i : gnt_o[1] ? need_reg_i : reg_q;
  assign near_d = begins ? gnt_o[0] && mv_near_i : near_q;
  assign wide_d = begins ? gnt_o[0] && mv_wide_i : wide_q;

  // The row is where it was to go; the LSU's is when it comes
  assign row_over = (phase_q == LANDS && near_q && cp_valid_i) || (phase_q == STORE && fwr_gnt_i);
  assign second_d = !begins && (second_q || row_over);
  assign done_d   = row_over && (!wide_q || second_q);
  assign dt_d     = phase_q == LANDS && lsu_q && mr_valid_i;

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

  assign dn_hdr_o = ((near_q ? 64'(lsu_pkg::MSG_REGW) : 64'(lsu_pkg::MSG_RMV)) << lsu_pkg::TYPE_LSB) | (64'(nbu_id_i) << lsu_pkg::NBU_LSB)
                    | (64'd2 << lsu_pkg::SIZE_LSB) | (64'(warp_q) << lsu_pkg::WARP_LSB) | (64'(row_reg) << lsu_pkg::REG_LSB)
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
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(done_o && dt_valid_o));
    assert (!(done_o || dt_valid_o) || phase_q == IDLE);
    assert (!(lsu_q && (near_q || wide_q)));
  end
`endif
endmodule

`default_nettype wire
