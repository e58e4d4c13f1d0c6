# SPDX-License-Identifier: Apache-2.0
"""tt-metal serves Tracy's viewer, built for browsers, beside a run.  Here `ttprof view --serve RUN` shows runs, and nothing is started unasked."""
DEFAULT_HTTP_PORT = 8080


def _argv_http_port(argv):
    """The port that a command line of the server names; -1 where it is no number."""
    words = list(argv)
    for word, following in zip(words, [*words[1:], None]):
        text = following if word == "--port" else word[len("--port="):] if word.startswith("--port=") else None
        if text is not None:
            try:
                return int(text)
            except ValueError:
                return -1
    return DEFAULT_HTTP_PORT


def point_embed_at_trace(trace_basename):  # pylint: disable=unused-argument
    """There is no viewer of our own that a trace would have to be given to."""


def launch_server_subprocess(directory=None, port=None, daemon=True):  # pylint: disable=unused-argument
    """Starts nothing: see above."""
