"""Runs a program under a seccomp filter that refuses Unix sockets, as sandboxes of agents do: ERRNO CALLS PROGRAM...

ERRNO 0 ends the caller with SIGSYS. CALLS are "socket" or "socket,socketpair". https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

import ctypes
import os
import platform
import struct
import sys

NUMBERS = {
    "x86_64": {"socket": 41, "socketpair": 53},
    "aarch64": {"socket": 198, "socketpair": 199},
}
AF_UNIX = 1
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
ALLOW, ERRNO, KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
OFFSET_OF_NUMBER, OFFSET_OF_FIRST_ARGUMENT = 0, 16


def instruction(code, value, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, value)


errno, calls, *program = sys.argv[1:]
numbers = [NUMBERS[platform.machine()][call] for call in calls.split(",")]
refusal = ERRNO | int(errno) if int(errno) else KILL_PROCESS
lines = [instruction(LOAD, OFFSET_OF_NUMBER)]
lines += [instruction(JUMP_IF_EQUAL, n, if_true=len(numbers) - i) for i, n in enumerate(numbers)]
lines += [
    instruction(RETURN, ALLOW),
    instruction(LOAD, OFFSET_OF_FIRST_ARGUMENT),
    instruction(JUMP_IF_EQUAL, AF_UNIX, if_false=1),
    instruction(RETURN, refusal),
    instruction(RETURN, ALLOW),
]


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_char_p)]


libc = ctypes.CDLL(None, use_errno=True)
# bytes() keeps them alive, and zeros in them do not end them: the kernel goes by the length.
filter = Filter(len(lines), b"".join(lines))
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(
    PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filter), 0, 0
):
    sys.exit("the system takes no filter: " + os.strerror(ctypes.get_errno()))
os.execvp(program[0], program)
