import { defineJob, type JobContext, type JobDefinition, type JobQueue } from '@healthd/daemon/platform/jobs';
import { vi } from 'vitest';
import { z } from 'zod';

export interface Step {
  id: string;
  /** Unique key: at most one job with this key waits, and at most one runs. */
  key?: string | undefined;
}

/** Returns a job type whose payload is a step. `overrides` replace its properties. */
export function stepJob(
  handler: (step: Step, context: JobContext) => Promise<void> | void,
  overrides: Partial<Omit<JobDefinition<Step>, 'run' | 'payload'>> = {},
): JobDefinition<Step> {
  return defineJob<Step>({
    name: 'step',
    payload: z.object({ id: z.string(), key: z.string().optional() }),
    key: ({ key }) => key,
    concurrency: 5,
    maxDurationSeconds: 30,
    retry: { maxAttempts: 3, firstDelaySeconds: 0.1, factor: 2, maxDelaySeconds: 1 },
    run: async (step, context) => handler(step, context),
    ...overrides,
  });
}

/** Waits until the assertion holds. */
export async function eventually(assertion: () => void | Promise<void>, timeout = 120_000): Promise<void> {
  await vi.waitFor(assertion, { timeout, interval: 20 });
}

/** Returns the number of jobs of all types in the store, in any state. */
export async function storedJobs(queue: JobQueue): Promise<number> {
  const { jobs } = await queue.status();
  return jobs.reduce((sum, job) => sum + job.waiting + job.scheduled + job.running, 0);
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns a promise that blocks a handler, and the function `open`, which resolves the promise. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
