import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import type { NameConflict } from '#contract/files/schema.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import type { ConflictChoice } from './conflictValues.ts'

interface Props {
  conflict: NameConflict
  /** Bytes of the file that is added; undefined for a folder. */
  size: number | undefined
  /** Undecided conflicts, including this one. */
  count: number
  /** True where replacing adds a version, false where it puts the other file into the trash. */
  isUpload: boolean
  onDecide: (choice: ConflictChoice, forAll: boolean) => void
}

/** Asks what to do about a name that is taken in the folder. Closing it skips the file. */
export function ConflictDialog({ conflict, size, count, isUpload, onDecide }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const [forAll, setForAll] = useState(false)
  const { item, name, canReplace } = conflict
  const choose = (choice: ConflictChoice) => () => onDecide(choice, forAll)
  return (
    <DialogFrame
      title={text('files.conflictTitle', { name })}
      isShort
      onClose={choose('skip')}
      actions={
        <>
          <Button color="inherit" onClick={choose('skip')}>
            {text('files.skip')}
          </Button>
          {canReplace && (
            <Button color="inherit" onClick={choose('replace')}>
              {text('files.replace')}
            </Button>
          )}
          <Button variant="contained" autoFocus onClick={choose('keepBoth')}>
            {text('files.keepBoth')}
          </Button>
        </>
      }
    >
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'grid',
          gridTemplateColumns: 'max-content minmax(0, 1fr)',
          columnGap: 2,
          rowGap: 1,
          '& dt': { color: 'text.secondary' },
          '& dd': { m: 0, overflowWrap: 'anywhere' },
        }}
      >
        <dt>{text('files.conflictThere')}</dt>
        <dd>
          {item.isFolder
            ? text('files.conflictFolder')
            : text('files.conflictChanged', {
                size: fileSize(locale, item.size),
                name: item.createdByName,
              })}
          <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
            <Time at={item.updateTimestamp} />
          </Box>
        </dd>
        <dt>{text(isUpload ? 'files.conflictNew' : 'files.conflictMoved')}</dt>
        <dd>{size === undefined ? text('files.conflictFolder') : fileSize(locale, size)}</dd>
      </Box>
      <Box sx={{ color: 'text.secondary' }}>
        {text(
          canReplace ? (isUpload ? 'files.conflictVersion' : 'files.conflictTrash') : 'files.conflictCannot',
        )}
      </Box>
      {count > 1 && (
        <FormControlLabel
          control={<Checkbox checked={forAll} onChange={({ target }) => setForAll(target.checked)} />}
          label={text('files.conflictAll', { smart_count: count })}
        />
      )}
    </DialogFrame>
  )
}
