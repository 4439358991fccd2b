/** Texts of the forgotten-password and forgotten-code pages, imported directly: these pages have no i18n provider. */
export const forgot = {
  email: 'Email',
  submitting: 'Sending…',
  unexpected: 'An unexpected error occurred.',
  sentTitle: 'Check your email',
  sentTo: 'If there is an account for',
  spam: 'It can take a few minutes. If nothing arrives, look in the spam folder.',
  again: 'Send again or use another address',
  password: {
    title: 'Forgot Password',
    text: 'Enter your email address. We send you a link to set a new password.',
    submit: 'Send link',
    sent: ', we have sent a link to it. The link works once, for one hour.',
    back: 'Back to sign-in',
  },
  organization: {
    title: 'Forgot organization code',
    text: 'Enter your email address. We send you the code of each organization that you have an account in.',
    submit: 'Send code',
    sent: ', we have sent the organization code to it.',
    back: 'Back to organization code',
  },
}
