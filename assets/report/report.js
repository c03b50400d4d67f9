// Draws each chart when it comes into view, and again as wide as its place when that changes.
const places = document.querySelectorAll("[data-chart]");
const config = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d"] };
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries.filter((one) => one.isIntersecting)) {
    seen.unobserve(entry.target);
    const { data, layout } = JSON.parse(document.getElementById(`chart-${entry.target.dataset.chart}`).textContent);
    Plotly.newPlot(entry.target, data, layout, config);
  }
}, { rootMargin: "200px" });
places.forEach((place) => seen.observe(place));
addEventListener("beforeprint", () => places.forEach((place) => place.scrollIntoView()));
