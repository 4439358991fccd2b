import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { isOpen, packageProblems, warRoomProblems, type WelcomeToken } from '#contract/welcome/rules.ts'
import type { WelcomePackage, WelcomeStatus } from '#contract/welcome/schema.ts'
import { welcome as texts } from '#providers/i18n/welcome.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'

import { bodyOf, type Draft, draftOf } from './draftValues.ts'
import { openPackage, savePackage } from './queries.ts'

/** Milliseconds of debounce before a draft saves itself. */
const SAVES_AFTER_MS = 1_500
/** Milliseconds between polls of a submitted package. */
const ASKS_EVERY_MS = 3_000

/** Reason why the last save was refused. */
export interface Refusal {
  readonly code: string
  readonly message: string
}
export interface Welcome {
  readonly state: WelcomePackage
  readonly draft: Draft
  readonly isLocked: boolean
  readonly isDirty: boolean
  readonly isSaving: boolean
  readonly refusal: Refusal | null
  /** True once somebody tried to continue: errors are shown at their fields from then on. */
  readonly isChecked: boolean
  readonly change: (change: (draft: Draft) => Draft) => void
  /** Validates the war rooms and saves changes. Resolves to true if the wizard may continue. */
  readonly leaveStep: () => Promise<boolean>
  readonly complete: () => Promise<void>
  /** Replaces the input by the last saved package. */
  readonly reload: () => Promise<void>
}

const refusalOf = (error: unknown): Refusal => ({
  code: (error instanceof HttpProblem && error.body.code) || 'failed',
  message: messageOf(error, texts.saveFailed),
})

/** The first error of a draft, like the server's. */
function problemOf(state: WelcomePackage, draft: Draft): Refusal | null {
  const limits = {
    maxUsers: state.maxUsers,
    mainAdmin: state.mainAdminUser.email,
    characters: state.nameCharacters,
  }
  const [first] = packageProblems(bodyOf(draft), limits)
  return first ?? null
}

/** Calls `save` some time after the last change. */
function useAutosave(draft: Draft, save: (draft: Draft) => void) {
  const saveLatest = useEffectEvent(save)
  useEffect(() => {
    const timer = setTimeout(() => saveLatest(draft), SAVES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [draft])
}

/** Polls a submitted package until it is done. */
function useProgress(token: WelcomeToken, status: WelcomeStatus, show: (found: WelcomePackage) => void) {
  const showLatest = useEffectEvent(show)
  useEffect(() => {
    if (status !== 'SUBMITTED') return undefined
    const timer = setInterval(() => {
      openPackage(token).then(
        (found) => found && showLatest(found),
        // The next poll retries.
        () => undefined,
      )
    }, ASKS_EVERY_MS)
    return () => clearInterval(timer)
  }, [status, token])
}

/** Warns before the page closes with unsaved input. */
function useUnloadWarning(isUnsaved: boolean) {
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isUnsaved) event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: BeforeUnloadEvent) => warn(event)
    window.addEventListener('beforeunload', listener)
    return () => window.removeEventListener('beforeunload', listener)
  }, [])
}

/** The last saved package, and a queue of saves based on it. */
function useSaves(token: WelcomeToken, first: WelcomePackage, onGone: () => void) {
  const [state, setState] = useState(first)
  const [isSaving, setIsSaving] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const saved = useRef(first)
  const running = useRef<Promise<boolean>>(Promise.resolve(true))
  const show = (found: WelcomePackage) => {
    saved.current = found
    setState(found)
  }
  const saveNow = async (draft: Draft, status: WelcomeStatus): Promise<boolean> => {
    setIsSaving(true)
    try {
      show(await savePackage(token, saved.current, draft, status))
      setRefusal(null)
      return true
    } catch (error) {
      const reason = refusalOf(error)
      if (reason.code === 'NOT_FOUND') onGone()
      setRefusal(reason)
      return false
    } finally {
      setIsSaving(false)
    }
  }
  return {
    state,
    isSaving,
    refusal,
    setRefusal,
    show,
    /** Each save is based on the timestamp of the preceding one. */
    save: (draft: () => Draft, status: WelcomeStatus = 'SAVED'): Promise<boolean> =>
      (running.current = running.current.then(() => saveNow(draft(), status))),
  }
}

/** State of a package with its input, which saves itself. */
export function useWelcome(token: WelcomeToken, first: WelcomePackage, onGone: () => void): Welcome {
  const saves = useSaves(token, first, onGone)
  const { state, refusal, setRefusal, isSaving } = saves
  const [draft, setDraft] = useState(() => draftOf(first))
  const [savedDraft, setSavedDraft] = useState(draft)
  const [isChecked, setIsChecked] = useState(false)
  const latest = useRef(draft)
  const isDirty = draft !== savedDraft
  const isLocked = !isOpen(state.status)

  const save = async (status?: WelcomeStatus): Promise<boolean> => {
    let sent = latest.current
    const done = await saves.save(() => (sent = latest.current), status)
    if (done) setSavedDraft(sent)
    return done
  }
  useAutosave(draft, (changed) => {
    if (isDirty && !isLocked && refusal?.code !== 'stale' && !problemOf(state, changed)) void save()
  })
  useProgress(token, state.status, saves.show)
  useUnloadWarning(isDirty || isSaving)

  return {
    state,
    draft,
    isLocked,
    isDirty,
    isSaving,
    refusal,
    isChecked,
    change: (change) => {
      latest.current = change(latest.current)
      setDraft(latest.current)
      if (refusal && refusal.code !== 'stale') setRefusal(null)
    },
    leaveStep: async () => {
      if (isLocked) return true
      const [problem] = warRoomProblems(bodyOf(latest.current).warRooms)
      setIsChecked(problem !== undefined)
      if (problem) {
        setRefusal(problem)
        return false
      }
      return isDirty ? save() : true
    },
    complete: async () => {
      const problem = problemOf(state, latest.current)
      if (problem) setRefusal(problem)
      else await save('SUBMITTED')
    },
    reload: async () => {
      const found = await openPackage(token).catch(() => undefined)
      if (found === null) return onGone()
      if (!found) return setRefusal({ code: 'stale', message: texts.loadFailed })
      saves.show(found)
      latest.current = draftOf(found)
      setDraft(latest.current)
      setSavedDraft(latest.current)
      setRefusal(null)
    },
  }
}
