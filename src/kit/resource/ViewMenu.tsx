import CheckBoxOutlineBlankRounded from '@mui/icons-material/CheckBoxOutlineBlankRounded'
import CheckBoxRounded from '@mui/icons-material/CheckBoxRounded'
import RadioButtonCheckedRounded from '@mui/icons-material/RadioButtonCheckedRounded'
import RadioButtonUncheckedRounded from '@mui/icons-material/RadioButtonUncheckedRounded'
import ViewColumnRounded from '@mui/icons-material/ViewColumnRounded'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'

import { type AnyTable, namingOf } from './resource.ts'
import type { ColumnChoice } from './useColumnChoice.ts'
import { useText } from '../useText.ts'

const CHECKED = <CheckBoxRounded color="primary" />
const UNCHECKED = <CheckBoxOutlineBlankRounded />
const CHOSEN = <RadioButtonCheckedRounded color="primary" />
const OFFERED = <RadioButtonUncheckedRounded />
const DENSITIES = ['compact', 'standard', 'comfortable'] as const

interface Props {
  definition: AnyTable
  choice: ColumnChoice
}

/** Menu for the columns and the density of a table. */
export function ViewMenu({ definition, choice }: Props) {
  const text = useText()
  const [anchor, setAnchor] = useState<Element | null>(null)
  const others = definition.columns.filter((column) => column !== namingOf(definition))
  return (
    <>
      <IconButton
        title={text('grid.view')}
        aria-label={text('grid.view')}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ color: 'text.secondary' }}
      >
        <ViewColumnRounded />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { dense: true, 'aria-label': text('grid.view') } }}
      >
        <ListSubheader role="presentation">{text('grid.columns')}</ListSubheader>
        {others.map(({ field, label }) => (
          <MenuItem
            key={field}
            role="menuitemcheckbox"
            aria-checked={choice.visible[field] === true}
            onClick={() => choice.show(field, choice.visible[field] !== true)}
          >
            <ListItemIcon>{choice.visible[field] ? CHECKED : UNCHECKED}</ListItemIcon>
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
            <ListItemIcon>{choice.density === density ? CHOSEN : OFFERED}</ListItemIcon>
            {text(`grid.${density}`)}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
