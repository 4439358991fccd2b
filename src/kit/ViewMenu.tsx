import ViewColumnRounded from '@mui/icons-material/ViewColumnRounded'
import Checkbox from '@mui/material/Checkbox'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Radio from '@mui/material/Radio'
import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'

import type { AnyDefinition } from './resource.ts'
import type { ColumnChoice } from './useColumnChoice.ts'
import { useText } from './useText.ts'

const DENSITIES = ['compact', 'standard', 'comfortable'] as const
const MARK = { py: 0, pl: 0, pr: 1 } as const

interface Props {
  definition: AnyDefinition
  choice: ColumnChoice
}

/** How a table looks: its columns and its density. */
export function ViewMenu({ definition, choice }: Props) {
  const text = useText()
  const [anchor, setAnchor] = useState<Element | null>(null)
  return (
    <>
      <Tooltip title={text('grid.view')}>
        <IconButton
          aria-label={text('grid.view')}
          aria-haspopup="menu"
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={{ color: 'text.secondary' }}
        >
          <ViewColumnRounded />
        </IconButton>
      </Tooltip>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { dense: true, 'aria-label': text('grid.view') } }}
      >
        <ListSubheader role="presentation">{text('grid.columns')}</ListSubheader>
        {definition.columns.slice(1).map(({ field, label }) => (
          <MenuItem
            key={field}
            role="menuitemcheckbox"
            aria-checked={choice.visible[field] === true}
            onClick={() => choice.show(field, choice.visible[field] !== true)}
          >
            <Checkbox
              size="small"
              tabIndex={-1}
              checked={choice.visible[field] === true}
              sx={MARK}
              aria-hidden
            />
            {text(label)}
          </MenuItem>
        ))}
        <Divider />
        <ListSubheader role="presentation">{text('grid.density')}</ListSubheader>
        {DENSITIES.map((density) => (
          <MenuItem
            key={density}
            role="menuitemradio"
            aria-checked={choice.density === density}
            onClick={() => choice.setDensity(density)}
          >
            <Radio size="small" tabIndex={-1} checked={choice.density === density} sx={MARK} aria-hidden />
            {text(`grid.${density}`)}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
