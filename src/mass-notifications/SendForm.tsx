import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import { useNotify } from 'react-admin'
import { type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from 'react'
import {
  type Control,
  type FieldErrors,
  useController,
  useForm,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import { useNavigate } from 'react-router-dom'

import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import { needsApproval, takesAnswersBy, wordProblems } from '#contract/mass-notifications/rules.ts'
import { NewNotification } from '#contract/mass-notifications/schema.ts'
import { QUESTION_NEEDS_LINK } from '#contract/notification-questions/schema.ts'
import type { NotificationTemplate } from '#contract/notification-templates/schema.ts'
import { HttpProblem } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { resolverFromProblems } from '#src/kit/form/formRules.ts'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { useDraft } from '#src/kit/form/useDraft.ts'
import { useText } from '#src/kit/useText.ts'

import { CorrectionField } from './CorrectionField.tsx'
import { Card } from '#src/kit/layout/Card.tsx'
import { useAskApproval } from './approvalQueries.ts'
import { EscalationField } from './EscalationField.tsx'
import { MessageFields } from './MessageFields.tsx'
import { MessagePreview } from './MessagePreview.tsx'
import {
  BLANK,
  allTypesOf,
  bodyOf,
  type Draft,
  type NotificationLimits,
  useOfferedTypes,
  useReach,
  useSend,
  useQuota,
} from './queries.ts'
import { AboutField } from './AboutField.tsx'
import { RecipientFields } from './RecipientFields.tsx'
import { SendBar } from './SendBar.tsx'
import { SendCheck } from './SendCheck.tsx'
import { SmsCost } from './SmsCost.tsx'
import { QuestionField } from './QuestionField.tsx'
import { type FollowedNotification, firstDraft, type NotificationSubject } from './subject.ts'
import { TemplateField } from './TemplateField.tsx'

const ConfirmSend = lazy(async () => ({ default: (await import('./ConfirmSend.tsx')).ConfirmSend }))

/** Milliseconds from a sent notification to the history that shows it (administration §9). */
const LEAVE_AFTER_MS = 1_500

/** Fields that determine the recipients. Typing changes none of them. */
const CHOSEN = [
  'types',
  'contactListIds',
  'contactIds',
  'groupIds',
  'waitingIncidentId',
  'withCheckedIn',
  'followUp',
] as const
const isWritten = ({ title, emailMessage, smsMessage }: Draft) =>
  `${title}${emailMessage}${smsMessage}`.trim() !== ''
type Chosen = Pick<Draft, (typeof CHOSEN)[number]>
const hasSomeone = ({ contactListIds, contactIds, groupIds, waitingIncidentId, followUp }: Chosen) =>
  contactListIds.length + contactIds.length + groupIds.length > 0 ||
  waitingIncidentId !== null ||
  // Drafts of earlier releases lack it.
  Boolean(followUp)
const isField = (name: string): name is keyof Draft => name in BLANK

function problemsOf(draft: Draft, smsLimit: number, takesKeys: boolean): FieldErrors<Draft> {
  const { data, error } = NewNotification.safeParse(bodyOf(draft))
  const problems = new Map<string, string>()
  for (const { path, message } of error?.issues ?? [])
    if (!problems.has(String(path[0]))) problems.set(String(path[0]), message)
  const words = Object.entries(
    wordProblems({ ...(data ?? { ...draft, ...bodyOf(draft) }), types: allTypesOf(draft) }, smsLimit),
  )
  for (const [name, message] of words) if (!problems.has(name)) problems.set(name, message)
  if (data?.question && !data.types.some((type) => takesAnswersBy(type, takesKeys)))
    problems.set('question', QUESTION_NEEDS_LINK)
  return Object.fromEntries([...problems].map(([name, message]) => [name, { type: 'refused', message }]))
}

interface Props {
  /** True if another notification was sent from here just now. */
  isDone: boolean
  limits: NotificationLimits
  /** A running incident that the notification may be about. */
  about: NotificationSubject | null
  /** The notification whose people are notified again, with the message for them. */
  followed: FollowedNotification | null
  onSent: () => void
}

function SendingDialog({ open }: { open: boolean }) {
  const text = useText()
  const id = useId()
  return (
    <Dialog open={open} maxWidth="xs" aria-labelledby={id}>
      <DialogContent sx={{ display: 'flex', alignItems: 'center', gap: 2, py: 4 }}>
        <CircularProgress size={28} />
        <Box id={id} role="status" sx={{ fontSize: '1rem', fontWeight: 600 }}>
          {text('massNotifications.sending')}
        </Box>
      </DialogContent>
    </Dialog>
  )
}

interface Sending {
  form: UseFormReturn<Draft>
  /** Number of people that a draft would notify. */
  people: number
  confirmAbove: number
  /** True for a draft that a second person approves first. */
  isGuarded: boolean
  onSent: () => void
}

/** Sends a draft once, after a confirmation if it has many recipients. A refusal is shown at the fields, too. */
function useSending({ form: { setError }, people, confirmAbove, isGuarded, onSent }: Sending) {
  const text = useText()
  const notify = useNotify()
  const mutation = useSend()
  const asking = useAskApproval()
  /** True once the server wanted an approval that the form did not expect. */
  const [isRefused, setRefused] = useState(false)
  const asksApproval = isGuarded || isRefused
  const busy = useRef(false)
  const refuse = (error: unknown) => {
    if (error instanceof HttpProblem && error.body.code === 'approval_required') setRefused(true)
    const message = error instanceof HttpProblem ? error.message : text('kit.wentWrong')
    notify(text('massNotifications.failedToast', { message }), { type: 'error' })
    const { fields = {} } = error instanceof HttpProblem ? error.body : {}
    for (const [path, words] of Object.entries(fields)) {
      const [name = ''] = path.split('.')
      if (isField(name)) setError(name, { type: 'server', message: words }, { shouldFocus: true })
    }
  }
  /** The draft to send after confirmation. */
  const [asked, setAsked] = useState<Draft>()
  const submit = (values: Draft) => (people > confirmAbove && !asksApproval ? setAsked(values) : send(values))
  const send = async (values: Draft) => {
    if (busy.current) return
    setAsked(undefined)
    busy.current = true
    try {
      await (asksApproval ? asking : mutation).mutateAsync(values)
      notify(text(asksApproval ? 'approvals.asked' : 'massNotifications.sentToast'), { type: 'success' })
      onSent()
    } catch (error) {
      refuse(error)
    } finally {
      busy.current = false
    }
  }
  return {
    asked,
    submit,
    send,
    cancel: () => setAsked(undefined),
    isPending: mutation.isPending || asking.isPending,
    isRefused,
  }
}

/** The question of the notification, and its escalation. */
function AskedField({ control }: { control: Control<Draft> }) {
  const { field, fieldState } = useController({ control, name: 'question' })
  return (
    <>
      <QuestionField
        // Drafts of earlier releases lack it.
        value={field.value ?? null}
        onChange={field.onChange}
        problem={fieldState.error?.message}
        inputRef={field.ref}
      />
      <EscalatedField control={control} />
    </>
  )
}

/** The escalation of a question. */
function EscalatedField({ control }: { control: Control<Draft> }) {
  const { field, fieldState } = useController({ control, name: 'escalation' })
  const isAsked = Boolean(useWatch({ control, name: 'question' }))
  if (!isAsked) return null
  return (
    <EscalationField
      value={field.value ?? null}
      onChange={field.onChange}
      problem={fieldState.error?.message}
      inputRef={field.ref}
    />
  )
}

/** Takes the words and the question of a template, or none. */
function fillFrom(chosen: NotificationTemplate | null, setValue: UseFormReturn<Draft>['setValue']) {
  const typed = { shouldDirty: true }
  setValue('title', chosen?.title ?? '', typed)
  setValue('emailMessage', chosen?.emailMessage ?? '', typed)
  setValue('smsMessage', chosen?.smsMessage ?? '', typed)
  setValue('question', chosen?.question ?? null, typed)
  setValue('escalation', chosen?.escalation ?? null, typed)
  setValue('language', chosen?.language ?? null, typed)
  if (chosen) setValue('level', chosen.level, typed)
}

/** Preview of the message while it is written. */
const LivePreview = ({ control }: { control: Control<Draft> }) => (
  <MessagePreview draft={useWatch({ control, compute: (draft: Draft) => draft })} />
)

/** The form of a notification. Input survives a refusal. */
export function SendForm({ isDone, limits, about, followed, onSent }: Props) {
  const { smsLimit, groupsEnabled, confirmAbove, guard: approvals } = limits
  const text = useText()
  const navigate = useNavigate()
  const can = useCan()
  const seesMembers = can(massNotificationsApi.members.access)
  const [template, setTemplate] = useState<NotificationTemplate | null>(null)
  const takesKeys = useQuota().data?.takesKeys ?? false
  const form = useForm<Draft>({
    defaultValues: firstDraft(about, followed, smsLimit),
    resolver: resolverFromProblems((values) => problemsOf(values, smsLimit, takesKeys)),
  })
  const { control, getValues, setValue, clearErrors } = form
  const { isDirty } = form.formState
  useDraft(form, 'notification')
  const offered = useOfferedTypes()
  const [types, contactListIds, contactIds, groupIds, waitingIncidentId, withCheckedIn, followUp] = useWatch({
    control,
    name: CHOSEN,
  })
  // Removes types that are not offered, from a new form as from a restored draft.
  useEffect(() => {
    if (types.some((type) => !offered.includes(type)))
      setValue(
        'types',
        types.filter((type) => offered.includes(type)),
      )
  }, [types, offered, setValue])
  const chosen = { types, contactListIds, contactIds, groupIds, waitingIncidentId, withCheckedIn, followUp }
  const reach = useReach(chosen)
  const begun = useWatch({ control, compute: (draft: Draft) => isWritten(draft) || hasSomeone(draft) })
  const { guard } = useLeaveGuard(begun)

  const leave = isDone && !isDirty
  useEffect(() => {
    if (!leave) return undefined
    const timer = setTimeout(() => void navigate('/mass-notifications'), LEAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [leave, navigate])

  const chooseTemplate = (chosen: NotificationTemplate | null) => {
    setTemplate(chosen)
    fillFrom(chosen, setValue)
    clearErrors()
  }
  const people = reach.contactCount + reach.memberCount + reach.waitingCount
  const level = useWatch({ control, name: 'level' })
  const isGuarded = needsApproval(approvals, people, level)
  const sending = useSending({ form, people, confirmAbove, isGuarded, onSent })
  const { asked, submit, send, cancel, isPending } = sending
  const keys = (event: KeyboardEvent) => {
    // Keeps Enter in a text field from submitting a half-written form.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
  }
  const column = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 } as const
  return (
    <Box
      component="form"
      noValidate
      aria-label={text('massNotifications.send')}
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
      onKeyDown={keys}
    >
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          mb: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 6fr) minmax(0, 5fr)' },
        }}
      >
        <Card step={1} title={text('massNotifications.stepMessage')}>
          <Box sx={column}>
            <TemplateField
              value={template}
              onChange={chooseTemplate}
              overwrites={() => isWritten(getValues())}
            />
            <MessageFields control={control} smsLimit={smsLimit} offered={offered} />
            <SmsCost control={control} prices={reach.prices} />
            <AskedField control={control} />
            <CorrectionField control={control} />
            {about && <AboutField control={control} about={about} />}
          </Box>
        </Card>
        <Card step={2} title={text('massNotifications.stepRecipients')}>
          <Box sx={column}>
            <RecipientFields control={control} withGroups={groupsEnabled} about={about} followed={followed} />
          </Box>
        </Card>
        <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
          <Card step={3} title={text('massNotifications.stepCheck')}>
            <SendCheck reach={reach} chosen={chosen} seesMembers={seesMembers} withGroups={groupsEnabled} />
            <LivePreview control={control} />
          </Card>
        </Box>
      </Box>
      <SendBar
        reach={reach}
        types={types}
        someone={hasSomeone(chosen)}
        asksApproval={isGuarded || sending.isRefused}
      />
      <Suspense>
        {asked && (
          <ConfirmSend
            draft={asked}
            people={people}
            reach={reach}
            onSend={() => void send(asked)}
            onClose={cancel}
          />
        )}
      </Suspense>
      <SendingDialog open={isPending} />
      {guard}
    </Box>
  )
}
