/** Texts of the full-screen errors, imported directly because nothing else may have loaded. */
export const plain = {
  name: 'Muster',
  oops: 'Oops!',
  oopsText: 'An unexpected error occurred. What you saved is safe. Please',
  oopsReload: 'click to reload the page.',
  oopsSignIn: 'Sign back in.',
  offline: 'Device Offline',
  offlineText: 'Please check your Internet connection.',
}
