"""``memplan bench``, with planners that are Python functions, and its results as records."""
from __future__ import annotations

import csv
import hashlib
import inspect
import os
import shlex
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import traceback
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import library
from .library import MemplanError


@dataclass(frozen=True)
class Problem:
    """What a planner that is a function gets; it returns an offset in bytes for each buffer, or None for no plan."""
    sizes: list[int]
    lower: list[int]
    """The first step of each buffer."""
    upper: list[int]
    """One past the last step of each buffer."""
    alignment: list[int]
    gaps: list[list[tuple[int, int]]]
    """Steps between ``lower`` and ``upper`` at which others may use a buffer's bytes; a function may ignore them."""
    fixed_offset: list[Optional[int]]


Function = Callable[[Problem], Optional[Sequence[int]]]


def _read(rows: list[dict[str, str]]) -> Problem:
    def gaps(text: str) -> list[tuple[int, int]]:
        return [(int(pair.split("-")[0]), int(pair.split("-")[1].split("@")[0])) for pair in text.split()] if text else []
    return Problem(sizes=[int(row["size"]) for row in rows], lower=[int(row["lower"]) for row in rows],
                   upper=[int(row["upper"]) for row in rows], alignment=[int(row.get("alignment") or 1) for row in rows],
                   gaps=[gaps(row.get("gaps", "")) for row in rows],
                   fixed_offset=[int(row["offset"]) if row.get("offset") else None for row in rows])


def _answer(function: Function, source: str, target: str) -> bool:
    """Reads MiniMalloc's CSV, asks the function and writes the CSV with its offsets; False where it has none."""
    with open(source, newline="") as file:
        rows = list(csv.DictReader(file))
    offsets = function(_read(rows))
    if offsets is None:
        return False
    offsets = offsets.tolist() if hasattr(offsets, "tolist") else list(offsets)
    if len(offsets) != len(rows):
        raise ValueError(f"found {len(offsets)} offsets, expected {len(rows)}")
    with open(target, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(key for key in rows[0] if key != "offset"), "offset"])
        for row, offset in zip(rows, offsets):
            writer.writerow([*(value for key, value in row.items() if key != "offset"), int(offset)])
    return True


class _Server:
    """Answers the small programs that memplan starts (client.py) in this process, where the functions are."""

    def __init__(self, functions: Mapping[str, Function], path: str) -> None:
        self.functions = functions
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        self.socket.listen()
        self.thread = threading.Thread(target=self.serve, name="memplan functions", daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Waits for the thread: the number of a closed socket may be that of the next server's, and its functions others."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.socket.close()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rw") as lines:
            name, source, target = (lines.readline().rstrip("\n") for _ in range(3))
            try:
                said = "0" if _answer(self.functions[name], source, target) else "21"  # 21: it gave up
            except Exception as error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                said = f"1 {type(error).__name__}: {error} ({last.name}, line {last.lineno})".replace("\n", " ")
            try:
                lines.write(said + "\n")
                lines.flush()
            except OSError:
                pass  # memplan has ended the program, for its time is up


def _digest(function: Function) -> str:
    """Changes where the function does, so that results of an older one are not taken for those of a newer one."""
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        text = repr(getattr(function, "__code__", function))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def bench(instances: Sequence[str], *, planners: Sequence[str] = ("large_first", "best"),
          functions: Optional[Mapping[str, Function]] = None, suite: Optional[str] = None, run: Optional[str] = None,
          database: Union[str, "os.PathLike[str]", None] = None, time_limit: float = 10.0,
          options: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Runs ``memplan bench`` and returns its results as records: ``pandas.DataFrame(memplan.bench(...))``.

    ``functions`` names planners that are Python functions: {"mine": function}. They are called in this process, one
    thread for each job, and their plans are verified like those of all others. ``database`` keeps the results (default: they
    are only returned); ``options`` are further ones of ``memplan bench``, as words. What failed is in the records; an error
    is raised where no job could be run.
    """
    functions = dict(functions or {})
    with tempfile.TemporaryDirectory(prefix="memplan-") as folder:
        path = os.fspath(database) if database is not None else os.path.join(folder, "results.db")
        run = run or f"python-{os.getpid()}-{threading.get_ident() % 10**6}-{len(os.listdir(folder))}"
        words = [library.program(), "bench", *instances, *(["--suite", suite] if suite else []),
                 "--planners", ",".join([*planners, *functions]), "--db", path, "--run", run,
                 "--time-limit", str(time_limit), *options]
        client = str(Path(__file__).with_name("client.py"))
        for name, function in functions.items():
            command = [sys.executable, "-ISE", client, name, _digest(function)]
            words += ["--external", f"{name}={shlex.join(command)} {{in}} {{out}}"]
        address = os.path.join(folder, "socket")
        server = _Server(functions, address)
        try:
            ended = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "MEMPLAN_PYTHON": address})
        finally:
            server.close()
        if ended.returncode not in (0, 1) or not os.path.exists(path):
            raise MemplanError(ended.stderr.strip().splitlines()[-1] if ended.stderr.strip() else f"exit {ended.returncode}")
        return results(path, run=run)


def results(database: Union[str, "os.PathLike[str]"], *, run: Optional[str] = None) -> list[dict[str, Any]]:
    """The rows of a database of results (docs/database.md), a dict for each: ``pandas.DataFrame(memplan.results(path))``."""
    with closing(sqlite3.connect(f"file:{os.path.abspath(database)}?mode=ro", uri=True)) as store:
        store.row_factory = sqlite3.Row
        query = "SELECT * FROM result" + (" WHERE run = ?" if run is not None else "") + " ORDER BY rowid"
        return [dict(row) for row in store.execute(query, (run,) if run is not None else ())]
