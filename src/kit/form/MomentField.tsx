import EventRounded from '@mui/icons-material/EventRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import TextField, { type TextFieldProps } from '@mui/material/TextField'
import { useLocaleState } from 'react-admin'
import { type ChangeEvent, useRef, useState } from 'react'

import { readDate, readMoment } from '#contract/kit/moments.ts'
import { serverNow } from '#providers/serverClock.ts'

import { dateHabits, fullMoment, shortDate } from '../time/dateHabits.ts'
import { localDay, shortTime } from '../time/formats.ts'
import { isDate, isLocalTime } from '../time/localTime.ts'
import { useText } from '../useText.ts'

interface Props extends Pick<
  TextFieldProps,
  'id' | 'name' | 'inputRef' | 'size' | 'fullWidth' | 'autoFocus' | 'required'
> {
  label: string
  /** True for a day without a time. */
  isDay?: boolean
  /** Such as 2026-11-28T14:05 or 2026-11-28, empty for none, or a text that is not read. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  problem?: string | undefined
  help?: string | undefined
  /** Time of a day that is typed without one. */
  dayMeans?: 'start' | 'end'
}

/** Words of a value: as they stand in the field, and as they explain what was typed. */
function useWords(isDay: boolean) {
  const [locale] = useLocaleState()
  const isRead = isDay ? isDate : isLocalTime
  const wordsOf = (value: string) => {
    if (!isRead(value)) return { shown: value, whole: undefined }
    const at = new Date(isDay ? `${value}T12:00` : value)
    return isDay
      ? { shown: shortDate(locale, at), whole: localDay(locale, at) }
      : { shown: shortTime(locale, at), whole: fullMoment(locale, at) }
  }
  return { locale, isRead, wordsOf }
}

/** The picker of the browser behind a button, for pointers and phones. */
function Picker({
  isDay,
  value,
  onChange,
}: {
  isDay: boolean
  value: string
  onChange: (value: string) => void
}) {
  const text = useText()
  const input = useRef<HTMLInputElement>(null)
  if (!('showPicker' in HTMLInputElement.prototype)) return null
  return (
    <InputAdornment position="end" sx={{ position: 'relative' }}>
      <Box
        component="input"
        ref={input}
        type={isDay ? 'date' : 'datetime-local'}
        value={value}
        tabIndex={-1}
        aria-hidden
        onChange={({ target }: ChangeEvent<HTMLInputElement>) => onChange(target.value)}
        sx={{
          position: 'absolute',
          right: 0,
          bottom: 0,
          width: 40,
          height: 1,
          opacity: 0,
          pointerEvents: 'none',
        }}
      />
      <IconButton
        size="small"
        edge="end"
        title={text('kit.openCalendar')}
        aria-label={text('kit.openCalendar')}
        onClick={() => input.current?.showPicker()}
      >
        <EventRounded fontSize="small" />
      </IconButton>
    </InputAdornment>
  )
}

/**
 * A date, or a date and time of the browser's zone, as people type or paste it. The words below show how it was read; a
 * text that is not read stays, with a sentence.
 */
export function MomentField(props: Props) {
  const { label, isDay = false, value, onChange, onBlur, problem, help, dayMeans, required, ...field } = props
  const text = useText()
  const { locale, isRead, wordsOf } = useWords(isDay)
  const { shown, whole } = wordsOf(value)
  const [typed, setTyped] = useState({ text: shown, value })
  const [isTyping, setTyping] = useState(false)
  // A value from elsewhere, such as a reset of the form, replaces the text.
  const current = typed.value === value ? typed.text : shown
  const read = (written: string) => {
    const habits = { ...dateHabits(locale, serverNow()), ...(dayMeans && { dayMeans }) }
    const next = (isDay ? readDate : readMoment)(written, habits) ?? written.trim()
    setTyped({ text: written, value: next })
    onChange(next)
  }
  const isUnread = value !== '' && !isRead(value) && !isTyping
  const example = wordsOf(isDay ? '2026-11-28' : '2026-11-28T14:05').shown
  const refusal = isUnread ? text(isDay ? 'kit.dateUnread' : 'kit.momentUnread', { example }) : problem
  return (
    <TextField
      {...field}
      label={label}
      value={current}
      onChange={({ target }) => {
        setTyping(true)
        read(target.value)
      }}
      onBlur={() => {
        setTyping(false)
        if (isRead(value)) setTyped({ text: shown, value })
        onBlur?.()
      }}
      error={refusal !== undefined}
      helperText={refusal ?? (isTyping && whole) ?? help}
      required={required}
      slotProps={{
        inputLabel: { shrink: true, required: false },
        htmlInput: { autoComplete: 'off', maxLength: 100, placeholder: example, 'aria-required': required },
        input: {
          endAdornment: <Picker isDay={isDay} value={isRead(value) ? value : ''} onChange={read} />,
        },
        formHelperText: { 'aria-live': 'polite' },
      }}
    />
  )
}
