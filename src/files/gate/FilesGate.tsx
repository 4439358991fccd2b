import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { TwoFactorDialog } from '#src/verifications/TwoFactorDialog.tsx'

import { useStorageVerification } from './useStorageVerification.ts'

/** Shows files only to a verified session if the organisation requires that. Cancelling leads to the dashboard. */
export function FilesGate({ children }: { children: ReactNode }) {
  const { isValid, pending, verified, cancel } = useStorageVerification()
  if (pending)
    return (
      <Box sx={{ p: { xs: 2, md: 3 } }}>
        <Awaiting queries={[pending]} height={480} />
      </Box>
    )
  return isValid ? children : <TwoFactorDialog onVerified={verified} onClose={cancel} />
}
