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

async function written(format: Format, rows: Row[], fieldText?: string): Promise<string> {
  let text = '';
  const sink: Sink = {
    format,
    fieldText,
    write: async (part) => {
      text += part;
    },
  };
  await writeRows(sink, SHAPE, rows);
  return text;
}

describe('rows', () => {
  test('json is one array for any number of rows', async () => {
    expect(JSON.parse(await written('json', ROWS))).toEqual(ROWS);
    expect(JSON.parse(await written('json', []))).toEqual([]);
  });

  test('ndjson is one object a line and nothing when there are none', async () => {
    const lines = (await written('ndjson', ROWS)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(ROWS);
    expect(await written('ndjson', [])).toBe('');
  });

  test('csv has the same columns for every row, also where a nested value is missing, and runs no formula', async () => {
    expect(await written('csv', ROWS)).toBe('id,name,heart_rate.avg_bpm\n1,Anna,\n2,"\'=HYPERLINK(""http://x"")",61\n');
    expect(await written('csv', [])).toBe('id,name,heart_rate.avg_bpm\n');
  });

  test('csv writes an offset from UTC as it is, although a formula may begin like it', async () => {
    const rows = ['+00:00', '-08:00', '+1+1', '-2'].map((name) => ({ id: '1', name, heart_rate: null }));
    const lines = (await written('csv', rows)).trimEnd().split('\n');
    expect(lines.slice(1)).toEqual(['1,+00:00,', '1,-08:00,', "1,'+1+1,", "1,'-2,"]);
  });

  test('yaml quotes what would be read as something else', async () => {
    const yaml = await written('yaml', [{ id: '007', name: 'no', heart_rate: { avg_bpm: 61 } }]);
    expect(yaml).toBe('- id: "007"\n  name: "no"\n  heart_rate:\n    avg_bpm: 61\n');
    expect(await written('yaml', [])).toBe('[]\n');
  });

  test('chosen fields come alone, under their dotted names', async () => {
    expect(JSON.parse(await written('json', ROWS, 'id,heart_rate.avg_bpm'))).toEqual([
      { id: '1', 'heart_rate.avg_bpm': null },
      { id: '2', 'heart_rate.avg_bpm': 61 },
    ]);
  });

  test('an unknown field is refused with the list of fields', async () => {
    await expect(written('json', ROWS, 'id,nope')).rejects.toMatchObject({ code: 'unknown_field', exitCode: 2 });
  });
});

test('negative numbers stay numbers in csv and texts that begin like them do not', async () => {
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

test('the format is a table on a terminal and json in a pipe, unless said otherwise', () => {
  expect(chooseFormat({}, true)).toEqual({ format: 'table' });
  expect(chooseFormat({}, false)).toEqual({ format: 'json' });
  expect(chooseFormat({ output: 'csv' }, true)).toEqual({ format: 'csv' });
  expect(chooseFormat({ json: true }, true)).toEqual({ format: 'json' });
  expect(chooseFormat({ json: 'id' }, true)).toEqual({ format: 'json', fieldText: 'id' });
  expect(() => chooseFormat({ json: true, output: 'csv' }, true)).toThrow('contradict');
});

test('a field that the response does not have fails the type check', () => {
  const shape: Shape<{ id: string; source: { provider: string } | null }> = {
    // @ts-expect-error the second is misspelt
    fields: ['id', 'source.provder', 'source.provider'],
    columns: [],
  };
  expect(shape.fields).toHaveLength(3);
});
