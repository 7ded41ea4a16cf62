#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The cache of objects where it cannot be written whole: a disk that is full after any number of
# files, one without room, one that is read-only. The command says in one line what failed, or
# works elsewhere, and what is left is never believed. In a mount namespace.
# timeout: 900
# label: soak
# shellcheck disable=SC2016 source=tests/system/lib.sh
if [ -z "${OBJECT_CACHE-}" ]; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(--map-root-user)
  OBJECT_CACHE=1 exec unshare --mount "${as_root[@]}" bash "$0"
fi
. "$(dirname "$0")/../lib.sh"

cache=$build/dut/cache
mkdir -p "$cache"
trap 'umount "$cache"; finish' EXIT
cp -r "$source/docs/example" own && cp -r own kept
right() { cp kept/accum.sv own/accum.sv && touch -d 2001-01-01 own/accum.sv; }
wrong_sum() { sed 's/sum_o + value_i/sum_o - value_i/' kept/accum.sv >own/accum.sv &&
  touch -d 2001-01-01 own/accum.sv; }
check() { "$lockstack" check ./own --no-wave --cycles 500 >out 2>err; }

mount -t tmpfs -o size=200m none "$cache" || exit 1
right && runs 0 check
files=$(find "$cache" | wc -l) kilobytes=$(du -sk "$cache" | cut -f1)
umount "$cache"

# room OPTIONS: with so little of it, then with enough; the RTL is wrong by then
room() {
  mount -t tmpfs -o "$1" none "$cache" || exit 1
  right && check
  status=$?
  checks=$((checks + 1))
  case $status in
    0) ;;
    3) [ "$(grep -vc '^lockstack: building ' err)" -eq 1 ] || wrong "$1: not one line: $(cat err)" ;;
    *) wrong "$1 ended with $status: $(cat err)" ;;
  esac
  mount -o remount,size=200m,nr_inodes=100000 "$cache"
  wrong_sum && runs 1 check
  right && runs 0 check
  umount "$cache"
}
for less in 1 2 3 5 12 40; do room "size=200m,nr_inodes=$((files + 1 - less))"; done
for percent in 99 95 60 10; do room "size=$((kilobytes * percent / 100))k"; done

# Read-only: another folder of the user's
mount -t tmpfs -o ro none "$cache" || exit 1
export XDG_CACHE_HOME=$here/mine
right && runs 0 check
wrong_sum && runs 1 check
matches "$(find mine -name object.so)" 'mine/lockstack/accum-.*/object.so' 'the object in the folder of the user'

# Another image of a disk at the same place: its files' numbers, sizes and times are those of the
# first one's, and stamps are not believed
image() { # image NAME
  truncate -s 4M "$1.img" && mke2fs -q -t ext4 -U 11111111-1111-1111-1111-111111111111 -d own "$1.img" || exit 1
  for file in own/accum*; do printf 'sif %s %s 200101010000\n' "${file##*/}" mtime "${file##*/}" ctime; done |
    debugfs -w -f - "$1.img" >/dev/null 2>&1
}
at() { mount -o loop,ro "$1.img" disk && stat -c '%i %s %Y %Z' disk/accum.sv; }
rm -rf own/embed own/launch && mkdir disk
if command -v mke2fs && command -v debugfs; then right && image first && wrong_sum && image second; fi >/dev/null
if numbers=$(at first 2>/dev/null); then # root of a machine with loop devices
  check_disk() { "$lockstack" check ./disk --no-wave --cycles 500; }
  runs 0 check_disk
  sleep 61 # until times are believed: CONTENT_SETTLED
  runs 0 check_disk
  umount disk
  equal "$(at second)" "$numbers" 'what stat says of the other one'
  runs 1 check_disk
  umount disk
fi
