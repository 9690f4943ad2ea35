"""The compose file, the Dockerfile and the SLURM script name what is there, and what they start plays."""

import os
import re
import shlex
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask.config
import pytest
import typer.main
import yaml
from distributed.cli import dask_scheduler, dask_worker

from tests import IMPORTS, ROOT
from tunesmith.tuning.cli.app import app
from tunesmith.tuning.passwords import STORAGE_VARIABLE

HERE = ROOT / "experiments" / "cluster"
COMPOSE: dict[str, Any] = yaml.safe_load((HERE / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
DOCKERFILE = (HERE / "Dockerfile").read_text()
SLURM = HERE / "tunesmith.slurm"
PAGE = (HERE / "README.md").read_text()


def words(text: str, **values: str) -> list[str]:
    """Return the words of a command, with the defaults of variables, or others."""
    filled = re.sub(r"\$\{(\w+)(?::-([^}]*))?\}", lambda found: values.get(found[1], found[2] or ""), text)
    found = shlex.split(filled)
    return shlex.split(found[2].removeprefix("exec ")) if found[:2] == ["sh", "-c"] else found


def check_command(call: list[str]) -> None:
    """Fail if a program, a command or an option is not there."""
    program, name, *rest = call
    if program == "dask":
        command: Any = {"scheduler": dask_scheduler, "worker": dask_worker}[name].main
    else:
        assert program == "tunesmith"
        group: Any = typer.main.get_command(app)
        if name == "--help":
            return
        command = group.commands[name]
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
    assert {word for word in rest if word.startswith("--")} <= known


def commands_of(text: str) -> Iterator[list[str]]:
    """Yield the commands of the page and the script: whatever begins with `dask` or `tunesmith`."""
    joined = text.replace("\\\n", " ")
    for line in joined.splitlines():
        found = re.search(
            r"(?:^|\s)((?:dask (?:scheduler|worker)|tunesmith (?!dask )[a-z]+) .*)$", line.partition(" # ")[0]
        )
        if found and not line.lstrip().startswith(("#", "|", "[")):
            yield [word for word in shlex.split(found[1].rstrip("& ")) if word != "$@"]


def test_every_command_and_option_is_there() -> None:
    for service in SERVICES.values():
        if "command" in service:
            check_command(words(service["command"]))
    others = [call for text in (PAGE, SLURM.read_text()) for call in commands_of(text)]
    assert len(others) >= 4
    for call in others:
        check_command(call)


def test_the_services_find_each_other() -> None:
    port = words(SERVICES["scheduler"]["command"])[3]
    address = f"tcp://scheduler:{port}"
    assert words(SERVICES["worker"]["command"])[2] == address
    environment = SERVICES["controller"]["environment"]
    assert dask.config.collect_env(environment)["scheduler_address"] == address  # which `connect` looks for
    database = SERVICES["database"]["environment"]
    expected = f"//{database['POSTGRES_USER']}:${{PASSWORD}}@database/{database['POSTGRES_DB']}"
    for name in ("controller", "dashboard"):
        assert SERVICES[name]["environment"][STORAGE_VARIABLE] == f"postgresql+psycopg:{expected}"
    mounted = [
        volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])
    ]
    assert {name for name in mounted if not name.startswith(".")} == set(COMPOSE["volumes"])
    for service in SERVICES.values():
        assert set(service.get("depends_on", ())) <= set(SERVICES)


def test_nothing_is_open_to_others_unless_asked_for() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(ports) == 4
    assert all(port.startswith(("127.0.0.1:", "${BIND:-127.0.0.1}:")) for port in ports)


def test_the_page_explains_the_variables_that_there_are() -> None:
    asked = set(re.findall(r"\$\{(\w+)", (HERE / "compose.yaml").read_text()))
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == asked


def test_the_image_is_built_from_what_is_there() -> None:
    built = [service["build"] for service in SERVICES.values() if "build" in service]
    assert len(built) == 4
    for one in built:
        assert (HERE / one["context"]).resolve() == ROOT and (ROOT / one["dockerfile"]).is_file()
    copied = {
        name for line in re.findall(r"^COPY (.*) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()
    }
    assert all((ROOT / name).exists() for name in copied)
    let_in = re.findall(r"^!(.+)$", (HERE / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    assert set(let_in) == copied
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    folders = {folder.partition("/")[0] for folder in project["tool"]["setuptools"]["package-dir"].values()}
    assert folders | {"pyproject.toml", "constraints.txt", project["project"]["readme"]} <= copied
    (extras,) = re.findall(r"\"\.\[([\w,]+)\]\"", DOCKERFILE)
    assert set(extras.split(",")) <= set(project["project"]["optional-dependencies"])


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose programs are those of this installation, and with a SLURM of one node."""
    programs = tmp_path / "bin"
    programs.mkdir()
    stubs = {
        "dask": f'exec {shlex.quote(sys.executable)} -P -m dask "$@"',
        "tunesmith": f'exec {shlex.quote(sys.executable)} -m tunesmith.tuning.cli "$@"',
        "srun": 'while case "$1" in --*) true;; *) false;; esac; do shift 2; done; exec "$@"',
        "hostname": "echo localhost",
    }
    for name, text in stubs.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    (programs / "activate").write_text("")
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "PYTHONPATH": IMPORTS,
        "TUNESMITH_NUMBA": "0",
        "TUNESMITH_ENV": str(tmp_path),
        "SLURM_CPUS_PER_TASK": "1",
        "USER": "somebody",
    }


SMALL = ("selfplay", "kalah", "--pairs", "3", "--limit", "nodes:5", "--plies", "4", "--out", "games")


@pytest.mark.slow  # a scheduler and a worker take their time to start
def test_the_script_plays_on_its_nodes(tmp_path: Path, environment: dict[str, str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        job = str((free.getsockname()[1] - 20000) % 20000)
    call = ["bash", str(SLURM), *SMALL]
    environment["SLURM_JOB_ID"] = job
    done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "games" / "shard-00000.parquet").is_file()


@pytest.mark.slow  # the same
def test_what_the_services_run_plays(tmp_path: Path, environment: dict[str, str]) -> None:
    """As processes of this machine, in place of containers with names of their own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])

    def here(text: str) -> list[str]:
        own = text.replace("tcp://scheduler:8786", f"tcp://127.0.0.1:{port}").replace(
            "--port 8786", f"--port {port}"
        )
        return words(own.replace(":8787", ":0"), THREADS="1")

    own = {**environment, "DASK_SCHEDULER_ADDRESS": f"tcp://127.0.0.1:{port}"}
    running = []
    with (tmp_path / "log").open("wb") as log:
        for name in ("scheduler", "worker"):
            call = here(SERVICES[name]["command"])
            running.append(subprocess.Popen(call, cwd=tmp_path, env=environment, stdout=log, stderr=log))
    try:
        for _ in range(60):  # the scheduler may not be there yet
            call = ["tunesmith", *SMALL, "--backend", "dask"]
            done = subprocess.run(call, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
            if "no Dask scheduler at" not in done.stderr:
                break
    finally:
        for process in running:
            process.terminate()
            process.wait()
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "games" / "shard-00000.parquet").is_file()
