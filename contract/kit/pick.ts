/** The named fields of a record. */
export const pick = <Row extends object, Field extends keyof Row>(
  row: Row,
  fields: readonly Field[],
): Pick<Row, Field> =>
  // `Object.fromEntries` keeps no names of keys in its type.
  Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<Row, Field>
