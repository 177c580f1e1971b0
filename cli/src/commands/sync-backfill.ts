import { cancelBackfill, getBackfillStatus, retryBackfill } from '@healthd/contract';
import type { BackfillStatus, ResponseOf, SchemasOf } from '@healthd/schemas';
import type { Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { at } from '../output/instant.js';
import { type RecordShape, type Shape, writeRecord, writeRows } from '../output/writer.js';
import { providerNamed } from '../service/provider-name.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { userOption } from './values.js';

/** `sync backfill status|cancel|retry` */
export function addBackfillCommands(sync: Command, bind: Bind, providerOption: () => Option): void {
  const backfill = sync
    .command('backfill')
    .helpCommand(false)
    .description('Backfills at vendors that export history on request and deliver it later, e.g. Garmin.')
    .summary('history that a vendor exports on request');
  withExamples(
    backfill
      .command('status')
      .description('Shows the status of each data type: requested, awaited, arrived or failed.')
      .summary('show the status of each data type')
      .addOption(userOption())
      .addOption(providerOption())
      .action(bind(backfillStatus)),
    'healthctl sync backfill status --user anna@example.org --provider garmin',
  );
  backfill
    .command('cancel')
    .description(
      'Stops further requests. The vendor still delivers data that was already requested, and the service stores it.',
    )
    .summary('stop further requests')
    .addOption(userOption())
    .addOption(providerOption())
    .action(bind(cancelRequested));
  withExamples(
    backfill
      .command('retry')
      .description(
        'Requests the history of one data type again. The vendor does not deliver time windows again that it has already accepted.',
      )
      .summary('request one data type again')
      .argument('<type>', 'data type, as listed by `sync backfill status`')
      .addOption(userOption())
      .addOption(providerOption())
      .action(bind(retryType)),
    'healthctl sync backfill retry hrv --user anna@example.org --provider garmin',
  );
}

interface BackfillOptions {
  user: string;
  provider: string;
}

type BackfillType = BackfillStatus['types'][number];
type Cancelled = ResponseOf<SchemasOf<typeof cancelBackfill>>;
type Retried = ResponseOf<SchemasOf<typeof retryBackfill>>;

const TYPES: Shape<BackfillType> = {
  fields: [
    'type',
    'state',
    'items',
    'start_date',
    'end_date',
    'requested_at',
    'first_item_at',
    'last_item_at',
    'error',
  ],
  columns: [
    { header: 'Type', cell: ({ type }) => type, keep: true },
    { header: 'State', cell: ({ state }) => state },
    { header: 'Items', cell: ({ items }) => String(items) },
    { header: 'From', cell: ({ start_date }) => at(start_date) },
    { header: 'To', cell: ({ end_date }) => at(end_date) },
    { header: 'Last item', cell: ({ last_item_at }) => at(last_item_at) },
    { header: 'Error', cell: ({ error }) => error, shrinkTo: 12 },
  ],
};
const CANCELLED: RecordShape<Cancelled> = { fields: ['success', 'user_id', 'message', 'run_id'] };
const RETRIED: RecordShape<Retried> = { fields: ['success', 'user_id', 'type', 'status', 'message', 'run_id'] };

const paramsOf = ({ user, provider }: BackfillOptions) => ({ user_id: user, provider: providerNamed(provider) });

/** `healthctl sync backfill status` */
async function backfillStatus(cli: Cli, options: BackfillOptions): Promise<void> {
  cli.willWrite(TYPES);
  const client = await cli.client();
  const status = await client.call(getBackfillStatus, { params: paramsOf(options), signal: cli.signal });
  await writeRows(cli.sink, TYPES, status.types);
  cli.say(`The backfill is ${status.overall_status}${status.run_id === null ? '' : ` (run ${status.run_id})`}.`);
}

/** `healthctl sync backfill cancel` */
async function cancelRequested(cli: Cli, options: BackfillOptions): Promise<void> {
  cli.willWrite(CANCELLED);
  const client = await cli.client();
  const cancelled = await client.call(cancelBackfill, { params: paramsOf(options), signal: cli.signal });
  cli.say(cancelled.message);
  await writeRecord(cli.sink, CANCELLED, cancelled);
}

/** `healthctl sync backfill retry` */
async function retryType(cli: Cli, type: string, options: BackfillOptions): Promise<void> {
  cli.willWrite(RETRIED);
  const client = await cli.client();
  const params = { ...paramsOf(options), type_name: type };
  const retried = await client.call(retryBackfill, { params, signal: cli.signal });
  cli.say(`${retried.message} in run ${retried.run_id}.`);
  await writeRecord(cli.sink, RETRIED, retried);
}
