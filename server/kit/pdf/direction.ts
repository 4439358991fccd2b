const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const LETTER = /\p{L}/u

/** True when a letter or text has right-to-left letters. */
export const isRightToLeftLetter = (text: string): boolean => RIGHT_TO_LEFT.test(text)
/** True when the first letter of a text is right-to-left. */
export const isRightToLeft = (text: string): boolean => isRightToLeftLetter(LETTER.exec(text)?.[0] ?? '')
