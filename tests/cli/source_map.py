"""Holds the map of docs/sources.md against the repository and the pages that were made.

source_map.py ROOT MEMPLAN PAGE...

Each piece of code that the map names must be a file, a folder or something that `memplan list` knows, each section a heading
of a page, and each count of verdicts that of the table of the source; each figure must be counted once. Says what is wrong.
"""
import collections
import html.parser
import os
import re
import subprocess
import sys

import printed_figures

WORDS = {'agrees': 'agrees', 'met': 'met by a reconstruction', 'arithmetic': "agrees by the source's own arithmetic",
         'slip': 'slip in the source'}
faults = []


class Headings(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.texts, self.inside = set(), None

    def handle_starttag(self, tag, _):
        if tag in ('h2', 'h3'):
            self.inside = ''

    def handle_data(self, data):
        if self.inside is not None:
            self.inside += data

    def handle_endtag(self, tag):
        if tag in ('h2', 'h3') and self.inside is not None:
            self.texts.add(self.inside)
            self.inside = None


def read_headings(paths):
    headings = Headings()
    for path in paths:
        with open(path, encoding='utf-8') as file:
            headings.feed(file.read())
    return headings.texts


def read_names(memplan):
    names = set()
    for kind in ('planners', 'policies', 'instances', 'hardware'):
        lines = subprocess.run([memplan, 'list', kind], stdout=subprocess.PIPE, check=True, text=True).stdout.split('\n')
        names.update(line.split()[0] for line in lines if line.split())
    return names


def read_figures(source, published, pages):
    """(place, verdict) of each figure of a source that stands on a page."""
    first = printed_figures.read_source(os.path.join(published, source + '.csv'))[0]
    for tables in pages:
        for _, _, headings, rows in tables:
            if headings[0] in printed_figures.PLACES and 'verdict' in headings and rows[0][:3] == [
                    first['place'], first['figure'], first['printed']]:
                return [(row[0], row[headings.index('verdict')]) for row in rows]
    faults.append(f'{source}: on no page')
    return []


def is_of(place, wanted):
    first = place.split('; ')[0]
    return wanted == ['all'] or any(first == part or first.startswith(part + ' ') for part in wanted)


def check_row(name, cells, names, headings, figures):
    what, code, section, verdict = cells
    for piece in re.findall('`([^`]*)`', code):
        if not os.path.exists(os.path.join(sys.argv[1], piece)) and piece not in names:
            faults.append(f'{name}: {what}: there is no `{piece}`')
    for heading in section.split('; '):
        if heading not in headings:
            faults.append(f'{name}: {what}: no section "{heading}" on a page')
    if verdict.startswith('no figure'):
        return
    wanted = what.split(': ')[0].split('; ')
    mine = [figure for figure in figures if is_of(figure[0], wanted)]
    for figure in mine:
        figures.remove(figure)
    said = collections.Counter()
    for part in verdict.split(', '):
        count, word = part.split(' ', 1)
        said[WORDS.get(word, word)] += int(count)
    counted = collections.Counter(verdict for _, verdict in mine)
    if said != counted:
        faults.append(f'{name}: {what}: {verdict}, on the page {dict(counted)}')


def main():
    root, memplan, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    names, headings = read_names(memplan), read_headings(paths)
    pages = [printed_figures.read_page(path) for path in paths]
    name, figures, rows = '', [], 0
    with open(os.path.join(root, 'docs', 'sources.md'), encoding='utf-8') as file:
        lines = [line.strip().strip('|').split('|') for line in file if line.startswith('|') and line.count('|') == 6]
    for source, *cells in [[cell.strip() for cell in line] for line in lines[2:]] + [['end `']]:
        if source:
            for place, verdict in figures:
                faults.append(f'{name}: {place}: a figure that {verdict} is not in the map')
            name = source
            figures = read_figures(source.split('`')[1], os.path.join(root, 'results', 'published'), pages) if cells else []
        if cells:
            check_row(name, cells, names, headings, figures)
            rows += 1
    for fault in faults:
        print(fault)
    print(f'{rows} rows of the map, {len(faults)} faults')


main()
