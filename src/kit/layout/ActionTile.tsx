import Box from '@mui/material/Box'
import type { ComponentType } from 'react'
import { Link } from 'react-router-dom'

interface Props {
  icon: ComponentType
  name: string
  /** One line: the purpose, or the reason why the action is unavailable. */
  line: string
  to: string
  disabled?: boolean
}

/** An action as a card, easy to hit. */
export function ActionTile({ icon: Icon, name, line, to, disabled = false }: Props) {
  const target = disabled ? { component: 'a', role: 'link', 'aria-disabled': true } : { component: Link, to }
  return (
    <Box
      {...target}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 96,
        p: 2.5,
        borderRadius: 1,
        border: 1,
        borderColor: 'divider',
        bgcolor: disabled ? 'transparent' : 'background.paper',
        color: disabled ? 'text.secondary' : 'text.primary',
        textDecoration: 'none',
        transition: 'border-color 140ms',
        ...(disabled ? { cursor: 'not-allowed' } : { '&:hover': { borderColor: 'primary.main' } }),
      }}
    >
      <Box
        sx={{
          flex: 'none',
          display: 'grid',
          placeItems: 'center',
          width: 48,
          height: 48,
          borderRadius: 1,
          bgcolor: 'action.hover',
          color: disabled ? 'inherit' : 'primary.main',
          '& svg': { fontSize: 24 },
        }}
      >
        <Icon />
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Box component="strong" sx={{ display: 'block', fontSize: '1rem', fontWeight: 600 }}>
          {name}
        </Box>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {line}
        </Box>
      </Box>
    </Box>
  )
}
