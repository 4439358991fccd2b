import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { Suspense, useEffect } from 'react'

import { useController, useFormState, useWatch } from 'react-hook-form'

import { smsTooLong } from '#contract/mass-notifications/rules.ts'
import { SMS_OFF } from '#contract/mass-notifications/schema.ts'
import type { EscalationPlan } from '#contract/notification-escalations/schema.ts'
import type { Question } from '#contract/notification-questions/schema.ts'
import type { MessageLanguage } from '#contract/notification-templates/schema.ts'
import { notificationTemplatesApi } from '#contract/notification-templates/api.ts'
import {
  EVENT_LEVELS,
  LEVEL_LABELS,
  type NotificationTemplate,
} from '#contract/notification-templates/schema.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { EscalationField } from '#src/mass-notifications/EscalationField.tsx'
import { LanguageField } from '#src/mass-notifications/LanguageField.tsx'
import { LevelChip } from '#src/mass-notifications/LevelChip.tsx'
import { QuestionField } from '#src/mass-notifications/QuestionField.tsx'
import { SmsCounter } from '#src/mass-notifications/SmsCounter.tsx'
import { ToneMark } from '#src/mass-notifications/ToneMark.tsx'
import { CONFIG_QUERY, useConfig, useOffersSms } from '#src/config/useConfig.ts'

const PlannedSteps = lazy(async () => ({
  default: (await import('#src/mass-notifications/PlannedSteps.tsx')).PlannedSteps,
}))

/** Limit until the configuration is loaded (administration §9). */
const SMS_LIMIT = 100
const LEVELS = EVENT_LEVELS.map((level) => ({ value: level, label: LEVEL_LABELS[level] }))

interface MessageProps {
  title: TextKey
  message: string | null
  none: TextKey
  /** Says that it is not sent. */
  note?: string | undefined
}

function Message({ title, message, none, note }: MessageProps) {
  const text = useText()
  return (
    <section>
      <Typography variant="h3" sx={{ mb: 0.5 }}>
        {text(title)}
      </Typography>
      {message ? (
        <Box sx={{ maxWidth: 720 }}>
          <PlainText text={message} />
        </Box>
      ) : (
        <Box sx={{ fontStyle: 'italic', color: 'text.secondary' }}>{text(none)}</Box>
      )}
      {note && <Box sx={{ mt: 0.5, fontSize: '0.8125rem', color: 'text.secondary' }}>{note}</Box>}
    </section>
  )
}

function TemplateDetail({ record: template }: { record: NotificationTemplate }) {
  const text = useText()
  const offersSms = useOffersSms()
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 4,
          rowGap: 1,
          '& dt': { mb: 0.25, fontSize: '0.8125rem', color: 'text.secondary' },
          '& dd': { m: 0 },
        }}
      >
        <div>
          <dt>{text('notificationTemplates.level')}</dt>
          <dd>
            <LevelChip level={template.level} />
          </dd>
        </div>
        <div>
          <dt>{text('notificationTemplates.updated')}</dt>
          <dd>
            <Time at={template.updateTimestamp} />
          </dd>
        </div>
      </Box>
      <Message
        title="notificationTemplates.emailMessage"
        message={template.emailMessage}
        none="notificationTemplates.noEmail"
      />
      <Message
        title="notificationTemplates.smsMessage"
        message={template.smsMessage}
        none="notificationTemplates.noSms"
        note={offersSms ? undefined : SMS_OFF}
      />
      {template.question && (
        <section>
          <Typography variant="h3" sx={{ mb: 0.5 }}>
            {text('massNotifications.question')}
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2.5, rowGap: 1 }}>
            {template.question.answers.map(({ label, tone }) => (
              <ToneMark key={label} tone={tone} label={label} />
            ))}
          </Box>
        </section>
      )}
      {template.escalation && (
        <Suspense>
          <PlannedSteps plan={template.escalation} />
        </Suspense>
      )}
    </Box>
  )
}

/** The language of the template. */
function LanguageInput() {
  const { field } = useController<{ language: MessageLanguage | null }, 'language'>({ name: 'language' })
  return <LanguageField value={field.value ?? null} onChange={field.onChange} inputRef={field.ref} />
}

