import { dayNumber, type HealthRecord, type ReplacementRecord, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { sample } from '../../../../test/support/records.js';
import { archiveUser } from '../archive/archive-user.js';

const CLOUD: SourceIdentity = { provider: 'google', writer: 'cloud' };
const HOUR = { source: CLOUD, minutes: 60, offsetMinutes: 0 };
const at = (hour: string) => `2026-03-10T${hour}:00Z`;

let fixture: RecordFixture;
let user: number;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
beforeEach(async () => {
  user = await fixture.newUser();
});
afterAll(() => fixture.close());

function hour(start: string, mean: number, minimum?: number, maximum?: number): HealthRecord {
  const extremes = minimum === undefined || maximum === undefined ? undefined : { minimum, maximum };
  return { ...sample('heart_rate', at(start), mean, HOUR), extremes };
}

const replaced = (from: string, to: string): ReplacementRecord => ({
  kind: 'replacement',
  provider: 'google',
  writer: 'cloud',
  of: 'samples',
  typeIds: [1],
  startMs: Date.parse(at(from)),
  endMs: Date.parse(at(to)),
});

/** Returns the lowest, mean and highest value of the day. */
async function day() {
  const { rows } = await fixture.pool.query<{ least: number; mean: number; greatest: number }>(
    `select sample_min as least, coalesce(sample_sum / nullif(sample_count, 0), total_sum) as mean, sample_max as greatest
       from day_value where user_key = $1 and type_id = 1 and local_date = '2026-03-10'`,
    [user],
  );
  return rows.map(({ least, mean, greatest }) => [least, mean, greatest]);
}

async function reported() {
  const { rowCount } = await fixture.pool.query('select from sample_extremes where user_key = $1', [user]);
  return rowCount;
}

describe("a day's minimum and maximum", () => {
  it('come from the extremes that the vendor reports with its means', async () => {
    await fixture.write(user, hour('08:00', 64, 52, 80), hour('09:00', 109, 90, 125), hour('10:00', 70));
    expect(await day()).toEqual([[52, 81, 125]]);
  });

  it('come from a vendor’s daily figure if no readings exist', async () => {
    const total = sample('heart_rate', at('00:00'), 71, { ...HOUR, minutes: 1440, kind: 'daily_total' });
    await fixture.write(user, { ...total, extremes: { minimum: 52, maximum: 125 } });
    expect(await day()).toEqual([[52, 71, 125]]);
  });

  it("change with the hour's extremes even if its mean is unchanged", async () => {
    await fixture.write(user, hour('08:00', 64, 52, 80), sample('heart_rate', at('07:00'), 60, { source: CLOUD }));
    await fixture.write(user, replaced('08:00', '09:00'), hour('08:00', 64, 50, 82));
    expect(await day()).toEqual([[50, 62, 82]]);
    await fixture.write(user, replaced('08:00', '09:00'), hour('08:00', 66, 50, 131));
    expect(await day()).toEqual([[50, 63, 131]]);
    const again = await fixture.write(user, replaced('08:00', '09:00'), hour('08:00', 66, 50, 131));
    expect(again.dates).toBeUndefined();
    expect(await reported()).toBe(1);
  });

  it('are removed with their samples', async () => {
    await fixture.write(user, hour('08:00', 64, 52, 80), hour('09:00', 100, 90, 125));
    await fixture.write(user, replaced('09:00', '10:00'));
    expect(await day()).toEqual([[52, 64, 80]]);
    expect(await reported()).toBe(1);
    await fixture.write(user, replaced('08:00', '09:00'), hour('08:00', 90));
    expect(await day()).toEqual([[90, 90, 90]]);
    await fixture.write(user, replaced('08:00', '09:00'));
    expect(await reported()).toBe(0);
  });

  it('combine with later samples even after archiving', async () => {
    await fixture.write(user, hour('08:00', 64, 52, 80), hour('09:00', 100, 90, 125));
    const beforeDay = (dayNumber('2026-03-10') as number) + 1;
    await archiveUser(fixture.pool, user, { beforeDay, compare: () => 0, deviceOrder: 0 });
    expect(await day()).toEqual([[52, 82, 125]]);
    expect(await reported()).toBe(0);
    await fixture.write(user, hour('12:00', 82, 49, 90));
    expect(await day()).toEqual([[49, 82, 125]]);
  });

  it('are deleted only with their own provider', async () => {
    await fixture.write(user, hour('08:00', 64, 52, 80));
    await fixture.writer.deleteProvider(user, 'garmin');
    expect(await reported()).toBe(1);
    await fixture.writer.deleteProvider(user, 'google');
    expect(await reported()).toBe(0);
  });
});
