import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import { usePeople } from '#providers/people.ts'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { useText } from '#src/kit/useText.ts'

/** Another person's saved value of a field with unsaved input. */
export interface Theirs {
  readonly label: string
  readonly value: string
}
/**
 * A refused save: its message with the addresses of other editors, and, once the latest version has loaded,
 * the differing fields.
 */
export interface Stale {
  readonly message: string
  readonly theirs: readonly Theirs[] | null
}

/** Replaces addresses in a refusal's sentence by names. */
const withNames = (sentence: string, nameOf: (email: string) => string): string =>
  sentence
    .split(/([\s,]+)/)
    .map((word) => (word.includes('@') ? nameOf(word) : word))
    .join('')

interface Props {
  stale: Stale
  onReload: () => void
  busy: boolean
}

/** Reports a conflicting save, and loads the other version without touching the input. */
export function StaleNotice({ stale: { message, theirs }, onReload, busy }: Props) {
  const text = useText()
  const { nameOf } = usePeople()
  if (theirs === null)
    return (
      <Alert
        severity="warning"
        action={
          <Button color="inherit" size="small" loading={busy} onClick={onReload}>
            {text('incidents.loadLatest')}
          </Button>
        }
      >
        {withNames(message, nameOf)} {text('incidents.kept')}
      </Alert>
    )
  return (
    <Alert severity="info">
      {text(theirs.length === 0 ? 'incidents.latestLoaded' : 'incidents.latestDiffers')}
      {theirs.map(({ label, value }) => (
        <Box key={label} sx={{ mt: 1 }}>
          <strong>{label}</strong>
          <PlainText text={value} rows={4} />
        </Box>
      ))}
    </Alert>
  )
}
