"""Packs the module into a wheel: https://peps.python.org/pep-0517/ and https://peps.python.org/pep-0427/.

A build tool would be a download; what it would do for one module is this.
"""

import base64
import hashlib
import os
import re
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ("t4a/__init__.py", "t4a/py.typed", "t4a/pytest_plugin.py")
#: https://docs.pytest.org/en/stable/how-to/writing_plugins.html: loaded by pytest alone.
ENTRY_POINTS = b"[pytest11]\nt4a = t4a.pytest_plugin\n"
SOURCES = (*FILES, "pyproject.toml", "build_backend.py", "README.md", "test_t4a.py")


def _read(name):
    with open(os.path.join(HERE, name), "rb") as file:
        return file.read()


def _project():
    text = _read("pyproject.toml").decode()
    return {key: re.search(rf'^{key} = "(.*)"$', text, re.M).group(1) for key in ("name", "version", "description", "requires-python")}


def _metadata(project):
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {project['name']}\nVersion: {project['version']}\nSummary: {project['description']}\n"
        f"License: MIT\nRequires-Python: {project['requires-python']}\nDescription-Content-Type: text/markdown\n\n"
    ).encode() + _read("README.md")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, {name: _read(name) for name in FILES})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """https://peps.python.org/pep-0660/: a line that puts this directory on the path."""
    return _write_wheel(wheel_directory, {"__editable__.t4a.pth": f"{HERE}\n".encode()})


def _write_wheel(wheel_directory, contents):
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    contents[f"{stem}.dist-info/METADATA"] = _metadata(project)
    contents[f"{stem}.dist-info/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: t4a\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    contents[f"{stem}.dist-info/entry_points.txt"] = ENTRY_POINTS
    record = f"{stem}.dist-info/RECORD"
    lines = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in contents.items()]
    contents[record] = "".join([*lines, f"{record},,\n"]).encode()
    wheel = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    with tarfile.open(os.path.join(sdist_directory, f"{stem}.tar.gz"), "w:gz") as archive:
        for name in SOURCES:
            archive.add(os.path.join(HERE, name), f"{stem}/{name}")
    return f"{stem}.tar.gz"


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
