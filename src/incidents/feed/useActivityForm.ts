import {
  type BaseSyntheticEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useLocaleState } from 'react-admin'
import { type FieldErrors, useForm } from 'react-hook-form'

import { HttpProblem, messageOf } from '#providers/problem.ts'
import { resolverFromProblems } from '#src/kit/form/formRules.ts'
import { takeLatest } from '#src/kit/browser/takeLatest.ts'
import { useDraft } from '#src/kit/form/useDraft.ts'
import { exactTime } from '#src/kit/time/formats.ts'
import { isLocalTime } from '#src/kit/time/localTime.ts'
import { useText } from '#src/kit/useText.ts'
import type { FilesPending } from '#src/attachments/FilesField.tsx'
import { usePeople } from '#providers/people.ts'

import { minutesOf } from '#src/playbooks/typedTime.ts'
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

/** Prefix of a form's name among the drafts of a page. */
export const DRAFT = 'activity '

export interface ActivityFormOptions {
  readonly kind: ActivityKind
  /** Distinguishes the forms of one page. */
  readonly name: string
  /** Current version of the edited activity; undefined for a new one. */
  readonly written?: InitialActivity
  /** True for a form in place of its activity, rather than above the feed. */
  readonly inline?: boolean
  /** Saves; errors are shown in the form. `version` is that of the activity when it was read. */
  readonly onSave: (fields: ActivityFields, version: number | undefined) => Promise<unknown> | void
  /** Loads the latest saved version. */
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

/** Formats the value of a field that somebody else saved. */
function useFieldWords() {
  const text = useText()
  const { nameOf } = usePeople()
  const { ofMinutes } = useDuration()
  const [locale] = useLocaleState()
  const dueText = (due: string) => (isLocalTime(due) ? exactTime(locale, Date.parse(due)) : due)
  return (values: ActivityValues, field: keyof ActivityValues): string => {
    if (field === 'priority') return text(`incidents.priorities.${values.priority}`)
    if (field === 'assignedTo')
      return values.assignedTo === null ? text('incidents.unassigned') : nameOf(values.assignedTo)
    if (field === 'formattedDescription') return values.description
    if (field === 'due') return dueText(values.due) || text('incidents.nothing')
    if (field !== 'expected') return values[field] || text('incidents.nothing')
    const minutes = minutesOf(values.expected)
    return minutes === null ? text('incidents.nothing') : ofMinutes(minutes)
  }
}

/** Fields, files and version at the form's opening, kept when the session ends. */
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
      // The restored draft keeps its base version, so that others' changes since then are reported as a conflict.
      if (draft.base) setBase(draft.base)
    },
  })
  const isDirty = form.formState.isDirty || hasOwnFiles || pending !== null
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  return { form, base, setBase, files, setFiles, pending, setPending, hasOwnFiles, isDirty }
}
type Fields = ReturnType<typeof useActivityFields>

/** A save refused as stale, and the function that loads the newer version. */
function useStale(
  { form, base, setBase, files, setFiles }: Fields,
  onReload: ActivityFormOptions['onReload'],
) {
  const text = useText()
  const wordsOf = useFieldWords()
  const [stale, setStale] = useState<Stale | null>(null)
  const [isLoading, setLoading] = useState(false)
  /** Merges others' changes of the files with one's own. */
  const withOwn = (theirs: readonly string[]): readonly string[] => {
    const before = base?.attachedFileIds ?? NO_FILES
    const kept = theirs.filter((id) => files.includes(id) || !before.includes(id))
    return [...kept, ...files.filter((id) => !before.includes(id) && !kept.includes(id))]
  }
  const load = async () => {
    setLoading(true)
    const latest = await onReload?.().finally(() => setLoading(false))
    if (!latest || !base) return
    const [was, typed] = [valuesOf(base), form.getValues()]
    const differing = takeLatest(form, was, valuesOf(latest))
    // Typed plain text stays plain where others formatted theirs.
    if (typed.description !== was.description)
      form.setValue('formattedDescription', typed.formattedDescription, { shouldDirty: true })
    const shown = differing.filter(
      (field) => field !== 'formattedDescription' || !differing.includes('description'),
    )
    const theirs = shown.map((field) => ({
      label: text(`incidents.fields.${field}`),
      value: wordsOf(valuesOf(latest), field),
    }))
    setBase(latest)
    setFiles(withOwn(latest.attachedFileIds ?? NO_FILES))
    setStale((known) => known && { ...known, theirs })
  }
  return { stale, setStale, isLoading, load }
}

/** Version to save with: the newest, if others changed no field of the form. */
function versionOf({ base, hasOwnFiles }: Fields, written: InitialActivity | undefined): number | undefined {
  const isUntouched =
    base &&
    written &&
    hasSameValues(base, written) &&
    (!hasOwnFiles || hasSameFiles(base.attachedFileIds, written.attachedFileIds))
  return isUntouched ? written.version : base?.version
}

/** State and actions of the form of a task or an update. Input survives a refusal. */
export function useActivityForm(options: ActivityFormOptions) {
  const { kind, written, onSave, onClose } = options
  const text = useText()
  const knownFiles = useKnownFiles()
  const fields = useActivityFields(options)
  const { form, base, files, pending, hasOwnFiles, isDirty } = fields
  const latest = useStale(fields, options.onReload)
  /** Blocks saving while files upload or have failed. */
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
      const body = { ...fieldsOf(kind, values, valuesOf(base)), ...(hasOwnFiles && { attachedFileIds }) }
      await onSave(body, versionOf(fields, written))
      saved.current = true
      onClose()
    } catch (error) {
      refuse(error)
    }
  }
  const submit = (event?: BaseSyntheticEvent) => form.handleSubmit(save)(event)
  // A save requested during uploads runs once they have arrived, including retried ones.
  const saveNow = useEffectEvent(() => void submit())
  useEffect(() => {
    if (held === 'busy' && pending === null) saveNow()
  }, [held, pending])
  /** Enter submits only with Ctrl or Cmd, so that a stray line break sends nothing half written. */
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
