# Samples of cache misses, each of so many, of a program whose functions have a known number of them; nobody else has
# any, but for the kernel's own threads. check_misses.c knows what must come out.

echo perftop=w001m0 >/sys/module/ratepmu/parameters/known
echo 1 >/sys/module/ratepmu/parameters/interrupts
run counted perftop -b --by cache-misses/period=1000000/ --view functions --format json -d 100 -o /out/misses.out \
	-- functions once
exit 0
