'use strict';
// The planners of the results in view, ranked. Ratios are means over the questions that all of these
// planners answered, since means over different questions say nothing about each other.
(() => {
  const { element, text } = memplan;

  // A question is what planners give different answers to: an instance, a policy and options.
  function numberQuestions(data) {
    const known = new Map();
    const { policy, options } = data;
    return Uint32Array.from({ length: data.count }, (_, row) => {
      const key = (data.instance.codes[row] * policy.names.length + policy.codes[row])
                  * options.names.length + options.codes[row];
      if (!known.has(key)) {
        known.set(key, known.size);
      }
      return known.get(key);
    });
  }

  function makePlanner(code) {
    return { code, answers: 0, failures: 0, best: 0, atBound: 0, worst: NaN, times: [], logs: 0 };
  }

  // The least peak of each question, and how many planners answered it.
  function judgeQuestions(ranking, rows) {
    const { data, question } = ranking;
    const least = new Map();
    const answers = new Map();
    for (const row of rows) {
      const peak = data.peak_bytes[row];
      if (peak !== null) {
        const at = question[row];
        least.set(at, Math.min(least.has(at) ? least.get(at) : Infinity, Number(peak)));
        answers.set(at, (answers.get(at) || 0) + 1);
      }
    }
    return { least, answers };
  }

  function addRow(ranking, planner, row, least) {
    const { data, question } = ranking;
    const peak = data.peak_bytes[row];
    const gap = data.gap_percent[row];
    if (peak === null) {
      planner.failures += data.outcome.names[data.outcome.codes[row]] !== 'infeasible';
      return;
    }
    planner.answers++;
    planner.best += Number(peak) === least.get(question[row]);
    planner.atBound += gap === 0;
    planner.worst = Number.isNaN(planner.worst) ? (gap === null ? NaN : gap)
                    : Math.max(planner.worst, gap || 0);
    if (data.wall_ns[row] !== null) {
      planner.times.push(Number(data.wall_ns[row]));
    }
  }

  function addRatios(ranking, rows, planners, judged) {
    const { data, question } = ranking;
    const common = new Set();
    for (const row of rows) {
      const at = question[row];
      if (data.gap_percent[row] !== null && judged.answers.get(at) === planners.size) {
        common.add(at);
        planners.get(data.planner.codes[row]).logs += Math.log1p(data.gap_percent[row] / 100);
      }
    }
    return common.size;
  }

  function median(values) {
    if (values.length === 0) {
      return null;
    }
    values.sort((a, b) => a - b);
    return values[(values.length - 1) >> 1];
  }

  function finish(planner, common) {
    planner.ratio = common === 0 ? NaN : Math.exp(planner.logs / common);
    planner.time = median(planner.times);
  }

  function rank(ranking, rows) {
    const planners = new Map();
    const judged = judgeQuestions(ranking, rows);
    for (const row of rows) {
      const code = ranking.data.planner.codes[row];
      if (!planners.has(code)) {
        planners.set(code, makePlanner(code));
      }
      addRow(ranking, planners.get(code), row, judged.least);
    }
    ranking.common = addRatios(ranking, rows, planners, judged);
    planners.forEach((planner) => finish(planner, ranking.common));
    ranking.planners = [...planners.values()];
    return judged.least.size;
  }

  function numberColumn(ranking, key, heading, unit, width, show) {
    const value = (row) => ranking.planners[row][key];
    return {
      key, heading, unit, width, numeric: true,
      sortKey: (row) => (value(row) === null ? NaN : Number(value(row))),
      text: (row) => show(value(row)),
    };
  }

  function makeColumns(ranking) {
    const { names } = ranking.data.planner;
    const ratio = (value) => (text.isMissing(value) ? text.dash : value.toFixed(4));
    return [
      {
        key: 'planner', heading: 'planner', width: 30,
        sortKey: (row) => ranking.nameRank[ranking.planners[row].code],
        text: (row) => names[ranking.planners[row].code],
      },
      numberColumn(ranking, 'best', 'best or equal', '', 15, text.count),
      numberColumn(ranking, 'atBound', 'at the bound', '', 14, text.count),
      numberColumn(ranking, 'ratio', 'mean peak / bound', '', 19, ratio),
      numberColumn(ranking, 'worst', 'worst gap', '%', 14, text.percent),
      numberColumn(ranking, 'time', 'median time', '', 13, text.duration),
      numberColumn(ranking, 'answers', 'plans', '', 8, text.count),
      numberColumn(ranking, 'failures', 'without a plan', '', 16, text.count),
    ];
  }

  function create(host, data) {
    const ranking = { data, question: numberQuestions(data), planners: [], common: 0 };
    const names = [...data.planner.names].sort();
    ranking.nameRank = data.planner.names.map((name) => names.indexOf(name));
    ranking.note = element('p', { class: 'notes' });
    host.append(element('h3', {}, 'Planners of the results in view'), ranking.note);
    ranking.grid = memplan.grid.create(host, {
      caption: 'Planners of the results in view, ranked', columns: makeColumns(ranking), count: 0,
    });
    ranking.grid.setSort('best', -1);
    return ranking;
  }

  // rows are those of the results that the filters leave.
  function show(ranking, rows) {
    const questions = rank(ranking, rows);
    ranking.grid.setData(ranking.planners.length);
    ranking.note.textContent =
      `Best or equal: the least peak in view, of ${text.plural(questions, 'question')} (an instance `
      + 'under a policy). Mean: geometric, over the '
      + `${text.plural(ranking.common, 'question')} that every planner in view answered`
      + (ranking.common === 0 ? '; choose fewer planners to have some.' : '.');
  }

  memplan.ranking = { create, show };
})();
