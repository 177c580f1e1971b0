import { type ConsentEnd, getErasure } from '@healthd/contract';
import type { Erasure } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { at } from '../output/instant.js';
import { writeRecord } from '../output/writer.js';
import { numberText } from '../ui/amounts.js';

const CONSENT_WORDS: Readonly<Record<ConsentEnd, string>> = {
  returned: 'ended',
  kept: 'left as it is: it may be the consent of another user too',
  failed: 'not confirmed: the person can end it in their account there',
  not_possible: 'cannot be ended from here: the person can end it in their account there',
  ended_before:
    'the connection had ended before: if the vendor still holds the consent, the person can end it in their account there',
  none: 'none was held',
};

const SHAPE = {
  fields: ['id', 'erased_at', 'erased', 'connections', 'ledger_hash'] as const,
  pairs: erasurePairs,
};

/** `healthctl users erasure` */
export async function showErasure(cli: Cli, id: string): Promise<void> {
  cli.willWrite(SHAPE);
  const receipt = await readErasure(cli, id);
  await writeRecord(cli.sink, SHAPE, receipt);
}

/** The receipt of an erasure. */
export async function readErasure(cli: Cli, id: string): Promise<Erasure> {
  const client = await cli.client();
  return client.call(getErasure, { params: { erasure_id: id }, signal: cli.signal });
}

/** A receipt as lines for people. */
export function erasurePairs({ id, erased_at, erased, connections, ledger_hash }: Erasure) {
  return [
    ['Erasure', id],
    ['Erased at', at(erased_at)],
    ['Samples', numberText(erased.samples)],
    ['Days with samples', numberText(erased.days)],
    ['Workouts', numberText(erased.workouts)],
    ['Nights and naps', numberText(erased.sleep_sessions)],
    ['Menstrual cycles', numberText(erased.menstrual_cycles)],
    ['Scores', numberText(erased.health_scores)],
    ['Sources', numberText(erased.data_sources)],
    ['Runs', numberText(erased.runs)],
    ['Files', numberText(erased.files)],
    ['Batches of devices', numberText(erased.batches)],
    ...connections.map(({ provider, consent }) => [`Consent at ${provider}`, CONSENT_WORDS[consent]] as const),
    ['Line of the ledger', ledger_hash],
  ] as const;
}
