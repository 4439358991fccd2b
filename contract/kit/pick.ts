export const pick = <Row extends object, Field extends keyof Row>(
  row: Row,
  fields: readonly Field[],
): Pick<Row, Field> =>
  // `Object.fromEntries` loses the keys in its type.
  Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<Row, Field>

/** The named fields that have a value. */
export const pickDefined = <Row extends object, Field extends keyof Row>(
  row: Row,
  fields: readonly Field[],
): { [F in Field]?: Exclude<Row[F], undefined> } =>
  Object.fromEntries(
    fields.filter((field) => row[field] !== undefined).map((field) => [field, row[field]]),
  ) as { [F in Field]?: Exclude<Row[F], undefined> }
