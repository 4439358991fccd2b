import Box from '@mui/material/Box'

import { fullName } from '#contract/users/rules.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'

/** More are found by typing. */
const SHOWN = 50
const fold = (words: string) => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const folded = new WeakMap<DirectoryUser, string>()
/** What a person is found by. The domain of the address, which most of them share, only where an @ is typed. */
function wordsOf(user: DirectoryUser): string {
  const known = folded.get(user)
  if (known !== undefined) return known
  const words = fold(` ${fullName(user)} ${user.department ?? ''} ${user.email}`)
  folded.set(user, words)
  return words
}
const finds = (word: string) => {
  const wanted = fold(word)
  return (user: DirectoryUser) => {
    const words = wordsOf(user)
    return (wanted.includes('@') ? words : words.slice(0, words.lastIndexOf('@'))).includes(wanted)
  }
}

/** Finds people by parts of their name, department and address; first those who have a word that begins so. */
export function filterPeople(
  users: readonly DirectoryUser[],
  { inputValue }: { inputValue: string },
): DirectoryUser[] {
  const words = inputValue.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return users.slice(0, SHOWN)
  const tests = words.map(finds)
  const found = users.filter((user) => tests.every((test) => test(user)))
  const first = ` ${fold(words[0]!)}`
  const begins = found.filter((user) => wordsOf(user).includes(first))
  const others = found.filter((user) => !wordsOf(user).includes(first))
  return [...begins, ...others].slice(0, SHOWN)
}

/** A person in the list of a picker. */
export function PersonOption({ user }: { user: DirectoryUser }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minWidth: 0 }}>
      <Initials
        firstName={user.firstName}
        lastName={user.lastName}
        imageUrl={user.profileImageUrl}
        size={28}
      />
      <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
        <Box component="span" dir="auto" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
          {fullName(user)}
        </Box>
        <Box
          component="span"
          sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          {[user.email, user.department].filter(Boolean).join(' · ')}
        </Box>
      </Box>
    </Box>
  )
}
