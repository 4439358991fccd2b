import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import IconButton from '@mui/material/IconButton'
import Link from '@mui/material/Link'
import { useListContext } from 'react-admin'
import { useEffect, useRef } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import { Cell } from './Cell.tsx'
import { CELL_STYLES } from '../list/cellStyles.ts'
import { cellValue } from './cellValue.ts'
import { type Listed, namingOf } from './resource.ts'
import type { LayoutProps } from './resourceLayout.ts'
import { useScrollBack } from '../browser/useScrollBack.ts'
import { useText } from '../useText.ts'

/** Clamps a text to `most` lines. */
const lines = (most: number) => ({
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: most,
  overflow: 'hidden',
  overflowWrap: 'anywhere',
})

function Card({ row, ...props }: LayoutProps & { row: Listed }) {
  const { definition, offers, isMultiple, onMenu } = props
  const { selectedIds, onToggleItem } = useListContext()
  const text = useText()
  const others = definition.columns.filter((column) => column !== namingOf(definition))
  const corner = others.find(({ card }) => card === 'corner')
  // Empty fields would only make a card longer.
  const fields = others.filter(
    (column) =>
      column.card === 'line' && ((column.render && !column.text) || cellValue(column, row, text) !== null),
  )
  const open = offers.opener(row)
  const to = definition.leadsTo?.(row)
  const target =
    to === undefined ? { component: 'button', type: 'button', onClick: open } : { component: RouterLink, to }
  const isSelected = selectedIds.includes(row.id)
  const offered = offers.actionsFor(row).length > 0
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'grid',
        gridTemplateColumns: `${isMultiple ? '28px ' : ''}minmax(0, 1fr) auto auto`,
        columnGap: 1,
        alignItems: 'start',
        py: 1.25,
        pl: 2,
        ...(isSelected && { bgcolor: 'action.selected' }),
        pr: offered ? 0.5 : 2,
        color: definition.faded?.(row) ? 'text.secondary' : 'text.primary',
      }}
    >
      {isMultiple && (
        <Checkbox
          checked={isSelected}
          onChange={() => onToggleItem(row.id)}
          slotProps={{ input: { 'aria-label': text('grid.select', { name: definition.nameOf(row) }) } }}
          // 44 px, beside which the text begins.
          sx={{ zIndex: 1, p: '12px', my: '-10px', ml: '-12px' }}
        />
      )}
      <Box
        component="h2"
        sx={{ m: 0, minWidth: 0, fontSize: '1rem', fontWeight: 600, ...lines(2) }}
        dir="auto"
      >
        {open || to !== undefined ? (
          <Link
            {...target}
            color="inherit"
            // The whole card is the target; what can be pressed on it lies above.
            sx={{
              font: 'inherit',
              textAlign: 'start',
              ...lines(2),
              '&::after': { content: '""', position: 'absolute', inset: 0 },
            }}
          >
            {definition.nameOf(row)}
          </Link>
        ) : (
          definition.nameOf(row)
        )}
      </Box>
      <Box>{corner && <Cell column={corner} row={row} />}</Box>
      {offered && (
        <IconButton
          aria-haspopup="menu"
          aria-label={text('grid.actionsOf', { name: definition.nameOf(row) })}
          onClick={(event) => onMenu(row, event.currentTarget)}
          sx={{ zIndex: 1, mt: -0.75, color: 'text.secondary' }}
        >
          <MoreVertRounded />
        </IconButton>
      )}
      <Box
        component="dl"
        sx={{
          gridColumn: isMultiple ? '2 / -1' : '1 / -1',
          m: 0,
          // As far from the edge as in front of it: only the button may come nearer.
          pr: offered ? 1.5 : 0,
          display: 'grid',
          gridTemplateColumns: 'minmax(72px, max-content) minmax(0, 1fr)',
          columnGap: 2,
          rowGap: 0.25,
          overflowWrap: 'anywhere',
        }}
      >
        {fields.map((column) => (
          <Box key={column.field} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {text(column.label)}
            </Box>
            <Box component="dd" sx={{ m: 0, minWidth: 0, ...lines(3) }}>
              <Cell column={column} row={row} />
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  )
}

/** The records as cards, for phones. */
export function ResourceCards(props: LayoutProps) {
  const { data: rows = [], page } = useListContext<Listed>()
  const list = useRef<HTMLUListElement>(null)
  useScrollBack(true)
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    list.current?.scrollIntoView({ block: 'nearest' })
    window.scrollTo(0, 0)
  }, [page])
  return (
    <Box
      component="ul"
      ref={list}
      aria-label={props.label}
      sx={{
        m: 0,
        p: 0,
        listStyle: 'none',
        '& > li + li': { borderTop: 1, borderColor: 'divider' },
        ...CELL_STYLES,
      }}
    >
      {rows.map((row) => (
        <Card key={row.id} row={row} {...props} />
      ))}
    </Box>
  )
}
