# The Linux console: perftop on tty1, with the keyboard and the font that the kernel has by itself. Whoever watches
# from outside presses q at the end.

spin w250m8r3 0 &
spin w031m48r61 1 &
# names that no font of 256 characters has
spin "$(printf '\346\227\245\346\234\254\350\252\236')" - &
spin "$(printf 'cafe\314\201 \303\251')" - &
sleep 1
export LANG=C.UTF-8 TERM=linux
setsid -c perftop -d 2 --no-config </dev/tty1 >/dev/tty1 2>/out/said
echo $? >/out/ended
exit 0
