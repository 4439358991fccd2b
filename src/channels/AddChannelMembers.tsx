import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useState } from 'react'

import { MEMBERS_AT_ONCE, TOO_MANY_MEMBERS } from '#contract/chat/schema.ts'
import { usePeople } from '#providers/people.ts'
import { useText } from '#src/kit/useText.ts'

import { useChoosable } from '#src/users/useChoosable.tsx'

interface Props {
  isBusy: boolean
  /** Adds people by their ids; resolves to true on success. */
  onAdd: (ids: string[]) => Promise<boolean>
}

/** Chooses people and adds them to a channel, up to the limit of one call. */
export function AddChannelMembers({ isBusy, onAdd }: Props) {
  const text = useText()
  const { find } = usePeople()
  const [chosen, setChosen] = useState<string[]>([])
  const { picker, externalsSwitch } = useChoosable({ chosen })
  const problem = chosen.length > MEMBERS_AT_ONCE ? TOO_MANY_MEMBERS : undefined
  const add = async () => {
    const ids = chosen.flatMap((email) => find(email)?.uuid ?? [])
    if (await onAdd(ids)) setChosen([])
  }
  return (
    <Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 1 }}>
        <Autocomplete
          {...picker}
          multiple
          size="small"
          limitTags={5}
          filterSelectedOptions
          disableCloseOnSelect
          value={chosen}
          onChange={(_, emails) => setChosen(emails)}
          sx={{ flex: '1 1 280px', minWidth: 0 }}
          renderInput={(params) => (
            <TextField
              {...params}
              placeholder={chosen.length === 0 ? text('people.add') : ''}
              error={problem !== undefined}
              helperText={problem}
              slotProps={{
                ...params.slotProps,
                htmlInput: { ...params.slotProps.htmlInput, 'aria-label': text('people.add') },
              }}
            />
          )}
        />
        {chosen.length > 0 && (
          <Button
            variant="contained"
            loading={isBusy}
            disabled={problem !== undefined}
            onClick={() => void add()}
            sx={{ flex: 'none', minHeight: { xs: 44, sm: 40 } }}
          >
            {text('channels.addChosen', { smart_count: chosen.length })}
          </Button>
        )}
      </Box>
      {externalsSwitch}
    </Box>
  )
}
