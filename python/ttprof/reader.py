# SPDX-License-Identifier: Apache-2.0
"""Read a profiled run: libttprof (ttp/run.h, ttp/report.h) from Python.

    import pandas, ttprof

    with ttprof.open("generated/profiler") as run:
        for op in run.ops:                          # rows
            print(op["OP CODE"], op["DEVICE KERNEL DURATION [ns]"])
        frame = pandas.DataFrame(run.columns)       # columns
        for finding in run.report().findings:
            print(finding.text, finding.saves_ns)

A column of numbers is a block of memory that numpy.asarray takes as it is; a column of texts is numbers of texts, each text being made once.
"""
import collections.abc
import ctypes
import json
import os
from ctypes import POINTER, byref, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint16, c_uint32, c_uint64, c_void_p
from typing import NamedTuple

NUMBER, TEXT = 0, 1  # enum ttprof_kind


class RunError(OSError):
    """A run that can't be read; the text says what, where and what to do."""


class _Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("text", c_char * 512)]


class _Column(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("kind", c_int)]


class _Core(ctypes.Structure):
    _fields_ = [("op", c_int64), ("run_id", c_uint64), ("trace_id", c_int64), ("replay", c_int64), ("device", c_uint32), ("x", c_uint16), ("y", c_uint16),
                ("busy_ns", c_double), ("start_ns", c_double), ("end_ns", c_double)]


class _ZoneSum(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("function", c_char_p), ("at", c_char_p), ("where", c_char_p), ("calls", c_uint64), ("total_ns", c_double), ("all_ns", c_double),
                ("self_ns", c_double), ("min_ns", c_double), ("max_ns", c_double)]


class _Account(ctypes.Structure):
    _fields_ = [("seen", c_uint64), ("timed", c_uint64), ("partial", c_uint64), ("dropped", c_uint64)]


class _Cause(ctypes.Structure):
    _fields_ = [("text", c_char_p), ("hint", c_char_p), ("count", c_uint64), ("device", c_int), ("core_x", c_int),
                ("core_y", c_int), ("risc", c_char_p)]


class _Options(ctypes.Structure):
    _fields_ = [("start_signpost", c_char_p), ("end_signpost", c_char_p), ("whole_run", c_bool)]


class _Totals(ctypes.Structure):
    _fields_ = [("device_ns", c_double), ("host_ns", c_double), ("gap_ns", c_double), ("build_gap_ns", c_double),
                ("ops", c_uint64), ("verdict", c_char_p)]


class _Finding(ctypes.Structure):
    _fields_ = [("what", c_char_p), ("text", c_char_p), ("advice", c_char_p), ("saves_ns", c_double), ("time_ns", c_double),
                ("calls", c_uint32), ("id", c_uint32)]


_FUNCTIONS = {
    "run_open": (c_void_p, c_char_p, POINTER(_Error)),
    "run_close": (None, c_void_p),
    "run_note": (c_char_p, c_void_p, c_size_t),
    "run_ops": (c_size_t, c_void_p, POINTER(_Error)),
    "run_columns": (c_size_t, c_void_p),
    "run_column_info": (c_bool, c_void_p, c_size_t, POINTER(_Column)),
    "run_numbers": (c_void_p, c_void_p, c_int),
    "run_text_ids": (c_void_p, c_void_p, c_int),
    "run_string": (c_char_p, c_void_p, c_uint32),
    "run_cores": (POINTER(_Core), c_void_p, POINTER(c_size_t), POINTER(_Error)),
    "run_zone_sums": (POINTER(_ZoneSum), c_void_p, POINTER(c_size_t), POINTER(_Error)),
    "run_account": (c_bool, c_void_p, POINTER(_Account)),
    "run_cause": (c_bool, c_void_p, c_size_t, POINTER(_Cause)),
    "report_make": (c_void_p, c_void_p, POINTER(_Options), POINTER(_Error)),
    "report_free": (None, c_void_p),
    "report_totals": (c_bool, c_void_p, POINTER(_Totals)),
    "report_finding": (c_bool, c_void_p, c_size_t, POINTER(_Finding)),
    "report_json": (c_char_p, c_void_p),
}
_loaded = None


def _library():
    """libttprof: of the installation or build directory that this package is in, else where the loader finds it."""
    global _loaded  # pylint: disable=global-statement
    if _loaded:
        return _loaded
    here = os.path.dirname(os.path.realpath(__file__))
    unresolved = os.path.dirname(os.path.abspath(__file__))
    names = [os.environ.get("TTPROF_LIBRARY", ""), os.path.join(unresolved, "libttprof.so.0"),
             os.path.join(unresolved, "..", "..", "libttprof.so.0"),
             *(os.path.join(here, "..", "..", "..", "..", lib, "libttprof.so.0") for lib in ("lib", "lib64"))]
    name = next((n for n in names if n and os.path.exists(n)), "libttprof.so.0")
    try:
        library = ctypes.CDLL(name)
    except OSError as e:
        raise RunError(f"libttprof.so.0 can't be loaded ({e}); install ttprof, or name it in TTPROF_LIBRARY") from None
    for function, (result, *arguments) in _FUNCTIONS.items():
        f = getattr(library, "ttprof_" + function)
        f.restype, f.argtypes = result, arguments
    _loaded = library
    return library


