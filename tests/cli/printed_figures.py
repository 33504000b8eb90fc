"""Reads every figure that a source prints from the pages that were made of them.

printed_figures.py PUBLISHED PAGE...   PUBLISHED is results/published

Each row of PUBLISHED/*.csv must stand once among the verdicts of one page, as it is printed and with one of the seven
verdicts; tables in a source's own form must print and measure the same; the abstract must count them. Says what is wrong,
how many figures it has read and how many of them it has read twice.
"""
import glob
import html.parser
import os
import re
import sys

VERDICTS = ['agrees', 'met by a reconstruction', "agrees by the source's own arithmetic", 'slip in the source', 'differs',
            'not comparable', 'not given']
PLACES = ('place', 'section', 'paragraph', 'source')
# Numbers in the prose of a page that are no figures: names, places in a source, what its text says, what an option is set to.
NAMES = re.compile(r"(?:(?:Tables?|Figures?|[Ss]ections?|[Ee]quations?|[Pp]aragraphs?|arXiv|SHA|MD5|batch|int|float|page|Op|alexnet;)"
                   r"[-  ]?[\d.]+(?:(?:, | to | and )[\d.]+)*)|(?:[A-Za-z]|[a-z]+-)\d+\b|\d+ x \d+ x \d+|\d+ (?:tokens|classes)|\b(?:19|20)\d\d\b")
NUMBER = re.compile(r'(?<![\w.])(?:\d{1,3}(?:[ \u202f]\d{3})+|\d+)(?:\.\d+)?(?![\w.]*\w)')
SCALES = (1, 1e3, 1e6, 1e9, 2**10, 2**20, 2**30)
faults = []


class Page(html.parser.HTMLParser):
    """All tables of a page: (part, caption, headings, rows)."""

    def __init__(self):
        super().__init__()
        self.tables, self.part, self.cell, self.unit = [], None, None, False
        self.prose, self.paragraph, self.code = [], None, 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == 'table':
            self.tables.append((attributes.get('id') or self.part, [], [], []))
        elif tag == 'section' and not attributes.get('id', 'table-').startswith(('table-', 'figure-')):
            self.part = attributes['id']
        elif tag == 'tr' and self.tables:
            self.tables[-1][3].append([])
        elif tag in ('td', 'th', 'caption') and self.tables:
            self.cell = ''
        elif tag == 'span' and attributes.get('class') == 'unit':
            self.unit = True
        elif tag == 'p' and not attributes:
            self.paragraph = ''
        self.code += tag == 'code'

    def handle_data(self, data):
        if self.cell is not None and not self.unit:
            self.cell += data
        if self.paragraph is not None and not self.code:
            self.paragraph += data.replace('\n', ' ')

    def handle_endtag(self, tag):
        self.code -= tag == 'code'
        if tag == 'p' and self.paragraph is not None:
            self.prose.append((self.part, self.paragraph))
            self.paragraph = None
        if tag == 'span':
            self.unit = False
        if tag in ('td', 'th') and self.cell is not None:
            self.tables[-1][3][-1].append(self.cell.strip().replace('\u202f', ''))
            self.cell = None
        elif tag == 'caption' and self.cell is not None:
            self.tables[-1][1].append(self.cell)
            self.cell = None


def read_page(path):
    page = Page()
    with open(path, encoding='utf-8') as file:
        page.feed(file.read())
    tables = [(part, ' '.join(caption), rows[0], rows[1:]) for part, caption, _, rows in page.tables if rows]
    check_prose(path, tables, page.prose)
    return tables


def read_numbers(text):
    return [re.sub('[ \u202f]', '', number) for number in NUMBER.findall(NAMES.sub(' ', text))]


def check_prose(path, tables, prose):
    """Each number that says what came out here, in a paragraph that begins with "Here:" or in the reason of a figure, and that
    is of three digits or has decimals, stands in a table of the same part, maybe rounded, cut off or in another unit."""
    shown, said = {}, [(part, text) for part, text in prose if text.startswith('Here:')]
    for part, _, headings, rows in tables:
        for row in rows:
            for heading, cell in zip(headings, row):
                if heading == 'why':
                    said.append((part, cell))
                else:
                    shown.setdefault(part, set()).update(float(number) for number in read_numbers(cell))
    for part, text in said:
        for number in read_numbers(text):
            digits = len(number.partition('.')[2])
            near = lambda value: abs(round(value, digits) - float(number)) < 1e-9 or abs(
                int(value * 10**digits) / 10**digits - float(number)) < 1e-9
            if (digits or len(number) > 2) and not any(near(value / scale) for value in shown.get(part, ()) for scale in SCALES):
                faults.append(f'{os.path.basename(os.path.dirname(path))}: {part}: {number} stands in no table: {text}')


