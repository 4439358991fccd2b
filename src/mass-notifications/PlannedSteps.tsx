import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import type { EscalationPlan } from '#contract/notification-escalations/schema.ts'
import { escalations as words } from '#providers/i18n/escalations.ts'

/** The steps of a plan in words. */
export const PlannedSteps = ({ plan: { steps, rounds, pauseMinutes } }: { plan: EscalationPlan }) => (
  <section>
    <Typography variant="h3" sx={{ mb: 0.5 }}>
      {words.title}
    </Typography>
    <Box component="ol" sx={{ m: 0, pl: 2.5 }}>
      {steps.map(({ afterMinutes, to, by }) => (
        <li key={afterMinutes}>{words.step(afterMinutes, to, by)}</li>
      ))}
    </Box>
    {rounds > 1 && (
      <Box sx={{ mt: 0.5, color: 'text.secondary' }}>
        {words.roundsOf(rounds)}. {words.pause}: {pauseMinutes}
      </Box>
    )}
  </section>
)
