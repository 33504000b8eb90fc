'use strict';
// Paints a part of a memory layout: time to the right, offsets upwards. A view is the part,
//   { left, right, bottom, top }  in steps and bytes,
// and a frame says where it is on the canvas, in pixels of the style sheet.
(() => {
  const { layoutModel, text, theme } = memplan;
  const margin = { left: 66, right: 8, top: 8, bottom: 34 };
  const colours = 7;
  const letterWidth = 6.6;
  const lineHeight = 14;

  function makeFrame(width, height) {
    return {
      x: margin.left, y: margin.top,
      width: Math.max(1, width - margin.left - margin.right),
      height: Math.max(1, height - margin.top - margin.bottom),
    };
  }

  function toX(frame, view, step) {
    return frame.x + frame.width * (step - view.left) / (view.right - view.left);
  }

  function toY(frame, view, byte) {
    return frame.y + frame.height * (view.top - byte) / (view.top - view.bottom);
  }

  function toStep(frame, view, x) {
    return view.left + (view.right - view.left) * (x - frame.x) / frame.width;
  }

  function toByte(frame, view, y) {
    return view.top - (view.top - view.bottom) * (y - frame.y) / frame.height;
  }

  // The rectangle's edges in pixels, cut to just beyond the frame.
  function place(frame, view, layout, i) {
    const x0 = Math.max(frame.x - 2, toX(frame, view, layout.lower[i]));
    const x1 = Math.min(frame.x + frame.width + 2, toX(frame, view, layout.upper[i]));
    const y0 = Math.max(frame.y - 2, toY(frame, view, layout.offset[i] + layout.size[i]));
    const y1 = Math.min(frame.y + frame.height + 2, toY(frame, view, layout.offset[i]));
    return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
  }

  // Black or white, whichever is easier to read on a colour such as "#0072b2".
  function readableOn(colour) {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
    return 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2 > 0.18 ? '#000000' : '#ffffff';
  }

  function readColours() {
    const palette = [];
    for (let k = 1; k <= colours; k++) {
      palette.push(theme.colour(`--colour-${k}`));
    }
    return {
      palette, ink: theme.colour('--ink'), paper: theme.colour('--paper'),
      soft: theme.colour('--soft'), line: theme.colour('--line'), peak: theme.colour('--peak'),
      onPalette: palette.map(readableOn),
    };
  }

  // Numbers for an axis: multiples of a step that is 1, 2 or 5 times a power of the base.
  function findTicks(from, to, most, factors) {
    const least = (to - from) / Math.max(1, most);
    const step = factors.find((factor) => factor >= least) || least;
    const ticks = [];
    for (let k = Math.ceil(from / step); k * step <= to && ticks.length <= most + 1; k++) {
      ticks.push(k * step);
    }
    return ticks;
  }

  const stepFactors = [];
  const byteFactors = [];
  for (let power = 1; power < 1e15; power *= 10) {
    stepFactors.push(power, 2 * power, 5 * power);
  }
  for (let power = 0; power < 62; power++) {
    byteFactors.push(2 ** power);
  }

  // Numbers stand in the middle of their ticks, but inside the picture.
  function drawStepNumber(context, frame, label, x) {
    const half = context.measureText(label).width / 2;
    context.fillText(label, Math.min(x, frame.x + frame.width + margin.right - half), frame.y + frame.height + 6);
  }

  function drawStepAxis(context, frame, view, layout, paint) {
    context.textAlign = 'center';
    context.textBaseline = 'top';
    for (const step of findTicks(view.left, view.right, frame.width / 80, stepFactors)) {
      const x = toX(frame, view, step);
      context.fillStyle = paint.line;
      context.fillRect(x, frame.y + frame.height, 1, 4);
      context.fillStyle = paint.ink;
      drawStepNumber(context, frame, layout.lanes ? text.time(step) : text.count(step), x);
    }
    context.textAlign = 'right';
    context.fillText(layout.lanes ? 'time' : 'step', frame.x + frame.width, frame.y + frame.height + 20);
  }

  function drawByteAxis(context, frame, view, paint) {
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (const byte of findTicks(view.bottom, view.top, frame.height / 40, byteFactors)) {
      const y = toY(frame, view, byte);
      context.fillStyle = paint.line;
      context.fillRect(frame.x, y, frame.width, 0.5);
      context.fillStyle = paint.ink;
      context.fillText(text.bytes(byte), frame.x - 5, y);
    }
  }

  function drawLaneAxis(context, frame, view, layout, paint) {
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillStyle = paint.ink;
    layout.lanes.forEach((lane, k) => {
      const y = toY(frame, view, k + 0.5);
      if (y > frame.y && y < frame.y + frame.height) {
        context.fillText(lane, frame.x - 5, y);
      }
    });
  }

  function drawPeaks(context, frame, view, layout, paint) {
    context.fillStyle = paint.peak;
    context.globalAlpha = 0.22;
    for (const [from, to] of layout.peakRuns) {
      const x0 = Math.max(frame.x, toX(frame, view, from));
      const x1 = Math.min(frame.x + frame.width, toX(frame, view, to));
      if (x1 > x0) {
        context.fillRect(x0, frame.y, Math.max(1, x1 - x0), frame.height);
      }
    }
    context.globalAlpha = 1;
  }

  // A horizontal line with a name at its left or right end.
  function drawLine(context, frame, view, { byte, name, align, colour, dash }) {
    const y = toY(frame, view, byte);
    if (byte <= 0 || y < frame.y || y > frame.y + frame.height) {
      return;
    }
    context.strokeStyle = colour;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(frame.x, y);
    context.lineTo(frame.x + frame.width, y);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = colour;
    context.textAlign = align;
    context.textBaseline = 'bottom';
    context.fillText(name, align === 'left' ? frame.x + 3 : frame.x + frame.width - 3, y - 1);
  }

  function drawBounds(context, frame, view, plan, paint) {
    const peak = Number(plan.peak_bytes);
    const bound = Number(plan.bound_bytes);
    drawLine(context, frame, view,
             { byte: peak, name: 'peak', align: 'left', colour: paint.ink, dash: [] });
    if (bound !== peak) {
      drawLine(context, frame, view,
               { byte: bound, name: 'bound', align: 'right', colour: paint.ink, dash: [6, 4] });
    }
  }

  function drawBlock(context, box, paint) {
    context.globalAlpha = 0.6;
    context.fillStyle = paint.soft;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    context.strokeStyle = paint.ink;
    context.setLineDash([4, 3]);
    context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
    context.setLineDash([]);
  }

  function drawLabel(context, { box, label, colour }) {
    const isUpright = box.width >= letterWidth * label.length + 6 && box.height >= lineHeight;
    const isTurned = !isUpright && box.height >= letterWidth * label.length + 6 && box.width >= lineHeight;
    if (!isUpright && !isTurned) {
      return;
    }
    context.save();
    context.translate(box.x + box.width / 2, box.y + box.height / 2);
    context.rotate(isTurned ? -Math.PI / 2 : 0);
    context.fillStyle = colour;
    context.fillText(label, 0, 0);
    context.restore();
  }

  // What is smaller than a pixel is painted only where nothing as small was painted yet, so that the
  // whole of a large layout costs no more than its pixels.
  function makeSpecks(frame) {
    const columns = Math.ceil(frame.width) + 6;
    const taken = new Uint8Array(columns * (Math.ceil(frame.height) + 6));
    return (box) => {
      const at = Math.floor(box.y - frame.y + 3) * columns + Math.floor(box.x - frame.x + 3);
      const isNew = !taken[at];
      taken[at] = 1;
      return isNew;
    };
  }

  function drawTensor(context, layout, i, box, paint) {
    const hasEdge = box.width > 3 && box.height > 3;
    context.fillStyle = paint.palette[layout.colour[i] % colours];
    context.fillRect(box.x, box.y, Math.max(1, box.width - (hasEdge ? 1 : 0)),
                     Math.max(1, box.height - (hasEdge ? 1 : 0)));
  }

  // Calls visit with each rectangle in view and its edges, blocks or all others.
  function forEachBox(frame, view, layout, isBlock, visit) {
    layoutModel.forEachIn(layout, view.left, view.right, (i) => {
      const box = layout.block[i] === isBlock ? place(frame, view, layout, i) : null;
      if (box && box.height > 0 && box.width > 0) {
        visit(i, box);
      }
    });
  }

  function drawRectangles(context, frame, view, layout, paint) {
    const isNewSpeck = makeSpecks(frame);
    const labelled = [];
    forEachBox(frame, view, layout, 1, (i, box) => drawBlock(context, box, paint));
    forEachBox(frame, view, layout, 0, (i, box) => {
      if (box.width >= 1 || box.height >= 1 || isNewSpeck(box)) {
        drawTensor(context, layout, i, box, paint);
        if (box.width * box.height > 300) {
          labelled.push({
            box, label: layoutModel.name(layout, i), colour: paint.onPalette[layout.colour[i] % colours],
          });
        }
      }
    });
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    labelled.forEach((drawn) => drawLabel(context, drawn));
  }

  function prepare(canvas) {
    const scale = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = '11px system-ui, sans-serif';
    context.lineWidth = 1;
    return { context, frame: makeFrame(width, height) };
  }

  function clipTo(context, frame) {
    context.save();
    context.beginPath();
    context.rect(frame.x, frame.y, frame.width, frame.height);
    context.clip();
  }

  // The picture itself, on a canvas that lies below the marks.
  function drawLayout(canvas, layout, view) {
    const { context, frame } = prepare(canvas);
    const paint = readColours();
    if (layout.lanes) {
      drawLaneAxis(context, frame, view, layout, paint);
    } else {
      drawByteAxis(context, frame, view, paint);
    }
    drawStepAxis(context, frame, view, layout, paint);
    clipTo(context, frame);
    drawPeaks(context, frame, view, layout, paint);
    drawRectangles(context, frame, view, layout, paint);
    if (layout.plan) {
      drawBounds(context, frame, view, layout.plan, paint);
    }
    context.restore();
    context.strokeStyle = paint.line;
    context.strokeRect(frame.x, frame.y, frame.width, frame.height);
  }

  function outline(context, box, colour, dash, width) {
    context.lineWidth = width;
    context.setLineDash(dash);
    context.strokeStyle = colour;
    context.strokeRect(box.x, box.y, Math.max(2, box.width), Math.max(2, box.height));
    context.setLineDash([]);
    context.lineWidth = 1;
  }

  // Marks: the chosen rectangle, who has its place before and after, and the one under the pointer.
  function drawMarks(canvas, layout, view, marks) {
    const { context, frame } = prepare(canvas);
    const paint = readColours();
    clipTo(context, frame);
    const mark = (i, colour, dash, width) => outline(context, place(frame, view, layout, i), colour, dash, width);
    marks.neighbours.forEach((i) => mark(i, paint.ink, [3, 3], 2));
    if (marks.chosen >= 0) {
      mark(marks.chosen, paint.paper, [], 5);
      mark(marks.chosen, paint.ink, [], 3);
    }
    if (marks.hovered >= 0 && marks.hovered !== marks.chosen) {
      mark(marks.hovered, paint.ink, [], 2);
    }
    context.restore();
  }

  memplan.layoutDraw = { makeFrame, toStep, toByte, drawLayout, drawMarks };
})();
