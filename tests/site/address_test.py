#!/usr/bin/env python3
"""address_test.py PROJECT: the first screen of README.md links to the address at which .github/workflows/site.yml
publishes the site. (What GitHub fills in may be any name here; the workflow itself compares it.)"""
import re
import sys
from pathlib import Path

project = Path(sys.argv[1])
workflow = (project / ".github/workflows/site.yml").read_text(encoding="utf-8")
addresses = re.findall(r"https://(?:\$\{\{[^}]*\}\}|\S)+", workflow)
if len(addresses) != 1:
    sys.exit(f"site.yml should state the site's address once, not these: {addresses}")
parts = [re.escape(part) for part in re.split(r"\$\{\{[^}]*\}\}", addresses[0])]
first_screen = (project / "README.md").read_text(encoding="utf-8").split("\n## ")[0]
links = re.findall(r"\]\((" + r"[\w-]+".join(parts) + r")\)", first_screen)
if len(links) != 1:
    sys.exit(f"the first screen of README.md should link to {addresses[0]} once")
