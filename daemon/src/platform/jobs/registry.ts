import type { JobDefinition, JobSweeper } from './definition.js';
import { JobFailure } from './failures.js';

/**
 * Every job name has exactly one definition, and what a sweeper finds has a job, or the start fails. No one else can
 * enqueue a job without one: the caller holds what `define` returned.
 *
 * @throws JobFailure `job_registry_invalid`, naming all that is wrong
 */
export function assertRegistry(
  definitions: readonly Pick<JobDefinition, 'name'>[],
  sweepers: readonly Pick<JobSweeper, 'name'>[],
): void {
  const counts = new Map<string, number>();
  for (const { name } of definitions) counts.set(name, (counts.get(name) ?? 0) + 1);
  const problems = [...counts].filter(([, count]) => count > 1).map(([name]) => `${name} is defined twice`);
  for (const { name } of sweepers) if (!counts.has(name)) problems.push(`${name} is swept for and not defined`);
  if (problems.length > 0) {
    throw new JobFailure('job_registry_invalid', 'Every job needs exactly one definition', problems.join('; '));
  }
}