def _text(b):
    return b.decode("utf-8", "replace") if b is not None else ""


def _check(error):
    if error.code:
        raise RunError(_text(error.text))


class Column(collections.abc.Sequence):
    """Cells of one column; None where a text or number is missing when taken one by one, NaN in arrays."""

    def __init__(self, run, name, unit, data, strings):
        self._run = run  # whose memory `data` is
        self.name, self.unit, self.data, self._strings = name, unit, data, strings

    @property
    def is_text(self):
        return self._strings is not None

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        cells = self.data[i]
        if isinstance(i, slice):
            return [self._cell(c) for c in cells]
        return self._cell(cells)

    def _cell(self, cell):
        if self._strings is not None:
            return self._strings[cell] or None
        return None if cell != cell else cell  # NaN

    def __array__(self, dtype=None, copy=None):
        import numpy  # pylint: disable=import-outside-toplevel
        cells = numpy.asarray(self.data)
        if self._strings is not None:
            cells = numpy.array(self._strings, dtype=object)[cells]
        elif copy:
            cells = cells.copy()
        return cells if dtype is None else cells.astype(dtype)

    def categories(self):
        """A column of texts as pandas.Categorical: its numbers are taken as they are."""
        import pandas  # pylint: disable=import-outside-toplevel
        import numpy  # pylint: disable=import-outside-toplevel
        codes, seen = numpy.unique(numpy.asarray(self.data), return_inverse=True)
        return pandas.Categorical.from_codes(seen, [self._strings[c] for c in codes])

    def __repr__(self):
        return f"<column {self.name!r} of {len(self)} {'texts' if self.is_text else 'numbers'}>"


class Op(collections.abc.Mapping):
    """One row: cells by the names of their columns; missing ones are None."""

    __slots__ = ("_columns", "row")

    def __init__(self, columns, row):
        self._columns, self.row = columns, row

    def __getitem__(self, name):
        return self._columns[name][self.row]

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def __repr__(self):
        return f"<op {self.row}: {self.get('OP CODE')}>"


class Ops(collections.abc.Sequence):
    def __init__(self, columns, rows):
        self._columns, self._rows = columns, rows

    def __len__(self):
        return self._rows

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [Op(self._columns, k) for k in range(*i.indices(self._rows))]
        if i < 0:
            i += self._rows
        if not 0 <= i < self._rows:
            raise IndexError(i)
        return Op(self._columns, i)


class Core(NamedTuple):
    """What one core did for one op; `op` is the number of its row, None where the ops don't have it; so are trace and replay."""
    op: int
    run_id: int
    trace_id: int
    replay: int
    device: int
    x: int
    y: int
    busy_ns: float
    start_ns: float
    end_ns: float


class ZoneSum(NamedTuple):
    """Zones of one name; `where` is "host", "device", or a RISC; `at` is "file:line"."""
    name: str
    function: str
    at: str
    where: str
    calls: int
    total_ns: float
    all_ns: float
    self_ns: float
    min_ns: float
    max_ns: float


class Account(NamedTuple):
    seen: int
    timed: int
    partial: int
    dropped: int


class Cause(NamedTuple):
    """Why something is missing; device, core and RISC are None where it is not of one."""
    text: str
    hint: str
    count: int
    device: int
    core: tuple
    risc: str


class Finding(NamedTuple):
    what: str
    text: str
    advice: str
    saves_ns: float
    time_ns: float
    calls: int
    id: int


class Totals(NamedTuple):
    device_ns: float
    host_ns: float
    gap_ns: float
    build_gap_ns: float
    ops: int
    verdict: str


class Report:
    """What `ttprof report` says: `totals`, `findings`, and `json` with all of it but the ops."""

    def __init__(self, run, start_signpost, end_signpost, whole_run):
        library, error = _library(), _Error()
        options = _Options(*(s.encode() if s is not None else None for s in (start_signpost, end_signpost)), whole_run)
        report = library.ttprof_report_make(run._run, byref(options), byref(error))
        _check(error)
        try:
            totals, finding, n = _Totals(), _Finding(), 0
            library.ttprof_report_totals(report, byref(totals))
            self.totals = Totals(totals.device_ns, totals.host_ns, totals.gap_ns, totals.build_gap_ns, totals.ops, _text(totals.verdict))
            self.findings = []
            while library.ttprof_report_finding(report, n, byref(finding)):
                self.findings.append(Finding(_text(finding.what), _text(finding.text), _text(finding.advice), finding.saves_ns,
                                             finding.time_ns, finding.calls, finding.id))
                n += 1
            self.json = json.loads(_text(library.ttprof_report_json(report)))
        finally:
            library.ttprof_report_free(report)


