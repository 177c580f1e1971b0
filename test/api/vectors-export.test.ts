import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportFixture, openImportFixture } from './import-fixture.js';

/**
 * The numbered examples for the units and formats of export files. `vectors.test.ts` contains the examples of
 * summaries.
 */

const record = (type: string, unit: string, value: string) =>
  ` <Record type="HKQuantityTypeIdentifier${type}" sourceName="Phone" unit="${unit}" value="${value}" ` +
  'creationDate="2026-03-10 09:00:00 +0100" startDate="2026-03-10 09:00:00 +0100" endDate="2026-03-10 09:10:00 +0100"/>\n';
const file = (records: string, dtd = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${dtd}<HealthData locale="en_PL">\n${records}</HealthData>\n`;

/** A DTD of iOS with export version 12: one attribute list has no end, another has a duplicate attribute. */
const DTD_OF_VERSION_12 = `<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 12 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|VisionPrescription)*)>
<!ATTLIST VisionPrescription
  type CDATA #REQUIRED
<!ELEMENT RightEye EMPTY>
<!ATTLIST WorkoutStatistics startDate CDATA #REQUIRED startDate CDATA #REQUIRED>
]>
`;

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

async function imported(userId: string, content: string) {
  const { run_id: runId } = await fixture.upload(userId, content);
  const run = await fixture.ended(runId);
  const report = run.metadata.report as { stored: { samples: { inserted: number; unchanged: number } } };
  return { status: run.status, ...report.stored.samples };
}

async function storedValues(userId: string) {
  const { rows } = await fixture.pool.query<{ value: number }>(
    'select value from sample where user_key = (select user_key from health_user where id = $1) order by start_at',
    [userId],
  );
  return rows.map(({ value }) => value);
}

describe('vector', () => {
  it.each([
    [32, 'a saturation of 0.97 in "%" is 97', record('OxygenSaturation', '%', '0.97'), 97],
    [33, '1.5 km is 1500 m', record('DistanceWalkingRunning', 'km', '1.5'), 1500],
    [34, '160 lb is 72.575 kg', record('BodyMass', 'lb', '160'), 72.575],
    [35, '5.5 mmol/L is 99.086 mg/dL', record('BloodGlucose', 'mmol&lt;180.1558800000541&gt;/L', '5.5'), 99.086],
  ])('%i: %s', async (_, __, xml, value) => {
    const user = await fixture.createUser();
    expect(await imported(user, file(xml))).toMatchObject({ status: 'success', inserted: 1 });
    expect(await storedValues(user)).toEqual([expect.closeTo(value, 3)]);
  });

  it('vector 36: imports a file with the broken DTD of version 12', async () => {
    const user = await fixture.createUser();
    const content = file(record('StepCount', 'count', '120'), DTD_OF_VERSION_12);
    expect(await imported(user, content)).toMatchObject({ status: 'success', inserted: 1 });
    expect(await storedValues(user)).toEqual([120]);
  });

  it('vector 37: inserts nothing when the same file is imported again', async () => {
    const user = await fixture.createUser();
    const content = file(record('StepCount', 'count', '120') + record('HeartRate', 'count/min', '61'));
    expect(await imported(user, content)).toMatchObject({ inserted: 2, unchanged: 0 });
    expect(await imported(user, content)).toMatchObject({ status: 'success', inserted: 0, unchanged: 2 });
  });
});
