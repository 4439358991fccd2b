import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import TextField from '@mui/material/TextField'
import { memo, useId, useMemo } from 'react'

import { excessOf, hasOnlyTexts, withTasksFromTexts } from '#contract/playbook-imports/rules.ts'
import type { ImportedPlaybook } from '#contract/playbook-imports/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { useText } from '#src/kit/useText.ts'

import { CategorySelect } from './CategorySelect.tsx'
import { ContentsList } from './ContentsList.tsx'
import { countsOf } from './contentsValues.ts'
import { Fold } from './Fold.tsx'
import { ImportProblems } from './ImportProblems.tsx'
import { type ImportEntry, NEW_CATEGORY, newCategoryOf } from './importValues.ts'

/** Notes listed; the others are counted. */
const NOTES = 50

/** Parts of a file that were left out, with their positions. */
function Notes({ playbook: { name, notes } }: { playbook: ImportedPlaybook }) {
  const text = useText()
  if (notes.length === 0) return null
  const title = text('playbookDialogs.notes', { smart_count: notes.length })
  return (
    <Fold title={title} label={`${title}: ${name}`}>
      <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {notes.slice(0, NOTES).map(({ line, message }, index) => (
          // The notes neither move nor change.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>{line === null ? message : text('playbookDialogs.noteLine', { line, message })}</li>
        ))}
      </Box>
      {notes.length > NOTES && text('playbookDialogs.moreProblems', { smart_count: notes.length - NOTES })}
    </Fold>
  )
}

interface OnlyTextsProps {
  playbook: ImportedPlaybook
  disabled: boolean
  onChange: (playbook: ImportedPlaybook) => void
}

/** Offers to make tasks of texts, where a file has no list. */
function OnlyTexts({ playbook, disabled, onChange }: OnlyTextsProps) {
  const text = useText()
  return (
    <Alert
      severity="info"
      action={
        <Button
          size="small"
          color="inherit"
          disabled={disabled}
          onClick={() => onChange(withTasksFromTexts(playbook))}
        >
          {text('playbookDialogs.makeTasks')}
        </Button>
      }
    >
      {text('playbookDialogs.onlyTexts')}
    </Alert>
  )
}

/** Result of an attempted entry. */
function Outcome({ entry: { created, failure } }: { entry: ImportEntry }) {
  const text = useText()
  if (created !== null)
    return (
      <StatusChip
        icon={CheckCircleOutlineRounded}
        tone="success"
        label={text('playbookDialogs.createdMark')}
      />
    )
  return (
    failure !== null && (
      <StatusChip icon={ErrorOutlineRounded} tone="error" label={text('playbookDialogs.failedMark')} />
    )
  )
}

interface Props {
  entry: ImportEntry
  categories: readonly { readonly id: string; readonly name: string }[]
  max: number
  disabled: boolean
  onChange: (key: string, patch: Partial<ImportEntry>) => void
  onReplace: (key: string, parts: readonly ImportedPlaybook[]) => void
}

/** A parsed playbook: name, category, contents, errors and result. */
export const ImportCard = memo(function ImportCard(props: Props) {
  const { entry, categories, max, onChange, onReplace } = props
  const text = useText()
  const id = useId()
  const { key, playbook, isChosen, created, failure } = entry
  const disabled = props.disabled || created !== null
  const problems = useMemo(() => excessOf(playbook, { maxActivities: max }), [playbook, max])
  const { headings, tasks } = countsOf(playbook.activities)
  const offered = newCategoryOf(playbook, categories)
  const choices =
    offered === undefined
      ? categories
      : [{ id: NEW_CATEGORY, name: text('playbookDialogs.createNamed', { name: offered }) }, ...categories]
  const title = playbook.name.trim() || text('playbookDialogs.unnamed')
  const nameProblem = problems.find(({ item, field }) => item === null && field === 'name')?.message
  return (
    <Box
      component="li"
      sx={{ display: 'flex', gap: 1, p: 1.5, border: 1, borderColor: 'divider', borderRadius: 1 }}
    >
      <Checkbox
        checked={isChosen}
        disabled={disabled}
        onChange={(_, checked) => onChange(key, { isChosen: checked })}
        slotProps={{ input: { 'aria-label': text('playbookDialogs.importThis', { name: title }) } }}
        sx={{ alignSelf: 'start', mx: -0.5, mt: -0.5 }}
      />
      <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5 }}>
        <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '3fr 2fr' }, gap: 1.5, pt: 0.5 }}>
          <TextField
            id={id}
            size="small"
            label={text('playbookDialogs.name')}
            value={playbook.name}
            disabled={disabled}
            error={nameProblem !== undefined}
            helperText={nameProblem}
            onChange={({ target }) => onChange(key, { playbook: { ...playbook, name: target.value } })}
            slotProps={{ htmlInput: { dir: 'auto', autoComplete: 'off' } }}
          />
          <CategorySelect
            label={text('playbookDialogs.category')}
            categories={choices}
            value={entry.categoryId}
            onChange={(categoryId) => onChange(key, { categoryId: categoryId ?? null })}
            disabled={disabled}
          />
        </Box>
        <Box
          sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, color: 'text.secondary' }}
        >
          <Outcome entry={entry} />
          <span>
            {text('playbookDialogs.headingsCount', { smart_count: headings })} ·{' '}
            {text('playbookDialogs.tasksCount', { smart_count: tasks })}
          </span>
          <Box component="bdi" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            {text('playbookDialogs.fromFile', { name: entry.source })}
          </Box>
        </Box>
        {failure !== null && <Alert severity="error">{failure}</Alert>}
        {created === null && hasOnlyTexts(playbook) && (
          <OnlyTexts playbook={playbook} disabled={disabled} onChange={(one) => onReplace(key, [one])} />
        )}
        {created === null && (
          <ImportProblems
            playbook={playbook}
            problems={problems}
            max={max}
            disabled={disabled}
            onChange={(parts) => onReplace(key, parts)}
          />
        )}
        <Notes playbook={playbook} />
        <Fold
          title={text('playbookDialogs.contents')}
          label={text('playbookDialogs.contentsOf', { name: title })}
        >
          {playbook.description !== '' && (
            <Box sx={{ mb: 2 }}>
              <PlainText text={playbook.description} rows={6} />
            </Box>
          )}
          <ContentsList label={title} activities={playbook.activities} />
        </Fold>
      </Box>
    </Box>
  )
})
