import { SECONDS_PER_HOUR } from '@healthd/model';
import { z } from 'zod';
import type { Cleaning } from '../platform/cleaning.js';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../platform/jobs/index.js';

/**
 * Creates a job that runs a cleaning at its interval, in one process only. After a failure, the next interval is the
 * retry.
 */
export function cleaningJob({ name, everySeconds, clean }: Cleaning): JobDefinition<object> {
  return defineJob({
    name,
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: Math.min(everySeconds, SECONDS_PER_HOUR),
    retry: RETRY_NEVER,
    everySeconds,
    run: (_payload, context) => clean(context),
  });
}
