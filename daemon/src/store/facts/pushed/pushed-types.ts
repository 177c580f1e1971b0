import { seriesTypeById } from '@healthd/model';
import type pg from 'pg';
import { DEVICE_OF_ROW, ID_OF_ROW } from './pushed-items.js';
import { SLEEP_ITEM, WORKOUT_ITEM } from './pushed-tombstones.js';

/** Stored data of one type that a phone pushed. */
export interface PushedType {
  provider: string;
  /** Code of the series, `sleep` or `workouts`. */
  type: string;
  /** Number of different ids. Excludes items without an id. */
  ids: number;
  newestAt: Date;
}

/** Returns the types that a phone pushed for a user, by provider and type. @param device name that the phone reports */
export async function pushedTypesOf(pool: pg.Pool, userKey: number, device: string): Promise<PushedType[]> {
  const { rows } = await pool.query<Omit<PushedType, 'type'> & { typeId: number }>(
    `select d.provider, p.type_id as "typeId", max(p.start_at) as "newestAt",
            count(distinct p.id_hash) filter (where p.id_hash >= 0)::int as ids
       from push_device d
      cross join lateral (
        select type_id, start_at, id_hash from pushed_sample where user_key = d.user_key and device = d.device
        union all
        select s.type_id, s.start_at, ${ID_OF_ROW} from sample s
         where s.user_key + 0 = d.user_key and s.pushed is not null and ${DEVICE_OF_ROW} = d.device) p
      where d.user_key = $1 and d.name = $2 group by d.provider, p.type_id order by d.provider, p.type_id`,
    [userKey, device],
  );
  return rows.map(({ typeId, ...row }) => ({ ...row, type: nameOf(typeId) }));
}

function nameOf(typeId: number): string {
  if (typeId === SLEEP_ITEM) return 'sleep';
  if (typeId === WORKOUT_ITEM) return 'workouts';
  return seriesTypeById(typeId)?.code ?? String(typeId);
}
