/** Texts of the screens that replace everything, which are imported as they are: nothing else may be there then. */
export const plain = {
  name: 'Muster',
  oops: 'Oops!',
  oopsText: 'An unexpected error occurred. What you saved is safe. Please',
  oopsReload: 'click to reload the page.',
  oopsSignIn: 'Sign back in.',
  offline: 'Device Offline',
  offlineText: 'Please check your Internet connection.',
}
