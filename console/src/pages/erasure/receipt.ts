import type { ConsentEnd } from '@healthd/contract';
import type { Erasure } from '@healthd/schemas';
import { providerName } from '../../components/provider-name.js';
import { formatCount } from '../../format.js';

const KINDS: Readonly<Record<keyof Erasure['erased'], string>> = {
  samples: 'Samples',
  days: 'Days with samples',
  workouts: 'Workouts',
  sleep_sessions: 'Nights and naps',
  menstrual_cycles: 'Menstrual cycles',
  health_scores: 'Scores',
  data_sources: 'Sources',
  runs: 'Runs',
  files: 'Files',
  batches: 'Batches of devices',
};

/** Text and severity of a consent outcome. */
export const CONSENT_WORDS: Readonly<Record<ConsentEnd, { text: string; look: 'good' | 'warn' | 'plain' }>> = {
  returned: { text: 'The vendor revoked the consent.', look: 'good' },
  kept: { text: 'Retained: another user may share this consent.', look: 'warn' },
  failed: {
    text: 'The vendor did not confirm the revocation. The person can revoke consent in their vendor account.',
    look: 'warn',
  },
  not_possible: {
    text: 'The service cannot revoke this consent. The person can revoke it in their vendor account.',
    look: 'warn',
  },
  ended_before: {
    text: 'The connection had already ended. The person can revoke any remaining consent in their vendor account.',
    look: 'warn',
  },
  none: { text: 'There was no consent.', look: 'plain' },
};

/** Returns the erased items by type. */
export function erasedKinds({ erased }: Erasure): { kind: string; count: number }[] {
  return Object.entries(KINDS).map(([key, kind]) => ({ kind, count: erased[key as keyof Erasure['erased']] }));
}

/** Formats the receipt as text for the erased person. */
export function receiptText(receipt: Erasure): string {
  const lines = [
    ['Erasure', receipt.id],
    ['Erased at', receipt.erased_at],
    ...erasedKinds(receipt).map(({ kind, count }) => [kind, formatCount(count)]),
    ...receipt.connections.map(({ provider, consent }) => [
      `Consent at ${providerName(provider)}`,
      CONSENT_WORDS[consent].text,
    ]),
    ['Ledger line', receipt.ledger_hash],
  ];
  return lines.map(([name, value]) => `${name}: ${value}`).join('\n');
}
