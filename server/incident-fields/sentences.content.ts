/** Beginning of the name of an organisation's own field in an event; its label follows. */
export const FIELD_PREFIX = 'field:'
/** True for the name of a change that external people do not see: of the kind, the labels, and of an own field. */
export const isOwnField = (name: string): boolean =>
  name === 'kind' || name === 'labels' || name.startsWith(FIELD_PREFIX)
/** The label of an own field in the name of a change. */
export const ownLabel = (name: string): string =>
  name.startsWith(FIELD_PREFIX) ? name.slice(FIELD_PREFIX.length) : name
