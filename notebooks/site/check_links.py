"""Check that each link of the built site to a page, file or heading of its own leads there.

python notebooks/site/check_links.py build/docs
"""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the ids of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.ids: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Keep what the tag has of them."""
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name in {"href", "src"} and value:
                self.links.add(value)


page = cache(Page)


def broken(site: Path) -> list[str]:
    """Return the links that lead nowhere, each after its page."""
    found = []
    for path in sorted(site.rglob("*.html")):
        if "_static" in path.relative_to(site).parts:  # templates of the theme
            continue
        for link in sorted(page(path).links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            goal = goal / "index.html" if goal.is_dir() else goal
            fragment = unquote(parts.fragment)
            lost = fragment and goal.suffix == ".html" and goal.exists() and fragment not in page(goal).ids
            if lost or not goal.exists():
                found.append(f"{path.relative_to(site)}: {link}")
    return found


if __name__ == "__main__":
    lost = broken(Path(sys.argv[1]).resolve())
    if not list(Path(sys.argv[1]).rglob("*.html")):
        lost = [f"{sys.argv[1]} holds no page: build the site first"]
    print(*lost, sep="\n", end="\n" if lost else "")
    sys.exit(bool(lost))
