import { useNotify } from 'react-admin'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

import { getSession } from '#providers/session.ts'
import { tabStorage } from '#providers/storage.ts'

import { useText } from '../useText.ts'
import { isSecretField, withoutSecrets } from './secretFields.ts'

const KEY = 'muster.drafts'
/** Milliseconds until a draft expires. */
const KEPT_MS = 12 * 3_600_000

interface Draft {
  /** Owner of the draft; nobody else sees it. */
  readonly person: string | null
  readonly place: string
  readonly at: number
  /** True for a draft kept because the page may unload, rather than because the session ended. */
  readonly reload?: boolean
  readonly value: unknown
}
/** State to keep beside, or instead of, a form's fields. */
interface Typed<T> {
  readonly value: T
  readonly isTyped: boolean
  readonly restore: (value: T) => void
}

const placeOf = (name: string) => `${location.pathname}${location.search} ${name}`

/** This person's drafts that have not expired. */
function storedDrafts(person: string | null): readonly Draft[] {
  try {
    const stored = JSON.parse(tabStorage.read(KEY) ?? '[]') as Draft[]
    return stored.filter((draft) => draft.person === person && Date.now() - draft.at < KEPT_MS)
  } catch {
    return []
  }
}
const storeDrafts = (drafts: readonly Draft[]) =>
  tabStorage.write(KEY, drafts.length === 0 ? null : withoutSecrets(drafts))

/** Name, without the prefix, of the form that was open at this address when the session ended. */
export function draftedForm(prefix: string): string | undefined {
  const start = placeOf(prefix)
  return storedDrafts(getSession().uuid)
    .find(({ place }) => place.startsWith(start))
    ?.place.slice(start.length)
}

/**
 * Keeps input when the session ends and its pages unmount, until this person signs in again in this tab at
 * this address; and across a reload. Signing out drops it.
 * @param name distinguishes forms at one address
 */
export function useTyped<T>(name: string, { value, isTyped, restore }: Typed<T>): void {
  useKept<T>(name, () => (isTyped ? value : undefined), restore)
}

/** Keeps the result of `read` like `useTyped`, for input outside the component's state; undefined for no input. */
export function useKept<T>(name: string, read: () => T | undefined, restore: (value: T) => void) {
  const text = useText()
  const notify = useNotify()
  const [person] = useState(() => getSession().uuid)

  const keep = (value: T | undefined, reload: boolean) => {
    const place = placeOf(name)
    const others = storedDrafts(person).filter((draft) => draft.place !== place)
    const draft = { person, place, at: Date.now(), value, ...(reload && { reload }) }
    storeDrafts(value === undefined ? others : [...others, draft])
  }
  const leave = useEffectEvent(() => {
    const { tokens, ending } = getSession()
    if (ending === 'left') keep(undefined, false)
    if (tokens || ending === null || ending === 'left') return
    const value = read()
    if (value !== undefined) keep(value, false)
  })
  // A reload or an eviction from memory does not unmount the form. A page that is shown again still has its input.
  const onVisibility = useEffectEvent((isGoing: boolean) => {
    if (getSession().tokens) keep(isGoing ? read() : undefined, true)
  })
  useEffect(() => {
    const hidden = () => onVisibility(true)
    const changed = () => onVisibility(document.hidden)
    const shown = () => onVisibility(false)
    window.addEventListener('pagehide', hidden)
    window.addEventListener('pageshow', shown)
    document.addEventListener('visibilitychange', changed)
    return () => {
      window.removeEventListener('pagehide', hidden)
      window.removeEventListener('pageshow', shown)
      document.removeEventListener('visibilitychange', changed)
    }
  }, [])
  // A layout effect, because other effects run after the address has become that of the sign-in page.
  useLayoutEffect(() => () => leave(), [])

  const comeBack = useEffectEvent(() => {
    if (tabStorage.read(KEY) === null) return
    const drafts = storedDrafts(person)
    const draft = drafts.find(({ place }) => place === placeOf(name))
    const others = drafts.filter((one) => one !== draft)
    storeDrafts(others)
    if (!draft) return
    restore(draft.value as T)
    // Several forms of a page are restored together: the last one notifies.
    if (!others.some(({ place }) => place.startsWith(placeOf(''))))
      notify(text(draft.reload ? 'kit.draftReloaded' : 'kit.draftBack'), { type: 'info' })
  })
  useEffect(() => comeBack(), [])
}

/**
 * Keeps the changed fields of a form like `useTyped`, except secrets.
 * @param more form state outside of the fields
 */
export function useDraft<V extends FieldValues, T = never>(
  form: UseFormReturn<V>,
  name: string,
  more?: Typed<T>,
): void {
  useKept<{ fields: Readonly<Record<string, unknown>>; more?: T | undefined }>(
    name,
    () => {
      const typed = Object.entries(form.getValues()).filter(
        ([field]) => form.getFieldState(field as never).isDirty && !isSecretField(form.control, field),
      )
      if (typed.length === 0 && !more?.isTyped) return undefined
      return { fields: Object.fromEntries(typed), more: more?.value }
    },
    (draft) => {
      for (const [field, value] of Object.entries(draft.fields))
        form.setValue(field as never, value as never, { shouldDirty: true })
      if (more && draft.more !== undefined) more.restore(draft.more)
    },
  )
}
