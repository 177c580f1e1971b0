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

it('lists all counts and consent outcomes in the receipt text', () => {
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
    'Consent at Google Health: The vendor revoked the consent.',
    'Consent at Oura: The vendor did not confirm the revocation. The person can revoke consent in their vendor account.',
    `Ledger line: ${'h'.repeat(43)}`,
  ]);
});
