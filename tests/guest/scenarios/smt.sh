# Two CPUs that are the threads of one core: a task that stays on the one, and beside it on the other first
# nothing, then two tasks one after the other. All else is on the first CPU, too. check_smt.c knows what must
# come out.

taskset -p 1 $$
spin w250m40 0 &
first=$!
named $first w250m40
watch smt $batch -d 0.5 -w /out/smt.data -m 'alone = smt_alone_ns' -m 'beside = smt_beside_ns'
intervals 6
spin w050m20 1 &
second=$!
named $second w050m20
intervals 6
kill $second
wait $second
intervals 4
spin w100m80 1 &
third=$!
named $third w100m80
intervals 6
kill $third
wait $third
intervals 4
enough
perftop -b --format json -i /out/smt.data -m 'alone = smt_alone_ns' -m 'beside = smt_beside_ns' >/out/smt.replay
rm /out/smt.data
run text perftop -b -n 1 -d 1 -c pid,smt%,ipc-1t,ipc-2t,command
run cpus perftop -b -n 1 -d 1 -V cpus -c cpu,smt,smt%,ipc-1t,ipc-2t
kill $first
exit 0
