import { randomBytes } from 'node:crypto';
import { MS_PER_DAY } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';
import { workoutFileBytes } from '../fit/index.js';
import { type Answer, file, json } from '../response.js';
import { rejectedResponse } from './rejected.js';
import type { GarminItem, SummaryKey } from './wire-types.js';

interface Callback {
  account: string;
  content: { items: readonly GarminItem[] } | { file: Uint8Array };
  endsMs: number;
}

/** URLs in pings. Each works for a day with the user's token; a file's URL works once. */
export class Callbacks {
  /** URL of the simulator. */
  origin = '';
  private readonly known = new Map<string, Callback>();

  constructor(private readonly clock: SimulatorClock) {}

  /** Returns a ping for a user's summaries. */
  announce(account: { id: string; userId: string }, key: SummaryKey, items: readonly GarminItem[]): GarminItem {
    const uploadEndTimeInSeconds = Math.floor(this.clock.nowMs() / 1000);
    const uploadStartTimeInSeconds = uploadEndTimeInSeconds - 3_600;
    const { userId } = account;
    const token = this.remember(account.id, { items: items.map((item) => ({ userId, ...item })) });
    const query = new URLSearchParams({
      uploadStartTimeInSeconds: String(uploadStartTimeInSeconds),
      uploadEndTimeInSeconds: String(uploadEndTimeInSeconds),
      token,
    });
    const callbackURL = `${this.origin}/wellness-api/rest/${key}?${query}`;
    return { userId, uploadStartTimeInSeconds, uploadEndTimeInSeconds, callbackURL };
  }

  /** Returns a ping for an activity's file. */
  announceFile(account: { id: string; userId: string }, details: GarminItem): GarminItem {
    const samples = (details.samples ?? []) as GarminItem[];
    const start = Number(samples[0]?.startTimeInSeconds ?? 0);
    const readings = samples.map((sample) => ({
      second: Number(sample.startTimeInSeconds) - start,
      heartRate: Number(sample.heartRate),
      power: Number(sample.powerInWatts),
    }));
    const token = this.remember(account.id, { file: workoutFileBytes(start * 1000, { readings }) });
    const id = String(details.activityId);
    return {
      userId: account.userId,
      summaryId: `${id}-file`,
      activityId: details.activityId,
      fileType: 'FIT',
      manual: false,
      startTimeInSeconds: start,
      callbackURL: `${this.origin}/wellness-api/rest/activityFile?${new URLSearchParams({ id, token })}`,
    };
  }

  /** Handles a request for announced data. */
  answer(account: string, token: string): Answer {
    const found = this.known.get(token);
    if (!found || found.account !== account) return rejectedResponse(403, 'Token does not belong to the user');
    if (found.endsMs <= this.clock.nowMs()) return rejectedResponse(410, 'The callback URL has expired');
    if ('items' in found.content) return json(200, found.content.items);
    this.known.set(token, { ...found, endsMs: 0 });
    return file(found.content.file);
  }

  clear(): void {
    this.known.clear();
  }

  private remember(account: string, content: Callback['content']): string {
    const token = randomBytes(12).toString('hex');
    this.known.set(token, { account, content, endsMs: this.clock.nowMs() + MS_PER_DAY });
    return token;
  }
}
