#!/bin/bash
# guest.sh: runs a scenario in a small machine of its own whose counters follow a known law.
#
#   guest.sh [-c COUNTERS] [-n] [-i] [-I SHIFT] [-k TIMES] [-s CPUS] [-m MEGABYTES] [-t SECONDS] [-T] [-p] [-d] [-V PIPE]
#            [-w PIPE] [-a WORDS] [-A ARCHITECTURE] [-M MODEL] SCENARIO OUTDIR [FILE...]
#
#   -t  seconds that it may take (1200)
#   -c  hardware counters per CPU (8); more events have to take turns
#   -n  no unit at all, as in most virtual machines
#   -s  CPUs (2), as qemu's -smp takes them: 2,sockets=1,cores=1,threads=2
#   -i  one instruction takes one ns, so that times are counts of instructions, the same on every machine;
#       for one CPU (-s 1)
#   -I  one instruction of whichever CPU takes 2^SHIFT ns: how fast this machine is makes no difference
#   -k  with -i: a second has TIMES as many instructions, as that of a machine that is so much faster
#   -T  take tmux, its terminal descriptions and a UTF-8 locale along
#   -p  take perf along (package linux-perf)
#   -d  a disk, /dev/nullb0, whose requests take 5 ms each
#   -w  what the scenario writes to /dev/ttyS2 goes into PIPE, a FIFO that somebody reads, as it is written
#   -a  words for the kernel's command line
#   -M  the processor that the emulator says it is (qemu64)
#   -A  amd64, or arm64: there the emulator has the counters, cycles and instructions, and the kernel's own driver
#       reads them. A cycle takes one ns and an instruction two. -c, -d, -i, -I, -M, -n, -p, -T, -V and -w are for amd64
#   -V  a screen of text and a keyboard: the kernel's console is tty1. The emulator's monitor reads the FIFO
#       PIPE.in, and tells into PIPE.out
#
# SCENARIO is a shell script; FILEs are programs it finds on its PATH, with their libraries. What it
# writes to /out stands in OUTDIR afterwards, beside what it printed (console) and the kernel's
# log (dmesg). Where it fails or comes to no end, its last steps are told. The machine is emulated,
# needs no privileges here and boots in seconds.
#
# Needs: qemu-system-x86 seabios cpio busybox-static make gcc linux-headers-cloud-amd64. The
# kernel is taken from /boot or, where it is not installed, from the package that fits the headers.
# For arm64: qemu-system-arm qemu-user-static cpio gcc-aarch64-linux-gnu libc6-dev:arm64; kernel and busybox are
# taken from their packages. GUEST_CACHE is where kernel and module are kept.
#
# Exit: that of the scenario; 98 when the kernel complained, 99 when the guest did not come to its end.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
counters=8 unit=1 cpus=2 memory=512 limit=1200 terminal=0 perf=0 disk=0 monitor= pipe= append= icount=() times=1 architecture=amd64 model=qemu64
while getopts c:niI:k:s:m:t:TpdV:w:a:A:M: option; do
	case $option in
	c) counters=$OPTARG ;;
	n) unit=0 ;;
	i) icount=(-icount shift=0,sleep=off) ;;
	I) icount=(-icount "shift=$OPTARG,sleep=off") ;;
	k) times=$OPTARG ;;
	s) cpus=$OPTARG ;;
	m) memory=$OPTARG ;;
	t) limit=$OPTARG ;;
	T) terminal=1 ;;
	p) perf=1 ;;
	d) disk=1 ;;
	V) monitor=$OPTARG ;;
	w) pipe=$OPTARG ;;
	a) append=$OPTARG ;;
	A) architecture=$OPTARG ;;
	M) model=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || { sed -n '4,5p' "$0" >&2; exit 2; }
scenario=$1 out=$2
shift 2
# of threads that share a core the emulator tells by Intel's leaf of cpuid only
[[ $cpus != *threads=* ]] || model+=,vendor=GenuineIntel
cache=${GUEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perftop-guest}

die() { echo "guest.sh: $*" >&2; exit 99; }

