"""Fixtures: Debian's Chromium, a page in it, and a JupyterLab."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from programs import needs, needs_package

from meiro.drawing.notebook.html_page import SCRIPT, _encoded

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from numpy.typing import NDArray
    from playwright.sync_api import Browser, Locator, Page

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


class Lab(NamedTuple):
    """A JupyterLab: where it is, and the folder of its notebooks."""

    url: str
    folder: Path


# Not of the session: the loop of playwright would go on in the tests of other files.
@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """Debian's Chromium."""
    path = needs("chromium", "chromium")
    needs_package("playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Generator[Page]:
    """A page that makes the test fail if its script does."""
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert not errors


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Generator[Lab]:
    """A JupyterLab on a free port, with nothing of the user's."""
    needs_package("jupyterlab")
    root = tmp_path_factory.mktemp("lab")
    folder = root / "work"
    folder.mkdir()
    quiet = root / "SETTINGS/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    quiet.parent.mkdir(parents=True)
    quiet.write_text('{"fetchNews": "false", "checkForUpdates": false}')
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    env = os.environ | {f"JUPYTER_{name}": str(root / name) for name in names}
    env |= {"JUPYTERLAB_SETTINGS_DIR": str(root / "SETTINGS"), "IPYTHONDIR": str(root / "ipython")}
    env |= {"JUPYTERLAB_WORKSPACES_DIR": str(root / "workspaces")}
    options = (
        *("--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"),
        *("--IdentityProvider.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder}"),
        "--LabApp.extension_manager=readonly",
    )
    url = f"http://127.0.0.1:{port}"
    log = root / "lab.log"
    command = [sys.executable, "-m", "jupyterlab", *options]
    with (
        log.open("w") as out,
        subprocess.Popen(
            command, env=env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        ) as server,
    ):
        try:
            _wait(f"{url}/api/status", server, log)
            yield Lab(url, folder)
        finally:
            os.killpg(server.pid, signal.SIGTERM)  # its kernels are its children
            server.wait(20)


def _wait(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(url, timeout=1):  # noqa: S310  # our own server
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(log.read_text())


def notebook(*cells: str) -> str:
    """Return a notebook of code cells."""
    made: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "id": f"c{i}",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": cell,
        }
        for i, cell in enumerate(cells)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


def pixels(canvases: Locator) -> list[NDArray[np.uint8]]:
    """Return the red, green and blue of every pixel of some canvases."""
    found = canvases.evaluate_all(
        """canvases => canvases.map(canvas => {
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let text = "";
            for (let i = 0; i < data.length; i += 8192) {
                text += String.fromCharCode(...data.subarray(i, i + 8192));
            }
            return [canvas.width, canvas.height, btoa(text)];
        })"""
    )
    pictures = [
        np.frombuffer(base64.b64decode(data), np.uint8).reshape(height, width, 4)
        for width, height, data in found
    ]
    assert all((picture[..., 3] == 255).all() for picture in pictures)
    return [picture[..., :3] for picture in pictures]


def expect(locator: Locator) -> Any:
    """Return the assertions of playwright, which is imported here: tests are collected without it."""
    from playwright.sync_api import expect as expected

    return expected(locator)


# Widgets in a page without a kernel, with a model of our own.

MODEL = """async ([script, state]) => {
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const { default: widget } = await import(url);
    const heard = [];
    window.saves = 0;
    window.state = state;
    window.model = {
        get: name => state[name],
        set: (name, value) => {
            const changed = state[name] !== value;
            state[name] = value;
            if (changed) heard.filter(([event]) => event === `change:${name}`).forEach(([, hear]) => hear());
        },
        save_changes: () => { ++window.saves; },
        on: (event, hear) => { heard.push([event, hear]); },
        off: (event, hear) => { heard.splice(heard.findIndex(h => h[0] === event && h[1] === hear), 1); },
    };
    window.heard = heard;
    const ends = [widget.initialize({ model })];
    window.show = el => { ends.push(widget.render({ model, el })); };
    window.end = () => ends.forEach(end => end?.());
    show(document.body);
}"""


def show(page: Page, widget: Any) -> None:
    """Show a widget in an empty page."""
    page.set_content("<!DOCTYPE html><title>x</title>")
    state = json.loads(json.dumps(widget._state(), default=_encoded))
    page.evaluate(MODEL, [SCRIPT, state])


def model_value(page: Page, name: str) -> Any:
    return page.evaluate(f"model.get('{name}')")


def go(page: Page, **values: Any) -> None:
    for name, new in values.items():
        page.evaluate("([name, value]) => model.set(name, value)", [name, new])
