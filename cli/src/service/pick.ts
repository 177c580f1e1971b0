import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { plainText } from '../output/text-width.js';

/** One thing that may be meant. */
export interface Choice {
  id: string;
  /** What a person knows it by, beside the id. */
  label: string;
  /** Names that mean it when they are typed whole, in any case. */
  names?: readonly (string | null | undefined)[];
  /** What it is recognized by but not named: means it as the beginning of its id does. */
  mark?: string;
}

export interface PickOptions {
  /** The command was given --yes: only what is named whole is taken then. */
  unasked?: boolean | undefined;
  /** Characters that the beginning of an id needs, not counting a word before it such as `xml_`. */
  least?: number;
  /** What to give instead where nothing is known by the text. */
  hint?: string;
}

/** Shorter texts begin an id by chance. */
const LEAST_CHARACTERS = 4;
/** More are not listed where several fit. */
const LISTED = 8;

/**
 * The id that a text means: the id itself or a name, else the beginning of an id. Where several fit, a person at a
 * terminal chooses. Only a person at a terminal changes what is named by a beginning: without a terminal requests that
 * change something fail from then on.
 * @param noun e.g. `user`
 * @throws CliError `not_found`, `ambiguous`, `id_too_short`, `whole_id_needed`
 */
export async function pickId(
  cli: Cli,
  noun: string,
  text: string,
  choices: readonly Choice[],
  { unasked = false, least = LEAST_CHARACTERS, hint = hintFor(choices) }: PickOptions = {},
): Promise<string> {
  const whole = wholeChoices(text, choices);
  if (whole.length > 0) return oneOf(cli, noun, text, whole);
  const begun = choices.filter((choice) => isBeginning(choice, text.toLowerCase()));
  if (begun.length === 0) throw notFound(noun, text, hint);
  if (text.replace(WORD_BEFORE, '').length < least) {
    throw refusal('id_too_short', `${JSON.stringify(text)} is too short to name a ${noun}.`, begun, {
      before: `Give at least ${least} characters of the id, or `,
    });
  }
  if (unasked) throw wholeIdNeeded(text, 'With --yes only a whole id or name is taken.', begun);
  const id = await oneOf(cli, noun, text, begun);
  if (!cli.terminal.interactive) {
    cli.refuseChanges(wholeIdNeeded(text, 'Without a terminal only what is named whole is changed.', begun));
  }
  return id;
}

/** Nothing of this kind is known by the text. */
function notFound(noun: string, text: string, hint: string): CliError {
  return new CliError('not_found', `No ${noun} is known by ${JSON.stringify(text)}.`, { hint });
}

/** Those whose whole id or name the text is, in any case. */
export function wholeChoices<C extends Choice>(text: string, choices: readonly C[]): C[] {
  const wanted = text.toLowerCase();
  return choices.filter(({ id, names = [] }) => [id, ...names].some((name) => name?.toLowerCase() === wanted));
}

/** The word before an id: `xml_` of `xml_81aa…`. */
const WORD_BEFORE = /^[a-z]+_/i;

/** Whether an id begins with a text, also without the word before it: `81aa` begins `xml_81aa…`. */
function isBeginning({ id, mark }: Choice, wanted: string): boolean {
  const lower = id.toLowerCase();
  return (
    lower.startsWith(wanted) || lower.replace(WORD_BEFORE, '').startsWith(wanted) || mark?.toLowerCase() === wanted
  );
}

/** @throws CliError `ambiguous` where several fit and no one can be asked */
async function oneOf(cli: Cli, noun: string, text: string, fitting: readonly Choice[]): Promise<string> {
  const [only, another] = fitting;
  if (only && !another) return only.id;
  if (cli.terminal.interactive) return choose(noun, text, fitting);
  throw refusal('ambiguous', `${JSON.stringify(text)} fits ${fitting.length} ${noun}s.`, fitting);
}

function wholeIdNeeded(text: string, why: string, fitting: readonly Choice[]): CliError {
  return refusal('whole_id_needed', `${JSON.stringify(text)} is only a part of an id. ${why}`, fitting);
}

function refusal(code: string, message: string, fitting: readonly Choice[], { before = 'Give ' } = {}): CliError {
  const listed = fitting.slice(0, LISTED).map(({ id, label }) => `${id} ${plainText(label)}`.trim());
  const choice = listed.length === 1 ? `the whole id: ${listed[0]}` : `one of: ${listed.join('; ')}`;
  const hint = `${before}${choice}${fitting.length > LISTED ? '; …' : ''}`;
  return new CliError(code, message, { hint, exitCode: EXIT.usage });
}

function hintFor(choices: readonly Choice[]): string {
  return `Give an id or its beginning${choices.some(({ names }) => names) ? ', or a name' : ''}.`;
}

async function choose(noun: string, text: string, fitting: readonly Choice[]): Promise<string> {
  const { select } = await import('@inquirer/prompts');
  const choices = fitting.map(({ id, label }) => ({ value: id, name: `${id}  ${plainText(label)}`.trimEnd() }));
  return select({ message: `Which ${noun} is ${plainText(text)}?`, choices }, { output: process.stderr });
}
