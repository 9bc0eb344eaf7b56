#!/bin/sh
# Runs the service once on stores of its own, asks it what a replica is asked first, and lets the JVM
# write down which classes that took: fencepost.aot. What shapes the heap must be as in a pod. A share of a
# builder's memory would be over 32 GB on a large one, and pointers, which the cache holds, wider than there.
set -eu
work=$(mktemp -d)
password=$(openssl rand -hex 16)

redis-server --port 6399 --save '' --requirepass "$password" --maxmemory-policy noeviction \
  --appendonly yes --dir "$work" --daemonize yes >/dev/null
chown postgres "$work"
postgres_bin=$(echo /usr/lib/postgresql/*/bin)
as_postgres() { su postgres -s /bin/sh -c "$1"; }
as_postgres "$postgres_bin/initdb -D $work/pg -A trust >/dev/null"
as_postgres "$postgres_bin/pg_ctl -D $work/pg -w -o '-p 5499 -k $work' start >/dev/null"
mkdir "$work/keys"
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out "$work/keys/training.pem" 2>/dev/null

QUARKUS_PROFILE=kubernetes QUARKUS_HTTP_PORT=8099 \
  QUARKUS_REDIS_HOSTS=redis://127.0.0.1:6399 QUARKUS_REDIS_PASSWORD="$password" \
  QUARKUS_DATASOURCE_JDBC_URL=jdbc:postgresql://127.0.0.1:5499/postgres \
  QUARKUS_DATASOURCE_USERNAME=postgres QUARKUS_DATASOURCE_PASSWORD=none \
  FENCEPOST_IDENTITY_KEYS_PATH="$work/keys" FENCEPOST_ADMIN_PASSWORD="$password" \
  FENCEPOST_DATA_DIR="$work/data" FENCEPOST_SHUTDOWN_GRACE=2s \
  java -XX:AOTCacheOutput=fencepost.aot -XX:+UseG1GC -Xmx512m -jar quarkus-run.jar \
  >"$work/log" 2>&1 &
service=$!

tries=0
until curl -fs http://127.0.0.1:8099/q/health/ready >/dev/null; do
  tries=$((tries + 1))
  if [ "$tries" -gt 120 ] || ! kill -0 "$service"; then
    cat "$work/log"
    exit 1
  fi
  sleep 0.5
done
token=$(curl -s http://127.0.0.1:8099/oauth/token -d grant_type=password -d username=admin \
  --data-urlencode "password=$password" | sed -n 's/.*"access_token":"\([^"]*\)".*/\1/p')
call() { curl -s -o /dev/null -H "Authorization: Bearer $token" "$@"; }
call -X PUT http://127.0.0.1:8099/v1/assets/training -H 'Content-Type: application/json' \
  -d '{"address": "tcp://203.0.113.1:9"}'
call -X PUT http://127.0.0.1:8099/v1/assets/training/inventory -H 'Content-Type: application/json' \
  -d '{"components": [{"purl": "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1"}]}'
call -X POST http://127.0.0.1:8099/v1/assets/training/assessments -H 'Prefer: wait=10'
call 'http://127.0.0.1:8099/v1/tickets?limit=1'
call http://127.0.0.1:8099/q/metrics

kill "$service"
wait "$service" || true
as_postgres "$postgres_bin/pg_ctl -D $work/pg -m immediate stop >/dev/null"
redis-cli -p 6399 -a "$password" --no-auth-warning shutdown nosave || true
rm -rf "$work"
test -s fencepost.aot
