import type { Erasure } from '@healthd/schemas';
import { expect, it } from 'vitest';
import { receiptText } from './receipt.js';

const RECEIPT: Erasure = {
  id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  erased_at: '2026-11-20T08:00:00.000Z',
  erased: {
    samples: 1234567,
    days: 40,
    workouts: 3,
    sleep_sessions: 2,
    menstrual_cycles: 0,
    health_scores: 1,
    data_sources: 2,
    runs: 5,
    files: 1,
    batches: 0,
  },
  connections: [
    { provider: 'google', consent: 'returned' },
    { provider: 'oura', consent: 'failed' },
  ],
  ledger_hash: 'h'.repeat(43),
};

it('The text of a receipt has every kind with its count, and what became of each consent', () => {
  expect(receiptText(RECEIPT).split('\n')).toEqual([
    'Erasure: 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
    'Erased at: 2026-11-20T08:00:00.000Z',
    'Samples: 1,234,567',
    'Days with samples: 40',
    'Workouts: 3',
    'Nights and naps: 2',
    'Menstrual cycles: 0',
    'Scores: 1',
    'Sources: 2',
    'Runs: 5',
    'Files: 1',
    'Batches of devices: 0',
    'Consent at Google Health: The vendor ended the consent.',
    'Consent at Oura: The vendor did not confirm it. The person can end the consent in their account there.',
    `Line of the ledger: ${'h'.repeat(43)}`,
  ]);
});
