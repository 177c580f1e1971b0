import { Parser } from 'xml2js';
import { DocumentError } from './document-fault.js';
import type { FileWorkout } from './file-workout.js';
import { gpxWorkouts } from './gpx.js';
import { tcxWorkouts } from './tcx.js';
import type { XmlNode } from './xml-tree.js';

/** Encodings that a file may declare. Both formats contain almost only digits. */
const ENCODINGS: ReadonlySet<string> = new Set(['utf-8', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252']);
const DECLARED = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;
const DECLARATION_BYTES = 256;

/**
 * Reads the workouts of a GPX or TCX document. Blocks for seconds if the document is large, so call it only in a
 * thread.
 * @throws DocumentError, NoWorkoutError
 */
export function readXmlWorkouts(bytes: Uint8Array): FileWorkout[] {
  const { name, root } = parse(decode(bytes));
  if (name === 'gpx') return gpxWorkouts(root);
  if (name === 'TrainingCenterDatabase') return tcxWorkouts(root);
  throw new DocumentError('not_workout_file');
}

function decode(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new DocumentError('encoding_unsupported');
  }
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES)).replace(/^ï»¿/, '');
  const encoding = DECLARED.exec(start)?.[1]?.toLowerCase() ?? 'utf-8';
  if (!ENCODINGS.has(encoding)) throw new DocumentError('encoding_unsupported');
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DocumentError('encoding_unsupported', { cause });
  }
}

function parse(document: string): { name: string; root: XmlNode } {
  // A document type declaration could define entities that expand without limit. Neither format has one.
  if (/<!DOCTYPE/i.test(document)) throw new DocumentError('dtd_forbidden');
  const parser = new Parser({ tagNameProcessors: [withoutPrefix], explicitCharkey: false, async: false });
  let result: Record<string, XmlNode> | null | undefined;
  let failure: Error | null = null;
  try {
    parser.parseString(document, (error: Error | null, parsed: unknown) => {
      failure ??= error;
      result = parsed as Record<string, XmlNode>;
    });
  } catch (error) {
    // The parser throws errors that it finds after the end of the root element.
    if (!(error instanceof Error) || error instanceof RangeError) throw error;
    failure = error;
  }
  if (failure) throw new DocumentError('xml_malformed', { cause: failure });
  const [found] = Object.entries(result ?? {});
  if (!found) throw new DocumentError('xml_malformed');
  return { name: found[0], root: found[1] };
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
