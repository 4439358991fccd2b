import { useQueryClient } from '@tanstack/react-query'
import { useDataProvider, useNotify, useSaveContext } from 'react-admin'
import { type RefObject, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

import { HttpProblem, messageOf } from '#providers/problem.ts'

import type { AnyDefinition, Listed } from '../resource/resource.ts'
import { useText } from '../useText.ts'

interface Options {
  definition: AnyDefinition
  form: RefObject<UseFormReturn | null>
  record: Listed | undefined
  valuesOf: (record: Listed | undefined) => FieldValues
  onSaved: (saved: unknown) => void
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Deep equality of form values, which are plain JSON. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Resets clean fields to new values and keeps dirty ones dirty. */
export const KEEP_TYPED = { keepDirtyValues: true, keepDirty: true } as const

/** Dirty fields that others have changed since the form was opened. */
export function contested(form: UseFormReturn, theirs: FieldValues): string[] {
  const before = form.formState.defaultValues ?? {}
  return Object.keys(theirs).filter(
    (field) => form.getFieldState(field).isDirty && !isSame(theirs[field], before[field]),
  )
}

/** Message above the buttons of a form. */
export interface Notice {
  readonly severity: 'error' | 'warning' | 'success'
  readonly text: string
  /** All refusals, if there are several. */
  readonly list?: readonly string[]
}

/**
 * Saves a form by react-admin's save context, which returns the server's refusals of fields for the form to show. Other
 * refusals are shown above the buttons; a list of refusals at both.
 */
export function useSave({ definition, form: handle, record, valuesOf, onSaved }: Options) {
  const { name, create, edit, failed = 'kit.wentWrong', problemToast, closesAfter } = definition
  const text = useText()
  const notify = useNotify()
  const dataProvider = useDataProvider()
  const queryClient = useQueryClient()
  const [notice, setNotice] = useState<Notice>()
  const save = useSaveContext().save!

  /** Merges a newer saved version into clean fields, and bases the next save on it. */
  const takeNewer = async (refusal: string, id: Listed['id']) => {
    const { data } = await dataProvider.getOne<Listed & { id: string }>(name, { id: String(id) })
    const theirs = valuesOf(data)
    const form = handle.current!
    const fields = contested(form, theirs)
    form.reset(theirs, KEEP_TYPED)
    for (const field of fields)
      form.setError(field, {
        type: 'server',
        message: text('grid.newerWins', { value: String(theirs[field] ?? '') }),
      })
    setNotice({ severity: 'warning', text: `${refusal} ${text('grid.newerLoaded')}` })
  }

  const refuse = async (error: unknown, sent: FieldValues) => {
    const sentence = messageOf(error, text(failed))
    if (problemToast) notify(text(problemToast, { message: sentence }), { type: 'error' })
    const { code, errors = {}, errorMessages: list = [] } = error instanceof HttpProblem ? error.body : {}
    if (code === 'stale' && record) return takeNewer(sentence, record.id)
    const fields = Object.keys(sent)
    const all = Object.entries(errors)
    const here = all.filter(([path]) =>
      fields.some((field) => path === field || path.startsWith(`${field}.`)),
    )
    if (here[0]) handle.current!.setFocus(here[0][0])
    if (list.length > 0 || here.length === 0 || here.length < all.length)
      setNotice({ severity: 'error', text: sentence, list })
  }

  const submit = async (data: FieldValues) => {
    setNotice(undefined)
    let saved: unknown
    const errors: unknown = await save(data, {
      onSuccess: (answer: unknown) => {
        saved = answer
      },
      onError: async (error) => {
        try {
          await refuse(error, data)
        } catch {
          setNotice({ severity: 'error', text: text(failed) })
        }
      },
    })
    if (saved === undefined) return errors
    const done = text((record ? edit : create)!.done)
    void queryClient.invalidateQueries({ queryKey: [name] })
    if (closesAfter === undefined) notify(done, { type: 'success' })
    else {
      setNotice({ severity: 'success', text: done })
      await pause(closesAfter)
    }
    onSaved(saved)
    return undefined
  }
  return { notice, submit }
}
