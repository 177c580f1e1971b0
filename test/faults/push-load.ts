import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MS_PER_MINUTE } from '@healthd/model';

const RECORDS = 60;
const START_MS = Date.UTC(2026, 5, 1);

/** Batches of one user's phone and their responses. */
export interface Phone {
  userId: string;
  /** IDs of the batches with a 202 response, in the order of sending. */
  accepted: string[];
  /** Number of created batches. The service accepts all of them in the end. */
  made: number;
}

/** Counts of responses while faults occurred. */
export interface LoadCounts {
  accepted: number;
  /** Number of 5xx responses, after which a client sends its batch again. */
  later: number;
  /** Number of requests without a response. The batch may be stored or not, and is sent again. */
  lost: number;
  /** Responses that make a client drop its batch. */
  wrong: string[];
}

/** Returns one batch in a separate time range, so that stored batches can be counted. */
export function phoneBatch(number: number): { body: string; records: number } {
  const startMs = START_MS + number * RECORDS * MS_PER_MINUTE;
  const at = (minute: number) => `${new Date(startMs + minute * MS_PER_MINUTE).toISOString().slice(0, 19)}Z`;
  const source = { appId: 'com.example.fit', deviceModel: 'Pixel Watch 4', deviceType: 'watch' };
  const records = Array.from({ length: RECORDS }, (_, minute) => ({
    id: `st-${number}-${minute}`,
    type: 'STEP_COUNT',
    startDate: at(minute),
    endDate: at(minute + 1),
    zoneOffset: 'Z',
    value: minute + 1,
    unit: 'count',
    source,
  }));
  const workout = { id: `ex-${number}`, type: 'WALKING', startDate: at(0), endDate: at(30), zoneOffset: 'Z', source };
  const stage = {
    parentId: `sl-${number}`,
    stage: 'light',
    startDate: at(0),
    endDate: at(50),
    zoneOffset: 'Z',
    source,
  };
  const data = { records, workouts: [workout], sleep: [stage] };
  const envelope = { provider: 'google', sdkVersion: '0.11.0', syncTimestamp: '2026-11-20T08:25:00Z' };
  return { body: JSON.stringify({ ...envelope, data }), records: RECORDS };
}

/** Sends batches until `stop` is aborted. Repeats a batch until the response is 202, as clients do. */
export async function sendUntil(
  phone: Phone,
  service: { url(): string | undefined; headers: Record<string, string> },
  counts: LoadCounts,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const { body } = phoneBatch(phone.made);
    const key = randomUUID();
    // Every third batch has no key, so a repetition is processed twice and must change nothing.
    const named: Record<string, string> = phone.made % 3 === 0 ? {} : { 'Idempotency-Key': key };
    for (;;) {
      const batchId = await sendOnce(phone.userId, body, service, named, counts);
      if (batchId !== undefined) {
        phone.accepted.push(batchId);
        break;
      }
      // The delay is shorter than a phone's, but long enough that the machine does more than reject batches.
      await sleep(150);
    }
    phone.made++;
    await sleep(5 + Math.random() * 40);
  }
}

async function sendOnce(
  userId: string,
  body: string,
  { url, headers }: { url(): string | undefined; headers: Record<string, string> },
  named: Record<string, string>,
  counts: LoadCounts,
): Promise<string | undefined> {
  const base = url();
  if (base === undefined) return undefined;
  try {
    const response = await fetch(`${base}/api/v1/sdk/users/${userId}/sync`, {
      method: 'POST',
      headers: { ...headers, ...named },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (response.status === 202) {
      counts.accepted++;
      return (JSON.parse(text) as { batch_id: string }).batch_id;
    }
    if (response.status >= 500) counts.later++;
    else counts.wrong.push(`${response.status} ${text}`);
  } catch {
    counts.lost++;
  }
  return undefined;
}
