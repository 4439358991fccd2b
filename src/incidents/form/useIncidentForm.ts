import { useId, useRef, useState } from 'react'
import { type FieldErrors, useForm } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router-dom'

import type { ChoosableKind } from '#contract/incident-kinds/schema.ts'
import {
  type Severity,
  type TargetedGroup,
  type TargetingIncident,
  MULTIPLE_NOT_ENABLED,
} from '#contract/incidents/schema.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { briefOf, type PlaybookForIncident } from '#contract/playbooks/rules.ts'
import { useCan } from '#providers/useCan.ts'
import { HttpProblem, messageOf, statusOf } from '#providers/problem.ts'
import { resolverFromProblems } from '#src/kit/form/formRules.ts'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { useDraft } from '#src/kit/form/useDraft.ts'
import { trimmed } from '#src/kit/rich-text/prose.ts'
import { useText } from '#src/kit/useText.ts'

import { useOpenPlaybook } from '../playbooks/queries.ts'
import { type Kinds, useCreateIncident, useUpdateIncident } from '../queries.ts'
import {
  blankValues,
  bodyOf,
  fieldOf,
  hasSameValues,
  type IncidentValues,
  lacksTargets,
  ownPartsOf,
  problemsOf,
  valuesLike,
  valuesOf,
} from './incidentValues.ts'
import { useFirstContents } from './useFirstContents.ts'
import { useLatestIncident } from './useLatestIncident.ts'

const NO_GROUPS: readonly TargetedGroup[] = []

/** A refused save: a sentence, the server's details, and messages by the index of their task. */
export interface IncidentRefusal {
  readonly sentence: string
  readonly details?: string
  readonly tasks: Readonly<Record<number, string>>
}

/** Headings of a new incident's or exercise's description. */
function useTemplate() {
  const text = useText()
  return (isTabletop: boolean) => {
    const kind = isTabletop ? 'exercise' : 'incident'
    return `<h2>${text(`incidents.overview.${kind}`)}</h2><p></p><h2>${text(`incidents.plan.${kind}`)}</h2>`
  }
}

function useResolver() {
  const text = useText()
  return resolverFromProblems((values: IncidentValues) => {
    const errors: FieldErrors<IncidentValues> = {}
    for (const [field, problem] of problemsOf(values)) {
      const message = field === 'recovery' ? text('incidents.timeInvalid') : problem
      Object.assign(errors, { [field]: { type: 'contract', message } })
    }
    if (lacksTargets(values))
      Object.assign(errors, { targetedUsers: { type: 'required', message: text('incidents.nobodyChosen') } })
    return errors
  })
}

/** Fields of the form, with default texts of the kind and the playbook. */
function useIncidentFields(
  incident: TargetingIncident | undefined,
  kinds: Kinds,
  like: TargetingIncident | undefined,
) {
  const template = useTemplate()
  const contents = useFirstContents()
  const [params] = useSearchParams()
  const [blank] = useState(() => {
    const isExercise = like ? like.isTabletop : params.get('kind') === 'exercise'
    const isTabletop = !kinds.incident || (kinds.exercise && isExercise)
    return like ? valuesLike(like, isTabletop) : blankValues(isTabletop, template(isTabletop))
  })
  const form = useForm<IncidentValues>({
    defaultValues: incident ? valuesOf(incident) : blank,
    resolver: useResolver(),
  })
  useDraft(form, 'incident', {
    value: contents.draft,
    isTyped: !contents.isEmpty,
    restore: contents.restore,
  })
  const setText = (html: string) => form.setValue('fullText', html, { shouldDirty: true })
  const isUntouched = (...texts: string[]) => texts.includes(trimmed(form.getValues('fullText')))
  return {
    form,
    contents,
    /** Switches between incident and exercise; unchanged default texts follow. */
    chooseKind: (isTabletop: boolean) => {
      const follows = !incident && isUntouched(template(!isTabletop))
      form.setValue('isTabletop', isTabletop, { shouldDirty: true })
      if (follows) setText(template(isTabletop))
    },
    choosePlaybook: (chosen: PlaybookForIncident | null) => {
      contents.choose(chosen)
      if (chosen) setText(briefOf(chosen))
    },
    /** True if a playbook would replace somebody's text. */
    playbookReplaces: () => {
      const brief = contents.playbook ? trimmed(briefOf(contents.playbook)) : ''
      return !isUntouched(template(form.getValues('isTabletop')), brief) || contents.hasOwnTasks
    },
  }
}

