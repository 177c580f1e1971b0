import { Argument, type Command } from 'commander';
import type { Bind } from './bind.js';

/** `completion bash|zsh|fish`, and what the scripts of the shells ask */
export function addCompletionCommands(program: Command, bind: Bind): void {
  program
    .command('completion')
    .description('Prints the script that completes commands, options, users, runs and providers in a shell.')
    .summary('complete commands and ids in a shell')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', NOTES)
    .action(
      bind<['bash' | 'zsh' | 'fish']>(async (cli, shell) =>
        (await import('../actions/completion.js')).printScript(cli, shell),
      ),
    );
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(
      bind<[string[]]>(async (cli, words) => (await import('../actions/completion.js')).complete(cli, program, words)),
    );
}

const NOTES = `
To load it:
  bash  source <(healthctl completion bash), in ~/.bashrc
  zsh   source <(healthctl completion zsh), in ~/.zshrc after compinit
  fish  healthctl completion fish > ~/.config/fish/completions/healthctl.fish
`;
