import type { Command } from 'commander';
import type { ImportOptions } from '../actions/import.js';
import type { Bind } from './bind.js';
import { duration, userOption } from './values.js';

/** `import <file> --user <id> [--replace] [--dry-run]` */
export function addImportCommand(program: Command, bind: Bind): void {
  program
    .command('import')
    .description(
      'Uploads a health export of an Apple device and follows the import to its end. Takes the export.zip as the phone writes it, the export.xml inside it, or that gzipped. Importing the same file twice adds nothing. A file adds to what is stored; with --replace it also takes away what earlier files brought and it lacks.',
    )
    .summary('import a health export file')
    .argument('<file>', 'export.zip, export.xml or export.xml.gz')
    .addOption(userOption())
    .option(
      '--replace',
      'also remove what earlier files brought and this one lacks, e.g. what was deleted on the phone',
    )
    .option('--dry-run', 'store nothing, only show what would be new, changed and removed')
    .option('-y, --yes', 'with --replace: skip the confirmation')
    .option('--no-wait', 'end as soon as the service has stored the file')
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .addHelpText('after', NOTES)
    .action(
      bind<[string, ImportOptions]>(async (cli, file, options) =>
        (await import('../actions/import.js')).importFile(cli, file, options),
      ),
    );
}

const NOTES = `
--replace looks only at the series and sources that the file holds, from its
first item to the day it was written. What a phone pushed stays. On a terminal
it first shows what would be removed, and asks; elsewhere it needs --yes.

A dry run ends with the command that then does it, without another upload.

With --json or in a pipe, stdout carries one JSON object a line: events with
"event": "upload", "accepted" or "progress", and last, exactly once, "result".
Of a dry run it carries the result alone, one JSON document: "changes" counts by
series and month, "gone" is what would be removed. --output ndjson has all events.
Exit code 3 means that some records were rejected, or that a file which ends
early or has no date could not replace anything.

Examples:
  healthctl import ~/Downloads/export.zip --user 3f0c…
  healthctl import ~/Downloads/export.zip --user 3f0c… --replace --dry-run
  healthctl runs confirm xml_81aa…
`;
