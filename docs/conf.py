"""The settings of Sphinx; `make docs` calls scripts/docs.py, which adds the generated pages."""

from importlib.metadata import version as version_of

from docutils import nodes
from sphinx.application import Sphinx

project = "Okapi"
author = "The Okapi developers"
project_copyright = f"{author}, GPL-3.0-or-later"
release = version = version_of("okapi-chess")

extensions = ["myst_nb", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # the outputs are stored, and tests execute the notebooks
suppress_warnings = ["myst.header"]  # generated help begins at the second level

default_role = "code"  # docstrings are Markdown
autodoc_default_options = {"members": True, "undoc-members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["tables.css"]
html_title = f"Okapi {release}"
html_copy_source = False
html_theme_options = {
    "source_repository": "https://github.com/okapi-chess/okapi/",
    "source_branch": "main",
    "source_directory": "docs/",
}


def span_headings(_: Sphinx, document: nodes.document) -> None:
    """Let a row with nothing but a first cell in bold be a heading as wide as its table; Markdown cannot say it."""
    for row in document.findall(nodes.row):
        first, *others = row.children
        if others and any(first.findall(nodes.strong)) and not any(cell.astext() for cell in others):
            first["morecols"] = len(others)
            row.children = [first]


def setup(app: Sphinx) -> None:
    """Tell Sphinx what this file adds."""
    app.connect("doctree-read", span_headings)
