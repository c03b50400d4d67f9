// Keys that Streamlit's buttons can't have. Gets `keys`: key -> selector of the field to put the
// cursor into, or of the button to press. `ahead`: scripts of Streamlit that a later page will ask for, fetched
// and compiled while this one is looked at.

const TYPED_INTO = "input, textarea, select, [contenteditable=true]";

export default function ({ data }) {
  for (const href of data.ahead) {
    if (document.querySelector(`link[href="${href}"]`)) continue;
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = href;
    document.head.append(link);
  }
  const press = (event) => {
    const selector = data.keys[event.key];
    if (!selector || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.composedPath().some((node) => node.matches?.(TYPED_INTO))) return;
    const target = document.querySelector(selector);
    if (!target) return;
    event.preventDefault();
    if (target.matches("button")) {
      target.click();
    } else {
      target.focus();
      target.select();
    }
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
