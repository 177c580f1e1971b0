import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { Outcome } from '../outcome.js';
import { type Shape, writeRows } from '../output/writer.js';
import { examine } from '../service/examination.js';
import type { Finding } from '../service/findings.js';
import { paint } from '../ui/paint.js';
import { typedHere } from '../ui/typed-command.js';

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
export async function doctor(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  const findings: Finding[] = [];
  for await (const finding of examine(cli)) {
    findings.push(finding);
    if (cli.forPeople) await cli.sink.write(lines(cli, finding));
  }
  if (!cli.forPeople) await writeRows(cli.sink, SHAPE, findings);
  const failed = findings.filter(({ state }) => state === 'failed').length;
  if (failed === 0) return cli.hint('No check failed.');
  cli.hint(`${failed} of ${findings.length} checks failed.`);
  throw new Outcome(findings.some(({ code }) => code === 'unreachable') ? EXIT.unreachable : EXIT.failed);
}

function lines(cli: Cli, { check, state, found, advice }: Finding): string {
  const [mark, ink] = MARKS[state];
  const line = `${paint(cli.terminal.colorOut, ink, mark)}  ${check.padEnd(12)} ${found}\n`;
  return advice
    ? `${line}      ${' '.repeat(12)} ${paint(cli.terminal.colorOut, 'bold', '→')} ${typedHere(advice)}\n`
    : line;
}
