/**
 * Texts of passwords and second factors for public pages and dialogs, imported directly: public pages have no
 * i18n provider.
 */
export const credentials = {
  showPassword: 'Show what is typed',
  hidePassword: 'Hide what is typed',
  rules: 'Your password needs',
  rule: {
    length: 'At least 8 characters',
    maximum: 'No more than 255 characters',
    lowercase: 'A lowercase letter',
    uppercase: 'An uppercase letter',
    number: 'A number',
    special: 'A special character: @ $ ! % * # ? & . , + { } -',
    forbidden: 'None of < > ^ ( ) / \\ | \' "',
    match: 'Both passwords are the same',
  },
  holds: 'fulfilled',
  open: 'still open',
  missing: (open: number, all: number) => `${open} of ${all} still open`,
  complete: 'All fulfilled',

  installApp: 'Install an authenticator app on your phone, or open the one that you have.',
  scan: 'Add an account in the app and scan this QR code.',
  qrCode: 'QR code for your authenticator app',
  loadingKey: 'Loading…',
  cannotScan: 'Cannot scan it? Enter this key in the app instead.',
  copyKey: 'Copy setup key',
  enterCode: 'Enter the 6-digit code that the app shows now.',

  copied: 'Copied',
  notCopied: 'The browser did not allow copying. Please select the text and copy it.',

  recoveryCodes: 'Recovery codes',
  saved: 'I have saved these codes',
  fileTitle: 'Recovery codes for Muster',
  fileOrganization: 'Organization',
  fileAccount: 'Account',
  fileMade: 'Made',
  fileText: 'Each code works once, in place of the code of your authenticator app.',
}
