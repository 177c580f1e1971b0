import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
  renewWebhookSubscriptions,
  updateWebhookSubscription,
} from '@healthd/contract';
import type { ResponseOf, SchemasOf } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { Outcome } from '../outcome.js';
import { type Shape, writeRows } from '../output/writer.js';
import { providerNamed } from '../service/provider-name.js';
import { confirmByTyping } from '../ui/confirm.js';
import type { Bind } from './bind.js';

const PROVIDER = 'name of the provider, e.g. google';

/** `subscribers list|show|register|update|delete|renew` */
export function addSubscribersCommands(program: Command, bind: Bind): void {
  const subscribers = program
    .command('subscribers')
    .helpCommand(false)
    .description(
      'Webhook subscriptions at vendors: the URL to which a vendor reports new data. For providers in webhook mode, the service manages the subscriptions itself; use these commands for other providers. Requires a developer login.',
    )
    .summary('manage webhook subscriptions at vendors');
  subscribers
    .command('list')
    .description('Lists the subscriptions at a vendor, in the vendor’s format.')
    .summary('list subscriptions')
    .argument('<provider>', PROVIDER)
    .action(bind(listSubscribers));
  subscribers
    .command('show')
    .description('Shows one subscription.')
    .summary('show one subscription')
    .argument('<provider>', PROVIDER)
    .argument('<id>', 'id of the subscription')
    .action(bind(showSubscriber));
  subscribers
    .command('register')
    .description('Registers a webhook URL at a vendor, or updates the registered URL.')
    .summary('register a webhook URL at a vendor')
    .argument('<provider>', PROVIDER)
    .argument('<address>', 'https URL of this service that the vendor can reach')
    .addHelpText(
      'after',
      '\nExample:\n  healthctl subscribers register google https://health.example.org/api/v1/providers/google/webhooks\n',
    )
    .action(bind(registerSubscriber));
  subscribers
    .command('update')
    .description('Changes the URL of a subscription.')
    .summary('change the URL of a subscription')
    .argument('<provider>', PROVIDER)
    .argument('<id>', 'id of the subscription')
    .argument('<address>', 'https URL of this service that the vendor can reach')
    .action(bind(updateSubscriber));
  subscribers
    .command('delete')
    .description('Deletes a subscription. Asks you to type its id first.')
    .summary('delete a subscription')
    .argument('<provider>', PROVIDER)
    .argument('<id>', 'id of the subscription')
    .option('-y, --yes', 'skip the confirmation')
    .action(bind(deleteSubscriber));
  subscribers
    .command('renew')
    .description(
      'Renews subscriptions that expire, such as Oura’s. In webhook mode the service renews them automatically.',
    )
    .summary('renew subscriptions that expire')
    .argument('<provider>', PROVIDER)
    .action(bind(renewSubscribers));
}

/** A subscription in the vendor's format. */
type Subscription = Record<string, unknown>;
type Result = ResponseOf<SchemasOf<typeof deleteWebhookSubscription>>['deleted'];

const RESULTS = {
  fields: ['subscription_id', 'status', 'error'],
  columns: [
    { header: 'Subscription', cell: (result: Result) => result.subscription_id, keep: true as const },
    { header: 'Result', cell: (result: Result) => result.status },
    { header: 'Error', cell: (result: Result) => result.error },
  ],
} satisfies Shape<Result>;

/** `healthctl subscribers list` */
async function listSubscribers(cli: Cli, name: string): Promise<void> {
  const provider = providerNamed(name);
  const client = await cli.client();
  const { subscriptions } = await client.call(listWebhookSubscriptions, { params: { provider }, signal: cli.signal });
  await show(cli, subscriptions);
  if (subscriptions.length === 0) {
    const { url } = await cli.connection();
    cli.hint(
      `No subscriptions. Register one: healthctl subscribers register ${provider} ${url}/api/v1/providers/${provider}/webhooks`,
    );
  }
}

/** `healthctl subscribers show` */
async function showSubscriber(cli: Cli, name: string, id: string): Promise<void> {
  const params = { provider: providerNamed(name), subscription_id: id };
  const client = await cli.client();
  const { subscription } = await client.call(getWebhookSubscription, { params, signal: cli.signal });
  if (subscription) return show(cli, [subscription]);
  cli.insist(`Subscription ${id} not found.`);
  throw new Outcome(EXIT.failed);
}

/** `healthctl subscribers register` */
async function registerSubscriber(cli: Cli, name: string, address: string): Promise<void> {
  cli.willWrite(RESULTS);
  const provider = providerNamed(name);
  const client = await cli.client();
  const query = { callback_url: address };
  const response = await client.call(createWebhookSubscription, { params: { provider }, query, signal: cli.signal });
  await showResults(cli, response.subscriptions);
}

/** `healthctl subscribers update` */
async function updateSubscriber(cli: Cli, name: string, id: string, address: string): Promise<void> {
  cli.willWrite(RESULTS);
  const params = { provider: providerNamed(name), subscription_id: id };
  const client = await cli.client();
  const query = { callback_url: address };
  const { updated } = await client.call(updateWebhookSubscription, { params, query, signal: cli.signal });
  await showResults(cli, [updated]);
}

/** `healthctl subscribers delete` */
async function deleteSubscriber(cli: Cli, name: string, id: string, { yes }: { yes?: boolean }): Promise<void> {
  cli.willWrite(RESULTS);
  const params = { provider: providerNamed(name), subscription_id: id };
  if (!yes)
    await confirmByTyping(
      cli,
      `${name} will no longer report to this URL. The service polls the vendor instead.`,
      id,
      'delete',
    );
  const client = await cli.client();
  const { deleted } = await client.call(deleteWebhookSubscription, { params, signal: cli.signal });
  await showResults(cli, [deleted]);
}

/** `healthctl subscribers renew` */
async function renewSubscribers(cli: Cli, name: string): Promise<void> {
  cli.willWrite(RESULTS);
  const provider = providerNamed(name);
  const client = await cli.client();
  const { renewed } = await client.call(renewWebhookSubscriptions, { params: { provider }, signal: cli.signal });
  await showResults(cli, renewed);
}

async function show(cli: Cli, subscriptions: readonly Subscription[]): Promise<void> {
  const names = [...new Set(subscriptions.flatMap((subscription) => Object.keys(subscription)))];
  const columns = names.map((name, index) => ({
    header: name,
    cell: (subscription: Subscription) => textOf(subscription[name]),
    ...(index === 0 ? { keep: true as const } : { shrinkTo: 12 }),
  }));
  await writeRows<Subscription>(cli.sink, { fields: names, columns }, subscriptions);
}

/** @throws Outcome if a renewal failed */
async function showResults(cli: Cli, results: readonly Result[]): Promise<void> {
  await writeRows(cli.sink, RESULTS, results);
  if (results.some(({ status }) => status === 'error')) throw new Outcome(EXIT.failed);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
