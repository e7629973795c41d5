import socket, json

def t4a_request(req):
    s = socket.socket(socket.AF_UNIX)
    s.connect("/tmp/t4a.sock")
    s.sendall(json.dumps(req).encode() + b"\n")
    line = b""
    while not line.endswith(b"\n"):
        line += s.recv(4096)
    return json.loads(line)

def t4a_screen(tid):
    s = socket.socket(socket.AF_UNIX)
    s.connect("/tmp/t4a.sock")
    s.sendall(json.dumps({"cmd": "screenshot", "id": tid}).encode() + b"\n")
    line = b""
    while not line.endswith(b"\n"):
        line += s.recv(4096)
    header = json.loads(line)
    png = b""
    while len(png) < header["len"]:
        png += s.recv(header["len"] - len(png))
    return png
