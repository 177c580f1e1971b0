import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import type { Evidence } from './evidence.js';
import type { SourcePair } from './pair.js';
import { type ComparedItem, compareItems, edgesOf, withinBoth } from './pair.js';

/** Maximum number of compared workouts, and also of compared stages, newest first. */
const MOST = 5_000;

interface ComparedSession extends ComparedItem {
  sourceId: number;
  kind: 'workout' | 'sleep_stage';
  variant: string;
  endMs: number;
}

/** Adds evidence from workouts and sleep stages. Ignores items that were deleted here. */
export async function compareSessions(
  client: pg.ClientBase,
  userKey: number,
  pair: SourcePair,
  evidence: Evidence,
): Promise<ComparedSession[]> {
  const equal: ComparedSession[] = [];
  for (const kind of ['workout', 'sleep_stage'] as const) {
    const { items, isWhole } = await loadSessions(client, userKey, pair, kind);
    const of = (sourceId: number) => items.filter((item) => item.sourceId === sourceId);
    const edges = [edgesOf(of(pair.namedId)), edgesOf(of(pair.bundledId))];
    if (!isWhole) edges.push({ ...edgesOf(items), lastMs: Number.POSITIVE_INFINITY });
    const compared = compareItems(
      withinBoth(of(pair.namedId), edges),
      withinBoth(of(pair.bundledId), edges),
      sessionKey,
      () => true,
    );
    evidence.addEqual(compared.equal.length);
    for (const against of [compared.onlyNamed, compared.onlyBundled, compared.apart]) {
      evidence.addContradictions(against.length);
    }
    equal.push(...compared.equal);
  }
  return equal;
}

/** Adds equal sessions that exist in no other source of the store. */
export async function addExclusiveSessions(
  client: pg.ClientBase,
  userKey: number,
  equal: readonly ComparedSession[],
  otherIds: readonly number[],
  evidence: Evidence,
): Promise<void> {
  for (const table of ['workout', 'sleep_stage'] as const) {
    const items = equal.filter(({ kind }) => kind === table);
    if (items.length === 0) continue;
    const { rows } = await client.query<{ at: number }>(
      `select item.at::int4 as at
         from unnest($3::float8[], $4::float8[], $5::text[]) with ordinality as item (start_ms, end_ms, variant, at)
        where exists (
          select from ${table} other
           where other.user_key = $1 and other.source_id = any ($2::int[]) and ${VARIANTS[table]} = item.variant
             and other.start_at >= to_timestamp(item.start_ms / 1000) and other.start_at < to_timestamp(item.start_ms / 1000 + 1)
             and other.end_at >= to_timestamp(item.end_ms / 1000) and other.end_at < to_timestamp(item.end_ms / 1000 + 1))`,
      [
        userKey,
        otherIds,
        items.map(({ startMs }) => startMs),
        items.map(({ endMs }) => endMs),
        items.map(({ variant }) => variant),
      ],
    );
    const copied = new Set(rows.map(({ at }) => at - 1));
    items.forEach(({ startMs }, index) => {
      if (!copied.has(index)) evidence.addExclusive(startMs);
    });
  }
}

const VARIANTS = { workout: 'type', sleep_stage: 'stage' } as const;

async function loadSessions(
  client: pg.ClientBase,
  userKey: number,
  { namedId, bundledId }: SourcePair,
  kind: ComparedSession['kind'],
): Promise<{ items: ComparedSession[]; isWhole: boolean }> {
  const { rows } = await client.query<{
    source_id: number;
    variant: string;
    start_second: number;
    end_second: number;
    external_id: string | null;
  }>(
    `select source_id, ${VARIANTS[kind]} as variant, floor(extract(epoch from start_at))::float8 as start_second,
            floor(extract(epoch from end_at))::float8 as end_second,
            ${kind === 'workout' ? 'external_id' : 'null'} as external_id
       from ${kind} item
      where user_key = $1 and source_id = any ($2::int[])
        and not exists (select from session_tombstone gone
                         where gone.user_key = $1 and item.start_at between gone.start_at - interval '1 second' and gone.end_at)
      order by start_at desc limit ${MOST}`,
    [userKey, [namedId, bundledId]],
  );
  const items = rows.map((row) => ({
    kind,
    sourceId: row.source_id,
    variant: row.variant,
    id: row.external_id ?? undefined,
    startMs: row.start_second * 1000,
    endMs: row.end_second * 1000,
    day: Math.floor((row.start_second * 1000) / MS_PER_DAY),
  }));
  return { items, isWhole: rows.length < MOST };
}

function sessionKey({ variant, startMs, endMs }: ComparedSession): string {
  return `${variant} ${startMs} ${endMs}`;
}
