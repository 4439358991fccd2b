import AddRounded from '@mui/icons-material/AddRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'

import {
  ANSWER_LABEL_MAX,
  ANSWER_REQUIRED,
  ANSWER_TONES,
  ANSWER_TOO_LONG,
  ANSWER_TWICE,
  type Answer,
  ANSWERS_MAX,
  ANSWERS_MIN,
  type Question,
  repeatedLabels,
} from '#contract/notification-questions/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { ToneMark } from './ToneMark.tsx'

interface Props {
  value: Question
  onChange: (question: Question) => void
  /** Shows missing answers, too. */
  isChecked: boolean
}

/** The answers of a question with their tones. */
export function QuestionEditor({ value, onChange, isChecked }: Props) {
  const text = useText()
  const { kind, answers } = value
  const repeated = repeatedLabels(answers.map(({ label }) => label))
  const problemOf = ({ label }: Answer, n: number): string | undefined => {
    if (label.trim().length > ANSWER_LABEL_MAX) return ANSWER_TOO_LONG
    if (repeated.includes(n)) return ANSWER_TWICE
    return isChecked && label.trim() === '' ? ANSWER_REQUIRED : undefined
  }
  const set = (n: number, changes: Partial<Answer>) =>
    onChange({ ...value, answers: answers.map((one, at) => (at === n ? { ...one, ...changes } : one)) })
  const isChoice = kind === 'CHOICE'
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1 }}>
      {!isChoice && (
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {text('massNotifications.confirmationHelp')}
        </Box>
      )}
      {answers.map((answer, n) => {
        const problem = problemOf(answer, n)
        const number = text('massNotifications.answerNumber', { number: n + 1 })
        return (
          <Box
            // oxlint-disable-next-line react/no-array-index-key -- answers are known by their order
            key={n}
            sx={{
              display: 'grid',
              gridTemplateColumns: {
                xs: 'minmax(0, 1fr) 40px',
                sm: `minmax(0, 1fr) minmax(0, 184px)${isChoice ? ' 40px' : ''}`,
              },
              gap: 1,
              alignItems: 'start',
            }}
          >
            <TextField
              size="small"
              value={answer.label}
              onChange={(event) => set(n, { label: event.target.value })}
              error={problem !== undefined}
              helperText={problem}
              slotProps={{ htmlInput: { 'aria-label': number, dir: 'auto', autoComplete: 'off' } }}
            />
            <TextField
              select
              size="small"
              sx={{
                gridRow: { xs: 2, sm: 1 },
                gridColumn: { xs: 1, sm: 2 },
                // A mark on the line of the text would make the field higher than the one beside it.
                '& .MuiSelect-select': { display: 'flex', alignItems: 'center' },
              }}
              value={answer.tone}
              onChange={(event) => set(n, { tone: event.target.value as Answer['tone'] })}
              slotProps={{
                htmlInput: { 'aria-label': text('massNotifications.toneOf', { answer: number }) },
              }}
            >
              {ANSWER_TONES.map((tone) => (
                <MenuItem key={tone} value={tone}>
                  <ToneMark tone={tone} label={text(`massNotifications.tones.${tone}`)} />
                </MenuItem>
              ))}
            </TextField>
            {isChoice && (
              <IconButton
                aria-label={text('massNotifications.removeAnswer', { number: n + 1 })}
                disabled={answers.length <= ANSWERS_MIN}
                onClick={() => onChange({ ...value, answers: answers.filter((_, at) => at !== n) })}
                sx={{ minHeight: { xs: 44, sm: 40 } }}
              >
                <CloseRounded />
              </IconButton>
            )}
          </Box>
        )
      })}
      {isChoice && answers.length < ANSWERS_MAX && (
        <Button
          size="small"
          startIcon={<AddRounded />}
          onClick={() => onChange({ ...value, answers: [...answers, { label: '', tone: 'NEUTRAL' }] })}
          sx={{ justifySelf: 'start' }}
        >
          {text('massNotifications.addAnswer')}
        </Button>
      )}
    </Box>
  )
}
