#!/bin/bash
# package.sh BUILD: the Debian package has all that is to be installed, its program runs, and the right to
# watch the machine is given to a group if debconf says so, never to all users, and is taken back. The unit's command
# writes groups and no single tasks. Where there are lintian and systemd-analyze, they have nothing to complain of.
#
# Needs root and Debian's tools (cpack dpkg-deb dpkg-shlibdeps debconf unshare); not run otherwise.
. "$(dirname "$0")/kit.sh"
needs root cpack dpkg-deb dpkg-shlibdeps debconf-communicate unshare
BUILD=$(realpath "$1")

(umask 077 && cpack -G DEB --config "$BUILD/CPackConfig.cmake" -B "$scratch") >"$scratch/log" 2>&1 ||
	{ cat "$scratch/log"; exit 1; }
package=$(echo "$scratch"/perftop_*.deb)
[ -f "$package" ] || { echo "FAILED: no package"; exit 1; }
root=$scratch/root control=$scratch/control
dpkg-deb -x "$package" "$root"
dpkg-deb -e "$package" "$control"

for file in bin/perftop share/man/man1/perftop.1 share/bash-completion/completions/perftop \
	share/zsh/vendor-completions/_perftop share/fish/vendor_completions.d/perftop.fish \
	share/doc/perftop/README.md share/doc/perftop/guide.md share/doc/perftop/copyright share/doc/perftop/changelog \
	lib/systemd/system/perftop-textfile.service share/doc/perftop/examples/{daemonset.yaml,dashboard.json,alerts.yml}; do
	ls "$root/usr/$file"* >/dev/null 2>&1 || fail "the package has no $file"
done
"$root/usr/bin/perftop" --version | grep -q "^perftop [0-9]" || fail "the program does not run"
dpkg-deb -f "$package" Depends | grep -q libncursesw6 || fail "depends on: $(dpkg-deb -f "$package" Depends)"
for script in config postinst prerm postrm; do
	[ "$(stat -c %a "$control/$script")" = 755 ] || fail "$script: mode $(stat -c %a "$control/$script")"
done

if command -v lintian >/dev/null; then
	lintian --allow-root --fail-on error,warning "$package" >"$scratch/log" || fail "lintian: $(cat "$scratch/log")"
fi

# The options of the unit and of the DaemonSet, with a file of ours, for one interval: rows of groups, and none of tasks.
unit=$root/usr/lib/systemd/system/perftop-textfile.service
arguments() { # FOLDER
	sed -E "s#(-o |--output=)$1/#\1$scratch/#"
}
writes_groups() { # WHAT BY ARGUMENT...
	rm -f "$scratch/perftop.prom"
	"$root/usr/bin/perftop" "${@:3}" -d 0.3 -n 1 >"$scratch/log" 2>&1 </dev/null || fail "$1: $(cat "$scratch/log")"
	grep -q "^perftop_group_run_seconds_total{by=\"$2\",group=\"rest\"} " "$scratch/perftop.prom" || fail "$1: no groups"
	grep -q '^perftop_run_seconds_total ' "$scratch/perftop.prom" || fail "$1: nothing of the machine"
	grep -q 'pid=' "$scratch/perftop.prom" && fail "$1: single tasks"
	[ "$(tail -n 1 "$scratch/perftop.prom")" = "# EOF" ] || fail "$1: no end"
}
# shellcheck disable=SC2046 # words
writes_groups "the unit" cgroup $(sed -n '/^ExecStart=perftop/,/[^\\]$/ { s/^ExecStart=perftop//; s/\\$//; p }' "$unit" |
	arguments /var/lib/prometheus/node-exporter)
# shellcheck disable=SC2046 # words
writes_groups "the DaemonSet" container $(sed -n 's/^ *- \(--[a-z]\)/\1/p' "$root/usr/share/doc/perftop/examples/daemonset.yaml" |
	arguments /textfile)
if command -v systemd-analyze >/dev/null; then
	sed "s|^ExecStart=perftop|ExecStart=$root/usr/bin/perftop|" "$unit" >"$scratch/perftop-textfile.service"
	systemd-analyze verify --man=no "$scratch/perftop-textfile.service" >"$scratch/log" 2>&1 && [ ! -s "$scratch/log" ] ||
		fail "the unit: $(cat "$scratch/log")"
