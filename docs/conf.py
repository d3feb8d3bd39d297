"""The settings of Sphinx; `make docs` calls scripts/docs.py, which adds the generated pages."""

from importlib.metadata import version as version_of

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
html_title = f"Okapi {release}"
html_copy_source = False
html_theme_options = {
    "source_repository": "https://github.com/okapi-chess/okapi/",
    "source_branch": "main",
    "source_directory": "docs/",
}
