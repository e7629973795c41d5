/** Of the rules. Loaded with them. */
export const RULES_STYLES = `
.rules {
  position: absolute;
  inset: 0;
  overflow: auto;
  padding: 12px 20px calc(20px + var(--safe-bottom));
  background: var(--bg);
  z-index: 3;
}
.rules-head {
  display: flex;
  align-items: center;
  margin-bottom: 8px;
}
.rules-head h2 {
  flex: 1;
  margin: 0;
  font-size: 16px;
}
.rules h3 {
  margin: 14px 0 6px;
  font-size: 13px;
}
.rules-parts {
  display: grid;
  grid-template-columns: 220px minmax(260px, 1fr) minmax(280px, 1.2fr);
  gap: 24px;
  align-items: start;
}
.rules fieldset {
  margin: 0 0 14px;
  padding: 10px 14px 12px;
  border: 1px solid var(--border);
  border-radius: var(--round);
  min-width: 0;
}
.rules fieldset:focus {
  outline: 2px solid var(--red);
}
.rules legend {
  padding: 0 6px;
  font-size: 13px;
  font-weight: 600;
  overflow-wrap: anywhere;
}
.check {
  display: flex;
  align-items: center;
  gap: 8px;
  min-height: 30px;
}
.check input {
  width: 16px;
  height: 16px;
  flex: none;
  accent-color: var(--accent);
}
.check .quiet {
  flex: 1;
  font-size: 12px;
  text-align: right;
}
.rules-profiles li {
  margin-bottom: 6px;
}
.rules-profiles .button[aria-pressed='true'],
.rule-region .button[aria-pressed='true'] {
  border-color: var(--accent);
  background: var(--panel-2);
}
.rules-profiles select {
  margin: 8px 0 6px;
}
.rules .field {
  margin-bottom: 8px;
}
.rules .field textarea {
  width: 100%;
  padding: 8px 12px;
  border: 1px solid var(--border-strong);
  border-radius: 8px;
  background: var(--bg);
  color: var(--text);
  font-size: 13px;
  resize: vertical;
}
.rules [aria-invalid='true'] {
  border-color: var(--red);
}
.rules .button:disabled {
  opacity: 0.5;
  cursor: default;
}
.wrong {
  color: var(--red);
  font-size: 13px;
  overflow-wrap: anywhere;
}
.rule-region {
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));
  gap: 8px;
}
.rule-region .button {
  grid-column: 1 / -1;
  margin-bottom: 8px;
}
.rules-test {
  position: sticky;
  top: 0;
  min-width: 0;
}
.rules-test .answers {
  align-items: center;
}
.rules-test select {
  flex: 1 1 120px;
  width: auto;
}
.rules-test p {
  margin: 8px 0;
  font-size: 13px;
  overflow-wrap: anywhere;
}
.found ul {
  max-height: 220px;
  overflow-y: auto;
}
.found li {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 8px;
  padding: 4px 0;
  font-size: 12.5px;
  overflow-wrap: anywhere;
}
.found .is-added .chip {
  color: var(--green);
}
.found .is-removed .chip {
  color: var(--red);
}
.found .is-changed .chip {
  color: var(--yellow);
}
.snapshot {
  margin-top: 12px;
  padding: 8px;
  border: 1px solid var(--border);
  border-radius: 8px;
  overflow: auto;
  font: 11px/1.35 'T4A Mono', monospace;
  white-space: pre;
}
.snapshot.is-picked {
  border-color: var(--accent);
}
.snapshot.is-picked .snapshot-grid {
  cursor: crosshair;
  touch-action: none;
  user-select: none;
}
.snapshot-grid {
  position: relative;
}
.found-cells,
.picked {
  position: absolute;
  background: color-mix(in srgb, var(--accent) 24%, transparent);
  pointer-events: none;
}
.picked {
  border: 1px solid var(--accent);
}
@media (max-width: 1100px) {
  .rules-parts {
    grid-template-columns: minmax(0, 1fr);
  }
  .rules-test {
    position: static;
  }
}
@media (max-width: 720px) {
  .rules {
    padding-inline: 12px;
  }
  .check {
    min-height: 44px;
  }
}
`;
