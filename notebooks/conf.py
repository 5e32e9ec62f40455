"""Configuration of the documentation: `sphinx-build -W notebooks build/docs` makes the site."""

import sys
from pathlib import Path

import meiro

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "site"))

import generated_pages  # noqa: E402  # beside style.css

project = "meiro"
author = "the meiro contributors"
version = release = meiro.__version__
language = "en"
extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_nb", "sphinx_design"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".rst": "restructuredtext"}
exclude_patterns = ["site", "**.ipynb_checkpoints"]
nb_execution_mode = "off"  # the notebooks are kept with what they show; the tests run them
myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 3
autodoc_typehints = "none"  # the docstrings say them
numpydoc_show_class_members = False
suppress_warnings = ["mystnb.unknown_mime_type", "misc.highlighting_failure"]

html_theme = "pydata_sphinx_theme"
html_title = f"meiro {release}"
html_static_path = ["site/style.css"]
html_favicon = "site/favicon.svg"
html_extra_path = ["generated/players"]
html_css_files = ["style.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_prev_next": False,
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_toc_level": 2,
}
html_sidebars = {page: [] for page in ("index", "quick_start", "benchmarks", "changelog")}  # no pages below


# Sphinx reads the paths above before it calls `setup`, so the pages are written here.
generated_pages.write(HERE / "generated")
