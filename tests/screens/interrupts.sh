#!/bin/bash
# interrupts.sh PERFTOP TOOLS STORM: how long interrupts take, beside packets on lo and storms of timers, as perf record
# has it of the same tracepoints: the kernel's own times in /proc/stat are mostly samples of its clock tick.
#
# Needs perf (Debian: linux-perf) and ping -f (Debian: iputils-ping).
. "$(dirname "$0")/kit.sh"
with_tracefs "$0" "$@"
needs root perf ping
[ -e /sys/kernel/tracing/events/irq_vectors/local_timer_entry ] || not_run "no tracepoints of timers"
STORM=$(realpath "$3")
export TZ=UTC
export HOME=$scratch # where perf keeps what it has recorded
err=$scratch/err
show() { head -c 2000 "$scratch/both" 2>/dev/null; }

events=
for name in irq:irq_handler irq:softirq irq_vectors:{local_timer,reschedule,call_function,call_function_single}; do
	events=$events,${name}_entry,${name}_exit
done
# The intervals that are compared begin and end while little comes.
load() {
	local pids=
	sleep 2
	ping -f -q -s 60000 -c 20000 127.0.0.1 >/dev/null &
	pids=$!
	"$STORM" 60000 &
	pids="$pids $!"
	"$STORM" 60000 &
	wait $pids $!
	sleep 2
}

begin_perftop() {
	"$PERFTOP" --no-config -b --format json -c states -d 1 -w "$scratch/data" >"$scratch/out" 2>"$err" </dev/null &
	perftop=$!
	wait_lines "$scratch/out" 2 $perftop
}
# begin_perf NAME: records until the file over is there
begin_perf() {
	perf record -q -a -m 4M -k CLOCK_MONOTONIC -e "${events#,}" -o "$scratch/$1.data" -- \
		sh -c ': >"$0.ready"; until [ -e "$1" ]; do sleep 0.1; done' "$scratch/$1" "$scratch/over" \
		>"$scratch/$1.said" 2>&1 </dev/null &
	perf=$!
	perfs="$perfs $perf"
	wait_until "perf does not begin" perf_has_begun "$scratch/$1.ready"
	[ -e "$scratch/$1.ready" ] || not_run "perf record: $(head -n 1 "$scratch/$1.said")"
}
perf_has_begun() { [ -e "$1" ] || has_ended $perf; }

# Of those that write a sample at the same event the last one to open it is called first; what the others then write is
# in its times at the beginning, and not at the end, when less has to be fetched. So perftop is between two of perf, and
# beside their mean.
run_once() {
	local day
	day=$(date +%j)
	perfs=
	rm -f "$scratch"/*.ready "$scratch/over" "$scratch/out"
	begin_perf before && begin_perftop && begin_perf after || return
	load
	: >"$scratch/over"
	wait $perfs
	wait_lines "$scratch/out" $(($(wc -l <"$scratch/out") + 2)) $perftop || return
	kill -INT $perftop
	wait $perftop
	[ "$(date +%j)" = "$day" ] && ! perf_has_lost before && ! perf_has_lost after &&
		! grep -q '"lost":{"records":[1-9]' "$scratch/out"
}
perf_has_lost() { perf report -i "$scratch/$1.data" --stats --stdio 2>/dev/null | grep -q LOST; }

# list_events NAME: "CPU SECOND-OF-THE-DAY EVENT NAME"
list_events() {
	perf script -i "$scratch/$1.data" --ns -F cpu,tod,event,trace 2>/dev/null | awk '{
		cpu = $1
		split($3, parts, ":")
		event = $4; sub(/:$/, "", event); sub(/.*:/, "", event)
		action = ""
		if (sub(/.*action=/, "")) { action = $0; sub(/[^A-Z_].*/, "", action) }
		printf("%s %.9f %s %s\n", cpu, parts[1] * 3600 + parts[2] * 60 + parts[3], event, action)
	}' >"$scratch/$1.events"
}

