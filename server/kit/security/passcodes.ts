import { randomInt } from 'node:crypto'

/** Letters and digits that are not mistaken for others, also on the telephone. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 3
const GROUP_LENGTH = 4

/** A random passcode of 59 bits, such as `k7mw-p2xr-9fhd`. */
export const newPasscode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-')
