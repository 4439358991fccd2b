import GroupsRounded from '@mui/icons-material/GroupsRounded'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import TextField from '@mui/material/TextField'
import { useMemo } from 'react'

import type { GroupOption } from '#contract/groups/schema.ts'
import type { TargetedGroup } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { useGroups } from '../queries.ts'

/** A group, with its number of members if known. */
type GroupChoice = Pick<GroupOption, 'id' | 'name'> & { readonly userCount: number | undefined }
interface Props {
  /** Ids. */
  value: readonly string[]
  onChange: (ids: string[]) => void
  /** Groups that the incident targets already, for people who may not read the other groups. */
  known: readonly TargetedGroup[]
}

/** Chooses the groups that an incident targets. */
export function GroupPicker({ value, onChange, known }: Props) {
  const text = useText()
  const { data: all } = useGroups()
  const targeted = useMemo(
    () => known.map(({ id, name, userIds }): GroupChoice => ({ id, name, userCount: userIds?.length })),
    [known],
  )
  const options: readonly GroupChoice[] = all ?? targeted
  const byId = useMemo(
    () => new Map([...targeted, ...options].map((group) => [group.id, group])),
    [targeted, options],
  )
  // Autocomplete takes a new array for a new value, and clears the typed text.
  const chosen = useMemo(() => value.flatMap((id) => byId.get(id) ?? []), [value, byId])
  const members = ({ userCount }: GroupChoice) =>
    userCount !== undefined && text('incidents.groupMembers', { smart_count: userCount })
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
              label={group.userCount === undefined ? group.name : `${group.name} (${group.userCount})`}
              {...props}
            />
          )
        })
      }
      renderInput={(params) => <TextField {...params} label={text('incidents.groups')} />}
    />
  )
}
