import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import type { ImportWarning } from '#contract/user-import/rules.ts'
import type { ImportResult } from '#contract/user-import/schema.ts'
import { PhoneWarnings } from '#src/kit/import-table/PhoneWarnings.tsx'
import { useText } from '#src/kit/useText.ts'

interface Props {
  result: ImportResult & { readonly warnings: readonly ImportWarning[] }
}

export function Outcome({ result: { created, skipped, warnings } }: Props) {
  const text = useText()
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Alert severity={created.length > 0 ? 'success' : 'info'} role="status">
        {created.length > 0
          ? text('userImport.created', { smart_count: created.length })
          : text('userImport.createdNobody')}
      </Alert>
      <PhoneWarnings warnings={warnings} title="tableImport.phonesWereLeftOut" />
      {skipped.length > 0 && (
        <section>
          <Typography variant="h3" sx={{ mb: 1 }}>
            {text('userImport.skippedTitle', { smart_count: skipped.length })}
          </Typography>
          <Box
            component="ul"
            sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
          >
            {skipped.map(({ email, reason }) => (
              <Box component="li" key={email} sx={{ py: 0.75, overflowWrap: 'anywhere' }}>
                {email}{' '}
                <Box component="span" sx={{ color: 'text.secondary' }}>
                  {text(`userImport.skipped.${reason}`)}
                </Box>
              </Box>
            ))}
          </Box>
        </section>
      )}
    </Box>
  )
}
