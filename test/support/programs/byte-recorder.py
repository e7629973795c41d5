# Writes all input up to a byte 0xff to a file, as it came. Prints what it is given first, and rings when it is ready.
import os, sys, tty

path, printed = sys.argv[1], sys.argv[2].encode().decode("unicode_escape")
tty.setraw(0)
os.write(1, printed.encode("latin1") + b"\x07")
received = b""
while not received.endswith(b"\xff"):
    received += os.read(0, 65536)
with open(path, "wb") as file:
    file.write(received[:-1])
