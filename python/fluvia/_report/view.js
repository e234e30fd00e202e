// SPDX-License-Identifier: Apache-2.0
// Puts the interactive view in the place of its picture, where the browser can draw it.
"use strict";
(function () {
  const live = document.getElementById("view-live");
  const still = document.getElementById("view-still");
  const buttons = document.getElementById("view-buttons");
  const note = document.getElementById("view-note");
  const canvas = document.createElement("canvas");
  if (!(canvas.getContext("webgl2") || canvas.getContext("webgl"))) {
    note.textContent = "This browser has no WebGL, so the view cannot be turned.";
    return;
  }
  const view = JSON.parse(document.getElementById("view-data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const ink = () => getComputedStyle(document.body).color;
  const colored = () => ({ "font.color": ink(), "scene.xaxis.color": ink(), "scene.yaxis.color": ink(), "scene.zaxis.color": ink() });
  // What the first colouring has of the keys that all of them have.
  const colored_now = (trace) => Object.fromEntries(Object.keys(view.colorings[0] || {}).map((key) => [key, trace[key]]));
  view.layout.font = { color: ink(), size: 12 };
  for (const axis of ["xaxis", "yaxis", "zaxis"]) view.layout.scene[axis].color = ink();
  view.layout.modebar = { bgcolor: "rgba(0,0,0,0)", color: "#8a94a0", activecolor: "#2f7ed8" };
  live.hidden = false;
  const wall = view.data.findIndex((trace) => trace.type === "mesh3d");
  const lines = view.data.findIndex((trace) => trace.type === "scatter3d");
  const colorings = wall < 0 ? [] : [colored_now(view.data[wall]), ...view.colorings];
  const config = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["orbitRotation", "tableRotation"] };
  Plotly.newPlot(live, view.data, view.layout, config).then(function () {
    if (still) still.style.display = "none";
    buttons.hidden = false;
    live.dataset.ready = "true";
    dark.addEventListener("change", () => Plotly.relayout(live, colored()));
    for (const choice of buttons.querySelectorAll("input[name=wall]")) {
      choice.addEventListener("change", function () {
        const opacity = Number(choice.value);
        Plotly.restyle(live, opacity > 0 ? { visible: true, opacity: opacity } : { visible: false }, [wall]);
        if (opacity < 1 && box && !box.checked) box.click();
      });
    }
    const color = buttons.querySelector("select[name=color]");
    if (color) color.addEventListener("change", function () {
      const chosen = colorings[Number(color.value)];
      Plotly.restyle(live, Object.fromEntries(Object.entries(chosen).map(([key, value]) => [key, [value]])), [wall]);
    });
    const box = buttons.querySelector("input[name=lines]");
    if (box) box.addEventListener("change", () => Plotly.restyle(live, { visible: box.checked }, [lines]));
    buttons.querySelector("button").addEventListener("click", () => Plotly.relayout(live, { "scene.camera": view.layout.scene.camera }));
  }).catch(function (error) {
    live.hidden = true;
    note.textContent = "The view cannot be drawn here: " + error;
  });
})();
