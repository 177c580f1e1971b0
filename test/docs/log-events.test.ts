import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './documents.js';

const SOURCES = join(ROOT, 'daemon/src');
const CALL = /\blog\??\.(debug|info|warn|error|fatal)\(/gi;
/** A verb in -ed or -ing, an irregular past form, or a subject of one to four words with `failed` or `were`. */
const PAST_TENSE = /^(?:[A-Z][a-z]+(?:ed|ing)|Lost|Left|Gave|Sent|Kept|[A-Z][a-z]+(?: [a-z]+){0,3} (?:failed|were))\b/;

interface LogCall {
  readonly file: string;
  readonly level: string;
  /** Source text of the arguments. */
  readonly source: string;
  readonly event: string | undefined;
}

/** Returns every log call in the daemon. */
function logCalls(): LogCall[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    return [...text.matchAll(CALL)].map(({ 0: call, 1: level = '', index }) => {
      const source = argumentsFrom(text.slice(index + call.length));
      return { file, level, source, event: /^\s*\{\s*event: '([a-z]+(?:_[a-z]+)+)'/.exec(source)?.[1] };
    });
  });
}

/** @param text text after an opening parenthesis @returns the text before its closing parenthesis */
function argumentsFrom(text: string): string {
  let depth = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return text.slice(0, at);
  }
  return text;
}

const calls = logCalls();

test('has a snake_case event as first field in every daemon log line', () => {
  expect(calls.length).toBeGreaterThan(50);
  expect(calls.filter(({ event }) => event === undefined)).toEqual([]);
});

test('starts every daemon log message with a past-tense phrase', () => {
  const texts = calls.flatMap(({ source }) => [...source.matchAll(/(['"`])(.*?)\1/gs)].map(([, , text = '']) => text));
  const messages = texts.filter((text) => text.includes(' '));
  expect(messages.length).toBeGreaterThanOrEqual(calls.length);
  expect(messages.filter((message) => !PAST_TENSE.test(message))).toEqual([]);
});

test('uses each event name in one place of the daemon', () => {
  const events = calls.map(({ event }) => event);
  expect(events.filter((event, index) => events.indexOf(event) !== index)).toEqual([]);
});

test("lists exactly the daemon's log events and levels in docs/log-events.md", () => {
  const page = readFileSync(join(ROOT, 'docs/log-events.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` \| (?!level)(\w+) \|/gm)].map(
    ([, event, level]) => `${event} ${level}`,
  );
  expect(listed.sort()).toEqual(calls.map(({ event, level }) => `${event} ${level}`).sort());
});
