"""`manage.py play`: run the whole site from one folder, until Ctrl-C."""

import gc
import os
import shutil
import socket
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from gunicorn.app.base import BaseApplication

from ops.process_supervisor import Program, ProgramStopped, run_together

HOST = "127.0.0.1"


class Command(BaseCommand):
    help = "Start the web server and the worker together, with a demo campaign to play."
    requires_system_checks: list[str] = []

    def handle(self, *_args: Any, **_options: Any) -> None:
        port = free_port(os.environ.get("PORT") or "8000")
        try:
            prepare(settings.DATA)
            run_together(
                [
                    web(port, settings.DATA),
                    worker("worker", settings.INTERACTIVE, settings.DATA),
                    worker(
                        "simulation",
                        settings.SIMULATION,
                        settings.DATA,
                        beside=(settings.GUESTS_QUEUE,),
                    ),
                ],
                ready=partial(answers, port),
                announce=partial(self.announce, port),
            )
        except ProgramStopped as stopped:
            raise CommandError(str(stopped)) from stopped
        except KeyboardInterrupt:
            raise CommandError("Stopped before it had begun; nothing is lost.") from None
        self.stdout.write("Stopped. Everything is kept; `make play` goes on from here.")

    def announce(self, port: int) -> None:
        self.stdout.write(f"\nSirdar is at http://{HOST}:{port}/ (Ctrl-C stops it)")
        self.stdout.flush()


def free_port(text: str) -> int:
    """Return the port as a number. Raises CommandError if it is invalid or in use."""
    try:
        port = int(text)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((HOST, port))
    except (ValueError, OverflowError) as error:
        raise CommandError(f"PORT={text} is no port: give a number up to 65535.") from error
    except OSError as error:
        raise CommandError(
            f"Port {text} cannot be used ({error.strerror}); choose another, "
            f"such as PORT={port + 1} make play."
        ) from error
    return port


def prepare(data: Path) -> None:
    """Update database, static files and the demo campaigns, and load the site into memory.

    The broker's routing is written again at every start, so the remains of a killed run are
    deleted; the messages themselves stay.
    """
    call_command("migrate", verbosity=0, interactive=False)
    collect_static()
    shutil.rmtree(data / "broker" / "control", ignore_errors=True)
    call_command("demo")
    call_command("showcase", stdout=StringIO())
    import_module("sirdar.asgi")
    connections.close_all()
    gc.freeze()  # Keeps collectors of the forks from writing to, and so copying, shared memory.


def collect_static() -> None:
    """Collect and compress the static files, unless they have not changed since the last run."""
    mark = Path(settings.STATIC_ROOT) / "packed.txt"
    sources = sha256(version("django").encode() + version("whitenoise").encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            stat = Path(storage.path(path)).stat()
            sources.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    if mark.exists() and mark.read_text() == sources.hexdigest():
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    mark.write_text(sources.hexdigest())


class Site(BaseApplication):
    """The site in memory, served by gunicorn on one port, streams included."""

    def __init__(self, port: int) -> None:
        self.port = port
        super().__init__()

    def load_config(self) -> None:
        options = {
            "bind": f"{HOST}:{self.port}",
            "worker_class": "asgi",
            "workers": 2,
            "graceful_timeout": 2,
            "control_socket_disable": True,
            "preload_app": True,
            "loglevel": "warning",
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return import_module("sirdar.asgi").application


def web(port: int, data: Path) -> Program:
    return Program("web server", "sirdar-web", Site(port).run, data / "web.log")


def worker(name: str, queue: str, data: Path, *, beside: tuple[str, ...] = ()) -> Program:
    """Return a worker for a queue, so that long work in one delays no month in another.

    It takes turns with the queues `beside`.
    """
    command = (
        f"worker --queues {','.join((queue, *beside))} --hostname {queue}@%h --pool solo"
        " --concurrency 1 --loglevel info --without-gossip --without-mingle --without-heartbeat"
    )
    run = partial(current_app.worker_main, command.split())
    return Program(name, f"sirdar-{name}", run, data / f"{name}.log")


def answers(port: int) -> bool:
    """Return whether the site reports that it is ready."""
    connection = HTTPConnection(HOST, port, timeout=10)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
