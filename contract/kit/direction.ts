/** Marks that turn, embed or isolate the text after them until another mark ends it (UAX #9 §2). */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A text for a place within other text, which its marks would turn as well. Its letters keep the direction of their script.
 * (decision 062)
 */
export const withoutDirectionMarks = (text: string): string => text.replace(DIRECTION_MARKS, '')
