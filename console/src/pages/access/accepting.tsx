/** How an invitation is passed on. */
export const ACCEPTING = (
  <>
    No mail is sent: give this token to the person, who accepts it with <code>healthctl invitations accept</code>.
  </>
);
