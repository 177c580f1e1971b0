// Writes docs/healthctl.md from the command definitions: `node scripts/healthctl-docs.mjs`, after a build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './checkout.mjs';

const COLUMNS = 100;

const INTRODUCTION = `# healthctl

The command line of healthd. It covers the whole API. \`node scripts/healthctl-docs.mjs\` generates this page from the commands.

## Get it

In a checkout, run \`npm run -s healthctl --\`. On another machine with Node 20.19 or later, download one file from a running
service. It matches the service's version:

    curl -o healthctl.mjs https://health.example.org/healthctl.mjs
    node healthctl.mjs login --url https://health.example.org

\`npm pack\` in \`cli/\` creates a package without dependencies for \`npm install --global\`. Load shell completion with
\`source <(healthctl completion bash)\` (or \`zsh\`), or
\`healthctl completion fish > ~/.config/fish/completions/healthctl.fish\`.

## First steps

\`\`\`sh
healthctl users create --email anna@example.org --first-name Anna
healthctl connections connect google --user anna@example.org
healthctl sync historical --user anna@example.org --provider google --days 30 --no-wait
healthctl sync watch --user anna@example.org
healthctl data activity --user anna@example.org --from 7d
healthctl subscribers register google https://health.example.org/api/v1/providers/google/webhooks
healthctl import export.zip --user anna@example.org --dry-run
healthctl import export.zip --user anna@example.org
healthctl users export anna@example.org --out anna.zip
healthctl users delete anna@example.org --yes
\`\`\`

## Rules for scripts

- Data goes to stdout, everything else to stderr. Data is a table on a terminal and JSON in a pipe; \`--output\` selects the format.
- \`--json id,email\` selects fields, and \`--jq\` filters the JSON. New versions add fields, but never rename or remove them. An
  unknown field or an invalid jq program fails before anything changes. Commands that write events have no fields to select.
- Commands that follow something write one JSON object per line. The last line has \`"event": "result"\`, exactly once.
- In a pipe, failures are JSON on stderr: \`code\`, \`message\`, \`hint\`, \`request_id\`. \`healthctl help exit-codes\` lists the
  exit codes.
- Name a user by id, email or external id. Name a run, key, application, developer, invitation or link by id or name.
- To read, a unique id prefix is enough: at least 4 characters, 8 for a user. If several ids match, a terminal prompts, and a
  script fails with code \`ambiguous\` and lists the ids. A prefix that is too short fails with \`id_too_short\`.
- A script that changes something, and \`--yes\`, require a whole id or name. A prefix fails with \`whole_id_needed\`.
- healthctl never prompts in a pipe, with \`--no-input\`, or if \`CI\` is set. Pass \`--yes\` to skip confirmations.
- A flag takes precedence over the environment, the environment over \`.healthctl.json\` in the folder or the nearest parent, and
  that file over the profile. \`healthctl config --show-origin\` shows where each value comes from.
- Secrets are never arguments. They come from a prompt, stdin or HEALTHCTL_TOKEN.
`;

/** @returns {Promise<string>} the text of docs/healthctl.md */
export async function healthctlDocument() {
  const { buildProgram } = await import(pathToFileURL(join(root, 'cli/dist/program.js')).href);
  const program = await buildProgram(undefined);
  const parts = [INTRODUCTION, '## Options of every command\n', optionsOf(program)];
  for (const command of shown(program)) parts.push(`\n## ${command.name()}\n`, ...sectionsOf(command, 'healthctl'));
  return parts.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

function shown(command) {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
}

/** Returns one section for each command with an action. */
function sectionsOf(command, parent) {
  const name = `${parent} ${command.name()}`;
  const children = shown(command);
  if (children.length === 0) return [helpOf(command)];
  const own = [`${command.description()}\n`];
  for (const child of children)
    own.push(`### ${name.replace('healthctl ', '')} ${child.name()}\n`, ...sectionsOf(child, name));
  return own;
}

function helpOf(command) {
  let text = '';
  command.configureHelp({ showGlobalOptions: false, helpWidth: COLUMNS });
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  // Every command has this option.
  const lines = text.split('\n').filter((line) => !/^ {2}-h, --help /.test(line));
  return `\`\`\`text\n${lines
    .join('\n')
    .replace(/\nOptions:\n(?=\n|$)/, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n\`\`\`\n`;
}

function optionsOf(program) {
  const help = program.createHelp();
  const rows = help
    .visibleOptions(program)
    .map((option) => `- \`${help.optionTerm(option)}\`: ${help.optionDescription(option)}`);
  return `${rows.join('\n')}\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(join(root, 'docs/healthctl.md'), await healthctlDocument());
}
