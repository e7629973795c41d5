/** Of the commands beside the rows. Loaded with them. */
export const BLOCKS_STYLES = `
.blocks {
  position: absolute;
  inset: 0;
  overflow: hidden;
  pointer-events: none;
}
.block-bar {
  position: absolute;
  left: 76px;
  width: 3px;
  border-radius: 2px;
  background: var(--border-strong);
}
.block-bar.is-failed {
  background: var(--red);
}
.block-bar.is-runs {
  background: var(--accent);
}
.block-rows {
  position: absolute;
  left: 76px;
  right: 0;
  border-radius: 4px;
  background: color-mix(in srgb, var(--accent) 10%, transparent);
}
.block-label {
  position: absolute;
  left: 4px;
  width: 70px;
  display: flex;
  align-items: center;
  justify-content: flex-end;
  gap: 5px;
  padding: 0 4px;
  border: 0;
  border-radius: 6px;
  background: transparent;
  color: var(--text-dim);
  font-size: 11.5px;
  line-height: 1;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
  pointer-events: auto;
}
.block-label:hover,
.block-label[aria-expanded='true'] {
  background: var(--panel-2);
  color: var(--text);
}
.block-label:focus-visible {
  outline-offset: -2px;
}
.block-label.is-ok .block-mark {
  color: var(--green);
}
.block-label.is-failed,
.block-label.is-failed:hover {
  color: var(--red);
  font-weight: 650;
}
.block-label.is-runs .block-mark {
  color: var(--accent);
}
.block-card {
  position: absolute;
  left: 88px;
  width: min(420px, calc(100% - 96px));
  padding: 10px 12px 12px;
  border: 1px solid var(--border-strong);
  border-radius: 12px;
  background: var(--panel);
  box-shadow: var(--shadow);
  pointer-events: auto;
  z-index: 2;
}
.block-head {
  display: flex;
  align-items: center;
  gap: 2px;
}
.block-head code {
  flex: 1;
  min-width: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.block-outcome {
  margin-bottom: 10px;
  color: var(--text-dim);
  font-size: 13px;
}
.block-outcome.is-failed {
  color: var(--red);
}
@media (max-width: 720px) {
  .block-bar,
  .block-rows {
    left: 24px;
  }
  .block-label {
    left: 0;
    width: 24px;
    padding: 0;
    justify-content: center;
  }
  .block-time {
    display: none;
  }
  .block-card {
    left: 8px;
    right: 8px;
    width: auto;
  }
}
`;
