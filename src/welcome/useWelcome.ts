import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { isOpen, packageProblems, warRoomProblems, type WelcomeToken } from '#contract/welcome/rules.ts'
import type { WelcomePackage, WelcomeStatus } from '#contract/welcome/schema.ts'
import { welcome as texts } from '#providers/i18n/welcome.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'

import { bodyOf, type Draft, draftOf } from './draftValues.ts'
import { openPackage, savePackage } from './queries.ts'

/** How long after the last change a draft saves itself. */
const SAVES_AFTER_MS = 1_500
/** How often a submitted package is asked whether it is done. */
const ASKS_EVERY_MS = 3_000

/** Why the last save was refused. */
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
  /** Whether problems are shown at their fields: only once somebody wanted to go on. */
  readonly isChecked: boolean
  readonly change: (change: (draft: Draft) => Draft) => void
  /** Checks the war rooms and saves what was changed. Resolves with whether one can go on. */
  readonly leaveStep: () => Promise<boolean>
  /** Submits the package. */
  readonly complete: () => Promise<void>
  /** Replaces what is shown by what was saved last. */
  readonly reload: () => Promise<void>
}

const refusalOf = (error: unknown): Refusal => ({
  code: (error instanceof HttpProblem && error.body.code) || 'failed',
  message: messageOf(error, texts.saveFailed),
})

/** The first problem of a draft, as the server would refuse it. */
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

/** Asks for a submitted package again until it is done. */
function useProgress(token: WelcomeToken, status: WelcomeStatus, show: (found: WelcomePackage) => void) {
  const showLatest = useEffectEvent(show)
  useEffect(() => {
    if (status !== 'SUBMITTED') return undefined
    const timer = setInterval(() => {
      openPackage(token).then(
        (found) => found && showLatest(found),
        // Asked again soon.
        () => undefined,
      )
    }, ASKS_EVERY_MS)
    return () => clearInterval(timer)
  }, [status, token])
}

/** Asks before the page is left, while something is not saved. */
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

/** The package that was saved last, and saves on top of it, one after the other. */
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
    /** Each save builds on the moment of the one before. */
    save: (draft: () => Draft, status: WelcomeStatus = 'SAVED'): Promise<boolean> =>
      (running.current = running.current.then(() => saveNow(draft(), status))),
  }
}

/** The state of a package with what is typed, which saves itself. */
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
