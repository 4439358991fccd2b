/** Marks that override, embed or isolate the direction of the text after them (UAX #9 §2). */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Removes direction marks from a text that is shown within another text, which they would reorder as well.
 * Letters keep the direction of their script (decision 062).
 */
export const withoutDirectionMarks = (text: string): string => text.replace(DIRECTION_MARKS, '')

/** A text of strangers that stands in a sentence without changing the direction of the rest. */
export const isolated = (text: string): string => `\u2068${withoutDirectionMarks(text)}\u2069`
