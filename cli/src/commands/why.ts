import { diagnoseUser } from '@healthd/contract';
import type { ProviderDiagnosis } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { plainText } from '../output/text-width.js';
import { writeRows } from '../output/writer.js';
import { providerNamed } from '../service/provider-name.js';
import { paint } from '../ui/paint.js';
import type { Bind } from './bind.js';
import { namedUser, takeUser } from './values.js';

/** `why [user]` */
export function addWhyCommand(program: Command, bind: Bind): void {
  takeUser(program.command('why'))
    .description(
      'Diagnoses a user’s missing data, for each provider: the cause, its start, the last data, the next attempt ' +
        'and the fix. Lists the most severe cause first.',
    )
    .summary('diagnose a user’s missing data')
    .option('-p, --provider <name>', 'only this provider, e.g. google')
    .addHelpText('after', '\nExample:\n  healthctl why anna@example.org\n')
    .action(
      bind<[string | undefined, WhyOptions & { user?: string }]>(async (cli, user, options) =>
        why(cli, namedUser(user, options.user), options),
      ),
    );
}

const SHAPE = {
  fields: [
    'provider',
    'provider_name',
    'severity',
    'cause',
    'since',
    'last_data_at',
    'last_synced_at',
    'next_try_at',
    'remedy',
    'details',
    'sentence',
  ] satisfies (keyof ProviderDiagnosis)[],
  columns: [{ header: 'Diagnosis', cell: ({ sentence }: ProviderDiagnosis) => sentence }],
};

const MARKS = {
  problem: { sign: '✗', color: 'red' },
  attention: { sign: '!', color: 'yellow' },
  ok: { sign: '✓', color: 'green' },
} as const;

interface WhyOptions {
  provider?: string;
}

/** `healthctl why`: prints one sentence per provider on a terminal, and rows for programs. */
async function why(cli: Cli, user: string, { provider }: WhyOptions = {}): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  const query = { provider: provider && providerNamed(provider) };
  const diagnosis = await client.call(diagnoseUser, { params: { user_id: user }, query, signal: cli.signal });
  if (!cli.forPeople) {
    await writeRows(cli.sink, SHAPE, diagnosis.providers);
    return;
  }
  for (const { severity, sentence } of diagnosis.providers) {
    const { sign, color } = MARKS[severity];
    await cli.sink.write(`${paint(cli.terminal.colorOut, color, sign)} ${plainText(sentence)}\n`);
  }
  cli.say(`Times in ${diagnosis.time_zone}.`);
  for (const hint of new Set(diagnosis.providers.flatMap((one) => nextCommand(user, one) ?? []))) cli.hint(hint);
}

/** Returns the command that creates a new connect link. */
export function newLinkCommand(user: string, provider: string): string {
  return `Create a new link: healthctl connect-links create --user ${user} --providers ${provider}`;
}

/** Returns the command that fixes a cause. Undefined if no command can. */
export function nextCommand(user: string, { provider, remedy }: ProviderDiagnosis): string | undefined {
  switch (remedy) {
    case 'send_connect_link':
      return newLinkCommand(user, provider);
    case 'sync_now':
      return `Try now: healthctl sync run ${user} --provider ${provider}`;
    case 'set_time_zone':
      return `Set the time zone: healthctl users update ${user} --time-zone '<zone>'`;
    default:
      return undefined;
  }
}
