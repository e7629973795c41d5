// Writes what follows from the protocol: the CLI's command table and the reference pages. `--check` only says what is stale.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cliPage } from './generate/cli-page.mjs';
import { commandTable, tableModule } from './generate/command-table.mjs';
import { pythonModule } from './generate/python-methods.mjs';
import { protocolPage } from './generate/protocol-page.mjs';
import { skillPage } from './generate/skill-page.mjs';
import { loadCommandLine, loadContract, root } from './generate/source.mjs';

const contract = await loadContract();
const table = commandTable(contract);
const tableText = tableModule(contract, table);
const commandLine = await loadCommandLine(tableText);

const TABLE_PATH = 'src/cli/argv/commands.generated.ts';
const PYTHON_PATH = 'clients/python/t4a/__init__.py';
const outputs = {
  [TABLE_PATH]: formatted(tableText),
  'docs/protocol.md': protocolPage(contract, commandLine),
  'docs/cli.md': cliPage(contract, table, commandLine),
  [PYTHON_PATH]: pythonModule(readFileSync(join(root, PYTHON_PATH), 'utf8'), contract),
  'docs/schema.json': schemaFile(contract.protocolSchema()),
};

outputs['skills/t4a/SKILL.md'] = skillPage(readFileSync(join(root, 'docs/usage.md'), 'utf8'));

const checkOnly = process.argv.includes('--check');
for (const [path, content] of Object.entries(outputs)) {
  const file = join(root, path);
  if (readIfThere(file) === content) continue;
  if (checkOnly) {
    console.error(`${path} is stale: run "npm run generate"`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    console.log(`wrote ${path}`);
  }
}

/** One line for each command, event and error: indented it is half of the pages in the package. */
function schemaFile(schema) {
  const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = (value, indent, line) =>
    `{\n${Object.entries(value)
      .map(([name, each]) => `${indent}${JSON.stringify(name)}: ${line(each)}`)
      .join(',\n')}\n${indent.slice(2)}}`;
  const table = (value) => (isTable(value) ? entries(value, '    ', JSON.stringify) : JSON.stringify(value));
  return `${entries(schema, '  ', table)}\n`;
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function formatted(code) {
  const oxfmt = join(root, 'node_modules/.bin/oxfmt');
  const result = spawnSync(oxfmt, [`--stdin-filepath=${TABLE_PATH}`], { cwd: root, input: code, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`oxfmt: ${result.stderr || result.error}`);
  return result.stdout;
}
