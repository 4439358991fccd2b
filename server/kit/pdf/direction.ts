const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const LETTER = /\p{L}/u

/** Whether a letter or a text is written from the right. */
export const isRightToLeftLetter = (text: string): boolean => RIGHT_TO_LEFT.test(text)
/** Whether a text begins, as far as its letters go, from the right. */
export const isRightToLeft = (text: string): boolean => isRightToLeftLetter(LETTER.exec(text)?.[0] ?? '')
