import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../docs/documents.js';

/** The part of commander's command that this file uses. */
interface HelpedCommand {
  name(): string;
  createHelp(): { visibleCommands(command: HelpedCommand): HelpedCommand[] };
  configureHelp(options: { helpWidth: number }): void;
  configureOutput(options: { writeOut(text: string): void }): void;
  outputHelp(): void;
}

/** Returns the help text of every healthctl command with an action, by its full name such as `users list`. */
export async function healthctlHelp(): Promise<Map<string, string>> {
  const { buildProgram } = await import(pathToFileURL(join(ROOT, 'cli/dist/program.js')).href);
  const program: HelpedCommand = await buildProgram(undefined);
  return new Map(childrenOf(program).flatMap((command) => helpTexts(command, command.name())));
}

function helpTexts(command: HelpedCommand, name: string): [string, string][] {
  const children = childrenOf(command);
  if (children.length === 0) return [[name, helpText(command)]];
  return children.flatMap((child) => helpTexts(child, `${name} ${child.name()}`));
}

function childrenOf(command: HelpedCommand): HelpedCommand[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
}

function helpText(command: HelpedCommand): string {
  let text = '';
  command.configureHelp({ helpWidth: 100 });
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}
