#!/bin/bash
# prometheus.sh PERFTOP TOOLS MADE GUIDE FLEET: what --format openmetrics writes is accepted by promtool, by
# node_exporter and by a Prometheus server, which answers the guide's queries and those of the dashboard in FLEET: of
# this host, and of three that are made up, since caches that miss need hardware counters. The alert rules fire.
#
# Needs Debian's prometheus and prometheus-node-exporter; not run otherwise.
. "$(dirname "$0")/kit.sh"
needs promtool prometheus prometheus-node-exporter
MADE=$(realpath "$3") GUIDE=$(realpath "$4") FLEET=$(realpath "$5")

# blocks LANGUAGE: the guide's code blocks of it
blocks() { awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' "$GUIDE"; }

# --- somebody to be seen, under a name that is meant to do harm
start "$TOOLS/spin" $'q"b\\n\n\xff' - 1200
start "$TOOLS/pingpong" 4 0

# --- every view is accepted; and it is OpenMetrics to Prometheus' own parser, which wants timestamps here
for view in tasks cpus groups histogram; do
	"$PERFTOP" --no-config --format openmetrics -V $view -d 0.3 -n 1 >"$scratch/$view" </dev/null ||
		fail "$view: status $?"
	promtool check metrics <"$scratch/$view" >"$scratch/out" 2>&1 || fail "$view: $(cat "$scratch/out")"
	[ ! -s "$scratch/out" ] || fail "$view: promtool says $(cat "$scratch/out")"
	[ "$(tail -n 1 "$scratch/$view")" = "# EOF" ] || fail "$view: no end"
	awk '/^#/ { print; next } { print $0, 1700000000 }' "$scratch/$view" >"$scratch/stamped"
	mkdir "$scratch/blocks"
	promtool tsdb create-blocks-from openmetrics "$scratch/stamped" "$scratch/blocks" \
		>"$scratch/out" 2>&1 || fail "$view as OpenMetrics: $(cat "$scratch/out")"
	rm -r "$scratch/blocks"
done
grep -q 'command="q\\"b\\\\n\\\\x0A\\\\xFF"' "$scratch/tasks" || fail "the harmful name is not there"

# --- several intervals are one exposition, of all of them
"$PERFTOP" --no-config --format openmetrics -d 0.3 -n 4 >"$scratch/several" </dev/null || fail "-n 4: status $?"
promtool check metrics <"$scratch/several" >"$scratch/out" 2>&1 || fail "-n 4: $(cat "$scratch/out")"
awk '/^perftop_run_seconds_total / { exit !($2 > 0) }' "$scratch/several" || fail "-n 4: no totals"

# --- a port that nobody has; others may take it before it is used, so whoever needs it tries again
port=$((20000 + $$ % 20000))
# serve NAME COMMAND...: starts it with an address in place of ADDRESS, which is then in $address
serve() {
	local name=$1 tries pid
	shift
	for tries in 1 2 3 4 5 6 7 8; do
		port=$((port + 1))
		address=127.0.0.1:$port
		"${@//ADDRESS/$address}" >"$scratch/$name.log" 2>&1 </dev/null &
		pid=$!
		for _ in $(seq $((10 * PATIENCE_S))); do
			sleep 0.1
			kill -0 $pid 2>/dev/null || break
			if grep -qiE "listening on|ready to receive" "$scratch/$name.log"; then
				return 0
			fi
		done
		kill $pid 2>/dev/null
	done
	fail "$name does not start: $(tail -n 5 "$scratch/$name.log")"
	exit 1
}

# --- four hosts: this one and three that are made up, one of them with groups
mkdir "$scratch"/{here,good,bad,fleet,data}
"$PERFTOP" --no-config --format openmetrics -d 0.3 -o "$scratch/here/perftop.prom" \
	>"$scratch/err" 2>&1 </dev/null &
perftop=$!
start "$MADE" "$scratch/good/perftop.prom" 5 tidy
start "$MADE" "$scratch/bad/perftop.prom" 33 messy
start "$MADE" "$scratch/fleet/perftop.prom" 20 web /system.slice/web.service
targets=
for host in here good bad fleet; do
	serve exporter-$host prometheus-node-exporter --collector.disable-defaults --collector.textfile \
		--collector.textfile.directory="$scratch/$host" --web.listen-address=ADDRESS
	targets="$targets${targets:+, }$address"
	eval "$host=$address"
done

# --- the guide's configuration, with these hosts
{
	printf 'global:\n  scrape_interval: 1s\n  evaluation_interval: 1s\nrule_files: ["%s"]\n' "$FLEET/alerts.yml"
	blocks yaml | sed "s/\(targets: \)\[.*\]/\1[$targets]/"
} >"$scratch/prometheus.yml"
promtool check config "$scratch/prometheus.yml" >"$scratch/out" 2>&1 || fail "$(cat "$scratch/out")"
grep -qF "$targets" "$scratch/prometheus.yml" || fail "the guide has no targets"
serve server prometheus --config.file="$scratch/prometheus.yml" --storage.tsdb.path="$scratch/data" \
	--web.listen-address=ADDRESS

# answers QUERY [TEXT...]: what it gives, once it gives anything in which all the texts are; a host whose
# rates are not known yet, after a single scrape, is not in the answer
answers() {
	local query=$1 give_up=$((SECONDS + 120)) text missing
	shift
	while [ $SECONDS -lt $give_up ]; do
		promtool query instant "http://$address" "$query" >"$scratch/answer" 2>"$scratch/why"
		missing=
		for text in "=>" "$@"; do
			grep -qF -- "$text" "$scratch/answer" || missing=$text
		done
		[ -n "$missing" ] || return 0
		sleep 0.5
	done
	fail "no answer to: $query: no $missing in $(cat "$scratch/answer" "$scratch/why")"
	return 1
}

# --- queries: all of the guide's are answered, and the first two name the worst
mapfile -t queries < <(blocks promql | awk '/^ / { printf "%s", $0; next } { printf "%s%s", (NR > 1 ? "\n" : ""), $0 } END { print "" }')
[ ${#queries[@]} -ge 4 ] || fail "the guide has ${#queries[@]} queries"
answers 'count(up{job="node"} == 1) == 4'
answers 'count by (instance) (rate(perftop_task_switches_total[5m]))'
for query in "${queries[@]}"; do
	answers "$query"
done
value() { awk -F'=> ' '/=>/ { split($2, word, " "); print word[1]; exit }' "$scratch/answer"; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b - 0.001 && a < b + 0.001) }'; }
answers "${queries[0]}" "$good" "$bad" "$fleet"
head -n 1 "$scratch/answer" | grep -qF "$bad" || fail "the worst host is: $(head -n 1 "$scratch/answer")"
near "$(value)" 0.33 || fail "it misses $(value), not 0.33"
answers "${queries[1]}" 'command="tidy"' 'command="messy"'
head -n 1 "$scratch/answer" | grep -qF 'command="messy"' ||
	fail "the worst task is: $(head -n 1 "$scratch/answer")"
answers "perftop_task_run_seconds_total{instance=\"$here\",pid!=\"rest\",command=~\"q\\\"b.*\"}"
answers 'node_textfile_scrape_error'
grep -q '=> 1 ' "$scratch/answer" && fail "node_exporter refuses a file: $(cat "$scratch"/exporter-*.log)"
grep -qi 'level=error' "$scratch"/exporter-*.log && fail "$(grep -hi level=error "$scratch"/exporter-*.log)"

# --- the dashboard: each panel has data of the host with groups; its rates are over what Grafana would fill in
panels=0
while IFS= read -r query; do
	answers "$query" "{" && panels=$((panels + 1))
done < <(sed -n 's/^.*"expr": "\(.*\)"$/\1/p' "$FLEET/dashboard.json" |
	sed -e 's/\\"/"/g' -e 's/\$__rate_interval/5m/g' -e "s/\$instance/$fleet/g" -e 's/\$group/.+/g')
[ $panels = "$(grep -c '"expr":' "$FLEET/dashboard.json")" ] && [ $panels -gt 10 ] || fail "$panels queries of the dashboard"

# --- alerts: those of a group that is held back, waits and misses, after ten minutes of it; until then they are pending
promtool test rules "$(dirname "$0")/alerts.yml" >"$scratch/out" 2>&1 || fail "alerts: $(cat "$scratch/out")"
for alert in PerftopThrottled PerftopRunQueueWait PerftopMPKI; do
	answers "ALERTS{alertname=\"$alert\",alertstate=\"pending\",instance=\"$fleet\"}" 'group="/system.slice/web.service"'
done

# --- totals never go back: no counter was ever reset of the machine, of the rest, and of tasks that are still there:
# the number of another may have been given again
lasting=$(tr ' ' '|' <<<"rest $(echo $(jobs -rp))")
counters=$(sed -n 's/^# TYPE \(.*\) counter$/\1/p' "$scratch/tasks")
for counter in $counters; do
	promtool query instant "http://$address" "resets(${counter}{pid=~\"|$lasting\"}[5m]) > 0" >"$scratch/answer" 2>&1
	grep -q . "$scratch/answer" && fail "went back: $counter: $(cat "$scratch/answer")"
done

# --- a directory that is away for a while is said once, and the file comes back
[ "$(stat -c %a "$scratch/here/perftop.prom")" = 644 ] || fail "not readable by all"
mv "$scratch/here" "$scratch/away"
wait_until "that the directory is away is not said" grep -q 'No such file' "$scratch/err"
sleep 1
mkdir "$scratch/here"
wait_until "the file does not come back" test -s "$scratch/here/perftop.prom"
[ "$(grep -c 'No such file' "$scratch/err")" = 1 ] || fail "said: $(cat "$scratch/err")"
kill -0 $perftop || fail "perftop has ended"
kill $perftop
wait $perftop
status=$?
[ $status = 0 ] || fail "status $status"
[ "$(ls -A "$scratch/here")" = perftop.prom ] || fail "left behind: $(ls -A "$scratch/here")"

report
