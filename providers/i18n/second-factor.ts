/** Texts of the second step of sign-in, imported directly: the page has no i18n provider. */
export const secondFactor = {
  title: "Confirm it's you",
  emailText: 'Enter the 4-digit code that we emailed to',
  totpText: 'Enter the 6-digit code that your authenticator app shows for Muster.',
  emailCode: 'Confirmation code',
  totpCode: 'Passcode',
  emailIncomplete: 'Enter a valid confirmation code.',
  totpIncomplete: 'Enter a valid passcode.',
  cancel: 'Cancel',
  submit: 'Submit',
  submitting: 'Checking…',
  refused: 'The confirmation code you entered is invalid or has expired.',
  failed: 'An error occurred while validating your identity.',
  expiresIn: 'This code expires in %t.',
  expired: 'This code has expired. Please ask for another one.',
  nothingArrived: 'No email? Check the spam folder.',
  resend: 'Resend',
  resending: 'Sending…',
  resendIn: 'in %t',
  resent: 'Another code is on its way. The one before no longer works.',
  resendFailed: 'An unexpected error occurred.',
  noPhone: 'No access to the app?',
  takeRecovery: 'Use a recovery code',
  takeApp: 'Use the authenticator app',
  recoveryTitle: 'Use a recovery code',
  recoveryText:
    'Enter one of the ten codes that you saved when you set up your authenticator app. Each works once.',
  recoveryCode: 'Recovery code',
  hasApp: 'Do you have the app at hand?',

  enrolTitle: 'Set up your authenticator app',
  enrolText: 'Your organization asks for a second step at sign-in: a code that an app on your phone makes.',
  verify: 'Verify',
  notLoaded: 'The setup could not be loaded. Nothing has changed for your account.',
  retry: 'Try again',

  codesTitle: 'Save your recovery codes',
  codesText:
    'Without your phone, each of these codes signs you in once. Keep them where you find them when your phone is gone. They are not shown again.',
  copyCodes: 'Copy codes',
  download: 'Download',
  continue: 'Continue',
}

/** Texts of all lockouts after failed attempts (foundation §8). */
export const lockout = {
  wait: 'Please wait %m minute%mp and %s second%sp before trying to submit again.',
  over: 'You can try again now.',
}