case $architecture in
amd64)
	compiler=gcc busybox=/bin/busybox second=ttyS1
	tools=(qemu-system-x86_64 make)
	machine=(qemu-system-x86_64 -M q35 -accel tcg -cpu "$model" "${icount[@]}" -serial file:BOOT -serial file:OUT)
	# A kernel that checks its timer at the start gives up where the emulator gets no CPU meanwhile: no_timer_check.
	append="console=ttyS0 tsc=reliable no_timer_check $append"
	headers=$(find /usr/src -maxdepth 1 -name 'linux-headers-*-cloud-amd64' | sort -V | tail -n 1)
	[ -n "$headers" ] || die "linux-headers-cloud-amd64 is missing"
	version=${headers#/usr/src/linux-headers-}
	;;
arm64)
	compiler=aarch64-linux-gnu-gcc second=ttyS0 unit=0
	tools=(qemu-system-aarch64 qemu-aarch64-static)
	machine=(qemu-system-aarch64 -M virt -cpu max,pmu=on -icount shift=1,sleep=off -serial file:BOOT
		-chardev file,id=out,path=OUT -device pci-serial,chardev=out)
	append="console=ttyAMA0 $append"
	version=$(apt-cache depends linux-image-cloud-arm64:arm64 | sed -n 's/.*Depends: linux-image-\([^:]*\).*/\1/p' | head -n 1)
	[ -n "$version" ] || die "no kernel for arm64: dpkg --add-architecture arm64; apt-get update"
	;;
*) die "$architecture is no architecture that there is a guest for" ;;
esac
for tool in "${tools[@]}" cpio $compiler; do
	command -v "$tool" >/dev/null || die "$tool is missing"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# unpack_from PACKAGE PATH FILE: a file of a package that need not be installed.
