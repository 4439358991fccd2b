import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'

import { PLAYBOOKS_LIMIT_REACHED } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'
import { RequestUpgrade } from '#src/features/RequestUpgrade.tsx'

import { useCapacity } from '../queries.ts'

interface Props {
  /** False while something beside the list has the filled button of the page. */
  isFilled: boolean
  onNew: () => void
  onStarters: () => void
  onImport: () => void
}

/** Explains the limit of playbooks, with a link to request more (operations §8). */
function LimitReached() {
  const text = useText()
  return (
    <Box sx={{ fontSize: '0.8125rem' }}>
      <Box role="status">{PLAYBOOKS_LIMIT_REACHED}</Box>
      <RequestUpgrade feature="MORE_PLAYBOOKS">{text('playbooks.increaseLimit')}</RequestUpgrade>
    </Box>
  )
}

/** Menu of the ways to create a playbook, with the remaining number. */
export function CreateMenu({ isFilled, onNew, onStarters, onImport }: Props) {
  const text = useText()
  const { count, max, isFull } = useCapacity()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const ways = [
    ['createNew', onNew],
    ['fromStarters', onStarters],
    ['fromFile', onImport],
  ] as const
  return (
    <Box sx={{ display: 'grid', gap: 0.75 }}>
      <Button
        variant={isFilled ? 'contained' : 'outlined'}
        startIcon={<AddRounded />}
        disabled={isFull}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {text('playbooks.create')}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {ways.map(([label, act]) => (
          <MenuItem
            key={label}
            onClick={() => {
              setAnchor(null)
              act()
            }}
          >
            {text(`playbooks.${label}`)}
          </MenuItem>
        ))}
      </Menu>
      {count !== undefined && max !== undefined && (
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {text('playbooks.remaining', { count, max })}
        </Box>
      )}
      {isFull && <LimitReached />}
    </Box>
  )
}
