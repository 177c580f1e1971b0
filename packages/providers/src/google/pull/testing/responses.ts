import type { HealthRecord, RejectionReport, SampleRecord } from '@healthd/model';
import type { PullMode, TimeRange, VendorApi, VendorRequest } from '../../../cloud/index.js';
import { GOOGLE_PULL } from '../adapter.js';
import { samplesOf } from './held.js';
import { MODES } from './modes.js';

/** Vendor with one response per path that records its requests. */
export function answering(responses: Readonly<Record<string, unknown>>): {
  api: VendorApi;
  sentRequests: VendorRequest[];
} {
  const requests: VendorRequest[] = [];
  const call = async (request: VendorRequest) => {
    requests.push(request);
    return responses[request.path.replace('/v4/users/me/dataTypes/', '')] ?? {};
  };
  return { api: { call }, sentRequests: requests };
}

const APRIL: TimeRange = {
  startMs: Date.parse('2026-04-01T00:00:00Z'),
  endMs: Date.parse('2026-04-05T00:00:00Z'),
};

export interface ReadPoints {
  samples: SampleRecord[];
  records: HealthRecord[];
  rejections: RejectionReport;
  received: number;
}

/** Reads points in the vendor's format. @param mode list by default, which includes sources */
export async function readWritten(
  id: string,
  dataPoints: readonly unknown[],
  mode: PullMode = MODES.list,
  timeZone = 'Europe/Berlin',
): Promise<ReadPoints> {
  const member = mode.granularity === 'raw' ? 'dataPoints' : 'rollupDataPoints';
  const response = { [member]: dataPoints };
  const paths = ['dataPoints', 'dataPoints:reconcile', 'dataPoints:rollUp', 'dataPoints:dailyRollUp'];
  const { api } = answering(Object.fromEntries(paths.map((path) => [`${id}/${path}`, response])));
  const { batch, rejections, received } = await GOOGLE_PULL.read(api, id, APRIL, mode, { timeZone, scopes: new Set() });
  const records = batch.records.filter(({ kind }) => kind !== 'replacement');
  return { samples: samplesOf(batch), records, rejections, received };
}
