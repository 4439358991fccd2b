import Box from '@mui/material/Box'

import { signIn as texts } from '#providers/i18n/sign-in.ts'

import { PublicLink } from './PublicLink.tsx'

/** Links at the bottom of setup and sign-in. */
export const LegalLinks = () => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '4px 24px' }}>
    <PublicLink to="/privacy" color="textSecondary">
      {texts.privacy}
    </PublicLink>
    <PublicLink to="/terms" color="textSecondary">
      {texts.terms}
    </PublicLink>
  </Box>
)
