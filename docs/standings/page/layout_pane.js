'use strict';
// One memory layout that can be zoomed, moved and asked: a canvas for the picture, one above it for
// marks, and what the pointer and the keyboard do with them.
(() => {
  const { element, layoutModel, layoutDraw, text, theme } = memplan;
  const zoomStep = 1.25;
  const panShare = 0.1;
  const leastSteps = 2;
  const headroom = 1.04; // Above the highest rectangle, for the line of the peak.
  const nothingChosen = 'Nothing chosen: click something in the picture, or press n there.';

  function wholeView(pane) {
    return { left: 0, right: pane.extent.steps, bottom: 0, top: pane.extent.top * headroom };
  }

  function clampRange(low, high, end, least) {
    const length = Math.min(end, Math.max(least, high - low));
    const start = Math.max(0, Math.min(end - length, low));
    return [start, start + length];
  }

  // What was under the pointer is elsewhere once the picture moves.
  function forgetHover(pane) {
    pane.marks.hovered = -1;
    pane.note.hidden = true;
  }

  function setView(pane, wanted, isEcho) {
    const whole = wholeView(pane);
    const [left, right] = clampRange(wanted.left, wanted.right, whole.right, leastSteps);
    const [bottom, top] = clampRange(wanted.bottom, wanted.top, whole.top, whole.top * 1e-9);
    pane.view = { left, right, bottom, top };
    forgetHover(pane);
    drawSoon(pane);
    if (!isEcho) {
      pane.onView(pane.view);
    }
  }

  function zoom(pane, factor, { step, byte }, axes) {
    const { left, right, bottom, top } = pane.view;
    const time = axes === 'bytes' && !pane.isTimeline ? 1 : factor;
    const bytes = axes === 'time' || pane.isTimeline ? 1 : factor;
    setView(pane, {
      left: step + (left - step) / time, right: step + (right - step) / time,
      bottom: byte + (bottom - byte) / bytes, top: byte + (top - byte) / bytes,
    });
  }

  function centre(pane) {
    const { left, right, bottom, top } = pane.view;
    return { step: (left + right) / 2, byte: (bottom + top) / 2 };
  }

  function pan(pane, steps, bytes) {
    const { left, right, bottom, top } = pane.view;
    setView(pane, { left: left + steps, right: right + steps, bottom: bottom + bytes, top: top + bytes });
  }

  // Shows a part with some room around it; all offsets stay in view.
  function zoomToSteps(pane, from, to) {
    const room = Math.max(2, (to - from) * 2);
    setView(pane, { ...wholeView(pane), left: from - room, right: to + room });
  }

  function draw(pane) {
    pane.isWaiting = false;
    if (pane.layout && pane.canvas.clientWidth > 0) {
      layoutDraw.drawLayout(pane.canvas, pane.layout, pane.view);
      drawMarks(pane);
    }
  }

  function drawSoon(pane) {
    if (!pane.isWaiting) {
      pane.isWaiting = true;
      requestAnimationFrame(() => draw(pane));
    }
  }

  function drawMarks(pane) {
    layoutDraw.drawMarks(pane.marksCanvas, pane.layout, pane.view, pane.marks);
  }

  function pointOf(pane, event) {
    const bounds = pane.canvas.getBoundingClientRect();
    const frame = layoutDraw.makeFrame(pane.canvas.clientWidth, pane.canvas.clientHeight);
    return {
      x: event.clientX - bounds.left, y: event.clientY - bounds.top, frame,
      step: layoutDraw.toStep(frame, pane.view, event.clientX - bounds.left),
      byte: layoutDraw.toByte(frame, pane.view, event.clientY - bounds.top),
    };
  }

  function listNames(pane, items) {
    const most = 4;
    const names = items.slice(0, most).map((i) => layoutModel.name(pane.layout, i));
    return items.length === 0 ? 'nobody'
           : names.join(', ') + (items.length > most ? ` and ${items.length - most} more` : '');
  }

  function isAtPeak(layout, i) {
    return layout.peaks.some(([from, to]) => layout.lower[i] < to && layout.upper[i] > from);
  }

  function describeEvent(layout, i) {
    return [
      `${layout.kinds[layout.kind[i]]}: ${layoutModel.name(layout, i)}`,
      `${layout.lanes[layout.offset[i]]}, for ${text.duration(layout.upper[i] - layout.lower[i])}`,
      `from ${text.count(layout.lower[i])} ns to ${text.count(layout.upper[i])} ns`,
    ];
  }

  // Sentences on a rectangle, for the pointer's note and for screen readers.
  function describe(pane, i) {
    const { layout } = pane;
    if (layout.lanes) {
      return describeEvent(layout, i);
    }
    const lines = [
      layoutModel.name(layout, i) + (layout.block[i] ? ' (shared by the branches of an operator)' : ''),
      `${text.bytes(layout.size[i])} (${text.count(layout.size[i])} bytes) at ${text.count(layout.offset[i])}`,
      layout.group[i] < 0 ? 'live at no step' :
        `live from step ${text.count(layout.lower[i])} to ${text.count(layout.upper[i] - 1)}`,
    ];
    if (!layout.block[i]) {
      lines.push(`place before: ${listNames(pane, layoutModel.before(layout, i))}`,
                 `place after: ${listNames(pane, layoutModel.after(layout, i))}`);
    }
    if (isAtPeak(layout, i)) {
      lines.push('live at the peak');
    }
    return lines;
  }

  function showNote(pane, point, i) {
    pane.note.hidden = i < 0;
    if (i < 0) {
      return;
    }
    pane.note.replaceChildren(...describe(pane, i).map((line, k) => element(k ? 'div' : 'strong', {}, line)));
    const width = pane.stack.clientWidth;
    const isLeft = point.x > width / 2;
    pane.note.style.left = isLeft ? '' : `${point.x + 14}px`;
    pane.note.style.right = isLeft ? `${width - point.x + 14}px` : '';
    pane.note.style.top = `${Math.max(0, point.y - 30)}px`;
  }

  function hover(pane, event) {
    const point = pointOf(pane, event);
    const i = pane.layout ? layoutModel.find(pane.layout, point.step, point.byte) : -1;
    if (i !== pane.marks.hovered) {
      pane.marks.hovered = i;
      drawMarks(pane);
    }
    showNote(pane, point, i);
  }

  function leave(pane) {
    if (pane.layout) {
      forgetHover(pane);
      drawMarks(pane);
    }
  }

  // Chooses a rectangle, -1 for none: it and its neighbours in place are marked and read out.
  function choose(pane, i) {
    const { layout, marks } = pane;
    marks.chosen = i;
    marks.neighbours = i < 0 || layout.block[i] || layout.lanes ? []
                       : [...layoutModel.before(layout, i), ...layoutModel.after(layout, i)];
    pane.chosenText.textContent = i < 0 ? nothingChosen : `${describe(pane, i).join('; ')}.`;
    drawMarks(pane);
  }

  function chooseNext(pane, direction) {
    const { layout, marks } = pane;
    const at = marks.chosen < 0 ? (direction > 0 ? -1 : 0) : layout.byLower.indexOf(marks.chosen);
    const i = layout.byLower[(at + direction + layout.count) % layout.count];
    choose(pane, i);
    if (layout.lower[i] >= pane.view.right || layout.upper[i] <= pane.view.left) {
      zoomToSteps(pane, layout.lower[i], layout.upper[i]);
    }
  }

  function showPeak(pane) {
    const [from, to] = pane.layout.peaks[0] || [0, pane.layout.steps];
    zoomToSteps(pane, from, to);
  }

  function makeKeys(pane) {
    const panTime = (direction) => pan(pane, direction * panShare * (pane.view.right - pane.view.left), 0);
    const panBytes = (direction) => pan(pane, 0, direction * panShare * (pane.view.top - pane.view.bottom));
    return {
      ArrowLeft: () => panTime(-1), ArrowRight: () => panTime(1),
      ArrowUp: () => panBytes(1), ArrowDown: () => panBytes(-1),
      '+': () => zoom(pane, zoomStep, centre(pane)), '=': () => zoom(pane, zoomStep, centre(pane)),
      '-': () => zoom(pane, 1 / zoomStep, centre(pane)),
      0: () => setView(pane, wholeView(pane)), p: () => pane.isTimeline || showPeak(pane),
      n: () => chooseNext(pane, 1), b: () => chooseNext(pane, -1),
      Escape: () => choose(pane, -1),
    };
  }

  function pressKey(pane, keys, event) {
    if (pane.layout && keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
    }
  }

  // The wheel moves the page until the picture has the focus or Ctrl is held.
  function turnWheel(pane, event) {
    if (!pane.layout || (document.activeElement !== pane.marksCanvas && !event.ctrlKey)) {
      return;
    }
    event.preventDefault();
    const axes = event.shiftKey ? 'time' : event.altKey ? 'bytes' : 'both';
    const turn = event.deltaY || event.deltaX;
    zoom(pane, turn < 0 ? zoomStep : 1 / zoomStep, pointOf(pane, event), axes);
  }

  function drag(pane, event) {
    const point = pointOf(pane, event);
    const { frame } = point;
    const { left, right, bottom, top } = pane.view;
    pan(pane, (pane.dragged.x - point.x) * (right - left) / frame.width,
        (point.y - pane.dragged.y) * (top - bottom) / frame.height);
    pane.dragged.moved += Math.abs(point.x - pane.dragged.x) + Math.abs(point.y - pane.dragged.y);
    pane.dragged.x = point.x;
    pane.dragged.y = point.y;
  }

  function press(pane, event) {
    const point = pointOf(pane, event);
    pane.dragged = { x: point.x, y: point.y, moved: 0 };
    pane.marksCanvas.setPointerCapture(event.pointerId);
  }

  function release(pane, event) {
    const { dragged } = pane;
    pane.dragged = null;
    if (dragged && dragged.moved < 4 && pane.layout) {
      const point = pointOf(pane, event);
      choose(pane, layoutModel.find(pane.layout, point.step, point.byte));
    }
  }

  function listen(pane) {
    const { marksCanvas } = pane;
    const keys = makeKeys(pane);
    marksCanvas.addEventListener('keydown', (event) => pressKey(pane, keys, event));
    marksCanvas.addEventListener('wheel', (event) => turnWheel(pane, event), { passive: false });
    marksCanvas.addEventListener('pointerdown', (event) => press(pane, event));
    marksCanvas.addEventListener('pointerup', (event) => release(pane, event));
    marksCanvas.addEventListener('pointercancel', () => { pane.dragged = null; });
    marksCanvas.addEventListener('pointerleave', () => leave(pane));
    marksCanvas.addEventListener('pointermove', (event) => {
      if (pane.dragged) {
        drag(pane, event);
      } else {
        hover(pane, event);
      }
    });
    new ResizeObserver(() => drawSoon(pane)).observe(pane.stack);
    theme.onChange(() => drawSoon(pane));
  }

  function makeButtons(pane) {
    const button = (label, title, act) => element('button', {
      type: 'button', title, 'aria-label': title, click: () => pane.layout && act(),
    }, label);
    return element('div', { class: 'buttons' },
                   button('+', 'Zoom in', () => zoom(pane, zoomStep ** 2, centre(pane))),
                   button('−', 'Zoom out', () => zoom(pane, zoomStep ** -2, centre(pane))),
                   button('whole', 'Show the whole layout', () => setView(pane, wholeView(pane))),
                   pane.isTimeline ? null : button('peak', 'Show the peak', () => showPeak(pane)));
  }

  // label and kind ("memory layout") are what screen readers say; helpId is the element that tells of
  // the keys. A timeline has no peak to lead to, and is zoomed in time alone.
  function create(label, kind, helpId, isTimeline) {
    const pane = { isTimeline, view: null, layout: null, marks: null, dragged: null, onView: () => {} };
    pane.canvas = element('canvas', { 'aria-hidden': 'true' });
    pane.marksCanvas = element('canvas', {
      class: 'marks', tabindex: 0, role: 'application', 'aria-roledescription': kind,
      'aria-label': label, 'aria-describedby': helpId,
    });
    pane.note = element('div', { class: 'note', hidden: true });
    pane.stack = element('div', { class: 'stack' }, pane.canvas, pane.marksCanvas, pane.note);
    pane.chosenText = element('p', { class: 'chosen', 'aria-live': 'polite' });
    pane.controls = element('div', { class: 'controls' });
    pane.facts = element('p', { class: 'facts' });
    pane.element = element('div', { class: 'pane' }, pane.controls, pane.facts, pane.stack,
                           makeButtons(pane), pane.chosenText);
    listen(pane);
    return pane;
  }

  // extent: steps and bytes of the whole view, which panes side by side have in common.
  function show(pane, layout, extent) {
    const isSameSize = pane.view && pane.extent.steps === extent.steps;
    pane.layout = layout;
    pane.extent = extent;
    pane.marks = { chosen: -1, hovered: -1, neighbours: [] };
    pane.chosenText.textContent = nothingChosen;
    // Steps that were looked at stay, if the plan has its peak there; bytes are shown whole.
    const [from, to] = layout.peaks[0] || [0, layout.steps];
    const keepsSteps = isSameSize && pane.view.left < to && pane.view.right > from;
    const steps = keepsSteps ? { left: pane.view.left, right: pane.view.right } : {};
    setView(pane, { ...wholeView(pane), ...steps }, true);
  }

  function chooseAndShow(pane, i) {
    choose(pane, i);
    zoomToSteps(pane, pane.layout.lower[i], pane.layout.upper[i]);
  }

  memplan.layoutPane = { create, show, setView, chooseAndShow };
})();
