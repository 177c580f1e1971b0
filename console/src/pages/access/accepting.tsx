/** How an invitation is passed on. */
export const ACCEPTING = (
  <>
    No email is sent. Give this token to the new developer, who accepts it with{' '}
    <code>healthctl invitations accept</code>.
  </>
);
