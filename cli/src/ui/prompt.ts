import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import type { Terminal } from './terminal.js';

/** Asks for one line. @throws CliError `input_needed` where no one can be asked */
export async function askText(
  terminal: Terminal,
  question: string,
  instead: string,
  proposal?: string,
): Promise<string> {
  requirePerson(terminal, instead);
  const { input } = await import('@inquirer/prompts');
  return input({ message: question, default: proposal, required: true }, { output: process.stderr });
}

/** Asks for a secret, which is not shown. @throws CliError `input_needed` where no one can be asked */
export async function askSecret(terminal: Terminal, question: string, instead: string): Promise<string> {
  requirePerson(terminal, instead);
  const { password } = await import('@inquirer/prompts');
  return password({ message: question, mask: '*' }, { output: process.stderr });
}

/** All that comes in on stdin. */
export async function readStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** Reads a secret from stdin, up to its end; blanks and line breaks around it do not count. */
async function readSecret(): Promise<string> {
  const secret = (await readStdin()).trim();
  if (!secret) throw new CliError('secret_missing', 'Nothing came in on stdin.', { exitCode: EXIT.usage });
  return secret;
}

/** A secret of a person, which is not shown, or what comes in on stdin. @throws CliError `secret_missing`, `input_needed` */
export async function takeSecret(terminal: Terminal, question: string): Promise<string> {
  if (!process.stdin.isTTY) return readSecret();
  const secret = (await askSecret(terminal, question, 'Pass it on stdin, e.g. from a file: < secret.txt')).trim();
  if (!secret) throw new CliError('secret_missing', 'Nothing was typed.', { exitCode: EXIT.usage });
  return secret;
}

/** @throws CliError `input_needed` where no one can be asked, with what to do `instead` */
export function requirePerson(terminal: Terminal, instead: string): void {
  if (terminal.interactive) return;
  throw new CliError('input_needed', 'This needs an answer, and there is no terminal to ask on.', {
    hint: instead,
    exitCode: EXIT.usage,
  });
}
