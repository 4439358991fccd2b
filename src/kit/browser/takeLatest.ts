import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'

const differ = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)

/**
 * Takes newer saved values into a form and keeps typed ones. Returns the fields that both sides changed to
 * different values. A field of several parts, such as a time with its unit, counts as one.
 */
export function takeLatest<V extends FieldValues>(form: UseFormReturn<V>, was: V, now: V): (keyof V)[] {
  const typed = structuredClone(form.getValues())
  const mine = Object.keys(now).filter((field) => differ(typed[field], was[field]))
  form.reset(now)
  for (const field of mine as Path<V>[]) form.setValue(field, typed[field], { shouldDirty: true })
  return mine.filter((field) => differ(was[field], now[field]) && differ(typed[field], now[field]))
}
