/** docs/gallery.md. */

export function galleryPage(taken) {
  const parts = taken.map(
    ({ scene, picture }) => `## ${scene.title}

${scene.text} ${picture.cols}x${picture.rows} cells, ${picture.width}x${picture.height} pixels, \
${kilobytes(picture.len)} KB, about ${picture.tokens.claude} tokens (Claude).

![${scene.title}](gallery/${scene.name}.png)
`,
  );
  return `# Gallery

Real programs as the daemon draws them for a model: cells of 8x16 pixels, the default theme, and no fonts of the
machine. \`npm run gallery\` takes all pictures again and writes this page.

${parts.join('\n')}`;
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1);
}
