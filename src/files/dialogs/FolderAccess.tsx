import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import Link from '@mui/material/Link'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { Link as RouterLink } from 'react-router-dom'

import { FOLDER_ACCESS, FOLDER_TYPES, FolderType, hasGroups } from '#contract/files/schema.ts'
import { groupsAccess } from '#contract/groups/access.ts'
import { groupsApi } from '#contract/groups/api.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { useText } from '#src/kit/useText.ts'

import { useGroupChoices } from '../queries.ts'
import type { FolderDraft } from './useSaveFolder.ts'

interface GroupsProps {
  value: readonly string[]
  onChange: (groupIds: string[]) => void
  problem: string | undefined
}

/** Groups to choose from: the signed-in person's own, and those chosen already. */
function GroupChoices({ value, onChange, problem }: GroupsProps) {
  const text = useText()
  const labelId = useId()
  const can = useCan()
  const canList = can(groupsApi.options.access)
  const query = useGroupChoices(canList)
  const groups = canList ? query.data : []
  return (
    <FormControl component="fieldset" error={problem !== undefined} sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
        <FormLabel component="legend" id={labelId}>
          {text('files.groups')}
        </FormLabel>
        {can(groupsAccess) && (
          <Link component={RouterLink} to="/groups">
            {text('files.manageGroups')}
          </Link>
        )}
      </Box>
      {!groups && <Awaiting queries={[query]} height={84} />}
      {groups?.length === 0 && (
        <Typography variant="body2" sx={{ py: 1, color: 'text.secondary' }}>
          {text('files.noGroups')}
        </Typography>
      )}
      {groups && groups.length > 0 && (
        <Box
          role="group"
          aria-labelledby={labelId}
          sx={{ display: 'grid', maxHeight: 220, overflow: 'auto', py: 0.5 }}
        >
          {groups.map(({ id, name, canAccess }) => (
            <FormControlLabel
              key={id}
              disabled={!canAccess && !value.includes(id)}
              title={canAccess ? undefined : text('files.notInGroup')}
              control={
                <Checkbox
                  size="small"
                  checked={value.includes(id)}
                  onChange={({ target }) =>
                    onChange(target.checked ? [...value, id] : value.filter((one) => one !== id))
                  }
                />
              }
              label={<bdi>{name}</bdi>}
              sx={{ m: 0, overflowWrap: 'anywhere' }}
            />
          ))}
        </Box>
      )}
      {problem !== undefined && <FormHelperText role="alert">{problem}</FormHelperText>}
    </FormControl>
  )
}

/** Access to a root-level folder: everybody, groups, or administrators, an option for administrators only. */
export function FolderAccess({ form }: { form: UseFormReturn<FolderDraft> }) {
  const text = useText()
  const isAdmin = useSession().user?.role === 'ADMIN'
  const chosen = useWatch({ control: form.control, name: 'folderType' })
  const types = FOLDER_TYPES.filter((type) => isAdmin || FOLDER_ACCESS[type].changes === 'everybody')
  const labelId = useId()
  return (
    <>
      <Controller
        control={form.control}
        name="folderType"
        render={({ field }) => (
          <FormControl>
            <FormLabel id={labelId}>{text('files.access')}</FormLabel>
            <RadioGroup
              aria-labelledby={labelId}
              name={field.name}
              value={field.value}
              onChange={({ target }) => field.onChange(FolderType.parse(target.value))}
            >
              {types.map((type) => (
                <FormControlLabel
                  key={type}
                  value={type}
                  control={<Radio size="small" />}
                  label={
                    <>
                      {text(`files.accessOf.${type}`)}
                      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                        {text(`files.accessText.${type}`)}
                      </Typography>
                    </>
                  }
                  sx={{ py: 0.25 }}
                />
              ))}
            </RadioGroup>
          </FormControl>
        )}
      />
      {hasGroups(chosen) && (
        <Controller
          control={form.control}
          name="groupIds"
          render={({ field, fieldState }) => (
            <GroupChoices value={field.value} onChange={field.onChange} problem={fieldState.error?.message} />
          )}
        />
      )}
    </>
  )
}
