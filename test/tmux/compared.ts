import type { CliResult } from '../support/cli.js';

/** The answer of a tmux, without what differs between two runs of the same program. */
export function compared({ status, stdout, stderr }: CliResult): string {
  const plain = `${stdout}\n${stderr}`
    .replaceAll(/\/\S*tmux-\d+\/\S+/g, 'SOCKET')
    .replaceAll(/\/\S*\/(\w+\.conf)/g, '$1')
    .replaceAll(/^PATH=.*$/gm, 'PATH')
    .replaceAll(/^T4A_SOCKET=.*\n/gm, '')
    .replaceAll(/t4a-test-\w+/g, 'HOME')
    .replaceAll(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w+ +\d+ [\d:]+ 20\d\d/g, 'DATE')
    .replaceAll(/\(?\d\d:\d\d \d\d-\w+-\d\d\)?/g, 'TIME')
    .replaceAll(/history \d+\/\d+, \d+ bytes/g, 'HISTORY');
  return `${status} ${plain}`;
}
