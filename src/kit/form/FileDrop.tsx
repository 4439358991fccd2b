import UploadFileRounded from '@mui/icons-material/UploadFileRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type ReactNode, useId } from 'react'

import type { TextKey } from '#providers/i18nProvider.ts'

import { DropArea } from './DropArea.tsx'
import { useText } from '../useText.ts'

interface Props {
  /** Accessible name of the hidden input, for assistive technology that reaches it without the button. */
  label?: TextKey
  /** Instructions, and their text while a file is dragged over the area. */
  text: TextKey
  dropText: TextKey
  button: TextKey
  /** Types offered by the file dialog. */
  accept?: string
  multiple?: boolean
  disabled?: boolean
  isWrong: boolean
  onChoose: (files: File[]) => void
  /** Requirements for a file. */
  children?: ReactNode
}

/** Drop area for files with instructions and a button. */
export function FileDrop({ label, text: say, dropText, button, isWrong, children, ...area }: Props) {
  const text = useText()
  const hintId = useId()
  return (
    <DropArea {...area} isWrong={isWrong} {...(label && { label: text(label) })}>
      {({ over, ask }) => (
        <>
          <UploadFileRounded sx={{ fontSize: 32, color: 'text.secondary' }} />
          <span>{text(over ? dropText : say)}</span>
          <Button
            variant="outlined"
            onClick={ask}
            disabled={area.disabled ?? false}
            aria-describedby={hintId}
          >
            {text(button)}
          </Button>
          <Box id={hintId} sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
            {children}
          </Box>
        </>
      )}
    </DropArea>
  )
}
