import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { getSession, keptPrefix } from '#providers/session.ts'
import { storage } from '#providers/storage.ts'

import { withoutSecrets } from './secretFields.ts'

/** Between the last change and its being kept, in milliseconds. */
const WRITE_AFTER_MS = 500
/** Drafts older than this, in milliseconds, are dropped. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Values that somebody typed and did not save. */
export interface KeptDraft<T> {
  /** When they were kept, in milliseconds of this browser's clock. */
  readonly at: number
  readonly value: T
}

function read<T>(key: string): KeptDraft<T> | null {
  try {
    const draft = JSON.parse(storage.read(key) ?? 'null') as KeptDraft<T> | null
    return draft && Date.now() - draft.at < KEPT_MS ? draft : null
  } catch {
    return null
  }
}
/** Removes what is older than any draft is kept. */
function dropOld(prefix: string) {
  for (const key of storage.keys(prefix)) if (read(key) === null) storage.write(key, null)
}

/**
 * Keeps what is typed in a form on this device, through a closed tab and an ended session, until it is saved, discarded or
 * the person signs out. Nothing is kept while a found draft waits for a decision.
 * @param name of the form and the record
 * @param value undefined while nothing is typed; compared by identity
 */
export function useKeptDraft<T>(name: string, value: T | undefined) {
  const [prefix] = useState(() => keptPrefix(getSession().uuid ?? ''))
  const key = `${prefix}${name}`
  const [found, setFound] = useState(() => read<T>(key))
  /** What is not written yet; null to remove the draft, undefined for nothing. */
  const pending = useRef<T | null>(undefined)
  const initial = useRef(true)

  const flush = useEffectEvent(() => {
    const waiting = pending.current
    pending.current = undefined
    if (waiting === undefined || getSession().ending === 'left') return
    storage.write(key, waiting === null ? null : withoutSecrets({ at: Date.now(), value: waiting }))
  })
  useEffect(() => {
    const isFirst = initial.current
    initial.current = false
    if (found !== null || (isFirst && value === undefined)) return undefined
    pending.current = value ?? null
    const timer = setTimeout(() => flush(), WRITE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [value, found])
  useEffect(() => {
    dropOld(prefix)
    const onHidden = () => flush()
    window.addEventListener('pagehide', onHidden)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      window.removeEventListener('pagehide', onHidden)
      document.removeEventListener('visibilitychange', onHidden)
      onHidden()
    }
  }, [prefix])

  return {
    /** The draft of an earlier visit, until it is taken or dropped. */
    found,
    /** Leaves the found draft to the form, which goes on with its values. */
    take: () => setFound(null),
    /** Forgets the draft, because its values are saved or discarded. */
    drop: () => {
      pending.current = undefined
      setFound(null)
      storage.write(key, null)
    },
  }
}
