import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import Skeleton from '@mui/material/Skeleton'
import { type Ref, Suspense, useId } from 'react'

import { QUESTION_SETS } from '#contract/notification-questions/rules.ts'
import type { Question } from '#contract/notification-questions/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

const load = () => import('./QuestionEditor.tsx')
const QuestionEditor = lazy(async () => ({ default: (await load()).QuestionEditor }))

const OWN: Question = {
  kind: 'CHOICE',
  answers: [
    { label: '', tone: 'GOOD' },
    { label: '', tone: 'NEUTRAL' },
  ],
}
const namesOf = ({ answers }: Question): string => answers.map(({ label }) => label).join(' / ')

interface Props {
  value: Question | null
  onChange: (question: Question | null) => void
  /** The problem of the question, once it was submitted; empty where only its answers have problems. */
  problem?: string | undefined
  inputRef?: Ref<HTMLElement>
}

/** The question of a notification: none at first, a ready set in one press, or answers of one's own. */
export function QuestionField({ value, onChange, problem, inputRef }: Props) {
  const text = useText()
  const id = useId()
  return (
    <Box role="group" aria-labelledby={id} ref={inputRef} tabIndex={-1} sx={{ outline: 'none' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 32 }}>
        <Box id={id} sx={{ flex: 1, fontWeight: 600 }}>
          {text('massNotifications.question')}
        </Box>
        {value && (
          <Button size="small" color="inherit" onClick={() => onChange(null)}>
            {text('massNotifications.noQuestion')}
          </Button>
        )}
      </Box>
      {value ? (
        <Suspense fallback={<Skeleton variant="rounded" height={152} />}>
          <QuestionEditor value={value} onChange={onChange} isChecked={problem !== undefined} />
        </Suspense>
      ) : (
        <>
          <Box sx={{ mb: 1, fontSize: '0.8125rem', color: 'text.secondary' }}>
            {text('massNotifications.questionHelp')}
          </Box>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            {[...QUESTION_SETS, { id: 'OWN', question: OWN }].map(({ id: set, question }) => (
              <Button
                key={set}
                size="small"
                variant="outlined"
                onPointerEnter={() => void load()}
                onClick={() => onChange({ ...question, answers: [...question.answers] })}
                sx={{ minHeight: { xs: 44, sm: 32 } }}
              >
                {question === OWN ? text('massNotifications.ownAnswers') : namesOf(question)}
              </Button>
            ))}
          </Box>
        </>
      )}
      {problem && <FormHelperText error>{problem}</FormHelperText>}
    </Box>
  )
}
