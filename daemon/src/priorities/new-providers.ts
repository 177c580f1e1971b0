import type pg from 'pg';

/**
 * Adds providers without a priority to the end of the order. Runs in the caller's transaction, because two new providers
 * would otherwise tie until it ends. The lock prevents equal numbers.
 */
export async function rankNewProviders(client: pg.ClientBase, providers: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ provider: string }>(
    `select provider from unnest($1::text[]) as seen (provider)
      where not exists (select from provider_priority ranked where ranked.provider = seen.provider)`,
    [providers],
  );
  if (rows.length === 0) return;
  await client.query(`select pg_advisory_xact_lock(hashtext('provider_priority'))`);
  await client.query(
    `insert into provider_priority (provider, priority)
     select provider, (select coalesce(max(priority), 0) from provider_priority) + position
       from unnest($1::text[]) with ordinality as seen (provider, position)
     on conflict (provider) do nothing`,
    [rows.map(({ provider }) => provider).sort()],
  );
}
