import AttachFileRounded from '@mui/icons-material/AttachFileRounded'
import Box from '@mui/material/Box'
import { createContext, type ReactNode, useContext, useMemo } from 'react'

import type { AttachmentName } from '#contract/attachments/schema.ts'
import { useText } from '#src/kit/useText.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { FileChips } from '#src/attachments/FileChips.tsx'

type Known = ReadonlyMap<string, AttachmentName>
const Context = createContext<Known>(new Map())

/** Provides the files of an incident by id. */
export function KnownFiles({ files, children }: { files: readonly AttachmentName[]; children: ReactNode }) {
  const known = useMemo(() => new Map(files.map((file) => [file.id, file])), [files])
  return <Context value={known}>{children}</Context>
}
export const useKnownFiles = (): Known => useContext(Context)

export function ActivityFiles({ ids }: { ids: readonly string[] }) {
  const known = useKnownFiles()
  if (ids.length === 0) return null
  return <FileChips files={ids.flatMap((id) => known.get(id) ?? [])} />
}

/** Mark in a task's line for its number of files. */
export function FilesMark({ count }: { count: number }) {
  const text = useText()
  if (count === 0) return null
  const label = text('attachments.carried', { smart_count: count })
  return (
    <>
      {' '}
      <AttachFileRounded sx={{ fontSize: 16, color: 'text.secondary', verticalAlign: '-3px' }} />
      <Box component="span" sx={visuallyHidden}>
        {label}
      </Box>
    </>
  )
}
