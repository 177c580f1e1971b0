import type { Command } from 'commander';
import { writeRecord } from '../output/writer.js';
import { VERSION } from '../version.js';
import type { Bind } from './bind.js';

/** `version` */
export function addVersionCommand(program: Command, bind: Bind): void {
  program
    .command('version')
    .description('Prints the version of healthctl and of Node. `healthctl doctor` shows that of the service.')
    .summary('print the version of healthctl')
    .action(
      bind(async (cli) => {
        const shape = {
          fields: ['healthctl', 'node'],
          pairs: (record: { healthctl: string; node: string }) => Object.entries(record),
        };
        await writeRecord(cli.sink, shape, { healthctl: VERSION, node: process.versions.node });
      }),
    );
}
