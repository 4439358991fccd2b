/** Errors of the lookup of an organisation, imported directly (foundation §8). */
export const setup = {
  notFound: 'Unable to connect to enterprise.',
  notRead: 'Error getting enterprise information.',
  tryAgain: 'Try again or contact your administrator.',
}
