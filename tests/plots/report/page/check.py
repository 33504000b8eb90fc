"""Opens reports in a headless Chromium and does with them what a reader does.

Usage: check.py MEMPLAN FOLDER; the folder is for what the checks leave.
"""

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys

from browser import Browser, find_program

QUICK = ["--suite", "quick", "--time-limit", "1", "--policy", "flat,recursive,max"]

checks = []


def check(function):
    checks.append(function)
    return function


def expect(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: found {found!r}, expected {wanted!r}")


def make_database(memplan, path, *runs):
    for label, planners in runs:
        command = [memplan, "bench", *QUICK, "--planners", planners, "--run", label, "--db", path]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        # Policy max is unsafe, so that some plans are refused.
        if answer.returncode not in (0, 1):
            raise RuntimeError(f"{' '.join(command)}: {answer.stderr}")


def store_timelines(memplan, path, *modes):
    for mode in modes:
        command = [memplan, "dma", "luna/fusion_detect", "--mode", mode, "--db", path]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        # The weights need not fit.
        if answer.returncode not in (0, 1):
            raise RuntimeError(f"{' '.join(command)}: {answer.stderr}")


def make_report(memplan, path, folder):
    command = [memplan, "report", "--db", path, "--output", folder]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode not in (0, 1) or not os.path.exists(f"{folder}/index.html"):
        raise RuntimeError(f"{' '.join(command)}: {answer.stderr}")


def column(browser, number, table="#results .grid"):
    """The texts of a column, as far as the table shows it."""
    return browser.run(
        f"[...document.querySelector('{table}').tBodies[0].rows].filter((row) =>"
        f" !row.classList.contains('spacer')).map((row) => row.cells[{number}].textContent)"
    )


def find_column(browser, heading, table="#results .grid"):
    headings = browser.run(
        f"[...document.querySelectorAll('{table} thead th')].map((th) => th.textContent)"
    )
    return next(i for i, text in enumerate(headings) if text.startswith(heading))


def click_heading(browser, heading, table="#results .grid"):
    number = find_column(browser, heading, table)
    browser.run(f"document.querySelectorAll('{table} thead button')[{number}].click()")
    browser.frame()
    return number


def numbers(texts):
    return [float(text.replace("\u202f", "")) for text in texts if text != "-"]


def status(browser):
    return browser.run("document.querySelector('#results .status').textContent")


def choose(browser, title, name):
    """Opens the list of names with that title and ticks one."""
    details = (
        "[...document.querySelectorAll('#results details')].find((found) =>"
        f" found.textContent.startsWith('{title}'))"
    )
    browser.run(f"{details}.firstChild.click()")
    box = f"{details}.querySelector('input[value=\"{name}\"]')"
    expect(browser.wait(box), True, f"the list {title} has {name}")
    browser.run(f"{box}.click()")
    browser.run(f"{details}.firstChild.click()")
    browser.frame()


def clear(browser):
    browser.run(
        "[...document.querySelectorAll('#results button')].find((button) =>"
        " button.textContent === 'Clear filters').click()"
    )
    browser.frame()


@check
def the_overview_tells_what_is_new(browser, _):
    overview = browser.run("document.getElementById('overview').textContent")
    for words in ("newest run is second", "comes first:", "refused", "second is as good as first"):
        expect(words in overview, True, f"'{words}' in the overview {overview[:2000]!r}")


@check
def the_results_sort(browser, _):
    number = click_heading(browser, "peak")
    rising = numbers(column(browser, number))
    expect(rising, sorted(rising), "peaks after one click")
    state = "document.querySelector('#results th[aria-sort=%s]')?.textContent.slice(0, 4)"
    expect(browser.run(state % "ascending"), "peak", "the heading that says it sorts")
    click_heading(browser, "peak")
    falling = numbers(column(browser, number))
    expect(falling, sorted(falling, reverse=True), "peaks after two clicks")
    expect(falling[0] > rising[-1], True, "the largest peak is not among the least")
    expect("sort=-peak_bytes" in browser.run("location.hash"), True, "the address tells the order")
    click_heading(browser, "peak")


@check
def a_heading_is_used_by_keyboard(browser, _):
    browser.run("document.querySelector('#results .grid thead button').focus()")
    browser.key("Enter")
    browser.frame()
    expect(
        browser.run("document.activeElement.closest('th').getAttribute('aria-sort')"),
        "ascending",
        "Enter on the first heading",
    )
    browser.key("Enter")
    browser.key("Enter")


@check
def the_results_filter(browser, _):
    whole = status(browser)
    choose(browser, "planner", "naive")
    planners = set(column(browser, find_column(browser, "planner")))
    expect(planners, {"naive"}, "planners after choosing one")
    expect(status(browser) != whole, True, "the number of results changes")
    browser.run(
        "(() => { const input = document.querySelector('#results input[type=search]');"
        " input.value = 'naive luna'; input.dispatchEvent(new Event('input')); })()"
    )
    browser.frame()
    instances = column(browser, 0)
    expect(len(instances) > 0, True, "results with both words")
    expect(all(name.startswith("luna/") for name in instances), True, "their instances")
    clear(browser)
    expect(status(browser), whole, "the number of results without filters")


@check
def numbers_compare(browser, _):
    browser.run(
        "(() => { const input = document.querySelector('#results input[type=search]');"
        " input.value = 'gap>10 flat'; input.dispatchEvent(new Event('input')); })()"
    )
    browser.frame()
    gaps = column(browser, find_column(browser, "gap"))
    expect(len(gaps) > 0 and all(float(gap) > 10 for gap in gaps), True, f"gaps above 10: {gaps}")
    expect(set(column(browser, find_column(browser, "policy"))), {"flat"}, "policies")
    clear(browser)


@check
def suites_and_policies_filter(browser, _):
    choose(browser, "suite", "luna")
    choose(browser, "policy", "recursive")
    instances = column(browser, 0)
    policies = column(browser, find_column(browser, "policy"))
    expect(len(instances) > 0 and len(set(policies)), 1, "policies")
    expect(all(name.startswith("luna/") for name in instances), True, "instances of the suite")
    address = browser.run("location.hash")
    expect("suite=luna" in address and "policy=recursive" in address, True, f"address {address}")
    clear(browser)


@check
def a_link_leads_to_what_failed(browser, _):
    browser.run("document.querySelector('#overview a[href*=outcome]').click()")
    browser.frame()
    outcomes = set(column(browser, find_column(browser, "outcome")))
    expect(outcomes, {"refused"}, "outcomes behind the link")
    linked = browser.run("parseInt(document.querySelector('#overview a[href*=outcome]').textContent)")
    expect(status(browser).startswith(f"{linked} of"), True, "as many as the link says")
    browser.run("location.hash = '#results'")
    browser.frame()


@check
def the_planners_in_view_are_ranked(browser, _):
    table = "#results h3 ~ .view .grid"
    best = numbers(column(browser, find_column(browser, "best", table), table))
    expect(best, sorted(best, reverse=True), "numbers of best plans")
    ratios = numbers(column(browser, find_column(browser, "mean", table), table))
    expect(all(ratio >= 1 for ratio in ratios) and len(ratios) == len(best), True, "mean ratios")


@check
def written_tables_name_reconstructions(browser, _):
    gaps = browser.run("document.getElementById('table-gaps').textContent")
    expect("luna/denoise (a reconstruction)" in gaps, True, "the label behind a name")


@check
def written_tables_sort_and_filter(browser, _):
    table = "#table-leaderboard table"
    first = browser.run(f"document.querySelector('{table} tbody td').textContent")
    browser.run(f"document.querySelector('{table} thead button').click()")
    browser.run(f"document.querySelector('{table} thead button').click()")
    expect(
        browser.run(f"document.querySelector('{table} thead th').getAttribute('aria-sort')"),
        "descending",
        "the first column after two clicks",
    )
    last = browser.run(f"document.querySelector('{table} tbody td').textContent")
    expect(first != last, True, "another row comes first")


LAYOUT = "#layouts?instance=luna%2Fdenoise&plan=flat%7Clarge_first%7C"
FACTS = "document.querySelector('.pane .facts')?.textContent.startsWith('Peak')"


def open_layout(browser, folder):
    browser.open(f"{folder}/index.html", LAYOUT)
    expect(browser.wait(FACTS), True, "the layout is shown")
    browser.frame()


def pane_box(browser, part="#layouts"):
    """Where the first picture of a part is, once nothing moves it any more."""
    look = (
        f"(() => {{ const canvas = document.querySelector('{part} .marks');"
        " canvas.scrollIntoView({ block: 'center' }); const box = canvas.getBoundingClientRect();"
        " return [box.x, box.y, box.width, box.height]; })()"
    )
    before, box = None, browser.run(look)
    while box != before:
        browser.frame()
        before, box = box, browser.run(look)
    return box


def picture(browser):
    """Tells pictures of the first pane apart."""
    browser.frame()
    return browser.run("document.querySelector('.stack canvas').toDataURL()")


def count_coloured(browser):
    """Pixels of the first pane that are opaque and no shade of grey."""
    return browser.run(
        "(() => { const canvas = document.querySelector('.stack canvas');"
        " const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
        " let count = 0; for (let i = 0; i < data.length; i += 4) count += data[i + 3] === 255 &&"
        " Math.max(data[i], data[i + 1], data[i + 2])"
        " - Math.min(data[i], data[i + 1], data[i + 2]) > 100; return count; })()"
    )


@check
def the_picture_has_its_rectangles(browser, folder):
    open_layout(browser, folder)
    whole = count_coloured(browser)
    expect(whole > 3000, True, f"coloured pixels: {whole}")
    width, height = browser.run(
        "(() => { const canvas = document.querySelector('.stack canvas');"
        " return [canvas.width, canvas.height]; })()"
    )
    expect(whole < width * height, True, "not all of it is coloured")


@check
def hovering_names_a_tensor(browser, folder):
    open_layout(browser, folder)
    x, y, width, height = pane_box(browser)
    for share in range(1, 20):
        browser.mouse("mouseMoved", x + 66 + (width - 80) * share / 20, y + height - 40)
        if not browser.run("document.querySelector('.note').hidden"):
            break
    note = browser.run("document.querySelector('.note').textContent")
    for word in ("bytes) at", "live from step", "place before", "place after"):
        expect(word in note, True, f"'{word}' in the note {note!r}")
    browser.mouse("mouseMoved", 5, 5)
    browser.frame()
    expect(browser.run("document.querySelector('.note').hidden"), True, "the note goes")


@check
def the_picture_zooms_and_moves(browser, folder):
    open_layout(browser, folder)
    whole = picture(browser)
    x, y, width, height = pane_box(browser)
    browser.click(x + width / 2, y + height / 2)
    browser.mouse("mouseWheel", x + width / 2, y + height / 2, deltaX=0, deltaY=-400)
    zoomed = picture(browser)
    expect(zoomed != whole, True, "the wheel zooms")
    browser.key("ArrowRight")
    moved = picture(browser)
    expect(moved != zoomed, True, "an arrow moves")
    browser.mouse("mousePressed", x + width / 2, y + height / 2, button="left", clickCount=1)
    browser.mouse("mouseMoved", x + width / 2 - 60, y + height / 2, button="left", buttons=1)
    browser.mouse("mouseReleased", x + width / 2 - 60, y + height / 2, button="left", clickCount=1)
    expect(picture(browser) != moved, True, "dragging moves")
    browser.mouse("mouseMoved", x + width / 2, y + height - 60)
    browser.key("ArrowRight")
    expect(browser.run("document.querySelector('.note').hidden"), True, "no note once it moved")
    browser.key("0", "Digit0", "0")
    expect(picture(browser), whole, "0 shows the whole again")
    browser.key("p", "KeyP", "p")
    expect(picture(browser) != whole, True, "p shows the peak")


@check
def tensors_are_chosen_by_key(browser, folder):
    open_layout(browser, folder)
    browser.run("document.querySelector('.marks').focus()")
    browser.key("n", "KeyN", "n")
    first = browser.run("document.querySelector('.chosen').textContent")
    browser.key("n", "KeyN", "n")
    second = browser.run("document.querySelector('.chosen').textContent")
    expect("live from step" in first and first != second, True, f"{first!r}, then {second!r}")
    browser.key("Escape")
    after = browser.run("document.querySelector('.chosen').textContent")
    expect(after.startswith("Nothing chosen"), True, f"after Escape {after!r}")


@check
def plans_and_policies_switch(browser, folder):
    open_layout(browser, folder)
    before = picture(browser)
    facts = "document.querySelector('.pane .facts').textContent"
    choose = (
        "(() => { const select = document.querySelectorAll('.pane select')[%d];"
        " select.value = '%s'; select.dispatchEvent(new Event('change')); })()"
    )
    browser.run(choose % (1, "flat|naive|"))
    expect(picture(browser) != before, True, "another planner is another picture")
    expect(count_coloured(browser) > 1000, True, "it has rectangles")
    naive = browser.run(facts)
    browser.run(choose % (0, "recursive"))
    browser.frame()
    expect(browser.run(facts) != naive, True, "another policy has other facts")
    expect("plan=recursive" in browser.run("location.hash"), True, "the address tells the policy")
    shown = "[...document.querySelectorAll('#layouts .pane')].filter((pane) => !pane.hidden).length"
    expect(browser.run(shown), 2, "two side by side")


@check
def the_tensors_at_the_peak_are_listed(browser, folder):
    open_layout(browser, folder)
    state = "document.querySelector('#layouts h3 ~ .status').textContent"
    whole = browser.run(state)
    browser.run("document.querySelector('#layouts h3 ~ .bar input[type=checkbox]').click()")
    browser.frame()
    expect(browser.run(state) != whole, True, "fewer tensors")
    browser.run("document.querySelector('#layouts .grid button.link').click()")
    browser.frame()
    chosen = browser.run("document.querySelector('.chosen').textContent")
    expect("live at the peak" in chosen, True, f"the chosen one {chosen!r}")


@check
def timelines_of_transfers_are_shown(browser, folder):
    browser.open(f"{folder}/index.html")
    browser.run("document.getElementById('timelines').scrollIntoView()")
    facts = "document.querySelector('#timelines .facts')?.textContent"
    expect(browser.wait(facts), True, "the timeline is shown")
    found = browser.run("[...document.querySelectorAll('#timelines .facts')].map((p) => p.textContent)")
    expect("luna pingpong" in found[0] and "luna sync" in found[1], True, f"the modes {found}")
    # The layouts above are loaded as they come near, and move what is below.
    expect(browser.wait(FACTS), True, "the layouts above are shown")
    x, y, width, height = pane_box(browser, "#timelines")
    note = "document.querySelector('#timelines .note')"
    for share in range(1, 20):
        browser.mouse("mouseMoved", x + 66 + (width - 80) * share / 20, y + height - 60)
        if not browser.run(f"{note}.hidden"):
            break
    text = browser.run(f"{note}.textContent")
    expect("ns to" in text and "channel" in text, True, f"the note {text!r}")
    second = "document.querySelectorAll('#timelines .stack canvas')[2].toDataURL()"
    before = browser.run(second)
    browser.click(x + width / 2, y + height / 2)
    browser.mouse("mouseWheel", x + width / 2, y + height / 2, deltaX=0, deltaY=-400)
    browser.frame()
    expect(browser.run(second) != before, True, "both timelines are zoomed together")


@check
def colours_follow_the_system_and_the_switch(browser, folder):
    background = "getComputedStyle(document.body).backgroundColor"
    browser.prefer("dark")
    browser.open(f"{folder}/index.html")
    dark = browser.run(background)
    browser.prefer("light")
    browser.frame()
    light = browser.run(background)
    expect(dark != light, True, "the background of dark and light")
    browser.run(
        "(() => { const select = document.getElementById('theme'); select.value = 'dark';"
        " select.dispatchEvent(new Event('change')); })()"
    )
    expect(browser.run(background), dark, "the background after switching")
    browser.run(
        "(() => { const select = document.getElementById('theme'); select.value = 'system';"
        " select.dispatchEvent(new Event('change')); })()"
    )


WHOLE = (
    "document.head.insertAdjacentHTML('beforeend',"
    " '<style>main > section { content-visibility: visible !important }</style>');"
    " document.querySelectorAll('details:not(.choice)').forEach((found) => { found.open = true; })"
)


def expect_no_scrolling_sideways(browser, what):
    """With every section laid out and everything unfolded, on a phone and beside it."""
    browser.run(WHOLE)
    for width in (400, 1300):
        browser.resize(width, 900)
        browser.frame()
        widths = browser.run("[document.scrollingElement.scrollWidth, innerWidth]")
        expect(widths[0] <= widths[1], True, f"{what}: the page's width and the window's {widths}")
        browser.frame()
        scrolling = browser.run(
            "[...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth)"
            ".map((box) => box.innerText.slice(0, 60))"
        )
        # A table in a file of its own has no script that makes cards of it.
        if browser.run("typeof memplan") == "object":
            expect(scrolling, [], f"{what}: tables that scroll sideways in {width} pixels")


@check
def a_narrow_page_shows_verdicts_and_needs_no_scrolling_sideways(browser, folder):
    open_layout(browser, folder)
    browser.resize(400, 900)
    browser.run(WHOLE)
    browser.frame()
    browser.frame()
    hidden = browser.run(
        "[...document.querySelectorAll('td.verdict, .problem, .good, pre')].filter((found) => {"
        " const box = found.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth; }).length"
    )
    expect_no_scrolling_sideways(browser, "with a layout")
    expect(hidden, 0, "verdicts that are out of sight")


HOSTILE = """'"><img src=x onerror="memplan.wasHit = 1"></script>\u00e9\u4e2d\u202e\\"""


def make_hostile(source, path):
    """A copy of a database with names that try to be markup, script or the end of a string."""
    shutil.copy(source, path)
    database = sqlite3.connect(path)
    with database:
        database.execute("PRAGMA foreign_keys = OFF")
        for name in ("instance", "planner", "fault", "stop_reason", "run"):
            database.execute(f"UPDATE result SET {name} = {name} || ?", (HOSTILE,))
        database.execute("UPDATE run SET label = label || ?, command = ?", (HOSTILE, HOSTILE))
        database.execute("UPDATE result SET status = ? WHERE verdict <> 'valid'", (HOSTILE,))
        database.execute("UPDATE timeline SET label = label || ?1, variant = variant || ?1", (HOSTILE,))
        database.execute("UPDATE rectangle SET label = label || ?", (HOSTILE,))
    database.close()


def make_empty(path):
    """No results, but a run that has begun."""
    database = sqlite3.connect(path)
    with database:
        database.execute("DELETE FROM rectangle")
        database.execute("DELETE FROM result")
    database.close()


def make_old(path):
    """A file of the first schema, which had a table for results and one for layouts."""
    database = sqlite3.connect(path)
    columns = [
        "run", "instance", "digest", "policy", "planner", "options", "seed", "repetition", "status",
        "verdict", "execution", "stop_reason", "buffers", "peak_bytes", "lower_bound_bytes",
        "load_bytes", "naive_bytes", "nodes", "paths", "wall_ns", "wall_samples", "host", "build",
        "started",
    ]
    with database:
        database.execute(f"CREATE TABLE kept AS SELECT id, {', '.join(columns)} FROM result")
        database.execute("DROP TABLE result")
        database.execute("ALTER TABLE kept RENAME TO result")
        database.execute("DROP TABLE run")
        database.execute("DROP TABLE IF EXISTS measure")
        database.execute("DROP TABLE IF EXISTS timeline")
        database.execute("PRAGMA user_version = 1")
    database.close()


def check_hostile(browser, folder):
    shown = browser.run("document.querySelector('#results .grid tbody th').textContent")
    expect(HOSTILE.strip() in shown, True, f"the name as it is, in {shown!r}")
    expect(browser.run("memplan.wasHit"), None, "a script in a name")
    expect(browser.run("document.querySelectorAll('img[src=x]').length"), 0, "elements in names")
    browser.run("document.querySelector('#results .grid tbody a').click()")
    expect(browser.wait(FACTS), True, "the layout behind a hostile link")
    browser.run("document.querySelector('#layouts .grid button.link').click()")
    chosen = browser.run("document.querySelector('.chosen').textContent")
    expect(HOSTILE in chosen, True, f"the tensor's name as it is, in {chosen!r}")
    shown = "document.querySelector('#timelines .facts')?.textContent"
    expect(browser.wait(shown), True, "the timeline with hostile names")
    expect(HOSTILE in browser.run(shown), True, "the timeline's name as it is")
    expect(browser.run("memplan.wasHit"), None, "a script in a name")


def check_empty(browser, folder):
    expect(browser.run("document.getElementById('results')"), None, "results of none")
    overview = browser.run("document.getElementById('overview').textContent")
    expect("no results yet" in overview, True, f"the overview {overview!r}")


def check_old(browser, folder):
    expect(len(column(browser, 0)) > 0, True, "results of an old file")
    open_layout(browser, folder)


def run_documented(memplan, browser, scratch):
    """The commands of docs/page.md, and what they leave on the page."""
    folder = f"{scratch}/documented"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../docs/page.md")
    with open(page, encoding="utf-8") as text:
        commands = [shlex.split(line) for line in text if line.startswith("memplan ")]
    commands.append("memplan report --db my.db -o report".split())
    for command in commands:
        answer = subprocess.run(
            [os.path.abspath(memplan), *command[1:]], cwd=folder, capture_output=True, check=False
        )
        expect(answer.returncode in (0, 1), True, f"{command}: {answer.stderr}")
    browser.open(f"{folder}/report/index.html", "#layouts")
    browser.run("document.getElementById('layouts').scrollIntoView()")
    expect(browser.wait(FACTS), True, "the large layout is shown")
    tensors = browser.run("document.querySelector('#layouts h3 ~ .status').textContent")
    expect(tensors.startswith("20\u202f000 of 20\u202f000"), True, f"its tensors {tensors!r}")
    shown = "document.querySelector('#timelines .facts')?.textContent"
    expect(browser.wait(shown), True, "the timelines are shown")


def run_pages_beside(memplan, browser, scratch):
    """The page of a source, and a comparison that stands in a file of its own."""
    folder, table = f"{scratch}/source", f"{scratch}/compare.html"
    for words in (["reproduce", "nnvm", "-o", folder],
                  ["compare", "first", "second", "--db", f"{scratch}/page.db", "-f", "html", "-o", table]):
        answer = subprocess.run([memplan, *words], capture_output=True, text=True, check=False)
        expect(answer.returncode in (0, 1), True, f"{words}: {answer.stderr}")
    for path in (f"{folder}/index.html", table):
        browser.open(path)
        expect_no_scrolling_sideways(browser, path)


def run_damaged(browser, folder):
    """A page whose data are cut off, or in a browser that cannot unpack them, says so."""
    path = f"{folder}/data/rows.js"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    at = text.rindex("'", 0, text.rindex("'"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:at + 1 + (len(text) - at) // 8 * 4] + "');\n")
    browser.open(f"{folder}/index.html")
    said = browser.run("document.querySelector('body > p.problem')?.textContent")
    expect((said or "").startswith("This browser cannot unpack the data"), True, f"cut data: {said!r}")


OTHERS = (("hostile", check_hostile), ("empty", check_empty), ("old", check_old))


def run_others(memplan, browser, scratch):
    """Reports of databases that are not as they should be."""
    failed = 0
    for name, function in OTHERS:
        database, folder = f"{scratch}/{name}.db", f"{scratch}/{name}"
        if name == "hostile":
            make_hostile(f"{scratch}/page.db", database)
        else:
            shutil.copy(f"{scratch}/page.db", database)
            make_empty(database) if name == "empty" else make_old(database)
        make_report(memplan, database, folder)
        browser.open(f"{folder}/index.html")
        try:
            function(browser, folder)
            expect_no_scrolling_sideways(browser, "the page")
        except (AssertionError, RuntimeError) as error:
            print(f"{name}: {error}")
            failed += 1
        failed += check_complaints(browser, name)
    return failed


def run_checks(browser, folder):
    failed = 0
    browser.resize(1300, 900)
    browser.open(f"{folder}/index.html")
    for function in checks:
        try:
            function(browser, folder)
        except (AssertionError, RuntimeError) as error:
            print(f"{function.__name__}: {error}")
            failed += 1
    return failed


def check_complaints(browser, what):
    for complaint in browser.complaints:
        print(f"{what}: {complaint}")
    failed = len(browser.complaints)
    browser.complaints.clear()
    return failed


def main():
    memplan, scratch = sys.argv[1:]
    program = find_program()
    if not program:
        print("skipped: there is no Chromium")
        return 77
    os.makedirs(scratch, exist_ok=True)
    database, folder = f"{scratch}/page.db", f"{scratch}/page"
    if os.path.exists(database):
        os.remove(database)
    make_database(memplan, database, ("first", "naive,large_first,sequential"),
                  ("second", "naive,large_first,tflite_greedy_by_size"))
    store_timelines(memplan, database, "sync", "pingpong")
    make_report(memplan, database, folder)
    with Browser(program) as browser:
        failed = run_checks(browser, folder)
        failed += check_complaints(browser, "the page")
        failed += run_others(memplan, browser, scratch)
        run_documented(memplan, browser, scratch)
        run_pages_beside(memplan, browser, scratch)
        run_damaged(browser, folder)
        failed += check_complaints(browser, "docs/page.md")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
