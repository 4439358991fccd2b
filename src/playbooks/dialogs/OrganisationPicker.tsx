import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormHelperText from '@mui/material/FormHelperText'
import { useId, useState } from 'react'

import type { ChildOrganisation } from '#contract/organisations/schema.ts'
import { hasEachWord } from '#src/kit/browser/hasEachWord.ts'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'

import { ROWS } from './rowsValues.ts'

/** Number of organisations above which they can be searched. */
const MANY = 10

/** An option for an organisation (foundation §3 "Child organisation as picker item"). */
interface PickerItem {
  readonly label: string
  readonly value: string
  readonly remainingCount: number
  readonly disabled: boolean
}
/** Number of playbooks that an organisation can still receive. */
export const remainingCountOf = ({ maxTemplates, currentTemplates }: ChildOrganisation): number =>
  Math.max(0, maxTemplates - currentTemplates)
const pickerItemOf = (organisation: ChildOrganisation): PickerItem => ({
  label: organisation.displayName,
  value: organisation.enterpriseId,
  remainingCount: remainingCountOf(organisation),
  disabled: !organisation.playbookEnabled,
})

interface RowProps {
  item: PickerItem
  checked: boolean
  onCheck: (checked: boolean) => void
  problem: string | undefined
}

function Row({ item, checked, onCheck, problem }: RowProps) {
  const text = useText()
  const [id, noteId] = [useId(), useId()]
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'start', minHeight: 44 }}>
      <Checkbox
        id={id}
        checked={checked}
        disabled={item.disabled}
        onChange={(_, next) => onCheck(next)}
        slotProps={{ input: { 'aria-describedby': noteId } }}
      />
      <Box sx={{ flex: 1, minWidth: 0, py: 1 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
          <Box
            component="label"
            htmlFor={id}
            dir="auto"
            sx={{
              flex: 1,
              minWidth: 0,
              overflowWrap: 'anywhere',
              ...(item.disabled ? { color: 'text.secondary' } : { cursor: 'pointer' }),
            }}
          >
            {item.label}
          </Box>
          <Box id={noteId} component="span" sx={{ color: 'text.secondary', pr: 1.5 }}>
            {item.disabled
              ? text('playbookDialogs.playbooksOff')
              : text('playbookDialogs.left', { count: item.remainingCount })}
          </Box>
        </Box>
        {problem !== undefined && (
          <FormHelperText error role="alert">
            {problem}
          </FormHelperText>
        )}
      </Box>
    </Box>
  )
}

interface Props {
  organisations: readonly ChildOrganisation[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** Reasons why organisations cannot receive the selection, by id. */
  problems: ReadonlyMap<string, string>
}

/** Chooses child organisations, each with its remaining capacity. */
export function OrganisationPicker({ organisations, chosen, onChange, problems }: Props) {
  const text = useText()
  const [q, setQ] = useState('')
  const items = organisations.map(pickerItemOf)
  const found = items.filter((item) => chosen.has(item.value) || hasEachWord(item.label, q))
  const check = (value: string, checked: boolean) => {
    const next = new Set(chosen)
    if (checked) next.add(value)
    else next.delete(value)
    onChange(next)
  }
  if (items.length === 0)
    return <Box sx={{ color: 'text.secondary' }}>{text('playbookDialogs.noOrganizations')}</Box>
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5 }}>
      {items.length > MANY && (
        <SearchBox label={text('playbookDialogs.findOrganizations')} value={q} onSearch={setQ} />
      )}
      <Box component="ul" aria-label={text('playbookDialogs.organizations')} sx={ROWS}>
        {found.map((item) => (
          <Row
            key={item.value}
            item={item}
            checked={chosen.has(item.value)}
            onCheck={(checked) => check(item.value, checked)}
            problem={problems.get(item.value)}
          />
        ))}
      </Box>
    </Box>
  )
}
