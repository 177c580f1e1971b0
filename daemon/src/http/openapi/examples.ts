import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Recorded examples of one operation: the request body, and responses by status. */
export interface OperationExamples {
  body?: unknown;
  answers?: Readonly<Record<string, unknown>>;
}

/** Examples in the document. */
export interface Examples {
  /** Returns the examples of an operation ID; undefined if there are none. */
  of(operationId: string): OperationExamples | undefined;
  /** Error bodies by the name of their component. */
  errors: Readonly<Record<string, unknown>>;
}

/** Loads the examples in `packages/schemas/examples`, which `npm run record-examples` writes. */
export function recordedExamples(): Examples {
  const errors = createRequire(import.meta.url).resolve('@healthd/schemas/examples/errors.json');
  const folder = dirname(errors);
  return {
    of(operationId) {
      const file = join(folder, `${operationId}.json`);
      return existsSync(file) ? (parsed(file) as OperationExamples) : undefined;
    },
    errors: parsed(errors) as Examples['errors'],
  };
}

function parsed(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
