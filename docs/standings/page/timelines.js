'use strict';
// The section of weight transfers: an instance, and two of its timelines one above the other.
(() => {
  const { element, statusLine, layoutModel, layoutPane, text } = memplan;
  const place = 'timelines';
  const helpId = 'timelines-help';

  function fill(select, charts, label) {
    select.replaceChildren(...charts.map((chart) => element('option', { value: chart.number }, label(chart))));
  }

  function showCharts(viewer, layouts) {
    const extent = {
      steps: Math.max(...layouts.map((layout) => layout.steps)),
      top: Math.max(...layouts.map((layout) => layout.lanes.length)),
    };
    viewer.panes.forEach((pane, k) => {
      const { instance, variant, run } = viewer.charts[Number(pane.variant.value)];
      pane.facts.textContent = `${instance}, ${variant}: ${text.duration(layouts[k].steps)}; run ${run}.`;
      layoutPane.show(pane, layouts[k], extent);
    });
  }

  function load(viewer) {
    return Promise.all(viewer.panes.map((pane) => memplan.load(`timeline-${pane.variant.value}`)))
      .then((data) => showCharts(viewer, data.map(layoutModel.createTimeline)))
      .catch((error) => {
        viewer.status.textContent = `Cannot show the timelines: ${error.message}.`;
      });
  }

  // The first two ways of transferring that an instance has.
  function chooseInstance(viewer) {
    const charts = viewer.charts.filter((chart) => chart.instance === viewer.instance.value);
    viewer.panes.forEach((pane, k) => {
      fill(pane.variant, charts, (chart) => chart.variant);
      pane.variant.value = charts[Math.min(k, charts.length - 1)].number;
    });
    return load(viewer);
  }

  function makeLegend() {
    return element('p', { class: 'legend' }, ...layoutModel.kindColours.flatMap((kind, k) => [
      element('span', { class: 'swatch', style: `background: var(--colour-${k + 1})` }), ` ${kind} `,
    ]));
  }

  function makePanes(viewer, host) {
    viewer.panes = ['First', 'Second'].map((name) => {
      const pane = layoutPane.create(`${name} timeline`, 'timeline', helpId, true);
      pane.variant = element('select', { change: () => load(viewer) });
      pane.controls.append(element('strong', {}, name), element('label', {}, 'Hardware and mode ', pane.variant));
      pane.element.classList.add('timeline');
      return pane;
    });
    viewer.panes.forEach((pane, k) => {
      pane.onView = (view) => layoutPane.setView(viewer.panes[1 - k], view, true);
    });
    host.append(...viewer.panes.map((pane) => pane.element));
  }

  function start() {
    const host = document.getElementById(place);
    const data = memplan.get(place);
    if (!host || !data) {
      return;
    }
    const viewer = { charts: data.map((chart, number) => ({ ...chart, number })), status: statusLine() };
    const instances = [...new Set(viewer.charts.map((chart) => chart.instance))];
    viewer.instance = element('select', { change: () => chooseInstance(viewer) },
                              ...instances.map((name) => element('option', {}, name)));
    host.append(element('div', { class: 'bar' }, element('label', {}, 'Instance ', viewer.instance)),
                viewer.status, makeLegend());
    makePanes(viewer, host);
    chooseInstance(viewer);
  }

  memplan.timelines = { start };
})();