class Run:
    """A run: whatever a command of ttprof takes as RUN.  Its parts are read when they are first asked for.

    Columns, and arrays made of them, keep the memory of a run alive after it is closed; nothing new can be asked then.
    """

    def __init__(self, path):
        error = _Error()
        self._library = _library()
        self._run = self._library.ttprof_run_open(os.fsencode(os.fspath(path)), byref(error))
        _check(error)
        self._memory = _Memory(self._library, self._run)
        self._columns = self._ops = None

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        self._run = self._columns = self._ops = self._memory = None

    def _open(self):
        if self._run is None:
            raise ValueError("the run is closed")
        return self._run

    def _read(self):
        if self._columns is None:
            error = _Error()
            rows = self._library.ttprof_run_ops(self._open(), byref(error))
            _check(error)
            self._columns = self._all_columns(rows)
            self._ops = Ops(self._columns, rows)

    def _all_columns(self, rows):
        columns, info, strings = {}, _Column(), []
        while (s := self._library.ttprof_run_string(self._run, len(strings))) is not None:
            strings.append(_text(s))
        for i in range(self._library.ttprof_run_columns(self._run)):
            self._library.ttprof_run_column_info(self._run, i, byref(info))
            is_text = info.kind == TEXT
            at = (self._library.ttprof_run_text_ids if is_text else self._library.ttprof_run_numbers)(self._run, i)
            cells = ((c_uint32 if is_text else c_double) * rows).from_address(at)
            cells.memory = self._memory  # an array of numpy holds the cells, and they hold this
            data = memoryview(cells).cast("B").cast("I" if is_text else "d").toreadonly()
            columns[_text(info.name)] = Column(self._memory, _text(info.name), _text(info.unit), data, strings if is_text else None)
        return columns

    @property
    def columns(self):
        """Columns by name, in the order of the report; columns without any cell are not there."""
        self._open()
        self._read()
        return self._columns

    @property
    def ops(self):
        """Rows, in the order of the report."""
        self._open()
        self._read()
        return self._ops

    @property
    def cores(self):
        """What each core did for each op, from the device log."""
        count, error = c_size_t(), _Error()
        cores = self._library.ttprof_run_cores(self._open(), byref(count), byref(error))
        _check(error)
        return [Core(None if c.op < 0 else c.op, c.run_id, *(None if n < 0 else n for n in (c.trace_id, c.replay)), c.device, c.x, c.y, c.busy_ns, c.start_ns, c.end_ns)
                for c in cores[:count.value]]

    @property
    def zone_sums(self):
        """Zones of one name together, of the trace or else of the device log; figures of `ttprof top --zones`."""
        count, error = c_size_t(), _Error()
        sums = self._library.ttprof_run_zone_sums(self._open(), byref(count), byref(error))
        _check(error)
        return [ZoneSum(*map(_text, (z.name, z.function, z.at, z.where)), z.calls, z.total_ns, z.all_ns, z.self_ns, z.min_ns, z.max_ns) for z in sums[:count.value]]

    @property
    def account(self):
        """What the ops cover; None when it is not known."""
        a = _Account()
        known = self._library.ttprof_run_account(self._open(), byref(a))
        return Account(a.seen, a.timed, a.partial, a.dropped) if known else None

    @property
    def causes(self):
        """Why something is missing."""
        causes, c = [], _Cause()
        while self._library.ttprof_run_cause(self._open(), len(causes), byref(c)):
            causes.append(Cause(_text(c.text), _text(c.hint), c.count, c.device if c.device >= 0 else None,
                                (c.core_x, c.core_y) if c.core_x >= 0 else None, _text(c.risc) or None))
        return causes

    @property
    def notes(self):
        """Files that could not be used, each with the reason."""
        notes = []
        while (note := self._library.ttprof_run_note(self._open(), len(notes))) is not None:
            notes.append(_text(note))
        return notes

    def report(self, start_signpost=None, end_signpost=None, whole_run=False):
        """The verdict and what to fix first; without arguments of the same part that `ttprof report` shows."""
        self._open()
        return Report(self, start_signpost, end_signpost, whole_run)


class _Memory:
    """Closes the run when nobody looks at its cells any more."""

    def __init__(self, library, run):
        self._close, self._run = library.ttprof_run_close, run

    def __del__(self):
        self._close(self._run)


def open(path):  # pylint: disable=redefined-builtin
    """Opens a run: a report folder, run.json, an ops report, a device log, a .tracy file or a spool."""
    return Run(path)
