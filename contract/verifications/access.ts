/** What a session does not have yet when a call needs a verification: the code of that refusal. */
export const VERIFICATION_REQUIRED = 'verification_required'
