"""Widgets in a page without a kernel, with a model of our own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from meiro.drawing.notebook.html_page import SCRIPT, _encoded

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
