'use strict';
// Numbers as people read them. What is missing is a dash.
(() => {
  const narrowSpace = '\u202f';
  const dash = '-';
  const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

  function isMissing(value) {
    return value === null || value === undefined || Number.isNaN(value);
  }

  // Digits in groups of three: 12 345. Numbers above 2^53 come as strings and keep all digits.
  function count(value) {
    return isMissing(value) ? dash : String(value).replace(/\B(?=(\d{3})+(?!\d))/g, narrowSpace);
  }

  // 1536 is "1.5 KiB".
  function bytes(value) {
    if (isMissing(value)) {
      return dash;
    }
    let scaled = Number(value);
    let unit = 0;
    while (scaled >= 1024 && unit < binaryUnits.length - 1) {
      scaled /= 1024;
      unit++;
    }
    const digits = unit === 0 || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
    return `${scaled.toFixed(digits)} ${binaryUnits[unit]}`;
  }

  // Nanoseconds with a unit that leaves one to three digits before the point.
  function duration(ns) {
    if (isMissing(ns)) {
      return dash;
    }
    const value = Number(ns);
    const steps = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
    const [factor, unit] = steps.find(([least]) => value >= least) || steps[3];
    const scaled = value / factor;
    return `${scaled.toFixed(scaled >= 100 || factor === 1 ? 0 : scaled >= 10 ? 1 : 2)} ${unit}`;
  }

  // A point in time, in nanoseconds, with as many digits as tell ticks of an axis apart.
  function time(ns) {
    const [factor, unit] = ns >= 1e9 ? [1e9, 's'] : ns >= 1e6 ? [1e6, 'ms'] : ns >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
    return `${Number((ns / factor).toPrecision(8))} ${unit}`;
  }

  function percent(value) {
    return isMissing(value) ? dash : value.toFixed(2);
  }

  // "1 row", "2 rows".
  function plural(number, word) {
    return `${count(number)} ${word}${number === 1 ? '' : 's'}`;
  }

  memplan.text = { dash, isMissing, count, bytes, duration, time, percent, plural };
})();
