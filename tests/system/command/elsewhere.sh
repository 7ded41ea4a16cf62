# SPDX-License-Identifier: Apache-2.0
#
# A bare Debian 13, made by debootstrap in the build folder, with a copy of the tree: the README's
# two commands there. Needs root and debootstrap, and the mirror that apt uses here. The folder
# stays, so that a second run builds what has changed.
#   LOCKSTACK_ELSEWHERE=trixie   another release's name
# timeout: 10800
# label: elsewhere
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

[ "$(id -u)" = 0 ] || skip 'a tree of another release is made as root'
command -v debootstrap >/dev/null || skip 'debootstrap is not installed'
release=${LOCKSTACK_ELSEWHERE:-trixie}
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(SITE) $(COMPONENT) $(CREATED_BY)' | sed -n 's/ main Packages$//p' |
  grep -v security | head -n 1)
[ -n "$mirror" ] || skip 'apt has no mirror here: apt-get update'

root=$build/elsewhere/$release
if [ ! -e "$root/made" ]; then
  rm -rf "$root" && mkdir -p "$root" || exit 3
  runs 0 debootstrap --variant=minbase "$release" "$root" "$mirror"
  touch "$root/made"
fi
leave() {
  local status=$?
  for folder in dev/pts dev proc; do umount -l "$root/$folder" 2>/dev/null; done
  (exit $status)
  finish
}
trap leave EXIT
# Private: its terminals are not this machine's.
mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" && mount --make-private "$root/dev" &&
  mount -t devpts devpts "$root/dev/pts" || skip 'nothing can be mounted here'
mkdir -p "$root/lockstack"
git -C "$source" ls-files -z | tar -C "$source" --null -T - -cf - | tar -C "$root/lockstack" -xf - ||
  wrong 'the tree cannot be copied'

# inside COMMAND...: there, with nothing of this machine's environment
inside() { env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 chroot "$root" env -C /lockstack "$@"; }
begin=$SECONDS
runs 0 inside ./lockstack --yes run nsu vadd
matches "$out" 'Result is right' 'a kernel'
echo "the first command: $((SECONDS - begin)) s"
inside ./lockstack --yes test || wrong 'tests failed there'
checks=$((checks + 1))
