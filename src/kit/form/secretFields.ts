import { useEffect } from 'react'
import type { Control } from 'react-hook-form'

/** Names of fields that hold secrets. */
const SECRET_NAME = /password|passcode|secret/i
/** Field names of masked inputs, by form. */
const masked = new WeakMap<object, Set<string>>()

/** Keeps the value of a masked input out of the form's draft. */
export function useSecretField(control: Control, source: string, isSecret: boolean): void {
  useEffect(() => {
    if (isSecret) masked.set(control, (masked.get(control) ?? new Set()).add(source))
  }, [control, source, isSecret])
}

/** True if a field's value must not be stored on this device. */
export const isSecretField = (control: object, field: string): boolean =>
  SECRET_NAME.test(field) || (masked.get(control)?.has(field) ?? false)

/** JSON of a draft, without secrets at any depth. */
export const withoutSecrets = (draft: unknown): string =>
  JSON.stringify(draft, (name, value: unknown) => (SECRET_NAME.test(name) ? undefined : value))
