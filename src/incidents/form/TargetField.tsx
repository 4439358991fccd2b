import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { type Control, Controller, useWatch } from 'react-hook-form'

import { groupsApi } from '#contract/groups/api.ts'
import type { TargetedGroup } from '#contract/incidents/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { useText } from '#src/kit/useText.ts'

import { GroupPicker } from './GroupPicker.tsx'
import { PeoplePicker } from './PeoplePicker.tsx'

interface Values {
  onlySelected: boolean
  targetedUsers: string[]
  targetedGroupIds: string[]
}
interface Props<T extends Values> {
  control: Control<T>
  groups: readonly TargetedGroup[]
}

/** The targets of the incident: everybody, or selected people and groups. */
export function TargetField<T extends Values>({ control, groups }: Props<T>) {
  const text = useText()
  const can = useCan()
  const choosesGroups = can(groupsApi.options.access) || groups.length > 0
  // The field uses only these values of a larger form.
  const own = control as unknown as Control<Values>
  const onlySelected = useWatch({ control: own, name: 'onlySelected' })
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Controller
        control={own}
        name="onlySelected"
        render={({ field }) => (
          <FormControlLabel
            control={
              <Switch
                slotProps={{ input: { ref: field.ref } }}
                sx={{
                  '& .MuiSwitch-thumb': { border: 1, borderColor: 'background.edge', boxShadow: 'none' },
                }}
                checked={field.value}
                onChange={(_, checked) => field.onChange(checked)}
              />
            }
            label={
              <>
                <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
                  {text('incidents.onlySelected')}
                </Box>
                <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
                  {text(onlySelected ? 'incidents.onlySelectedText' : 'incidents.everybodyText')}
                </Box>
              </>
            }
            sx={{ ml: -1, gap: 1 }}
          />
        )}
      />
      {onlySelected && choosesGroups && (
        <Controller
          control={own}
          name="targetedGroupIds"
          render={({ field }) => <GroupPicker value={field.value} onChange={field.onChange} known={groups} />}
        />
      )}
      {onlySelected && (
        <Controller
          control={own}
          name="targetedUsers"
          render={({ field, fieldState }) => (
            <PeoplePicker
              label={text('incidents.people')}
              value={field.value}
              onChange={field.onChange}
              inputRef={field.ref}
              error={fieldState.error?.message}
            />
          )}
        />
      )}
    </Box>
  )
}
