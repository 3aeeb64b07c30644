#!/bin/sh
# What an operator does with the installed package: from an empty folder to a restored backup. The test beside it runs this in an empty
# folder as an ordinary user, with `keyroster` and `node` on the PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export KEYROSTER_RATE_LIMIT=0

# Serves in the background: sets SERVE to its PID and KEYROSTER_BASE_URL to its address.
start() {
  KEYROSTER_BASE_URL=
  keyroster serve --port 0 "$@" > serve.log &
  SERVE=$!
  trap 'kill -KILL $SERVE' EXIT
  while [ -z "$KEYROSTER_BASE_URL" ]; do
    kill -0 $SERVE
    sleep 0.1
    KEYROSTER_BASE_URL=$(sed -n 's/.*"msg":"listening on \(http:[^"]*\)".*/\1/p' serve.log)
  done
  export KEYROSTER_BASE_URL
}

# Ends with the exit code of serve where that isn't 0.
stop() {
  kill -TERM $SERVE
  wait $SERVE
  trap - EXIT
}

echo "version $(keyroster --version), by user $(id -u)"
keyroster migrate
keyroster organizations create 'Example Ltd' --id org_example
KEYROSTER_ADMIN_KEY=$(keyroster admin-keys create --organization org_example --json |
  node -p 'JSON.parse(fs.readFileSync(0)).secret')
export KEYROSTER_ADMIN_KEY
echo "$KEYROSTER_ADMIN_KEY" > admin-key.txt
keyroster import "$here/api-keys.jsonl" --organization org_example

start
node "$here/load.mjs" > load.log &
LOAD=$!
while [ ! -s load.log ]; do kill -0 $LOAD; sleep 0.1; done
stop
wait $LOAD
echo "stopped under load: $(tail -n 1 load.log)"

start
keyroster-admin list --all --format jsonl > before.jsonl
echo "started again: $(wc -l < before.jsonl | tr -d ' ') API keys"
keyroster backup backup.db
stop

keyroster restore backup.db
start
keyroster-admin list --all --format jsonl > after.jsonl
cmp before.jsonl after.jsonl
echo 'restored: the same API keys'
stop
