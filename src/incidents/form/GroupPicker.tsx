import GroupsRounded from '@mui/icons-material/GroupsRounded'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import TextField from '@mui/material/TextField'
import { useMemo } from 'react'

import type { TargetedGroup } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { useGroups } from '../queries.ts'

interface Props {
  /** Ids. */
  value: readonly string[]
  onChange: (ids: string[]) => void
  /** Groups that the incident targets already, for whoever may not read the others. */
  known: readonly TargetedGroup[]
}

/** Chooses the groups whose members an incident targets. */
export function GroupPicker({ value, onChange, known }: Props) {
  const text = useText()
  const { data: all } = useGroups()
  const options = useMemo<readonly TargetedGroup[]>(() => all ?? known, [all, known])
  const byId = useMemo(
    () => new Map([...known, ...options].map((group) => [group.id, group])),
    [known, options],
  )
  const chosen = value.flatMap((id) => byId.get(id) ?? [])
  const members = ({ userIds }: TargetedGroup) =>
    userIds && text('incidents.groupMembers', { smart_count: userIds.length })
  return (
    <Autocomplete
      multiple
      size="small"
      options={options}
      value={chosen}
      onChange={(_, groups) => onChange(groups.map(({ id }) => id))}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(a, b) => a.id === b.id}
      filterSelectedOptions
      disableCloseOnSelect
      autoHighlight
      limitTags={12}
      noOptionsText={text('incidents.noGroupFound')}
      clearText={text('incidents.clearGroups')}
      openText={text('people.openList')}
      closeText={text('people.closeList')}
      renderOption={({ key, ...props }, group) => (
        <li key={key} {...props}>
          <Box sx={{ minWidth: 0 }}>
            <Box dir="auto" sx={{ overflowWrap: 'anywhere' }}>
              {group.name}
            </Box>
            <Box sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>{members(group)}</Box>
          </Box>
        </li>
      )}
      renderValue={(groups, getItemProps) =>
        groups.map((group, index) => {
          const { key, ...props } = getItemProps({ index })
          return (
            <Chip
              key={key}
              size="small"
              icon={<GroupsRounded />}
              label={group.userIds ? `${group.name} (${group.userIds.length})` : group.name}
              {...props}
            />
          )
        })
      }
      renderInput={(params) => <TextField {...params} label={text('incidents.groups')} />}
    />
  )
}
