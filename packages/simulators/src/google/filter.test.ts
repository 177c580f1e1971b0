import { expect, test } from 'vitest';
import { ResponseError } from '../response.js';
import { Calendar } from '../calendar.js';
import { dataTypeCalled } from './data-types.js';
import { parseFilter } from './filter.js';
import { storedPoint } from './stored-points.js';

const berlin = new Calendar('Europe/Berlin');

function reasonOf(dataType: string, expression: string): string {
  try {
    parseFilter(expression, dataTypeCalled(dataType));
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    expect(error.answer.status).toBe(400);
    const info = JSON.parse(error.answer.body).error.details[0];
    expect(info.reason).toBe('INVALID_DATA_POINT_FILTER');
    return info.metadata?.detailedReasons?.replace('INVALID_DATA_POINT_FILTER_', '') ?? 'plain';
  }
}

test.each([
  [
    'steps',
    'steps.interval.start_time >= "2026-04-02T00:00:00Z" AND steps.interval.start_time < "2026-04-03T00:00:00Z"',
  ],
  ['steps', 'steps.interval.start_time >= "2026-04-02T00:00:00.250+02:00"'],
  [
    'steps',
    'steps.interval.civil_start_time >= "2026-04-02" AND steps.interval.civil_start_time < "2026-04-02T12:00:00"',
  ],
  ['heart-rate', 'heart_rate.sample_time.physical_time >= "2026-04-02T00:00:00Z"'],
  ['heart-rate', 'heart_rate.sample_time.civil_time < "2026-04-02T08:00:00"'],
  ['daily-resting-heart-rate', 'daily_resting_heart_rate.date >= "2026-04-01"'],
  ['exercise', 'exercise.interval.civil_start_time >= "2026-04-01"'],
  ['hydration-log', 'hydration_log.interval.civil_start_time >= "2026-04-01"'],
  ['sleep', 'sleep.interval.end_time >= "2026-04-02T00:00:00Z" AND sleep.interval.end_time < "2026-04-04T00:00:00Z"'],
  ['sleep', 'sleep.interval.civil_end_time >= "2026-04-02"'],
  ['sleep', 'sleep.interval.end_time < "2026-04-02T00:00:00Z" OR sleep.interval.end_time >= "2026-04-04T00:00:00Z"'],
])('accepts the %s filter %s', (dataType, expression) => {
  expect(reasonOf(dataType, expression)).toBe('accepted');
});

test.each([
  ['steps', 'steps.interval.start_time >= 2026', 'SYNTAX'],
  ['steps', 'steps.interval.start_time >= "2026-04-02T00:00:00Z', 'SYNTAX'],
  ['steps', 'steps.interval.start_time >=', 'MISSING_TOKEN'],
  ['steps', 'steps.interval.start_time >= "2026-04-02T00:00:00Z" AND', 'MISSING_TOKEN'],
  ['steps', '(steps.interval.start_time >= "2026-04-02T00:00:00Z")', 'EXPRESSION_STRUCTURE'],
  [
    'steps',
    'steps.interval.start_time >= "2026-04-02T00:00:00Z" OR steps.interval.start_time < "2026-04-01T00:00:00Z"',
    'EXPRESSION_STRUCTURE',
  ],
  ['steps', 'steps.interval.start_time > "2026-04-02T00:00:00Z"', 'RESTRICTION_COMPARATOR'],
  ['steps', 'steps.interval.start_time <= "2026-04-02T00:00:00Z"', 'RESTRICTION_COMPARATOR'],
  ['steps', 'steps.interval.start_time >= "2026-04-02"', 'TIMESTAMP_FORMAT'],
  ['steps', 'steps.interval.civil_start_time >= "2026-04-02T00:00:00Z"', 'CIVIL_DATE_TIME_FORMAT'],
  ['daily-resting-heart-rate', 'daily_resting_heart_rate.date >= "2026-04-02T00:00:00"', 'CIVIL_DATE_TIME_FORMAT'],
  ['steps', 'pulse.interval.start_time >= "2026-04-02T00:00:00Z"', 'DATA_TYPE_RESTRICTION'],
  ['steps', 'distance.interval.start_time >= "2026-04-02T00:00:00Z"', 'COLLECTION_MISMATCH'],
  ['heart-rate', 'heart-rate.sample_time.physical_time >= "2026-04-02T00:00:00Z"', 'plain'],
  ['heart-rate', 'heartRate.sample_time.physical_time >= "2026-04-02T00:00:00Z"', 'plain'],
  ['steps', 'steps.interval.end_time < "2026-04-02T00:00:00Z"', 'DATA_TYPE_MEMBER'],
  ['sleep', 'sleep.interval.start_time >= "2026-04-02T00:00:00Z"', 'DATA_TYPE_MEMBER'],
  ['exercise', 'exercise.interval.start_time >= "2026-04-02T00:00:00Z"', 'DATA_TYPE_MEMBER'],
  [
    'steps',
    'steps.interval.start_time >= "2026-04-02T00:00:00Z" AND steps.interval.civil_start_time < "2026-04-03"',
    'MIXED_TIME_RESTRICTIONS',
  ],
  [
    'steps',
    'steps.interval.start_time >= "2026-04-02T00:00:00Z" AND steps.interval.start_time < "2026-04-02T00:00:00Z"',
    'INVALID_TIME_RANGE',
  ],
])('rejects the %s filter %s: %s', (dataType, expression, reason) => {
  expect(reasonOf(dataType, expression)).toBe(reason);
});

test('reports the first problem in the vendor’s order', () => {
  expect(reasonOf('steps', 'pulse.interval.end_time > "2026-04-02T00:00:00Z"')).toBe('RESTRICTION_COMPARATOR');
  expect(reasonOf('steps', 'pulse.interval.end_time < "2026-04-02T00:00:00Z"')).toBe('DATA_TYPE_RESTRICTION');
});

test('compares civil bounds with civil times, physical bounds with instants', () => {
  const steps = dataTypeCalled('steps');
  const evening = storedPoint(
    { dataType: 'steps', startTime: '2026-04-02T22:30:00Z', endTime: '2026-04-02T22:31:00Z', value: 60 },
    berlin,
  );
  expect(parseFilter('steps.interval.civil_start_time >= "2026-04-03"', steps)(evening)).toBe(true);
  expect(parseFilter('steps.interval.start_time >= "2026-04-03T00:00:00Z"', steps)(evening)).toBe(false);
});

test('includes only the lower bound', () => {
  const type = dataTypeCalled('weight');
  const weight = storedPoint({ dataType: 'weight', startTime: '2026-04-02T05:00:00Z', value: 80_000 }, berlin);
  const member = 'weight.sample_time.physical_time';
  expect(parseFilter(`${member} >= "2026-04-02T05:00:00Z"`, type)(weight)).toBe(true);
  expect(parseFilter(`${member} < "2026-04-02T05:00:00Z"`, type)(weight)).toBe(false);
});
