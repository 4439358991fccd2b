import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type FieldErrors, type FieldValues, get, type Resolver, set } from 'react-hook-form'
import { createContext, useContext, useEffect, useEffectEvent } from 'react'
import type * as z from 'zod/mini'

/** Schema of a form's body. */
type FormSchema = z.ZodMiniType<FieldValues, FieldValues>
/** Returns the error message for a field's value; undefined for a valid one. */
export type FieldRule = (value: unknown) => string | undefined
/** Rules of the mounted inputs, beside the form's schema. */
export const FormRules = createContext<Map<string, FieldRule>>(new Map())

/** Adds an input's rule to the form, for conditions that a schema cannot express, such as the configuration. */
export function useFieldRule(source: string, rule: FieldRule | undefined) {
  const rules = useContext(FormRules)
  const latest = useEffectEvent((value: unknown) => rule?.(value))
  useEffect(() => {
    rules.set(source, (value) => latest(value))
    return () => void rules.delete(source)
  }, [rules, source])
}

/**
 * Validates a form by a schema of the contract, and by each input's rule where the schema accepts its field. Standard Schema
 * reports the message of the schema; the resolver for Zod reports that of a union's closest branch.
 */
export function resolverOf(schema: FormSchema, rules: Map<string, FieldRule>): Resolver {
  const checkSchema = standardSchemaResolver(schema)
  return async (values, context, options) => {
    const checked = await checkSchema(values, context, options)
    const errors = { ...checked.errors }
    for (const [source, rule] of rules) {
      const message = get(errors, source) ? undefined : rule(get(values, source))
      if (message !== undefined) set(errors, source, { type: 'rule', message })
    }
    return Object.keys(errors).length === 0 ? checked : { values: {}, errors }
  }
}

/** Validates a form by a function that returns the errors by field. */
export const resolverFromProblems =
  <Values extends FieldValues>(problemsOf: (values: Values) => FieldErrors<Values>): Resolver<Values> =>
  (values) => {
    const errors = problemsOf(values)
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }

/** The first message among those of a list and of its entries. */
export function messageIn(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('message' in error && typeof error.message === 'string') return error.message
  return Object.values(error).map(messageIn).find(Boolean)
}
