import { type Command, Option } from 'commander';
import type { ImportOptions } from '../actions/import-options.js';
import type { Bind } from './bind.js';
import { duration, positive, userOption } from './values.js';

/** `import <files…> --user <id> [--replace] [--dry-run]` */
export function addImportCommand(program: Command, bind: Bind): void {
  program
    .command('import')
    .description(
      'Uploads a health export of an Apple device and follows the import to its end. Takes the export.zip as the phone writes it, the export.xml inside it, or that gzipped. Importing the same file twice adds nothing. A file adds to what is stored; with --replace it also takes away what earlier files brought and it lacks.',
    )
    .summary('import health export files')
    .argument('<files...>', 'export.zip, export.xml or export.xml.gz; a folder with such; - reads one from stdin')
    .addOption(userOption())
    .option(
      '--replace',
      'also remove what earlier files brought and this one lacks, e.g. what was deleted on the phone',
    )
    .option('--dry-run', 'store nothing, only show what would be new, changed and removed')
    .option('-y, --yes', 'with --replace: skip the confirmation')
    .option('--no-wait', 'end as soon as the service has stored the file')
    .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
    .addOption(
      new Option('--concurrency <n>', 'several files: so many at the same time').argParser(positive).default(2),
    )
    .option('--failures <file>', 'list what could not be imported in this file, one JSON object a line')
    .addHelpText('after', NOTES)
    .action(
      bind<[string[], ImportOptions]>(async (cli, files, options) =>
        (await import('../actions/import.js')).importFiles(cli, files, options),
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
Of several files, each gives an event "file" and the result says how many failed;
a file that fails does not keep the others. --replace needs --yes then.
Exit code 3 means that some items were rejected, or that a file which ends
early or has no date could not replace anything; of several, that some failed.

Examples:
  healthctl import export.zip --user anna@example.org
  healthctl import export.zip --user anna@example.org --replace --dry-run
  healthctl import exports/ --user anna@example.org --failures failed.ndjson
`;
