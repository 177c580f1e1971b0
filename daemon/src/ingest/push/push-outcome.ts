import type { BodyFault, EnvelopeFault } from '@healthd/providers';
import type { RunOutcome, RunStep } from '../../runs/index.js';
import type { DecideLimitError } from '../../store/write/index.js';

/** What a run and its events count of a batch, before anything of it is stored. */
export const NO_COUNTS = { records_saved: 0, workouts_saved: 0, sleep_saved: 0, dropped_count: 0 } as const;

/** How a batch ends: the outcome of its run and what the run then reports. */
export interface BatchEnd {
  outcome: RunOutcome;
  step: RunStep;
}

const FAULTS: Readonly<Record<(EnvelopeFault | BodyFault['fault'])['code'], string>> = {
  json_invalid: 'is not valid JSON',
  damaged: 'could not be unpacked',
  missing: 'is missing',
  not_an_object: 'must be an object',
  not_an_array: 'must be an array',
  invalid_value: 'has a value of the wrong kind',
  invalid_date: 'is not a date',
};

/** The end of a batch of which nothing can be used. */
export function unusable(batchId: string, { field, code }: EnvelopeFault | BodyFault['fault']): BatchEnd {
  const error = `Validation failed: ${field === '' ? 'the body' : field} ${FAULTS[code]}`;
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: {
      message: error,
      metadata: { batch_id: batchId, reason: 'envelope_invalid', rejected: [{ collection: 'envelope', field, code }] },
    },
  };
}

/** The end of a batch whose processing failed again and again. */
export function gaveUp(batchId: string): BatchEnd {
  const error = 'The batch could not be processed for a reason of the server\u2019s. Its log says why.';
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: { message: error, metadata: { batch_id: batchId, reason: 'gave_up' } },
  };
}

/** The end of a batch that exceeded a limit while it was compared with what is stored. */
export function overLimit(batchId: string, { message: error, code: reason }: DecideLimitError): BatchEnd {
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: { message: error, metadata: { batch_id: batchId, reason } },
  };
}

/** The end of a batch for a provider that the user disconnected; nothing of it is read. */
export function refused(batchId: string): BatchEnd {
  const error = 'The connection was ended. Give the device new credentials to connect it again.';
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: { message: error, metadata: { batch_id: batchId, reason: 'connection_revoked' } },
  };
}
