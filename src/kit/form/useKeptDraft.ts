import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { getSession, keptPrefix } from '#providers/session.ts'
import { storage } from '#providers/storage.ts'

import { withoutSecrets } from './secretFields.ts'

/** Milliseconds of debounce before a draft is written. */
const WRITE_AFTER_MS = 500
/** Milliseconds until a draft expires. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Unsaved input. */
export interface KeptDraft<T> {
  /** Time of the last write, in milliseconds of this browser's clock. */
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
/** Removes expired drafts. */
function dropOld(prefix: string) {
  for (const key of storage.keys(prefix)) if (read(key) === null) storage.write(key, null)
}

/**
 * Keeps a form's input on this device, across closed tabs and ended sessions, until it is saved, discarded or
 * the person signs out. Nothing is written while a found draft waits for a decision.
 * @param name of the form and the record
 * @param value undefined without input; compared by identity
 */
export function useKeptDraft<T>(name: string, value: T | undefined) {
  const [prefix] = useState(() => keptPrefix(getSession().uuid ?? ''))
  const key = `${prefix}${name}`
  const [found, setFound] = useState(() => read<T>(key))
  /** The unwritten draft; null to remove it, undefined for none. */
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
    /** Hands the found draft over to the form. */
    take: () => setFound(null),
    /** Removes the draft, because its values are saved or discarded. */
    drop: () => {
      pending.current = undefined
      setFound(null)
      storage.write(key, null)
    },
  }
}
