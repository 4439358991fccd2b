import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'

import { ROOT } from '#contract/files/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { nameOf } from '../list/itemValues.ts'
import type { Selection } from '../selectionValues.ts'
import { useCopyItems } from '../useCopyItems.ts'
import { useMoveItems } from '../useMoveItems.ts'
import { FolderNode, type Target } from './FolderTree.tsx'

interface Props {
  items: Selection
  /** True to copy the items, false to move them. */
  isCopy: boolean
  onClose: () => void
}

/** Moves or copies files and folders to a folder of a tree, as the alternative to dragging and pasting. */
export function MoveDialog({ items, isCopy, onClose }: Props) {
  const text = useText()
  const { move, question } = useMoveItems()
  const copy = useCopyItems()
  const [target, setTarget] = useState<Target>()
  const [problem, setProblem] = useState<string>()
  const { busy, submit } = useSubmitOnce(async () => {
    if (!target) return
    setProblem(undefined)
    try {
      await (isCopy ? copy : move)(items, target)
      onClose()
    } catch (error) {
      setProblem(messageOf(error, text(isCopy ? 'files.notCopied' : 'files.notMoved')))
    }
  })
  const close = () => {
    if (!busy) onClose()
  }
  const first = items[0]!
  const title =
    items.length === 1
      ? text(isCopy ? 'files.copyTitle' : 'files.moveTitle', { name: nameOf(first) })
      : text(isCopy ? 'files.copyManyTitle' : 'files.moveManyTitle', { smart_count: items.length })
  return (
    <>
      <DialogFrame
        title={title}
        maxWidth="sm"
        isTall
        onClose={close}
        head={problem && <Alert severity="error">{problem}</Alert>}
        actions={
          <>
            <CancelButton onClick={close} disabled={busy} />
            <Button variant="contained" disabled={!target} loading={busy} onClick={submit}>
              {text(isCopy ? 'files.copyHere' : 'files.moveHere')}
            </Button>
          </>
        }
      >
        <Box component="ul" aria-label={text('files.folders')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          <FolderNode
            folder={{ id: ROOT, name: text('files.title') }}
            isUnfoldedAtFirst
            chosen={target}
            onChoose={setTarget}
            isClosed={(id) => !isCopy && items.every(({ parentFolderId }) => parentFolderId === id)}
            isMoved={(id) => items.some((item) => item.id === id)}
          />
        </Box>
      </DialogFrame>
      {question}
    </>
  )
}
