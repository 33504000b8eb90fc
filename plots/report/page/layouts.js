'use strict';
// The section of memory layouts: an instance, one plan of it or two side by side, and the tensors of
// the plan that was touched last.
(() => {
  const { element, statusLine, layoutModel, layoutPane, text } = memplan;
  const place = 'layouts';
  const helpId = 'layouts-help';
  const narrowPage = 900;
  const howToKeep = 'memplan bench INSTANCE --policy POLICY --planners PLANNER --layouts 1000000 --db DATABASE '
    + 'keeps it.';

  // The second plan is that beside the first, if there are two.
  function address(instance, plan, beside) {
    return `#${place}?${new URLSearchParams({ instance, plan, ...(beside ? { beside } : {}) })}`;
  }

  function planKey(plan) {
    return [plan.policy, plan.planner, plan.options].join('|');
  }

  function planLabel(plan) {
    const options = plan.options ? `, ${plan.options}` : '';
    return `${plan.planner}${options}: ${text.bytes(plan.peak_bytes)}`;
  }

  function comparePlans(a, b) {
    return Number(a.peak_bytes) - Number(b.peak_bytes) || a.planner.localeCompare(b.planner);
  }

  function fill(select, values, labels) {
    select.replaceChildren(...values.map((value, k) => element('option', { value }, labels[k])));
  }

  function fillPlanners(pane) {
    const plans = pane.plans.filter((plan) => plan.policy === pane.policy.value).sort(comparePlans);
    fill(pane.planner, plans.map(planKey), plans.map(planLabel));
  }

  function findPlan(pane) {
    return pane.plans.find((plan) => planKey(plan) === pane.planner.value);
  }

  function tellFacts(pane, plan) {
    const gap = Number(plan.bound_bytes) > 0
      ? `, ${text.percent(100 * (Number(plan.peak_bytes) / Number(plan.bound_bytes) - 1))} % above the bound` : '';
    pane.facts.textContent = `Peak ${text.count(plan.peak_bytes)} bytes${gap}; load `
      + `${text.count(plan.load_bytes)} bytes; ${plan.status}; run ${plan.run}.`
      + (plan.fault ? ` Not valid: ${plan.fault}` : '');
  }

  function openPanes(viewer) {
    return viewer.isDouble ? viewer.panes : viewer.panes.slice(0, 1);
  }

  // Panes side by side have the same scale, so that their heights compare.
  function showPlans(viewer) {
    const panes = openPanes(viewer);
    const layouts = panes.map((pane) => layoutModel.create(viewer.data, findPlan(pane)));
    const extent = {
      steps: Math.max(...layouts.map((layout) => layout.steps)),
      top: Math.max(1, ...layouts.map((layout) => Math.max(layout.top, Number(layout.plan.bound_bytes)))),
    };
    panes.forEach((pane, k) => {
      tellFacts(pane, layouts[k].plan);
      layoutPane.show(pane, layouts[k], extent);
    });
    viewer.panes[1].element.hidden = !viewer.isDouble;
    showTensors(viewer, viewer.isDouble && viewer.active === viewer.panes[1] ? viewer.active : viewer.panes[0]);
  }

  function isAtFirstPeak(layout, i) {
    const [from, to] = layout.peaks[0] || [0, 0];
    return layout.lower[i] < to && layout.upper[i] > from && !layout.block[i];
  }

  function filterTensors(viewer) {
    const { layout } = viewer.active;
    const words = viewer.find.value.toLowerCase();
    const rows = [];
    for (let i = 0; i < layout.count; i++) {
      if ((!viewer.atPeak.checked || isAtFirstPeak(layout, i))
          && (!words || layoutModel.name(layout, i).toLowerCase().includes(words))) {
        rows.push(i);
      }
    }
    viewer.tensors.setRows(rows);
    viewer.tensorStatus.textContent =
      `${text.count(rows.length)} of ${text.plural(layout.count, 'rectangle')}: ${planLabel(layout.plan)}`;
  }

  function showTensors(viewer, pane) {
    viewer.active = pane;
    viewer.tensors.setData(pane.layout.count);
    filterTensors(viewer);
  }

  function numberColumn(viewer, key, heading, unit, width, value) {
    return {
      key, heading, unit, width, numeric: true,
      sortKey: (i) => value(viewer.active.layout, i),
      text: (i) => text.count(value(viewer.active.layout, i)),
    };
  }

  function nameColumn(viewer) {
    const name = (i) => layoutModel.name(viewer.active.layout, i);
    return {
      key: 'name', heading: 'tensor', width: innerWidth < narrowPage ? 16 : 34,
      sortKey: (i) => viewer.active.layout.label[i],
      text: name,
      content: (i) => element('button', {
        type: 'button', class: 'link', title: `${name(i)}: show it`,
        click: () => layoutPane.chooseAndShow(viewer.active, i),
      }, name(i)),
    };
  }

  function makeTensors(viewer, host) {
    const refilter = () => filterTensors(viewer);
    viewer.find = element('input', { type: 'search', placeholder: 'part of a name', input: refilter });
    viewer.atPeak = element('input', { type: 'checkbox', change: refilter });
    viewer.tensorStatus = statusLine();
    host.append(element('h3', {}, 'Tensors'),
                element('div', { class: 'bar' },
                        element('label', { class: 'filter' }, element('span', {}, 'Find '), viewer.find),
                        element('label', {}, viewer.atPeak, ' only what is live at the peak')),
                viewer.tensorStatus);
    viewer.tensors = memplan.grid.create(host, {
      caption: 'Tensors of the layout', count: 0,
      columns: [
        nameColumn(viewer),
        numberColumn(viewer, 'size', 'size', 'bytes', 16, (layout, i) => layout.size[i]),
        numberColumn(viewer, 'offset', 'offset', 'bytes', 16, (layout, i) => layout.offset[i]),
        numberColumn(viewer, 'lower', 'first step', '', 10, (layout, i) => layout.lower[i]),
        numberColumn(viewer, 'upper', 'last step', '', 10, (layout, i) => layout.upper[i] - 1),
        numberColumn(viewer, 'group', 'region', '', 8, (layout, i) => layout.group[i]),
      ],
    });
  }

  function setPlan(pane, key) {
    const plan = pane.plans.find((known) => planKey(known) === key) || pane.plans[0];
    pane.policy.value = plan.policy;
    fillPlanners(pane);
    pane.planner.value = planKey(plan);
  }

  // Beside a plan stands the best one of its policy that has another peak, if there is one.
  function findOther(plans, first) {
    const others = plans.filter((plan) => plan !== first);
    const alike = others.filter((plan) => plan.policy === first.policy);
    return alike.find((plan) => plan.peak_bytes !== first.peak_bytes) || alike[0] || others[0] || first;
  }

  function choosePlans(viewer, key, besideKey) {
    const plans = [...viewer.data.layouts].sort(comparePlans);
    const policies = [...new Set(viewer.data.layouts.map((plan) => plan.policy))];
    viewer.panes.forEach((pane) => {
      pane.plans = plans;
      fill(pane.policy, policies, policies);
    });
    const first = plans.find((plan) => planKey(plan) === key) || plans[0];
    setPlan(viewer.panes[0], planKey(first));
    setPlan(viewer.panes[1], planKey(plans.find((plan) => planKey(plan) === besideKey) || findOther(plans, first)));
  }

  function tellFailure(viewer, error) {
    viewer.status.textContent = `Cannot show the layouts: ${error.message}.`;
  }

  function showInstance(viewer, instance, key, beside) {
    const number = viewer.instances.indexOf(instance);
    viewer.instance.value = instance;
    viewer.status.textContent = 'Loading …';
    return memplan.load(`layout-${number}`).then((data) => {
      viewer.data = data;
      viewer.status.textContent = `${data.instance}: ${text.plural(data.layouts.length, 'layout')}.`;
      choosePlans(viewer, key, beside);
      showPlans(viewer);
    }).catch((error) => tellFailure(viewer, error));
  }

  function writeAddress(viewer) {
    const [plan, beside] = openPanes(viewer).map((pane) => planKey(findPlan(pane)));
    history.replaceState(null, '', address(viewer.data.instance, plan, beside));
  }

  function makeSelects(viewer, pane, name) {
    const changePlan = () => {
      viewer.active = pane;
      writeAddress(viewer);
      showPlans(viewer);
    };
    pane.planner = element('select', { change: changePlan });
    pane.policy = element('select', {
      change: () => {
        fillPlanners(pane);
        changePlan();
      },
    });
    const label = (title, select) => element('label', {}, `${title} `, select);
    pane.controls.append(element('strong', {}, name), label('Policy', pane.policy),
                         label('Planner', pane.planner));
    pane.stack.addEventListener('pointerup', () => pane.layout && showTensors(viewer, pane));
    pane.stack.addEventListener('focusin', () => pane.layout && showTensors(viewer, pane));
  }

  // Panes are zoomed and moved together where their time lines are as long.
  function linkViews(viewer) {
    viewer.panes.forEach((pane, k) => {
      const other = viewer.panes[1 - k];
      pane.onView = (view) => {
        if (viewer.together.checked && viewer.isDouble && other.layout) {
          layoutPane.setView(other, view, true);
        }
      };
    });
  }

  function makePanes(viewer, host) {
    viewer.panes = ['Left', 'Right'].map((name) => layoutPane.create(`${name} memory layout`, 'memory layout', helpId, false));
    viewer.panes.forEach((pane, k) => makeSelects(viewer, pane, k ? 'Second' : 'First'));
    [viewer.active] = viewer.panes;
    linkViews(viewer);
    host.append(element('div', { class: 'panes' }, ...viewer.panes.map((pane) => pane.element)));
  }

  function makeBar(viewer, host) {
    viewer.instance = element('select', {
      change: () => showInstance(viewer, viewer.instance.value).then(() => writeAddress(viewer)),
    });
    fill(viewer.instance, viewer.instances, viewer.instances);
    viewer.double = element('input', {
      type: 'checkbox',
      change: () => {
        viewer.isDouble = viewer.double.checked;
        writeAddress(viewer);
        showPlans(viewer);
      },
    });
    viewer.double.checked = viewer.isDouble;
    viewer.together = element('input', { type: 'checkbox' });
    viewer.together.checked = true;
    viewer.status = statusLine();
    host.append(element('div', { class: 'bar' },
                        element('label', {}, 'Instance ', viewer.instance),
                        element('label', {}, viewer.double, ' two side by side'),
                        element('label', {}, viewer.together, ' zoom both')),
                viewer.status);
  }

  // Results with a plan whose layout is not on the page: it had more rectangles than were to be kept.
  function tellMissing(host) {
    const rows = memplan.get('rows');
    const missing = rows.kept.filter((kept, row) => !kept && rows.peak_bytes[row] !== null).length;
    if (missing > 0) {
      host.append(element('p', { class: 'notes' },
                          `${text.plural(missing, 'result')} with a plan kept no layout, for it has more rectangles `
                          + `than the run was told to keep (4096 where nothing is said); ${howToKeep}`));
    }
  }

  function readAddress(viewer) {
    const [name, query] = location.hash.slice(1).split('?');
    if (name !== place || !query) {
      return false;
    }
    const words = new URLSearchParams(query);
    if (viewer.instances.includes(words.get('instance'))) {
      if (words.get('beside')) {
        viewer.isDouble = true;
        viewer.double.checked = true;
      }
      showInstance(viewer, words.get('instance'), words.get('plan'), words.get('beside'));
    } else {
      viewer.status.textContent = `No layout of ${words.get('instance')} is on this page; ${howToKeep}`;
    }
    document.getElementById(place).scrollIntoView();
    return true;
  }

  // The first layout is loaded when the section comes near the window, not with the page.
  function showWhenNear(viewer, host) {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        observer.disconnect();
        if (!viewer.data) {
          showInstance(viewer, viewer.instances[0]);
        }
      }
    }, { rootMargin: '400px' });
    observer.observe(host);
  }

  function start() {
    const host = document.getElementById(place);
    const data = memplan.get('layouts');
    if (!host || !data || data.instances.length === 0) {
      return;
    }
    const viewer = { instances: data.instances, data: null, isDouble: innerWidth >= narrowPage };
    makeBar(viewer, host);
    makePanes(viewer, host);
    makeTensors(viewer, host);
    tellMissing(host);
    addEventListener('hashchange', () => readAddress(viewer));
    if (!readAddress(viewer)) {
      showWhenNear(viewer, host);
    }
  }

  memplan.layouts = { start, address };
})();
