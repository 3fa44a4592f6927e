"""Loads a file into a MergeTree table of an embedded ClickHouse and prints what that took, as JSON.

Reads a JSON object from standard input: path (the database's folder), create, insert and count (SQL).
Python's start and the import of the engine are not timed.
"""
import json
import resource
import sys
import time

from chdb import session


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


job = json.load(sys.stdin)
engine = session.Session(job["path"])
engine.query("SELECT 1")
cpu = cpu_seconds()
start = time.monotonic()
engine.query(job["create"])
engine.query(job["insert"])
seconds = time.monotonic() - start
cpu = cpu_seconds() - cpu
rows = int(str(engine.query(job["count"], "TabSeparated")))
print(json.dumps({"seconds": seconds, "cpu_seconds": cpu, "rows": rows}))
sys.stdout.flush()
engine.close()
