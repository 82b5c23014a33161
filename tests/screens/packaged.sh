#!/bin/bash
# packaged.sh FOLDER DATA: what src/package/packages.sh has made in FOLDER draws its screen where nothing else is
# installed: the static program, which makes an image of less than 10 MB, in an empty root, as in a container, and the
# Debian package on a new Debian 12, where nothing of it is left after it was removed. Those of arm64 run in an emulator,
# the static one over a recording, since that emulates no perf events.
#
# Needs root, mmdebstrap, qemu-aarch64-static and, of arm64, the libraries that perftop is built with.
. "$(dirname "$0")/lib.sh"
needs root mmdebstrap qemu-aarch64-static dpkg-deb
folder=$(realpath "$1")
root=$scratch/root

# draws WHAT TERM ROOT COMMAND...: within ROOT, with nothing in the environment
draws() {
	local what=$1 term=$2 root=$3
	shift 3
	terminal_open 80 24 "unshare -m sh -c 'mount -t proc proc $root/proc && mount -t sysfs sysfs $root/sys &&
		exec env -i PATH=$PATH TERM=$term chroot $root $*'"
	wait_for 'switches +[0-9.]+k?/s' || fail "$what"
	wait_for '^ +PID USER ' || fail "$what"
	press q
}

mkdir -p "$root"/{proc,sys}
cp "$folder"/perftop-{amd64,arm64} "$root"
for program in "$folder"/perftop-{amd64,arm64}; do
	[ "$(stat -c %s "$program")" -lt 10000000 ] || fail "$program has $(stat -c %s "$program") bytes"
done
for term in xterm-256color linux tmux-256color screen vt100; do
	draws "static, TERM=$term" $term "$root" /perftop-amd64
done
cp "$(command -v qemu-aarch64-static)" "$root/emulator"
gzip -cd "$2/bare.data.gz" >"$root/bare.data"
draws "static, arm64" xterm "$root" /emulator /perftop-arm64 -i /bare.data

mmdebstrap --quiet --mode=root --variant=apt --hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount \
	--include="$(echo "$folder"/perftop_*_amd64.deb)" bookworm "$scratch/debian" >"$scratch/log" 2>&1 ||
	fail "the package cannot be installed: $(tail "$scratch/log")"
draws "package" xterm-256color "$scratch/debian" perftop
units=$scratch/debian/etc/systemd/system/multi-user.target.wants # as systemctl enable does it
mkdir -p "$units" && ln -s /usr/lib/systemd/system/perftop-textfile.service "$units"
chroot "$scratch/debian" dpkg --purge perftop >"$scratch/log" 2>&1 || fail "cannot be removed: $(cat "$scratch/log")"
# but for the package itself, where it had to be copied there
left=$(find "$scratch/debian" -xdev -name '*perftop*' ! -path "*$folder/*")
[ -z "$left" ] || fail "left behind: $left"
dpkg-deb -x "$folder"/perftop_*_arm64.deb "$scratch/arm64"
qemu-aarch64-static "$scratch/arm64/usr/bin/perftop" --version | grep -q '^perftop [0-9]' || fail "package, arm64"

report
