#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 1800
# label: devices
#
# Every difference between a port file and its RTL, shown to every kind of device.
ALL=1 exec bash "$(dirname "$0")/own_ports.sh"
