import { Argument, type Command, type Option } from 'commander';
import type { Cli } from '../cli.js';
import { type Candidate, candidatesFor, valuesOf } from '../service/completion-values.js';
import type { Bind } from './bind.js';

/** `completion bash|zsh|fish`, and the hidden command that the shell scripts call */
export function addCompletionCommands(program: Command, bind: Bind): void {
  program
    .command('completion')
    .description('Prints a shell script that completes commands, options, users, runs and providers.')
    .summary('complete commands and ids in a shell')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', NOTES)
    .action(bind(printScript));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(bind<[string[]]>(async (cli, words) => complete(cli, program, words)));
}

const NOTES = `
To load it:
  bash  source <(healthctl completion bash), in ~/.bashrc
  zsh   source <(healthctl completion zsh), in ~/.zshrc after compinit
  fish  healthctl completion fish > ~/.config/fish/completions/healthctl.fish
`;

const SCRIPTS = {
  bash: `_healthctl() {
  local IFS=$'\\n' line
  COMPREPLY=()
  while read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done \\
    < <(healthctl __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ \${#COMPREPLY[@]} -eq 0 ]; then compopt -o filenames; COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
}
complete -F _healthctl healthctl
`,
  zsh: `#compdef healthctl
_healthctl() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(healthctl __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe 'healthctl' found; else _files; fi
}
compdef _healthctl healthctl
`,
  fish: `function __healthctl_complete
  set -l words (commandline -opc) (commandline -ct)
  healthctl __complete -- $words[2..-1] 2>/dev/null
end
complete -c healthctl -f -a '(__healthctl_complete)'
complete -c healthctl -n 'test -z "(__healthctl_complete)"' -F
`,
};

/** `healthctl completion` */
async function printScript(cli: Cli, shell: keyof typeof SCRIPTS): Promise<void> {
  await cli.sink.write(SCRIPTS[shell]);
}

/** `healthctl __complete`: prints completions of the last word, one per line: value, tab, description. */
async function complete(cli: Cli, program: Command, words: readonly string[]): Promise<void> {
  const found = await candidates(cli, program, words).catch(() => []);
  const last = words.at(-1) ?? '';
  const lines = found
    .filter(({ value }) => value.toLowerCase().startsWith(last.toLowerCase()))
    .map(({ value, about }) => `${value}\t${about.replaceAll(/\s+/g, ' ')}\n`);
  await cli.sink.write(lines.join(''));
}

async function candidates(cli: Cli, program: Command, words: readonly string[]): Promise<Candidate[]> {
  const last = words.at(-1) ?? '';
  let at = program;
  let argumentsSeen = 0;
  let awaited: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (awaited) {
      awaited = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const option = optionsOf(at, program).find(({ short, long }) => short === word || long === word);
      awaited = option?.required ? option : undefined;
      continue;
    }
    const next = argumentsSeen === 0 ? at.commands.find((command) => command.name() === word) : undefined;
    if (next) at = next;
    else argumentsSeen += 1;
  }
  if (awaited)
    return valuesOf(cli, awaited.argChoices ?? candidatesFor(awaited.parseArg, awaited.attributeName()), last);
  if (last.startsWith('-')) {
    return optionsOf(at, program)
      .filter(({ hidden }) => !hidden)
      .map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }));
  }
  if (at.commands.length > 0 && argumentsSeen === 0) {
    const shown = at.commands.filter((command) => !command.name().startsWith('__'));
    const commands = shown.map((command) => ({ value: command.name(), about: command.summary() }));
    if (at.registeredArguments.length === 0) return commands;
  }
  const argument = at.registeredArguments[argumentsSeen] ?? at.registeredArguments.findLast(({ variadic }) => variadic);
  if (!argument) return [];
  return valuesOf(cli, argument.argChoices ?? candidatesFor(argument.parseArg, argument.name()), last);
}

function optionsOf(command: Command, program: Command): readonly Option[] {
  return command === program ? program.options : [...command.options, ...program.options];
}
