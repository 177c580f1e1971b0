import {
  listProviderTerms,
  TERM_STATES,
  updateProviderSettings,
  VENDOR_TERMS,
  type VendorTermName,
} from '@healthd/contract';
import type { ProviderTermsResponse, VendorTermResponse } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { type Shape, writeRows } from '../output/writer.js';
import { providerNamed } from '../service/provider-name.js';
import { countText } from '../ui/amounts.js';
import { confirmByTyping } from '../ui/confirm.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';

/** `providers terms` */
export function addTermsCommand(providers: Command, bind: Bind): void {
  withExamples(
    providers
      .command('terms')
      .description(
        'Shows the vendor terms that bind the operator. A term that deletes data or hides it from summaries takes effect only after you accept it. An override requires a reason, which the audit trail records. Changes require a developer login.',
      )
      .summary('show, override and answer the terms of vendors')
      .argument('[provider]', 'name of the provider')
      .option('--set <term=value>', 'override a term; the value none removes its limit')
      .option('--reason <text>', 'reason for the override')
      .option('--reset <term>', 'remove the override of a term')
      .option('--accept <term>', 'accept a term (combine, cache_days or on_disconnect), so that it takes effect')
      .option('--decline <term>', 'decline a term, so that it never takes effect')
      .option('-y, --yes', 'skip the confirmation')
      .action(bind(providerTerms)),
    'healthctl providers terms strava',
  );
}

interface TermsOptions {
  set?: string;
  reason?: string;
  reset?: string;
  accept?: string;
  decline?: string;
  yes?: boolean;
}

interface Row extends VendorTermResponse {
  provider: string;
}

const SHAPE = {
  fields: ['provider', 'term', 'value', 'state', 'declared', 'override', 'answer', 'rows'],
  columns: [
    { header: 'Provider', cell: (row: Row) => row.provider },
    { header: 'Term', cell: (row: Row) => row.term },
    { header: 'Value', cell: (row: Row) => (row.value === null ? null : String(row.value)), shrinkTo: 10 },
    { header: 'State', cell: (row: Row) => row.state },
    { header: 'Rows', cell: (row: Row) => row.rows, align: 'right' as const },
    { header: 'Reason', cell: reasonText, shrinkTo: 12 },
  ],
} satisfies Shape<Row>;

/** Returns the operator's reason or, without an override, the vendor's text. */
function reasonText({ override, declared }: Row): string | null {
  if (override) return `${override.changed_by}: ${override.reason}`;
  return declared && `${declared.source} (${declared.basis})`;
}

/** `healthctl providers terms` */
async function providerTerms(cli: Cli, name: string | undefined, options: TermsOptions): Promise<void> {
  cli.willWrite(SHAPE);
  const provider = name === undefined ? undefined : providerNamed(name);
  const terms = changesOf(options);
  const client = await cli.client();
  const { items } = await client.call(listProviderTerms, { signal: cli.signal });
  if (Object.keys(terms).length === 0) {
    const shown = provider ? items.filter((one) => one.provider === provider) : items;
    const rows = shown.flatMap(rowsOf);
    // The table omits unknown terms, which would hide the known terms. JSON and a named provider show all terms.
    const isTable = cli.sink.format === 'table';
    await writeRows(cli.sink, SHAPE, provider || !isTable ? rows : rows.filter(({ state }) => state !== UNKNOWN));
    if (rows.some(({ state }) => state === 'asks')) {
      cli.hint(
        'Accept or decline a pending term: healthctl providers terms <provider> --accept <term>, or --decline <term>',
      );
    }
    return;
  }
  if (!provider) throw usage('provider_needed', 'Pass the provider whose terms you want to change.');
  const before = items.find((one) => one.provider === provider)?.terms ?? [];
  if (options.accept && !options.yes) await confirmAcceptance(cli, provider, termNamed(options.accept), before);
  const changed = await client.call(updateProviderSettings, {
    params: { provider },
    body: { terms: terms as never },
    signal: cli.signal,
  });
  await writeRows(cli.sink, SHAPE, rowsOf(changed));
}

const UNKNOWN = TERM_STATES[0];

function rowsOf({ provider, terms }: ProviderTermsResponse): Row[] {
  return terms.map((term) => ({ provider, ...term }));
}

async function confirmAcceptance(
  cli: Cli,
  provider: string,
  name: VendorTermName,
  terms: readonly VendorTermResponse[],
): Promise<void> {
  const rows = terms.find(({ term }) => term === name)?.rows ?? 0;
  const does = name === 'combine' ? 'hides from summaries' : 'deletes';
  const consequence = `Accepting ${name} of ${provider} ${does} the affected data, now ${countText(rows, 'row')}, and all future data.`;
  await confirmByTyping(cli, consequence, provider, 'accept');
}

/** Converts the options to a request body. @throws CliError */
function changesOf({ set, reason, reset, accept, decline }: TermsOptions): Partial<Record<VendorTermName, unknown>> {
  const changes: Partial<Record<VendorTermName, unknown>> = {};
  if (reset) changes[termNamed(reset)] = null;
  if (accept) changes[termNamed(accept)] = { answer: 'accepted' };
  if (decline) changes[termNamed(decline)] = { answer: 'declined' };
  if (!set) return changes;
  const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(set) ?? [];
  if (!name) throw usage('bad_term', 'Pass the term with its value, such as assistants=allow.');
  if (!reason) throw usage('reason_needed', 'Pass --reason; the audit trail records it.');
  const term = termNamed(name);
  const number = term === 'cache_days' && value !== 'none' ? Number(value) : undefined;
  changes[term] = { value: value === 'none' ? null : (number ?? value), reason };
  return changes;
}

function termNamed(name: string): VendorTermName {
  const term = VENDOR_TERMS.find((known) => known === name);
  if (!term) throw usage('unknown_term', `Unknown term ${JSON.stringify(name)}.`, `Terms: ${VENDOR_TERMS.join(', ')}`);
  return term;
}

function usage(code: string, message: string, hint?: string): CliError {
  return new CliError(code, message, { exitCode: EXIT.usage, ...(hint !== undefined && { hint }) });
}
