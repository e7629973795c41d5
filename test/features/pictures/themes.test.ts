import { describe, expect, test } from 'vitest';
import { Themes, reportedColors } from '../../../src/features/pictures/themes.js';
import { THEMES } from '../../../src/render/theme.js';

const OWN = {
  foreground: '#010203',
  background: '#0a0b0c',
  ansi: Array.from({ length: 16 }, (_, i) => `#0000${i.toString(16).padStart(2, '0')}`),
};

describe('a theme', () => {
  test('comes from the configuration, else from the renderer', () => {
    const themes = new Themes({ theme: 'light', themes: { mine: OWN, dark: OWN } });
    expect(themes.current).toBe(THEMES.get('light'));
    expect(themes.named('gruvbox')).toBe(THEMES.get('gruvbox'));
    expect(themes.named('mine')).toEqual({
      name: 'mine',
      foreground: 0x010203,
      background: 0x0a0b0c,
      cursor: 0x010203,
      ansi: Array.from({ length: 16 }, (_, i) => i),
    });
    expect(themes.named('dark').foreground).toBe(0x010203);
  });

  test('has its own cursor colour if it has one', () => {
    const themes = new Themes({ theme: 'mine', themes: { mine: { ...OWN, cursor: '#ff0000' } } });
    expect(themes.current.cursor).toBe(0xff0000);
  });

  test('of the configuration is the same object until its definition changes', () => {
    const themes = new Themes({ theme: 'mine', themes: { mine: OWN } });
    const first = themes.current;
    expect(themes.current).toBe(first);
    themes.configure({ theme: 'dark', themes: { mine: OWN } });
    expect(themes.named('mine')).toBe(first);
    themes.configure({ theme: 'mine', themes: { mine: { ...OWN, background: '#ffffff' } } });
    expect(themes.current).toMatchObject({ background: 0xffffff });
  });

  test.each([
    ['drak', { closest: 'dark', hint: 'Did you mean "dark"?' }],
    ['mime', { closest: 'mine', hint: 'Did you mean "mine"?' }],
    ['constructor', { hint: expect.stringMatching(/^One of: .*dark, .*mine\.$/) as string }],
  ])('that does not exist is refused: %s', (name, details) => {
    const themes = new Themes({ theme: 'dark', themes: { mine: OWN } });
    expect(() => themes.named(name)).toThrow(
      expect.objectContaining({ code: 'invalid_field', details: { field: 'theme', ...details } }) as Error,
    );
  });

  test('that does not exist cannot be chosen, and the previous one stays', () => {
    const themes = new Themes({ theme: 'light', themes: {} });
    expect(() => themes.configure({ theme: 'nonesuch', themes: {} })).toThrow();
    expect(themes.current.name).toBe('light');
  });
});

test('colour queries are answered with the current theme', () => {
  const themes = new Themes({ theme: 'dark', themes: {} });
  const colors = reportedColors(themes);
  expect(colors.foreground).toBe(0xd8dee9);
  themes.configure({ theme: 'mine', themes: { mine: { ...OWN, cursor: '#ff0000' } } });
  expect(colors).toMatchObject({ foreground: 0x010203, background: 0x0a0b0c, cursor: 0xff0000 });
  expect(colors.palette[15]).toBe(15);
});
