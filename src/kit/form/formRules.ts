import { get, type FieldErrors, type FieldValues, type Resolver, set } from 'react-hook-form'
import { createContext, useContext, useEffect, useEffectEvent } from 'react'

import type { Schema } from '#contract/kit/endpoint.ts'

/** What is wrong with a field's value, if anything. */
export type FieldRule = (value: unknown) => string | undefined
/** Rules of the inputs on screen, beside those of the form's schema. */
export const FormRules = createContext<Map<string, FieldRule>>(new Map())

/** Adds a rule of an input to those of the form, for what a schema cannot know. */
export function useFieldRule(source: string, rule: FieldRule | undefined) {
  const rules = useContext(FormRules)
  const latest = useEffectEvent((value: unknown) => rule?.(value))
  useEffect(() => {
    rules.set(source, (value) => latest(value))
    return () => void rules.delete(source)
  }, [rules, source])
}

/** Checks a form with a schema of the contract and the rules of its inputs: each message stands at its own field. */
export const resolverOf =
  (schema: Schema, rules: Map<string, FieldRule>): Resolver =>
  (values: FieldValues) => {
    const parsed = schema.safeParse(values)
    const problems = new Map<string, string>()
    for (const { path, message } of parsed.error?.issues ?? [])
      if (!problems.has(path.join('.'))) problems.set(path.join('.'), message)
    for (const [source, rule] of rules) {
      const problem = problems.has(source) ? undefined : rule(get(values, source))
      if (problem !== undefined) problems.set(source, problem)
    }
    if (problems.size === 0) return { values: parsed.data as FieldValues, errors: {} }
    const errors: FieldErrors = {}
    for (const [path, message] of problems) set(errors, path, { type: 'refused', message })
    return { values: {}, errors }
  }

/** The first message among those of a list and of its entries. */
export function messageIn(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('message' in error && typeof error.message === 'string') return error.message
  return Object.values(error).map(messageIn).find(Boolean)
}
