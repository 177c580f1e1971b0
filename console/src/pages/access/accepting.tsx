/** Explains how to pass on an invitation. */
export const ACCEPTING = (
  <>
    No email is sent. Give this token to the new developer, who accepts it with{' '}
    <code>healthctl invitations accept</code>.
  </>
);
