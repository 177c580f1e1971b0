import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What was recorded of one operation: the body that it was sent, and its answers by status. */
export interface OperationExamples {
  body?: unknown;
  answers?: Readonly<Record<string, unknown>>;
}

/** Examples that the document shows. */
export interface Examples {
  /** By the id of the operation; undefined where there is nothing to show. */
  of(operationId: string): OperationExamples | undefined;
  /** Bodies of errors by the component that describes them. */
  errors: Readonly<Record<string, unknown>>;
}

/** The examples in `packages/schemas/examples`, which `npm run record-examples` writes. */
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
