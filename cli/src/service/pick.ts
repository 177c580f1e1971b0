import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { plainText } from '../output/text-width.js';

/** An object that a user can select by typing its id or name. */
export interface Choice {
  id: string;
  /** Label next to the id. */
  label: string;
  /** Full names. Case does not matter. */
  names?: readonly (string | null | undefined)[];
  /** Short mark that matches like an id prefix. */
  mark?: string;
}

export interface PickOptions {
  /** True with --yes: accepts only a whole id or name. */
  withoutPrompt?: boolean | undefined;
  /** Minimum length of an id prefix, without a type prefix such as `xml_`. */
  least?: number;
  /** Hint if nothing matches. */
  hint?: string;
}

/** Minimum length of an id prefix, because shorter prefixes match ids by chance. */
const LEAST_CHARACTERS = 4;
/** Maximum number of candidates in a message. */
const LISTED = 8;

/**
 * Resolves a text to an id: a whole id or name, else an id prefix. Prompts on a terminal if several match. Without a
 * terminal, a command with a prefix may only read: later requests that change something fail.
 * @param noun e.g. `user`
 * @throws CliError `not_found`, `ambiguous`, `id_too_short`, `whole_id_needed`
 */
export async function pickId(
  cli: Cli,
  noun: string,
  text: string,
  choices: readonly Choice[],
  { withoutPrompt = false, least = LEAST_CHARACTERS, hint = hintFor(choices) }: PickOptions = {},
): Promise<string> {
  const whole = wholeChoices(text, choices);
  if (whole.length > 0) return oneOf(cli, noun, text, whole);
  const prefixMatches = choices.filter((choice) => isPrefix(choice, text.toLowerCase()));
  if (prefixMatches.length === 0) throw notFound(noun, text, hint);
  if (text.replace(WORD_BEFORE, '').length < least) {
    throw pickError('id_too_short', `${JSON.stringify(text)} is too short to identify a ${noun}.`, prefixMatches, {
      before: `Pass at least ${least} characters of the id, or `,
    });
  }
  if (withoutPrompt) throw fullIdNeeded(text, 'With --yes, pass a whole id or name.', prefixMatches);
  const id = await oneOf(cli, noun, text, prefixMatches);
  if (!cli.terminal.interactive) {
    cli.refuseChanges(fullIdNeeded(text, 'Without a terminal, changes require a whole id or name.', prefixMatches));
  }
  return id;
}

/** Creates the error for a text without matches. */
function notFound(noun: string, text: string, hint: string): CliError {
  return new CliError('not_found', `No ${noun} matches ${JSON.stringify(text)}.`, { hint });
}

/** Returns the choices whose whole id or name equals the text. Case does not matter. */
export function wholeChoices<C extends Choice>(text: string, choices: readonly C[]): C[] {
  const lowerText = text.toLowerCase();
  return choices.filter(({ id, names = [] }) => [id, ...names].some((name) => name?.toLowerCase() === lowerText));
}

/** Type prefix of an id: `xml_` of `xml_81aa…`. */
const WORD_BEFORE = /^[a-z]+_/i;

/** True if an id starts with a text, with or without its type prefix: `81aa` matches `xml_81aa…`. */
function isPrefix({ id, mark }: Choice, prefix: string): boolean {
  const lower = id.toLowerCase();
  return (
    lower.startsWith(prefix) || lower.replace(WORD_BEFORE, '').startsWith(prefix) || mark?.toLowerCase() === prefix
  );
}

/** @throws CliError `ambiguous` if several match and there is no terminal */
async function oneOf(cli: Cli, noun: string, text: string, fitting: readonly Choice[]): Promise<string> {
  const [only, another] = fitting;
  if (only && !another) return only.id;
  if (cli.terminal.interactive) return choose(noun, text, fitting);
  throw pickError('ambiguous', `${JSON.stringify(text)} matches ${fitting.length} ${noun}s.`, fitting);
}

function fullIdNeeded(text: string, why: string, fitting: readonly Choice[]): CliError {
  return pickError('whole_id_needed', `${JSON.stringify(text)} is only part of an id. ${why}`, fitting);
}

function pickError(code: string, message: string, fitting: readonly Choice[], { before = 'Pass ' } = {}): CliError {
  const listed = fitting.slice(0, LISTED).map(({ id, label }) => `${id} ${plainText(label)}`.trim());
  const choice = listed.length === 1 ? `the whole id: ${listed[0]}` : `one of: ${listed.join('; ')}`;
  const hint = `${before}${choice}${fitting.length > LISTED ? '; …' : ''}`;
  return new CliError(code, message, { hint, exitCode: EXIT.usage });
}

function hintFor(choices: readonly Choice[]): string {
  return `Pass an id or its prefix${choices.some(({ names }) => names) ? ', or a name' : ''}.`;
}

async function choose(noun: string, text: string, fitting: readonly Choice[]): Promise<string> {
  const { select } = await import('@inquirer/prompts');
  const choices = fitting.map(({ id, label }) => ({ value: id, name: `${id}  ${plainText(label)}`.trimEnd() }));
  return select({ message: `Which ${noun} is ${plainText(text)}?`, choices }, { output: process.stderr });
}
