# Runs one server, and ends it when standard input ends: the JVM holds the other end of that pipe, so
# it ends however the JVM does, by exit, by signal or by kill -9. Signals meant for the JVM (Ctrl-C
# reaches its whole process group) are ignored here, so that the service drains first.
#
# usage: supervise SIGNAL SECONDS PROGRAM [ARGUMENT...]
#   SIGNAL   asks the program to stop; after SECONDS it is killed
trap '' HUP INT QUIT TERM
signal=$1
seconds=$2
shift 2

exec 3<&0
"$@" 3<&- </dev/null &
server=$!
(
  read -r line <&3
  kill -s "$signal" "$server"
  while [ "$seconds" -gt 0 ]; do
    sleep 1
    seconds=$((seconds - 1))
  done
  kill -s KILL "$server"
) &
stopper=$!
exec 3<&-

wait "$server"
code=$?
kill -s KILL "$stopper" 2>/dev/null
exit "$code"
