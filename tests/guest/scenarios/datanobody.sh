# The recording for tests/data of somebody who may watch own tasks only: two that share a CPU, one that rests, short
# lives, and a task of root's.

echo 2 >/proc/sys/kernel/perf_event_paranoid
mkdir -m 777 /out/nobody.d
cd /out/nobody.d
spin roots 1 &
asuser 65534 spin hungry 0 &
asuser 65534 spin thirsty 0 &
asuser 65534 spin rests 1 0 rests &
(for i in 1 2 3 4 5 6; do asuser 65534 forkstorm 6 5 brief; sleep 0.3; done >/dev/null) &
sleep 2
asuser 65534 perftop --no-config -b -d 0.4 -n 6 -w own.data >/dev/null
mv own.data /out
exit 0
