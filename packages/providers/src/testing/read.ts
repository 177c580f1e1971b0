import {
  type HealthRecord,
  type HealthScoreRecord,
  type RejectionReport,
  type SleepSessionRecord,
  seriesTypeById,
  type WorkoutRecord,
} from '@healthd/model';
import type { AwaitedItem, CloudProvider, ReadWindow, VendorApi } from '../cloud/index.js';
import { modeOf } from './consent.js';

/** A sample in a readable form for comparisons. */
interface ReadSample {
  series: string | undefined;
  at: string;
  value: number;
}

/** Result of reading one data type. */
export interface Read {
  samples: ReadSample[];
  nights: SleepSessionRecord[];
  workouts: WorkoutRecord[];
  scores: HealthScoreRecord[];
  replaced: (HealthRecord & { kind: 'replacement' })[];
  rejections: RejectionReport;
  awaited: AwaitedItem[];
  /** Number of items, including rejected and replaced items. */
  received: number;
}

/** Reads one data type of a range, window by window. */
export async function read(
  cloud: CloudProvider,
  api: VendorApi,
  scopes: ReadonlySet<string>,
  dataType: string,
  range: ReadWindow,
): Promise<Read> {
  const { pull } = cloud;
  if (!pull) throw new Error('the provider cannot be read');
  const mode = modeOf(cloud);
  const account = await pull.account(api, scopes);
  const read: Read = {
    samples: [],
    nights: [],
    workouts: [],
    scores: [],
    replaced: [],
    rejections: { total: 0, byReason: {}, first: [] },
    awaited: [],
    received: 0,
  };
  const { doneItem, items } = range;
  const windows: ReadWindow[] = pull
    .windows(dataType, range, mode, account)
    .map((window, at) => ({ ...window, items, doneItem: at === 0 ? doneItem : undefined }));
  for (let window = windows.shift(); window; window = windows.shift()) {
    const reading = await pull.read(api, dataType, window, mode, account);
    const { batch, fromMs, fromItem, states = [], awaited = [], rejections, received } = reading;
    if (fromMs !== undefined && fromMs > window.startMs) {
      windows.unshift({ ...window, endMs: fromMs, doneItem: fromItem });
    }
    read.awaited.push(...awaited);
    const { samples, records } = batch;
    for (let row = 0; row < samples.length; row++) {
      const at = new Date(samples.startMs[row] as number).toISOString();
      const series = seriesTypeById(samples.typeId[row] as number)?.code;
      read.samples.push({ series, at, value: samples.value[row] as number });
    }
    for (const { typeId, startMs, value } of states) {
      read.samples.push({ series: seriesTypeById(typeId)?.code, at: new Date(startMs).toISOString(), value });
    }
    for (const record of records) {
      if (record.kind === 'sleep_session') read.nights.push(record);
      if (record.kind === 'workout') read.workouts.push(record);
      if (record.kind === 'health_score') read.scores.push(record);
      if (record.kind === 'replacement') read.replaced.push(record);
    }
    read.received += received;
    read.rejections.total += rejections.total;
    read.rejections.first.push(...rejections.first);
    Object.assign(read.rejections.byReason, rejections.byReason);
  }
  return read;
}
