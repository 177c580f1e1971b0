import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { ExportElement, ExportRecord } from './element.js';
import type { ExportErrorCode } from './errors.js';
import { DEFAULT_LIMITS, type ExportLimits } from './limits.js';
import { ExportScanner } from './scanner.js';

const DATES = 'startDate="2024-05-01 10:00:00 +0200" endDate="2024-05-01 10:01:00 +0200"';
const STEPS = `<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" ${DATES} value="12"/>`;

describe('reading the XML of an export', () => {
  it('reads record attributes in any order, with any quotes and line breaks', () => {
    const { records } = scan(
      wrap(`<Record
        value='12'   endDate="2024-05-01 10:01:00 +0200" unit = "count"
        sourceName='Anna "A" &amp; Co' type="T"\tstartDate="2024-05-01 10:00:00 +0200"  ></Record>`),
    );
    expect(records).toEqual([
      expect.objectContaining({
        type: 'T',
        unit: 'count',
        sourceName: 'Anna "A" & Co',
        value: 12,
        startMs: Date.UTC(2024, 4, 1, 8),
        endMs: Date.UTC(2024, 4, 1, 8, 1),
        startOffsetMinutes: 120,
      }),
    ]);
  });

  it('resolves only predefined entities and numeric references', () => {
    const { records } = scan(wrap('<Record type="&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#11;"/>'));
    expect(records[0]?.type).toBe('<>&"\'A😀 ');
    expect(failure(wrap('<Record type="&nbsp;"/>'))).toBe('entity_undefined');
    expect(failure(wrap('&bomb;'))).toBe('entity_undefined');
    expect(failure(wrap('<Record type="a & b"/>'))).toBe('xml_malformed');
  });

  it('replaces control characters in names with a space', () => {
    expect(scan(wrap('<Record type="T" sourceName="My\u000bWatch\u0001"/>')).records[0]?.sourceName).toBe('My Watch ');
  });

  it('reads iOS 8 records despite spaces in attribute names', () => {
    const { records } = scan(wrap('<Record type="T" some old name="x" startDate="20141005123456-0700" value="3"/>'));
    expect(records[0]).toMatchObject({ type: 'T', value: 3, startMs: Date.UTC(2014, 9, 5, 19, 34, 56) });
  });

  it.each([
    [
      'version 11',
      '<!DOCTYPE HealthData [\n<!ELEMENT HealthData (Record*)>\n<!ATTLIST Record type CDATA #REQUIRED>\n]>',
    ],
    [
      'version 12, which never closes a declaration and declares an attribute twice',
      '<!DOCTYPE HealthData [\n<!-- it\'s ]> "broken -->\n<!ATTLIST VisionPrescription\n  type CDATA #REQUIRED\n<!ELEMENT RightEye EMPTY>\n<!ATTLIST WorkoutStatistics startDate CDATA #REQUIRED startDate CDATA #REQUIRED>\n]>',
    ],
    ['version 14 with spaces before the end', '<!DOCTYPE HealthData [\n<!ELEMENT Me EMPTY>\n]   >'],
    ['without an internal subset', '<!DOCTYPE HealthData SYSTEM "healthdata.dtd">'],
    ['a bracket inside quotes', '<!DOCTYPE HealthData [<!ENTITY a "]>">\n<!ENTITY b "c">]>'],
  ])('skips a document type declaration: %s', (_, doctype) => {
    expect(scan(wrap(STEPS, doctype)).records).toHaveLength(1);
  });

  it('never expands entities of a document type', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>';
    expect(failure(wrap('<Record type="&c;"/>', bomb))).toBe('entity_undefined');
  });

  it('skips comments, CDATA, processing instructions and text', () => {
    const noise = '<!-- <Record type="no"/> --><![CDATA[<Record type="no"/>]]><?php <Record type="no"/> ?>words';
    expect(scan(wrap(`${noise}${STEPS}${noise}`)).records).toHaveLength(1);
  });

  it('skips records inside a correlation', () => {
    const { records, counts } = scan(
      wrap(`<Correlation type="BP">${STEPS}<Record type="inner"><x/></Record></Correlation>${STEPS}`),
    );
    expect(records).toHaveLength(1);
    expect(counts).toEqual({ Correlation: 1 });
  });

  it('keeps requested metadata, even after a list of heart beats', () => {
    const { records } = scan(
      wrap(
        '<Record type="A"><HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm="60" time="6:14:48.94\u202fPM"/>' +
          '</HeartRateVariabilityMetadataList><MetadataEntry key="Zone" value="Europe/Warsaw"/><MetadataEntry key="Other" value="1"/></Record>' +
          '<Record type="B"/>',
      ),
    );
    expect(records.map((record) => record.metadata)).toEqual([{ Zone: 'Europe/Warsaw' }, {}]);
  });

  it('reads a workout with all its children', () => {
    const { elements } = scan(
      wrap(
        '<Workout a="1"><MetadataEntry key="k" value="5480 cm"/><WorkoutRoute><FileReference path="/r.gpx"/></WorkoutRoute></Workout>',
      ),
    );
    expect(elements).toMatchObject([
      {
        name: 'Workout',
        children: [
          { name: 'MetadataEntry', children: [] },
          { name: 'WorkoutRoute', children: [{ name: 'FileReference' }] },
        ],
      },
    ]);
  });

  it('detects a missing end of the file', () => {
    const whole = wrap(STEPS + STEPS);
    expect(scan(whole).complete).toBe(true);
    const cut = scan(whole.slice(0, -40));
    expect(cut.complete).toBe(false);
    expect(cut.records).toHaveLength(1);
  });

  it.each<[string, ExportErrorCode, string]>([
    ['another document', 'not_an_export', '<ClinicalDocument/>'],
    ['an unclosed tag', 'xml_malformed', wrap('<Record type="a" <Record/>')],
    ['an attribute without quotes', 'xml_malformed', wrap('<Record type=a/>')],
    ['a wrong end tag', 'xml_malformed', wrap('<Workout></Record>')],
    ['40 nested elements', 'too_deep', wrap('<a>'.repeat(40))],
    ['an attribute of 70 kB', 'attribute_too_long', wrap(`<Record type="${'x'.repeat(70_000)}"/>`)],
    [
      '300 attributes',
      'tag_too_long',
      wrap(`<Record ${Array.from({ length: 300 }, (_, n) => `a${n}="1"`).join(' ')}/>`),
    ],
    ['an endless comment', 'tag_too_long', wrap(`<!-- ${'x'.repeat(2_000_000)}`)],
  ])('rejects %s with the code %s', (_, code, xml) => {
    expect(failure(xml)).toBe(code);
  });

  it('limits the descendants of one workout', () => {
    const many = wrap(`<Workout>${'<WorkoutEvent/>'.repeat(20)}</Workout>`);
    expect(failure(many, { maxDescendants: 19 })).toBe('element_too_large');
    expect(failure(many, { maxDescendants: 20 })).toBeUndefined();
  });

  it('delivers equal elements for any chunk size', () => {
    const xml = Buffer.from(
      wrap(
        `<Me a="é"/>${STEPS}<Record type="Łódź 😀" value='4.25'><MetadataEntry key="Zone" value="a&amp;b"/></Record><!-- c -->${STEPS}<Workout b="&lt;"><X y="2"/></Workout>&amp;${STEPS}`,
        '<!DOCTYPE HealthData [<!ELEMENT a (b)><!-- ]> -->]>',
      ),
    );
    const expected = scan(xml);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        expect(scan(xml, {}, sizes)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('reads the same attributes as a strict parser', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .filter((value) => !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(value));
    fc.assert(
      fc.property(
        fc.array(fc.record({ type: text, unit: text, sourceName: text, device: text }), { maxLength: 8 }),
        (wanted) => {
          const quoted = (value: string) =>
            value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
          const records = wanted.map(
            (one) =>
              `<Record ${Object.entries(one)
                .map(([key, value]) => `${key}="${quoted(value)}"`)
                .join(' ')}/>`,
          );
          const xml = wrap(records.join('\n'));
          const strict: Record<string, unknown>[] = [];
          const parser = new SaxesParser();
          parser.on('opentag', (tag) => tag.name === 'Record' && strict.push(tag.attributes));
          parser.write(xml).close();
          expect(
            scan(xml).records.map(({ type, unit, sourceName, device }) => ({ type, unit, sourceName, device })),
          ).toEqual(strict);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function wrap(inside: string, doctype = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}\n<HealthData locale="en_PL">\n ${inside}\n</HealthData>\n`;
}

function scan(xml: string | Buffer, limits: Partial<ExportLimits> = {}, sizes: readonly number[] = [1e9]) {
  const records: ReturnType<typeof plain>[] = [];
  const elements: ExportElement[] = [];
  const scanner = new ExportScanner(
    { onRecord: (record) => records.push(plain(record)), onElement: (element) => elements.push(element) },
    {
      limits: { ...DEFAULT_LIMITS, ...limits },
      wholeElements: new Set(['Workout', 'Me']),
      metadataKeys: new Set(['Zone']),
      beatLists: true,
    },
  );
  const bytes = Buffer.from(xml as string);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    scanner.write(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  return { records, elements, complete: scanner.complete, counts: Object.fromEntries(scanner.elementCounts) };
}

function plain({ type, unit, sourceName, device, metadata, ...rest }: ExportRecord) {
  const texts = { type: type?.text, unit: unit?.text, sourceName: sourceName?.text, device: device?.text };
  return { ...rest, ...texts, metadata: Object.fromEntries(metadata), valueText: rest.valueText?.text };
}

function failure(xml: string, limits: Partial<ExportLimits> = {}): string | undefined {
  try {
    scan(xml, limits, [64 * 1024]);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
