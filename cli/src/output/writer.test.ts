import { describe, expect, test } from 'vitest';
import { chooseFormat, type Format } from './format.js';
import { type Shape, type Sink, writeRecord, writeRows } from './writer.js';

interface Row {
  id: string;
  name: string | null;
  heart_rate: { avg_bpm: number } | null;
}

const SHAPE = {
  fields: ['id', 'name', 'heart_rate.avg_bpm'],
  columns: [{ header: 'ID', cell: (row: Row) => row.id }],
} satisfies Shape<Row>;
const ROWS: Row[] = [
  { id: '1', name: 'Anna', heart_rate: null },
  { id: '2', name: '=HYPERLINK("http://x")', heart_rate: { avg_bpm: 61 } },
];

async function written(format: Format, rows: Row[], fieldText?: string, options: Partial<Sink> = {}): Promise<string> {
  let text = '';
  const sink: Sink = {
    format,
    fieldText,
    write: async (part) => {
      text += part;
    },
    ...options,
  };
  expect(await writeRows(sink, SHAPE, rows)).toBe(rows.length);
  return text;
}

describe('the writer of rows', () => {
  test('writes JSON as one array for any number of rows', async () => {
    expect(JSON.parse(await written('json', ROWS))).toEqual(ROWS);
    expect(JSON.parse(await written('json', []))).toEqual([]);
  });

  test('writes NDJSON as one object per line', async () => {
    const lines = (await written('ndjson', ROWS)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(ROWS);
    expect(await written('ndjson', [])).toBe('');
  });

  test('writes the same CSV columns for every row', async () => {
    expect(await written('csv', ROWS)).toBe('id,name,heart_rate.avg_bpm\n1,Anna,\n2,"\'=HYPERLINK(""http://x"")",61\n');
    expect(await written('csv', [])).toBe('id,name,heart_rate.avg_bpm\n');
  });

  test('keeps UTC offsets unchanged in CSV', async () => {
    const rows = ['+00:00', '-08:00', '+1+1', '-2'].map((name) => ({ id: '1', name, heart_rate: null }));
    const lines = (await written('csv', rows)).trimEnd().split('\n');
    expect(lines.slice(1)).toEqual(['1,+00:00,', '1,-08:00,', "1,'+1+1,", "1,'-2,"]);
  });

  test('quotes ambiguous strings in YAML', async () => {
    const yaml = await written('yaml', [{ id: '007', name: 'no', heart_rate: { avg_bpm: 61 } }]);
    expect(yaml).toBe('- id: "007"\n  name: "no"\n  heart_rate:\n    avg_bpm: 61\n');
    expect(await written('yaml', [])).toBe('[]\n');
  });

  test('writes only the selected fields by dotted name', async () => {
    expect(JSON.parse(await written('json', ROWS, 'id,heart_rate.avg_bpm'))).toEqual([
      { id: '1', 'heart_rate.avg_bpm': null },
      { id: '2', 'heart_rate.avg_bpm': 61 },
    ]);
  });

  test('writes a table only if there are rows', async () => {
    expect(await written('table', ROWS)).toBe('ID\n1\n2\n');
    const heading = (text: string) => `<${text}>`;
    expect(await written('table', ROWS, undefined, { heading })).toBe('<ID>\n1\n2\n');
    expect(await written('table', [])).toBe('');
  });

  test('selects fields, including objects, only by full name', async () => {
    expect(JSON.parse(await written('ndjson', ROWS.slice(1), ' heart_rate , id'))).toEqual({
      heart_rate: { avg_bpm: 61 },
      id: '2',
    });
    for (const wrong of ['heart', 'avg_bpm', 'heart_rate.', '']) {
      await expect(written('json', ROWS, wrong), wrong).rejects.toMatchObject({ code: 'unknown_field' });
    }
  });

  test('rejects an unknown field with exit code 2', async () => {
    await expect(written('json', ROWS, 'id,nope')).rejects.toMatchObject({ code: 'unknown_field', exitCode: 2 });
  });
});

describe('the writer of one object', () => {
  const RECORD = { id: '1', name: 'no', source: { provider: 'polar' } };
  const record = async (format: Format, fieldText?: string, isMessageEnough = false) => {
    let text = '';
    const sink: Sink = {
      format,
      fieldText,
      write: async (part) => {
        text += part;
      },
    };
    const pairs = ({ id }: typeof RECORD) => [['ID', id]] as const;
    await writeRecord(sink, { fields: ['id', 'name', 'source.provider'], ...(!isMessageEnough && { pairs }) }, RECORD);
    return text;
  };

  test.each<[Format, string]>([
    ['table', 'ID  1\n'],
    ['csv', 'id,name,source.provider\n1,no,polar\n'],
    ['yaml', 'id: "1"\nname: "no"\nsource:\n  provider: polar\n'],
    ['ndjson', '{"id":"1","name":"no","source":{"provider":"polar"}}\n'],
    ['json', `${JSON.stringify(RECORD, null, 2)}\n`],
  ])('writes one object as a single %s document', async (format, text) => {
    expect(await record(format)).toBe(text);
  });

  test('writes no table if no table pairs are declared', async () => {
    expect(await record('table', undefined, true)).toBe('');
  });

  test('writes only the selected fields of one object', async () => {
    expect(await record('ndjson', 'source.provider')).toBe('{"source.provider":"polar"}\n');
    await expect(record('json', 'source.name')).rejects.toMatchObject({ code: 'unknown_field' });
  });
});

test('escapes formula-like strings in CSV, but not negative numbers', async () => {
  let text = '';
  const sink: Sink = {
    format: 'csv',
    write: async (part) => {
      text += part;
    },
  };
  await writeRecord(sink, { fields: ['a', 'b'] }, { a: -1.5, b: '-1+cmd' });
  expect(text).toBe("a,b\n-1.5,'-1+cmd\n");
});

test('defaults to a table on a terminal and JSON in a pipe', () => {
  expect(chooseFormat({}, true)).toEqual({ format: 'table' });
  expect(chooseFormat({}, false)).toEqual({ format: 'json' });
  expect(chooseFormat({ output: 'csv' }, true)).toEqual({ format: 'csv' });
  expect(chooseFormat({ json: true }, true)).toEqual({ format: 'json' });
  expect(chooseFormat({ json: 'id' }, true)).toEqual({ format: 'json', fieldText: 'id' });
  expect(chooseFormat({ json: 'id', output: 'ndjson' }, true)).toEqual({ format: 'ndjson', fieldText: 'id' });
  for (const output of ['csv', 'table', 'yaml'] as const) {
    const contradiction = expect.objectContaining({ code: 'format_conflict', exitCode: 2 });
    expect(() => chooseFormat({ json: true, output }, true), output).toThrow(contradiction);
    expect(() => chooseFormat({ jq: '.', output }, true), output).toThrow(contradiction);
  }
});

test('prints JSON for --jq, limited to the --json fields', () => {
  expect(chooseFormat({ jq: '.' }, true)).toEqual({ format: 'json' });
  expect(chooseFormat({ jq: '.', output: 'ndjson' }, true)).toEqual({ format: 'ndjson' });
  expect(chooseFormat({ jq: '.', output: 'json' }, true)).toEqual({ format: 'json' });
  expect(chooseFormat({ jq: '.', json: 'id' }, true)).toEqual({ format: 'json', fieldText: 'id' });
});

test('rejects unknown fields at compile time', () => {
  const shape: Shape<{ id: string; source: { provider: string } | null }> = {
    // @ts-expect-error the second is misspelt
    fields: ['id', 'source.provder', 'source.provider'],
    columns: [],
  };
  expect(shape.fields).toHaveLength(3);
});
