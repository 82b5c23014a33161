# What a refresh a second costs, of perftop and of others, beside 1000 tasks that sleep: an instruction takes a ns
# (guest.sh -i), so that a time on the CPU is a number of them. tests/bench/cost.sh prints it.
mkfifo /tmp/hold
idlers 1000 </tmp/hold >/tmp/ready &
exec 9>/tmp/hold
until grep -q ready /tmp/ready; do sleep 1; done
printf '%-16s %12s %12s %12s %12s\n' program 'start ms' 'Minstr/s' 'memory KiB' 'of it private'
# peer NAME MARK COMMAND...: its screen is there when it has written MARK
peer() {
	name=$1
	shift
	meter 5 "$@" | awk -v name="$name" '{ printf "%-16s %12.0f %12.1f %12d %12d\n", name, $2, $3 / 1000, $4, $5 }'
}
peer perftop COMMAND perftop -d 1
peer top COMMAND top -d 1
peer htop Command htop -d 10
peer tiptop COMMAND tiptop -d 1
peer 'perf stat -a' instructions perf stat -a -I 1000
exec 9>&-
