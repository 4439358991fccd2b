interface PasswordRule {
  readonly id: 'length' | 'maximum' | 'lowercase' | 'uppercase' | 'number' | 'special' | 'forbidden'
  readonly message: string
  readonly holds: (password: string) => boolean
}

/** Characters of a password (foundation §5). */
export const PASSWORD_MAX = 255
export const PASSWORD_TOO_LONG = `Password cannot be more than ${PASSWORD_MAX} characters long.`

/** Rules for a password, in the order of the checklist (foundation §5). */
export const passwordRules: readonly PasswordRule[] = [
  {
    id: 'length',
    message: 'Password must be at least 8 characters long.',
    holds: (password) => password.length >= 8,
  },
  {
    id: 'maximum',
    message: PASSWORD_TOO_LONG,
    holds: (password) => password.length <= PASSWORD_MAX,
  },
  {
    id: 'lowercase',
    message: 'Password must contain at least 1 lowercase letter.',
    holds: (password) => /\p{Ll}/u.test(password),
  },
  {
    id: 'uppercase',
    message: 'Password must contain at least 1 uppercase letter.',
    holds: (password) => /\p{Lu}/u.test(password),
  },
  {
    id: 'number',
    message: 'Password must contain at least 1 number.',
    holds: (password) => /[0-9]/.test(password),
  },
  {
    id: 'special',
    message: 'Password must contain at least 1 special character.',
    holds: (password) => /[@$!%*#?&.,+{}-]/.test(password),
  },
  {
    id: 'forbidden',
    message: 'Password cannot contain any of the characters <>^()/\\|\'".',
    holds: (password) => !/[<>^()/\\|'"]/.test(password),
  },
]

/** The message of the first broken rule; undefined for a valid password. */
export const passwordProblem = (password: string): string | undefined =>
  passwordRules.find((rule) => !rule.holds(password))?.message

export const PASSWORDS_MATCH = 'Passwords must match.'
