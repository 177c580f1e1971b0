import { fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import { arrayLiteral } from '../../../platform/database/index.js';
import type { HeartRateMinutes } from '../../facts/archived/heart-rate-minutes.js';
import type { StepMinutes } from './day-minutes.js';

interface SourceDay {
  sourceId: number;
  day: number;
}

/** Writes the heart-rate half of the days' rows; `undefined` clears it. */
export async function storeHeartRateMinutes(
  client: pg.ClientBase,
  userKey: number,
  days: (SourceDay & { minutes: HeartRateMinutes | undefined })[],
): Promise<void> {
  if (days.length === 0) return;
  await client.query({
    name: 'records-store-heart-rate-minutes',
    text: UPSERT_HEART_RATE,
    values: [
      userKey,
      ...keysOf(days),
      arrayLiteral(days.map(({ minutes }) => minutes && `{${minutes.bins.join()}}`)),
      arrayLiteral(days.map(({ minutes }) => minutes && `{${minutes.seconds.join()}}`)),
      arrayLiteral(days.map(({ minutes }) => minutes?.minutes)),
    ],
  });
  await deleteEmptied(client, userKey, days);
}

/** Writes the step half of the days' rows; `undefined` clears it. */
export async function storeStepMinutes(
  client: pg.ClientBase,
  userKey: number,
  days: (SourceDay & { minutes: StepMinutes | undefined })[],
): Promise<void> {
  if (days.length === 0) return;
  await client.query({
    name: 'records-store-step-minutes',
    text: UPSERT_STEPS,
    values: [
      userKey,
      ...keysOf(days),
      arrayLiteral(days.map(({ minutes }) => minutes?.tracked)),
      arrayLiteral(days.map(({ minutes }) => minutes?.active)),
    ],
  });
  await deleteEmptied(client, userKey, days);
}

async function deleteEmptied(
  client: pg.ClientBase,
  userKey: number,
  days: (SourceDay & { minutes: unknown })[],
): Promise<void> {
  const emptied = days.filter(({ minutes }) => minutes === undefined);
  if (emptied.length === 0) return;
  await client.query(
    `delete from day_minutes m using unnest($2::date[], $3::int[]) as emptied (local_date, source_id)
      where m.user_key = $1 and m.local_date = emptied.local_date and m.source_id = emptied.source_id
        and m.heart_rate_bins is null and m.step_minutes is null`,
    [userKey, ...keysOf(emptied)],
  );
}

function keysOf(days: SourceDay[]): [dates: string, sourceIds: string] {
  return [arrayLiteral(days.map(({ day }) => fromDayNumber(day))), arrayLiteral(days.map(({ sourceId }) => sourceId))];
}

const UPSERT_HEART_RATE = `
insert into day_minutes as stored (user_key, local_date, source_id, heart_rate_bins, heart_rate_seconds, heart_rate_minutes)
select $1, local_date, source_id, bins::smallint[], seconds::real[], minutes::bit(1440)
  from unnest($2::date[], $3::int[], $4::text[], $5::text[], $6::text[])
       as fresh (local_date, source_id, bins, seconds, minutes)
on conflict (user_key, local_date, source_id) do update
   set heart_rate_bins = excluded.heart_rate_bins, heart_rate_seconds = excluded.heart_rate_seconds,
       heart_rate_minutes = excluded.heart_rate_minutes
 where (stored.heart_rate_bins, stored.heart_rate_seconds, stored.heart_rate_minutes)
    is distinct from (excluded.heart_rate_bins, excluded.heart_rate_seconds, excluded.heart_rate_minutes)`;

const UPSERT_STEPS = `
insert into day_minutes as stored (user_key, local_date, source_id, step_minutes, active_minutes)
select $1, local_date, source_id, tracked::bit(1440), active::bit(1440)
  from unnest($2::date[], $3::int[], $4::text[], $5::text[]) as fresh (local_date, source_id, tracked, active)
on conflict (user_key, local_date, source_id) do update
   set step_minutes = excluded.step_minutes, active_minutes = excluded.active_minutes
 where (stored.step_minutes, stored.active_minutes) is distinct from (excluded.step_minutes, excluded.active_minutes)`;
