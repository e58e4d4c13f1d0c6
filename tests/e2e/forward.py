# SPDX-License-Identifier: Apache-2.0
"""A port that leads to another one, as `ssh -L` makes it, and remembers what went through."""
import socket
import threading
import time


class Forward:
    """Connections to .port go to `to`; .from_client and .from_server are what the last one carried."""

    def __init__(self, to, patience=0):
        """`patience`: seconds to wait for somebody at `to`, for who does not try again when a tunnel breaks off."""
        self.to, self.patience = to, patience
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(4)
        self.port = self.listener.getsockname()[1]
        self.from_client, self.from_server = bytearray(), bytearray()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                server, _ = self.listener.accept()
            except OSError:
                return
            client = self.reach()
            if client is None:
                server.close()  # nobody there yet: who connected tries again
                continue
            client.settimeout(None)
            self.from_client, self.from_server = bytearray(), bytearray()
            ways = [threading.Thread(target=self.pump, args=way, daemon=True)
                    for way in [(client, server, self.from_client), (server, client, self.from_server)]]
            for way in ways:
                way.start()
            for way in ways:
                way.join()
            client.close()
            server.close()

    def reach(self):
        until = time.monotonic() + self.patience
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.to), 10)
            except OSError:
                if time.monotonic() >= until:
                    return None
                time.sleep(0.01)

    @staticmethod
    def pump(source, target, seen):
        try:
            while True:
                data = source.recv(65536)
                if not data:
                    break
                seen += data
                target.sendall(data)
        except OSError:
            pass
        for s, how in ((source, socket.SHUT_RD), (target, socket.SHUT_WR)):
            try:
                s.shutdown(how)
            except OSError:
                pass

    def close(self):
        self.listener.close()
