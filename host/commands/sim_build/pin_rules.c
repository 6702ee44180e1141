// SPDX-License-Identifier: Apache-2.0
/* One row a pin: what it is called by convention, and how it looks. */
#include "host/commands/sim_build/pin_rules.h"

enum { KEEP_BITS = 64 };

const struct pin_rule PIN_RULES[PINS] = {
        [PIN_S_TDATA] = {"s_tdata", "s%_axis_tdata", "s_axis_tdata", "s_data", 0, PIN_AXIS, false, false},
        [PIN_S_TKEEP] = {"s_tkeep", "s%_axis_tkeep", "s_axis_tkeep", "s_keep", KEEP_BITS, PIN_AXIS, false, true},
        [PIN_S_TVALID] = {"s_tvalid", "s%_axis_tvalid", "s_axis_tvalid", "s_valid", 1, PIN_AXIS, false, false},
        [PIN_S_TREADY] = {"s_tready", "s%_axis_tready", "s_axis_tready", "s_ready", 1, PIN_AXIS, true, true},
        [PIN_S_TLAST] = {"s_tlast", "s%_axis_tlast", "s_axis_tlast", "s_last", 1, PIN_AXIS, false, false},
        [PIN_S_TUSER] = {"s_tuser", "s%_axis_tuser", "s_axis_tuser", "s_user", 1, PIN_AXIS, false, true},
        [PIN_M_TDATA] = {"m_tdata", "m%_axis_tdata", "m_axis_tdata", "m_data", 0, PIN_AXIS, true, false},
        [PIN_M_TKEEP] = {"m_tkeep", "m%_axis_tkeep", "m_axis_tkeep", "m_keep", KEEP_BITS, PIN_AXIS, true, true},
        [PIN_M_TVALID] = {"m_tvalid", "m%_axis_tvalid", "m_axis_tvalid", "m_valid", 1, PIN_AXIS, true, false},
        [PIN_M_TREADY] = {"m_tready", "m%_axis_tready", "m_axis_tready", "m_ready", 1, PIN_AXIS, false, false},
        [PIN_M_TLAST] = {"m_tlast", "m%_axis_tlast", "m_axis_tlast", "m_last", 1, PIN_AXIS, true, false},
        [PIN_M_TUSER] = {"m_tuser", "m%_axis_tuser", "m_axis_tuser", "m_user", 1, PIN_AXIS, true, true},
        [PIN_RX_DATA] = {"rx_data", "rx%_data", "rx_data", "s_data", 0, PIN_MII, false, false},
        [PIN_RX_CTRL] = {"rx_ctrl", "rx%_ctrl", "rx_ctrl", "s_keep", KEEP_BITS, PIN_MII, false, false},
        [PIN_TX_DATA] = {"tx_data", "tx%_data", "tx_data", "m_data", 0, PIN_MII, true, false},
        [PIN_TX_CTRL] = {"tx_ctrl", "tx%_ctrl", "tx_ctrl", "m_keep", KEEP_BITS, PIN_MII, true, false},
};
