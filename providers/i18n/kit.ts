/** Texts of what every page is made of. */
export const kit = {
  cancel: 'Cancel',
  submit: 'Submit',
  close: 'Close',
  retry: 'Try again',
  loading: 'Loading…',
  wentWrong: 'Something went wrong.',
  notLoaded: 'This could not be loaded.',
  notLoadedHint: 'Nothing was lost. Check the connection, then try again.',
  justNow: 'just now',
  dismiss: 'Dismiss',
  draftBack: 'What you typed before you were signed out is back. It is not saved yet.',
  upgradeRequested: 'Thank you for your request, we will be in touch with your organization’s administrator.',
  theme: 'Color scheme',
  light: 'Light',
  dark: 'Dark',
  system: 'System',
}
