import type { JobDefinition, JobSweeper } from './definition.js';
import { JobFailure } from './failures.js';

/**
 * Checks that every job name has exactly one definition and every sweeper has a job. This check is enough: enqueuing
 * requires the result of `define`, so an undefined job cannot be enqueued otherwise.
 *
 * @throws JobFailure `job_registry_invalid`, naming all problems
 */
export function assertRegistry(
  definitions: readonly Pick<JobDefinition, 'name'>[],
  sweepers: readonly Pick<JobSweeper, 'name'>[],
): void {
  const counts = new Map<string, number>();
  for (const { name } of definitions) counts.set(name, (counts.get(name) ?? 0) + 1);
  const problems = [...counts].filter(([, count]) => count > 1).map(([name]) => `${name} is defined twice`);
  for (const { name } of sweepers) if (!counts.has(name)) problems.push(`${name} has a sweeper but no definition`);
  if (problems.length > 0) {
    throw new JobFailure('job_registry_invalid', 'Every job needs exactly one definition', problems.join('; '));
  }
}
