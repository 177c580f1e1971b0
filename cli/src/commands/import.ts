import type { Command } from 'commander';
import type { ImportOptions } from '../actions/import.js';
import type { Bind } from './bind.js';
import { duration, userOption } from './values.js';

/** `import <file> --user <id>` */
export function addImportCommand(program: Command, bind: Bind): void {
  program
    .command('import')
    .description(
      'Uploads a health export of an Apple device and follows the import to its end. Takes the export.zip as the phone writes it, the export.xml inside it, or that gzipped. Importing the same file twice adds nothing.',
    )
    .summary('import a health export file')
    .argument('<file>', 'export.zip, export.xml or export.xml.gz')
    .addOption(userOption())
    .option('--no-wait', 'end as soon as the service has stored the file')
    .option('--timeout <time>', 'wait at most this long, e.g. 15m', duration)
    .addHelpText('after', NOTES)
    .action(
      bind<[string, ImportOptions]>(async (cli, file, options) =>
        (await import('../actions/import.js')).importFile(cli, file, options),
      ),
    );
}

const NOTES = `
With --json or in a pipe, stdout carries one JSON object a line: events with
"event": "upload", "accepted" or "progress", and last, exactly once, "result".
Exit code 3 tells that some records were rejected.

Example:
  healthctl import ~/Downloads/export.zip --user 3f0c…
`;
