import {
  DEVICE_TYPES,
  type DeviceType,
  deviceType,
  isProviderId,
  type ProviderId,
  providerFromText,
  type SourceIdentity,
} from '@healthd/model';

/**
 * Device ID of all migrated sources. It keeps them separate from later data of phones and clouds. Later data contains
 * end times and IDs that Open Wearables did not store, so within one source the same items would count twice.
 */
export const MIGRATED_DEVICE_ID = 'open-wearables';

/** A row of `data_source`. */
export interface SourceRow {
  id: string;
  provider: string | null;
  device_model: string | null;
  source: string | null;
  device_type: string | null;
  software_version: string | null;
  original_source_name: string | null;
}

/**
 * SQL for the provider of a data source `ds`. The Apple import of Open Wearables stores nights under `unknown`, with
 * the device name as the source. Such a data source belongs to Apple if its device is an Apple device, if the user's
 * Apple data has a source of that name, or if an event of the data source mentions Apple.
 */
export const PROVIDER_SQL = `case when coalesce(ds.provider, '') in ('', 'unknown') and (
    ds.device_model ~* '^(iphone|ipad|ipod|watch)[0-9]'
    or exists (select from data_source named
                where named.user_id = ds.user_id and named.provider = 'apple'
                  and coalesce(ds.source, ds.original_source_name)
                      in (named.source, named.original_source_name, named.device_model))
    or exists (select from event_record e where e.data_source_id = ds.id and e.source_name ~* 'apple|healthkit|iphone'))
  then 'apple' else ds.provider end`;

/** Returns the provider of a row; undefined if this service does not support it. */
export function providerOf(
  row: Pick<SourceRow, 'provider' | 'source' | 'original_source_name'>,
): ProviderId | undefined {
  if (row.provider !== null && isProviderId(row.provider)) return row.provider;
  if (row.provider !== null && row.provider !== '' && row.provider !== 'unknown') return undefined;
  const guessed = providerFromText(`${row.source ?? ''} ${row.original_source_name ?? ''}`);
  return guessed === 'unknown' ? undefined : guessed;
}

/** Returns the source's identity; undefined if this service does not support the provider. */
export function migratedSource(row: SourceRow): SourceIdentity | undefined {
  const provider = providerOf(row);
  if (provider === undefined) return undefined;
  const model = row.device_model ?? undefined;
  const sourceName = row.source ?? row.original_source_name ?? undefined;
  return {
    provider,
    deviceModel: model,
    writer: row.source ?? undefined,
    deviceId: MIGRATED_DEVICE_ID,
    deviceType: storedType(row.device_type) ?? deviceType({ model, sourceName, provider }),
    softwareVersion: row.software_version ?? undefined,
    originalSourceName: row.original_source_name ?? undefined,
  };
}

/** Returns the source for a provider's data that names no source. */
export function sourceOfProvider(provider: ProviderId): SourceIdentity {
  return { provider, deviceId: MIGRATED_DEVICE_ID };
}

function storedType(text: string | null): DeviceType | undefined {
  const known = DEVICE_TYPES.find((type) => type === text);
  // Omits a type that contains no information, because the device type may follow from the model.
  return known === 'unknown' || known === 'other' ? undefined : known;
}
