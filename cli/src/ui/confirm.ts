import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { plainText } from '../output/text-width.js';
import { askText } from './prompt.js';

/**
 * Says what a command takes away and has a person repeat a word first.
 * @param consequence a sentence, e.g. `This deletes the key Backend.`
 * @param answer what has to be typed
 * @param verb what is done then, e.g. `delete`
 * @throws CliError `not_confirmed`, `input_needed`
 */
export async function confirmByTyping(cli: Cli, consequence: string, answer: string, verb: string): Promise<void> {
  const word = plainText(answer);
  if (cli.terminal.interactive) cli.insist(plainText(consequence));
  const typed = await askText(cli.terminal, `Type ${word} to ${verb}`, `Say --yes to ${verb} without being asked.`);
  if (typed.trim() === word) return;
  throw new CliError('not_confirmed', 'That is another answer. Nothing was changed.', { exitCode: EXIT.failed });
}