/** Proposes the severity and the playbook of a kind, unless somebody chose others by hand. */
function useProposals(
  incident: TargetingIncident | undefined,
  { form, contents, choosePlaybook, playbookReplaces }: ReturnType<typeof useIncidentFields>,
) {
  const open = useOpenPlaybook()
  const canRead = useCan()(playbooksAccess.read)
  const proposed = useRef<{ kindId: string; severity: Severity; playbookId: string | null }>({
    kindId: '',
    severity: 'MEDIUM',
    playbookId: null,
  })
  return async ({ id, severity, playbookId, isPlaybookUsable }: ChoosableKind) => {
    if (incident) return
    proposed.current.kindId = id
    if (severity && form.getValues('severity') === proposed.current.severity) {
      form.setValue('severity', severity, { shouldDirty: true })
      proposed.current.severity = severity
    }
    const isChosenByHand = contents.playbook !== null && contents.playbook.id !== proposed.current.playbookId
    if (!playbookId || !isPlaybookUsable || !canRead || isChosenByHand || playbookReplaces()) return
    const playbook = await open(playbookId).catch(() => null)
    // Another kind may have been chosen while it was loading.
    if (!playbook || proposed.current.kindId !== id || playbookReplaces()) return
    proposed.current.playbookId = playbookId
    choosePlaybook(playbook)
  }
}

/** State and actions of the incident form. Input survives a refusal. */
export function useIncidentForm(
  incident: TargetingIncident | undefined,
  kinds: Kinds,
  like?: TargetingIncident,
) {
  const text = useText()
  const navigate = useNavigate()
  const formId = useId()
  const create = useCreateIncident()
  const update = useUpdateIncident(incident?.id ?? '')
  const [hasOpenTask, setHasOpenTask] = useState(false)
  const [isWarned, setWarned] = useState(false)
  const [refusal, setRefusal] = useState<IncidentRefusal>()
  const [reason, setReason] = useState('')
  const fields = useIncidentFields(incident, kinds, like)
  const proposeFor = useProposals(incident, fields)
  const { form, contents } = fields
  const latest = useLatestIncident(incident, form)
  const { guard, letGo } = useLeaveGuard(form.formState.isDirty || hasOpenTask || !contents.isEmpty)

  const refuse = (error: unknown) => {
    const problem = error instanceof HttpProblem ? error.body : {}
    if (problem.code === 'stale') return latest.announce(messageOf(error, ''))
    if (statusOf(error) === 403) return setRefusal({ sentence: MULTIPLE_NOT_ENABLED, tasks: {} })
    const tasks: Record<number, string> = {}
    for (const [path, message] of Object.entries(problem.fields ?? {})) {
      const field = fieldOf(path)
      const task = /^activityCreateRequests\.(\d+)/.exec(path)?.[1]
      if (field) form.setError(field, { type: 'server', message })
      else if (path.startsWith('fieldValues.'))
        form.setError(path as `fieldValues.${string}`, { type: 'server', message })
      else if (task !== undefined) tasks[Number(task)] = message
    }
    const sentence = text(incident ? 'incidents.updateFailed' : 'incidents.createFailed')
    setRefusal({ sentence, details: messageOf(error, ''), tasks })
  }
  const save = async (values: IncidentValues) => {
    latest.dismiss()
    setRefusal(undefined)
    setWarned(hasOpenTask)
    if (hasOpenTask) return
    const body = { ...bodyOf(values), ...ownPartsOf(values, incident) }
    const { base } = latest
    // A save is refused only if somebody changed a field of this form.
    const version = base && incident && hasSameValues(base, incident) ? incident.version : base?.version
    try {
      const saved = incident
        ? await update.mutateAsync({ ...body, ...(reason && { reason }), ...(version && { version }) })
        : await create.mutateAsync({ ...body, ...contents.body() })
      letGo()
      // Back must not return to the form.
      void navigate(`/incidents/${saved.id}`, { replace: true })
    } catch (error) {
      refuse(error)
    }
  }
  return {
    ...fields,
    proposeFor,
    formId,
    latest,
    targetedGroups: (latest.base ?? like)?.targetedGroups ?? NO_GROUPS,
    refusal,
    reason,
    setReason,
    guard,
    submit: form.handleSubmit(save),
    setHasOpenTask,
    taskWarning: isWarned && hasOpenTask ? text('incidents.unfinishedTask') : undefined,
  }
}
