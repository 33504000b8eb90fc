'use strict';
// Every result of the database as a table that can be sorted and filtered; the filters stand in the
// page's address, so that a link can lead to them.
(() => {
  const { element, statusLine, text } = memplan;
  const address = 'results';
  const narrowPage = 600;
  const filterNames = ['planner', 'instance', 'collection', 'suite', 'policy', 'order', 'outcome', 'run',
                       'options'];

  // The rows' columns of texts: a name for each code, and each name's place in alphabetical order.
  function rankNames(names) {
    const order = names.map((_, code) => code)
      .sort((a, b) => names[a].localeCompare(names[b], 'en', { numeric: true }));
    const rank = new Float64Array(names.length);
    order.forEach((code, place) => {
      rank[code] = place;
    });
    return rank;
  }

  // What stands before the slash of an instance's name: zoo, luna, minimalloc.
  function addCollections(data) {
    const names = [];
    const codeOf = data.instance.names.map((name) => {
      const slash = name.search(/[/:]/);
      const collection = slash > 0 ? name.slice(0, slash) : '';
      if (!names.includes(collection)) {
        names.push(collection);
      }
      return names.indexOf(collection);
    });
    data.collection = { names, codes: data.instance.codes.map((code) => codeOf[code]) };
  }

  // Suites that some but not all instances of the page are in: a map from names to sets.
  function findSuites(data) {
    const known = new Set(data.instance.names);
    const suites = new Map();
    for (const { name, instances } of memplan.get('suites') || []) {
      const members = instances.filter((instance) => known.has(instance));
      if (members.length > 0 && members.length < known.size) {
        suites.set(name, new Set(members));
      }
    }
    return suites;
  }

  function addGaps(data) {
    data.gap_percent = data.peak_bytes.map((peak, row) => {
      const bound = data.bound_bytes[row];
      return peak === null || bound === null ? null
             : 100 * (Number(peak) - Number(bound)) / Number(bound);
    });
  }

  // As wide as the heading with its arrow needs.
  function leastWidth(heading, unit) {
    return heading.length + (unit ? unit.length + 3 : 0) + 2;
  }

  function largest(values) {
    return values.reduce((most, value) => (value !== null && Number(value) > Number(most) ? value : most), 0);
  }

  function textColumn(data, key, heading, width) {
    const { names, codes } = data[key];
    const rank = rankNames(names);
    const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
    return {
      key, heading, width: Math.max(leastWidth(heading), Math.min(longest, width)),
      sortKey: (row) => rank[codes[row]],
      text: (row) => names[codes[row]] || text.dash,
    };
  }

  function numberColumn(data, key, heading, unit, show) {
    const values = data[key];
    return {
      key, heading, unit, numeric: true,
      width: Math.max(leastWidth(heading, unit), show(largest(values)).length),
      sortKey: (row) => (values[row] === null ? NaN : Number(values[row])),
      text: (row) => show(values[row]),
    };
  }

  // The instance leads to its layout where that was kept.
  function instanceColumn(data) {
    const column = textColumn(data, 'instance', 'instance', 30);
    const { names, codes } = data.instance;
    const label = (row) => names[codes[row]]
      + (data.reconstruction.names[data.reconstruction.codes[row]] === 'yes' ? ' (a reconstruction)' : '');
    column.text = label;
    column.content = (row) => (data.kept[row] ? element('a', {
      href: memplan.layouts.address(names[codes[row]], rowKey(data, row)),
      title: `${label(row)}: show its memory layout`,
    }, label(row)) : null);
    return column;
  }

  // What tells the plans of an instance apart.
  function rowKey(data, row) {
    return ['policy', 'planner', 'options'].map((key) => data[key].names[data[key].codes[row]])
      .join('|');
  }

  // The command that plans the job of a row again and writes its plan.
  function commandColumn(data) {
    const quote = (word) => (/^[\w/.-]+$/.test(word) ? word : `'${word}'`);
    const name = (key, row) => data[key].names[data[key].codes[row]];
    const show = (row) => {
      const path = name('path', row) || name('instance', row);
      const mark = `@${name('order', row)}`;
      const instance = path.endsWith(mark) ? path.slice(0, -mark.length) : path;
      const policy = name('policy', row);
      return `memplan plan ${quote(instance)}${policy === 'problem' ? '' : ` --policy ${policy}`}`
        + ` --planner ${quote(name('planner', row))}${name('repeat', row)} -o plan.json`;
    };
    return { key: 'command', heading: 'command', width: 60, sortKey: (row) => row, text: show };
  }

  function makeColumns(data) {
    const several = (key) => data[key].names.length > 1;
    const outcome = textColumn(data, 'outcome', 'outcome', 12);
    const job = [
      textColumn(data, 'policy', 'policy', 12),
      textColumn(data, 'planner', 'planner', 24),
    ];
    // What says how it ended is in sight on a page of 1300 pixels, and the outcome on a narrow one.
    const columns = [
      instanceColumn(data),
      ...(innerWidth < narrowPage ? [outcome, ...job] : [...job, outcome]),
      numberColumn(data, 'peak_bytes', 'peak', 'bytes', text.count),
      numberColumn(data, 'gap_percent', 'gap', '%', text.percent),
      numberColumn(data, 'wall_ns', 'time', '', text.duration),
      several('reason') ? textColumn(data, 'reason', 'reason', 26) : null,
      several('options') ? textColumn(data, 'options', 'options', 24) : null,
      numberColumn(data, 'bound_bytes', 'bound', 'bytes', text.count),
      numberColumn(data, 'naive_bytes', 'naive', 'bytes', text.count),
      numberColumn(data, 'buffers', 'buffers', '', text.count),
      numberColumn(data, 'nodes', 'nodes', '', text.count),
      data.jobs.some((jobs) => jobs > 1) ? numberColumn(data, 'jobs', 'jobs', '', text.count) : null,
      several('run') ? textColumn(data, 'run', 'run', 26) : null,
      commandColumn(data),
    ];
    return columns.filter((column) => column);
  }

  // For each code of a column whether its name holds the word.
  function findCodes(data, word) {
    return ['instance', 'policy', 'planner', 'options', 'outcome', 'run', 'reason'].map((key) => ({
      codes: data[key].codes,
      holds: data[key].names.map((name) => name.toLowerCase().includes(word)),
    }));
  }

  // Columns that the field for words can compare, "gap>5"; times are in milliseconds there.
  const compared = {
    peak: ['peak_bytes', 1], bound: ['bound_bytes', 1], naive: ['naive_bytes', 1], gap: ['gap_percent', 1],
    buffers: ['buffers', 1], nodes: ['nodes', 1], time: ['wall_ns', 1e6],
  };
  const comparisons = {
    '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
    '=': (a, b) => a === b,
  };

  // What is missing is neither more nor less than a number.
  function makeComparison(data, word) {
    const parts = word.match(/^([a-z]+)(<=|>=|<|>|=)(\d+\.?\d*)$/);
    if (!parts || !Object.hasOwn(compared, parts[1])) {
      return null;
    }
    const [key, factor] = compared[parts[1]];
    const holds = comparisons[parts[2]];
    const limit = Number(parts[3]) * factor;
    return (row) => data[key][row] !== null && holds(Number(data[key][row]), limit);
  }

  function makeWordTest(data, word) {
    const columns = findCodes(data, word);
    return (row) => columns.some(({ codes, holds }) => holds[codes[row]]);
  }

  function makeTests(results) {
    const { data, choices, search } = results;
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word);
    const tests = words.map((word) => makeComparison(data, word) || makeWordTest(data, word));
    for (const [key, choice] of choices) {
      if (choice.chosen.size > 0) {
        tests.push(makeChoiceTest(data, key, choice.chosen));
      }
    }
    return tests;
  }

  function makeChoiceTest(data, key, chosen) {
    if (key === 'suite') {
      const isMember = data.instance.names
        .map((name) => [...chosen].some((suite) => data.suites.get(suite).has(name)));
      return (row) => isMember[data.instance.codes[row]];
    }
    const holds = data[key].names.map((name) => chosen.has(name));
    return (row) => holds[data[key].codes[row]];
  }

  function findRows(results) {
    const tests = makeTests(results);
    const rows = [];
    for (let row = 0; row < results.data.count; row++) {
      if (tests.every((test) => test(row))) {
        rows.push(row);
      }
    }
    return rows;
  }

  function refresh(results) {
    const rows = findRows(results);
    results.grid.setRows(rows);
    results.status.textContent =
      `${text.count(rows.length)} of ${text.plural(results.data.count, 'result')}`;
    memplan.ranking.show(results.ranking, rows);
  }

  function writeAddress(results) {
    const words = new URLSearchParams();
    for (const [key, choice] of results.choices) {
      choice.chosen.forEach((name) => words.append(key, name));
    }
    if (results.search.value) {
      words.set('text', results.search.value);
    }
    if (results.sort.key) {
      words.set('sort', (results.sort.direction < 0 ? '-' : '') + results.sort.key);
    }
    history.replaceState(null, '', words.toString() ? `#${address}?${words}` : `#${address}`);
  }

  function readAddress(results) {
    const [place, query] = location.hash.slice(1).split('?');
    if (place !== address) {
      return false;
    }
    const words = new URLSearchParams(query || '');
    results.choices.forEach((choice, key) => choice.set(words.getAll(key)));
    results.search.value = words.get('text') || '';
    const sort = words.get('sort') || '';
    results.sort = { key: sort.replace(/^-/, '') || null, direction: sort.startsWith('-') ? -1 : 1 };
    results.grid.setSort(results.sort.key, results.sort.direction);
    refresh(results);
    document.getElementById(address).scrollIntoView();
    return true;
  }

  function makeChoices(results) {
    const { data } = results;
    const changed = () => {
      writeAddress(results);
      refresh(results);
    };
    for (const key of filterNames) {
      const names = key === 'suite' ? [...data.suites.keys()] : [...data[key].names].sort();
      if (names.length > (key === 'suite' ? 0 : 1)) {
        results.choices.set(key, memplan.choices.create(key, names, changed));
      }
    }
    results.search.addEventListener('input', changed);
  }

  function clear(results) {
    results.choices.forEach((choice) => choice.set([]));
    results.search.value = '';
    writeAddress(results);
    refresh(results);
  }

  function makeBar(results) {
    const choices = [...results.choices.values()].map((choice) => choice.element);
    const label = element('label', { class: 'filter' }, element('span', {}, 'Find '), results.search);
    const button = element('button', { type: 'button', click: () => clear(results) }, 'Clear filters');
    return element('div', { class: 'bar', role: 'search', 'aria-label': 'Filter the results' },
                   label, ...choices, button);
  }

  function start() {
    const host = document.getElementById(address);
    const data = memplan.get('rows');
    if (!host || !data || data.count === 0) {
      return;
    }
    addCollections(data);
    addGaps(data);
    data.suites = findSuites(data);
    const results = { data, choices: new Map(), status: statusLine(), sort: {} };
    results.search = element('input', {
      type: 'search', size: 28, placeholder: 'words, gap>5, time<=2, …',
      title: 'Words of any column; peak, bound, naive, gap, buffers, nodes and time (ms) compare: gap>5',
    });
    makeChoices(results);
    host.append(makeBar(results), results.status);
    results.grid = memplan.grid.create(host, {
      caption: 'All results, the newest of each job', columns: makeColumns(data), count: data.count,
      onSort: (key, direction) => {
        results.sort = { key, direction };
        writeAddress(results);
      },
    });
    results.ranking = memplan.ranking.create(host, data);
    addEventListener('hashchange', () => readAddress(results));
    if (!readAddress(results)) {
      refresh(results);
    }
  }

  memplan.results = { start };
})();
