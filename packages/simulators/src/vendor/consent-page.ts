import { type Answer, html, redirect } from '../answer.js';

/** What a person sees and may tick. */
export interface ConsentForm {
  /** As people read it: `Oura`. Undefined: health data in general. */
  vendor?: string;
  /** The page's own address, which the form posts to. */
  action: string;
  people: readonly { id: string; label: string; isSelected?: boolean }[];
  /** Name of the boxes' field. */
  field: 'scope' | 'permission';
  boxes: readonly { value: string; label?: string; isUnticked?: boolean }[];
}

/** The form on which a person chooses an account, ticks scopes, and allows or denies. */
export function consentPage({ vendor, action, people, field, boxes }: ConsentForm): Answer {
  const options = people.map(
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
    `<main><h1>An application wants access to your ${escaped(vendor ?? 'health')} data</h1>
<p>This is a simulator: the people and their data are made up.</p>
<form method="post" action="${escaped(action)}">
<p><label>Account <select name="account">${options.join('')}</select></label></p>
<fieldset><legend>It may</legend>${inputs.join('\n')}</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form></main>`,
  );
}

/** Sends the person back to the client's address with members and the state that it gave. */
export function backTo(redirectUri: string, state: string): (members: Record<string, string>) => Answer {
  return (members) => {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...members, state })) url.searchParams.set(name, value);
    return redirect(url.href);
  };
}

/** A refusal that is shown to the person and never redirected. */
export function accessBlocked(reason: string, status = 400): Answer {
  return html(status, 'Error', `<h1>Access blocked</h1><p>${reason}</p>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
