import {
  type BaseSyntheticEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { type FieldErrors, useForm } from 'react-hook-form'

import { HttpProblem, messageOf } from '#providers/problem.ts'
import { resolverFromProblems } from '#src/kit/form/formRules.ts'
import { takeLatest } from '#src/kit/browser/takeLatest.ts'
import { useDraft } from '#src/kit/form/useDraft.ts'
import { useText } from '#src/kit/useText.ts'
import type { FilesPending } from '#src/attachments/FilesField.tsx'
import { usePeople } from '#providers/people.ts'

import { minutesOf } from '#src/playbooks/TimeFields.tsx'
import { useDuration } from '#src/playbooks/useDuration.ts'
import { useKnownFiles } from './ActivityFiles.tsx'
import {
  type ActivityFields,
  type ActivityKind,
  type ActivityValues,
  fieldOf,
  fieldsOf,
  hasSameFiles,
  hasSameValues,
  keptOf,
  NO_FILES,
  problemsOf,
  valuesOf,
  type InitialActivity,
} from './activityValues.ts'
import type { Stale } from './StaleNotice.tsx'

/** What a form's name begins with among the drafts of a page. */
export const DRAFT = 'activity '

export interface ActivityFormOptions {
  readonly kind: ActivityKind
  /** Tells the forms of one page apart. */
  readonly name: string
  /** What is changed, as it is by now; nothing for a new one. */
  readonly written?: InitialActivity
  /** Stands in the place of what it changes rather than above the feed. */
  readonly inline?: boolean
  /** Saves; what it throws is shown here. The version is that of the activity when it was read. */
  readonly onSave: (fields: ActivityFields, version: number | undefined) => Promise<unknown> | void
  /** Asks for what is saved by now. */
  readonly onReload?: () => Promise<InitialActivity | undefined>
  readonly onClose: () => void
  readonly onDirty: (dirty: boolean) => void
}

function useResolver(kind: ActivityKind, inline: boolean) {
  const text = useText()
  return resolverFromProblems((values: ActivityValues) => {
    const errors: FieldErrors<ActivityValues> = {}
    for (const [field, problem] of problemsOf(kind, values, inline)) {
      const message = field === 'expected' ? text('incidents.timeInvalid') : problem
      Object.assign(errors, { [field]: { type: 'contract', message } })
    }
    return errors
  })
}

/** Spells the value of a field, as somebody else saved it. */
function useFieldWords() {
  const text = useText()
  const { nameOf } = usePeople()
  const { ofMinutes } = useDuration()
  return (values: ActivityValues, field: keyof ActivityValues): string => {
    if (field === 'priority') return text(`incidents.priorities.${values.priority}`)
    if (field === 'assignedTo')
      return values.assignedTo === null ? text('incidents.unassigned') : nameOf(values.assignedTo)
    if (field !== 'expected') return values[field] || text('incidents.nothing')
    const minutes = minutesOf(values.expected)
    return minutes === null ? text('incidents.nothing') : ofMinutes(minutes)
  }
}

/** The fields, the files and the version that the form was opened with, kept when the session ends. */
function useActivityFields({ kind, name, written, inline = false, onDirty }: ActivityFormOptions) {
  const [base, setBase] = useState(written)
  const [files, setFiles] = useState<readonly string[]>(written?.attachedFileIds ?? NO_FILES)
  const [pending, setPending] = useState<FilesPending>(null)
  const form = useForm<ActivityValues>({ defaultValues: valuesOf(base), resolver: useResolver(kind, inline) })
  const hasOwnFiles = !hasSameFiles(files, base?.attachedFileIds)
  useDraft(form, `${DRAFT}${name}`, {
    value: { files, base: base && keptOf(base) },
    isTyped: hasOwnFiles,
    restore: (draft) => {
      setFiles(draft.files)
      // What others changed meanwhile is theirs: saving has to say so.
      if (draft.base) setBase(draft.base)
    },
  })
  const isDirty = form.formState.isDirty || hasOwnFiles || pending !== null
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  return { form, base, setBase, files, setFiles, pending, setPending, hasOwnFiles, isDirty }
}
type Fields = ReturnType<typeof useActivityFields>

/** A save that was refused as stale, and the way to the version that was saved before it. */
function useStale(
  { form, base, setBase, files, setFiles }: Fields,
  onReload: ActivityFormOptions['onReload'],
) {
  const text = useText()
  const wordsOf = useFieldWords()
  const [stale, setStale] = useState<Stale | null>(null)
  const [isLoading, setLoading] = useState(false)
  /** Files that others attached or took off meanwhile, with what was attached and taken off here. */
  const withOwn = (theirs: readonly string[]): readonly string[] => {
    const before = base?.attachedFileIds ?? NO_FILES
    const kept = theirs.filter((id) => files.includes(id) || !before.includes(id))
    return [...kept, ...files.filter((id) => !before.includes(id) && !kept.includes(id))]
  }
  const load = async () => {
    setLoading(true)
    const latest = await onReload?.().finally(() => setLoading(false))
    if (!latest || !base) return
    const differing = takeLatest(form, valuesOf(base), valuesOf(latest))
    const theirs = differing.map((field) => ({
      label: text(`incidents.fields.${field}`),
      value: wordsOf(valuesOf(latest), field),
    }))
    setBase(latest)
    setFiles(withOwn(latest.attachedFileIds ?? NO_FILES))
    setStale((known) => known && { ...known, theirs })
  }
  return { stale, setStale, isLoading, load }
}

/** The version to save with: the newest, where others changed nothing of what stands in the form. */
function versionOf({ base, hasOwnFiles }: Fields, written: InitialActivity | undefined): number | undefined {
  const isUntouched =
    base &&
    written &&
    hasSameValues(base, written) &&
    (!hasOwnFiles || hasSameFiles(base.attachedFileIds, written.attachedFileIds))
  return isUntouched ? written.version : base?.version
}

/** State and acts of the form of a task or an update. A refusal keeps everything that was typed. */
export function useActivityForm(options: ActivityFormOptions) {
  const { kind, written, onSave, onClose } = options
  const text = useText()
  const knownFiles = useKnownFiles()
  const fields = useActivityFields(options)
  const { form, base, files, pending, hasOwnFiles, isDirty } = fields
  const latest = useStale(fields, options.onReload)
  /** What saving waits for: files that are uploaded, or somebody who looks after those that failed. */
  const [held, setHeld] = useState<FilesPending>(null)
  const saved = useRef(false)

  const refuse = (error: unknown) => {
    const message = messageOf(error, text('kit.wentWrong'))
    const problem = error instanceof HttpProblem ? error.body : {}
    if (problem.code === 'stale') return latest.setStale({ message, theirs: null })
    const problems = Object.entries(problem.fields ?? {}).flatMap(([path, words]) => {
      const field = fieldOf(path)
      return field ? [{ field, words }] : []
    })
    for (const { field, words } of problems) form.setError(field, { type: 'server', message: words })
    if (problems.length === 0) form.setError('description', { type: 'server', message })
  }
  const save = async (values: ActivityValues) => {
    setHeld(pending)
    if (pending !== null) return
    latest.setStale(null)
    const attachedFileIds = files.filter((id) => knownFiles.has(id) || !base?.attachedFileIds?.includes(id))
    try {
      const body = { ...fieldsOf(kind, values), ...(hasOwnFiles && { attachedFileIds }) }
      await onSave(body, versionOf(fields, written))
      saved.current = true
      onClose()
    } catch (error) {
      refuse(error)
    }
  }
  const submit = (event?: BaseSyntheticEvent) => form.handleSubmit(save)(event)
  // Saving was requested while files were uploaded: it happens once they are there, retried ones too.
  const saveNow = useEffectEvent(() => void submit())
  useEffect(() => {
    if (held === 'busy' && pending === null) saveNow()
  }, [held, pending])
  /** Enter sends only with the control key: a line break in a hurry must not send what is half written. */
  const onKeyDown = (event: KeyboardEvent) => {
    const isWanted = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' && isWanted && !form.formState.isSubmitting) void submit()
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
    else if (event.key === 'Escape' && !isDirty && !event.defaultPrevented) onClose()
  }
  return {
    ...fields,
    latest,
    knownFiles,
    saved,
    isHeld: held !== null && pending !== null,
    submit,
    onKeyDown,
  }
}
