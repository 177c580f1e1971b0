import { type Answer, html } from '../answer.js';
import type { Account } from './account.js';

/** The form on which a person chooses an account, ticks scopes, and allows or denies. It posts to the page's own address. */
export function consentPage(action: string, accounts: readonly Account[], scopes: readonly string[]): Answer {
  const people = accounts.map(({ facts }) => `<option value="${escaped(facts.id)}">${escaped(facts.email)}</option>`);
  const boxes = scopes.map(
    (scope) =>
      `<p><label><input type="checkbox" name="scope" value="${escaped(scope)}" checked> ${escaped(scope)}</label></p>`,
  );
  return html(
    200,
    'Sign in – simulated vendor',
    `<main><h1>An application wants access to your WHOOP data</h1>
<p>This is a simulator: the people and their data are made up.</p>
<form method="post" action="${escaped(action)}">
<p><label>Account <select name="account">${people.join('')}</select></label></p>
<fieldset><legend>It may</legend>${boxes.join('\n')}</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form></main>`,
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
