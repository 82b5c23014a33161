#!/bin/bash
# hosts.sh PERFTOP DATA: several recordings at once: what is printed of each is what is printed of it alone.
. "$(dirname "$0")/kit.sh" "$1"
DATA=$(realpath "$2")

err=$scratch/err
for name in guest turns bare; do
	gzip -cd "$DATA/$name.data.gz" >"$scratch/$name"
done
cp "$scratch/guest" "$scratch/other"
cd "$scratch" || exit 1

print() { "$PERFTOP" --no-config --format json "$@" </dev/null 2>"$err" || fail "$*"; }

# of_host NAME: its objects, without its name
of_host() { sed -n "s/^{\"host\":\"$1\",/{/p"; }

# same WHAT FILE FILE
same() {
	[ -s "$2" ] || fail "$1: nothing is printed"
	cmp -s "$2" "$3" || fail "$1: the host's numbers are not those of its recording alone"
}

# sum ROWS: of the run times in an array of each object
sum() {
	sed "s/.*\"$1\":\[//; s/\],\"lost\".*//" | while read -r rows; do
		grep -oE '"ns":[0-9]+' <<<"$rows" | awk -F: '{ sum += $2 } END { printf "%d\n", sum }'
	done
}

# --- each view, the events of one are not those of the other, and one has none
for view in tasks groups cpus; do
	print -V $view -i guest -i turns -i bare >both
	for name in guest turns bare; do
		print -V $view -i $name >own
		of_host $name <both >host
		same "$view of $name" host own
	done
done

# --- sums by host: of its tasks
print -V tasks -i guest -i turns >tasks
print -V groups --group-by host -i guest -i turns >groups
for name in guest turns; do
	of_host $name <tasks | sum tasks >of_tasks
	of_host $name <groups | sum groups >of_groups
	same "the sum of $name" of_groups of_tasks
	[ "$(of_host $name <groups | grep -c "\"groups\":\[{\"by\":\"host\",\"group\":\"$name\",")" = "$(wc -l <of_tasks)" ] ||
		fail "$name is no group"
done

# --- through pipes at once, which come in pieces
slowly() {
	head -c 30000 "$1"
	sleep 0.5
	tail -c +30001 "$1"
}
print -i <(slowly guest) -i <(slowly turns) >both
mapfile -t hosts < <(cut -d '"' -f 4 both | awk '!seen[$0]++')
[ ${#hosts[@]} = 2 ] || fail "${#hosts[@]} hosts through two pipes"
print -i guest >own
of_host "${hosts[0]}" <both >host
same "guest through a pipe" host own
print -i turns >own
of_host "${hosts[1]}" <both >host
same "turns through a pipe" host own

# --- names: by the machine or the file, each another one; a column, a filter
columns=$("$PERFTOP" --no-config --format csv -n 1 -i guest -i bare 2>"$err" </dev/null)
[ "$(head -n 1 <<<"$columns" | cut -d, -f 1-3)" = time,host,pid ] || fail "no column of hosts: $columns"
[ "$(tail -n +2 <<<"$columns" | cut -d, -f 2 | sort -u | paste -sd ' ')" = 'bare guest' ] || fail "hosts: $columns"
[ "$(head -n 1 <<<"$columns" | tr -d -c , | wc -c)" = "$(tail -n 1 <<<"$columns" | tr -d -c , | wc -c)" ] ||
	fail "a host without events has other columns"
only=$("$PERFTOP" --no-config --format csv -n 1 -i guest -i bare -f 'host = bare' 2>"$err" </dev/null)
[ "$(tail -n +2 <<<"$only" | cut -d, -f 2 | sort -u)" = bare ] || fail "filter: $only"
twice=$("$PERFTOP" --no-config --format csv -n 1 -i guest -i ./guest -c host 2>"$err" </dev/null)
[ "$(tail -n +2 <<<"$twice" | cut -d, -f 2 | sort -u | paste -sd ' ')" = 'guest guest#2' ] || fail "twice: $twice"
"$PERFTOP" --no-config --format csv -n 1 -i guest 2>"$err" </dev/null | grep -q host && fail "one recording has a host"

# --- the row that ends the run, of one host, in the last interval that was asked for
for filter in 'command = perftop' 'command = perftop && host = turns'; do
	"$PERFTOP" --no-config -b -n 1 -i guest -i turns --fail-if "$filter" </dev/null >rows 2>"$err"
	[ $? = 3 ] || fail "--fail-if '$filter': not status 3"
done
grep -q '^perftop: --fail-if .*: HOST turns, .*COMMAND perftop' "$err" || fail "--fail-if: the row is not named"

# --- what one of them has, and another not: shown where it is; no row of the other passes a filter
# status STATUS FILTER RECORDING...
status() {
	local expected=$1 filter=$2
	shift 2
	"$PERFTOP" --no-config -b -n 1 "${@/#/-i}" --fail-if "$filter" </dev/null >rows 2>"$err"
	local got=$?
	[ $got = "$expected" ] || fail "--fail-if '$filter' of $*: status $got"
}
gzip -cd "$DATA/off-cpu.data.gz" >off-cpu
for order in 'off-cpu guest' 'guest off-cpu'; do
	status 3 'cycles > 0' $order
	grep -q 'HOST guest' "$err" || fail "--fail-if: a row of $order that has no cycles"
	status 0 'cycles < 0' $order
done
for order in 'bare guest' 'guest bare'; do
	status 0 'psi-cpu > 1000' turns ${order% *}
	status 0 'psi-cpu > 1000' ${order% *} turns
	status 2 'psi-cpu > 1000' $order
	status 2 'wake-p99 > 1' $order
	status 3 'cycles > 0' $order
	grep -q 'HOST guest' "$err" || fail "--fail-if: a row of $order that has no cycles"
	status 0 'cycles < 0' $order
done
"$PERFTOP" --no-config --format csv -n 1 -e cycles -c host,cycles -i bare -i guest </dev/null >rows 2>"$err" || fail "-e cycles"
grep -q '^[^,]*,bare,$' rows || fail "cycles of a host without them"
grep -q '^[^,]*,guest,[0-9]' rows || fail "no cycles of a host that has them"
"$PERFTOP" --no-config -b -n 1 -e branches -i bare -i guest </dev/null >rows 2>"$err" && fail "an event that none of them has"
grep -q 'bare has .*; guest has .*cycles' "$err" || fail "it is not said what which recording has"

# --- one that is cut off: it is said, and the others go on
head -c 60000 guest >cut
"$PERFTOP" --no-config --format json -i cut -i turns </dev/null >both 2>"$err"
grep -q '^perftop: cut: ' "$err" || fail "nothing is said of a recording that is cut off"
print -i turns >own
of_host turns <both >host
same "turns beside one that is cut off" host own

report
