import { cut } from '#contract/kit/cut.ts'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import TextField from '@mui/material/TextField'

import { type Declared, proposed } from '#contract/playbooks/rules.ts'
import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { inGroups, LIST_OF_GROUPS } from '#src/kit/form/optionGroup.tsx'
import { useText } from '#src/kit/useText.ts'

import { useFoundPlaybooks, useProposals } from './queries.ts'

interface Props {
  value: Pick<PlaybookSummary, 'id' | 'name'> | null
  onChange: (playbook: PlaybookSummary | null) => void
  help?: string
  error?: string | undefined
  autoFocus?: boolean
  /** The incident that playbooks are proposed for; they come first while nothing is typed. */
  declared?: Declared
}

type Option = Pick<PlaybookSummary, 'id' | 'name'> & Partial<PlaybookSummary>

const NONE: readonly PlaybookSummary[] = []

/** Chooses one playbook by a search on the server. */
export function PlaybookPicker({ value, onChange, help, error, autoFocus = false, declared }: Props) {
  const text = useText()
  const found = useFoundPlaybooks(true)
  const { data: proposals = NONE } = useProposals(declared !== undefined)
  const suggested = declared && !found.isTyped ? proposed(proposals, declared) : NONE
  const isSuggested = new Set(suggested.map(({ id }) => id))
  const options = [...suggested, ...found.playbooks.filter(({ id }) => !isSuggested.has(id))]
  const problem = error ?? (found.error ? messageOf(found.error, text('kit.wentWrong')) : undefined)
  return (
    <Autocomplete<Option>
      options={options}
      groupBy={
        suggested.length === 0
          ? undefined
          : ({ id }) =>
              text(isSuggested.has(id) ? 'incidents.suggestedPlaybooks' : 'incidents.otherPlaybooks')
      }
      {...inGroups}
      slotProps={{ listbox: LIST_OF_GROUPS }}
      value={value}
      onChange={(_, playbook) => onChange(playbook as PlaybookSummary | null)}
      onInputChange={(_, typed, reason) => found.setTyped(reason === 'input' ? typed : '')}
      loading={found.isSearching}
      loadingText={text('kit.loading')}
      // The server has filtered already.
      filterOptions={(playbooks) => playbooks}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(a, b) => a.id === b.id}
      autoHighlight
      noOptionsText={text('incidents.noPlaybookFound')}
      clearText={text('incidents.clearPlaybook')}
      openText={text('people.openList')}
      closeText={text('people.closeList')}
      renderOption={({ key, ...props }, { name, description, activitiesCount }) => (
        <li key={key} {...props}>
          <Box sx={{ minWidth: 0 }}>
            <Box dir="auto" sx={{ overflowWrap: 'anywhere' }}>
              {name}
            </Box>
            <Box sx={{ fontSize: '0.75rem', color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {[
                text('incidents.playbookItems', { smart_count: activitiesCount ?? 0 }),
                cut(description?.split('\n')[0] ?? '', 120),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Box>
          </Box>
        </li>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          label={text('incidents.playbook')}
          placeholder={text('incidents.noPlaybook')}
          helperText={problem ?? help}
          error={problem !== undefined}
          autoFocus={autoFocus}
        />
      )}
    />
  )
}
