import type { Command } from 'commander';
import { EXIT, EXIT_CODES } from '../exit-codes.js';
import { CliError } from '../failure.js';

/** `help [topic…]`: exit codes, or the help of a command. */
export function addHelpCommand(program: Command): void {
  program
    .command('help')
    .description('Shows the help of a command, or of the topic exit-codes.')
    .summary('show the help of a command, or `exit-codes`')
    .argument('[words...]', 'a command like `users create`, or `exit-codes`')
    .action((words: string[]) => {
      process.stdout.write(words[0] === 'exit-codes' ? exitCodesText() : commandAt(program, words).helpInformation());
    });
}

/** Formats one line per exit code. */
export function exitCodesText(): string {
  const lines = EXIT_CODES.map(({ code, meaning }) => `${String(code).padStart(5)}  ${meaning}`);
  return `Exit codes of healthctl:\n\n${lines.join('\n')}\n`;
}

function commandAt(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words) {
    const next = found.commands.find((command) => command.name() === word);
    if (!next) {
      throw new CliError('unknown_topic', `No help found for ${words.join(' ')}.`, {
        hint: 'See: healthctl --help',
        exitCode: EXIT.usage,
      });
    }
    found = next;
  }
  return found;
}
