import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import { fullName } from '#contract/kit/names.ts'
import { welcome } from '#providers/i18n/welcome.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'

import { bodyOf } from './draftValues.ts'
import type { Welcome } from './useWelcome.ts'

const texts = welcome.confirmation
/** Names that a list spells out. */
const NAMED = 10

const LIST = { m: 0, pl: 3, color: 'text.secondary', overflowWrap: 'anywhere' }

/** Summary of all input, before it is marked complete. */
export function ConfirmationStep({ welcome: { state, draft, isLocked } }: { welcome: Welcome }) {
  const { warRooms, fileFolders } = bodyOf(draft)
  const names = new Map(
    [state.mainAdminUser, ...draft.users].map((user) => [user.email, fullName(user)] as const),
  )
  const people = (emails: readonly string[]) =>
    emails.length === 0
      ? texts.nobody
      : emails
          .slice(0, NAMED)
          .map((email) => names.get(email) ?? email)
          .join(', ') + (emails.length > NAMED ? ` +${emails.length - NAMED}` : '')
  return (
    <>
      {!isLocked && <Lead>{texts.text}</Lead>}
      <Typography variant="h3" component="h2" sx={{ mt: 2, mb: 1 }}>
        {texts.users(draft.users.length)}
      </Typography>
      {draft.users.length > 0 && (
        <Box sx={{ ...LIST, pl: 0 }}>{people(draft.users.map(({ email }) => email))}</Box>
      )}
      <Typography variant="h3" component="h2" sx={{ mt: 3, mb: 1 }}>
        {texts.rooms(warRooms.length)}
      </Typography>
      <Box component="ul" sx={LIST}>
        {draft.rooms.map(({ key }, n) => (
          <li key={key}>
            {warRooms[n]!.name}: {people(warRooms[n]!.usersEmails)}
          </li>
        ))}
      </Box>
      <Typography variant="h3" component="h2" sx={{ mt: 3, mb: 1 }}>
        {texts.folders(fileFolders.length)}
      </Typography>
      <Box component="ul" sx={LIST}>
        {fileFolders.map(({ name, adminOnly }, n) => (
          // Two folders may have the same name until the server refuses that.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={n}>{adminOnly ? `${name} (${texts.restricted})` : name}</li>
        ))}
      </Box>
    </>
  )
}
