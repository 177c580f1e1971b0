import type { HealthRecord } from '@healthd/model';
import {
  type PullAdapter,
  type PullMode,
  Tally,
  type TimeRange,
  type VendorAccount,
  type VendorApi,
  VendorError,
  type WindowReading,
} from '../../cloud/index.js';
import { readingOf } from '../../rest/index.js';
import { readAccount } from './account.js';
import { GOOGLE_DATA_TYPES, type GoogleDataType, googleDataType } from './data-types.js';
import { LocalDays } from './local-days.js';
import { energyWindows, readBasalEnergy } from './read-basal-energy.js';
import { readSeries } from './read-series.js';
import { readExercises, readSleep } from './read-sessions.js';
import { instantWindows, seriesWindows } from './windows.js';

/** Maximum number of days of sessions in one read. */
const SESSION_CHUNK_DAYS = 30;

/** Reads the Google Health API, v4. */
export const GOOGLE_PULL: PullAdapter = {
  dataTypes: GOOGLE_DATA_TYPES,
  account: readAccount,
  windows,
  read,
};

function windows(dataType: string, range: TimeRange, mode: PullMode, account: VendorAccount): readonly TimeRange[] {
  const { reading } = typeOf(dataType);
  const days = new LocalDays(account);
  if (reading.kind === 'series') return seriesWindows(reading.types, range, mode, days);
  if (reading.kind === 'basal_energy') return energyWindows(range, mode, days);
  return instantWindows(range, SESSION_CHUNK_DAYS);
}

async function read(
  api: VendorApi,
  dataType: string,
  window: TimeRange,
  mode: PullMode,
  account: VendorAccount,
): Promise<WindowReading> {
  const type = typeOf(dataType);
  const tally = new Tally(type.id);
  const records = await recordsOf(type, { api, window, mode, days: new LocalDays(account), tally });
  return readingOf(records, tally);
}

function recordsOf(
  { reading }: GoogleDataType,
  context: { api: VendorApi; window: TimeRange; mode: PullMode; days: LocalDays; tally: Tally },
): Promise<HealthRecord[]> {
  switch (reading.kind) {
    case 'series':
      return readSeries(reading.types, context);
    case 'basal_energy':
      return readBasalEnergy(context);
    case 'sleep':
      return readSleep(context);
    case 'exercise':
      return readExercises(context);
  }
}

/** @throws VendorError `invalid_request` for an unknown type */
function typeOf(id: string): GoogleDataType {
  const type = googleDataType(id);
  if (type === undefined) throw new VendorError({ code: 'invalid_request', reason: 'unknown_data_type' });
  return type;
}
