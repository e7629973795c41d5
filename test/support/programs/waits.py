"""Prints, for each way of Python's to wait for a pipe, what /proc/PID/syscall says of a process that does: name, tab, line."""
import os
import select
import signal
import sys
import time

READER, _ = os.pipe()


def poll(limit):
    poller = select.poll()
    poller.register(READER, select.POLLIN)
    poller.poll(limit)


def epoll(limit):
    poller = select.epoll()
    poller.register(READER, select.POLLIN)
    poller.poll(limit)


WAITS = {
    "os.read": lambda: os.read(READER, 1),
    "select.select()": lambda: select.select([READER], [], []),
    "select.select(5)": lambda: select.select([READER], [], [], 5),
    "poll()": lambda: poll(None),
    "poll(5000)": lambda: poll(5000),
    "epoll()": lambda: epoll(None),
    "epoll(5)": lambda: epoll(5),
}


def told(pid, name):
    with open(f"/proc/{pid}/{name}") as file:
        return file.read()


for name, wait in WAITS.items():
    pid = os.fork()
    if pid == 0:
        wait()
        os._exit(0)
    while ") S " not in told(pid, "stat"):
        time.sleep(0.001)
    print(f"Python {sys.version_info[0]}.{sys.version_info[1]} {name}", told(pid, "syscall").strip(), sep="\t", flush=True)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
