import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { type ReactNode, useId } from 'react'
import { type Control, Controller, useController, useWatch } from 'react-hook-form'

import { needsEmail, needsSms, smsText } from '#contract/mass-notifications/rules.ts'
import { NOTIFICATION_TYPES, type NotificationType, SMS_OFF } from '#contract/mass-notifications/schema.ts'
import { EVENT_LEVELS, LEVEL_LABELS } from '#contract/notification-templates/schema.ts'
import { useText } from '#src/kit/useText.ts'
import { LanguageField } from './LanguageField.tsx'
import { LevelChip } from './LevelChip.tsx'
import { SmsCounter } from './SmsCounter.tsx'

import { allTypesOf, type Draft } from './queries.ts'

interface Props {
  control: Control<Draft>
}

interface TypesProps extends Props {
  /** Types that this installation sends. */
  offered: readonly NotificationType[]
}

function TypesField({ control, offered }: TypesProps) {
  const text = useText()
  const id = useId()
  const { field, fieldState } = useController({ control, name: 'types' })
  const toggle = (type: NotificationType) =>
    field.onChange(NOTIFICATION_TYPES.filter((one) => field.value.includes(one) !== (one === type)))
  return (
    <Box role="group" aria-labelledby={id}>
      <Box id={id} sx={{ fontWeight: 600 }}>
        {text('massNotifications.notificationTypes')}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
        {NOTIFICATION_TYPES.map((type, index) => (
          <FormControlLabel
            key={type}
            disabled={!offered.includes(type)}
            control={
              <Checkbox
                size="small"
                checked={field.value.includes(type)}
                onChange={() => toggle(type)}
                {...(index === 0 && { slotProps: { input: { ref: field.ref } } })}
              />
            }
            label={text(`massNotifications.types.${type}`)}
            sx={{ minHeight: 44, ml: -1, mr: 1 }}
          />
        ))}
      </Box>
      {!offered.includes('SMS') && <FormHelperText sx={{ mt: 0 }}>{SMS_OFF}</FormHelperText>}
      {fieldState.error && <FormHelperText error>{fieldState.error.message}</FormHelperText>}
    </Box>
  )
}

function LevelField({ control }: Props) {
  const text = useText()
  return (
    <Controller
      control={control}
      name="level"
      render={({ field: { ref, ...field } }) => (
        <TextField
          {...field}
          select
          inputRef={ref}
          label={text('massNotifications.level')}
          slotProps={{ select: { renderValue: () => LEVEL_LABELS[field.value] } }}
        >
          {EVENT_LEVELS.map((level) => (
            <MenuItem key={level} value={level} aria-label={LEVEL_LABELS[level]}>
              <LevelChip level={level} />
            </MenuItem>
          ))}
        </TextField>
      )}
    />
  )
}

interface WordsProps extends Props {
  name: 'title' | 'emailMessage' | 'smsMessage'
  label: string
  /** True if a chosen type uses the field. */
  needed: boolean
  lines?: number
  help?: string | undefined
  /** Content at the end of the help line. */
  side?: ReactNode
  /** True for an error that shows before submitting. */
  wrong?: boolean
}

function WordsField({ control, name, label, needed, lines, help, side, wrong = false }: WordsProps) {
  const text = useText()
  const { field, fieldState } = useController({ control, name })
  const { ref, ...input } = field
  const problem = needed ? fieldState.error?.message : undefined
  const below = needed ? (wrong ? undefined : (problem ?? help)) : text('massNotifications.notChosen')
  return (
    <TextField
      {...input}
      inputRef={ref}
      label={label}
      disabled={!needed}
      {...(lines && { multiline: true, minRows: lines, maxRows: 3 * lines })}
      error={needed && (wrong || problem !== undefined)}
      helperText={
        (below || side) && (
          <Box component="span" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2 }}>
            <Box component="span" sx={{ flex: 1 }}>
              {below}
            </Box>
            {needed && side}
          </Box>
        )
      }
      slotProps={{
        htmlInput: { dir: 'auto', autoComplete: 'off', 'aria-required': needed },
        inputLabel: { required: needed },
        // The reason for the disabled field stays readable.
        formHelperText: { disabled: false },
      }}
    />
  )
}

function SmsField({ control, limit }: Props & { limit: number }) {
  const text = useText()
  const types = useWatch({ control, compute: allTypesOf })
  const [level, typed] = useWatch({ control, name: ['level', 'smsMessage'] })
  const tag = types.includes('SMS')
    ? text('massNotifications.smsHelp', { tag: smsText(level, '').trim() })
    : undefined
  return (
    <WordsField
      control={control}
      name="smsMessage"
      label={text('massNotifications.smsMessage')}
      needed={needsSms(types)}
      lines={2}
      help={tag}
      // The counter shows this error.
      wrong={typed.trim().length > limit}
      side={<SmsCounter text={typed} limit={limit} />}
    />
  )
}

/** The language of the message. */
function SpokenField({ control }: Props) {
  const { field } = useController({ control, name: 'language' })
  // Drafts of earlier releases lack it.
  return <LanguageField value={field.value ?? null} onChange={field.onChange} inputRef={field.ref} />
}

/** Types, level and texts of a notification. A text that no chosen type uses is disabled. */
export function MessageFields({ control, smsLimit, offered }: TypesProps & { smsLimit: number }) {
  const text = useText()
  const byEmail = useWatch({ control, compute: (draft: Draft) => needsEmail(allTypesOf(draft)) })
  return (
    <>
      <Box sx={{ display: 'grid', columnGap: 3, rowGap: 2, gridTemplateColumns: { sm: '1fr 160px' } }}>
        <TypesField control={control} offered={offered} />
        <LevelField control={control} />
      </Box>
      <WordsField control={control} name="title" label={text('massNotifications.subject')} needed={byEmail} />
      <WordsField
        control={control}
        name="emailMessage"
        label={text('massNotifications.emailMessage')}
        needed={byEmail}
        lines={5}
      />
      <SmsField control={control} limit={smsLimit} />
      <SpokenField control={control} />
    </>
  )
}
