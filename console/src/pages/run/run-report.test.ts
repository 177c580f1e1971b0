import { noItems } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { dataTypesOf } from './data-types.js';
import { reportOf } from './run-report.js';

describe('the report of a run', () => {
  it('contains stored, rejected and unsupported items', () => {
    const report = reportOf({
      metadata: {
        filename: 'export.zip',
        records_per_second: 40_000,
        items: { ...noItems(), read: 12, inserted: 3, updated: 2, unchanged: 1, rejected: 2, unsupported: 4 },
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
          unsupported_elements: { ActivitySummary: 1, 'Workout/WorkoutRoute': 2 },
          unsupported_files: { workout_routes: 2 },
          contents: {
            elements: [{ name: 'Record', read: 12, imported: 9, rejected: 1, not_imported: { no_series: 2 } }],
            parts: [{ name: 'Workout/WorkoutRoute', read: 2, imported: 0, rejected: 0, not_imported: { no_route: 2 } }],
            files: [{ name: 'export', read: 1, imported: 1, rejected: 0, not_imported: {} }],
          },
        },
      },
    });
    expect(report).toMatchObject({ filename: 'export.zip', bytes: 1_000, seconds: 1.5, recordsPerSecond: 40_000 });
    expect(report.stored).toEqual([{ kind: 'samples', inserted: 3, updated: 2, unchanged: 1 }]);
    expect(report.itemsRead).toBe(12);
    expect(report.items).toEqual([
      ['inserted', 3],
      ['updated', 2],
      ['unchanged', 1],
      ['rejected', 2],
      ['unsupported', 4],
    ]);
    expect(report.samplesByType[0]).toEqual(['heart_rate', 5]);
    expect([report.rejectedTotal, report.rejectedByReason.length]).toEqual([2, 2]);
    expect(report.rejectedItems).toEqual([
      { collection: 'Record', index: 7, field: 'startDate', code: 'invalid_date', detail: undefined },
    ]);
    expect(report.unsupported).toEqual([['Mindful', 4]]);
    expect(report.unsupportedElements).toEqual([
      ['Workout/WorkoutRoute', 2],
      ['ActivitySummary', 1],
    ]);
    expect(report.unsupportedFiles).toEqual([['workout_routes', 2]]);
    expect(report.contents.elements).toEqual([
      { name: 'Record', read: 12, imported: 9, rejected: 1, notImported: [['no_series', 2]] },
      { name: 'Workout/WorkoutRoute', read: 2, imported: 0, rejected: 0, notImported: [['no_route', 2]] },
    ]);
    expect(report.contents.files.map(({ name }) => name)).toEqual(['export']);
  });

  it('is empty if the report is missing or malformed', () => {
    const empty = reportOf({ metadata: {} });
    expect([empty.stored, empty.rejectedItems, empty.rejectedTotal, empty.bytes]).toEqual([[], [], 0, undefined]);
    expect(reportOf({ metadata: { report: 'none', filename: 7 } })).toEqual(empty);
    expect(reportOf({ metadata: { report: { rejected: { total: 'x', first: {} }, stored: [] } } })).toEqual(empty);
  });
});

describe('data types of a run', () => {
  it('list valid entries, failed types first', () => {
    const counts = { inserted: 2, updated: 1, deleted: 0, windows: 1, received: 3, rejected: 0 };
    const data_types = {
      sleep: { ...counts, status: 'success' },
      heart_rate: { ...counts, status: 'in_progress', error: 'unavailable 503' },
      steps: { ...counts, status: 'failed', error: 'invalid_request 400' },
      later: { status: 'in some later word' },
      none: 7,
    };
    expect(dataTypesOf({ metadata: { data_types }, retrying: null })).toEqual([
      {
        id: 'steps',
        status: 'failed',
        waiting: undefined,
        inserted: 2,
        updated: 1,
        deleted: 0,
        rejected: 0,
        error: 'invalid_request 400',
      },
      expect.objectContaining({ id: 'heart_rate', waiting: 'retrying', error: 'unavailable 503' }),
      expect.objectContaining({ id: 'sleep', error: undefined }),
    ]);
    expect(dataTypesOf({ metadata: {}, retrying: null })).toEqual([]);
  });
});
