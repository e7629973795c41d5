/** Script that an exported page brings along to play its film. Plain JavaScript of browsers, in one text. */

/** CSS pixels of the page around the player, and the height of its bar. */
const AROUND = 24;
const BAR = 44;
/** Colours of the page of `t4a web`. */
const DARK = {
  ground: '#16161e',
  panel: '#1f2335',
  raised: '#282d42',
  border: '#414868',
  text: '#c0caf5',
  accent: '#7aa2f7',
} as const;
/** Cells are not magnified more. */
const LARGEST = 2;

export const PLAYER_STYLE = `:root{color-scheme:dark}
html{height:100%}
body{box-sizing:border-box;min-height:100%;margin:0;padding:${AROUND}px;background:${DARK.ground};display:grid;place-content:safe center}
#t4a{border:1px solid ${DARK.border};border-radius:10px;overflow:hidden;box-shadow:0 12px 32px rgb(0 0 0/45%)}
#bar{box-sizing:border-box;height:${BAR}px;display:flex;gap:10px;align-items:center;padding:0 12px;background:${DARK.panel};color:${DARK.text};font:14px system-ui,sans-serif}
#seek{flex:1;min-width:0;accent-color:${DARK.accent}}
#bar button,#bar select{font:inherit;color:inherit;background:${DARK.raised};border:1px solid ${DARK.border};border-radius:6px;padding:4px 10px}
#bar :focus-visible{outline:2px solid ${DARK.accent};outline-offset:2px}
#play{min-width:5em}
#chapters{max-width:12em}
#time{font-variant-numeric:tabular-nums}
`;

export const PLAYER_SCRIPT = `'use strict';
const film = JSON.parse(document.getElementById('film').textContent);
const byId = (id) => document.getElementById(id);
const screen = byId('screen'), seek = byId('seek'), time = byId('time'), button = byId('play');
const places = [];
let shown = 0, at = 0, playing = false, last = 0;
seek.max = film.durationMs;
for (const { ms, label } of film.markers) {
  const option = document.createElement('option');
  option.value = ms;
  option.textContent = label;
  byId('chapters').append(option);
}
byId('chapters').hidden = film.markers.length === 0;
const clock = (ms) => Math.floor(ms / 60000) + ':' + String(Math.floor(ms / 1000) % 60).padStart(2, '0');
const put = (y, row) => {
  while (places.length <= y) {
    const place = document.createElement('div');
    places.push(place);
    screen.append(place);
  }
  places[y].innerHTML = film.rows[row];
};
const show = (ms) => {
  at = Math.min(Math.max(0, ms), film.durationMs);
  if (shown > 0 && film.frames[shown - 1][0] > at) shown = 0;
  const rows = new Map();
  for (; shown < film.frames.length && film.frames[shown][0] <= at; shown++) {
    const frame = film.frames[shown];
    for (let i = 1; i < frame.length; i += 2) rows.set(frame[i], frame[i + 1]);
  }
  for (const [y, row] of rows) put(y, row);
  seek.value = at;
  time.textContent = clock(at) + ' / ' + clock(film.durationMs);
  button.textContent = playing ? 'Pause' : 'Play';
};
let size;
const fit = () => {
  size ??= { width: screen.offsetWidth, height: screen.offsetHeight };
  const [w, h] = [innerWidth - ${2 * AROUND + 2}, innerHeight - ${2 * AROUND + BAR + 2}];
  const by = Math.min(${LARGEST}, w / size.width, Math.max(0.5, h / size.height));
  screen.style.zoom = by;
  byId('t4a').style.width = size.width * by + 'px';
};
const tick = (now) => {
  if (!playing) return;
  const next = at + (now - last) * Number(byId('speed').value);
  last = now;
  if (next >= film.durationMs) playing = false;
  show(next);
  requestAnimationFrame(tick);
};
const toggle = () => {
  playing = !playing;
  if (playing && at >= film.durationMs) show(0);
  last = performance.now();
  show(at);
  requestAnimationFrame(tick);
};
button.onclick = toggle;
seek.oninput = () => show(Number(seek.value));
byId('chapters').onchange = (event) => show(Number(event.target.value));
document.onkeydown = (event) => {
  if (event.target !== document.body) return;
  if (event.key === ' ') toggle();
  else if (event.key === 'ArrowRight') show(at + 5000);
  else if (event.key === 'ArrowLeft') show(at - 5000);
  else return;
  event.preventDefault();
};
show(Number(location.hash.slice(1)) || 0);
fit();
addEventListener('resize', fit);
`;
