// SPDX-License-Identifier: Apache-2.0
// Brings up a CMAC as AMD PG203 describes for a CMAC without AXI4-Lite: the receiver is enabled; a remote fault is sent
// until the receiver is aligned; then frames may be sent. If alignment is lost, it starts again. link_up: both
// directions work, and the far end does not report a fault. All signals are in the domain of clk, the CMAC's clock.
//
// A transceiver that has adapted to noise, while the far end was without power, may not find the signal again when it
// comes back. So as long as there is no alignment, rx_restart resets the receive datapath of the transceivers every
// 2^WATCHDOG_LOG2 clocks (0.2 s) for 2^PULSE_LOG2 (0.8 us, 80 of init_clk). rst (the holds of both directions) follows
// that reset, so the watchdog has a reset of its own.
module cmac_bringup #(
  parameter WATCHDOG_LOG2 = 26,
  parameter PULSE_LOG2 = 8
) (
  input      clk,
  input      rst,
  input      watchdog_rst,
  input      stat_rx_aligned,
  input      stat_rx_remote_fault,
  output reg ctl_rx_enable,
  output reg ctl_tx_send_rfi,
  output reg ctl_tx_enable,
  output reg link_up,
  output reg rx_restart
);
  always @(posedge clk) begin
    ctl_rx_enable   <= 1'b1;
    ctl_tx_send_rfi <= !stat_rx_aligned;
    ctl_tx_enable   <= ctl_rx_enable && stat_rx_aligned;
    link_up         <= ctl_tx_enable && stat_rx_aligned && !stat_rx_remote_fault;
    if (rst) begin
      ctl_rx_enable   <= 1'b0;
      ctl_tx_send_rfi <= 1'b0;
      ctl_tx_enable   <= 1'b0;
      link_up         <= 1'b0;
    end
  end

  reg [WATCHDOG_LOG2-1:0] dark_reg;       // clocks without alignment
  always @(posedge clk) begin
    dark_reg   <= watchdog_rst || (stat_rx_aligned && !rst) ? {WATCHDOG_LOG2{1'b0}} : dark_reg + 1'b1;
    rx_restart <= !watchdog_rst && (&dark_reg[WATCHDOG_LOG2-1:PULSE_LOG2]);
  end
endmodule
