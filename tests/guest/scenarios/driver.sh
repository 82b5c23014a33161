# A unit that the emulator has and the kernel's own driver reads, on arm64: an instruction takes two cycles, whatever
# runs. check_driver.c knows what must come out.

run check perftop check
run overflow overflow 1000000

spin half 0 &
first=$!
named $first half
run rates $batch -d 0.5 -n 3
run events $batch -d 0.5 -n 2 -e r08,armv8_pmuv3/cpu_cycles/,cpu-cycles:u
run list perftop events armv8

# recorded and replayed
cd /out
$batch -d 0.5 -n 3 -w session.data >session.live 2>session.err
echo $? >session.status
run replay $batch -i session.data
kill $first

functions &
first=$!
# Between begin and end of an interrupt the other CPU may have its turn, so that the kernel takes interrupts for slow:
# it would lower the rate below ours, and hold most samples back. 8 in a tick are enough to begin with.
echo 2000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
run functions perftop -b --view functions --format json -d 5 -n 1
kill $first
exit 0
