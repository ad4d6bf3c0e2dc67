// Before the page is drawn: the theme that the reader chose, or the system's.
'use strict';

document.documentElement.classList.add('js');
try {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A page that is a file may have no storage; then the system's theme is shown.
}