unpack_from() {
	mkdir "$work/package"
	chmod 755 "$work" "$work/package"
	(cd "$work/package" && apt-get -q download "$1:$architecture" >log 2>&1) ||
		{ cat "$work/package/log" >&2; die "no package $1"; }
	dpkg-deb --fsys-tarfile "$work"/package/*.deb | tar -xO -f - "./$2" >"$3"
	rm -rf "$work/package"
}

fetch_kernel() {
	if [ -r "/boot/vmlinuz-$version" ]; then # where it is this machine's own
		cp "/boot/vmlinuz-$version" "$1"
		return
	fi
	unpack_from "linux-image-$version" "boot/vmlinuz-$version" "$1"
}
fetch_configfs() { unpack_from "linux-image-$version" "lib/modules/$version/kernel/fs/configfs/configfs.ko" "$1"; }
fetch_disk() { unpack_from "linux-image-$version" "lib/modules/$version/kernel/drivers/block/null_blk/null_blk.ko" "$1"; }
fetch_busybox() {
	unpack_from busybox-static bin/busybox "$1"
	chmod +x "$1"
}

build_module() {
	mkdir "$work/module"
	cp "$here/ratepmu.c" "$work/module/"
	echo 'obj-m := ratepmu.o' >"$work/module/Makefile"
	make -s -C "$headers" M="$work/module" modules >"$work/module/log" 2>&1 ||
		{ cat "$work/module/log" >&2; die "the module does not build"; }
	strip -g "$work/module/ratepmu.ko"
	cp "$work/module/ratepmu.ko" "$1"
}

build_hold() { $compiler -std=gnu17 -O1 -static -o "$1" "$here/hold.c"; }
build_ticks() { gcc -std=gnu17 -O1 -o "$1" "$here/ticks.c"; }

# Several guests may start at once: files appear in the cache whole or not at all.
keep() { # FILE MAKER [SOURCE]
	local place=$cache/$version/$1
	[ -s "$place" ] && { [ $# = 2 ] || [ ! "$here/$3" -nt "$place" ]; } && return
	mkdir -p "$cache/$version"
	$2 "$work/$1.new"
	touch "$work/$1.new"
	mv "$work/$1.new" "$place"
}
keep vmlinuz fetch_kernel
keep hold build_hold hold.c
if [ $disk = 1 ]; then
	keep configfs.ko fetch_configfs
	keep null_blk.ko fetch_disk
fi
if [ $architecture = amd64 ]; then
	keep ratepmu.ko build_module ratepmu.c
	# A kernel that measures how fast its clock is at the start, and gets no CPU meanwhile, has one that goes wrong
	# by any factor: it is told. Where instructions are the clock it ticks once a ns, and the kernel may take that
	# for a shorter time. The local APIC's timer is of no use there, which takes half a second to find out.
	if [ ${#icount[@]} = 0 ]; then
		keep ticks build_ticks ticks.c
		append="tsc_early_khz=$("$cache/$version/ticks") $append"
	else
		append="tsc_early_khz=$((times * 1000000)) nolapic_timer $append"
	fi
else
	keep busybox fetch_busybox
	busybox=$cache/$version/busybox
fi
[ -x "$busybox" ] || die "busybox-static is missing"

root=$work/root
mkdir -p "$root"/{bin,proc,sys,dev,tmp,lib,etc,run,root,out}

# What ldd says, for programs of the guest's.
libraries() {
	local program
	if [ $architecture = amd64 ]; then
		ldd "$@" | grep -v ':$' # which names what the next lines are of
	else
		for program; do
			LD_TRACE_LOADED_OBJECTS=1 qemu-aarch64-static "$program"
		done
	fi
}
add_programs() {
	local program
	for program; do
		[ -x "$program" ] || die "$program is no program"
	done
	cp -L "$@" "$root/bin/"
	{ libraries "$@" 2>/dev/null || true; } | grep -o '/[^ ]*\.so[^ ]*' | sort -u | while read -r library; do
		mkdir -p "$root${library%/*}"
		cp -L "$library" "$root$library"
	done || true
}

cp -L "$busybox" "$root/bin/busybox"
ln -s busybox "$root/bin/sh"
[ $unit = 0 ] || cp "$cache/$version/ratepmu.ko" "$root/lib/"
[ $disk = 0 ] || cp "$cache/$version"/{configfs,null_blk}.ko "$root/lib/"
cp "$cache/$version/hold" "$root/bin/"
cat "$here/scenarios/lib.sh" "$scenario" >"$root/scenario"
programs=("$@")
if [ $terminal = 1 ]; then
	command -v tmux >/dev/null || die "tmux is missing"
	programs+=("$(command -v tmux)")
	mkdir -p "$root"/usr/lib/locale "$root"/lib/terminfo/{s,t,x,v,d,l}
	cp -r /usr/lib/locale/C.utf8 "$root/usr/lib/locale/"
	for name in screen screen-256color tmux tmux-256color xterm xterm-256color vt100 dumb linux; do
		[ -e "/lib/terminfo/${name:0:1}/$name" ] &&
			cp -L "/lib/terminfo/${name:0:1}/$name" "$root/lib/terminfo/${name:0:1}/"
	done
fi
if [ $perf = 1 ]; then
	command -v perf >/dev/null || die "perf is missing"
	programs+=("$(command -v perf)")
fi
[ ${#programs[@]} = 0 ] || add_programs "${programs[@]}"
cat >"$root/etc/passwd" <<'PASSWD'
root:x:0:0:root:/root:/bin/sh
nobody:x:65534:65534:nobody:/:/bin/sh
PASSWD
echo 'root:x:0:' >"$root/etc/group"

cat >"$root/init" <<INIT
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox mkdir -p /dev/pts /dev/shm
/bin/busybox mount -t devpts devpts /dev/pts
/bin/busybox mount -t tmpfs tmp /tmp
/bin/busybox mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
exec </dev/null >/dev/console 2>&1
export PATH=/bin:/sbin:/usr/bin HOME=/root TERM=xterm-256color LANG=C.UTF-8
/bin/busybox --install -s /bin 2>/dev/null
[ $unit = 1 ] && insmod /lib/ratepmu.ko counters=$counters
[ $disk = 1 ] && insmod /lib/configfs.ko && insmod /lib/null_blk.ko gb=1 memory_backed=1 irqmode=2 completion_nsec=5000000
{ hold && sh -x /scenario; } >/out/console 2>/dev/console
status=\$?
dmesg >/out/dmesg
grep -q -E 'WARNING: |BUG: |Oops: |Kernel panic' /out/dmesg && status=98
echo \$status >/out/status
stty -F /dev/$second raw -echo 115200
tar -c -f - -C /out . | gzip -1 >/dev/$second
sync
poweroff -f
INIT
chmod +x "$root/init"
# Not packed: the emulator would take longer to unpack it than to read it.
(cd "$root" && find . | cpio -o -H newc --quiet) >"$work/initrd"

screen=()
[ -z "$pipe" ] || screen+=(-serial "file:$pipe")
# QEMU's small firmware, which knows no screens, is ready in half of the time.
if [ -n "$monitor" ]; then
	screen+=(-device VGA -monitor "pipe:$monitor")
elif [ $architecture = amd64 ]; then
	screen+=(-bios qboot.rom)
fi

# The second serial line carries the results out; the first one is the kernel's console, where the scenario's
# steps stand, too.
machine=("${machine[@]/BOOT/$work/boot}")
timeout "$limit" "${machine[@]/OUT/$work/out.tar.gz}" -smp "$cpus" -m "$memory" \
	-display none -no-reboot -nodefaults "${screen[@]}" \
	-kernel "$cache/$version/vmlinuz" -initrd "$work/initrd" \
	-append "quiet loglevel=3 panic=-1 cryptomgr.notests $append" </dev/null >&2 ||
	{ tail -n 40 "$work/boot" >&2; die "the guest was not done after $limit s"; }

rm -rf "$out"
mkdir -p "$out"
tar -x -z -f "$work/out.tar.gz" -C "$out" ||
	{ tail -n 40 "$work/boot" >&2; die "the guest's results are damaged"; }
cat "$out/console"
[ -s "$out/status" ] || die "the guest did not say how it ended"
status=$(cat "$out/status")
[ "$status" = 0 ] || tail -n 40 "$work/boot" >&2
exit "$status"
