import { useNotify } from 'ra-core'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

import { getSession } from '#providers/session.ts'

import { useText } from './useText.ts'

const KEY = 'muster.draft'
/** Whoever comes back later begins anew. */
const KEPT_MS = 12 * 3_600_000

interface Draft {
  /** Whose it is: nobody else gets to see it. */
  readonly person: string | null
  readonly place: string
  readonly at: number
  readonly values: Readonly<Record<string, unknown>>
  readonly more?: unknown
}
interface More<T> {
  readonly value: T
  readonly isTyped: boolean
  readonly restore: (value: T) => void
}

function storedDraft(): Draft | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps what is typed in a form when the session ends, which takes every page away, until the same person has signed in
 * again in this tab and is at the same form. Whoever signs out gives it up.
 * @param name tells forms of one address apart
 * @param more what belongs to the form and is not one of its fields
 */
export function useDraft<V extends FieldValues, T = never>(
  form: UseFormReturn<V>,
  name: string,
  more?: More<T>,
): void {
  const text = useText()
  const notify = useNotify()
  const [person] = useState(() => getSession().uuid)
  const place = () => `${location.pathname}${location.search} ${name}`

  const leave = useEffectEvent(() => {
    const { tokens, ending } = getSession()
    if (tokens || ending === null || ending === 'left') return
    const typed = Object.entries(form.getValues()).filter(
      ([field]) => form.getFieldState(field as never).isDirty,
    )
    if (typed.length === 0 && !more?.isTyped) return
    const draft: Draft = {
      person,
      place: place(),
      at: Date.now(),
      values: Object.fromEntries(typed),
      more: more?.value,
    }
    try {
      sessionStorage.setItem(KEY, JSON.stringify(draft))
    } catch {
      // Without storage nothing is kept.
    }
  })
  // Of the layout, because by the time of other effects the address is that of the sign-in page.
  useLayoutEffect(() => () => leave(), [])

  const comeBack = useEffectEvent(() => {
    const draft = storedDraft()
    if (!draft) return
    const isOurs = draft.person === person && Date.now() - draft.at < KEPT_MS
    if (isOurs && draft.place !== place()) return
    sessionStorage.removeItem(KEY)
    if (!isOurs) return
    for (const [field, value] of Object.entries(draft.values))
      form.setValue(field as never, value as never, { shouldDirty: true })
    if (more && draft.more !== undefined) more.restore(draft.more as T)
    notify(text('kit.draftBack'), { type: 'info' })
  })
  useEffect(() => comeBack(), [])
}
