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

/** What a person reads of a consent, and whether someone has to do something about it. */
export const CONSENT_WORDS: Readonly<Record<ConsentEnd, { text: string; look: 'good' | 'warn' | 'plain' }>> = {
  returned: { text: 'The vendor ended the consent.', look: 'good' },
  kept: { text: 'Left as it is: it may be the consent of another user too.', look: 'warn' },
  failed: {
    text: 'The vendor did not confirm it. The person can end the consent in their account there.',
    look: 'warn',
  },
  not_possible: {
    text: 'It cannot be ended from here. The person can end the consent in their account at the vendor.',
    look: 'warn',
  },
  ended_before: {
    text: 'The connection had ended before. If the vendor still holds the consent, the person can end it in their account there.',
    look: 'warn',
  },
  none: { text: 'No consent was held.', look: 'plain' },
};

/** What was erased, kind by kind, with its name. */
export function erasedKinds({ erased }: Erasure): { kind: string; count: number }[] {
  return Object.entries(KINDS).map(([key, kind]) => ({ kind, count: erased[key as keyof Erasure['erased']] }));
}

/** The receipt as a text that can be sent to the person it is about. */
export function receiptText(receipt: Erasure): string {
  const lines = [
    ['Erasure', receipt.id],
    ['Erased at', receipt.erased_at],
    ...erasedKinds(receipt).map(({ kind, count }) => [kind, formatCount(count)]),
    ...receipt.connections.map(({ provider, consent }) => [
      `Consent at ${providerName(provider)}`,
      CONSENT_WORDS[consent].text,
    ]),
    ['Line of the ledger', receipt.ledger_hash],
  ];
  return lines.map(([name, value]) => `${name}: ${value}`).join('\n');
}
