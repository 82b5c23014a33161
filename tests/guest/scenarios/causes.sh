# Something is wrong, one thing at a time and two; then nothing is, beside tasks that share the CPUs in fairness.
# check_causes.c knows what perftop must say of it. How long something takes is counted in instructions.

# plant KIND [FILE]: until `remove`
plant() {
	causes "$@" &
	planted="$planted $!"
}
remove() {
	kill -9 $planted
	wait $planted
	planted=
}
# says NAME INTERVALS
says() { run $1 $batch -d 1 -n $2; }

mkdir /sys/fs/cgroup/shop
echo +cpu >/sys/fs/cgroup/cgroup.subtree_control
echo '10000 100000' >/sys/fs/cgroup/shop/cpu.max
plant_limited() {
	sh -c 'echo $$ >/sys/fs/cgroup/shop/cgroup.procs && exec causes fair' &
	planted="$planted $!"
}

for kind in forks lock pingpong preempted faults; do
	plant $kind
	says $kind 3
	remove
done
plant fsync /dev/nullb0
says disk 3
remove
plant fsync-beside /dev/nullb0
says beside 3
remove
plant_limited
says limit 3
remove

plant forks
plant faults
says forks_faults 3
remove
plant pingpong
plant_limited
says pingpong_limit 3
remove

# what is slow for want of caches, or memory
spin w031m48 &
planted=$!
says memory 3
remove
mkswap /dev/nullb0 >/dev/null
swapon /dev/nullb0
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
echo 16M >/sys/fs/cgroup/shop/memory.max
echo max >/sys/fs/cgroup/shop/cpu.max
sh -c 'echo $$ >/sys/fs/cgroup/shop/cgroup.procs && exec causes swap' &
planted=$!
named $planted swapper
says swap 4
remove

# which function is hot is a key away; who reads names has a lower priority than all, so it rests in between
spin hot - 0 rests &
planted=$!
opens 132 40
types 8
sleep 3 # to look at the screen takes programs, whose functions are to be named, too
shows hot.txt 'hot spends' 'spin .*main'
leaves
remove

says idle 60
exit 0
