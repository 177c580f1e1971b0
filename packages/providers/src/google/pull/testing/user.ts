import { MS_PER_HOUR, SECONDS_PER_DAY, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import type { PullMode } from '../../../cloud/index.js';
import { consent, type SimulatedVendor } from './consent.js';
import { Held } from './held.js';
import { MODES } from './modes.js';
import { pull } from './pull.js';

/** Vendor whose tokens outlive the test's clock and that has no quota. */
export const SIMULATED = { autoConsent: true, accessTokenSeconds: 7 * SECONDS_PER_DAY, quota: { perUser: 100_000 } };

interface Vendor<Point> extends SimulatedVendor {
  control: {
    setClock(instant: string): Promise<void>;
    now(): Promise<string>;
    addAccount(input: { id: string; timeZone: string }): Promise<unknown>;
    addPoints(account: string, points: Point[], options: { notify: boolean }): Promise<string[]>;
  };
}

/** Account `anna` with its stored data. */
export interface Person<Point> {
  held: Held;
  /** Adds points at the vendor. */
  add(...points: Point[]): Promise<string[]>;
  /** Polls one data type from `hoursBack` hours ago (two days by default) until now. */
  poll(dataType: string, mode?: PullMode, hoursBack?: number): Promise<Held>;
  /** Reads one data type in a notification's range. */
  read(dataType: string, from: string, to: string): Promise<Held>;
}

export async function connectUser<Point>(
  simulator: Vendor<Point>,
  now: string,
  timeZone = 'Europe/Berlin',
): Promise<Person<Point>> {
  const { control } = simulator;
  await control.setClock(now);
  await control.addAccount({ id: 'anna', timeZone });
  const { api, scopes } = await consent(simulator, 'anna');
  const held = new Held();
  const read = (dataType: string, startMs: number, endMs: number, mode: PullMode) =>
    pull(api, scopes, { startMs, endMs }, mode, { into: held, only: [dataType] });
  return {
    held,
    add: (...points) => control.addPoints('anna', points, { notify: false }),
    read: (dataType, from, to) => read(dataType, Date.parse(from), Date.parse(to), MODES.reconcile),
    async poll(dataType, mode = MODES.reconcile, hoursBack = 48) {
      const endMs = Date.parse(await control.now());
      return read(dataType, endMs - hoursBack * MS_PER_HOUR, endMs, mode);
    },
  };
}

/** Returns a series' values in order of time. */
export function valuesOf(held: Held, series: SeriesCode): number[] {
  const { id } = seriesTypeByCode(series);
  const own = held.samples.filter(({ typeId }) => typeId === id).sort((a, b) => a.startMs - b.startMs);
  return own.map(({ value }) => value);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
