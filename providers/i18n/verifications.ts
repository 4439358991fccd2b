/** Texts for verifying the session with a second factor and enrolling one (foundation §4, §8). */
export const verifications = {
  title: 'Two-Factor Verification',
  requesting: 'Asking for a verification…',
  emailText: 'Please confirm that it is you. Enter the 4-digit code that we emailed to %{email}.',
  noCodeText: 'Please confirm that it is you with a 4-digit code, which we email to %{email}.',
  appText:
    'Please confirm that it is you. Enter the 6-digit code that your authenticator app shows for Muster. Each code works once.',
  recoveryText:
    'Please confirm that it is you. Enter one of the recovery codes that you saved when you set up your authenticator app. Each works once.',
  emailCode: 'Confirmation code',
  appCode: 'Passcode',
  recoveryCode: 'Recovery code',
  incomplete: 'Enter a valid token.',
  verify: 'Verify',
  verifying: 'Checking…',
  expiresIn: 'This code expires in %t.',
  expired: 'This code has expired. Please request a new one.',
  requestNew: 'Request new code',
  requested: 'Another code is on its way. The one before no longer works.',
  requestedFirst: 'A code is on its way.',
  attemptAfter: 'Please wait %m minute%mp and %s second%sp before attempting again',
  requestAfter: 'Please wait %m minute%mp and %s second%sp before requesting again',
  attemptNow: 'You can try again now.',
  requestNow: 'You can request a new code now.',
  takeRecovery: 'Use a recovery code',
  takeApp: 'Use the app',

  setupTitle: 'Set up authenticator app',
  demanded: 'Your organization asks for codes of an authenticator app on your phone. Please set it up first.',

  codesTitle: 'Save your recovery codes',
  codesText:
    'When your phone is not at hand, each of these codes stands in for your authenticator app once. They are not shown again.',
  codesReplace: 'Recovery codes that you had before no longer work.',
  copy: 'Copy',
  download: 'Download .txt',
  done: 'Done',
}
