"""The `docker` backend: host and judge of a worker each are the main process of a container of their own.

A container has no network, no capabilities, a user without rights, a read-only root, and limits of memory,
processes and processor time; the layers of the `process` backend apply inside as well. Two containers and
not one: then a program that may start processes shares no process namespace with the judge. The two meet on
an abstract unix socket in the network namespace of the host's container, which holds nothing else and
which the judge's container joins; the programs may not open sockets.

The main process ends when its standard input closes, the engine closes that when whoever attached to it
goes, and removes a container that has ended: nothing outlives a killed controller. Should one do
so all the same (an engine that crashed), the next start removes it, told by its label.

The image holds Python only, this package is mounted into it. It is `$TOUCHSTONE_DOCKER_IMAGE`,
`touchstone-sandbox` by default, and is neither pulled nor built here. Programs have the packages that it has.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import socket
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sandbox import launch
from sandbox.backend import COMMON_GUARANTEES, Pair, Told
from sandbox.contract import Isolation, SandboxUnavailableError
from sandbox.wire import BrokenStreamError

if TYPE_CHECKING:
    import docker

IMAGE: Final = "touchstone-sandbox"
"""The image's name where TOUCHSTONE_DOCKER_IMAGE says nothing else."""
OWNER_LABEL: Final = "touchstone.owner"
"""Every container bears it; its value is the process that started it, see `_me`."""

_PACKAGE: Final = Path(__file__).resolve().parent
_ROOT: Final = "/touchstone"
_SCRATCH: Final = "/scratch"
_MEETING_PLACE: Final = "touchstone"
_USERS: Final = range(50_000, 60_000)
"""Each container gets one of these numbers, for the kernel counts the processes of a user machine-wide."""
_MEMORY_MB: Final = 4096
_PROCESSES: Final = 128
_ENGINE_SECONDS: Final = 60
_REMOVE_SECONDS: Final = 15.0
_LAST_WORDS_MS: Final = 1000


