"""The board in the browser: a server for this machine, and a page that web/ is the source of."""
