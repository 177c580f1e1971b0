import type { PullDataType } from '@healthd/providers';
import { expect, it } from 'vitest';
import type { TypeState } from '../../connections/index.js';
import type { OpenRun } from './open-runs.js';
import { requestedTypes } from './plan-run.js';

const NOW = Date.UTC(2026, 2, 10);
const REJECTED_FOR_MS = 1_000;

/** Milliseconds since the vendor rejected each data type. */
const SINCE_MS = { never: undefined, 'just now': 0, recently: 999, 'before the pause': 1_000 };
const dataTypes = Object.keys(SINCE_MS).map((id) => ({ id, rejectedForMs: REJECTED_FOR_MS }) as PullDataType);
const states = new Map(
  Object.entries(SINCE_MS).flatMap(([id, since]) =>
    since === undefined ? [] : [[id, { rejectedAt: new Date(NOW - since) } as TypeState]],
  ),
);

function requested(run: Pick<OpenRun, 'kind' | 'dataTypes'>): string[] {
  return requestedTypes({ dataTypes }, run, states, NOW).map(({ id }) => id);
}

it('skips recently rejected types in a scheduled run', () => {
  expect(requested({ kind: 'live', dataTypes: undefined })).toEqual(['never', 'before the pause']);
});

it('requests rejected types in a scheduled run if no other types remain', () => {
  expect(requested({ kind: 'live', dataTypes: ['recently', 'just now'] })).toEqual(['just now', 'recently']);
});

it.each(['backfill', 'manual', 'webhook'] as const)('does not skip rejected types in a %s run', (kind) => {
  expect(requested({ kind, dataTypes: undefined })).toEqual(Object.keys(SINCE_MS));
});