class DockerBackend:
    """Starts host and judge in containers.

    Raises:
        SandboxUnavailableError: the package is not installed, no engine answers, or the image is missing.
    """

    name = "docker"

    def __init__(self) -> None:
        self._image = os.environ.get("TOUCHSTONE_DOCKER_IMAGE") or IMAGE
        self._api = _engine()
        try:
            self._versions = _look_at(self._api, self._image)
            self._can = self._api.info()
            _sweep(self._api)
        except BaseException:
            self._api.close()
            raise

    def start(self, worker: int, workers: int) -> Pair:
        """Start the two containers of a worker."""
        host = self._launch("host", worker, workers, "none")
        try:
            judge = self._launch("judge", worker, workers, f"container:{host.container}")
        except BaseException as error:
            words = host.last_words() if isinstance(error, OSError) else ""
            self._end(host)
            if words:
                raise OSError(f"docker: its container ended: {words}") from error
            raise
        return Pair(host, judge)

    def stop(self, pair: Pair) -> None:
        """Remove both containers."""
        for link in (pair.judge, pair.host):
            if isinstance(link, ContainerLink):
                self._end(link)

    def isolation(self, told: Told) -> Isolation:
        """What holds here."""
        limits = {
            "MemoryLimit": f"{_MEMORY_MB} MiB of memory",
            "PidsLimit": f"{_PROCESSES} processes",
            "CpuCfsQuota": "one processor",
        }
        kept = [phrase for key, phrase in limits.items() if self._can.get(key)]
        lost = [phrase for key, phrase in limits.items() if not self._can.get(key)]
        return Isolation(
            backend=self.name,
            guarantees=(
                *COMMON_GUARANTEES,
                "containers of their own for programs and for judges: no network, no file of this machine",
                "a user of their own without rights, no capabilities, a read-only system",
                *((f"all processes of a worker together have {', '.join(kept)}",) if kept else ()),
                f"own files are kept in memory, {launch.SCRATCH_MB} MiB at most",
                *told.guarantees,
            ),
            missing=(*(f"not limited to {phrase}: the engine can't" for phrase in lost), *told.missing),
            full=not told.missing,
            versions={**told.versions, **self._versions},
        )

    def close(self) -> None:
        """Let go of the engine."""
        self._api.close()

    def _launch(self, role: str, worker: int, workers: int, network: str) -> ContainerLink:
        from docker.errors import DockerException
        from docker.types import LogConfig, Mount

        options: dict[str, Any] = {
            "role": role,
            "worker": worker,
            "workers": workers,
            "control": _MEETING_PLACE,
            "scratch": _SCRATCH,
            "readable": None,
            "site": None,
            "namespaces": False,
            "walled": True,
            "own_mounts": False,
            "memory_mb": _MEMORY_MB,
        }
        user = secrets.choice(_USERS)
        scratch = f"size={launch.SCRATCH_MB}m,nr_inodes=4096,mode=0700,uid={user},gid={user}"
        settings = self._api.create_host_config(
            network_mode=network,
            ipc_mode="none",
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            read_only=True,
            tmpfs={_SCRATCH: f"rw,nosuid,nodev,noexec,{scratch}"},
            mounts=[Mount(f"{_ROOT}/sandbox", str(_PACKAGE), type="bind", read_only=True)],
            log_config=LogConfig(type="none"),
            auto_remove=True,
            **self._limits(),
        )
        container = ""
        try:
            container = self._api.create_container(
                self._image,
                launch.command("python3", _ROOT, options),
                entrypoint=[],
                user=f"{user}:{user}",
                working_dir=_SCRATCH,
                environment=launch.ENVIRONMENT,
                labels={OWNER_LABEL: _me(), "touchstone.role": role, "touchstone.worker": str(worker)},
                stdin_open=True,
                host_config=settings,
            )["Id"]
            link = ContainerLink(container, self._attach(container))
            self._api.start(container)
        except DockerException as error:
            if container:
                self._remove(container)
            raise OSError(f"docker: {error}") from error
        return link

    def _limits(self) -> dict[str, Any]:
        limits: dict[str, Any] = {}
        if self._can.get("MemoryLimit"):
            limits |= {"mem_limit": _MEMORY_MB << 20, "memswap_limit": _MEMORY_MB << 20}
        if self._can.get("PidsLimit"):
            limits["pids_limit"] = _PROCESSES
        if self._can.get("CpuCfsQuota"):
            limits["nano_cpus"] = 10**9
        return limits

    def _attach(self, container: str) -> socket.socket:
        """A socket to the container's standard streams, all three; made before the container starts."""
        wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        stream = self._api.attach_socket(container, params=wanted)
        try:
            return socket.socket(fileno=os.dup(stream.fileno()))
        finally:
            stream.close()

    def _end(self, link: ContainerLink) -> None:
        self._remove(link.container)
        link.close()

    def _remove(self, container: str) -> None:
        """Remove a container and wait until the engine has forgotten it."""
        _remove(self._api, container)


class ContainerLink:
    """The standard streams of a container, over one socket to the engine.

    What comes from the container is in packets: one byte says which stream, three are 0, four are the
    length. Source: Docker Engine API, "Attach to a container", stream format.
    """

    def __init__(self, container: str, attached: socket.socket) -> None:
        self.container = container
        self._socket = attached
        self.input = self.output = attached.fileno()
        attached.setblocking(False)
        self._packets = Packets()

    def send(self, data: bytes) -> int:
        """Send what fits now."""
        return self._socket.send(data)

    def receive(self) -> bytes:
        """What has come on standard output."""
        try:
            data = self._socket.recv(1 << 18)
        except BlockingIOError:
            return b""
        if not data:
            raise BrokenStreamError(self._packets.errors or "its container ended")
        return self._packets.feed(data)

    def last_words(self) -> str:
        """What a container that has ended said last on standard error; empty if it lives."""
        poll = select.poll()
        poll.register(self.output, select.POLLIN)
        try:
            while poll.poll(_LAST_WORDS_MS):
                self.receive()
        except (BrokenStreamError, OSError):
            return self._packets.errors
        return ""

    def kill(self) -> None:
        """Detach, whereupon it ends."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the socket."""
        self._socket.close()


