// SPDX-License-Identifier: Apache-2.0
// Asks for the state of the run every second and shows it. Texts become text, never HTML.
"use strict";
(function () {
  const at = (id) => document.getElementById(id);
  const svg = (name, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const short = (value) => Number(value.toPrecision(4)).toString();
  const duration = (seconds) => {
    const s = Math.round(seconds);
    const two = (n) => String(n).padStart(2, "0");
    return s < 3600 ? Math.floor(s / 60) + ":" + two(s % 60) : Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(s % 60);
  };

  function showProgress(state) {
    if (state.title) {
      at("title").textContent = state.title;
      document.title = state.title + ": a run";
    }
    if (state.step === undefined) return;
    at("bar").value = state.last_step > 0 ? state.step / state.last_step : 1;
    const words = ["step " + state.step + " of " + state.last_step, short(state.mflups) + " MFLUPS"];
    if (state.residual !== null) words.push("residual " + state.residual.toExponential(1));
    words.push("Mach " + state.max_mach.toFixed(3));
    if (!state.ended) words.push("left " + duration(state.eta_seconds));
    at("progress").textContent = words.join(" · ");
  }

  function showPictures(pictures) {
    at("no-pictures").hidden = pictures.length > 0;
    for (const picture of pictures) {
      const id = "picture-" + picture.series;
      let figure = at(id);
      if (!figure) {
        figure = document.createElement("figure");
        figure.id = id;
        figure.append(document.createElement("img"), document.createElement("figcaption"));
        at("pictures").append(figure);
      }
      if (figure.dataset.file === picture.file) continue;
      figure.dataset.file = picture.file;
      const caption = picture.series + ", step " + picture.step;
      const next = new Image();
      next.onload = function () {  // the picture before stays until this one is there
        figure.replaceChild(next, figure.firstChild);
        figure.lastChild.textContent = caption;
      };
      next.onerror = function () { figure.dataset.file = ""; };
      next.alt = caption;
      next.src = "picture/" + encodeURIComponent(picture.file);
    }
  }

  function drawCourse(figure, head, xs, ys, label) {
    const width = 460, height = 170, left = 8, right = 8, top = 22, bottom = 22;
    const points = xs.map((x, k) => [x, ys[k]]).filter((p) => p[0] !== null && p[1] !== null);
    if (points.length === 0) return;
    const values = points.map((p) => p[1]), first = points[0][0], last = points[points.length - 1][0];
    const low = Math.min(...values), high = Math.max(...values);
    const x = (v) => left + (width - left - right) * (last > first ? (v - first) / (last - first) : 1);
    const y = (v) => height - bottom - (height - top - bottom) * (high > low ? (v - low) / (high - low) : 0.5);
    const drawing = svg("svg", { viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": head + " over " + label });
    drawing.append(svg("text", { x: left, y: 14 }, short(high)), svg("text", { x: left, y: height - 7 }, short(low)),
      svg("text", { x: width - right, y: height - 7, "text-anchor": "end" }, label + " " + short(last)),
      svg("polyline", { points: points.map((p) => x(p[0]).toFixed(1) + "," + y(p[1]).toFixed(1)).join(" ") }));
    const caption = document.createElement("figcaption"), now = document.createElement("strong");
    now.textContent = short(values[values.length - 1]);
    caption.append(head + ": ", now);
    figure.replaceChildren(drawing, caption);
  }

  function showMonitors(monitors) {
    const rows = monitors.rows, heads = monitors.heads;
    at("no-monitors").hidden = rows.length > 0;
    if (rows.length === 0) return;
    const time = heads.findIndex((head) => head.startsWith("time ["));
    const axis = time >= 0 && heads[time] === "time [s]" ? time : 0;
    const xs = rows.map((row) => row[axis]);
    heads.forEach(function (head, k) {
      if (k === 0 || k === time) return;
      let figure = at("monitor-" + k);
      if (!figure) {
        figure = document.createElement("figure");
        figure.id = "monitor-" + k;
        at("monitors").append(figure);
      }
      drawCourse(figure, head, xs, rows.map((row) => row[k]), heads[axis]);
    });
  }

  const endings = {
    finished: "The run has finished.",
    interrupted: "The run was interrupted.",
    failed: "The run failed.",
    killed: "The run was killed.",
  };

  function showEnd(state) {
    if (!state.ended) return;
    at("state").textContent = (endings[state.ended] || "The run has ended.") + " This page renews itself no more.";
    at("words").textContent = state.words || "";
    if (!state.report) return;
    at("report").textContent = state.report;
    at("end").hidden = false;
  }

  let missed = 0;
  async function renew() {
    try {
      const answer = await fetch("state", { cache: "no-store" });
      if (!answer.ok) throw new Error("HTTP " + answer.status);
      const state = await answer.json();
      missed = 0;
      showProgress(state);
      showPictures(state.pictures);
      showMonitors(state.monitors);
      showEnd(state);
      if (state.ended) {
        document.body.dataset.ended = state.ended;
        return;
      }
    } catch (error) {
      missed += 1;
      if (missed >= 5) {
        at("state").textContent = "The run does not answer any more.";
        at("words").textContent = "It has ended, or this machine is no longer connected with it.";
        document.body.dataset.ended = "lost";
        return;
      }
    }
    setTimeout(renew, 1000);
  }
  renew();
})();
