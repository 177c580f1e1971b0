// Loads the schemas and their validator, which other commands do not need.
import { pushDeviceData } from '@healthd/schemas';

/** Lists the errors of a batch, one line each: `data.records[3].value: …`. */
export function payloadProblems(batch: unknown): string[] {
  const result = pushDeviceData.body.safeParse(batch);
  if (result.success) return [];
  return result.error.issues.map(({ path, message }) => `${placeOf(path)}: ${message}`);
}

function placeOf(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return text.replace(/^\./, '') || 'the whole';
}
