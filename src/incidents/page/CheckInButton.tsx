import HowToRegRounded from '@mui/icons-material/HowToRegRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'

import { incidentCan } from '#contract/incidents/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { useDockedHeight } from '#src/kit/layout/useDockedHeight.ts'
import { useText } from '#src/kit/useText.ts'

import { useCheckIn } from '../queries.ts'

interface Props {
  incident: Incident
  /** A bar at the bottom of the window, or a banner across the page. */
  look: 'bar' | 'banner'
}

/** Button with which the visitor checks in; hidden afterwards. */
export function CheckInButton({ incident, look }: Props) {
  const text = useText()
  const bar = useDockedHeight()
  const notify = useNotify()
  const { mutate, isPending } = useCheckIn(incident.id)
  if (!incident.shouldCurrentUserCheckIn || !incidentCan.checkIn(incident)) return null
  const button = (
    <Button
      variant="contained"
      size="large"
      fullWidth={look === 'bar'}
      startIcon={<HowToRegRounded />}
      disabled={isPending}
      onClick={() =>
        mutate(undefined, {
          onSuccess: () => notify(text('incidents.checkedIn'), { type: 'success' }),
          onError: (error) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
        })
      }
    >
      {text('incidents.checkIn')}
    </Button>
  )
  if (look === 'bar')
    return (
      <Box
        ref={bar}
        sx={{
          position: 'fixed',
          insetInline: 0,
          bottom: { xs: 'calc(56px + env(safe-area-inset-bottom))', sm: 0 },
          zIndex: 'appBar',
          px: 2,
          py: 1,
          bgcolor: 'background.paper',
          borderTop: 1,
          borderColor: 'divider',
        }}
      >
        {button}
      </Box>
    )
  return (
    <Box
      component="section"
      aria-label={text('incidents.checkIn')}
      sx={{
        gridColumn: '1 / -1',
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        px: 2.5,
        py: 1.5,
        border: '1px solid',
        borderColor: 'primary.main',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
    >
      <Box sx={{ flex: '1 1 200px' }}>
        <Typography variant="subtitle2" component="p">
          {text('incidents.checkInTitle')}
        </Typography>
        <Typography color="textSecondary">{text('incidents.checkInText')}</Typography>
      </Box>
      {button}
    </Box>
  )
}