/** The question of the template. */
function QuestionInput() {
  const { field, fieldState } = useController<{ question: Question | null }, 'question'>({ name: 'question' })
  const { submitCount } = useFormState()
  // Read at every render: react-hook-form follows what is read.
  const { error } = fieldState
  const problem = error && submitCount > 0 ? (error.message ?? '') : undefined
  return (
    <QuestionField
      value={field.value ?? null}
      onChange={field.onChange}
      problem={problem}
      inputRef={field.ref}
    />
  )
}

/** The escalation of the template's question. */
function EscalationInput() {
  const { field, fieldState } = useController<{ escalation: EscalationPlan | null }, 'escalation'>({
    name: 'escalation',
  })
  const isAsked = Boolean(useWatch({ name: 'question' }))
  const { value, onChange } = field
  // Without a question nobody can answer.
  useEffect(() => {
    if (!isAsked && value) onChange(null)
  }, [isAsked, value, onChange])
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

function TemplateInputs({
  inputs: { SelectInput, TextInput },
  record,
}: InputsOf<typeof notificationTemplatesApi>) {
  const limit = useConfig()?.massNotifsSmsMessageLimit ?? SMS_LIMIT
  const offersSms = useOffersSms()
  return (
    <>
      <TextInput
        source="title"
        label="notificationTemplates.name"
        help="notificationTemplates.nameHelp"
        required
        autoFocus={!record}
      />
      <SelectInput source="level" label="notificationTemplates.level" choices={LEVELS} />
      <TextInput source="emailMessage" label="notificationTemplates.emailMessage" lines={6} />
      <TextInput
        source="smsMessage"
        label="notificationTemplates.smsMessage"
        lines={2}
        rule={(typed) =>
          typeof typed === 'string' && typed.trim().length > limit ? smsTooLong(limit) : undefined
        }
        renderNote={(typed) => (
          <>
            {!offersSms && `${SMS_OFF} `}
            <SmsCounter text={typed} limit={limit} />
          </>
        )}
      />
      <LanguageInput />
      <QuestionInput />
      <EscalationInput />
    </>
  )
}

/** Notification templates (administration §2.1). */
export const notificationTemplates = defineResource({
  layout: 'side list',
  title: 'notificationTemplates.title',
  api: notificationTemplatesApi,
  required: [CONFIG_QUERY],
  line: (template, text, time) =>
    text('notificationTemplates.updatedAt', { time: time(template.updateTimestamp) }),
  detail: TemplateDetail,
  columns: [
    { field: 'title', label: 'notificationTemplates.name' },
    {
      field: 'level',
      label: 'notificationTemplates.level',
      text: ({ level }) => LEVEL_LABELS[level],
    },
    { field: 'emailMessage', label: 'notificationTemplates.emailMessage' },
    { field: 'smsMessage', label: 'notificationTemplates.smsMessage' },
    { field: 'updateTimestamp', label: 'notificationTemplates.updated' },
  ],
  sort: ['title', 'ASC'],
  search: 'notificationTemplates.search',
  empty: 'notificationTemplates.empty',
  problemToast: 'notificationTemplates.problem',
  checked: 'on change',
  inputs: TemplateInputs,
  create: {
    label: 'notificationTemplates.create',
    submit: 'grid.save',
    blank: {
      title: '',
      level: 'NORMAL',
      emailMessage: null,
      smsMessage: null,
      question: null,
      escalation: null,
      language: null,
    },
    done: 'notificationTemplates.created',
  },
  edit: {
    label: 'notificationTemplates.edit',
    values: ({ title, level, emailMessage, smsMessage, question, escalation, language, version }) => ({
      title,
      level,
      emailMessage,
      smsMessage,
      question,
      // A template without a question has none.
      escalation: question && escalation,
      language,
      version,
    }),
    done: 'notificationTemplates.saved',
  },
  actions: [
    {
      call: 'remove',
      label: 'notificationTemplates.remove',
      icon: DeleteRounded,
      destructive: true,
      confirm: {
        title: 'notificationTemplates.removeTitle',
        text: 'notificationTemplates.removeText',
      },
      done: 'notificationTemplates.removed',
      failed: 'notificationTemplates.notRemoved',
    },
  ],
})
