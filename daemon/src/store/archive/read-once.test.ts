import { dayNumber, MS_PER_DAY, seriesTypeByCode } from '@healthd/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { GARMIN, PHONE, sample, WATCH } from '../../../../test/support/records.js';
import { statementsOf } from '../../../../test/support/statements.js';
import { archiveWindow } from './archive-window.js';

const START = Date.UTC(2026, 2, 10);

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

it('archives a multi-source window with a single read of the offsets', async () => {
  const user = await fixture.newUser();
  const steps = [WATCH, PHONE, GARMIN].flatMap((source) =>
    Array.from({ length: 6 }, (_, day) =>
      sample('steps', new Date(START + day * MS_PER_DAY).toISOString(), 100 + day, { source, minutes: 10 }),
    ),
  );
  await fixture.write(user, ...steps);
  const texts = await statementsOf(fixture.pool, async (client) => {
    const { removed } = await archiveWindow(client, user, {
      typeId: seriesTypeByCode('steps').id,
      beforeDay: (dayNumber('2026-03-14') as number) + 1,
      compare: (a, b) => a.sourceId - b.sourceId,
      deviceOrder: 0,
    });
    expect(removed).toBeGreaterThan(0);
  });
  expect(texts.filter((text) => text.includes('left join offset_day'))).toHaveLength(1);
});
