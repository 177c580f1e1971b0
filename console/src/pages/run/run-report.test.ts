import { describe, expect, it } from 'vitest';
import { reportOf } from './run-report.js';

describe('the report of a run', () => {
  it('holds what was stored, what was refused and what has no place', () => {
    const report = reportOf({
      metadata: {
        filename: 'export.zip',
        records_per_second: 40_000,
        report: {
          bytes: 1_000,
          seconds: 1.5,
          stored: {
            samples: { inserted: 3, updated: 2, unchanged: 1 },
            health_scores: { inserted: 0, updated: 0, unchanged: 0 },
          },
          samples_by_type: { steps: 1, heart_rate: 5 },
          rejected: {
            total: 2,
            by_reason: { invalid_date: 1, 'unknown_unit:furlong': 1 },
            first: [{ collection: 'Record', index: 7, field: 'startDate', code: 'invalid_date' }],
          },
          unsupported: { Mindful: 4 },
        },
      },
    });
    expect(report).toMatchObject({ filename: 'export.zip', bytes: 1_000, seconds: 1.5, recordsPerSecond: 40_000 });
    expect(report.stored).toEqual([{ kind: 'samples', inserted: 3, updated: 2, unchanged: 1 }]);
    expect(report.samplesByType[0]).toEqual(['heart_rate', 5]);
    expect([report.rejectedTotal, report.rejectedByReason.length]).toEqual([2, 2]);
    expect(report.rejectedItems).toEqual([
      { collection: 'Record', index: 7, field: 'startDate', code: 'invalid_date', detail: undefined },
    ]);
    expect(report.unsupported).toEqual([['Mindful', 4]]);
  });

  it('is empty for a run that tells nothing, or tells it in another shape', () => {
    const empty = reportOf({ metadata: {} });
    expect([empty.stored, empty.rejectedItems, empty.rejectedTotal, empty.bytes]).toEqual([[], [], 0, undefined]);
    expect(reportOf({ metadata: { report: 'none', filename: 7 } })).toEqual(empty);
    expect(reportOf({ metadata: { report: { rejected: { total: 'x', first: {} }, stored: [] } } })).toEqual(empty);
  });
});
