import Autocomplete from '@mui/material/Autocomplete'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import { TYPE_LABELS } from '#contract/mass-notifications/rules.ts'
import type { NotificationType } from '#contract/mass-notifications/schema.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { useGroups } from './queries.ts'

/** The people and channels of a test as a form holds them. */
export interface Whom {
  readonly everybody: boolean
  readonly groups: readonly { readonly id: string; readonly name: string }[]
  readonly types: readonly NotificationType[]
}
/** The body of a call. */
export const bodyOf = ({ everybody, groups, types }: Whom) => ({
  everybody,
  groupIds: everybody ? [] : groups.map(({ id }) => id),
  types: [...types],
})

interface Props {
  value: Whom
  onChange: (value: Whom) => void
  /** Channels of this installation. */
  offered: readonly NotificationType[]
  /** Number of all people. */
  people: number
  /** Sentences at the fields, by the field's name. */
  problems: Readonly<Record<string, string>>
}

function GroupsField({
  value,
  onChange,
  problem,
}: {
  value: Whom['groups']
  onChange: (groups: Whom['groups']) => void
  problem: string | undefined
}) {
  const text = useText()
  const [typed, setTyped] = useState('')
  const { rows = [], isFetching } = useGroups(useDebounced(typed.trim().slice(0, 255), 250))
  return (
    <Autocomplete
      multiple
      size="small"
      options={rows.map(({ id, name }) => ({ id, name }))}
      // The server has found them.
      filterOptions={(options) => options}
      loading={isFetching}
      value={[...value]}
      onChange={(_, groups) => onChange(groups)}
      inputValue={typed}
      onInputChange={(_, words) => setTyped(words)}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      renderInput={(params) => (
        <TextField
          {...params}
          label={text('readiness.chooseGroups')}
          placeholder={value.length === 0 ? text('readiness.findGroups') : ''}
          error={problem !== undefined}
          helperText={problem}
        />
      )}
    />
  )
}

/** A choice that a thumb meets. */
const CHOICE = { minHeight: { xs: 44, sm: 38 } } as const

/** Chooses everybody or groups, and the channels. */
export function WhomFields({ value, onChange, offered, people, problems }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const { everybody, groups, types } = value
  const toggle = (type: NotificationType) =>
    onChange({
      ...value,
      types: types.includes(type) ? types.filter((one) => one !== type) : [...types, type],
    })
  return (
    <>
      <FormControl>
        <FormLabel id="readiness-whom">{text('readiness.whom')}</FormLabel>
        <RadioGroup
          aria-labelledby="readiness-whom"
          value={everybody ? 'everybody' : 'groups'}
          onChange={(_, whom) => onChange({ ...value, everybody: whom === 'everybody' })}
        >
          <FormControlLabel
            value="everybody"
            control={<Radio />}
            label={text('readiness.everybody', { count: formatNumber(locale, people) })}
            sx={CHOICE}
          />
          <FormControlLabel
            value="groups"
            control={<Radio />}
            label={text('readiness.chosenGroups')}
            sx={CHOICE}
          />
        </RadioGroup>
      </FormControl>
      {!everybody && (
        <GroupsField
          value={groups}
          onChange={(chosen) => onChange({ ...value, groups: chosen })}
          problem={problems['groupIds']}
        />
      )}
      <FormControl error={problems['types'] !== undefined} component="fieldset" variant="standard">
        <FormLabel component="legend">{text('readiness.channels')}</FormLabel>
        {offered.map((type) => (
          <FormControlLabel
            key={type}
            control={<Checkbox checked={types.includes(type)} onChange={() => toggle(type)} />}
            label={TYPE_LABELS[type]}
            sx={CHOICE}
          />
        ))}
        {problems['types'] !== undefined && <FormHelperText>{problems['types']}</FormHelperText>}
      </FormControl>
    </>
  )
}
