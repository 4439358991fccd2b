import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useNotify } from 'react-admin'
import { useId } from 'react'
import { Link } from 'react-router-dom'

import type { ManagedOrganisation } from '#contract/managed-organisations/schema.ts'
import { useText } from '#src/kit/useText.ts'

/** Shows the sign-in code of a new organisation, which its people need. */
export function CreatedDialog({ created, onClose }: { created: unknown; onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const titleId = useId()
  const { id, enterprise, adminUser } = created as ManagedOrganisation
  const { code, displayName } = enterprise
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code)
      notify(text('management.organizations.codeCopied'), { type: 'success' })
    } catch {
      // The code is selectable beside the button.
      notify(text('management.organizations.codeNotCopied'), { type: 'warning' })
    }
  }
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <DialogTitle id={titleId} dir="auto">
        {displayName}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <div>{text('management.organizations.codeText')}</div>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          <Box component="output" sx={{ fontSize: '1.25rem', fontWeight: 600, overflowWrap: 'anywhere' }}>
            {code}
          </Box>
          <Button size="small" variant="outlined" onClick={() => void copy()}>
            {text('management.organizations.copyCode')}
          </Button>
        </Box>
        {adminUser && (
          <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {text('management.organizations.activationSent', { email: adminUser.email })}
          </Box>
        )}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {text('kit.close')}
        </Button>
        <Button component={Link} to={`/management/incidents/${id}`} variant="contained" onClick={onClose}>
          {text('management.organizations.openCreated')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
