// SPDX-License-Identifier: Apache-2.0
// Brings up a CMAC as AMD PG203 describes for a CMAC without AXI4-Lite: the receiver is enabled; a remote fault is sent
// until the receiver is aligned; then frames may be sent. If alignment is lost, it starts again. link_up: both
// directions work, and the far end does not report a fault. All signals are in the domain of clk, the CMAC's clock.
module cmac_bringup (
  input      clk,
  input      rst,
  input      stat_rx_aligned,
  input      stat_rx_remote_fault,
  output reg ctl_rx_enable,
  output reg ctl_tx_send_rfi,
  output reg ctl_tx_enable,
  output reg link_up
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
endmodule