fi

# The scripts run with an answer in debconf's place, and write down whom they give what.
mkdir "$scratch/bin"
cat >"$scratch/confmodule" <<'END'
db_get() { case $1 in *created*) RET=$CREATED ;; *) RET=$ANSWER ;; esac; }
db_set() { echo set "$@" >>"$LOG"; }
db_input() { echo "input $*" >>"$LOG"; }
db_go() { :; }
db_purge() { echo purge >>"$LOG"; }
END
# tool NAME [COMMAND]: one that writes down how it was called, then does the command
tool() {
	printf '#!/bin/sh\necho %s "$@" >>"$LOG"\n%s\n' "$1" "${2:-}" >"$scratch/bin/$1"
	chmod +x "$scratch/bin/$1"
}
for tool in setcap groupadd groupdel chown chmod rm systemctl deb-systemd-invoke; do
	tool $tool
done
tool getcap 'echo "$1 cap_perfmon=ep"'
tool getent '[ -z "$GROUP" ] && exit 2; echo "$GROUP"'
tool dpkg-statoverride '[ "$1" != --list ] || { [ -n "$OVERRIDE" ] && echo "$OVERRIDE"; }'
# run SCRIPT ANSWER ARGUMENT...: what it does, where there are $GROUP and $OVERRIDE, and where systemd runs with $SYSTEMD
run() {
	local script=$1
	: >"$scratch/done"
	ANSWER=$2 CREATED=${CREATED:-} GROUP=${GROUP:-} OVERRIDE=${OVERRIDE:-} SYSTEMD=${SYSTEMD:-} LOG=$scratch/done PATH=$scratch/bin:$PATH unshare -m sh -c '
		mount --bind "$1" /usr/share/debconf/confmodule && shift && mount -t tmpfs tmpfs /run &&
		mkdir -p "/run$SYSTEMD" && exec "$@"' _ \
		"$scratch/confmodule" "$control/$script" "${@:3}" || fail "$script: status $?"
	grep -v -e '^get' -e '--list' "$scratch/done"
}
# does WORDS SCRIPT ANSWER ARGUMENT...: these words, in this order
does() {
	[ "$(run "${@:2}" | tr '\n' ';')" = "$1" ] || fail "${*:2}: $(cat "$scratch/done")"
}
made='perfmon:x:999:' mode='root perfmon 0750 /usr/bin/perftop'
add='dpkg-statoverride --update --add root perfmon 0750 /usr/bin/perftop;setcap cap_perfmon=ep /usr/bin/perftop;'
remove='dpkg-statoverride --remove /usr/bin/perftop;'
unlink='rm -f /etc/systemd/system/multi-user.target.wants/perftop-textfile.service;'
does "groupadd --system perfmon;set perftop/created-group true;$add" postinst true configure
GROUP=$made does "$add" postinst true configure
GROUP=$made OVERRIDE=$mode does 'setcap cap_perfmon=ep /usr/bin/perftop;' postinst true configure
GROUP=$made OVERRIDE=$mode does "setcap -r /usr/bin/perftop;${remove}chown root:root /usr/bin/perftop;chmod 0755 /usr/bin/perftop;" \
	postinst false configure
does 'setcap -r /usr/bin/perftop;' postinst false configure
OVERRIDE='root adm 0750 /usr/bin/perftop' does 'setcap -r /usr/bin/perftop;' postinst false configure
does 'input medium perftop/perfmon-group;' config x configure
GROUP=$made OVERRIDE=$mode does "$remove$unlink" postrm x remove
does '' postrm x upgrade
GROUP=$made CREATED=true does "${unlink}groupdel perfmon;purge;" postrm x purge
GROUP=${made}anne CREATED=true does "${unlink}purge;" postrm x purge
GROUP=$made OVERRIDE=$mode CREATED=false does "$remove${unlink}purge;" postrm x purge
does '' prerm x remove
export SYSTEMD=/systemd/system
does 'deb-systemd-invoke stop perftop-textfile.service;' prerm x remove
does '' prerm x upgrade
does "${unlink}systemctl --system daemon-reload;" postrm x remove
does 'setcap -r /usr/bin/perftop;systemctl --system daemon-reload;deb-systemd-invoke try-restart perftop-textfile.service;' \
	postinst false configure

report
