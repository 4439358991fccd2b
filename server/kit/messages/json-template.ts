/** Values of placeholders by their names. */
export type Values = Readonly<Record<string, string>>

/** A text with its `{{placeholders}}` filled in. Values are never looked at for placeholders. */
export const fillText = (text: string, values: Values, encode = (value: string) => value): string =>
  text.replace(/\{\{([A-Za-z]{1,20})\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encode(values[name]!) : whole,
  )

/** JSON with the placeholders in its texts filled in. Values stay within their text, so that none can end it. */
export function fillJson(template: unknown, values: Values): unknown {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map((one) => fillJson(one, values))
  if (template !== null && typeof template === 'object')
    return Object.fromEntries(
      Object.entries(template).map(([name, value]) => [name, fillJson(value, values)] as const),
    )
  return template
}

/** The text, number or truth value at a path such as `messages.0.id`; undefined for none. */
export function atPath(json: unknown, path: string): string | undefined {
  let value = json
  for (const name of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}
