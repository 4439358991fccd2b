import AddRounded from '@mui/icons-material/AddRounded'
import DeleteRounded from '@mui/icons-material/DeleteRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import FileUploadRounded from '@mui/icons-material/FileUploadRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import { Suspense, useState } from 'react'

import { fullName } from '#contract/kit/names.ts'
import type { PackageUser } from '#contract/welcome/schema.ts'
import { welcome } from '#providers/i18n/welcome.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'

import { withoutUser, withUser, withUsers } from './draftValues.ts'
import { UserDialog } from './UserDialog.tsx'
import type { Welcome } from './useWelcome.ts'

const texts = welcome.users
const ImportUsers = lazy(async () => ({ default: (await import('./ImportUsers.tsx')).ImportUsers }))

/** The open dialog: import, new user, or an edited one. */
type Open = 'import' | 'create' | PackageUser | null

/** The users with access, beside the main administrator. */
export function UsersStep({ welcome: { state, draft, isLocked, change } }: { welcome: Welcome }) {
  const [open, setOpen] = useState<Open>(null)
  const isFull = draft.users.length >= state.maxUsers
  const close = () => setOpen(null)
  return (
    <>
      <Lead>{texts.text}</Lead>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, my: 2 }}>
        <Box sx={{ flex: 1, minWidth: 140, fontWeight: 600 }}>
          {texts.count(draft.users.length, state.maxUsers)}
        </Box>
        {!isLocked && (
          <>
            <Button startIcon={<FileUploadRounded />} disabled={isFull} onClick={() => setOpen('import')}>
              {texts.import}
            </Button>
            <Button
              variant="outlined"
              startIcon={<AddRounded />}
              disabled={isFull}
              onClick={() => setOpen('create')}
            >
              {texts.add}
            </Button>
          </>
        )}
      </Box>
      {isFull && !isLocked && <Lead>{texts.full}</Lead>}
      <Box component="ul" sx={LIST}>
        <UserRow user={state.mainAdminUser} roles={state.userRoles} />
        {draft.users.map((user) => (
          <UserRow
            key={user.email}
            user={user}
            roles={state.userRoles}
            {...(!isLocked && {
              onEdit: () => setOpen(user),
              onRemove: () => change((before) => withoutUser(before, user.email)),
            })}
          />
        ))}
      </Box>
      {draft.users.length === 0 && <Lead>{texts.empty}</Lead>}
      {open === 'import' && (
        <Suspense>
          <ImportUsers
            state={state}
            replaced={draft.users.length}
            onImport={(users) => change((before) => withUsers(before, users, state.mainAdminUser.email))}
            onClose={close}
          />
        </Suspense>
      )}
      {open !== null && open !== 'import' && (
        <UserDialog
          state={state}
          others={draft.users.filter((user) => user !== open)}
          {...(open !== 'create' && { user: open })}
          onSave={(user) => {
            change((before) => withUser(before, user, open === 'create' ? undefined : open.email))
            close()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

const LIST = {
  m: 0,
  p: 0,
  listStyle: 'none',
  border: 1,
  borderColor: 'divider',
  borderRadius: '8px',
  '& > li + li': { borderTop: 1, borderColor: 'divider' },
}

interface RowProps {
  user: PackageUser
  roles: Welcome['state']['userRoles']
  onEdit?: () => void
  onRemove?: () => void
}

function UserRow({ user, roles, onEdit, onRemove }: RowProps) {
  const name = fullName(user)
  const role = roles.find((one) => one.role === user.role)?.visibleName ?? user.role
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 2,
        py: 1,
        minHeight: 56,
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 56px',
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ fontWeight: 600 }} dir="auto">
          {name}
        </Box>
        <Box sx={{ fontSize: '0.875rem', color: 'text.secondary' }}>
          {[user.email, role, user.department].filter(Boolean).join(' · ')}
        </Box>
      </Box>
      {user.type === 'EXTERNAL' && <Chip size="small" label={texts.external} />}
      {user.isMainAdminUser && <Chip size="small" label={texts.mainAdmin} />}
      {onEdit && (
        <IconButton aria-label={texts.edit(name)} onClick={onEdit}>
          <EditRounded />
        </IconButton>
      )}
      {onRemove && (
        <IconButton aria-label={texts.remove(name)} onClick={onRemove}>
          <DeleteRounded />
        </IconButton>
      )}
    </Box>
  )
}
