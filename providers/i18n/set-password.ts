/** Texts of the page behind a mailed link, imported directly: the page has no i18n provider. */
export const setPassword = {
  title: 'Set your password',
  newPassword: 'New password',
  confirmPassword: 'Confirm password',
  newRequired: 'Please enter a new password.',
  confirmRequired: 'Please confirm the new password.',
  submit: 'Set password',
  submitting: 'Setting password…',
  doneTitle: 'Your password was set',
  doneText: 'You can sign in with it now.',
  signIn: 'Sign in',
  failedTitle: 'Your password was not set!',
  overTitle: 'This link has expired',
  expired: 'Your authorization token has expired.',
  advice: 'Please contact your administrator for a new link.',
  another: 'Request a new link',
  unexpected: 'An unexpected error occurred, please try again.',
}
