import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import Fab from '@mui/material/Fab'
import Tooltip from '@mui/material/Tooltip'
import { Link } from 'react-router-dom'

import { incidentsApi } from '#contract/incidents/api.ts'
import { useCan } from '#providers/useCan.ts'
import { useDockedHeight } from '#src/kit/layout/useDockedHeight.ts'
import { useText } from '#src/kit/useText.ts'

import { useCreatableKinds } from '../queries.ts'

function Floating() {
  const text = useText()
  const kinds = useCreatableKinds()
  const blocked = kinds !== undefined && !kinds.incident && !kinds.exercise
  // Focusable even when blocked, so that its reason is readable by keyboard.
  const target = blocked
    ? { component: 'a', role: 'link', 'aria-disabled': true, tabIndex: 0 }
    : { component: Link, to: '/incidents/create' }
  const button = useDockedHeight()
  return (
    <Box
      ref={button}
      sx={{
        // The bar of a phone has a button of its own.
        display: { xs: 'none', sm: 'block' },
        position: 'fixed',
        insetInlineEnd: { sm: 16, md: 32 },
        bottom: 24,
        zIndex: 'fab',
        '& .MuiFab-root': { borderRadius: '12px', textTransform: 'none', fontWeight: 600 },
        // An opaque background covers the content below.
        '& [aria-disabled]': {
          '&, &:hover': { bgcolor: 'background.paper', color: 'text.secondary' },
          border: 1,
          borderColor: 'background.edge',
          cursor: 'not-allowed',
        },
      }}
    >
      <Tooltip title={blocked ? text('incidents.createBlocked') : ''} describeChild>
        <Fab {...target} variant="extended" color="primary">
          <AddRounded sx={{ mr: 1 }} />
          {text('incidents.create')}
        </Fab>
      </Tooltip>
    </Box>
  )
}

/** Floating button for people who may create incidents. */
export function CreateIncidentButton() {
  const can = useCan()
  return can(incidentsApi.create.access) ? <Floating /> : null
}
