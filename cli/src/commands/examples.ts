import type { Command } from 'commander';

/** Adds examples to a command's help. A test runs them. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  const title = examples.length === 1 ? 'Example' : 'Examples';
  return command.addHelpText('after', `\n${title}:\n${examples.map((line) => `  ${line}\n`).join('')}`);
}
