import { expect, test } from 'vitest';
import { differences } from './examples/differences.js';
import { storedExamples, storeExamples } from './examples/files.js';
import { recordExamples } from './examples/record-examples.js';

// With HEALTHD_RECORD_EXAMPLES the recording replaces the stored examples: `npm run record-examples`.
test('keeps the examples equal to current requests and responses', async () => {
  const fresh = await recordExamples();
  if (process.env.HEALTHD_RECORD_EXAMPLES) await storeExamples(fresh);
  expect(differences(await storedExamples(), fresh, 'example'), 'npm run record-examples').toEqual([]);
});
