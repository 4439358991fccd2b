import AddRounded from '@mui/icons-material/AddRounded'
import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import IconButton from '@mui/material/IconButton'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'

import { repeatedNames } from '#contract/welcome/rules.ts'
import { FOLDER_NAME_TAKEN, FOLDERS_MAX } from '#contract/welcome/schema.ts'
import { welcome } from '#providers/i18n/welcome.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'

import { type Folder, newKey } from './draftValues.ts'
import type { Welcome } from './useWelcome.ts'

const texts = welcome.folders

/** The folders, each for everybody or for administrators. */
export function FoldersStep({ welcome: { draft, isLocked, change } }: { welcome: Welcome }) {
  const { folders } = draft
  const isFull = folders.length >= FOLDERS_MAX
  const repeated = new Set(repeatedNames(folders.map(({ label }) => label)))
  const replace = (key: string, by: Folder | null) =>
    change((before) => ({
      ...before,
      folders: before.folders.flatMap((folder) => (folder.key === key ? (by ?? []) : folder)),
    }))
  const add = () => {
    const folder = { key: newKey(), label: '', adminOnly: false, isCustom: true }
    change((before) => ({ ...before, folders: [...before.folders, folder] }))
  }
  return (
    <>
      <Lead>{texts.text}</Lead>
      {folders.length === 0 && <Lead>{texts.empty}</Lead>}
      <Box component="ol" sx={{ display: 'grid', gap: 2, m: 0, mt: 2, p: 0, listStyle: 'none' }}>
        {folders.map((folder, n) => (
          <Box
            component="li"
            key={folder.key}
            sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 1.5 }}
          >
            <TextField
              label={texts.name}
              value={folder.label}
              disabled={isLocked}
              autoFocus={folder.isCustom && folder.label === ''}
              error={repeated.has(n)}
              helperText={repeated.has(n) ? FOLDER_NAME_TAKEN : undefined}
              onChange={({ target }) => replace(folder.key, { ...folder, label: target.value })}
              slotProps={{ htmlInput: { maxLength: 255, dir: 'auto' } }}
              sx={{ flex: '1 1 240px' }}
            />
            <FormControlLabel
              label={texts.restricted}
              control={
                <Switch
                  checked={folder.adminOnly}
                  disabled={isLocked}
                  onChange={(_, adminOnly) => replace(folder.key, { ...folder, adminOnly })}
                />
              }
            />
            {!isLocked && (
              <IconButton
                aria-label={texts.remove(folder.label || texts.label(n + 1))}
                onClick={() => replace(folder.key, null)}
              >
                <DeleteRounded />
              </IconButton>
            )}
          </Box>
        ))}
      </Box>
      {!isLocked && (
        <Button startIcon={<AddRounded />} disabled={isFull} onClick={add} sx={{ mt: 2 }}>
          {texts.add}
        </Button>
      )}
      {isFull && !isLocked && <Lead>{texts.full(FOLDERS_MAX)}</Lead>}
    </>
  )
}
