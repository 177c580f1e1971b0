import { openApiDocument, recordedExamples } from '@healthd/daemon/http';
import { declaredRoutes } from '@healthd/schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { UNSUPPORTED_ROUTES } from './examples/clouds.js';
import { storedTexts } from './examples/files.js';

interface Shown {
  schema?: object;
  example?: unknown;
}
interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, Shown> };
  responses: Record<string, { content?: Record<string, Shown> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { examples?: unknown[]; properties?: Record<string, { description?: string }> }>;
  };
}

const options = { title: 'healthd', apiKeyHeader: 'X-Service-API-Key', examples: recordedExamples() };
const standard = openApiDocument(declaredRoutes, options) as unknown as Document;
const compat = openApiDocument(declaredRoutes, { ...options, errorFormat: 'compat' }) as unknown as Document;

const neverAnswered = UNSUPPORTED_ROUTES.map((id) => `${id} 200`).sort();

/** Returns every request body and successful response with its JSON pointer. Each of them needs an example. */
function partsOf(document: Document): { name: string; pointer: string; shown: Shown; type: string }[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { operationId, requestBody, responses }]) => {
      const at = ['', 'paths', path, method].map(escaped).join('/');
      const contents = Object.entries(responses)
        .filter(([status]) => Number(status) < 400)
        .map(([status, { content }]) => ({ name: status, at: `${at}/responses/${status}`, content }));
      return [{ name: 'body', at: `${at}/requestBody`, content: requestBody?.content }, ...contents].flatMap((one) =>
        // Uses the first content type only. A second content type is an HTML page for users.
        Object.entries(one.content ?? {})
          .slice(0, 1)
          .map(([type, shown]) => ({
            name: `${operationId} ${one.name}`,
            pointer: `${one.at}/content/${escaped(type)}/schema`,
            shown,
            type,
          })),
      );
    }),
  );
}

function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

test('requires an example for each request body and successful response', () => {
  const withoutExample = ['application/zip', 'application/x-ndjson', 'text/html'];
  const parts = partsOf(standard).filter(({ type }) => !withoutExample.includes(type));
  expect(parts.length).toBeGreaterThan(100);
  expect(
    parts
      .filter(({ shown }) => shown.example === undefined)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(neverAnswered);
});

describe.each([
  ['standard', standard],
  ['compat', compat],
])('the documentation with ERROR_FORMAT=%s', (format, document) => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateSchema: false }));
  ajv.addSchema(document as object, 'document');
  const faults = (pointer: string, example: unknown) => {
    const validate = ajv.compile({ $ref: `document#${pointer.split('/').map(encodeURIComponent).join('/')}` });
    return validate(example) ? [] : [ajv.errorsText(validate.errors)];
  };

  test('validates every example against its schema', () => {
    const wrong = partsOf(document)
      .filter(({ shown }) => shown.example !== undefined && shown.schema !== undefined)
      .flatMap(({ name, pointer, shown }) => faults(pointer, shown.example).map((fault) => `${name}: ${fault}`));
    expect(wrong).toEqual([]);
  });

  test('has an example for every type of error', () => {
    const kinds = ['Error', 'UnexpectedError', format === 'compat' ? 'CompatError' : 'ValidationError'];
    for (const kind of kinds) {
      const [example] = document.components.schemas[kind]?.examples ?? [];
      expect(example, kind).toBeDefined();
      expect(faults(`/components/schemas/${kind}`, example)).toEqual([]);
    }
  });
});

test("explains each member of a run's metadata and report", () => {
  const { SyncRun } = standard.components.schemas;
  const run = recordedExamples().of('getSyncRun')?.answers?.[200] as { metadata: { report: object } };
  const members = Object.keys({ ...run.metadata, ...run.metadata.report });
  expect(members).toEqual(expect.arrayContaining(['sha256', 'samples_by_type']));
  expect(members.filter((name) => !SyncRun?.properties?.metadata?.description?.includes(`\`${name}\``))).toEqual([]);
});

test('stores examples only of documented operations', async () => {
  const shown = new Set(partsOf(standard).map(({ name }) => name.split(' ', 1)[0]));
  const stored = Object.keys(await storedTexts()).filter((name) => name !== 'errors');
  expect(stored.filter((name) => !shown.has(name))).toEqual([]);
});

test('stores no credential, machine address or random ID in examples', async () => {
  const forbidden = /\bsk-\w|\brt-\w|\beyJ|secret_\w|[0-9a-f]{24}|127\.0\.0\.1|localhost|\/tmp\//;
  const found = Object.entries(await storedTexts()).flatMap(([name, text]) => {
    const lines = text.split('\n').filter((line) => forbidden.test(line));
    return lines.map((line) => `${name}: ${line.trim()}`);
  });
  expect(found).toEqual([]);
});
