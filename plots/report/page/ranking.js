'use strict';
// The planners of the results in view, ranked as the table leaderboard ranks them (results/views/common_lines.c): ratios
// are means over the questions that each ranked planner answered, since means over different questions say nothing about
// each other. A planner with a refused plan is not ranked, nor are those with the fewest answers, until half of the
// questions are common to the others; their means are over their own answers.
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
    return { code, answers: 0, failures: 0, best: 0, atBound: 0, worst: NaN, times: [] };
  }

  function isRefused(data, row) {
    return ['refused', 'damaged'].includes(data.outcome.names[data.outcome.codes[row]]);
  }

  // Of each question the least peak, its policy, and by planner's code the rows with a number and the refused ones.
  function judgeQuestions(ranking, rows) {
    const { data, question } = ranking;
    const judged = new Map();
    for (const row of rows) {
      const at = question[row];
      if (!judged.has(at)) {
        judged.set(at, { least: Infinity, policy: data.policy.codes[row], gaps: new Map(), refused: new Set() });
      }
      const found = judged.get(at);
      const code = data.planner.codes[row];
      if (isRefused(data, row)) {
        found.refused.add(code);
      } else if (data.peak_bytes[row] !== null) {
        found.least = Math.min(found.least, Number(data.peak_bytes[row]));
        found.gaps.set(code, Math.min(found.gaps.has(code) ? found.gaps.get(code) : Infinity,
                                      data.gap_percent[row] === null ? NaN : data.gap_percent[row]));
      }
    }
    return judged;
  }

  // The questions that can be compared: a policy under which most plans of a question are refused is unsafe, whatever the
  // planner, and all its questions are left out.
  function findComparable(judged) {
    const unsafe = new Set();
    judged.forEach((found) => {
      const { size } = found.refused;
      if (size > 1 && size > found.gaps.size) {
        unsafe.add(found.policy);
      }
    });
    return [...judged.values()].filter((found) => !unsafe.has(found.policy));
  }

  function findRanked(ranking, planners, comparable) {
    const names = [...planners.keys()].sort((a, b) => ranking.nameRank[a] - ranking.nameRank[b]);
    const numbers = new Map(names.map((code) => [code, comparable.filter((found) => found.gaps.get(code) >= 0).length]));
    let ranked = names.filter((code) => !comparable.some((found) => found.refused.has(code)));
    const answered = comparable.filter((found) => [...found.gaps.values()].some((gap) => gap >= 0));
    const findCommon = () => answered.filter((found) => ranked.every((code) => found.gaps.get(code) >= 0));
    let common = findCommon();
    while (ranked.length > 1 && 2 * common.length < answered.length) {
      const least = Math.min(...ranked.map((code) => numbers.get(code)));
      const last = ranked.filter((code) => numbers.get(code) === least).pop();
      ranked = ranked.filter((code) => code !== last);
      common = findCommon();
    }
    return { ranked: new Set(ranked), common };
  }

  function addRow(ranking, planner, row, judged) {
    const { data, question } = ranking;
    const peak = data.peak_bytes[row];
    const gap = data.gap_percent[row];
    if (peak === null) {
      planner.failures += data.outcome.names[data.outcome.codes[row]] !== 'infeasible';
      return;
    }
    planner.answers++;
    planner.best += Number(peak) === judged.get(question[row]).least;
    planner.atBound += gap === 0;
    planner.worst = Number.isNaN(planner.worst) ? (gap === null ? NaN : gap)
                    : Math.max(planner.worst, gap || 0);
    if (data.wall_ns[row] !== null) {
      planner.times.push(Number(data.wall_ns[row]));
    }
  }

  function median(values) {
    if (values.length === 0) {
      return null;
    }
    return Float64Array.from(values).sort()[(values.length - 1) >> 1];
  }

  // Geometric means by planner's code: of those that are ranked over the common questions, of the others over all that
  // they answered.
  function meanRatios(planners, judged, ranked, common) {
    const sums = new Map([...planners.keys()].map((code) => [code, { logs: 0, answers: 0 }]));
    const isCommon = new Set(common);
    judged.forEach((found) => found.gaps.forEach((gap, code) => {
      if (gap >= 0 && (isCommon.has(found) || !ranked.has(code))) {
        const sum = sums.get(code);
        sum.logs += Math.log1p(gap / 100);
        sum.answers++;
      }
    }));
    return (code) => (sums.get(code).answers ? Math.exp(sums.get(code).logs / sums.get(code).answers) : NaN);
  }

  function rank(ranking, rows) {
    const planners = new Map();
    const judged = judgeQuestions(ranking, rows);
    for (const row of rows) {
      const code = ranking.data.planner.codes[row];
      if (!planners.has(code)) {
        planners.set(code, makePlanner(code));
      }
      addRow(ranking, planners.get(code), row, judged);
    }
    const { ranked, common } = findRanked(ranking, planners, findComparable(judged));
    const ratio = meanRatios(planners, judged, ranked, common);
    planners.forEach((planner) => {
      planner.ratio = ratio(planner.code);
      planner.time = median(planner.times);
    });
    ranking.common = common.length;
    ranking.ranked = ranked.size;
    ranking.planners = [...planners.values()];
    return judged.size;
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
    const ranking = { data, question: numberQuestions(data), planners: [], common: 0, ranked: 0 };
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
      + `${text.plural(ranking.common, 'question')} for which each of the ${text.plural(ranking.ranked, 'ranked planner')} has `
      + 'a safe plan; of the others over their own.';
  }

  memplan.ranking = { create, show };
})();
