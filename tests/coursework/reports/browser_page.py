"""A file in a phone's browser that runs no scripts of the page."""

from contextlib import contextmanager


@contextmanager
def opened(browser, file):
    context = browser.new_context(
        viewport={"width": 360, "height": 640}, color_scheme="dark", java_script_enabled=False
    )
    try:
        tab = context.new_page()
        tab.goto(file.as_uri())
        yield tab
    finally:
        context.close()
