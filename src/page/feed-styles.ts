/** Of what happened in the terminal. Loaded with it. */
export const FEED_STYLES = `
.feed {
  position: absolute;
  inset: 0 0 0 auto;
  width: 340px;
  display: flex;
  flex-direction: column;
  border-left: 1px solid var(--border);
  background: var(--bg-alt);
  z-index: 2;
}
.feed-head {
  display: flex;
  align-items: center;
  gap: 8px;
  flex: none;
  min-height: 44px;
  padding: 4px 6px 4px 16px;
}
.feed-head h2 {
  flex: 1;
  margin: 0;
  font-size: 14px;
  font-weight: 650;
}
.feed-kinds {
  display: flex;
  flex: none;
  flex-wrap: wrap;
  gap: 6px;
  max-height: 72px;
  overflow-y: auto;
  padding: 0 12px 10px 16px;
}
.kind {
  min-height: 26px;
  padding: 0 10px;
  border: 1px solid var(--border-strong);
  border-radius: 999px;
  background: transparent;
  color: var(--text-dim);
  font-size: 12px;
}
.kind[aria-pressed='true'] {
  background: var(--accent);
  border-color: var(--accent);
  color: var(--on-accent);
}
.feed-none {
  padding: 8px 16px;
  overflow-wrap: anywhere;
}
.entries {
  flex: 1;
  min-height: 0;
  margin: 0;
  padding: 0 8px 12px;
  list-style: none;
  overflow-y: auto;
  overscroll-behavior: contain;
  outline-offset: -2px;
}
.entry {
  display: grid;
  gap: 4px;
  width: 100%;
  min-height: 44px;
  margin-top: 4px;
  padding: 8px 10px;
  border: 0;
  border-left: 3px solid var(--border-strong);
  border-radius: 8px;
  background: transparent;
  text-align: left;
}
.entry:hover {
  background: var(--panel);
}
.entry.is-chosen {
  background: var(--panel-2);
}
.entry.is-bad {
  border-left-color: var(--red);
}
.entry.is-asks {
  border-left-color: var(--yellow);
}
.entry.is-good {
  border-left-color: var(--green);
}
.entry:focus-visible {
  outline-offset: -2px;
}
.entry-head {
  display: flex;
  align-items: center;
  gap: 8px;
  font-size: 12px;
}
.entry .chip {
  max-width: 170px;
}
.entry.is-bad .chip {
  color: var(--red);
}
.entry.is-asks .chip {
  color: var(--yellow);
}
.entry.is-good .chip {
  color: var(--green);
}
.entry.is-chosen .chip {
  background: var(--bg);
}
.entry time {
  margin-left: auto;
  color: var(--text-dim);
  font-variant-numeric: tabular-nums;
}
.entry-words {
  display: -webkit-box;
  overflow: hidden;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 4;
  font: 12.5px/1.45 'T4A Mono', monospace;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.then {
  margin: 4px 0 8px;
  padding: 8px;
  border: 1px solid var(--border);
  border-radius: 8px;
  background: var(--bg);
  font: 11px/1.4 'T4A Mono', monospace;
  overflow-x: auto;
}
.then .is-meant {
  background: color-mix(in srgb, var(--accent) 24%, transparent);
}
.then-none {
  padding: 4px 12px 8px;
  font-size: 13px;
}
.entry-rows {
  position: absolute;
  margin-left: -6px;
  border-left: 3px solid var(--accent);
  background: color-mix(in srgb, var(--accent) 14%, transparent);
  pointer-events: none;
}
@media (max-width: 720px) {
  .feed {
    inset: auto 0 0 0;
    width: auto;
    height: min(62%, 420px);
    border: 1px solid var(--border-strong);
    border-bottom: 0;
    border-radius: 14px 14px 0 0;
    box-shadow: var(--shadow);
  }
  .kind {
    min-height: 36px;
  }
}
`;
