import { describe, expect, test } from 'vitest';
import { hexColor, rowsHtml, type HtmlColors } from '../../../src/vt/rows/row-html.js';
import { openScreen, show, THEME } from '../screens.js';

async function html(output: string, given: Partial<HtmlColors> = {}): Promise<string> {
  const { lines, colors } = await show(openScreen(), output);
  return rowsHtml([lines.slice(0, 1)], { theme: THEME, dynamic: colors, reverseScreen: false, ...given });
}

/** What stands between the tags of the `<pre>`. */
async function body(output: string): Promise<string> {
  const text = await html(output);
  expect(text).toMatch(/^<pre style="color:#c0caf5;background:#1a1b26">.*\n<\/pre>\n$/s);
  return text.slice(text.indexOf('>') + 1, text.lastIndexOf('\n</pre>'));
}

describe('a row as HTML', () => {
  test.each([
    ['', 'plain', 'plain'],
    ['5', 'blinks', 'blinks'],
    ['31', 'x', '<span style="color:#010101">x</span>'],
    ['38;5;200', 'x', '<span style="color:#c8c8c8">x</span>'],
    ['38;2;1;2;3', 'x', '<span style="color:#010203">x</span>'],
    ['42', 'x', '<span style="background:#020202">x</span>'],
    ['31;42', 'x', '<span style="color:#010101;background:#020202">x</span>'],
    ['1', 'x', '<span style="font-weight:bold">x</span>'],
    ['2', 'x', '<span style="opacity:.6">x</span>'],
    ['3', 'x', '<span style="font-style:italic">x</span>'],
    ['8', 'x', '<span style="visibility:hidden">x</span>'],
    ['1;3', 'x', '<span style="font-weight:bold;font-style:italic">x</span>'],
    ['4', 'x', '<span style="text-decoration:underline">x</span>'],
    ['4:2', 'x', '<span style="text-decoration:underline double">x</span>'],
    ['4:3', 'x', '<span style="text-decoration:underline wavy">x</span>'],
    ['4:4', 'x', '<span style="text-decoration:underline dotted">x</span>'],
    ['4:5', 'x', '<span style="text-decoration:underline dashed">x</span>'],
    ['9', 'x', '<span style="text-decoration:line-through">x</span>'],
    ['53', 'x', '<span style="text-decoration:overline">x</span>'],
    ['4;9;53', 'x', '<span style="text-decoration:underline line-through overline">x</span>'],
    ['4;58;5;9', 'x', '<span style="text-decoration:underline #090909">x</span>'],
    ['4:3;58:2::1:2:3', 'x', '<span style="text-decoration:underline wavy #010203">x</span>'],
    ['1;4', 'x', '<span style="font-weight:bold;text-decoration:underline">x</span>'],
    ['7', 'x', '<span style="color:#1a1b26;background:#c0caf5">x</span>'],
    ['7;31', 'x', '<span style="color:#1a1b26;background:#010101">x</span>'],
    ['7;31;42', 'x', '<span style="color:#020202;background:#010101">x</span>'],
  ])('with SGR %j has its attributes as a style', async (look, text, expected) => {
    expect(await body(`\x1b[${look}m${text}`)).toBe(expected);
  });

  test('has a span for each set of attributes, and no span for the default', async () => {
    expect(await body('a\x1b[1mb\x1b[mc')).toBe('a<span style="font-weight:bold">b</span>c');
  });

  test('escapes the text of the program', async () => {
    expect(await body(`<b a="1" c='2'>&amp;`)).toBe('&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;');
  });

  test('has the colours of the program instead of those of the theme', async () => {
    const set = '\x1b]10;#010203\x07\x1b]11;#040506\x07\x1b]4;1;#070809\x07';
    expect(await html(`${set}a\x1b[31;7mb`)).toBe(
      '<pre style="color:#010203;background:#040506">a<span style="color:#040506;background:#070809">b</span>\n</pre>\n',
    );
  });

  test('of an inverted screen has only its default colours exchanged', async () => {
    expect(await html('a\x1b[31mb\x1b[0;7mc', { reverseScreen: true })).toBe(
      '<pre style="color:#1a1b26;background:#c0caf5">a<span style="color:#010101">b</span>' +
        '<span style="color:#c0caf5;background:#1a1b26">c</span>\n</pre>\n',
    );
  });
});

describe('a link', () => {
  test.each(['http://a.example/', 'https://a.example/', 'HTTPS://a.example/', 'ftp://a', 'file:///a', 'mailto:a@b'])(
    'to %s has that target',
    async (target) => {
      expect(await body(`\x1b]8;;${target}\x07x`)).toBe(`<a href="${target}">x</a>`);
    },
  );

  test.each(['javascript:alert(1)', 'data:text/html,x', 'x-http://a', ' http://a'])(
    'to %j is plain text',
    async (target) => {
      expect(await body(`\x1b]8;;${target}\x07x`)).toBe('x');
    },
  );

  test('has an escaped target, and its attributes within', async () => {
    expect(await body('\x1b[1m\x1b]8;;http://a.example/?a=1&b="2"\x07x')).toBe(
      '<a href="http://a.example/?a=1&amp;b=&quot;2&quot;"><span style="font-weight:bold">x</span></a>',
    );
  });
});

test('rows of one line are joined, and lines are separated by line breaks', async () => {
  const { lines, colors } = await show(openScreen({ cols: 3 }), 'abcde\r\nf');
  const text = rowsHtml([lines.slice(0, 2), lines.slice(2, 3), []], {
    theme: THEME,
    dynamic: colors,
    reverseScreen: false,
  });
  expect(text).toBe('<pre style="color:#c0caf5;background:#1a1b26">abcde\nf\n\n</pre>\n');
});

test('a colour has six digits', () => {
  expect([0, 0x0a, 0x00ff00, 0xffffff].map(hexColor)).toEqual(['#000000', '#00000a', '#00ff00', '#ffffff']);
});
