import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { Outcome } from '../outcome.js';
import { type Shape, writeRows } from '../output/writer.js';
import { examine } from '../service/examination.js';
import type { Finding } from '../service/findings.js';
import { paint } from '../ui/paint.js';
import { hintForShell } from '../ui/typed-command.js';
import type { Bind } from './bind.js';

/** `doctor` */
export function addDoctorCommand(program: Command, bind: Bind): void {
  program
    .command('doctor')
    .description(
      'Checks the whole path from here to the data: URL, service, versions, clocks, disks, jobs, secrets, credentials, API keys, runs, consents, webhooks, providers and their quotas, console. Suggests a fix for every problem. Exits with 1 if a check fails. A developer login enables all checks.',
    )
    .summary('check the service and the connection to it')
    .action(bind(doctor));
}

const SHAPE = {
  fields: ['check', 'state', 'found', 'advice', 'code'],
  columns: [],
} satisfies Shape<Finding>;

const MARKS = {
  ok: ['ok  ', 'green'],
  warning: ['warn', 'yellow'],
  failed: ['FAIL', 'red'],
  skipped: ['skip', 'dim'],
} as const;

/** `healthctl doctor` */
async function doctor(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  const findings: Finding[] = [];
  for await (const finding of examine(cli)) {
    findings.push(finding);
    if (cli.forPeople) await cli.sink.write(lines(cli, finding));
  }
  if (!cli.forPeople) await writeRows(cli.sink, SHAPE, findings);
  const failed = findings.filter(({ state }) => state === 'failed').length;
  if (failed === 0) return cli.hint('No checks failed.');
  cli.hint(`${failed} of ${findings.length} checks failed.`);
  throw new Outcome(findings.some(({ code }) => code === 'unreachable') ? EXIT.unreachable : EXIT.failed);
}

function lines(cli: Cli, { check, state, found, advice }: Finding): string {
  const [mark, ink] = MARKS[state];
  const line = `${paint(cli.terminal.colorOut, ink, mark)}  ${check.padEnd(12)} ${found}\n`;
  return advice
    ? `${line}      ${' '.repeat(12)} ${paint(cli.terminal.colorOut, 'bold', '→')} ${hintForShell(advice)}\n`
    : line;
}
