import type { BodyFault, EnvelopeFault } from '@healthd/providers';
import type { RunOutcome, RunStep } from '../../runs/index.js';
import type { DecideLimitError } from '../../store/write/index.js';

/** Counts of a batch before any of it is stored. */
export const NO_COUNTS = { records_saved: 0, workouts_saved: 0, sleep_saved: 0, dropped_count: 0 } as const;

/** Outcome of a batch, and the report of its run. */
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
  invalid_value: 'has a value of the wrong type',
  invalid_date: 'is not a date',
};

/** Returns the outcome of a batch without usable content. */
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

/** Returns the outcome of a batch whose processing failed repeatedly. */
export function gaveUp(batchId: string): BatchEnd {
  const error = 'The batch could not be processed because of a server error. See the server log.';
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: { message: error, metadata: { batch_id: batchId, reason: 'gave_up' } },
  };
}

/** Returns the outcome of a batch that exceeded a limit during the comparison with stored data. */
export function overLimit(batchId: string, { message: error, code: reason }: DecideLimitError): BatchEnd {
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: { message: error, metadata: { batch_id: batchId, reason } },
  };
}

/** Returns the outcome of an unread batch for a provider that the user disconnected. */
export function disconnectedEnd(batchId: string): BatchEnd {
  const error = 'The connection was ended. Give the device new credentials to connect it again.';
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: { message: error, metadata: { batch_id: batchId, reason: 'connection_revoked' } },
  };
}