# read_intervals COMMAND...: "interval FROM TO" and "ours NAME COUNT NS"
read_intervals() {
	"$@" | tr '{' '\n' | awk -F'[:,}]' '
		/^"time":/ {
			split($2, parts, ".")
			time = parts[1] % 86400 + ("0." parts[2])
			for (i = 3; $i != "\"interval_s\""; i++)
				;
			printf("interval %.9f %.9f\n", last ? last : time - $(i + 1), time)
			last = time
		}
		/^"cpu":[0-9]+,"kind":/ { gsub(/"/, "", $6); print "ours", $6, $8, $10 }' >"$scratch/ours"
}
# beside NAME: a line "NAME COUNT NS COUNT-OF-PERF NS-OF-PERF" of each name, both in the intervals that were while perf
# recorded; exclusive times from the pairs of perf's samples.
beside() {
	awk '
		FNR == NR && $1 == "interval" { from[++n] = $2; to[n] = $3; next }
		FNR == NR { our[n, $2] += $4; our_count[n, $2] += $3; next }
		{
			if (!first) first = $2
			last = $2
			soft = $3 ~ /^softirq/
			level = $1 "," soft
			if ($3 ~ /entry$/) {
				at[level] = $2; nested[level] = 0
				name[level] = soft ? $4 : substr($3, 1, length($3) - 6)
			} else if (at[level]) {
				length_s = $2 - at[level]
				if (soft) length_s -= nested[level]
				else nested[$1 ",1"] += length_s
				at[level] = 0
				while (i <= n && to[i] < $2) i++
				if (i <= n && from[i] <= $2) {
					their[i, name[level]] += length_s * 1e9
					their_count[i, name[level]]++
				}
			}
		}
		END {
			count = split("NET_RX local_timer", names)
			for (k = 1; k <= count; k++) {
				mine = other = whole = times = other_times = 0
				for (i = 1; i <= n; i++) {
					if (from[i] < first || to[i] > last) continue
					whole++
					mine += our[i, names[k]]; other += their[i, names[k]]
					times += our_count[i, names[k]]; other_times += their_count[i, names[k]]
				}
				print names[k], times, mine, other_times, other, whole
			}
		}' "$scratch/ours" "$scratch/$1.events"
}
# agree WHAT COMMAND...
agree() {
	read_intervals "${@:2}"
	{ beside before; beside after; } | awk '
		{ times[$1] += $2; mine[$1] += $3; other_times[$1] += $4; other[$1] += $5; lines++; said = said "\n" $0 }
		END {
			for (name in mine) {
				if (times[name] < 0.999 * other_times[name] || times[name] > 1.001 * other_times[name]) bad = 1
				if (!(other[name] > 2e7) || mine[name] < 0.98 * other[name] || mine[name] > 1.02 * other[name]) bad = 1
			}
			print "name, our count, ns, count and ns of perf, intervals:" said
			exit bad || lines != 4
		}' >"$scratch/both" || fail "$1"
}
wait_until "no run without losses" run_once || report
list_events before
list_events after
agree live cat "$scratch/out"
agree replay "$PERFTOP" --no-config --format json -c states -i "$scratch/data"

# The task that sends the packets has the time of what they cause, most of which comes while it runs: in IRQ.
tr '{' '\n' <"$scratch/out" | awk '
	/^"time":/ { match($0, /"interval_s":[0-9.]+/); span = substr($0, RSTART + 13, RLENGTH - 13) }
	/"name":"NET_RX"/ { match($0, /"ns":[0-9]+/); all += substr($0, RSTART + 5, RLENGTH - 5) / 1e9 }
	/"command":/ { is_ping = /"command":"ping"/ }
	is_ping && match($0, /"irq_pct":[0-9.]+/) { own += span * substr($0, RSTART + 10, RLENGTH - 10) / 100 }
	END { print "ping has " own " s of IRQ, NET_RX took " all " s"; exit !(all > 0 && own > all / 2) }
' >"$scratch/both" || fail "ping has no IRQ"

# Off while it is not shown. Where idle has not shown itself a CPU has an event more, of either run. Wake-ups, which
# states need, are samples, too.
events_open() { ls -l /proc/$1/fd | grep -c perf_event; }
cost() { grep -o '"switch_ns":[^,]*,"readings_ns":[^,]*,"samples_ns":[^,]*' "$scratch/$columns" | tail -n 1; }
for columns in pid pid,wake states; do
	"$PERFTOP" --no-config -b --format json -c $columns -d 0.5 >"$scratch/$columns" 2>"$err" </dev/null &
	wait_lines "$scratch/$columns" 2 $!
	open=$(events_open $!)
	if [ $columns = states ]; then
		[ "$open" -ge $((few + 11 * $(nproc))) ] || fail "with states $open events are open, $few without"
	else
		few=$open
		! grep -q '"interrupts"' "$scratch/$columns" || fail "interrupts are known without states"
	fi
	if [ $columns = pid ]; then
		cost | grep -qE '"samples_ns":(0|null)$' || fail "what is not taken costs something: $(cost)"
	else
		! cost | grep -q '"samples_ns":0$' || fail "they cost nothing: $(cost)"
	fi
	kill -INT $!
done
report
