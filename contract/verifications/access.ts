/** Code of refusals that require a verification of the session first. */
export const VERIFICATION_REQUIRED = 'verification_required'
