// SPDX-License-Identifier: Apache-2.0
//
// Down counter on APB. 0 CTRL: enable, reload, interrupt enable; 4 LOAD: the value to begin with; 8 VALUE: now, read only; 12 STATUS: expired, cleared by
// writing 1; 16 DIVIDE: clocks of a step, less one. Other addresses answer pslverr.
`timescale 1ns / 1ps

module apb_timer #(
    parameter WIDTH = 16
) (
    input  wire        pclk,
    input  wire        presetn,
    input  wire        psel,
    input  wire        penable,
    input  wire        pwrite,
    input  wire [7:0]  paddr,
    input  wire [31:0] pwdata,
    output wire        pready,
    output reg  [31:0] prdata,
    output wire        pslverr,
    output wire        irq
);

reg             enable, reload, irq_enable, expired;
reg [WIDTH-1:0] load, value;
reg [7:0]       divide;
wire            tick;

wire access = psel && penable;
wire write  = access && pwrite && !pslverr;
wire start  = write && paddr == 8'h04;

assign pready  = 1'b1;
assign pslverr = access && (paddr[7:5] != 0 || paddr[1:0] != 0 || paddr[4:2] > 3'd4 || (pwrite && paddr == 8'h08));
assign irq     = expired && irq_enable;

divider clock_divider (
    .clk(pclk),
    .rst_n(presetn),
    .run(enable && !start),
    .divide(divide),
    .tick(tick)
);

always @* begin
    case (paddr[4:2])
        3'd0: prdata = {29'd0, irq_enable, reload, enable};
        3'd1: prdata = {{(32-WIDTH){1'b0}}, load};
        3'd2: prdata = {{(32-WIDTH){1'b0}}, value};
        3'd3: prdata = {31'd0, expired};
        3'd4: prdata = {24'd0, divide};
        default: prdata = 32'd0;
    endcase
end

always @(posedge pclk or negedge presetn)
    if (!presetn) begin
        enable     <= 1'b0;
        reload     <= 1'b0;
        irq_enable <= 1'b0;
        expired    <= 1'b0;
        load       <= 0;
        value      <= 0;
        divide     <= 8'd0;
    end else begin
        if (write && paddr == 8'h0c && pwdata[0]) expired <= 1'b0;
        if (tick) begin
            if (value != 0) value <= value - 1;
            if (value == 1 || (value == 0 && load == 0)) expired <= 1'b1;
            if (value <= 1) begin
                if (reload) value <= load;
                else        enable <= 1'b0;
            end
        end
        if (write)
            case (paddr[4:2])
                3'd0: {irq_enable, reload, enable} <= pwdata[2:0];
                3'd1: begin
                    load  <= pwdata[WIDTH-1:0];
                    value <= pwdata[WIDTH-1:0];
                end
                3'd4: divide <= pwdata[7:0];
                default: ;
            endcase
    end

endmodule
