import Typography from '@mui/material/Typography'

import { plain as texts } from '#providers/i18n/plain.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'

/** Replaces the application while the device is offline. */
export function OfflineScreen() {
  return (
    <StandalonePage title={texts.offline} product={texts.name}>
      <div role="alert">
        <Typography variant="h1" gutterBottom>
          {texts.offline}
        </Typography>
        <Lead>{texts.offlineText}</Lead>
      </div>
    </StandalonePage>
  )
}
