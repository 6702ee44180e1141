// SPDX-License-Identifier: Apache-2.0
// Brings up a CMAC as AMD PG203 describes for a CMAC without AXI4-Lite: the receiver is enabled; a remote fault is sent
// until the receiver is aligned; then frames may be sent. If alignment is lost, it starts again. link_up: both
// directions work, and the far end does not report a fault. All signals are in the domain of clk, the CMAC's clock.
//
// The remote fault is also sent while only the receiver is in reset, which the transmitter outlives: a far end that saw
// idle instead (IEEE 802.3 81.3.4) would take the link for good, at each restart of a receiver without a signal again.
//
// A transceiver that has adapted to noise, while the far end was without power, may not find the signal again when it
// comes back. So as long as there is no alignment, rx_restart resets the receive datapath of the transceivers every
// 2^WATCHDOG_LOG2 clocks (0.2 s) for 2^PULSE_LOG2 (0.8 us, 80 of init_clk). rx_hold follows that reset, so the watchdog
// has only tx_hold for a reset. From a restart until half of that time has gone by, what is known of the lanes is not what
// they will be: keep_lanes, so that who asks for the reason of a missing link is not told of the restart.
module cmac_bringup #(
  parameter WATCHDOG_LOG2 = 26,
  parameter PULSE_LOG2 = 8
) (
  input      clk,
  input      tx_hold,             // the CMAC's own resets of a direction
  input      rx_hold,
  input      stat_rx_aligned,
  input      stat_rx_remote_fault,
  output reg ctl_rx_enable,
  output reg ctl_tx_send_rfi,
  output reg ctl_tx_enable,
  output reg link_up,
  output reg rx_restart,
  output reg keep_lanes
);
  wire aligned = stat_rx_aligned && !rx_hold;
  always @(posedge clk) begin
    ctl_rx_enable   <= 1'b1;
    ctl_tx_send_rfi <= !aligned;
    ctl_tx_enable   <= ctl_rx_enable && aligned;
    link_up         <= ctl_tx_enable && aligned && !stat_rx_remote_fault;
    if (tx_hold || rx_hold) begin
      ctl_rx_enable <= 1'b0;
      ctl_tx_enable <= 1'b0;
      link_up       <= 1'b0;
    end
    if (tx_hold) ctl_tx_send_rfi <= 1'b0;
  end

  reg [WATCHDOG_LOG2-1:0] dark_reg;       // clocks without alignment
  always @(posedge clk) begin
    dark_reg   <= tx_hold || aligned ? {WATCHDOG_LOG2{1'b0}} : dark_reg + 1'b1;
    rx_restart <= !tx_hold && (&dark_reg[WATCHDOG_LOG2-1:PULSE_LOG2]);
    keep_lanes <= !tx_hold && (rx_restart || (keep_lanes && !aligned && !dark_reg[WATCHDOG_LOG2-1]));
  end
endmodule
