import type { AutocompleteRenderGroupParams } from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import ListSubheader from '@mui/material/ListSubheader'
import { useId } from 'react'

function Group({ group, children }: AutocompleteRenderGroupParams) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <ListSubheader id={id} component="div" role="presentation" className="MuiAutocomplete-groupLabel">
        {group}
      </ListSubheader>
      <Box component="ul" role="presentation" className="MuiAutocomplete-groupUl" sx={{ p: 0 }}>
        {children}
      </Box>
    </div>
  )
}

/** Options of an `Autocomplete` under headings. MUI's own groups break the list for screen readers. */
export const inGroups = {
  renderGroup: (params: AutocompleteRenderGroupParams) => <Group {...params} key={params.key} />,
}
/** The list around groups, as a property of `slotProps.listbox`. */
export const LIST_OF_GROUPS = { component: 'div' } as const
