import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { plainText } from '../output/text-width.js';
import { promptText } from './prompt.js';

/**
 * Shows the consequence of a command and asks for a typed confirmation.
 * @param consequence a sentence, e.g. `This deletes the key Backend.`
 * @param response text to type
 * @param verb action, e.g. `delete`
 * @throws CliError `not_confirmed`, `input_needed`
 */
export async function confirmByTyping(cli: Cli, consequence: string, response: string, verb: string): Promise<void> {
  const word = plainText(response);
  if (cli.terminal.interactive) cli.insist(plainText(consequence));
  const typed = await promptText(cli.terminal, `Type ${word} to ${verb}`, `Pass --yes to skip the confirmation.`);
  if (typed.trim() === word) return;
  throw new CliError('not_confirmed', 'The confirmation does not match. Nothing was changed.', {
    exitCode: EXIT.failed,
  });
}
