/** The themes that t4a comes with: pictures, the page and players draw with the same ones. */

/** A theme gives the colours that the program has not chosen itself. Colours are 0xRRGGBB. */
export interface Theme {
  readonly name: string;
  readonly foreground: number;
  readonly background: number;
  readonly cursor: number;
  /** The 16 ANSI colours; 16..255 are the fixed cube and grey ramp. */
  readonly ansi: readonly number[];
}

/** Sources: the schemes' own published tables; `xterm` is XTerm-col.ad; `dark` and `light` keep every colour readable. */
export const BUILT_IN_THEMES: readonly Theme[] = [
  {
    name: 'dark',
    foreground: 0xd8dee9,
    background: 0x101418,
    cursor: 0xf0f3f6,
    ansi: [
      0x20262d, 0xf2545b, 0x5fd068, 0xe8c050, 0x5aa2f7, 0xc983f0, 0x45c8d0, 0xc8d0d8, 0x77828e, 0xff7b80, 0x86e58d,
      0xf7d875, 0x86bcff, 0xdca6fb, 0x74e2e8, 0xffffff,
    ],
  },
  {
    name: 'light',
    foreground: 0x1f2328,
    background: 0xffffff,
    cursor: 0x1f2328,
    ansi: [
      0x24292f, 0xb3202a, 0x11702d, 0x7d5200, 0x0a5ac8, 0x7c3fcf, 0x146c7c, 0x5d656e, 0x57606a, 0x98141c, 0x1a7f37,
      0x633c01, 0x1f6feb, 0x8250df, 0x1b7c83, 0x8c959f,
    ],
  },
  {
    name: 'tokyo-night',
    foreground: 0xc0caf5,
    background: 0x1a1b26,
    cursor: 0xc0caf5,
    ansi: [
      0x15161e, 0xf7768e, 0x9ece6a, 0xe0af68, 0x7aa2f7, 0xbb9af7, 0x7dcfff, 0xa9b1d6, 0x414868, 0xf7768e, 0x9ece6a,
      0xe0af68, 0x7aa2f7, 0xbb9af7, 0x7dcfff, 0xc0caf5,
    ],
  },
  {
    name: 'solarized',
    foreground: 0x839496,
    background: 0x002b36,
    cursor: 0x93a1a1,
    ansi: [
      0x073642, 0xdc322f, 0x859900, 0xb58900, 0x268bd2, 0xd33682, 0x2aa198, 0xeee8d5, 0x002b36, 0xcb4b16, 0x586e75,
      0x657b83, 0x839496, 0x6c71c4, 0x93a1a1, 0xfdf6e3,
    ],
  },
  {
    name: 'gruvbox',
    foreground: 0xebdbb2,
    background: 0x282828,
    cursor: 0xebdbb2,
    ansi: [
      0x282828, 0xcc241d, 0x98971a, 0xd79921, 0x458588, 0xb16286, 0x689d6a, 0xa89984, 0x928374, 0xfb4934, 0xb8bb26,
      0xfabd2f, 0x83a598, 0xd3869b, 0x8ec07c, 0xebdbb2,
    ],
  },
  {
    name: 'xterm',
    foreground: 0xe5e5e5,
    background: 0x000000,
    cursor: 0xe5e5e5,
    ansi: [
      0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
      0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
    ],
  },
];
