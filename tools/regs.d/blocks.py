# SPDX-License-Identifier: Apache-2.0
"""csr_port.v and csr_global.v: the blocks of registers, whole."""
import block_head
import block_reads
import block_writes
from block import Block


def write(d, kind):
    block = Block(d, kind)
    lines = [*block_head.write(block), *block_writes.write(block), *block_reads.write(block), "endmodule"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def port(d):
    return write(d, "port")


def globals_(d):
    return write(d, "global")
