"""`manage.py play`: the whole game from one folder, until Ctrl-C."""

import os
import shutil
import socket
import sys
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from sirdar.children import Program, ProgramStopped, run_together

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
                    worker("simulation", settings.SIMULATION, settings.DATA),
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


def free_port(wanted: str) -> int:
    """The port of that number; CommandError if it is none, or another program has it."""
    try:
        port = int(wanted)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((HOST, port))
    except (ValueError, OverflowError) as error:
        raise CommandError(f"PORT={wanted} is no port: give a number up to 65535.") from error
    except OSError as error:
        raise CommandError(
            f"Port {wanted} is not to be had ({error.strerror}); choose another, "
            f"such as PORT={port + 1} make play."
        ) from error
    return port


def prepare(data: Path) -> None:
    """Bring database, static files and the demo campaign up to date.

    The broker's routing is written anew at every start, so what a killed run left of it goes;
    the messages themselves stay.
    """
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    shutil.rmtree(data / "broker" / "control", ignore_errors=True)
    call_command("demo")


def web(port: int, data: Path) -> Program:
    command = (
        f"gunicorn sirdar.wsgi --bind {HOST}:{port} --worker-class sirdar.patient.Patient"
        " --workers 2 --threads 4 --graceful-timeout 5 --no-control-socket --log-level warning"
    )
    return Program("web server", (sys.executable, "-m", *command.split()), data / "web.log")


def worker(name: str, queue: str, data: Path) -> Program:
    """A worker for one queue: a long reckoning in the other keeps no month waiting."""
    command = (
        f"celery --app sirdar worker --queues {queue} --hostname {queue}@%h --pool solo"
        " --concurrency 1 --loglevel info --without-gossip --without-mingle --without-heartbeat"
    )
    return Program(name, (sys.executable, "-m", *command.split()), data / f"{name}.log")


def answers(port: int) -> bool:
    """Whether a server takes connections on the port."""
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0