def read_source(path):
    with open(path, encoding='utf-8') as file:
        lines = [line.rstrip('\n').split(',') for line in file if not line.startswith('#')]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def as_number(text):
    try:
        return float(text.lstrip('~'))
    except ValueError:
        return text


def check_own(name, table, figures):
    """A table in the source's own form, in which rows say in their second cell whether they are as printed or measured,
    against the verdicts: figures is (place, figure) -> row. Its caption ends with the place, maybe in parentheses."""
    _, caption, headings, rows = table
    place = caption.rstrip(')').rsplit(', ', 1)[-1]
    read = 0
    shown = {}
    for cells in rows if headings[1:2] == ['what'] else []:
        key = {'printed': 'printed', 'paper': 'printed', 'here': 'measured', 'measured': 'measured', 'arithmetic': 'measured'}.get(
            cells[1].split(' ')[0])
        for column, cell in zip(headings[2:], cells[2:]):
            stands = figures.get((place, f'{cells[0]}: {column}'))
            if stands:
                shown.setdefault((cells[0], column), []).extend([cell] if key == 'measured' and cell != '-' else [])
            if not key or not stands:
                if key == 'printed' and cell != '-' and column != 'verdict':
                    faults.append(f'{name}: {place}, {cells[0]}: {column}: not among the verdicts')
            elif cell == '-' and key == 'measured':
                continue
            elif as_number(stands[key]) != as_number(cell if stands[key] == cell else cell.split(' ')[0]):
                faults.append(f'{name}: {place}, {cells[0]}: {column}: {key} {stands[key]} and {cell}')
            else:
                read += key == 'printed'
    for (row, column), cells in shown.items():
        if len(cells) != (figures[(place, f'{row}: {column}')]['measured'] != '-'):
            faults.append(f'{name}: {place}, {row}: {column}: measured {cells}')
    return read


def check_source(name, published, pages):
    found, counted = [], []
    for tables in pages:
        for part, caption, headings, rows in tables:
            if part == 'sources':
                counted += [row for row in rows if len(row) == 9]
            if headings[0] in PLACES and 'verdict' in headings:
                found.append((part, [dict(zip(['place', 'figure', 'printed', 'measured'] + headings[4:], row))
                                     for row in rows], tables))
    wanted = [(row['place'], row['figure'], row['printed']) for row in published]
    mine = [(part, rows, tables) for part, rows, tables in found
            if any((row['place'], row['figure'], row['printed']) == wanted[0] for row in rows)]
    if len(mine) != 1:
        faults.append(f'{name}: on {len(mine)} pages, expected one')
        return 0, 0
    part, rows, tables = mine[0]
    shown = [(row['place'], row['figure'], row['printed']) for row in rows]
    for figure in wanted:
        if shown.count(figure) != 1:
            faults.append(f'{name}: {figure}: stands {shown.count(figure)} times')
    for figure in shown:
        if figure not in wanted:
            faults.append(f'{name}: {figure}: not printed')
    for row in rows:
        if row['verdict'] not in VERDICTS:
            faults.append(f'{name}: {row["figure"]}: verdict {row["verdict"]}')
    figures = {(place, row['figure']): row for row in rows for place in [row['place']] + row['place'].split('; ')}
    again = sum(check_own(name, table, figures) for table in tables if table[0] == part)
    counts = [str(sum(row['verdict'] == verdict for row in rows)) for verdict in VERDICTS]
    if [count if count != '0' else '' for count in counts] not in [row[2:] for row in counted]:
        faults.append(f'{name}: the abstract does not count {counts}')
    return len(wanted), again


def main():
    pages = [read_page(path) for path in sys.argv[2:]]
    read = again = 0
    for path in sorted(glob.glob(os.path.join(sys.argv[1], '*.csv'))):
        published = read_source(path)
        if 'place' in published[0]:
            figures, own = check_source(os.path.basename(path)[:-4], published, pages)
            read, again = read + figures, again + own
    for fault in faults:
        print(fault)
    print(f'{read} figures read, {again} of them in a table of their own form, too; {len(faults)} faults')


if __name__ == '__main__':
    main()
