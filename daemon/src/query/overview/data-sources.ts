import type { DataSource } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { knownDeviceType, shownWriter } from '../sources.js';

interface DataSourceRow {
  id: string;
  provider: string;
  user_connection_id: string | null;
  vendor_account: string | null;
  device_model: string | null;
  software_version: string | null;
  writer: string | null;
  device_type: string | null;
  original_source_name: string | null;
}

const selectDataSources = statement(
  'reading_data_sources',
  `select d.id, provider, c.id as user_connection_id,
     case when account not like 'consent:%' and account not like 'connection:%' then account end as vendor_account, device_model, software_version, ${shownWriter('d')} as writer, device_type,
     original_source_name
   from data_source d left join connection c using (user_key, provider) where user_key = $1
   order by provider, device_model nulls last, d.writer nulls last, source_id`,
);

/** Returns the devices and apps that supplied data of one user. */
export async function readDataSources(
  pool: pg.Pool,
  user: { id: string; userKey: number },
): Promise<{ items: DataSource[]; total: number }> {
  const { rows } = await pool.query<DataSourceRow>(selectDataSources([user.userKey]));
  const items = rows.map(({ writer, ...row }) => ({
    ...row,
    user_id: user.id,
    source: writer,
    device_type: knownDeviceType(row.device_type),
    display_name: displayName(row),
  }));
  return { items, total: items.length };
}

/** Returns the capitalized provider with the model, or with the name of the app. */
export function displayName(source: Pick<DataSourceRow, 'provider' | 'device_model' | 'original_source_name'>): string {
  const provider = source.provider.charAt(0).toUpperCase() + source.provider.slice(1);
  const detail = source.device_model ?? source.original_source_name;
  return detail === null ? provider : `${provider} - ${detail}`;
}
