import { dayNumber, type PersonalRecord } from '@healthd/model';
import type pg from 'pg';
import { addAllSummaries } from './changes.js';

/** Fills empty fields. Keeps values that a user or an earlier import set. */
export async function fillPersonalRecord(
  client: pg.ClientBase,
  userKey: number,
  { birthDate, gender }: PersonalRecord,
): Promise<void> {
  const date = birthDate !== undefined && dayNumber(birthDate) !== undefined ? birthDate : undefined;
  if (date === undefined && gender === undefined) return;
  const { rowCount } = await client.query(
    `insert into personal_record as stored (user_key, birth_date, gender) values ($1, $2, $3)
     on conflict (user_key) do update
        set birth_date = coalesce(stored.birth_date, excluded.birth_date),
            gender = coalesce(stored.gender, excluded.gender), updated_at = now()
      where stored.birth_date is null and excluded.birth_date is not null
         or stored.gender is null and excluded.gender is not null`,
    [userKey, date ?? null, gender ?? null],
  );
  // Heart rate zones and body figures depend on age and sex.
  if (rowCount) await addAllSummaries(client, userKey, ['activity', 'body']);
}
