/** Why an organisation was not set up, imported as it is when a code is looked up (foundation §8). */
export const setup = {
  notFound: 'Unable to connect to enterprise.',
  notRead: 'Error getting enterprise information.',
  tryAgain: 'Try again or contact your administrator.',
}
