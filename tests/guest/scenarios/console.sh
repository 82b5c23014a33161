# The Linux console: perftop on tty1, with the keyboard and the font that the kernel has by itself. Whoever watches
# from outside presses q at the end.

echo -n xz=w060m22r48,sqlite3=w140m5r15,perl=w210m1r8 >/sys/module/ratepmu/parameters/known
/bin/xz -6 -c /dev/zero >/dev/null &
/bin/sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x + 1 from c) select sum(x % 7) from c' &
# a name that no font of 256 characters has
/bin/perl -e '$0 = "\346\227\245\346\234\254\350\252\236"; while (1) { $words{$_ % 1000}++ for 1 .. 1000 }' &
sleep 1
export LANG=C.UTF-8 TERM=linux
setsid -c perftop -d 2 --no-config </dev/tty1 >/dev/tty1 2>/out/said
echo $? >/out/ended
exit 0
