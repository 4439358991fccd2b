import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded'
import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded'
import SortRounded from '@mui/icons-material/SortRounded'
import IconButton from '@mui/material/IconButton'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useListSortContext } from 'react-admin'
import { useState } from 'react'

import type { AnyTable } from './resource.ts'
import { useText } from '../useText.ts'

/** Chooses the order of cards, which have no header to press. Choosing it again turns it round. */
export function SortMenu({ columns }: Pick<AnyTable, 'columns'>) {
  const text = useText()
  const { sort, setSort } = useListSortContext()
  const [anchor, setAnchor] = useState<Element | null>(null)
  const sortable = columns.filter((column) => column.sortable !== false)
  const current = sortable.find((column) => column.field === sort.field)
  const Arrow = sort.order === 'ASC' ? ArrowUpwardRounded : ArrowDownwardRounded
  return (
    <>
      <IconButton
        aria-haspopup="menu"
        aria-label={text('grid.sortedBy', { column: current ? text(current.label) : '' })}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ color: 'text.secondary' }}
      >
        <SortRounded />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': text('grid.sortBy') } }}
      >
        {sortable.map((column) => (
          <MenuItem
            key={column.field}
            role="menuitemradio"
            aria-checked={column === current}
            selected={column === current}
            onClick={() => {
              setAnchor(null)
              setSort({
                field: column.field,
                order: column === current && sort.order === 'ASC' ? 'DESC' : 'ASC',
              })
            }}
          >
            <ListItemText>{text(column.label)}</ListItemText>
            {column === current && <Arrow sx={{ ml: 2, color: 'text.secondary' }} />}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
