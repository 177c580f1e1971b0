import { getVendorWorkout, listVendorWorkouts } from '@healthd/contract';
import type { Cli } from '../cli.js';
import { NO_FIELDS } from '../output/fields.js';
import { toYaml } from '../output/yaml.js';
import { sinceSeconds } from '../service/dates.js';
import { providerNamed } from './providers.js';

export interface VendorWorkoutsOptions {
  user: string;
  provider: string;
  since?: string;
  limit?: number;
  pageToken?: string;
}

/** `healthctl sync workouts`: what the vendor itself has, in its own form. */
export async function vendorWorkouts(cli: Cli, id: string | undefined, options: VendorWorkoutsOptions): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const params = { user_id: options.user, provider: providerNamed(options.provider) };
  const client = await cli.client();
  const { signal } = cli;
  if (id !== undefined) {
    return print(cli, await client.call(getVendorWorkout, { params: { ...params, workout_id: id }, signal }));
  }
  const since = options.since === undefined ? undefined : sinceSeconds(options.since);
  const query = { since, limit: options.limit, page_token: options.pageToken };
  await print(cli, await client.call(listVendorWorkouts, { params, query, signal }));
}

async function print(cli: Cli, answer: unknown): Promise<void> {
  const isLine = cli.sink.format === 'ndjson';
  await cli.sink.write(
    cli.sink.format === 'yaml' ? toYaml(answer) : `${JSON.stringify(answer, null, isLine ? 0 : 2)}\n`,
  );
}
