'use strict';
// A memory layout as arrays of rectangles, with what the viewer asks of it: which rectangles a part
// of the picture shows, what lies at a point, who has a place before and after, where the peak is.
(() => {
  const finestLevel = 10; // The time line is cut into 1, 2, 4, ... 2^10 bins.

  function longestUpper(upper) {
    let steps = 1;
    for (const step of upper) {
      steps = Math.max(steps, step);
    }
    return steps;
  }

  // A rectangle is in the smallest bin that holds all of it, so that each stands once.
  function findBin(index, lower, upper) {
    const first = Math.floor(lower / index.binSteps);
    const last = Math.max(first, Math.ceil(upper / index.binSteps) - 1);
    let level = finestLevel;
    let shift = 0;
    while (level > 0 && (first >> shift) !== (last >> shift)) {
      level--;
      shift++;
    }
    return (1 << level) - 1 + (first >> shift);
  }

  function indexTime(layout) {
    const bins = (1 << (finestLevel + 1)) - 1;
    const index = { binSteps: layout.steps / (1 << finestLevel), first: new Uint32Array(bins + 1) };
    const bin = new Uint32Array(layout.count);
    for (let i = 0; i < layout.count; i++) {
      bin[i] = findBin(index, layout.lower[i], layout.upper[i]);
      index.first[bin[i] + 1]++;
    }
    for (let b = 0; b < bins; b++) {
      index.first[b + 1] += index.first[b];
    }
    const next = index.first.slice();
    index.item = new Uint32Array(layout.count);
    for (let i = 0; i < layout.count; i++) {
      index.item[next[bin[i]]++] = i;
    }
    return index;
  }

  // Calls visit with each rectangle that is live at some step of [from, to).
  function forEachIn(layout, from, to, visit) {
    const { binSteps, first, item } = layout.index;
    const last = (1 << finestLevel) - 1;
    const low = Math.max(0, Math.min(last, Math.floor(from / binSteps)));
    const high = Math.max(0, Math.min(last, Math.floor(to / binSteps)));
    for (let level = 0; level <= finestLevel; level++) {
      const shift = finestLevel - level;
      const begin = (1 << level) - 1;
      for (let k = first[begin + (low >> shift)]; k < first[begin + (high >> shift) + 1]; k++) {
        const i = item[k];
        if (layout.lower[i] < to && layout.upper[i] > from) {
          visit(i);
        }
      }
    }
  }

  // The smallest rectangle at a step and a byte, -1 for none. Blocks lie behind what is in them.
  function find(layout, step, byte) {
    let found = -1;
    forEachIn(layout, step, step + 1e-9, (i) => {
      const holds = layout.offset[i] <= byte && byte < layout.offset[i] + layout.size[i];
      const wins = found < 0 || layout.block[i] < layout.block[found]
                   || (layout.block[i] === layout.block[found] && layout.size[i] < layout.size[found]);
      found = holds && wins ? i : found;
    });
    return found;
  }

  // Takes [from, to) out of a list of parts, and tells whether anything was taken.
  function takeOut(parts, from, to) {
    let isTaken = false;
    for (let k = parts.length - 1; k >= 0; k--) {
      const [low, high] = parts[k];
      if (from < high && to > low) {
        isTaken = true;
        parts.splice(k, 1, ...[[low, Math.min(from, high)], [Math.max(to, low), high]]
          .filter(([start, end]) => start < end));
      }
    }
    return isTaken;
  }

  // The first in the order whose key is at least the value.
  function searchFrom(order, keys, value) {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[order[middle]] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // Who takes over which bytes of rectangle i, each byte's nearest in time; direction 1 for after.
  function walkPlace(layout, i, direction) {
    const parts = [[layout.offset[i], layout.offset[i] + layout.size[i]]];
    const order = direction > 0 ? layout.byLower : layout.byUpper;
    const found = [];
    let at = direction > 0 ? searchFrom(order, layout.lower, layout.upper[i])
             : searchFrom(order, layout.upper, layout.lower[i] + 1) - 1;
    for (; at >= 0 && at < order.length && parts.length > 0; at += direction) {
      const other = order[at];
      if (other !== i && !layout.block[other]
          && takeOut(parts, layout.offset[other], layout.offset[other] + layout.size[other])) {
        found.push(other);
      }
    }
    return found;
  }

  function sortBy(count, keys) {
    return Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => keys[a] - keys[b] || a - b);
  }

  // The steps at which something begins or ends, without repeats.
  function findBorders(layout) {
    const borders = new Set([0, layout.steps]);
    for (let i = 0; i < layout.count; i++) {
      borders.add(layout.lower[i]);
      borders.add(layout.upper[i]);
    }
    return Float64Array.from(borders).sort();
  }

  // Sections, between two borders each, in which a tensor or, where isBlock is 1, a block reaches the
  // top. Neighbours are kept apart, for their live sets differ.
  function findSections(layout, isBlock) {
    const sections = new Map();
    for (let i = 0; i < layout.count; i++) {
      if (layout.block[i] === isBlock && layout.offset[i] + layout.size[i] === layout.top) {
        let k = searchFrom(layout.borderOrder, layout.borders, layout.lower[i]);
        for (; layout.borders[k] < layout.upper[i]; k++) {
          sections.set(k, [layout.borders[k], layout.borders[k + 1]]);
        }
      }
    }
    return [...sections.values()].sort((a, b) => a[0] - b[0]);
  }

  // A block is as high as its highest branch all the time; only where it holds no tensor at the top
  // does it say where the peak is.
  function findPeakSections(layout) {
    const sections = findSections(layout, 0);
    return sections.length > 0 ? sections : findSections(layout, 1);
  }

  // Sections that follow each other at once as one, for the picture.
  function joinSections(sections) {
    const runs = [];
    for (const [from, to] of sections) {
      if (runs.length > 0 && runs[runs.length - 1][1] === from) {
        runs[runs.length - 1][1] = to;
      } else {
        runs.push([from, to]);
      }
    }
    return runs;
  }

  function measureTop(layout) {
    let top = 0;
    for (let i = 0; i < layout.count; i++) {
      top = Math.max(top, layout.offset[i] + layout.size[i]);
    }
    return top;
  }

  // What every question needs that is asked of rectangles.
  function finish(layout) {
    layout.steps = longestUpper(layout.upper);
    layout.top = measureTop(layout);
    layout.index = indexTime(layout);
    layout.byLower = sortBy(layout.count, layout.lower);
    layout.byUpper = sortBy(layout.count, layout.upper);
    return layout;
  }

  // data is what layout-N.js brings, plan one of its layouts.
  function create(data, plan) {
    const shape = data.shapes[plan.shape];
    const layout = finish({
      plan,
      count: plan.offset.length,
      names: shape.label.names,
      label: Uint32Array.from(shape.label.codes),
      lower: Float64Array.from(shape.lower),
      upper: Float64Array.from(shape.upper),
      size: Float64Array.from(shape.size, Number),
      offset: Float64Array.from(plan.offset, Number),
      group: Int32Array.from(shape.group),
      block: Uint8Array.from(shape.block),
      colour: Uint32Array.from(shape.label.codes),
    });
    layout.borders = findBorders(layout);
    layout.borderOrder = layout.borders.map((_, k) => k);
    layout.peaks = findPeakSections(layout);
    layout.peakRuns = joinSections(layout.peaks);
    return layout;
  }

  // What is done has the same colour in every timeline.
  const kindColours = ['transfer', 'wait', 'compute'];

  function colourOf(kind) {
    const known = kindColours.indexOf(kind);
    return known < 0 ? kindColours.length : known;
  }

  // A timeline is a layout, too: its steps are nanoseconds, and each lane is a byte high.
  function createTimeline(data) {
    const count = data.begin_ns.length;
    return Object.assign(finish({
      count,
      names: data.label.names,
      label: Uint32Array.from(data.label.codes),
      lower: Float64Array.from(data.begin_ns, Number),
      upper: Float64Array.from(data.end_ns, Number),
      size: new Float64Array(count).fill(1),
      offset: Float64Array.from(data.lane.codes),
      group: new Int32Array(count),
      block: new Uint8Array(count),
      kind: data.kind.codes,
      colour: Uint32Array.from(data.kind.codes, (code) => colourOf(data.kind.names[code])),
    }), { lanes: data.lane.names, kinds: data.kind.names, peaks: [], peakRuns: [] });
  }

  function name(layout, i) {
    return layout.names[layout.label[i]];
  }

  memplan.layoutModel = {
    create, createTimeline, kindColours, forEachIn, find, name,
    after: (layout, i) => walkPlace(layout, i, 1),
    before: (layout, i) => walkPlace(layout, i, -1),
  };
})();
