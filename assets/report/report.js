// Draws each chart when it comes into view, or all of them before a print, which opens the worst problems.
const config = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d"] };
const waiting = new Set(document.querySelectorAll("[data-chart]"));
const draw = (place) => {
  if (!waiting.delete(place)) return;
  const { data, layout } = JSON.parse(document.getElementById(`chart-${place.dataset.chart}`).textContent);
  Plotly.newPlot(place, data, layout, config);
};
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries.filter((one) => one.isIntersecting)) draw(entry.target);
}, { rootMargin: "200px" });
waiting.forEach((place) => seen.observe(place));
addEventListener("beforeprint", () => {
  document.querySelectorAll("#problems details").forEach((one) => { one.open = true; });
  [...waiting].forEach(draw);
});
