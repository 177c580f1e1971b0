// Stryker checker that selects the mutants to run. All other mutants fail the check. With a sample size, it selects a
// random sample. A mutant's rank is a hash, so the same seed selects nearly the same mutants after an edit elsewhere.
import { createHash } from 'node:crypto';

const SIZE = Number(process.env.HEALTHD_MUTANTS_SAMPLE ?? Number.POSITIVE_INFINITY);
const SEED = process.env.HEALTHD_MUTANTS_SEED ?? '';
/** Text that Stryker inserts into empty arrays. The mutant does not compile if the elements are not strings. */
const TEXT_IN_ARRAY = 'Stryker was here';

function rankOf({ fileName, location: { start, end }, mutatorName, replacement }) {
  // The file's name without the folder of this run's copy.
  const file = fileName.replace(/^.*\.mutants\/[^/]+\//, '');
  const place = [SEED, file, start.line, start.column, end.line, end.column, mutatorName, replacement];
  return createHash('sha1').update(JSON.stringify(place)).digest('hex');
}

function sampleOf(mutants) {
  const compiling = mutants.filter(({ replacement }) => !replacement?.includes(TEXT_IN_ARRAY));
  const ranked = compiling.map((mutant) => ({ id: mutant.id, rank: rankOf(mutant) }));
  return new Set(
    ranked
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .slice(0, SIZE)
      .map(({ id }) => id),
  );
}

const checker = {
  async init() {},
  // One group with all mutants, because a sample is drawn from all of them.
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  },
  async check(mutants) {
    const sample = sampleOf(mutants);
    return Object.fromEntries(
      mutants.map(({ id }) => [
        id,
        sample.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not selected' },
      ]),
    );
  },
};

export const strykerPlugins = [{ kind: 'Checker', name: 'selected', factory: () => checker }];
