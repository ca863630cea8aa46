"""Pages of HTML, with their markup, styles and scripts, and the server of one page."""
