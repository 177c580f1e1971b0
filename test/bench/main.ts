import { parseArgs } from 'node:util';
import { describeMachine, machineLine } from './machine.js';
import { tableLines, verdictLine } from './report.js';
import { type BenchOptions, isMet, type ScenarioResult } from './scenario.js';
import { SCENARIOS } from './scenarios.js';
import { parseCount, parseSize } from './sizes.js';

const HELP = `npm run bench -- [scenario …] [options]

Measures the built service against floors of the same run. Without a scenario all are run:
${SCENARIOS.map(({ name, help }) => `  ${name.padEnd(10)}${help}`).join('\n')}

  --bytes 300MB,2GB   sizes of the generated export files
  --repeat N          repetitions of each size (default: 3 below 1 GB, else 1); medians are shown
  --samples 1M,10M    numbers of samples stored for reading
  --keep              keep the generated files for the next run
  --cpu-prof DIR      write CPU profiles of the daemon there
  --json              print the figures as JSON
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bytes: { type: 'string', default: '300MB,2GB' },
    repeat: { type: 'string' },
    samples: { type: 'string', default: '1M,10M' },
    keep: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
process.exitCode = await run();

async function run(): Promise<number> {
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const chosen = positionals.length === 0 ? SCENARIOS : SCENARIOS.filter(({ name }) => positionals.includes(name));
  const exportBytes = values.bytes.split(',').map(parseSize);
  const samples = values.samples.split(',').map(parseCount);
  const repeat = values.repeat === undefined ? undefined : Number(values.repeat);
  if (
    positionals.some((name) => !SCENARIOS.some((scenario) => scenario.name === name)) ||
    exportBytes.includes(undefined) ||
    samples.includes(undefined) ||
    (repeat !== undefined && !(Number.isInteger(repeat) && repeat > 0))
  ) {
    process.stderr.write(HELP);
    return 64;
  }
  const options: BenchOptions = {
    exportBytes: exportBytes as number[],
    samples: samples as number[],
    keep: values.keep,
    ...(repeat === undefined ? {} : { repeat }),
    ...(values['cpu-prof'] === undefined ? {} : { profileDir: values['cpu-prof'] }),
  };
  const machine = await describeMachine();
  const results: Record<string, ScenarioResult> = {};
  for (const scenario of chosen) results[scenario.name] = await scenario.run(options, machine);
  const verdicts = Object.values(results).flatMap((result) => result.verdicts);
  if (values.json) {
    const figures = Object.fromEntries(Object.entries(results).map(([name, result]) => [name, result.figures]));
    const checked = verdicts.map((verdict) => ({ ...verdict, met: isMet(verdict) }));
    process.stdout.write(`${JSON.stringify({ machine, figures, verdicts: checked }, null, 2)}\n`);
  } else {
    const lines = Object.values(results).flatMap(({ tables }) => tables.flatMap(tableLines));
    process.stdout.write(`${[machineLine(machine), ...lines, '', ...verdicts.map(verdictLine)].join('\n')}\n`);
  }
  return verdicts.every(isMet) ? 0 : 1;
}
