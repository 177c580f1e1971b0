import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import type { Terminal } from './terminal.js';

/** Prompts for one line. @throws CliError `input_needed` if there is no terminal */
export async function promptText(
  terminal: Terminal,
  question: string,
  instead: string,
  proposal?: string,
): Promise<string> {
  requireTerminal(terminal, instead);
  const { input } = await import('@inquirer/prompts');
  return input({ message: question, default: proposal, required: true }, { output: process.stderr });
}

/** Prompts for a secret without echo. @throws CliError `input_needed` if there is no terminal */
export async function promptSecret(terminal: Terminal, question: string, instead: string): Promise<string> {
  requireTerminal(terminal, instead);
  const { password } = await import('@inquirer/prompts');
  return password({ message: question, mask: '*' }, { output: process.stderr });
}

/** Reads all of stdin. */
export async function readStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** Reads a secret from stdin and trims it. */
async function readSecret(): Promise<string> {
  const secret = (await readStdin()).trim();
  if (!secret) throw new CliError('secret_missing', 'No secret received on stdin.', { exitCode: EXIT.usage });
  return secret;
}

/** Prompts for a secret without echo, or reads it from stdin. @throws CliError `secret_missing`, `input_needed` */
export async function takeSecret(terminal: Terminal, question: string): Promise<string> {
  if (!process.stdin.isTTY) return readSecret();
  const secret = (
    await promptSecret(
      terminal,
      question,
      'Pipe the secret into the command, e.g. < secret.txt, or run it in a terminal.',
    )
  ).trim();
  if (!secret) throw new CliError('secret_missing', 'No input received.', { exitCode: EXIT.usage });
  return secret;
}

/** Fails with the hint `instead` if there is no terminal. @throws CliError `input_needed` */
export function requireTerminal(terminal: Terminal, instead: string): void {
  if (terminal.interactive) return;
  throw new CliError('input_needed', 'Cannot prompt without a terminal.', {
    hint: instead,
    exitCode: EXIT.usage,
  });
}
