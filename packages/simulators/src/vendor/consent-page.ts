import { type Answer, html, redirect } from '../response.js';

/** Content of the consent form. */
export interface ConsentForm {
  /** Display name such as `Oura`. */
  vendor: string;
  /** The page's URL, which the form posts to. */
  action: string;
  users: readonly { id: string; label: string; isSelected?: boolean }[];
  /** Field name of the checkboxes. */
  field: 'scope' | 'permission';
  boxes: readonly { value: string; label?: string; isUnticked?: boolean }[];
}

/** Returns the form for choosing an account and scopes, and for allowing or denying. */
export function consentPage({ vendor, action, users, field, boxes }: ConsentForm): Answer {
  const options = users.map(
    ({ id, label, isSelected }) =>
      `<option value="${escaped(id)}"${isSelected ? ' selected' : ''}>${escaped(label)}</option>`,
  );
  const inputs = boxes.map(({ value, label = value, isUnticked }) => {
    const box = `<input type="checkbox" name="${field}" value="${escaped(value)}"${isUnticked ? '' : ' checked'}>`;
    return `<p><label>${box} ${escaped(label)}</label></p>`;
  });
  return html(
    200,
    'Sign in – simulated vendor',
    `<main><h1>An application wants access to your ${escaped(vendor)} data</h1>
<p>This is a simulator: the people and their data are made up.</p>
<form method="post" action="${escaped(action)}">
<p><label>Account <select name="account">${options.join('')}</select></label></p>
<fieldset><legend>It may</legend>${inputs.join('\n')}</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form></main>`,
  );
}

/** Returns a redirect to the client's URL with the state and further members. */
export function backTo(redirectUri: string, state: string): (members: Record<string, string>) => Answer {
  return (members) => {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...members, state })) url.searchParams.set(name, value);
    return redirect(url.href);
  };
}

/** Returns an error page that does not redirect to the client. */
export function accessBlocked(reason: string, status = 400): Answer {
  return html(status, 'Error', `<h1>Access blocked</h1><p>${reason}</p>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
