# SPDX-License-Identifier: Apache-2.0
"""A root of its own for a program: there is nothing in it but what was put there and the libraries that ldd lists,
neither /proc nor /etc, and a user without any rights. Works as root, and for other users if the kernel lets them create
namespaces."""

import os
import shutil
import stat
import subprocess

NOBODY = 65534
HOME = "/home/nobody"
# The environment of that user. PATH applies in the bare root; the tools that lead there are named by their full paths.
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": HOME, "LANG": "C.UTF-8"}


def libraries_of(path):
    """Files of the libraries that a program or library needs, and of its loader."""
    done = subprocess.run(["ldd", path], capture_output=True, text=True, check=True)
    if "not found" in done.stdout:
        raise AssertionError(f"{path}:\n{done.stdout}")
    words = [word for line in done.stdout.splitlines() for word in line.split()]
    return sorted({word for word in words if word.startswith("/")})


class BareRoot:
    def __init__(self, folder):
        self.folder = folder
        for name in (f"{HOME[1:]}", "tmp", "dev", "usr/bin"):
            os.makedirs(self.path(name), exist_ok=True)
        os.chmod(self.path("tmp"), 0o1777)
        if os.geteuid() == 0:
            os.chown(self.path(HOME), NOBODY, NOBODY)
        self.enter = self.way_in()

    def path(self, name):
        return os.path.join(self.folder, name.lstrip("/"))

    def add(self, path, name=None):
        """Adds a file of this machine, links followed, under its own or another name."""
        target = self.path(name or path)
        if not os.path.exists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(os.path.realpath(path), target)

    def add_libraries_of(self, path):
        for library in libraries_of(path):
            self.add(library)

    def add_program(self, name):
        """Adds a program found by this machine's PATH to /usr/bin, with its libraries; false when there is none."""
        found = shutil.which(name)
        if not found:
            return False
        self.add(found, f"/usr/bin/{name}")
        self.add_libraries_of(os.path.realpath(found))
        return True

    def way_in(self):
        """The words to put before a command to run it inside. /dev/null is made if that is allowed and useful;
        otherwise this machine's is mounted, for the command alone."""
        unshare = shutil.which("unshare")
        root = [f"--root={self.folder}", f"--wd={HOME}"]
        user = [f"--setuid={NOBODY}", f"--setgid={NOBODY}"]
        mounted = ["--mount", shutil.which("sh"), "-c", 'mount --bind /dev/null "$1/dev/null" && shift && exec "$@"', "sh", self.folder]
        null = self.path("dev/null")
        if os.geteuid() != 0:
            open(null, "wb").close()
            return [unshare, "--user", "--map-root-user", *mounted,
                    unshare, "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}", *root]
        try:
            os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
            os.chmod(null, 0o666)
            open(null, "wb").close()
            return [unshare, *root, *user]
        except OSError: # not allowed, or on a file system whose devices do not work
            if not os.path.exists(null):
                open(null, "wb").close()
            return [unshare, *mounted, unshare, *root, *user]

    def run(self, *command, timeout=300):
        return subprocess.run([*self.enter, *command], stdin=subprocess.DEVNULL, capture_output=True, env=ENVIRONMENT, text=True,
                              timeout=timeout, check=False)
