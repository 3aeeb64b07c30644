"""Feeds Keyroster: a JSON line of standard input is a key. Put your source in its place (docs/issuing.md)."""

import json, subprocess, sys, threading, time

MOST = 10_000  # lines without an answer: more wait where they come from
lines, put, answered = {}, 0, 0  # by number; how many were put and answered
changed = threading.Condition()

def put_key(key):
    global put
    with changed:
        changed.wait_for(lambda: put - answered < MOST)
        lines[put] = json.dumps(key) + "\n"
        put += 1
        changed.notify_all()

def feed():
    while True:
        child = subprocess.Popen(["keyroster", "feed", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=send, args=(child, answered), daemon=True).start()
        for text in child.stdout:
            if text.endswith("\n"):  # else it was cut off
                take(json.loads(text))
        child.wait()
        time.sleep(1)  # it was killed: the next one gets what has no answer

def send(child, number):
    try:
        while True:
            with changed:
                changed.wait_for(lambda: number < put)
                line = lines[number]
            child.stdin.write(line)
            child.stdin.flush()
            number += 1
    except (OSError, KeyError):
        pass  # this child has ended; another thread sends to the next

def take(answer):
    global answered
    with changed:
        line = lines.pop(answered)
        answered += 1
        changed.notify_all()
    if answer["result"] == "refused":
        print("refused:", json.loads(line).get("id"), answer["problems"], file=sys.stderr)

threading.Thread(target=feed, daemon=True).start()
for text in sys.stdin:
    put_key(json.loads(text))
with changed:
    changed.wait_for(lambda: answered == put)
print(answered, "answered")
