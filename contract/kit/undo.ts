/** Refusal (409, 404) of an undo after its time. */
export const UNDO_OVER = 'This was deleted too long ago to be undone. Please add it again.'
/** Refusal (403) of an undo of somebody else's deletion. */
export const DELETED_BY_ANOTHER = 'Somebody else deleted this. Only they can undo it.'
/** Refusals of calls that undo a deletion, for the API reference. */
export const UNDO_ERRORS = {
  403: 'Somebody else deleted it.',
  409: 'It was deleted more than ten minutes ago, or its name was taken meanwhile.',
}
