import InsertDriveFileOutlined from '@mui/icons-material/InsertDriveFileOutlined'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'

import { useText } from '#src/kit/useText.ts'

export const fileFrame = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'flex-start',
  gap: 1,
  width: 320,
  maxWidth: '100%',
  minHeight: 48,
  px: 1.25,
  py: 0.75,
  border: 1,
  borderColor: 'divider',
  borderRadius: '6px',
  textAlign: 'start',
  // Buttons do not inherit the font.
  font: 'inherit',
} as const

interface MissingProps {
  name: string
  /** Removes the file from the message; absent if not permitted. */
  onRemove: (() => void) | undefined
}
/** Placeholder for a file that the server no longer has. */
export function MissingFile({ name, onRemove }: MissingProps) {
  const text = useText()
  return (
    <Box sx={{ ...fileFrame, color: 'text.secondary' }} title={name}>
      <InsertDriveFileOutlined />
      <span>
        {text('chatMessages.notFound')}{' '}
        {onRemove && (
          <Link component="button" type="button" onClick={onRemove} sx={{ verticalAlign: 'baseline' }}>
            {text('chatMessages.remove')}
          </Link>
        )}
      </span>
    </Box>
  )
}
