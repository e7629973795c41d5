// Rebuilds fonts/ from npm packages installed into a temporary directory: `node scripts/fonts.mjs`.
// Every face is copied as it is published (woff2 is unpacked to TTF, which Skia opens thirty times faster), but for the names of
// glyphs and the hints, and its character map is written to fonts/coverage.txt, so that choosing a face never opens a font file.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { packBitmapFont } from './fonts-bitmap.mjs';
import { codePointRanges } from './fonts-cmap.mjs';
import { withoutHints } from './fonts-hints.mjs';
import { withoutGlyphNames } from './fonts-names.mjs';
import { withSequences } from './fonts-sequences.mjs';

const jetbrains = {
  package: '@expo-google-fonts/jetbrains-mono@0.4.1',
  licence: 'LICENSE_FONT',
  family: 'jetbrains-mono',
};
const dejavu = { package: 'dejavu-fonts-ttf@2.37.3', licence: 'LICENSE', family: 'dejavu' };
const ghostty = { package: 'ghostty-opentui@1.5.0' };

/** name of the face -> package, file in it, licence in it (or of the same font in another package). */
const FACES = {
  'jetbrains-mono-regular': { ...jetbrains, file: '400Regular/JetBrainsMono_400Regular.ttf' },
  'jetbrains-mono-bold': { ...jetbrains, file: '700Bold/JetBrainsMono_700Bold.ttf' },
  'jetbrains-mono-italic': { ...jetbrains, file: '400Regular_Italic/JetBrainsMono_400Regular_Italic.ttf' },
  'jetbrains-mono-bold-italic': { ...jetbrains, file: '700Bold_Italic/JetBrainsMono_700Bold_Italic.ttf' },
  'dejavu-sans-mono': { ...dejavu, file: 'ttf/DejaVuSansMono.ttf' },
  'dejavu-sans-mono-bold': { ...dejavu, file: 'ttf/DejaVuSansMono-Bold.ttf' },
  'dejavu-sans-mono-oblique': { ...dejavu, file: 'ttf/DejaVuSansMono-Oblique.ttf' },
  'dejavu-sans-mono-bold-oblique': { ...dejavu, file: 'ttf/DejaVuSansMono-BoldOblique.ttf' },
  'symbols-nerd-font-mono': { ...ghostty, file: 'public/symbols-nerd-font-mono-regular.ttf' },
  'noto-sans-symbols-2': {
    ...ghostty,
    file: 'public/noto-sans-symbols-2-regular.ttf',
    licence: '@fontsource/noto-sans-symbols-2@5.3.0:LICENSE',
  },
  'noto-sans-symbols': {
    ...ghostty,
    file: 'public/noto-sans-symbols-regular.ttf',
    licence: '@fontsource/noto-sans-symbols@5.3.0:LICENSE',
  },
  twemoji: { package: 'twemoji-colr-font@15.0.3', file: 'twemoji.woff2', licence: 'LICENSE', sequences: true },
  'noto-emoji': {
    package: '@expo-google-fonts/noto-emoji@0.4.7',
    file: '400Regular/NotoEmoji_400Regular.ttf',
    licence: 'LICENSE_FONT',
  },
  'noto-sans-hebrew': {
    package: '@embedpdf/fonts-hebrew@1.0.0',
    file: 'fonts/NotoSansHebrew-Regular.ttf',
    licence: 'LICENSE',
  },
  'noto-naskh-arabic': {
    package: '@embedpdf/fonts-arabic@1.0.0',
    file: 'fonts/NotoNaskhArabic-Regular.ttf',
    licence: 'LICENSE',
  },
  'noto-sans-thai': {
    package: '@expo-google-fonts/noto-sans-thai@0.4.2',
    file: '400Regular/NotoSansThai_400Regular.ttf',
    licence: 'LICENSE_FONT',
  },
  'noto-sans-devanagari': {
    package: '@expo-google-fonts/noto-sans-devanagari@0.4.1',
    file: '400Regular/NotoSansDevanagari_400Regular.ttf',
    licence: 'LICENSE_FONT',
  },
  unifont: {
    package: '@fontsource/unifontex@5.2.6',
    file: 'files/unifontex-latin-400-normal.woff2',
    licence: 'LICENSE',
    bitmap: true,
  },
};

const FIRST_BITMAP = 0xa0;
const UNPACKER = 'wawoff2@2.0.1';
const fonts = fileURLToPath(new URL('../fonts/', import.meta.url));
const staging = mkdtempSync(join(tmpdir(), 't4a-fonts-'));
try {
  const packages = Object.values(FACES).flatMap((face) => [face.package, licencePackage(face)]);
  const wanted = [...new Set([...packages, UNPACKER])].filter((name) => name !== undefined);
  writeFileSync(join(staging, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted], {
    cwd: staging,
    stdio: 'inherit',
  });
  const { decompress } = createRequire(join(staging, 'package.json'))('wawoff2');
  mkdirSync(join(fonts, 'licences'), { recursive: true });
  const coverage = [];
  for (const [name, face] of Object.entries(FACES)) {
    const source = installed(face.package, face.file);
    const published = readFileSync(source);
    let bytes = face.file.endsWith('.woff2') ? Buffer.from(await decompress(published)) : published;
    if (face.sequences) {
      const { font, sequences } = withSequences(bytes);
      bytes = font;
      writeFileSync(join(fonts, `${name}.sequences.txt`), `${sequences.join('\n')}\n`);
    }
    const ranges = codePointRanges(bytes).flatMap((range) => (face.bitmap ? withoutAscii(range) : [range]));
    if (face.bitmap) writeFileSync(join(fonts, `${name}.bitmap`), packBitmapFont(bytes, ranges));
    else writeFileSync(join(fonts, `${name}.ttf`), withoutHints(withoutGlyphNames(bytes)));
    coverage.push(`${name}:${ranges.map(formatRange).join(',')}`);
    if (face.licence === undefined) continue;
    const from = licencePackage(face) ?? face.package;
    copyFileSync(
      installed(from, face.licence.split(':').at(-1)),
      join(fonts, 'licences', `${face.family ?? name}.txt`),
    );
  }
  writeFileSync(join(fonts, 'coverage.txt'), `${coverage.join('\n')}\n`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function installed(packageSpec, file) {
  return join(staging, 'node_modules', packageSpec.slice(0, packageSpec.lastIndexOf('@')), file);
}

function licencePackage(face) {
  return face.licence?.includes(':') ? face.licence.split(':')[0] : undefined;
}

/** The pixels of ASCII and of control characters would never be drawn. */
function withoutAscii([first, last]) {
  return last < FIRST_BITMAP ? [] : [[Math.max(first, FIRST_BITMAP), last]];
}

function formatRange([first, last]) {
  return first === last ? first.toString(16) : `${first.toString(16)}-${last.toString(16)}`;
}
