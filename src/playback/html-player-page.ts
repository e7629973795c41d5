/** What an exported page brings along to play its film. Plain JavaScript of browsers, in one text. */

export const PLAYER_STYLE = `body{margin:24px;background:#888}
#t4a{margin:auto;box-shadow:0 2px 12px #0006}
#bar{display:flex;gap:8px;align-items:center;padding:6px 8px;background:#222;color:#eee;font:14px system-ui,sans-serif}
#seek{flex:1;min-width:0}
#bar button,#bar select{font:inherit;color:inherit;background:#444;border:0;border-radius:4px;padding:2px 8px}
#play{min-width:4em}
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
`;
