# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# The Debian package: it depends on what packages.txt lists, and what is in it works from where it
# lies.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

command -v dpkg-deb >/dev/null || skip 'no dpkg-deb'
runs 0 cpack --config "$build/CPackConfig.cmake" -B "$here"
package=$(echo lockstack_*_*.deb)
matches "$package" "^lockstack_[0-9.]+_$(dpkg --print-architecture)\.deb$" "the package's name"
runs 0 dpkg-deb -f "$package" Depends
release=$(. /etc/os-release && echo "$ID-$VERSION_ID")
equal "$(tr -d ' ' <<<"$out" | tr ',' '\n' | sort)" \
  "$(grep -E '^[a-z0-9][^:]*$' "$source/packages.txt" | grep -E "^[^ ]+$| $release( |$)" | cut -d ' ' -f 1 |
    sort)" 'what it depends on'
dpkg-deb -x "$package" root || wrong 'the package cannot be unpacked'
tool=$here/root/usr/bin/lockstack
mkdir elsewhere && cd elsewhere || exit 3
runs 0 "$tool" check fifo --cycles 1000
runs 0 "$tool" run nsu vadd --set workload.n=2000 --json run.json
equal "$(json run.json result_ok)" true 'the result'
[ -s "$here/root/usr/share/doc/lockstack/README.md" ] || wrong 'no README in it'
