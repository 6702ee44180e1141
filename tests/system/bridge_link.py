#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bounds the addresses that a bridge of Linux learns, as `ip link set dev NAME type bridge fdb_max_learned N` of iproute2 6.7 does, for
machines with a newer kernel than iproute2. Prints the bound that the kernel then has; nothing if it knows none (before Linux 6.7).

    bridge_link.py NAME ADDRESSES"""

import socket
import struct
import sys

RTM_NEWLINK, RTM_GETLINK = 16, 18
NLM_F_REQUEST, NLM_F_ACK = 1, 4
NLMSG_ERROR = 2
IFLA_LINKINFO, IFLA_INFO_KIND, IFLA_INFO_DATA = 18, 1, 2
IFLA_BR_FDB_MAX_LEARNED = 49  # linux/if_link.h
TYPE = 0x3FFF  # the type without NLA_F_NESTED and NLA_F_NET_BYTEORDER


def attribute(kind, content):
    return struct.pack("=HH", 4 + len(content), kind) + content.ljust((len(content) + 3) // 4 * 4, b"\0")


def attributes(octets):
    found, at = {}, 0
    while at + 4 <= len(octets):
        length, kind = struct.unpack_from("=HH", octets, at)
        if length < 4:
            break
        found[kind & TYPE] = octets[at + 4:at + length]
        at += (length + 3) // 4 * 4
    return found


def ask(kind, flags, index, content):
    """The answer of the kernel without its netlink header."""
    body = struct.pack("=BxHiII", socket.AF_UNSPEC, 0, index, 0, 0) + content
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:  # NETLINK_ROUTE
        netlink.sendall(struct.pack("=IHHII", 16 + len(body), kind, NLM_F_REQUEST | flags, 1, 0) + body)
        answer = netlink.recv(1 << 16)
    if struct.unpack_from("=IH", answer)[1] == NLMSG_ERROR:
        number = -struct.unpack_from("=i", answer, 16)[0]
        if number:
            raise OSError(number, "netlink")
    return answer[16:]


def main():
    index, addresses = socket.if_nametoindex(sys.argv[1]), int(sys.argv[2])
    data = attribute(IFLA_INFO_DATA, attribute(IFLA_BR_FDB_MAX_LEARNED, struct.pack("=I", addresses)))
    ask(RTM_NEWLINK, NLM_F_ACK, index, attribute(IFLA_LINKINFO, attribute(IFLA_INFO_KIND, b"bridge\0") + data))
    link = attributes(ask(RTM_GETLINK, 0, index, b"")[16:])
    bound = attributes(attributes(link[IFLA_LINKINFO])[IFLA_INFO_DATA]).get(IFLA_BR_FDB_MAX_LEARNED)
    if bound is not None:
        print(struct.unpack("=I", bound)[0])


if __name__ == "__main__":
    main()
