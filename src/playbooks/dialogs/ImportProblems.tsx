import { cut } from '#contract/kit/cut.ts'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import {
  type ImportExcess,
  split,
  trimmed,
  withContinuedIntroduction,
  withoutItem,
} from '#contract/playbook-imports/rules.ts'
import type { ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { missingInItem } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'

/** Errors listed; the others are counted. */
const LISTED = 10

interface Props {
  playbook: ImportedPlaybook
  problems: readonly ImportExcess[]
  /** Limit of headings and tasks per playbook. */
  max: number
  disabled: boolean
  /** Receives the changed playbook, or its parts. */
  onChange: (parts: readonly ImportedPlaybook[]) => void
}

/** Buttons that repair all errors of a kind. */
function Repairs({ playbook, problems, max, disabled, onChange }: Props) {
  const text = useText()
  const { activities } = playbook
  const wrongItems = new Set(problems.flatMap(({ item }) => (item === null ? [] : [item])))
  const isOver = activities.length > max
  const hasWrongTexts = wrongItems.size > 0 || problems.some(({ field }) => field === 'description')
  const isMissing = [...wrongItems].some((index) => Object.keys(missingInItem(activities[index]!)).length > 0)
  const keep = (kept: ImportedPlaybook['activities']) => onChange([{ ...playbook, activities: kept }])
  const repairs = [
    {
      label: text('playbookDialogs.split'),
      isOffered: isOver,
      act: () => onChange(split(playbook, max)),
    },
    {
      label: text('playbookDialogs.keepFirst', { max }),
      isOffered: isOver,
      act: () => keep(activities.slice(0, max)),
    },
    {
      label: text('playbookDialogs.continueIntroduction'),
      isOffered: problems.some(({ item, field }) => item === null && field === 'description'),
      act: () => onChange([withContinuedIntroduction(playbook, text('playbookDialogs.introduction'))]),
    },
    {
      label: text(isMissing ? 'playbookDialogs.shortenAndFill' : 'playbookDialogs.shorten'),
      isOffered: hasWrongTexts,
      act: () => onChange([trimmed(playbook, { maxActivities: activities.length })]),
    },
    {
      label: text('playbookDialogs.leaveOutAll', { count: wrongItems.size }),
      isOffered: wrongItems.size > 1,
      act: () => keep(activities.filter((_, index) => !wrongItems.has(index))),
    },
  ]
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {repairs
        .filter(({ isOffered }) => isOffered)
        .map(({ label, act }) => (
          <Button
            key={label}
            size="small"
            color="inherit"
            variant="outlined"
            disabled={disabled}
            onClick={act}
          >
            {label}
          </Button>
        ))}
    </Box>
  )
}

/** Errors of a playbook with their positions, and ways to repair them. */
export function ImportProblems(props: Props) {
  const { playbook, problems, disabled, onChange } = props
  const text = useText()
  if (problems.length === 0) return null
  const placeOf = (index: number) => {
    const { title, line } = playbook.activities[index]!
    const words = { place: index + 1, title: cut(title, 80) }
    return line === null
      ? text('playbookDialogs.itemProblem', words)
      : text('playbookDialogs.itemProblemLine', { ...words, line })
  }
  return (
    <Alert severity="warning" slotProps={{ message: { sx: { minWidth: 0, flex: 1 } } }}>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1 }}>
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', overflowWrap: 'anywhere' }}>
          {problems.slice(0, LISTED).map(({ item: index, field, message }) => (
            <Box component="li" key={`${index ?? ''} ${field}`} sx={{ py: 0.25 }}>
              {index === null ? (
                field === 'name' || field === 'description' ? (
                  `${text(field === 'name' ? 'playbookDialogs.name' : 'playbookDialogs.brief')}: ${message}`
                ) : (
                  message
                )
              ) : (
                <>
                  <bdi>{placeOf(index)}</bdi>: {message}{' '}
                  <Button
                    size="small"
                    color="inherit"
                    disabled={disabled}
                    aria-label={text('playbookDialogs.leaveOutOf', {
                      title: cut(playbook.activities[index]!.title, 80),
                    })}
                    onClick={() => onChange([withoutItem(playbook, index)])}
                  >
                    {text('playbookDialogs.leaveOut')}
                  </Button>
                </>
              )}
            </Box>
          ))}
        </Box>
        {problems.length > LISTED && (
          <div>{text('playbookDialogs.moreProblems', { smart_count: problems.length - LISTED })}</div>
        )}
        <Repairs {...props} />
      </Box>
    </Alert>
  )
}
