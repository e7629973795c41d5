/** The page begins: it gets in, and draws. */
import { forgetKey, storedKey, takeCode, tradeCode } from './admission.js';
import { DaemonLink } from './daemon-link.js';

async function begin(app: HTMLElement): Promise<void> {
  const code = takeCode();
  const key = code === undefined ? storedKey() : await tradeCode(code);
  if (key === undefined) {
    app.textContent = 'This link is used up. t4a web prints a new one.';
    return;
  }
  const show = async (): Promise<void> => {
    const { terminals } = await link.ask('list', {});
    app.textContent = terminals.map(({ id, title }) => `${id} ${title}`).join('\n');
  };
  const link = new DaemonLink(key, undefined, {
    opened: () => void show(),
    lost: () => {
      app.textContent = 'The daemon cannot be reached.';
    },
    unauthorized: () => {
      forgetKey();
      app.textContent = 'This link is used up. t4a web prints a new one.';
    },
    event: () => void show(),
  });
  link.open();
}

const app = document.querySelector<HTMLElement>('#app');
if (app !== null) void begin(app);
