#!/usr/bin/env bash
# open_page.sh PAGE: shows a file or an address in the browser, where there are a desktop and a terminal, but not through ssh.
# Elsewhere it does nothing.
[ -t 0 ] && [ -t 2 ] && [ -z "${SSH_CONNECTION:-}${SSH_TTY:-}" ] || exit 0
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ] || exit 0
opener=$(command -v xdg-open || command -v open) || exit 0
"$opener" "$1" >/dev/null 2>&1 </dev/null &
