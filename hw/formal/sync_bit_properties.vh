// SPDX-License-Identifier: Apache-2.0
// Shows the proof of axil_crossing the first register of sync_bit. Included inside the module, by hw/formal only.
  (* keep *) wire f_first = sync_first_reg;
