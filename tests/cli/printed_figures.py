"""Reads every figure that a source prints from the pages that were made of them.

printed_figures.py PUBLISHED PAGE...   PUBLISHED is results/published

Each row of PUBLISHED/*.csv must stand once among the verdicts of one page, as it is printed and with one of the seven
verdicts; tables in a source's own form must print and measure the same; the abstract must count them. Says what is wrong
and how many figures it has read.
"""
import glob
import html.parser
import os
import sys

VERDICTS = ['agrees', 'met by a reconstruction', "agrees by the source's own arithmetic", 'slip in the source', 'differs',
            'not comparable', 'not given']
PLACES = ('place', 'section', 'paragraph', 'source')
# Tables in a source's own form: caption -> place, headings of the row's name, and for each figure its heading as printed and
# as measured ('' for none).
OWN = {
    'Wang et al. 2025, Table 1': ('Table 1', ('model', 'strategy'), {'': ('published', 'measured')}),
    'Wang et al. 2025, Table 2': ('Table 2', ('model', 'strategy'), {'': ('published', 'measured')}),
    'Wang et al. 2025, Table 3': ('Table 3', ('model',), {
        'sync': ('sync published', 'sync'), 'pingpong': ('ping-pong published', 'ping-pong'),
        'saving': ('saving published', '')}),
    'Xu 2019, Table 6.2': ('Table 6.2', ('network',), {
        'compile': ('published compile', ''), 'compile and save': ('published and save', ''),
        'after a hit': ('published hit', '')}),
    'Xu 2019, Table 6.3': ('Table 6.3', ('network',), {
        'before': ('published 16-bit', ''), 'after': ('published int8', ''), 'ratio': ('published ratio', '')}),
    'Xu 2019, Table 6.4': ('Table 6.4', ('network',), {
        'before': ('published float16', ''), 'after': ('published int8', '')}),
}
faults = []


class Page(html.parser.HTMLParser):
    """All tables of a page: (part, caption, headings, rows)."""

    def __init__(self):
        super().__init__()
        self.tables, self.part, self.depth, self.cell, self.unit = [], None, 0, None, False

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

    def handle_data(self, data):
        if self.cell is not None and not self.unit:
            self.cell += data

    def handle_endtag(self, tag):
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
    return [(part, ' '.join(caption), rows[0], rows[1:]) for part, caption, _, rows in page.tables if rows]


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
    """A table in the source's own form against the verdicts: figures is (place, figure) -> row."""
    _, caption, headings, rows = table
    for title, (place, keys, columns) in OWN.items():
        if title not in caption or not set(keys) <= set(headings):
            continue
        for row in rows:
            cells = dict(reversed(list(zip(headings, row))))
            for how, (printed, measured) in columns.items():
                figure = ': '.join([cells[key] for key in keys] + ([how] if how else []))
                stands = figures.get((place, figure))
                if not stands:
                    faults.append(f'{name}: {place}, {figure}: not among the verdicts')
                elif as_number(stands['printed']) != as_number(cells[printed]):
                    faults.append(f'{name}: {place}, {figure}: printed {stands["printed"]} and {cells[printed]}')
                elif measured and as_number(stands['measured']) != as_number(cells[measured]):
                    faults.append(f'{name}: {place}, {figure}: measured {stands["measured"]} and {cells[measured]}')


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
        return 0
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
    figures = {(row['place'], row['figure']): row for row in rows}
    for table in tables:
        if table[0] == part:
            check_own(name, table, figures)
    counts = [str(sum(row['verdict'] == verdict for row in rows)) for verdict in VERDICTS]
    if [count if count != '0' else '' for count in counts] not in [row[2:] for row in counted]:
        faults.append(f'{name}: the abstract does not count {counts}')
    return len(wanted)


def main():
    pages = [read_page(path) for path in sys.argv[2:]]
    read = 0
    for path in sorted(glob.glob(os.path.join(sys.argv[1], '*.csv'))):
        published = read_source(path)
        if 'place' in published[0]:
            read += check_source(os.path.basename(path)[:-4], published, pages)
    for fault in faults:
        print(fault)
    print(f'{read} figures read, {len(faults)} faults')


main()
