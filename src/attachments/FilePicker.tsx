import Box from '@mui/material/Box'
import { useLocaleState } from 'react-admin'

import { FILES_AT_ONCE } from '#contract/attachments/schema.ts'
import { FileDrop } from '#src/kit/form/FileDrop.tsx'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { useText } from '#src/kit/useText.ts'

import { useFileLimits } from './useAttachments.ts'

interface Props {
  onChoose: (files: File[]) => void
  disabled: boolean
  /** Error message about the chosen files. */
  problem: string | undefined
}

/** Drop area and button for choosing files. */
export function FilePicker({ onChoose, disabled, problem }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const { limits } = useFileLimits()
  return (
    <div>
      <FileDrop
        multiple
        text="attachments.drop"
        dropText="attachments.dropNow"
        button="attachments.choose"
        disabled={disabled}
        isWrong={problem !== undefined}
        onChoose={onChoose}
      >
        {limits &&
          text('attachments.limits', { count: FILES_AT_ONCE, size: fileSize(locale, limits.maxBytes) })}
      </FileDrop>
      <Box role="alert" sx={{ mt: problem ? 0.5 : 0, fontSize: '0.8125rem', color: 'error.main' }}>
        {problem}
      </Box>
    </div>
  )
}
