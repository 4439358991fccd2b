import PersonAddAltRounded from '@mui/icons-material/PersonAddAltRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { type Control, Controller, useController, useWatch } from 'react-hook-form'

import { groupsApi } from '#contract/groups/api.ts'
import type { TargetedGroup } from '#contract/incidents/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { useText } from '#src/kit/useText.ts'
import { useHasExternals } from '#src/users/useChoosable.tsx'

import { GroupPicker } from './GroupPicker.tsx'
import { PeoplePicker } from './PeoplePicker.tsx'

interface Values {
  onlySelected: boolean
  externals: string[]
  targetedUsers: string[]
  targetedGroupIds: string[]
}
interface Props<T extends Values> {
  control: Control<T>
  groups: readonly TargetedGroup[]
}

/** Says that an incident for everybody leaves out external people, and offers to add them. */
function ExternalsField({ control }: { control: Control<Values> }) {
  const text = useText()
  const hasExternals = useHasExternals()
  const { field, fieldState } = useController({ control, name: 'externals' })
  const [isOffered, setOffered] = useState(field.value.length > 0)
  if (isOffered || field.value.length > 0)
    return (
      <PeoplePicker
        label={text('incidents.externals')}
        help={text('incidents.externalsText')}
        value={field.value}
        onChange={field.onChange}
        inputRef={field.ref}
        error={fieldState.error?.message}
        isExternal
      />
    )
  if (!hasExternals) return null
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1,
        // Below the text of the switch.
        pl: '56px',
        mt: -1,
        fontSize: '0.8125rem',
        color: 'text.secondary',
      }}
    >
      {text('incidents.externalsNotIn')}
      <Button size="small" startIcon={<PersonAddAltRounded />} onClick={() => setOffered(true)}>
        {text('incidents.addExternals')}
      </Button>
    </Box>
  )
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
      {!onlySelected && <ExternalsField control={own} />}
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
