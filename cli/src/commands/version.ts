import type { Command } from 'commander';
import { type RecordShape, writeRecord } from '../output/writer.js';
import { VERSION } from '../version.js';
import type { Bind } from './bind.js';

interface Versions {
  healthctl: string;
  node: string;
}

/** `version` */
export function addVersionCommand(program: Command, bind: Bind): void {
  program
    .command('version')
    .description('Prints the versions of healthctl and Node. `healthctl doctor` shows the service’s version.')
    .summary('print the version of healthctl')
    .action(
      bind(async (cli) => {
        const shape = {
          fields: ['healthctl', 'node'],
          pairs: (record: Versions) => Object.entries(record),
        } satisfies RecordShape<Versions>;
        await writeRecord(cli.sink, shape, { healthctl: VERSION, node: process.versions.node });
      }),
    );
}
