# A machine of two that are watched together: it is called as the kernel's command line says (host=NAME), records into
# the pipe that leaves the guest, and keeps what it has seen itself.

hostname "$(sed 's/.*host=\([a-z0-9]*\).*/\1/' /proc/cmdline)"
spin w250m40 0 0 rests &
first=$!
named $first w250m40
(while :; do forkstorm 10 5 w150m80; sleep 0.2; done >/dev/null) &
stty -F /dev/ttyS2 raw -echo 115200
{
	perftop -d 1 -n 6 --format json -o /out/live -w - 2>/out/err
	echo $? >/out/status.perftop
} | cat >/dev/ttyS2
cat /out/err
kill -9 $first
exit "$(cat /out/status.perftop)"
