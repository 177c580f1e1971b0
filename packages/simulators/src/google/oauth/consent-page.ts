import { type Answer, html } from '../../answer.js';
import type { Account } from '../accounts.js';
import { isIdentityScope } from './scopes.js';

/** The form on which a person chooses an account, ticks scopes, and allows or denies. It posts to the page's own address. */
export function consentPage(
  action: string,
  accounts: readonly Account[],
  scopes: readonly string[],
  hinted?: Account,
): Answer {
  const people = accounts.map(({ id, email }) => {
    const selected = id === hinted?.id ? ' selected' : '';
    return `<option value="${inHtml(id)}"${selected}>${inHtml(email)}</option>`;
  });
  const boxes = scopes
    .filter((scope) => !isIdentityScope(scope))
    .map((scope) => {
      const label = inHtml(scope.replace(/^.*\/auth\//, ''));
      return `<p><label><input type="checkbox" name="scope" value="${inHtml(scope)}" checked> ${label}</label></p>`;
    });
  return html(
    200,
    'Sign in – simulated vendor',
    `<main><h1>An application wants access to your health data</h1>
<p>This is a simulator: the people and their data are made up.</p>
<form method="post" action="${inHtml(action)}">
<p><label>Account <select name="account">${people.join('')}</select></label></p>
<fieldset><legend>It may</legend>${boxes.join('\n')}</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form></main>`,
  );
}

function inHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