class Packets:
    """Takes the packets apart that an engine makes of a container's output.

    Attributes:
        errors: the end of what came on standard error, one line.
    """

    def __init__(self) -> None:
        self._header = b""
        self._stream = 0
        self._left = 0
        self._errors = b""

    @property
    def errors(self) -> str:
        """The last line of standard error."""
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def feed(self, data: bytes) -> bytes:
        """Take bytes that came; what of them is standard output."""
        output = b""
        while data:
            if not self._left:
                need = 8 - len(self._header)
                self._header, data = self._header + data[:need], data[need:]
                if len(self._header) == 8:
                    self._stream, self._left = struct.unpack(">B3xI", self._header)
                    self._header = b""
                continue
            part, data = data[: self._left], data[self._left :]
            self._left -= len(part)
            if self._stream == 1:
                output += part
            else:
                self._errors = (self._errors + part)[-2000:]
        return output


def _engine() -> docker.APIClient:
    """A connection to the engine that the environment names."""
    try:
        import docker
        from docker.errors import DockerException
    except ImportError as error:
        raise SandboxUnavailableError(
            "docker: the package `docker` is not installed; pip install docker"
        ) from error
    where = os.environ.get("DOCKER_HOST") or "the default socket"
    try:
        api = docker.from_env(timeout=_ENGINE_SECONDS).api
        api.ping()
    except (DockerException, OSError) as error:
        raise SandboxUnavailableError(
            f"docker: no engine answers on {where}; start Docker, or set DOCKER_HOST "
            f"(and see that this user may use it): {_what_the_system_said(error)}"
        ) from error
    if api.base_url.startswith(("https:", "http+docker://ssh")):
        raise SandboxUnavailableError(
            f"docker: the engine on {where} is reached by TLS or ssh; one on a unix socket is needed, "
            "for containers get this package from this machine's files"
        )
    return api


def _what_the_system_said(error: Exception) -> str:
    """The word of the system for what is wrong, from under the libraries; else the first line of theirs."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return _first_line(error)


def _look_at(api: docker.APIClient, image: str) -> dict[str, str]:
    """The versions of engine and image."""
    from docker.errors import ImageNotFound

    version = api.version()
    if version.get("Os") != "linux":
        raise SandboxUnavailableError(
            f"docker: the engine runs {version.get('Os')} containers, not Linux ones"
        )
    try:
        found = api.inspect_image(image)  # type: ignore[no-untyped-call]
    except ImageNotFound as error:
        raise SandboxUnavailableError(
            f"docker: the engine has no image {image}; make it with `docker build -t {image} {_PACKAGE}` or, "
            f"where nothing can be pulled, `sudo sh {_PACKAGE / 'make_image.sh'} {image}`, or name one "
            "with Python 3.11 or newer in TOUCHSTONE_DOCKER_IMAGE"
        ) from error
    return {"docker": version["Version"], "image": f"{image} {found['Id'].removeprefix('sha256:')[:12]}"}


def _sweep(api: docker.APIClient) -> None:
    """Remove containers of controllers that are gone."""
    for found in api.containers(all=True, filters={"label": OWNER_LABEL}):
        if _is_gone(found["Labels"][OWNER_LABEL]):
            _remove(api, found["Id"])


def _remove(api: docker.APIClient, container: str) -> None:
    from docker.errors import DockerException, NotFound

    deadline = time.monotonic() + _REMOVE_SECONDS
    with contextlib.suppress(NotFound):
        while time.monotonic() < deadline:
            try:
                api.remove_container(container, force=True, v=True)
            except NotFound:
                raise
            except (DockerException, OSError):  # being removed already, or the engine is gone
                time.sleep(0.05)
            try:
                api.inspect_container(container)
            except NotFound:
                raise
            except (DockerException, OSError):
                return


def _me() -> str:
    """This process, told apart from any other: machine and process namespace, number, start time."""
    return " ".join((_machine(), str(os.getpid()), _started(os.getpid())))


def _is_gone(owner: str) -> bool:
    """Whether the process that `_me` named ran here and has ended; False if that can't be told."""
    machine, pid, started = owner.split(" ", 2)
    return machine == _machine() != "" and started != "" and _started(int(pid)) != started


def _machine() -> str:
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{Path('/proc/self/ns/pid').stat().st_ino}"
    return ""


def _started(pid: int) -> str:
    """When a process started, in ticks since boot; empty if there is none."""
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
